"""The letter to log in with."""

from __future__ import annotations

from django.conf import settings

from sarsen.doors.mail.composing import Letter
from sarsen.language.translating import _
from sarsen.services.outbox import DueLetter


def login(due: DueLetter) -> Letter:
    """Return the link and the code that log in once."""
    userid, token, code = due.facts["userid"], due.facts["token"], due.facts["code"]
    text = "\n\n".join(
        [
            _("Somebody, we hope you, wants to log in as {userid}. Open"),
            "    {link}",
            _("or type this code where you were asked for it: {code}"),
            _(
                "Both hold for half an hour, and once. If it was not you, do nothing; but show "
                "this\nmail to nobody."
            ),
        ]
    )
    link = f"{settings.SARSEN_URL}/login/{token}/"
    subject = _("Log in as {userid}").format(userid=userid)
    return Letter(subject, text.format(userid=userid, link=link, code=code), is_answer=True)
