"""Entrants who are out: what becomes of their games (E9, E12)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.language.translating import N_
from sarsen.services.contests.course import seasons
from sarsen.services.contests.formats.format import Format
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import ContestGame, Entrant, Kind, State
from sarsen.services.matches import matches
from sarsen.services.matches.terms import CONTEST
from sarsen.services.notices import Event, notify, notify_all
from sarsen.services.request import Request
from sarsen.storage.models import ContestEntry, Match, Player

WITHDRAWN = "contest-withdrawn"  # the letter
# Why a board of the contest is closed. It names a side: a person may be forgotten later.
_REASON = N_("{side} is out of the contest.")


class Why(StrEnum):
    """Why somebody is out of a contest (E8)."""

    LEFT = "left"
    LOSSES = "losses"  # lost on time in two absences
    SILENCE = "silence"  # 30 days without a sign of life
    HOST = "host"  # the host or an operator
    PEOPLE = "people"  # a program, once enough people are on its ladder


@dataclass(frozen=True)
class OwnGames:
    """How many games an entrant has, and how many are over; those annulled are left out."""

    finished: int
    all: int

    @property
    def are_annulled(self) -> bool:
        """Whether all of them are annulled when the entrant goes now (E9)."""
        return 2 * self.finished < self.all


def games_of(plan: Format, state: State, entrant: Entrant) -> OwnGames:
    """Count the games of an entrant in a contest of this format."""
    own = [game for game in state.boards if entrant.number in game.numbers and not game.is_closed]
    to_come = sum(entrant.number in pairing.numbers for pairing in plan.to_come(state))
    return OwnGames(sum(not game.is_running for game in own), len(own) + to_come)


def not_in(number: int) -> UserError:
    """Return the refusal of somebody who is not, or no longer, in a contest."""
    return UserError(
        "Nobody of this name plays in contest {number}.",
        code="contest.not-in",
        hint="contests",
        number=number,
    )


def withdraw(
    held: Held,
    entrant: Entrant,
    why: Why,
    request: Request,
    *,
    due: datetime | None = None,
    reason: str = "",
) -> bool:
    """Take an entrant out of a running contest; return whether their games are annulled.

    Running boards are closed; those of a ladder become ordinary (E28). With fewer than half of the
    games finished all are annulled for the table, though still rated; else those that were left
    count as lost.
    """
    held.lock_boards()
    if held.format.is_endless:
        _free(held, entrant, why, request, due or request.now, reason)
        return False
    # Facts up to `due` decide (E5): a board that a clock has ended since is none of them.
    then = held.at(due) if due is not None else held.state
    annuls = held.format.annuls and games_of(held.format, then, entrant).are_annulled
    left = [
        [pairing.key, list(pairing.numbers)]
        for pairing in held.format.to_come(held.state)
        if entrant.number in pairing.numbers
    ]
    running = [
        game for game in held.state.boards if entrant.number in game.numbers and game.is_running
    ]
    facts: dict[str, Any] = {"player": entrant.player, "why": str(why), "annulled": annuls}
    if why is Why.HOST:
        facts |= {"by": request.actor.name, "reason": reason}
    held.add(Kind.WITHDRAWN, request.now, facts | {"left": left}, due=due)
    ContestEntry.objects.filter(contest=held.contest, player=entrant.player).update(is_out=True)
    seats = {game.board: game.numbers.index(entrant.number) for game in running}
    for match in Match.objects.filter(pk__in=[board for board in seats if board]).order_by("pk"):
        closing = Phrase(_REASON, side=matches.position_of(match).sides[seats[match.pk]])
        matches.follow_up(matches.record_closing(match, str(closing), request))
    if held.format.has_seasons:
        seasons.leave_next(held, entrant.player, request.now, due)
    told = {**facts, "boards": _by_opponent(held, entrant, running)}
    if held.state.is_paired and held.format.is_finished(held.state):
        # It is over at once: the letter with the final table tells of this, too.
        held.told_at_end = {"out": {"who": entrant.player, **told}}
    else:
        _tell(held, entrant, told, request)
    return annuls


def _by_opponent(
    held: Held, entrant: Entrant, games: Iterable[ContestGame]
) -> Mapping[str, list[int]]:
    """Return the boards of an entrant by the key of the opponent, as facts of a letter have it."""
    boards: dict[str, list[int]] = defaultdict(list)
    for game in games:
        other = game.numbers[1 - game.numbers.index(entrant.number)]
        if game.board is not None:
            boards[str(held.state.by_number[other].player)].append(game.board)
    return dict(boards)


def _free(
    held: Held, entrant: Entrant, why: Why, request: Request, due: datetime, reason: str
) -> None:
    """Take an entrant out of a ladder: running boards are ordinary ones from now on (E28)."""
    games = [
        game
        for game in held.at(due).boards
        if entrant.number in game.numbers and game.is_running and game.board is not None
    ]
    facts: dict[str, Any] = {"player": entrant.player, "why": str(why), "annulled": False}
    if why is Why.HOST:
        facts |= {"by": request.actor.name, "reason": reason}
    freed = [game.key for game in games]
    held.add(Kind.WITHDRAWN, request.now, facts | {"freed": freed}, due=due)
    ContestEntry.objects.filter(contest=held.contest, player=entrant.player).update(is_out=True)
    make_ordinary(games)
    opponents = {number for game in games for number in game.numbers if number != entrant.number}
    told = [held.state.by_number[number].player for number in sorted(opponents)]
    if why is not Why.LEFT:
        told.append(entrant.player)
    letter = {"contest": held.contest.pk, "who": entrant.player, **facts, "freed": freed}
    players = Player.objects.filter(pk__in=told, level=None).order_by("pk")
    notify_all(players, Event.CONTEST, WITHDRAWN, letter, request.now)


def make_ordinary(games: Iterable[ContestGame]) -> None:
    """Let boards go on as ordinary ones."""
    for match in Match.objects.filter(pk__in=[game.board for game in games]).order_by("pk"):
        match.terms.pop(CONTEST, None)
        match.save(update_fields=["terms"])


def _tell(held: Held, entrant: Entrant, facts: Mapping[str, Any], request: Request) -> None:
    """Write to those whom it concerns: who is out, and the opponents, who are in the same tier."""
    letter = {"contest": held.contest.pk, "who": entrant.player, **facts}
    others = [
        one.player
        for one in held.state.entrants
        if one.tier == entrant.tier and not one.is_out and one.player != entrant.player
    ]
    players = Player.objects.in_bulk([entrant.player, *others])
    notify_all([players[key] for key in others], Event.CONTEST, WITHDRAWN, letter, request.now)
    gone = players.get(entrant.player)
    if gone is not None and gone != request.actor.player:
        notify(gone, Event.CONTEST, WITHDRAWN, letter, request.now)
