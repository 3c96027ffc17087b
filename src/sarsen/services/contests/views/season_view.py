"""A season of a league as letters tell one of its players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sarsen.language.grammar.dates import day_phrase
from sarsen.services.contests.course.seasons import next_of
from sarsen.services.contests.formats.tiers import Class, Finish
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Kind, Phase
from sarsen.services.contests.views.wording import tiers_of, userids_of
from sarsen.storage.models import ContestEntry, Player


@dataclass(frozen=True)
class SeasonView:
    """A season of a league, for one of its players.

    Attributes:
        tier: The player's, of `tiers`.
        wish: The tier that the final table gives; None before the end.
        ups, downs: Of the player's tier, the userids of those who go up and down.
        following: The number of the next season; None where none is open.
        first_day: The day on which the next season starts; "" where none is open.
        is_in: The player is entered in the next season.
    """

    tier: int
    tiers: int
    wish: int | None
    ups: tuple[str, ...]
    downs: tuple[str, ...]
    following: int | None
    first_day: str
    is_in: bool


def view_season(held: Held, player: Player, now: datetime) -> SeasonView | None:
    """Return a season for one of its players; None for others, and for contests without seasons."""
    entrant = held.state.entrant_of(player.pk)
    if entrant is None or not held.format.has_seasons:
        return None
    finishes = [one for one in _finishes(held) if one.tier == entrant.tier]
    names = userids_of(held)
    userids = {one.player: names[one.number] for one in held.state.entrants}
    following = next_of(held.contest)
    if following is not None and following.state != Phase.OPEN:
        following = None
    starts = following.starts_at if following else None
    return SeasonView(
        tier=entrant.tier,
        tiers=len(tiers_of(held)),
        wish=next((one.wish for one in finishes if one.player == player.pk), None),
        ups=tuple(userids[one.player] for one in finishes if one.kind is Class.UP),
        downs=tuple(userids[one.player] for one in finishes if one.kind is Class.DOWN),
        following=following.pk if following else None,
        # It starts when a day is over: the next one is its first.
        first_day=day_phrase(starts.date(), now.date()) if starts else "",
        is_in=ContestEntry.objects.filter(contest=following, player=player).exists(),
    )


def _finishes(held: Held) -> Sequence[Finish]:
    ended = next((event for event in held.log if event.kind == Kind.ENDED), None)
    return [Finish(*finish) for finish in ended.facts["finishes"]] if ended else ()
