"""The law of a contest: its options, as they are typed, and what they mean in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarsen.core.options import Choice, Days, Flag, Number, Option
from sarsen.core.phrases import Phrase
from sarsen.language.contests.absences import absence_sentences, ladder_absence_sentences
from sarsen.language.contests.league import PAUSE, bots_sentence, league_sentences
from sarsen.language.terms import MAX_NAG, USUAL_FORFEIT
from sarsen.language.translating import N_, _, translated

LEAGUE = "league"
LADDER = "ladder"  # the format that starts at once and never ends
# As typed, and as pages show them.
FORMAT_NAMES: Mapping[str, Phrase] = {
    "round-robin": Phrase("round robin"),
    "match": Phrase("match"),
    LEAGUE: Phrase("league"),
    LADDER: Phrase("ladder"),
}
# Names of contests for which none was typed, up to a number that makes them unique.
TITLES: Mapping[str, str] = {
    "round-robin": N_("{game} round robin"),
    "match": N_("{game} match"),
    LEAGUE: N_("{game} league"),
    LADDER: N_("{game} ladder"),
}
FORMAT_WORDS: Mapping[str, str] = {
    "round-robin": N_("everybody plays everybody"),
    "match": N_("several games between two players, until one of them cannot be caught"),
    LEAGUE: N_("season after season, in tiers between which players go up and down"),
    LADDER: N_("one order of places, which you climb by playing those above you; it never ends"),
}
# A day and a userid, which no option of `core.options` is; the second one of matches only.
STARTS, WITH = "--starts", "--with"
MIN_DAYS, MAX_DAYS = 14, 365  # of a contest: one that misses its first move for so long has lost it
DAYS_TO_ENTER = 14  # until a contest starts, unless its host says otherwise
_GAMES = Number("games", N_("games of each pair"), 1, 2, 1)
_BOARDS = Number("boards", N_("boards of one player at the same time"), 2, 9, 9)
MIN_LEAGUE, MAX_LEAGUE = 4, 1000  # players of a league (E37)
BOTS_OPTION, BOTS = "bots", "fill"
_BOTS = Choice(
    BOTS_OPTION,
    N_("`fill`: two days after the first player it starts, and programs make up the number"),
    ("none", BOTS),
    "none",
)
_VACATION = Days(
    "vacation",
    N_("of each player's vacations, those that stop the clocks"),
    0,
    MAX_DAYS,
    otherwise=Phrase("a quarter of the days of the contest"),
)
HELP_ALLOWED = "allowed"
_HELP = Choice(
    "help",
    N_("whether programs may help while a board runs; `none`: it is a matter of honour"),
    ("none", HELP_ALLOWED),
    "none",
)
_RELIABILITY = Number(
    "reliability",
    N_("per cent of their last 50 games that players must not have lost on time; 0: no condition"),
    0,
    100,
    0,
)
_SOLVED = Flag("solved", N_("it is known who wins with best play, and you want it all the same"))
_HOST = Flag("host", N_("you make the contest, and do not enter it"))
LAWS: Mapping[str, tuple[Option, ...]] = {
    "round-robin": (
        Number("most", N_("players; it starts when so many have joined"), 3, 16, 8),
        Number("least", N_("players with whom it starts on its day"), 3, 16, 3),
        Number("days", N_("from its day of start to its end date"), MIN_DAYS, MAX_DAYS, 90),
        _GAMES,
        _BOARDS,
        _BOTS,
        _VACATION,
        _HELP,
        _RELIABILITY,
        _SOLVED,
        _HOST,
    ),
    "match": (
        Number("games", N_("games of each pair"), 1, 20, 2),
        Number("days", N_("from its day of start to its end date"), MIN_DAYS, MAX_DAYS, 90),
        _VACATION,
        _HELP,
        _RELIABILITY,
        _SOLVED,
    ),
    LEAGUE: (
        Number("most", N_("players"), MIN_LEAGUE, MAX_LEAGUE, MAX_LEAGUE),
        Number("least", N_("players with whom it starts on its day"), MIN_LEAGUE, MAX_LEAGUE, 4),
        Number("days", N_("from its day of start to its end date"), MIN_DAYS, MAX_DAYS, 84),
        Number("games", N_("games of each pair; two only in tiers of up to six"), 1, 2, 1),
        _BOARDS,
        Choice(
            BOTS_OPTION,
            N_("`fill`: on its day programs make up the number, if anybody has joined"),
            ("none", BOTS),
            "none",
        ),
        _VACATION,
        _HELP,
        _RELIABILITY,
        _SOLVED,
        _HOST,
    ),
    LADDER: (
        Number("days", N_("how long a game may take"), MIN_DAYS, MAX_DAYS, 60),
        Choice(
            BOTS_OPTION,
            N_("`fill`: programs are on it until eight people are"),
            ("none", BOTS),
            "none",
        ),
        _HELP,
        _RELIABILITY,
        _HOST,
    ),
}
# Figures that no option changes.
FIXED: Mapping[str, Mapping[str, int]] = {
    "match": {"most": 2, "least": 2, "boards": 2},
    LEAGUE: {PAUSE: 7},
    LADDER: {"most": 1000, "least": 1, "games": 1, "boards": 6, "endless": 1},
}
# Of the terms of a board, those that a contest may choose; the others would hide boards, or give
# some players what others have not.
TERMS_OF_CONTESTS = (
    *("unrated", "nagtime", "forfeittime", "totaltime", "increment"),
    "weekends",
)


def law_page() -> str:
    """List the options of contests for the help page, one line each."""
    lines = []
    for named, declared in LAWS.items():
        lines += [f"- `{named}`: {_(FORMAT_WORDS[named])}"]
        lines += [
            f"    - `-{option.usage}`: {_(option.summary)} ({translated(option.values)})."
            for option in declared
        ]
    return "\n".join(lines)


def law_sentences(law: Mapping[str, Any], terms: Mapping[str, Any]) -> tuple[Phrase, ...]:
    """Return the law of a contest, a sentence for each clause that holds in it.

    Args:
        law: The options of the contest, by name.
        terms: Of its boards, as stored.
    """
    rated = (
        Phrase("Boards are public and not rated, without takebacks.")  # E1
        if terms.get("unrated")
        else Phrase("Boards are public and rated, without takebacks.")  # E1
    )
    if law.get("endless"):
        return (
            rated,
            *_ladder_sentences(law),
            *ladder_absence_sentences(law, is_rated=not terms.get("unrated")),
            *_reliability_sentences(law),
            _help_sentence(law),
            _time_sentence(terms),
        )
    return (
        rated,
        *_solved_sentences(law.get("value")),
        *_bots_sentences(law),
        *league_sentences(law),
        *_reliability_sentences(law),
        _help_sentence(law),
        _time_sentence(terms),
        *_vacation_sentences(law.get("vacation")),
        Phrase("Dates are days of UTC, and end at 24:00."),  # E4
        *_seat_sentences(law, terms),
        *absence_sentences(law, is_rated=not terms.get("unrated")),
        # E13
        Phrase("The end date moves only if the server is away for more than a day, by whole days."),
        *(_MATCH if law["most"] == 2 else _table_sentences(law)),
        *_ending_sentences(law, is_rated=not terms.get("unrated")),
        Phrase("Only games on boards that this contest has started count in it."),  # E31
    )


_MATCH = (
    Phrase("A win is 1 point, a draw a half. More points win; with as many it is a draw."),
    Phrase("The match ends as soon as one player cannot be caught up with."),
)


def _table_sentences(law: Mapping[str, Any]) -> tuple[Phrase, ...]:
    """Return how the table of more than two players is made."""
    return (
        Phrase(
            "Nobody has more than {most} boards at the same time; those of the first rounds start "
            "first.",
            most=law["boards"],
        ),
        Phrase(
            "A win is 1 point, a draw a half. Ties are parted by the games among those who are "
            "tied, once all of them are over; then by Sonneborn-Berger, the points of everybody "
            "beaten and half of those drawn with; else the place is shared."  # E17
        ),
        Phrase("Running games count 0 so far."),  # E19
        # E14
        Phrase(
            "The places are settled when no open game can change the first three by points alone."
        ),
    )


def _ending_sentences(law: Mapping[str, Any], *, is_rated: bool) -> tuple[Phrase, ...]:
    """Return how boards are decided that still run at the end date (E16)."""
    proof = (
        Phrase(
            "At the end date a program tries to prove a win at each board that still runs. What it "
            "proves, and the rules confirm against every reply, counts and is rated."  # E16
        )
        if law.get("proofs") and is_rated
        else Phrase(
            "At the end date a program tries to prove a win at each board that still runs. What it "
            "proves, and the rules confirm against every reply, counts."  # E16
        )
        if law.get("proofs")
        else Phrase("At the end date no program tries to prove anything in this contest.")  # E16
    )
    return (
        proof,
        Phrase(
            "Else a player whose first move was due and missing loses; then the player wins who "
            "used less than four fifths of the other's time; else it is a draw. These results are "
            "not rated."  # E16
        )
        if is_rated
        else Phrase(
            "Else a player whose first move was due and missing loses; then the player wins who "
            "used less than four fifths of the other's time; else it is a draw."  # E16
        ),
    )


def _vacation_sentences(days: float | None) -> tuple[Phrase, ...]:
    if days is None:
        return ()
    if days == 0:
        return (Phrase("Vacations do not stop the clocks."),)  # E3
    if days == 1:
        return (
            # E3
            Phrase(
                "Up to 1 day of your vacations stops the clocks; then they run on, and you are "
                "told before."
            ),
        )
    return (
        Phrase(
            "Up to {days} days of your vacations stop the clocks; then they run on, and you are "
            "told before.",  # E3
            days=figure(days),
        ),
    )


def _reliability_sentences(law: Mapping[str, Any]) -> tuple[Phrase, ...]:
    if not law.get("reliability"):
        return ()
    return (
        Phrase(
            "To join, {least} % of your last 50 finished games must not have been lost on time; "
            "with under 10 games you are welcome.",  # E33
            least=law["reliability"],
        ),
    )


def _seat_sentences(law: Mapping[str, Any], terms: Mapping[str, Any]) -> tuple[Phrase, ...]:
    """Return when a seat goes to somebody else; () where the clock has run out before."""
    forfeit = terms.get("forfeittime") or USUAL_FORFEIT
    nag = terms.get("nagtime") or min(MAX_NAG, forfeit / 3)
    if 2 * nag >= min(forfeit, terms.get("totaltime") or forfeit):
        return ()
    if law.get("with") is not None:  # nobody else may join, so nobody waits
        return (
            Phrase(
                "If your first move is due and does not come, you are reminded after {time} and "
                "the day after.",  # E7
                time=_time(nag),
            ),
        )
    return (
        Phrase(
            "If your first move is due and does not come, you are reminded after {time} and the "
            "day after; after {twice} your seat goes to the first player on the waiting list, "
            "and its boards begin anew.",  # E7
            time=_time(nag),
            twice=_time(2 * nag),
        ),
    )


def _help_sentence(law: Mapping[str, Any]) -> Phrase:
    if law.get("help") == HELP_ALLOWED:
        return Phrase("Programs may help you, at every board.")  # E30
    return Phrase(
        "While a board runs no program may help you: that is a matter of honour. Your own notes "
        "and plans are fine; this server gives no reviews of these boards."  # E30
    )


def _solved_sentences(value: float | None) -> tuple[Phrase, ...]:
    if value is None:
        return ()
    return (
        Phrase("With best play the first seat wins, and a program here knows how.")  # E32
        if value == 1.0
        else Phrase("With best play the second seat wins, and a program here knows how.")  # E32
        if value == 0.0
        else Phrase("With best play it is a draw, and a program here knows how."),  # E32
    )


def _bots_sentences(law: Mapping[str, Any]) -> tuple[Phrase, ...]:
    if law.get("bots") != BOTS:
        return ()
    if PAUSE in law:
        return (bots_sentence(law),)
    return (
        Phrase(
            "It starts two days after the first player has joined; programs make up the number to "
            "{least}, and count as players do. Until its first move a program gives its seat to "
            "the next person who joins; beside the places stand those among people.",  # E29
            least=law["least"],
        ),
    )


def _ladder_sentences(law: Mapping[str, Any]) -> tuple[Phrase, ...]:
    """Return the law of a ladder (E25 to E29)."""
    return (
        *_solved_sentences(law.get("value")),
        *(
            (
                Phrase(
                    "A climb is two games, with the seats exchanged; it is over when both are. "
                    "More than one point wins it, one point each is a draw."  # E28
                ),
            )
            if law["games"] > 1
            else ()
        ),
        Phrase(
            "You can climb players who stand at most five places above you; on a ladder of more "
            "than fifty players, at most a tenth of their number."  # E25
        ),
        Phrase(
            "A climb starts at once, and nobody declines it. Players on vacation cannot be "
            "climbed."  # E25
        ),
        # E25
        Phrase(
            "Everybody has at most three climbs and three defences running; paused games do not "
            "count. Two players meet again seven days after their last game here at the earliest."
        ),
        Phrase(
            "A game changes places when it ends, as they are then: a win puts you in the place of "
            "the player above, a draw one place below; a loss changes nothing. If you stand above "
            "by then, nothing changes."  # E26
        ),
        Phrase(
            "A player above who loses on time goes below you; if you lose on time, you go to the "
            "foot."  # E26
        ),
        Phrase(
            "After 60 days without a game here, vacations left out, you lose one place every 7 "
            "days; a mail says so a week before."  # E27
        ),
        Phrase("New players enter at the foot."),  # E27
        Phrase("If you leave, your running games go on as ordinary ones."),  # E28
        *(
            (
                Phrase(
                    "Programs are on it until eight people are. They can be climbed, and do not "
                    "climb."  # E29
                ),
            )
            if law.get("bots") == BOTS
            else ()
        ),
    )


def _time_sentence(terms: Mapping[str, Any]) -> Phrase:
    total, increment = terms.get("totaltime"), terms.get("increment") or 0
    forfeit = terms.get("forfeittime") or 0
    if total is None:
        return Phrase("A game is lost after {time} without a move.", time=_time(forfeit))  # E2
    each = (
        Phrase(
            "Each player has {total} for a game and {more} more for each move.",
            total=_time(total),
            more=_time(increment),
        )
        if increment
        else Phrase("Each player has {total} for a game.", total=_time(total))
    )
    if not forfeit or forfeit >= total:  # the total is over before
        return Phrase("{each} Without any left a game is lost.", each=each)  # E2
    return Phrase(
        "{each} A game is also lost after {time} without a move.",  # E2
        each=each,
        time=_time(forfeit),
    )


def _time(days: float) -> Phrase:
    """Return a time as boards show it: in days and hours, or in hours and minutes."""
    minutes = max(round(days * 24 * 60), 1)
    whole, hours = divmod(round(minutes / 60), 24)
    if whole:
        parts = [(whole, _DAY), (hours, _HOUR)]
    else:
        parts = [(minutes // 60, _HOUR), (minutes % 60, _MINUTE)]
    words = [
        one if count == 1 else Phrase(many, count=count) for count, (one, many) in parts if count
    ]
    return Phrase("{one} {other}", one=words[0], other=words[1]) if len(words) > 1 else words[0]


# One of them, and several.
_DAY = Phrase("1 day"), Phrase("{count} days")
_HOUR = Phrase("1 hour"), Phrase("{count} hours")
_MINUTE = Phrase("1 minute"), Phrase("{count} minutes")


def figure(value: float) -> str:
    """Return a figure with its decimals, which each language parts in its way."""
    whole, _sign, decimals = f"{value:g}".partition(".")
    return Phrase("{whole}.{decimals}", whole=whole, decimals=decimals) if decimals else whole
