"""The reasons that people give each other in one line."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed
from sarsen.language.challenges import MAX_REASON
from sarsen.language.grammar.typography import one_line


def read_reason(reason: str, line: str) -> str:
    """Return a reason as it is passed on: not every door has read it from a line.

    Args:
        line: What stands before it in the line that would have worked.

    Raises:
        UserError: It is too long; the hint has as much of it as fits.
    """
    text = one_line(reason)
    if len(text) > MAX_REASON:
        begin = text[: MAX_REASON + 1].rpartition(" ")[0] or text[:MAX_REASON]
        raise UserError(
            "A reason has at most {most} characters; this one has {count}.",
            code="reason-too-long",
            hint=Typed(f"{line} {begin}"),
            most=MAX_REASON,
            count=len(text),
        )
    return text
