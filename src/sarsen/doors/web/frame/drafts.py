"""Drafts: forms that are kept in the session until their author logs in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest

from sarsen.core.phrases import Phrase
from sarsen.doors.web.frame.visitors import speaker, store_in_session
from sarsen.games import find
from sarsen.language.challenges import ANYONE, ME
from sarsen.language.commands import BY_WORD, MakeChallenge
from sarsen.language.translating import N_

_KEY = "draft"
MAX_LENGTH = 20_000  # characters, as a session holds it; no command takes more
# Fields with words that a person has typed; these can be changed before they are sent again.
LABELS = {"text": N_("Text"), "reason": N_("Reason")}


@dataclass(frozen=True)
class KeptField:
    """A text of a field.

    Attributes:
        label: Of the field in which it can be changed; "" where it cannot.
    """

    name: str
    text: str
    label: str


@dataclass(frozen=True)
class Draft:
    """A form that was not performed: a line and the text below it, or a command by its fields.

    Attributes:
        command: The first words of the command; "" for a line.
        fields: The texts of each field of the command.
    """

    line: str = ""
    body: str = ""
    command: str = ""
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """What the form does, in words; "" for a line."""
        command = BY_WORD.get(self.command)
        game = find().get("".join(self.fields.get("game", ())))
        if command is MakeChallenge and game is not None:
            named = " ".join(self.fields.get("names", ())).split()
            others = [name for name in named if name.lower() not in (ME, ANYONE)]
            if others:
                facts = {"game": game.info.title, "players": ", ".join(others)}
                return Phrase("A game of {game} with {players}", **facts)
            return Phrase("A game of {game}", game=game.info.title)
        return command.summary if command else ""

    @property
    def sent(self) -> list[KeptField]:
        """The texts of the fields of its form."""
        return [
            KeptField(name, text, LABELS.get(name, "") if self.is_typed else "")
            for name, texts in self.fields.items()
            for text in texts
        ]

    @property
    def is_typed(self) -> bool:
        """Whether somebody has typed words into its form."""
        is_text = BY_WORD[self.command].takes_text if self.command in BY_WORD else False
        return is_text or "reason" in self.fields


EMPTY = Draft()


def keep_draft(request: HttpRequest, draft: Draft, author: str) -> None:
    """Keep a form for `author`, or for anybody when that is ""."""
    length = sum(len(field.text) for field in draft.sent)
    form = [draft.command, draft.fields] if length <= MAX_LENGTH else ["", {}]
    line, body = draft.line[:MAX_LENGTH], draft.body[:MAX_LENGTH]
    store_in_session(request, _KEY, [line, body, author, *form])


def kept_draft(request: HttpRequest) -> Draft:
    """Return the form that waits for the logged-in player; `EMPTY` when none does."""
    # Sessions that began before fields were kept have three parts.
    line, body, author, command, sent = [*request.session.get(_KEY, ("", "", "")), "", {}][:5]
    player = speaker(request)
    if author and (player is None or player.userid != author):
        return EMPTY
    return Draft(line, body, command, sent)


def has_draft(request: HttpRequest) -> bool:
    """Return whether a form waits to be sent."""
    return kept_draft(request) != EMPTY


def forget_draft(request: HttpRequest) -> None:
    """Delete the form that was kept."""
    if _KEY in request.session:
        del request.session[_KEY]
