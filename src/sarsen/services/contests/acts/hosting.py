"""The rights of the host of a contest: start it, close it, and take somebody out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sarsen.core.errors import UserError
from sarsen.language.contests.answers import (
    ContestCloseAsked,
    ContestClosed,
    ContestNotClosed,
    ContestReply,
    ContestStarted,
    ContestWithdrawn,
)
from sarsen.language.contests.commands import CloseContest, StartContest, WithdrawFromContest
from sarsen.language.contests.ladders import LadderLeft
from sarsen.language.translating import sentence
from sarsen.services import operator_log, questions, task_queue
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.acts import entering
from sarsen.services.contests.course import life, running, seasons, withdrawals
from sarsen.services.contests.course.withdrawals import Why
from sarsen.services.contests.inviting import CLOSED
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Entrant, Kind, Phase
from sarsen.services.contests.table import table_facts
from sarsen.services.contests.views.wording import title_of
from sarsen.services.notices import Event, is_told, notify_all
from sarsen.services.players import find_player
from sarsen.services.reasons import read_reason
from sarsen.services.request import Player, Request

CLOSING = "close"  # the kind of the question
SILENT = timedelta(days=7)  # after which a host who plays may withdraw an opponent


def start(command: StartContest, request: Request) -> ContestStarted:
    """Start a contest of the speaker's; its boards follow at once."""
    held = _hold_own(command.number, request, f"contest start {command.number} USERID PASSWORD")
    contest, entrants = held.contest, len(held.state.entrants)
    if seasons.is_held_up(contest):
        raise UserError(
            "Contest {number} starts when the season before it is over.",
            code="contest.running",
            hint=f"contest {contest.pk}",
            number=contest.pk,
        )
    if entrants < held.state.law.least:
        raise UserError(
            "Contest {number} needs {least} players. Joined so far: {count}.",
            code="contest.too-few",
            hint=f"contest {contest.pk}",
            number=contest.pk,
            least=held.state.law.least,
            count=entrants,
        )
    running.start(held, request.now)
    held.save(request.now)
    task_queue.wake(task_queue.RUN_CONTESTS)
    boards = len(held.format.pairings(held.state))
    return ContestStarted(contest.pk, title_of(contest), entrants, boards)


def close(
    command: CloseContest, request: Request
) -> ContestCloseAsked | ContestNotClosed | ContestClosed:
    """Close a contest of the speaker's before it starts, or a ladder; operators may close all.

    Those who are in it are told. A ladder is everybody's, and has begun: the speaker is asked.
    """
    example = f"contest close {command.number} USERID PASSWORD"
    reason = read_reason(command.reason, f"contest close {command.number}")
    held = _hold_own(command.number, request, example, closes=True)
    contest, speaker = held.contest, request.player(example)
    if command.stays:
        questions.drop(speaker, CLOSING)
        return ContestNotClosed(contest.pk, title_of(contest))
    told = _others_told(held, speaker)
    if held.format.is_endless and not command.confirmed:
        asked = {"number": contest.pk, "reason": reason}
        questions.ask(speaker, CLOSING, asked, request.now)
        running_boards = sum(board.is_running for board in held.state.boards)
        return ContestCloseAsked(contest.pk, title_of(contest), reason, len(told), running_boards)
    facts = {"by": speaker.userid, "reason": reason}
    freed = _end_ladder(held, facts, request) if held.format.is_endless else 0
    if not held.format.is_endless:
        held.add(Kind.CLOSED, request.now, facts)
    held.save(None)
    letter = {"contest": contest.pk, "by": request.actor.name, "reason": reason, "freed": freed}
    notify_all(told, Event.CONTEST, CLOSED, letter, request.now)
    done = ContestClosed(contest.pk, title_of(contest), len(told), freed)
    if contest.host != speaker:
        operator_log.record(speaker, contest, sentence(done))
    return done


def close_as_asked(facts: Mapping[str, Any], request: Request) -> ContestReply:
    """Close the ladder that the server has asked about.

    Args:
        facts: What was kept with the question: the number of the contest, and the reason.
    """
    return close(CloseContest(facts["number"], facts["reason"], confirmed=True), request)


def keep_as_asked(facts: Mapping[str, Any], _request: Request) -> ContestNotClosed:
    """Leave the ladder open that the server has asked about."""
    contest = contest_log.find(facts["number"])
    return ContestNotClosed(contest.pk, title_of(contest))


def _others_told(held: Held, speaker: Player) -> list[Player]:
    """Return those in a contest, beside the speaker, who want its letters."""
    players = running.players_of(held)
    return [
        players[one.player]
        for one in held.state.entrants
        if not one.is_out and players[one.player] != speaker
        if is_told(players[one.player], Event.CONTEST)
    ]


def _end_ladder(held: Held, facts: Mapping[str, Any], request: Request) -> int:
    """End a ladder with its places as they are; return how many boards are ordinary from now on."""
    held.lock_boards()
    games = [game for game in held.state.boards if game.is_running]
    freed = [game.key for game in games]
    table = table_facts(held.format.table(held.state))
    held.add(Kind.ENDED, request.now, {**facts, "freed": freed, "table": table})
    withdrawals.make_ordinary(games)
    return len(games)


def _hold_own(number: int, request: Request, example: str, *, closes: bool = False) -> Held:
    """Lock a contest of the speaker's that has not started.

    Args:
        closes: Also a ladder, which always runs, and for operators anybody's.

    Raises:
        UserError: It is somebody else's, or has started.
    """
    player = request.player(example)
    held = contest_log.hold(number)
    running.advance(held, request)
    if held.contest.host != player and not (closes and player.is_staff):
        raise _not_yours(number)
    entering.check_going_on(held, request.now)
    if held.state.phase is not Phase.OPEN and not (closes and held.format.is_endless):
        raise UserError(
            "Contest {number} has started already.",
            code="contest.running",
            hint=f"contest {number}",
            number=number,
        )
    return held


def withdraw(command: WithdrawFromContest, request: Request) -> entering.Left:
    """Take somebody out of a running contest of the speaker's; operators may do it in all.

    Speakers who name themselves are asked, as when they leave.
    """
    speaker = request.player(f"contest withdraw {command.number} USERID PASSWORD bob gone")
    line = f"contest withdraw {command.number} {command.userid}"
    reason = read_reason(command.reason, line)
    held = contest_log.hold(command.number)
    running.advance(held, request)
    contest = held.contest
    if command.userid.lower() == speaker.key:
        return entering.leave_held(held, speaker, request, confirmed=False)
    if contest.host != speaker and not speaker.is_staff:
        raise _not_yours(contest.pk)
    _check_runs(held, request.now)
    player = find_player(command.userid, line, f"contest {contest.pk}")
    entrant = held.state.entrant_of(player.pk)
    if entrant is None or entrant.is_out:
        raise withdrawals.not_in(contest.pk)
    if not reason:
        raise UserError(
            "To withdraw a player takes a reason, which everybody there reads.",
            code="reason-missing",
            hint=f"{line} gone",
        )
    _check_fair(held, speaker, player, request.now)
    done = _withdraw(held, entrant, player, reason, request)
    if contest.host != speaker:
        operator_log.record(speaker, contest, sentence(done))
    return done


def _withdraw(
    held: Held, entrant: Entrant, player: Player, reason: str, request: Request
) -> ContestWithdrawn | LadderLeft:
    contest = held.contest
    if held.format.is_endless:
        return entering.leave_ladder(
            held, entrant, Why.HOST, request, userid=player.userid, reason=reason
        )
    games = withdrawals.games_of(held.format, held.state, entrant)
    annuls = withdrawals.withdraw(held, entrant, Why.HOST, request, reason=reason)
    running.advance(held, request)
    return ContestWithdrawn(
        contest.pk, title_of(contest), player.userid, reason, games.finished, games.all, annuls
    )


def _check_fair(held: Held, speaker: Player, player: Player, now: datetime) -> None:
    """Refuse a host, or an operator, who plays to be rid of an opponent who is there."""
    own, other = held.state.entrant_of(speaker.pk), held.state.entrant_of(player.pk)
    if own is None or other is None or own.tier != other.tier:
        return
    sign = life.last_signs({player.pk}, now)[player.pk]
    if len(held.state.entrants) <= 2 or sign > now - SILENT:
        raise UserError(
            "You play in contest {number} yourself: of your opponents you can withdraw only those "
            "who were silent for {days} days, and none in a match.",
            code="contest.host-plays",
            hint=f"contest {held.contest.pk}",
            number=held.contest.pk,
            days=SILENT.days,
        )


def _check_runs(held: Held, now: datetime) -> None:
    """Refuse to withdraw somebody from a contest that does not run."""
    number = held.contest.pk
    entering.check_going_on(held, now)
    if held.state.phase is Phase.OPEN:
        raise UserError(
            "Contest {number} has not started: until then players leave by themselves.",
            code="contest.not-started",
            hint=f"contest {number}",
            number=number,
        )


def _not_yours(number: int) -> UserError:
    return UserError(
        "Contest {number} is not yours: only its host can do that.",
        code="contest.host-only",
        hint=f"contest {number}",
        number=number,
    )
