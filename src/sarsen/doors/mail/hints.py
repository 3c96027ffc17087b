"""Make the example of a refusal one that works where the mail was sent."""

from __future__ import annotations

from dataclasses import replace

from sarsen.language.commands import Command
from sarsen.language.replies import Refusal
from sarsen.language.sentence import Context

_SPEAKER = " USERID PASSWORD"


def with_working_hint(refusal: Refusal, context: Context, command: Command | None) -> Refusal:
    """Leave out who speaks where the address says it, and put in the board that was meant."""
    hint = refusal.hint
    if context.speaker and not hint.startswith("signup"):
        hint = hint.replace(_SPEAKER, "")
    board = getattr(command, "board", None) or context.board
    if board is not None:
        hint = hint.replace(" BOARD ", f" {board} ")
    return replace(refusal, hint=hint)
