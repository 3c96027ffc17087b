"""A yes or a no to what the server asked about an account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sarsen.language.commands import ConfirmAccount
from sarsen.language.replies import Reply
from sarsen.language.replies.account import QuestionVoid
from sarsen.services import broadcasts, leaving, questions
from sarsen.services.call import Call

# What a yes does: called with what was kept when the server asked.
_DEEDS: dict[str, Callable[[dict[str, Any], Call], Reply]] = {
    "signoff": leaving.leave,
    "forget": leaving.leave_without_trace,
    "broadcast": broadcasts.send_broadcast,
}


def confirm(command: ConfirmAccount, call: Call) -> Reply:
    """Do, or forget, what the server asked."""
    player = call.player(f"confirm {command.what} USERID PASSWORD")
    facts = questions.take(player, command.what, call.now)
    if not command.agrees:
        return QuestionVoid(command.what)
    return _DEEDS[command.what](facts, call)
