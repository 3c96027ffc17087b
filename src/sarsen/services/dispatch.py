"""The entry point of the services: every door performs its commands here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import connection

from sarsen.core.errors import UserError
from sarsen.help import find_page
from sarsen.language import commands
from sarsen.language.commands import Command, Help
from sarsen.language.replies import HelpPage, Reply, decode, encode
from sarsen.language.translating import current_language, use_language
from sarsen.services import speakers, task_queue
from sarsen.services.accounts import (
    changes,
    guests,
    invitation_answers,
    leaving,
    mail_invitations,
    player_pages,
    preferences,
    signups,
    tokens,
)
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.analysis import questions as analysis
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards import queries
from sarsen.services.challenges import acceptance, challenges, rematches
from sarsen.services.clocks import vacations
from sarsen.services.contests.acts import climbing, correcting, entering, hosting
from sarsen.services.contests.acts import making as contest_making
from sarsen.services.contests.views import ladders, listing
from sarsen.services.contests.views import tables as contest_tables
from sarsen.services.learning import daily_puzzles, lessons, puzzle_days, puzzle_votes, puzzles
from sarsen.services.mail import deliveries
from sarsen.services.mail.private_words import refuse_private
from sarsen.services.matches import agreements, chat, claims, moves, spectators
from sarsen.services.notices import messages, news, notice_preferences, reports, wishes
from sarsen.services.parsed_lines import refuse_own_password
from sarsen.services.plans import queueing
from sarsen.services.players import with_speaker_named
from sarsen.services.ratings import past_games
from sarsen.services.ratings import tables as rating_tables
from sarsen.services.request import Actor, Request
from sarsen.services.reviews import making
from sarsen.storage import statements
from sarsen.storage.models import AnsweredRequest
from sarsen.storage.transactions import in_transaction


def give_help(command: Help, request: Request) -> HelpPage:
    """Find the page for the subjects asked about, in the speaker's language."""
    player = request.actor.player
    with use_language(player.language if player else current_language()):
        return find_page(command.subjects)


HANDLERS: dict[type, Callable[[Any, Request], Reply]] = {
    commands.Help: give_help,
    commands.SignUp: signups.ask_signup,
    commands.ConfirmSignup: signups.confirm_signup,
    commands.Account: changes.account,
    commands.ChangePassword: changes.change_password,
    commands.ChangeAddress: changes.change_address,
    commands.Export: leaving.export,
    commands.Revoke: tokens.revoke_addresses,
    commands.SignOff: leaving.sign_off,
    commands.ConfirmAccount: leaving.confirm,
    commands.Refuse: acceptance.refuse,
    commands.Limit: acceptance.limit,
    commands.AutoAccept: acceptance.auto_accept,
    commands.MakeChallenge: mail_invitations.challenge,
    commands.Accept: challenges.accept,
    commands.Decline: challenges.decline,
    commands.Withdraw: challenges.withdraw,
    commands.TakeVacation: vacations.take,
    commands.ChangeTimezone: preferences.change_timezone,
    commands.ChangeLanguage: preferences.change_language,
    commands.ChangeWeekends: preferences.change_weekends,
    commands.ChangeCoordinates: preferences.change_coordinates,
    commands.ChangePlace: preferences.change_place,
    commands.ChangeAbout: preferences.change_about,
    commands.AnswerInvitation: invitation_answers.answer,
    commands.Rematch: rematches.rematch,
    commands.ListContests: listing.show_contests,
    commands.ShowContest: contest_tables.show,
    commands.MakeContest: contest_making.make,
    commands.JoinContest: entering.join,
    commands.LeaveContest: entering.leave,
    commands.StartContest: hosting.start,
    commands.CloseContest: hosting.close,
    commands.WithdrawFromContest: hosting.withdraw,
    commands.CorrectContest: correcting.correct,
    commands.ShowLadder: ladders.show,
    commands.JoinLadder: climbing.join,
    commands.LeaveLadder: climbing.leave,
    commands.ClimbLadder: climbing.climb,
    commands.PlayMove: moves.play,
    commands.Submit: moves.submit,
    commands.Confirm: agreements.confirm,
    commands.QueueMoves: queueing.queue,
    commands.OfferDraw: agreements.offer_draw,
    commands.AskUndo: agreements.ask_undo,
    commands.AnswerOffer: agreements.answer,
    commands.ClaimResult: claims.claim,
    commands.Resign: agreements.resign,
    commands.Chat: chat.chat,
    commands.WriteNote: chat.write_note,
    commands.ChangeNotices: notice_preferences.change_notices,
    commands.Deliveries: deliveries.deliveries,
    commands.Subscribe: spectators.subscribe,
    commands.Unsubscribe: spectators.unsubscribe,
    commands.SendMessage: messages.send_message,
    commands.Broadcast: messages.ask_broadcast,
    commands.Announce: messages.ask_announcement,
    commands.ShowNews: news.show_news,
    commands.WithdrawNews: news.withdraw_news,
    commands.Report: reports.report,
    commands.ShowWishes: wishes.show_wishes,
    commands.Wish: wishes.wish,
    commands.Show: queries.show,
    commands.ShowAs: queries.show_as,
    commands.Preview: queries.preview,
    commands.Games: queries.games,
    commands.ListBoards: queries.list_boards,
    commands.AllShow: queries.all_show,
    commands.ShowProfile: player_pages.profile,
    commands.Standings: rating_tables.standings,
    commands.Ratings: rating_tables.ratings,
    commands.History: past_games.history,
    commands.ShowReview: making.show_review,
    commands.SetReviews: making.set_reviews,
    commands.TakeLesson: lessons.take,
    commands.TakePuzzle: puzzles.take,
    commands.ChangeDailyPuzzle: daily_puzzles.change,
    commands.Analyse: analysis.analyse,
    commands.VotePuzzle: puzzle_votes.vote,
    commands.ChangePuzzles: puzzle_days.change,
}


class ReusedRequest(UserError):
    """Refuse a request under the id of another one."""


def perform(
    command: Command,
    actor: Actor,
    request_id: str,
    now: datetime,
    digest: str = "",
    *,
    boards: BoardCache | None = None,
    wakes_sender: bool = True,
) -> Reply:
    """Do what a command says, once.

    All that changes, the letters it causes and the request id are written in one
    transaction. The same request id again gives the same reply and changes nothing.

    Args:
        request_id: Names this request at its door for ever (a Message-ID, an
            idempotency key, a form token); "" when a repeat does no harm.
        digest: A digest of what is asked, where the id comes from somebody who may give
            it to another request by mistake; "" where it cannot be so.
        boards: Loaded and judged for this request, or for the batch it is part of.
        wakes_sender: False when the caller wakes who sends letters, for many requests at once.

    Raises:
        UserError: The command is refused; nothing has changed.
        ReusedRequest: The request id was that of another request.
    """
    handler = HANDLERS.get(type(command))
    if handler is None:
        raise UserError(
            "`multiple` cannot be used inside `multiple`.",
            code="nested-multiple",
            hint="help multiple",
        )
    guests.check_may(command, actor.player)
    command = with_speaker_named(guests.unrated(command, actor.player), actor.player)
    _refuse_private_words(command, actor, now)
    request = Request(actor, now, AFTER_EVENTS, boards or BoardCache(), wakes_sender)
    if command.is_query and not request_id:
        # In no transaction: with SQLite each one waits for every other writer.
        queried: Reply = handler(command, request)
        return queried
    if command.is_judged_first and not connection.in_atomic_block:
        moves.prepare_move(command, request)
    if isinstance(command, commands.TakeLesson) and not connection.in_atomic_block:
        lessons.prejudge(command)
    if isinstance(command, commands.TakePuzzle) and not connection.in_atomic_block:
        puzzles.prejudge(command)
    return in_transaction(lambda: _perform_once(handler, command, request, request_id, digest))


def _refuse_private_words(command: Command, actor: Actor, now: datetime) -> None:
    """Refuse words for others that hold what only the speaker may know, at every door."""
    # Everybody reads the name of a wish or a contest.
    name = getattr(command, "name", "") if command.takes_reason else ""
    for words in (getattr(command, "text", ""), getattr(command, "reason", ""), name):
        if isinstance(words, str) and words:
            refuse_private(words, actor.player)
            refuse_own_password(words, actor.player, now)


def _perform_once(
    handler: Callable[[Any, Request], Reply],
    command: Command,
    request: Request,
    request_id: str,
    digest: str,
) -> Reply:
    """Perform a command unless its request was answered; in the caller's transaction."""
    speaker = request.actor.player.pk if request.actor.player else 0
    row = AnsweredRequest(key=request_id, said=digest, reply={}, speaker=speaker, at=request.now)
    # First of all: the same request at the same moment waits here for our commit.
    if request_id and not statements.insert([row], unless_known=True):
        return _answered(request_id, digest)
    _hold_speaker(command, request.actor)
    reply = handler(command, request)
    if request.wakes_sender and not command.is_query:
        task_queue.wake(task_queue.SEND_MAIL)
    if request_id:
        row.reply = encode(reply, with_templates=True)
        statements.update(row, ("reply",), by="key")
    return reply


def _hold_speaker(command: Command, actor: Actor) -> None:
    """Check again, in the transaction, that the speaker may still speak."""
    if command.is_judged_first:
        # `moves.lock_as_participant` checks it with the players of the locked board. What it writes
        # may name anybody at the board, or go to who watches it.
        speakers.hold_everybody()
        return
    if _forgets(command):
        speakers.close_to_everybody()
    if command.may_close_account and actor.player is not None:
        speakers.close_to_others(actor.player)
    speakers.hold_speaker(actor)


def _forgets(command: Command) -> bool:
    if isinstance(command, commands.SignOff):
        return command.forgets and command.confirmed
    return (
        isinstance(command, commands.ConfirmAccount) and command.agrees and command.what == "forget"
    )


def _answered(request_id: str, digest: str) -> Reply:
    """Return the reply that a request has had already."""
    # It is never deleted while somebody may repeat it.
    answered = AnsweredRequest.objects.get(key=request_id)
    if answered.said != digest:
        raise ReusedRequest(
            "This request ID was already used for a different request. Nothing was changed.",
            code="request-reused",
            hint="Use a new ID for every request.",
        )
    reply: Reply = decode(answered.reply)
    return reply
