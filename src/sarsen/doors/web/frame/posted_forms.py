"""Posted forms: a command by its fields, or a line and the text below it.

Most forms have a field `command`, the first words of a command, and send the fields of that command
by their names; an option whose value is typed is named with its dashes, `--with`, and becomes one
of the `terms`. The command box, a typed move, and pages that were made before forms sent fields,
send `line`, the prepared beginning; `rest`, words to add, as often as need be; and `body`, the text
below the line. All have `token`, which names the form; `as`, the player for whom the page was made;
`back`, where to go when it is done; and, in forms at a board, which `board` it is, and how it
stood: the `ply` that was due, after which `event`, and which `matter` was asked there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from secrets import token_hex

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sarsen.doors.web.frame.drafts import Draft
from sarsen.doors.web.frame.visitors import local_path, number_in
from sarsen.language.commands import BY_WORD, Command
from sarsen.services.command_lines import About
from sarsen.services.request import Player

TOKEN = re.compile(r"([0-9a-f]{8})-([0-9a-f]{16})")


@dataclass(frozen=True)
class Posted:
    """One form as it was sent.

    Attributes:
        command: What `fields` belong to; None where a line was sent.
        fields: The texts of each field, by its name.
        speaker: The player for whom the page was made; "" for nobody.
        back: A path on this server, or "".
    """

    line: str
    body: str
    token: str
    speaker: str
    back: str
    about: About
    command: type[Command] | None = None
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def draft(self, line: str = "", body: str = "") -> Draft:
        """Return what to keep of the form; for a line, that line and text."""
        if self.command:
            secret = {field.name for field in fields(self.command) if not field.repr}
            kept = {name: texts for name, texts in self.fields.items() if name not in secret}
            return Draft(command=self.command.words[0], fields=kept)
        return Draft(line, body)

    def request_id(self, player: Player | None) -> str:
        """Return the id of the request: the same form with the same words has one effect.

        The same form with other words, after a step back, is another request.
        """
        # With a key: the line may hold a password, and the name is kept.
        words = f"{self.line}\n{self.about}\n{self.body}"
        if self.command:
            words = f"{self.command.words[0]}\n{sorted(self.fields.items())}"
        digest = salted_hmac("form", words).hexdigest()[:20]
        return f"web:{player.pk if player else 0}:{self.token}:{digest}"


def new_token(now: datetime) -> str:
    """Return a name for a fresh form."""
    return f"{int(now.timestamp()):08x}-{token_hex(8)}"


def read_post(request: HttpRequest) -> Posted:
    """Put the fields of a form together."""
    post = request.POST
    token = post.get("token", "")
    command = BY_WORD.get(post.get("command", ""))
    return Posted(
        command=command,
        fields=_fields_of(command, post) if command else {},
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


def _fields_of(command: type[Command], post: QueryDict) -> dict[str, list[str]]:
    names = [field.name for field in fields(command)]
    texts = {name: post.getlist(name) for name in names if name in post}
    options = [f"{name}={str(post[name]).strip()}" for name in post if name.startswith("--")]
    if "terms" in names:
        filled = [option for option in options if not option.endswith("=")]
        texts["terms"] = [*texts.get("terms", ()), *filled]
    return texts


def _line(post: QueryDict) -> str:
    # A line is typed as one; what breaks it would be read as blanks anyhow.
    words = [" ".join(post.get("line", "").splitlines()).strip()]
    for name, values in post.lists():
        if name == "rest":
            words += [value.strip() for value in values]
    return " ".join(filter(None, words))
