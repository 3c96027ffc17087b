"""The ladder of each game, and its list of places for all doors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.games import load
from sarsen.language.contests.ladders import LadderPlace, ShowLadder
from sarsen.language.contests.law import LADDER
from sarsen.language.ratings import Table
from sarsen.services.clocks.vacations import away_now
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.formats.ladder import Standing, standing
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import GOING_ON, Phase
from sarsen.services.contests.views.wording import heading, on_time_words
from sarsen.services.request import Request
from sarsen.storage.models import Contest, Player


@dataclass(frozen=True)
class LadderLine:
    """A place of a ladder.

    Attributes:
        running: How many climbs and defences of the player run.
        boards: Of those that have begun.
        is_own: It is the place of the reader.
        may_climb: The reader may climb there just now.
    """

    place: int
    userid: str
    is_bot: bool
    is_own: bool
    running: int
    boards: tuple[int, ...]
    may_climb: bool


def number_of(game: str) -> int:
    """Return the number of the ladder of a game.

    Raises:
        UserError: There is no such game, or it has no ladder.
    """
    info = load(game).info
    found = ladders_of(info.name)
    if not found:
        raise UserError(
            "There is no {game} ladder.",
            code="unknown-contest",
            hint=f"contest new {info.name} {LADDER}",
            game=info.title,
        )
    return found[0]


def ladders_of(game: str) -> list[int]:
    """Return the number of the ladder of a game, where it has one."""
    going_on = Contest.objects.filter(game=game, format=LADDER, state__in=GOING_ON)
    return list(going_on.order_by("pk").values_list("pk", flat=True))


def all_ladders() -> Mapping[str, int]:
    """Return the number of the ladder of each game that has one."""
    going_on = Contest.objects.filter(format=LADDER, state__in=GOING_ON).order_by("-pk")
    return dict(going_on.values_list("game", "pk"))


def show(command: ShowLadder, request: Request) -> Table:
    """Return the list of a ladder."""
    held = contest_log.read(contest_log.find(number_of(command.game)))
    return list_table(held, request.actor.player, request.now)


def list_table(held: Held, viewer: Player | None, now: datetime) -> Table:
    """Return the list of a ladder, with what a viewer may do there."""
    lines = lines_of(held, viewer, now)
    is_on_it = held.state.phase is Phase.RUNNING and any(line.is_own for line in lines)
    numbers = standing(held.state).order
    on_time = on_time_words(held, numbers)
    rows = tuple(
        (
            str(line.place),
            line.userid,
            *((on_time[number],) if on_time else ()),
            str(line.running or ""),
            *((Phrase("yes") if line.may_climb else "",) if is_on_it else ()),
        )
        for line, number in zip(lines, numbers, strict=True)
    )
    reliable, can_climb = ("on time",) if on_time else (), ("climb",) if is_on_it else ()
    columns = ("rank", "player", *reliable, "running", *can_climb)
    return Table(heading(held, now), columns, rows)


def lines_of(held: Held, viewer: Player | None, now: datetime) -> tuple[LadderLine, ...]:
    """Return the places of a ladder, from the top."""
    stands, state = standing(held.state), held.state
    away = frozenset(away_from(held, now))
    own = state.entrant_of(viewer.pk) if viewer is not None else None
    is_running = state.phase is Phase.RUNNING
    climber = own.number if own is not None and own.number in stands.places else None
    keys = {number: state.by_number[number].player for number in stands.order}
    players = Player.everyone.in_bulk(list(keys.values()))
    return tuple(
        LadderLine(
            place=place,
            userid=players[keys[number]].userid,
            is_bot=players[keys[number]].is_bot,
            is_own=number == climber,
            running=stands.own_climbs(number) + stands.defences(number),
            boards=tuple(
                game.board
                for game in state.boards
                if game.is_running and game.board and number in game.numbers
            ),
            may_climb=is_running
            and climber is not None
            and stands.obstacle(climber, number, now, away) is None,
        )
        for place, number in enumerate(stands.order, 1)
    )


def place_after(contest: int | None, board: int, player: Player) -> LadderPlace | None:
    """Return where a player stands after the climb of a board that is over.

    None while another board of the climb runs, and where it is no board of a ladder.
    """
    found = Contest.objects.filter(pk=contest, format=LADDER).first() if contest else None
    if found is None:
        return None
    held = contest_log.read(found)
    stands, own = standing(held.state), held.state.entrant_of(player.pk)
    climb = next(
        (one for one in stands.climbs if board in [game.board for game in one.games]), None
    )
    if climb is None or climb.is_running or held.state.phase is not Phase.RUNNING:
        return None
    if own is None or own.number not in climb.numbers:
        return None
    other = next(number for number in climb.numbers if number != own.number)
    if not {own.number, other} <= stands.places.keys():
        return None  # one of them has left
    userid = Player.everyone.get(pk=held.state.by_number[other].player).userid
    place = stands.places[own.number]
    return LadderPlace(
        load(found.game).info.title, place, userid, is_ahead=place < stands.places[other]
    )


def away_from(held: Held, now: datetime) -> Mapping[int, date]:
    """Return the last day of those of a ladder who are on vacation, by number."""
    numbers = {one.player: one.number for one in held.state.entrants if not one.is_out}
    return {numbers[player]: day for player, day in away_now(numbers, now).items()}


def within_reach(
    stands: Standing, number: int, now: datetime, away: frozenset[int]
) -> tuple[int, ...]:
    """Return the numbers of all whom an entrant may climb just now, from the top."""
    above = stands.order[: stands.places[number] - 1]
    return tuple(other for other in above if stands.obstacle(number, other, now, away) is None)
