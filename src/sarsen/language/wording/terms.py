"""Words about what a challenge agrees on: time, rating, who may look on."""

from __future__ import annotations

from collections.abc import Callable

_FLAGS = {
    "unrated": "unrated",
    "private": "private: only the players see it",
    "pair": "a pair of boards, the second with seats exchanged",
    "weekends=off": "Saturdays and Sundays do not count",
    "exploration=off": "nobody may try moves ahead here",
}
_DAYS: dict[str, Callable[[str], str]] = {
    "nagtime": lambda days: f"a reminder after {days} without a move",
    "forfeittime": lambda days: f"lost after {days} without a move",
    "totaltime": lambda days: f"{days} of reserve for each player",
    "increment": lambda days: f"{days} more with each move",
}


def terms_words(terms: str) -> tuple[str, ...]:
    """Say what `--totaltime=30 --unrated` means: `30 days of reserve for each player`, …"""
    return tuple(_term_words(word.lstrip("-")) for word in terms.split())


def _term_words(word: str) -> str:
    name, _, value = word.partition("=")
    if word in _FLAGS:
        return _FLAGS[word]
    if name in _DAYS:
        return _DAYS[name](f"{value} day{'' if value == '1' else 's'}")
    return word
