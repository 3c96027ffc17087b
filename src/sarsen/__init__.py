"""Play-by-mail server for abstract board games.

Open `core.game` first: it is the contract that everything else stands on.
`docs/architecture.md` shows the parts and which may import which. `load` gives a game to
programs and notebooks: see docs/research.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sarsen.research import ResearchGame

__version__ = "0.5.0.dev0"


def load(name: str) -> ResearchGame:
    """Return a game by its name: `sarsen.load("druid").start("-size=5")`.

    Raises:
        UnknownGame: With the games there are.
    """
    # Not above: nearly everything that imports sarsen plays no game this way.
    from sarsen.research import load as load_game

    return load_game(name)
