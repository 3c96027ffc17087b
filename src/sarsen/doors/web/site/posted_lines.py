"""Posted forms: a command by its fields, or a line; and the drafts of what is not sent yet.

Every form posts to the command box. One with a field `command`, the first words of a command,
sends the fields of that command by their names. Others send `line`, the prepared beginning;
`rest`, words to add, as often as need be; `-name` and `--name`, options of a challenge;
`body`, the text below the line. Both have `token`, which names the form; `as`, the player for whom
the page was made; `back`, where to go when it is done; and, in forms at a board, which `board` it
is, and how it stood: the `ply` that was due, after which `event`, and which `matter` was
asked there.
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

from sarsen.doors.web.site.visitors import local_path, number_in, speaker, store_in_session
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
            return Draft(command=self.command.words[0], fields=self.fields)
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
    return {name: post.getlist(name) for name in names if name in post}


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


_KEY = "draft"
LONGEST = 20_000  # characters


@dataclass(frozen=True)
class Draft:
    """What was not done because nobody was logged in: a line and the text below it, or a form.

    Attributes:
        command, fields: As in `Posted`, with the first words of the command; "" for a line.
    """

    line: str = ""
    body: str = ""
    command: str = ""
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """What a person reads of it; no command is made of it."""
        texts = (text for sent in self.fields.values() for text in sent if text)
        return self.line or " ".join((self.command, *texts))

    @property
    def sent(self) -> list[tuple[str, str]]:
        """The fields of its form, each with a text of it."""
        return [(name, text) for name, texts in self.fields.items() for text in texts]


def keep_draft(request: HttpRequest, draft: Draft, author: str) -> None:
    """Keep what was sent for `author`, or for anybody when that is ""."""
    length = sum(len(text) for _, text in draft.sent)
    form = [draft.command, draft.fields] if length <= LONGEST else ["", {}]
    store_in_session(request, _KEY, [draft.line[:LONGEST], draft.body[:LONGEST], author, *form])


def kept_draft(request: HttpRequest) -> Draft:
    """Return what waits for the logged-in player; empty when nothing does."""
    # Sessions that began before forms were kept have three parts.
    line, body, author, command, sent = [*request.session.get(_KEY, ("", "", "")), "", {}][:5]
    player = speaker(request)
    if author and (player is None or player.userid != author):
        return Draft()
    return Draft(line, body, command, sent)


def has_draft(request: HttpRequest) -> bool:
    """Return whether something waits to be sent."""
    return kept_draft(request) != Draft()


def forget_draft(request: HttpRequest) -> None:
    """Delete what was sent."""
    if _KEY in request.session:
        del request.session[_KEY]
