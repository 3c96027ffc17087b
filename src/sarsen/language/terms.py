"""The server's own options of a challenge, such as `--unrated`: the same for every game."""

from __future__ import annotations

from sarsen.core.options import Choice, Days, Flag, Option

HOUR = 0.04  # of a day; the shortest budget
ON, OFF = "on", "off"

TERMS: tuple[Option, ...] = (
    Flag("unrated", "the result does not count for ratings", opposite="rated"),
    Flag("private", "only the players see the board"),
    Flag("link", "the free seat is for whoever is given the link; no list shows it"),
    Flag("pair", "two boards at once, the second with seats exchanged"),
    Days(
        "nagtime",
        "a reminder comes after so many days without a move",
        HOUR / 4,
        364,
        otherwise="7, or a third of a shorter forfeittime,",
    ),
    Days("forfeittime", "a game is lost after so many days without a move", HOUR, 365, 21.0),
    Days("totaltime", "the reserve of each player for all moves together", HOUR, 3650),
    Days("increment", "what each move adds to the reserve", 0, 365, 0.0),
    Choice("weekends", "`off`: Saturdays and Sundays do not count", (ON, OFF), ON),
    Choice("exploration", "`off`: nobody may try moves ahead on this board", (ON, OFF), ON),
)


def terms_usage() -> str:
    """List the terms there are: `--unrated|--rated --private …`."""
    return " ".join(map(_usage, TERMS))


def terms_page() -> str:
    """List the terms for the help page, one line each."""
    return "\n".join(f"- `{_usage(term)}`: {term.summary} ({term.values})." for term in TERMS)


def _usage(term: Option) -> str:
    return "-" + term.usage.replace("|-", "|--")
