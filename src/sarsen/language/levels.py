"""How strong the server's own programs are, in words."""

from __future__ import annotations

# By level, from 1 on.
LEVEL_WORDS = (
    "beginner",
    "novice",
    "casual player",
    "fair player",
    "good player",
    "strong player",
    "expert",
    "strongest",
)
LEVELS = range(1, len(LEVEL_WORDS) + 1)


def level_words(level: int) -> str:
    """Give the words for a level."""
    return LEVEL_WORDS[level - 1]
