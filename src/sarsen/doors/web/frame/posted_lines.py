"""Posted forms: one command line, and the text below it.

Every form posts to the command box. Its fields are `line`, the prepared beginning;
`rest`, words to add, as often as need be; `-name` and `--name`, options of a challenge;
`body`, the text below the line; `token`, which names the form; `as`, the player for whom the page
was made; `back`, where to go when it is done; and, in forms at a board, which `board` it
is, and how it stood: the `ply` that was due, after which `event`, and which `matter` was
asked there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sarsen.doors.web.frame.visitors import local_path, number_in
from sarsen.services.command_lines import About
from sarsen.services.request import Player

TOKEN = re.compile(r"([0-9a-f]{8})-([0-9a-f]{16})")


@dataclass(frozen=True)
class Posted:
    """One form as it was sent.

    Attributes:
        speaker: The player for whom the page was made; "" for nobody.
        back: A path on this server, or "".
    """

    line: str
    body: str
    token: str
    speaker: str
    back: str
    about: About

    def request_id(self, player: Player | None) -> str:
        """Return the id of the request: the same form with the same words has one effect.

        The same form with other words, after a step back, is another request.
        """
        # With a key: the line may hold a password, and the name is kept.
        digest = salted_hmac("form", f"{self.line}\n{self.about}\n{self.body}").hexdigest()[:20]
        return f"web:{player.pk if player else 0}:{self.token}:{digest}"


def new_token(now: datetime) -> str:
    """Return a name for a fresh form."""
    return f"{int(now.timestamp()):08x}-{token_hex(8)}"


def read_post(request: HttpRequest) -> Posted:
    """Put the fields of a form together."""
    post = request.POST
    token = post.get("token", "")
    return Posted(
        line=_line(post),
        body=post.get("body", "").replace("\r\n", "\n"),
        token=token if TOKEN.fullmatch(token) else new_token(timezone.now()),
        speaker=post.get("as", ""),
        back=local_path(post.get("back", "")),
        about=About(
            board=number_in(post.get("board", "")),
            ply=number_in(post.get("ply", "")),
            event=number_in(post.get("event", "")),
            matter=post.get("matter", "")[:40],
        ),
    )


def _line(post: QueryDict) -> str:
    # A line is typed as one; what breaks it would be read as blanks anyhow.
    words = [" ".join(post.get("line", "").split())]
    for name, values in post.lists():
        if name == "rest":
            words += [value.strip() for value in values]
        if name.startswith("-"):
            words += [option_word(name, value.strip()) for value in values]
    return " ".join(filter(None, words))


def option_word(name: str, value: str) -> str:
    """Write an option as it is typed; "" for a flag that is not set."""
    if value in ("", "on"):
        return name if value else ""
    return f"{name}={value}"
