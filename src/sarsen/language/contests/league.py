"""The law of leagues in sentences: tiers, ups and downs, seasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarsen.core.phrases import Phrase

PAUSE = "pause"  # in a law: the days between two seasons; only leagues have them
_TIERS = (
    Phrase(
        "Players are in tiers of 4 to 10, the strongest first, and meet only those of their own; "
        "sizes are as equal as can be at first."  # E20
    ),
    Phrase(
        "In a tier of up to 6 one player goes up and one down, in a larger one two; those who win "
        "every game go up two. Of those who share a place across the line up, all go up; across "
        "the line down, none goes down. Programs never go up."  # E21
    ),
    Phrase(
        "Nobody who stayed comes down to make room: the tier grows, to 10; beyond that, those who "
        "come up wait, at the head of their tier. Gaps are filled by those who would have come "
        "down, the best first, and then from below. New players begin in the lowest tier, by "
        "their rating. Only where the tiers below would have fewer than 4 are tiers divided by "
        "place."  # E22
    ),
)


def league_sentences(law: Mapping[str, Any]) -> tuple[Phrase, ...]:
    """Return what holds in leagues only; () for the law of another contest."""
    if PAUSE not in law:
        return ()
    return (
        *_TIERS,
        *_games_sentences(law),
        Phrase(
            "The next season is open for entry while this one is played, and starts {days} days "
            "after its end date. You stay in the league until you leave the next season, or if "
            "you join with the word once, for one season.",  # E23
            days=law[PAUSE],
        ),
        Phrase(
            "With fewer than {least} players on its day it waits for seven days more; you are told "
            "the first time.",  # E24
            least=law["least"],
        ),
        Phrase(
            "Those who leave a season, or are withdrawn from it, are out of the next one, too, "
            "until they join again."  # E10
        ),
    )


def _games_sentences(law: Mapping[str, Any]) -> tuple[Phrase, ...]:
    if law["games"] == 1:
        return ()
    return (Phrase("In tiers of up to 6 each pair plays twice, with the seats exchanged."),)  # E20


def bots_sentence(law: Mapping[str, Any]) -> Phrase:
    """Return how programs make up the number of a league."""
    return Phrase(
        "If anybody has joined by its day, programs make up the number to {least} for a season; "
        "they count as players do.",  # E29
        least=law["least"],
    )
