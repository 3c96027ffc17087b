"""When bots give a game up."""

from __future__ import annotations

from sarsen.search.thought import Thought

# Late and rarely: people like to finish what they have won, and weak opponents may
# still let it slip.
FROM_LEVEL = 4
WITHIN = 6  # plies to the proved end


def gives_up(level: int, thought: Thought) -> bool:
    """Return whether a bot resigns: only what is proved lost, and only near its end."""
    is_near = thought.plies is not None and thought.plies <= WITHIN
    return thought.resigns and is_near and level >= FROM_LEVEL
