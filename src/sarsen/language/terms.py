"""The server's own options of a challenge, such as `--unrated`: the same for every game."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.options import Choice, Days, Flag, Option
from sarsen.core.phrases import Phrase
from sarsen.language.translating import N_, _, translated

HOUR = 0.04  # of a day; the shortest budget
ON, OFF = "on", "off"
USUAL_FORFEIT = 21.0  # days
MAX_NAG = 7.0  # days; of a shorter forfeittime it is a third

TERMS: tuple[Option, ...] = (
    Flag("unrated", "the result does not count for ratings", opposite="rated"),
    Flag("private", "only the players see the board"),
    Flag("link", "the free seat is for anyone with the link; it is not listed"),
    Flag("pair", "two boards at once, the second with seats swapped"),
    Days(
        "nagtime",
        "a reminder comes after this many days without a move",
        HOUR / 4,
        364,
        otherwise=Phrase("7, or a third of a shorter forfeittime"),
    ),
    Days(
        "forfeittime",
        "the game is lost after this many days without a move",
        HOUR,
        365,
        USUAL_FORFEIT,
    ),
    Days("totaltime", "each player's reserve for all moves together", HOUR, 3650),
    Days("increment", "what each move adds to the reserve", 0, 365, 0.0),
    Choice("weekends", "`off`: Saturdays and Sundays do not count", (ON, OFF), ON),
    Choice("exploration", "`off`: exploring is not allowed on this board", (ON, OFF), ON),
    Choice("claims", "`on`: a win or a draw may be claimed by proof", (ON, OFF), OFF),
)


def terms_usage() -> str:
    """List the terms there are: `--unrated|--rated --private …`."""
    return " ".join(map(_usage, TERMS))


def terms_page() -> str:
    """List the terms for the help page, one line each."""
    return "\n".join(
        f"- `{_usage(term)}`: {_(term.summary)} ({translated(term.values)})." for term in TERMS
    )


def _usage(term: Option) -> str:
    return "-" + term.usage.replace("|-", "|--")


@dataclass(frozen=True)
class Speed:
    """A pace that players choose by its words.

    Attributes:
        key: Names it in a form.
        terms: What it stands for in a challenge, as typed; "" for the usual time.
        numbers: The same in figures.
    """

    key: str
    words: str
    terms: str
    numbers: str


SPEEDS: tuple[Speed, ...] = (  # the fastest first
    Speed(
        "hourly",
        N_("A move within hours"),
        "--nagtime=0.1 --totaltime=0.5 --increment=0.04",
        N_("12 hours in all, 1 more for each move"),
    ),
    Speed(
        "daily",
        N_("About a move a day"),
        "--nagtime=2 --totaltime=7 --increment=1",
        N_("7 days in all, 1 more for each move"),
    ),
    Speed(
        "three-days",
        N_("Three days for a move"),
        "--nagtime=1.5 --forfeittime=3",
        N_("3 days per move"),
    ),
    Speed(
        "weekly",
        N_("A week per move"),
        "--nagtime=4 --forfeittime=7",
        N_("7 days per move"),
    ),
    Speed(
        "usual",
        N_("A move every few days"),
        "",
        N_("21 days per move"),
    ),
    Speed(
        "slow",
        N_("No hurry"),
        "--nagtime=30 --forfeittime=120",
        N_("120 days per move"),
    ),
)


def speed_of(terms: str) -> Speed | None:
    """Return the speed of a challenge's terms; None where its figures are none of these."""
    times = {"nagtime", "forfeittime", "totaltime", "increment"}
    chosen = {word for word in terms.split() if word.lstrip("-").partition("=")[0] in times}
    return next((speed for speed in SPEEDS if set(speed.terms.split()) == chosen), None)
