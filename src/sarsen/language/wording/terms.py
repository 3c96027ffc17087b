"""Words about what a challenge agrees on: time, rating, who may look on."""

from __future__ import annotations

from sarsen.language.translating import _, _n, later

_FLAGS = {
    "unrated": later("unrated"),
    "link": later("a free seat for whoever is given the link"),
    "private": later("private: only the players see it"),
    "pair": later("a pair of boards, the second with seats exchanged"),
    "weekends=off": later("Saturdays and Sundays do not count"),
    "exploration=off": later("nobody may try moves ahead here"),
}
_DAYS = {
    "nagtime": later("a reminder after {days} without a move"),
    "forfeittime": later("lost after {days} without a move"),
    "totaltime": later("{days} of reserve for each player"),
    "increment": later("{days} more with each move"),
}


def terms_words(terms: str) -> tuple[str, ...]:
    """Return a text that says what `--totaltime=30 --unrated` means: `30 days of reserve for each
    player`, …
    """
    return tuple(_term_words(word.lstrip("-")) for word in terms.split())


def _term_words(word: str) -> str:
    name, value = (*word.split("=", 1), "")[:2]
    if word in _FLAGS:
        return _(_FLAGS[word])
    if name in _DAYS:
        days = _n("{count} day", "{count} days", 1 if value == "1" else 2).format(count=value)
        return _(_DAYS[name]).format(days=days)
    return word
