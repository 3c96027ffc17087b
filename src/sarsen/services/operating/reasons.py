"""Why an operator does something: kept with the deed, and often told to those concerned."""

from __future__ import annotations

from sarsen.core.errors import UserError
from sarsen.language.typography import one_line

LONGEST_REASON = 300


def clean_reason(text: str) -> str:
    """Return a reason as it is kept and told.

    Raises:
        UserError: There is none, or it is too long.
    """
    reason = one_line(text)
    if not reason:
        raise UserError(
            "A deed needs a reason: it is kept with it, and told to those concerned.",
            code="reason-missing",
            hint="He uses three accounts at once.",
        )
    if len(reason) > LONGEST_REASON:
        raise UserError(
            f"A reason has at most {LONGEST_REASON} characters; this has {len(reason)}.",
            code="reason-too-long",
            hint="Say the rest by `message`.",
        )
    return reason
