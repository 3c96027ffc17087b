"""Seasons of a league: each is a contest, open for entry while the one before is played (E23)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from sarsen.core.phrases import Phrase
from sarsen.games import load
from sarsen.language.contests.commands import MAX_NAME
from sarsen.language.contests.law import TITLES
from sarsen.language.contests.league import PAUSE
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.formats.league import League
from sarsen.services.contests.formats.tiers import Finish, next_tiers
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import GOING_ON, Kind, Phase, State
from sarsen.services.ratings import rating
from sarsen.storage.models import Contest, ContestEvent, Player


def next_of(contest: Contest) -> Contest | None:
    """Return the season after a contest; None where there is none (yet)."""
    return _season(contest, contest.season + 1)


def before(contest: Contest) -> Contest | None:
    """Return the season before a contest; None for a first one."""
    return _season(contest, contest.season - 1) if contest.season > 1 else None


def _season(contest: Contest, number: int) -> Contest | None:
    first = contest.first_id or contest.pk
    if number == 1:
        return Contest.objects.filter(pk=first).first()
    return Contest.objects.filter(first=first, season=number).first()


def is_held_up(contest: Contest) -> bool:
    """Return whether a season waits for the end of the one before: its table makes the tiers."""
    earlier = before(contest)
    return earlier is not None and earlier.state in GOING_ON


def moved_start(held: Held) -> datetime | None:
    """Return when a season starts if the end date before it was moved since (E13); else None."""
    earlier = before(held.contest)
    if earlier is None or earlier.ends_at is None or held.state.starts_at is None:
        return None
    starts_at = earlier.ends_at + timedelta(held.contest.law[PAUSE])
    return starts_at if starts_at > held.state.starts_at else None


def wake_next(contest: Contest, now: datetime) -> None:
    """Let the season that waits for the end of a contest be looked at."""
    following = next_of(contest)
    if following is not None and following.state == Phase.OPEN and _is_late(following, now):
        Contest.objects.filter(pk=following.pk).update(look_at=now)


def _is_late(contest: Contest, now: datetime) -> bool:
    return contest.starts_at is not None and contest.starts_at <= now


def start(held: Held, now: datetime, due: datetime) -> None:
    """Start a season: order, ratings and tiers are frozen, and the next season opens."""
    players = [entrant.player for entrant in held.state.entrants]
    strengths = rating.strengths_at(held.contest.game, players, due)
    ratings = {
        player: (round(strengths[player].rating, 2), round(strengths[player].deviation, 2))
        for player in players
    }
    facts = tiers_of(held.contest, players, ratings)
    frozen = [ratings[player] for player in facts["order"]]
    held.add(Kind.STARTED, now, facts | {"ratings": frozen}, due=due)
    contest_log.renumber(held)
    _open_next(held, now, due)


def tiers_of(
    contest: Contest, players: Sequence[int], ratings: Mapping[int, Sequence[float]]
) -> dict[str, Any]:
    """Return order and sizes of the tiers of a season, as its log keeps them.

    Args:
        players: In the order of entry.
        ratings: Rating and deviation of each; what a player has almost certainly is the first
            less twice the second.
    """
    strengths = {player: ratings[player][0] - 2 * ratings[player][1] for player in players}
    tiers = next_tiers(_finishes_before(contest), strengths)
    return {
        "order": [player for tier in tiers for player in tier],
        "tiers": [len(tier) for tier in tiers],
    }


def _finishes_before(contest: Contest) -> Sequence[Finish]:
    """Return how the season before a contest has ended, as its log has it; of a first one, ()."""
    earlier = before(contest)
    if earlier is None:
        return ()
    ended = ContestEvent.objects.get(contest=earlier, kind=Kind.ENDED)
    return [Finish(*finish) for finish in ended.facts["finishes"]]


def final_facts(held: Held, state: State) -> dict[str, Any]:
    """Return what the log keeps of the end of a season, beside its table: who goes up and down."""
    assert isinstance(held.format, League)  # it has seasons
    players = [entrant.player for entrant in state.entrants]
    finishes = held.format.finishes(state, _programs(players))
    return {"finishes": [[one.player, one.tier, one.place, one.wish] for one in finishes]}


def _programs(players: Collection[int]) -> set[int]:
    programs = Player.everyone.filter(pk__in=players, level__isnull=False)
    return set(programs.values_list("pk", flat=True))


def _open_next(held: Held, now: datetime, due: datetime) -> None:
    """Open the season after one that starts; all but programs are entered who did not say once."""
    contest, ends_at = held.contest, held.state.ends_at
    assert ends_at is not None  # it has dates
    starts_at = ends_at + timedelta(contest.law[PAUSE])
    following = contest_log.read(
        Contest.objects.create(
            format=contest.format,
            game=contest.game,
            rules_version=load(contest.game).info.rules_version,
            options=contest.options,
            terms=contest.terms,
            law=contest.law,
            name=_name(contest),
            host=contest.host,
            first=contest.first or contest,
            season=contest.season + 1,
            made_at=now,
            state=Phase.OPEN,
        )
    )
    host = contest.host_id
    following.add(Kind.MADE, now, {"host": host, "after": contest.pk}, due=due)
    ends = starts_at + timedelta(held.state.law.days)
    contest_log.open_until(following, starts_at, ends, now, due=due)
    programs = _programs([entrant.player for entrant in held.state.entrants])
    staying = [
        {"player": entrant.player, "stays": True}
        for entrant in sorted(held.state.entrants, key=lambda one: one.number)
        if not entrant.once and entrant.player not in programs
    ]
    contest_log.enter_all(following, staying, now, due)
    following.save(starts_at)


def _name(contest: Contest) -> str:
    """Return a name for the season after a contest that no other has: with a number."""
    base, info = (contest.first or contest).name, load(contest.game).info
    usual = str(Phrase(TITLES[contest.format], game=info.title))
    if re.fullmatch(rf"{re.escape(usual)} \d+", base):
        base = usual  # the server's own name, which has a number already
    for number in count(contest.season + 1):
        name = f"{base[: MAX_NAME - len(str(number)) - 1].strip()} {number}"
        if not Contest.objects.filter(name__iexact=name).exists():
            return name
    raise AssertionError("count ends")


def leave_next(held: Held, player: int, now: datetime, due: datetime | None) -> None:
    """Take somebody who is out of a season out of the next one, too (E10).

    The next season has a higher number, and so is always locked after this one.
    """
    following = next_of(held.contest)
    if following is None or following.state != Phase.OPEN:
        return
    later = contest_log.hold(following.pk)
    if later.state.phase is Phase.OPEN and later.state.entrant_of(player) is not None:
        later.add(Kind.LEFT, now, {"player": player}, due=due)
        contest_log.renumber(later)
