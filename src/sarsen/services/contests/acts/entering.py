"""Enter a contest before it starts, and leave it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sarsen.core.errors import UserError
from sarsen.games import load
from sarsen.language.contests.answers import (
    ContestDeclined,
    ContestJoined,
    ContestKept,
    ContestLeaveAsked,
    ContestLeft,
    ContestReply,
    ContestWaiting,
    ContestWithdrawn,
)
from sarsen.language.contests.commands import JoinContest, LeaveContest
from sarsen.language.contests.ladders import LadderJoined, LadderLeft, LadderReply
from sarsen.services import questions, task_queue
from sarsen.services.contests import inviting
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import running, seasons, seats, withdrawals
from sarsen.services.contests.course.withdrawals import Why
from sarsen.services.contests.formats.ladder import standing
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import GOING_ON, Entrant, Kind, Phase
from sarsen.services.contests.views.ladders import away_from, within_reach
from sarsen.services.contests.views.letters import userid_of
from sarsen.services.contests.views.wording import last_day, title_of
from sarsen.services.ratings.reliability import reliability_of
from sarsen.services.reasons import read_reason
from sarsen.services.request import Player, Request
from sarsen.storage.models import Contest, ContestEntry

MAX_ENTRIES = 12  # of one player, in contests that have not ended (E37)


def join(command: JoinContest, request: Request) -> ContestJoined | ContestWaiting | LadderJoined:
    """Enter the speaker; the last one that a contest waits for starts it.

    Into one that has started people come in the place of programs that have not moved (E29), or
    they wait for a seat (E7).
    """
    player = request.player(f"contest join {command.number} USERID PASSWORD")
    held = contest_log.hold(command.number)
    running.advance(held, request)
    contest, law = held.contest, held.state.law
    check_going_on(held, request.now)
    if command.once and not held.format.has_seasons:
        raise UserError(
            "Only leagues have seasons that one can join once.",
            code="unknown-part",
            hint=f"contest join {contest.pk}",
        )
    if _is_in(held, player):
        entrant = held.state.entrant_of(player.pk)
        if entrant is not None and entrant.is_out:
            raise _gone(contest.pk)
        raise UserError(
            "You are in contest {number} already.",
            code="contest.in-already",
            hint=f"contest {contest.pk}",
            number=contest.pk,
        )
    if held.format.is_endless:
        return _join_ladder(held, player, request)
    inviting.check_invited(held, player)
    if held.state.phase is Phase.RUNNING:
        return _join_running(held, player, request, waits=command.waits)
    if not _takes_players(held, request):
        raise _full(held, can_wait=False)
    _check_room(player)
    _check_reliability(player, held)
    contest_log.enter(held, player.pk, request.now, once=command.once)
    is_full = len(held.state.entrants) >= law.most and not law.keeps_day
    held.save(request.now if is_full else running.next_look(held, request))
    if is_full:
        task_queue.wake(task_queue.RUN_CONTESTS)
    return ContestJoined(
        contest.pk,
        title_of(contest),
        len(held.state.entrants),
        law.most,
        format=contest.format,
        once=command.once,
        at_once=command.waits,
        today=request.now.date().isoformat(),
        fills_after=_fills_after(held),
    )


def _fills_after(held: Held) -> str:
    """Return the day after which programs take the empty seats, in ISO format; "" for none."""
    ends_at = held.state.entry_ends_at
    if not held.state.law.has_fillers or ends_at is None:
        return ""
    return last_day(ends_at).isoformat()


def _gone(number: int) -> UserError:
    return UserError(
        "You are out of contest {number}, and nobody comes back into one that runs.",
        code="contest.out",
        hint="contests open",
        number=number,
    )


def _full(held: Held, *, can_wait: bool) -> UserError:
    """Return the refusal of who comes too late; the hint is a next season, or the waiting list."""
    number, following = held.contest.pk, seasons.next_of(held.contest)
    is_open = following is not None and following.state == Phase.OPEN
    return UserError(
        "Contest {number} has started. You can wait for a seat whose player does not come."
        if can_wait
        else "Contest {number} takes no more players.",
        code="contest.full",
        hint=f"contest join {following.pk}"
        if following and is_open
        else f"contest join {number} wait"
        if can_wait
        else "contests open",
        number=number,
    )


def _takes_players(held: Held, request: Request) -> bool:
    """Return whether somebody may enter still; not where the start is due and held up only."""
    state = held.state
    is_due = state.starts_at is not None and state.starts_at <= request.now
    return state.phase is Phase.OPEN and len(state.entrants) < state.law.most and not is_due


def _is_in(held: Held, player: Player) -> bool:
    entrant = held.state.entrant_of(player.pk)
    return entrant is not None and not (entrant.is_out and held.format.is_endless)


def _join_ladder(held: Held, player: Player, request: Request) -> LadderJoined:
    contest = held.contest
    if sum(not one.is_out for one in held.state.entrants) >= held.state.law.most:
        raise _full(held, can_wait=False)
    _check_room(player)
    _check_reliability(player, held)
    contest_log.enter(held, player.pk, request.now)
    running.advance(held, request)  # programs leave once enough people are on it
    stands = standing(held.state)
    entrant = held.state.entrant_of(player.pk)
    assert entrant is not None  # just entered
    away = frozenset(away_from(held, request.now))
    others = within_reach(stands, entrant.number, request.now, away)
    nearest = userid_of(held.state.by_number[others[-1]].player) if others else ""
    place, title = stands.places[entrant.number], load(contest.game).info.title
    return LadderJoined(contest.pk, title_of(contest), title, contest.game, place, nearest)


def _join_running(
    held: Held, player: Player, request: Request, *, waits: bool
) -> ContestJoined | ContestWaiting:
    contest, state = held.contest, held.state
    if player.pk in state.waiting:
        raise UserError(
            "You are on the waiting list of contest {number} already.",
            code="contest.in-already",
            hint=f"contest {contest.pk}",
            number=contest.pk,
        )
    program = seats.program_seat(held)
    can_wait = seats.may_become_free(state)
    if program is None and not (waits and can_wait):
        raise _full(held, can_wait=can_wait)
    _check_room(player)
    _check_reliability(player, held)
    if program is None or not seats.substitute(held, program, player.pk, request):
        contest_log.wait(held, player.pk, request.now)
        held.save(running.next_look(held, request))
        return ContestWaiting(contest.pk, title_of(contest), len(held.state.waiting))
    running.advance(held, request)  # the boards start
    entrants = len(held.state.entrants)
    return ContestJoined(
        contest.pk, title_of(contest), entrants, entrants, has_started=True, at_once=waits
    )


Left = ContestLeft | ContestDeclined | ContestLeaveAsked | ContestWithdrawn | LadderLeft


def leave(command: LeaveContest, request: Request) -> Left | ContestKept:
    """Take the speaker out of a contest; of one that runs, once that is confirmed."""
    player = request.player(f"contest leave {command.number} USERID PASSWORD")
    reason = read_reason(command.reason, f"contest decline {command.number}")
    held = contest_log.hold(command.number)
    running.advance(held, request)
    if command.stays:
        if player.pk not in held.state.waiting:
            _check_in(held, held.state.entrant_of(player.pk))
        questions.drop(player, "contest")
        return ContestKept(held.contest.pk, title_of(held.contest))
    if (reason or command.declines) and not inviting.is_invited(held, player):
        check_going_on(held, request.now)
        raise UserError(
            "Contest {number} is no match that waits for your answer: there is nothing to decline.",
            code="contest.not-invited",
            hint=f"contest leave {held.contest.pk}"
            if _is_in(held, player)
            else f"contest {held.contest.pk}",
            number=held.contest.pk,
        )
    return leave_held(held, player, request, confirmed=command.confirmed, reason=reason)


def leave_held(
    held: Held, player: Player, request: Request, *, confirmed: bool, reason: str = ""
) -> Left:
    """Take a player out of a contest that is locked, and carried on to now, or decline.

    Args:
        confirmed: Also out of one that runs.
        reason: Why a match is declined.
    """
    contest = held.contest
    check_going_on(held, request.now)
    if player.pk in held.state.waiting:
        _leave_open(held, player, request)
        return ContestLeft(contest.pk, title_of(contest), has_waited=True)
    if inviting.is_invited(held, player):
        told = inviting.decline(held, player, request.now, reason)
        return ContestDeclined(contest.pk, title_of(contest), told)
    entrant = held.state.entrant_of(player.pk)
    entrant = _check_in(held, entrant)
    if held.format.is_endless:
        return leave_ladder(held, entrant, Why.LEFT, request)
    if held.state.phase is Phase.RUNNING:
        return _leave_running(held, entrant, request, confirmed=confirmed)
    _leave_open(held, player, request)
    return ContestLeft(contest.pk, title_of(contest))


def _check_in(held: Held, entrant: Entrant | None) -> Entrant:
    """Return an entrant who is in a contest still.

    Raises:
        UserError: The speaker is not.
    """
    if entrant is not None and not entrant.is_out:
        return entrant
    contest = held.contest
    if held.format.is_endless:
        raise UserError(
            "You are not on the {title} ladder.",
            code="ladder.not-in",
            hint=f"{contest.game} ladder join",
            title=load(contest.game).info.title,
        )
    raise UserError(
        "You are not in contest {number}.",
        code="contest.not-in",
        hint="contests",
        number=contest.pk,
    )


def check_going_on(held: Held, now: datetime) -> None:
    """Refuse what can be done only until a contest is over, or its end date has come."""
    ends_at = held.state.ends_at
    if held.state.phase is Phase.RUNNING and ends_at is not None and ends_at <= now:
        raise UserError(
            "Contest {number} has reached its end date: its last boards are being decided.",
            code="contest.ended",
            hint=f"contest {held.contest.pk}",
            number=held.contest.pk,
        )
    if held.state.phase not in GOING_ON:
        raise UserError(
            "Contest {number} was closed before it started."
            if held.state.phase is Phase.CLOSED
            else "Contest {number} is over.",
            code="contest.over",
            hint="contests open",
            number=held.contest.pk,
        )


def leave_as_asked(facts: dict[str, Any], request: Request) -> ContestReply | LadderReply:
    """Take the speaker out of the contest that the server has asked about.

    Args:
        facts: What was kept with the question: the number of the contest.
    """
    player = request.player("confirm contest USERID PASSWORD")
    held = contest_log.hold(facts["number"])
    running.advance(held, request)
    return leave_held(held, player, request, confirmed=True)


def stay_as_asked(facts: dict[str, Any], _request: Request) -> ContestKept:
    """Leave the speaker in the contest that the server has asked about."""
    contest = contest_log.find(facts["number"])
    return ContestKept(contest.pk, title_of(contest))


def leave_all(player: Player, request: Request) -> None:
    """Take a player who leaves the server out of all contests, and decline invitations to them."""
    entries = ContestEntry.objects.filter(player=player, contest__state__in=GOING_ON, is_out=False)
    invited = Contest.objects.filter(state=Phase.OPEN, **{f"law__{inviting.WITH}": player.pk})
    numbers = {*entries.values_list("contest", flat=True), *invited.values_list("pk", flat=True)}
    for number in sorted(numbers):
        held = contest_log.hold(number)
        running.advance(held, request)
        entrant = held.state.entrant_of(player.pk)
        if inviting.is_invited(held, player):
            inviting.decline(held, player, request.now)
            continue
        if player.pk in held.state.waiting:
            _leave_open(held, player, request)
            continue
        if entrant is None or entrant.is_out:
            continue  # it has just ended, or put them out
        if held.state.phase is Phase.OPEN:
            _leave_open(held, player, request)
        elif held.state.phase is Phase.RUNNING:
            withdrawals.withdraw(held, entrant, Why.LEFT, request)
            running.advance(held, request)


def _leave_open(held: Held, player: Player, request: Request) -> None:
    held.add(Kind.LEFT, request.now, {"player": player.pk})
    contest_log.renumber(held)
    held.save(running.next_look(held, request))


def _leave_running(
    held: Held, entrant: Entrant, request: Request, *, confirmed: bool
) -> ContestLeaveAsked | ContestWithdrawn:
    contest, games = held.contest, withdrawals.games_of(held.format, held.state, entrant)
    if not confirmed:
        asker = request.player(f"contest leave {contest.pk} USERID PASSWORD")
        questions.ask(asker, "contest", {"number": contest.pk}, request.now)
        annuls = held.format.annuls and games.are_annulled
        facts = (games.finished, games.all, annuls)
        return ContestLeaveAsked(contest.pk, title_of(contest), *facts)
    annuls = withdrawals.withdraw(held, entrant, Why.LEFT, request)
    running.advance(held, request)
    return ContestWithdrawn(
        contest.pk, title_of(contest), "", "", games.finished, games.all, annuls
    )


def leave_ladder(
    held: Held, entrant: Entrant, why: Why, request: Request, *, userid: str = "", reason: str = ""
) -> LadderLeft:
    """Take somebody off a ladder: nothing is lost, so that nobody is asked before (E28).

    Args:
        userid: Of somebody else than the speaker.
    """
    contest = held.contest
    withdrawals.withdraw(held, entrant, why, request, reason=reason)
    freed = held.log[-1].facts["freed"]
    running.advance(held, request)
    title = load(contest.game).info.title
    return LadderLeft(
        contest.pk, title_of(contest), title, contest.game, userid, reason, len(freed)
    )


def _check_reliability(player: Player, held: Held) -> None:
    """Refuse a player who has lost more games on time than a contest takes (E33)."""
    least = held.contest.law.get("reliability", 0)
    if not least:
        return
    per_cent = reliability_of([player.pk])[player.pk]
    if per_cent is not None and per_cent < least:
        raise UserError(
            "Contest {number} asks for {least} % of the last games not lost on time; yours are "
            "{count} %.",
            code="contest.reliability",
            hint="contests open",
            number=held.contest.pk,
            least=least,
            count=per_cent,
        )


def _check_room(player: Player) -> None:
    """Bound in how many contests one player is (E37); a league counts once."""
    entries = ContestEntry.objects.filter(
        player=player, contest__state__in=GOING_ON, is_out=False
    ).exclude(contest__season__gt=1, contest__state=Phase.OPEN)
    if entries.count() >= MAX_ENTRIES:
        raise UserError(
            "You are in {most} contests, as many as one can be.",
            code="contest.limit",
            hint="contests",
            most=MAX_ENTRIES,
        )
