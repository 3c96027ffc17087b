"""The law of players who are out or away, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarsen.core.phrases import Phrase

# E6
_SIGNS = Phrase(
    "A move, a mail, a log-in and a command of a program of yours are signs of life; a planned "
    "move that is played is none."
)


def absence_sentences(law: Mapping[str, Any], *, is_rated: bool) -> tuple[Phrase, ...]:
    """Return when players are out of a contest that is no ladder, and what their games count."""
    return (
        # E8
        Phrase(
            "You are out if you leave, if the host or an operator withdraws you, if you lose on "
            "time in two separate absences, or after 30 days without a sign of life while games "
            "of yours are open. Of the last two a mail warns you 7 days before, and a sign of "
            "life undoes each once."
        ),
        _SIGNS,
        # E9
        Phrase("If a player is out, the games that are left count as lost.")
        if law["most"] == 2
        else Phrase(
            "If a player is out with fewer than half of the games finished, all of them are "
            "annulled for the table, and those that were finished stay rated; else the games "
            "that are left count as lost."
        )
        if is_rated
        else Phrase(
            "If a player is out with fewer than half of the games finished, all of them are "
            "annulled for the table; else the games that are left count as lost."
        ),
        Phrase("A game between two players who are out is 0 for both."),  # E12
        *(_rated_losses(law) if is_rated else ()),
    )


def ladder_absence_sentences(law: Mapping[str, Any], *, is_rated: bool) -> tuple[Phrase, ...]:
    """Return when players are off a ladder without having left it."""
    return (
        # E8
        Phrase(
            "You are off the ladder if you lose on time in two separate absences, or after 30 "
            "days without a sign of life, even without a game. A mail warns you 7 days before, "
            "and a sign of life undoes each once."
        ),
        _SIGNS,
        *(_rated_losses(law) if is_rated else ()),
    )


def _rated_losses(law: Mapping[str, Any]) -> tuple[Phrase, ...]:
    # E11
    return (
        Phrase(
            "Of several losses on time in one absence only the first is rated, those of 20 moves "
            "or more, and those where a program proves that the other side wins; in the contest "
            "all of them count."
        )
        if law.get("proofs")
        else Phrase(
            "Of several losses on time in one absence only the first is rated, and those of 20 "
            "moves or more; in the contest all of them count."
        ),
    )
