"""Corrections by operators (E36): they are logged, and pairings made before them stay."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.language.contests.answers import ContestCorrected
from sarsen.language.contests.commands import CorrectContest, check_result
from sarsen.language.translating import N_, sentence
from sarsen.services import operator_log
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.course import running
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import Kind
from sarsen.services.matches import matches
from sarsen.services.notices import Event, is_told, notify_all
from sarsen.services.reasons import read_reason
from sarsen.services.request import Request
from sarsen.storage.models import Contest, Match, Player

CORRECTED = "contest-corrected"  # the letter
DECIDED = N_("An operator has decided the game.")  # why a board that still ran has ended
_SCORES = {"1-0": [1.0, 0.0], "0-1": [0.0, 1.0], "=": [0.5, 0.5]}


def _somebody_to_ask(contest: Contest, speaker: Player) -> str:
    host = contest.host
    return (
        f"message {host.userid}" if host and host.is_staff and host != speaker else "help contests"
    )


def correct(command: CorrectContest, request: Request) -> ContestCorrected:
    """Set the result of a board, and tell the players."""
    speaker = request.player(
        f"contest correct {command.number} USERID PASSWORD 311 1-0 wrong board"
    )
    check_result(command.result, f"contest correct {command.number} {command.board}")
    line = f"contest correct {command.number} {command.board} {command.result}"
    reason = read_reason(command.reason, line)
    held = contest_log.hold(command.number)
    running.advance(held, request)
    contest = held.contest
    if not speaker.is_staff:
        raise UserError(
            "Only operators can correct results.",
            code="operators-only",
            hint=_somebody_to_ask(contest, speaker),
        )
    if not reason:
        raise UserError(
            "A correction needs a reason, which both players read.",
            code="reason-missing",
            hint=f"{line} wrong board",
        )
    game = next(
        (one for one in held.state.boards if one.board == command.board and not one.is_ordinary),
        None,
    )
    if game is None:
        raise UserError(
            "Board {board} is none of contest {number}.",
            code="unknown-board",
            hint=f"contest {contest.pk} boards",
            board=command.board,
            number=contest.pk,
        )
    players = [held.state.by_number[number].player for number in game.numbers]
    if speaker.pk in players:
        raise UserError(
            "You play at board {board} yourself: another operator has to correct it.",
            code="contest.own-board",
            hint=f"contest {contest.pk} boards",
            board=command.board,
        )
    facts = {"key": game.key, "by": speaker.userid, "reason": reason}
    if command.result == "void":
        held.add(Kind.CLOSED, request.now, facts)
    else:
        held.add(Kind.CORRECTED, request.now, facts | {"scores": _SCORES[command.result]})
    _end_board(held, command, request)
    letter = {
        "contest": contest.pk,
        "board": command.board,
        "result": command.result,
        "reason": reason,
    }
    told = [one for one in Player.objects.in_bulk(players).values() if is_told(one, Event.CONTEST)]
    notify_all(told, Event.CONTEST, CORRECTED, letter, request.now)
    running.advance(held, request)
    done = ContestCorrected(contest.pk, command.board, command.result, reason, len(told))
    operator_log.record(speaker, contest, sentence(done))
    return done


def _end_board(held: Held, command: CorrectContest, request: Request) -> None:
    """End a board that still runs: it counts by the correction, and nobody plays it on.

    A result that the players did not bring about is not rated.
    """
    match = Match.objects.select_for_update(no_key=True).get(pk=command.board)
    if match.ended_at is not None:
        return
    match.terms["unrated"] = True
    match.save(update_fields=["terms"])
    ended = (
        matches.record_closing(match, DECIDED, request)
        if command.result == "void"
        else matches.record_decision(match, _SCORES[command.result], DECIDED, request)
    )
    matches.follow_up(ended)
    held.refresh()
