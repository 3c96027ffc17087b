"""The letter to log in with."""

from __future__ import annotations

from django.conf import settings

from sarsen.doors.mail.composing import Letter
from sarsen.services.outbox import DueLetter


def login(due: DueLetter) -> Letter:
    """Give the link and the code that log in once."""
    userid, token, code = due.facts["userid"], due.facts["token"], due.facts["code"]
    text = (
        f"Somebody, we hope you, wants to log in as {userid}. Open\n\n"
        f"    {settings.SARSEN_URL}/login/{token}/\n\n"
        f"or type this code where you were asked for it: {code}\n\n"
        "Both hold for half an hour, and once. If it was not you, do nothing; but show this\n"
        "mail to nobody."
    )
    return Letter(f"Log in as {userid}", text, is_answer=True)
