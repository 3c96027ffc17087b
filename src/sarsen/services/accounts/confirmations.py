"""A yes or a no to what the server asked about an account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sarsen.language.account_replies import QuestionVoid
from sarsen.language.commands import ConfirmAccount
from sarsen.language.replies import Reply
from sarsen.services import questions
from sarsen.services.accounts import leaving
from sarsen.services.notices import messages
from sarsen.services.request import Request

# What a yes does: called with what was kept when the server asked.
_DEEDS: dict[str, Callable[[dict[str, Any], Request], Reply]] = {
    "signoff": leaving.leave,
    "forget": leaving.leave_without_trace,
    "broadcast": messages.send_broadcast,
}


def confirm(command: ConfirmAccount, request: Request) -> Reply:
    """Do, or forget, what the server asked."""
    player = request.player(f"confirm {command.what} USERID PASSWORD")
    facts = questions.take(player, command.what, request.now)
    if not command.agrees:
        return QuestionVoid(command.what)
    return _DEEDS[command.what](facts, request)
