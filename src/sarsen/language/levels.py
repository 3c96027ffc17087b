"""How strong the server's own programs are, in words."""

from __future__ import annotations

from sarsen.language.translating import _, later

# By level, from 1 on.
LEVEL_WORDS = (
    later("beginner"),
    later("novice"),
    later("casual player"),
    later("fair player"),
    later("good player"),
    later("strong player"),
    later("expert"),
    later("strongest"),
)
LEVELS = range(1, len(LEVEL_WORDS) + 1)


def level_words(level: int) -> str:
    """Return the words for a level."""
    return _(LEVEL_WORDS[level - 1])
