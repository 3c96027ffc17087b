"""The one way in: every door turns what it hears into a command and performs it here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.language import commands
from sarsen.language.commands import Command
from sarsen.language.replies import Reply, decode, encode
from sarsen.services import (
    accounts,
    background,
    boards,
    challenges,
    changing,
    confirming,
    exporting,
    helping,
    leaving,
    moves,
    wishes,
)
from sarsen.services.call import Actor, Call
from sarsen.storage.models import AnsweredRequest

HANDLERS: dict[type, Callable[[Any, Call], Reply]] = {
    commands.Help: helping.give_help,
    commands.SignUp: accounts.ask_signup,
    commands.ConfirmSignup: accounts.confirm_signup,
    commands.Account: changing.account,
    commands.ChangePassword: changing.change_password,
    commands.ChangeAddress: changing.change_address,
    commands.Export: exporting.export,
    commands.SignOff: leaving.sign_off,
    commands.ConfirmAccount: confirming.confirm,
    commands.Refuse: wishes.refuse,
    commands.Limit: wishes.limit,
    commands.AutoAccept: wishes.auto_accept,
    commands.MakeChallenge: challenges.make,
    commands.Accept: challenges.accept,
    commands.Decline: challenges.decline,
    commands.Withdraw: challenges.withdraw,
    commands.PlayMove: moves.play,
    commands.Resign: moves.resign,
    commands.Confirm: moves.confirm,
    commands.Show: boards.show,
    commands.Preview: boards.preview,
    commands.Games: boards.games,
    commands.ListBoards: boards.list_boards,
    commands.AllShow: boards.all_show,
}


def perform(command: Command, actor: Actor, request: str, now: datetime) -> Reply:
    """Do what a command says, once.

    All that changes, the letters it causes and the request id are written in one
    transaction. The same request id again gives the same reply and changes nothing.

    Args:
        request: Names this request at its door for ever (a Message-ID, an
            idempotency key, a form token); "" when a repeat does no harm.

    Raises:
        UserError: The command is refused; nothing has changed.
    """
    handler = HANDLERS.get(type(command))
    if handler is None:
        raise UserError(
            "`multiple` cannot stand inside `multiple`.",
            code="nested-multiple",
            hint="help multiple",
        )
    with transaction.atomic():
        answered = request and AnsweredRequest.objects.filter(key=request).first()
        if answered:
            return decode(answered.reply)  # type: ignore[no-any-return]
        reply = handler(command, Call(actor, now))
        if type(command) not in commands.QUERIES:
            background.wake(background.SEND_MAIL)
        if request:
            AnsweredRequest.objects.create(key=request, reply=encode(reply), at=now)
        return reply
