"""Enter the ladder of a game, leave it, and climb it (E25, E28)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sarsen.core.errors import UserError
from sarsen.games import load
from sarsen.language.contests.answers import ContestReply
from sarsen.language.contests.commands import JoinContest, LeaveContest
from sarsen.language.contests.ladders import (
    Climbed,
    ClimbLadder,
    JoinLadder,
    LadderReply,
    LeaveLadder,
)
from sarsen.language.grammar.dates import day_phrase
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.acts import entering
from sarsen.services.contests.course import running
from sarsen.services.contests.formats.ladder import (
    MAX_CLIMBS,
    Obstacle,
    Standing,
    climb_pairings,
    standing,
)
from sarsen.services.contests.log import Held
from sarsen.services.contests.views.ladders import away_from, number_of, within_reach
from sarsen.services.contests.views.letters import userid_of
from sarsen.services.notices import Event, notify
from sarsen.services.players import find_player
from sarsen.services.request import Player, Request

CLIMBED = "contest-climbed"  # the letter
DAY = timedelta(days=1)


def join(command: JoinLadder, request: Request) -> ContestReply | LadderReply:
    """Enter the ladder of a game, at its foot."""
    request.player(f"{command.game} ladder join USERID PASSWORD")
    return entering.join(JoinContest(number_of(command.game)), request)


def leave(command: LeaveLadder, request: Request) -> ContestReply | LadderReply:
    """Leave the ladder of a game."""
    request.player(f"{command.game} ladder leave USERID PASSWORD")
    return entering.leave(LeaveContest(number_of(command.game)), request)


def climb(command: ClimbLadder, request: Request) -> Climbed:
    """Start a board against somebody above the speaker: nobody declines it (E25)."""
    player = request.player(f"{command.game} climb USERID PASSWORD bob")
    held = contest_log.hold(number_of(command.game))
    running.advance(held, request)
    entering.check_going_on(held, request.now)
    game, now = held.contest.game, request.now
    stands, away = standing(held.state), away_from(held, now)
    challenger = _number_of(held, stands, player)
    if challenger is None:
        raise UserError(
            "You are not on the {title} ladder.",
            code="ladder.not-in",
            hint=f"{game} ladder join",
            title=load(game).info.title,
        )
    climbed = find_player(command.userid, f"{game} climb {command.userid}", f"{game} ladder")
    defender = _number_of(held, stands, climbed)
    if defender is None:
        raise UserError(
            "{player} is not on the {title} ladder.",
            code="ladder.not-in",
            hint=f"{game} ladder",
            player=climbed.userid,
            title=load(game).info.title,
        )
    meeting = Meeting(held, stands, away, challenger, defender, climbed.userid)
    _check(meeting, now)
    return _start(meeting, climbed, request)


@dataclass(frozen=True)
class Meeting:
    """Two entrants of a ladder of whom one is about to climb the other.

    Attributes:
        away: The last day of those on vacation, by number.
        challenger, defender: Their numbers.
        userid: Of the defender.
    """

    held: Held
    stands: Standing
    away: Mapping[int, date]
    challenger: int
    defender: int
    userid: str


def _number_of(held: Held, stands: Standing, player: Player) -> int | None:
    entrant = held.state.entrant_of(player.pk)
    return entrant.number if entrant is not None and entrant.number in stands.places else None


def _check(meeting: Meeting, now: datetime) -> None:
    """Refuse a climb that E25 does not allow at this moment."""
    stands, game = meeting.stands, meeting.held.contest.game
    one, other = meeting.challenger, meeting.defender
    away = frozenset(meeting.away)
    match stands.obstacle(one, other, now, away):
        case Obstacle.BELOW:
            raise UserError(
                "You are at place {place}, and {player} is at place {other}: you can climb only "
                "players above you.",
                code="ladder.below",
                hint=f"{game} ladder",
                place=stands.places[one],
                player=meeting.userid,
                other=stands.places[other],
            )
        case Obstacle.RANGE:
            reachable = within_reach(stands, one, now, away)
            players = meeting.held.state.by_number
            highest = userid_of(players[reachable[0]].player) if reachable else ""
            raise UserError(
                "{player} is {places} places above you; you can climb {most} places at once.",
                code="ladder.range",
                hint=f"{game} climb {highest}" if highest else f"{game} ladder",
                player=meeting.userid,
                places=stands.places[one] - stands.places[other],
                most=stands.reach,
            )
        case Obstacle.OWN_CLIMBS:
            raise UserError(
                "{most} climbs of yours are running, as many as one can have.",
                code="ladder.full",
                hint=f"{game} ladder",
                most=MAX_CLIMBS,
            )
        case Obstacle.DEFENCES:
            raise UserError(
                "{player} is being climbed by {most} players already, as many as one can be.",
                code="ladder.full",
                hint=f"{game} ladder",
                player=meeting.userid,
                most=MAX_CLIMBS,
            )
    _check_time(meeting, stands.obstacle(one, other, now, away), now)


def _check_time(meeting: Meeting, obstacle: Obstacle | None, now: datetime) -> None:
    """Refuse a climb that is possible on a later day."""
    stands, game, today = meeting.stands, meeting.held.contest.game, now.date()
    one, other = meeting.challenger, meeting.defender
    if obstacle is Obstacle.VACATION:
        raise UserError(
            "{player} is on vacation, and can be climbed from {day} on.",
            code="ladder.vacation",
            hint=f"{game} ladder",
            player=meeting.userid,
            day=day_phrase(meeting.away[other] + DAY, today),
        )
    if obstacle is Obstacle.RUNNING:
        board = stands.board_between(one, other)
        raise UserError(
            "You are playing {player} on this ladder already, on board {board}.",
            code="ladder.rematch",
            hint=f"{game} show {board}",
            player=meeting.userid,
            board=board or 0,
        )
    free_at = stands.free_at(one, other)
    if obstacle is Obstacle.REMATCH and free_at is not None:
        # On the day itself it may be too early, by hours.
        day = (free_at.astimezone(UTC) + DAY).date()
        raise UserError(
            "You have just played {player}: you can meet here again from {day} on.",
            code="ladder.rematch",
            hint=f"{game} ladder",
            player=meeting.userid,
            day=day_phrase(day, today),
        )


def _start(meeting: Meeting, climbed: Player, request: Request) -> Climbed:
    """Start the boards of a climb, and tell the player above."""
    held, stands = meeting.held, meeting.stands
    challenger, defender = meeting.challenger, meeting.defender
    place, other = stands.places[challenger], stands.places[defender]
    number = len(stands.climbs) + 1
    more = {"climb": number, "challenger": challenger, "places": [place, other]}
    pairings = climb_pairings(number, challenger, defender, held.state.law.games)
    boards = running.start_boards(held, pairings, request, request.now, more)
    held.save(running.next_look(held, request))
    contest = held.contest
    if climbed.level is None:
        speaker = held.state.by_number[challenger].player
        facts = {"contest": contest.pk, "who": speaker, "places": [place, other]}
        letter = {**facts, "boards": list(boards)}
        notify(climbed, Event.CONTEST, CLIMBED, letter, request.now)
    climbs = standing(held.state).own_climbs(challenger, frozenset(meeting.away))
    title = load(contest.game).info.title
    return Climbed(contest.pk, title, climbed.userid, place, other, boards, climbs, MAX_CLIMBS)
