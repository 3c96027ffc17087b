"""The one way in: every door turns what it hears into a command and performs it here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import connection

from sarsen.core.errors import UserError
from sarsen.language import commands
from sarsen.language.commands import Command
from sarsen.language.replies import Reply, decode, encode
from sarsen.services import (
    accounts,
    agreeing,
    answering,
    background,
    boards,
    challenges,
    changing,
    confirming,
    conversations,
    deliveries,
    exporting,
    foreseeing,
    guests,
    helping,
    histories,
    languages,
    leaving,
    messages,
    moves,
    rematches,
    resigning,
    revoking,
    standings,
    timezones,
    vacations,
    watching,
    wishes,
)
from sarsen.services.call import Actor, Call
from sarsen.services.notices import choosing
from sarsen.services.plans import queueing
from sarsen.services.ratings import tables as rating_tables
from sarsen.services.reviews import asking
from sarsen.storage import again, kept
from sarsen.storage.kept import Given, KeptQuery
from sarsen.storage.models import AnsweredRequest

HANDLERS: dict[type, Callable[[Any, Call], Reply]] = {
    commands.Help: helping.give_help,
    commands.SignUp: accounts.ask_signup,
    commands.ConfirmSignup: accounts.confirm_signup,
    commands.Account: changing.account,
    commands.ChangePassword: changing.change_password,
    commands.ChangeAddress: changing.change_address,
    commands.Export: exporting.export,
    commands.Revoke: revoking.revoke,
    commands.SignOff: leaving.sign_off,
    commands.ConfirmAccount: confirming.confirm,
    commands.Refuse: wishes.refuse,
    commands.Limit: wishes.limit,
    commands.AutoAccept: wishes.auto_accept,
    commands.MakeChallenge: challenges.make,
    commands.Accept: agreeing.accept,
    commands.Decline: challenges.decline,
    commands.Withdraw: challenges.withdraw,
    commands.TakeVacation: vacations.take,
    commands.ChangeTimezone: timezones.change_timezone,
    commands.ChangeLanguage: languages.change_language,
    commands.ChangeWeekends: timezones.change_weekends,
    commands.Rematch: rematches.rematch,
    commands.PlayMove: moves.play,
    commands.Submit: moves.submit,
    commands.Confirm: answering.confirm,
    commands.QueueMoves: queueing.queue,
    commands.OfferDraw: agreeing.offer_draw,
    commands.AskUndo: agreeing.ask_undo,
    commands.AnswerOffer: answering.answer,
    commands.Resign: resigning.resign,
    commands.Chat: conversations.chat,
    commands.WriteNote: conversations.write_note,
    commands.ChangeNotices: choosing.change_notices,
    commands.Deliveries: deliveries.deliveries,
    commands.Subscribe: watching.subscribe,
    commands.Unsubscribe: watching.unsubscribe,
    commands.SendMessage: messages.send_message,
    commands.Broadcast: messages.ask_broadcast,
    commands.Show: boards.show,
    commands.ShowAs: boards.show_as,
    commands.Preview: boards.preview,
    commands.Games: boards.games,
    commands.ListBoards: boards.list_boards,
    commands.AllShow: boards.all_show,
    commands.Standings: standings.standings,
    commands.Ratings: rating_tables.ratings,
    commands.History: histories.history,
    commands.ShowReview: asking.show_review,
    commands.SetReviews: asking.set_reviews,
}

# What a deed asks before its transaction: what is worked out is remembered, and found there.
PREPARATIONS: dict[type, Callable[[Any, Call], None]] = {
    commands.PlayMove: foreseeing.foresee_move,
    commands.Submit: foreseeing.foresee_move,
    commands.Confirm: foreseeing.foresee_submitted,
    commands.AnswerOffer: foreseeing.foresee_submitted,
}
_ANSWERED = KeptQuery(lambda: AnsweredRequest.objects.filter(key=Given("key")))


class ReusedRequest(UserError):
    """Refuse a request under the id of another one."""


def perform(command: Command, actor: Actor, request: str, now: datetime, said: str = "") -> Reply:
    """Do what a command says, once.

    All that changes, the letters it causes and the request id are written in one
    transaction. The same request id again gives the same reply and changes nothing.

    Args:
        request: Names this request at its door for ever (a Message-ID, an
            idempotency key, a form token); "" when a repeat does no harm.
        said: A digest of what is asked, where the id comes from somebody who may give
            it to another request by mistake; "" where it cannot be so.

    Raises:
        UserError: The command is refused; nothing has changed.
        ReusedRequest: The request id was that of another request.
    """
    handler = HANDLERS.get(type(command))
    if handler is None:
        raise UserError(
            "`multiple` cannot stand inside `multiple`.",
            code="nested-multiple",
            hint="help multiple",
        )
    guests.check_may(command, actor.player)
    command = guests.unrated(command, actor.player)
    call = Call(actor, now)
    if type(command) in commands.QUERIES and not request:
        # In no transaction: with SQLite each one waits for every other writer.
        queried: Reply = handler(command, call)
        return queried
    prepare = PREPARATIONS.get(type(command))
    if prepare is not None and not connection.in_atomic_block:
        prepare(command, call)
    return again.in_transaction(lambda: _perform_once(handler, command, call, request, said))


def _perform_once(
    handler: Callable[[Any, Call], Reply], command: Command, call: Call, request: str, said: str
) -> Reply:
    """Perform a command unless its request was answered; in the caller's transaction."""
    row = AnsweredRequest(key=request, said=said, reply={}, at=call.now)
    # First of all: the same request at the same moment waits here for our commit.
    if request and not kept.insert([row], unless_known=True):
        return _answered(request, said)
    reply = handler(command, call)
    if type(command) not in commands.QUERIES:
        background.wake(background.SEND_MAIL)
    if request:
        row.reply = encode(reply)
        kept.update(row, ("reply",), by="key")
    return reply


def _answered(request: str, said: str) -> Reply:
    """Return the reply that a request has had already."""
    answered = _ANSWERED.first(key=request)
    assert answered is not None  # it is never deleted while somebody may repeat it
    if answered.said != said:
        raise ReusedRequest(
            "This request id was given to another request before, which was answered. "
            "Nothing was changed.",
            code="request-reused",
            hint="Give every new request an id of its own.",
        )
    reply: Reply = decode(answered.reply)
    return reply
