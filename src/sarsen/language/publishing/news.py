"""News: broadcasts that anybody can read again, and taking one's own back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Self

from sarsen.core.phrases import Phrase
from sarsen.language.chat import indented
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import AtMost, Bounds, Example, MayLack
from sarsen.language.translating import N_, _, sentence, typed_next

MAX_SEARCH = 100  # characters that are searched for
WITHDRAWN, HIDDEN = "withdrawn", "hidden"
NewsNumber = Annotated[int, AtMost(999_999_999), Example(12)]


@dataclass(frozen=True)
class ShowNews(Command):
    """Show one broadcast, or list the newest.

    Attributes:
        number: 0 for a list.
        search: Words that are all in the broadcasts listed; "" for all.
    """

    words = ("news", "broadcasts")
    usage = "news [NUMBER|WORD …]"
    summary = N_("The newest broadcasts, those with certain words, or one of them.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    number: Annotated[NewsNumber, MayLack()] = 0
    search: Annotated[str, Bounds(MAX_SEARCH), MayLack()] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a number, or words to search for."""
        word = tokens.peek().lstrip("#")
        if tokens.left == 1 and word.isascii() and word.isdigit() and len(word) < 10:
            return cls(int(word))
        return cls(search=tokens.rest())


@dataclass(frozen=True)
class WithdrawNews(Command):
    """Withdraw a broadcast of one's own."""

    words = ("withdraw news", "withdraw broadcast")
    usage = "withdraw news NUMBER [USERID PASSWORD]"
    summary = N_("Take a broadcast of yours back within an hour; its text is deleted.")
    scope = Scope.ACCOUNT

    number: NewsNumber

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the number."""
        number = tokens.number(
            Phrase("broadcast"), Phrase("broadcast"), "withdraw news 12 USERID PASSWORD"
        )
        tokens.speaker()
        return cls(number)


@dataclass(frozen=True)
class NewsFacts:
    """A broadcast as anybody may see it.

    Attributes:
        news_kind: As of `NewsShown`.
        text: "" when it was withdrawn or hidden, and so is the title.
        state: `withdrawn`, `hidden`, or "".
        thread: The number of the broadcast that began its thread, perhaps its own.
        changed_at: When it was published, or withdrawn.
        game, options: What it announces, if it announces a game.
    """

    number: int
    author: str
    news_kind: str
    at: datetime
    title: str
    text: str
    state: str
    reason: str
    thread: int
    changed_at: datetime
    game: str = ""
    options: str = ""


@dataclass(frozen=True)
class NewsList:
    """Broadcasts, the newest first; `further` asks for older ones."""

    news: tuple[NewsFacts, ...]
    further: int | None


@dataclass(frozen=True)
class NewsShown:
    """A broadcast as anybody may read it.

    Attributes:
        news_kind: `broadcast`; `server` where an operator wrote it; `game` for a new game.
        text: "" when it was withdrawn or hidden.
        state: `withdrawn`, `hidden`, or "".
        reason: Why it was hidden.
        thread: The number of the broadcast that began its thread, perhaps its own.
        previous, next: Its neighbours by date; None for none.
    """

    number: int
    author: str
    day: str
    news_kind: str
    title: str
    text: str
    state: str
    reason: str
    thread: int
    previous: int | None
    next: int | None


@dataclass(frozen=True)
class NewsWithdrawn:
    """A broadcast was withdrawn by its author."""

    number: int


NewsReply = NewsShown | NewsWithdrawn


def absence(state: str, author: str, reason: str) -> str:
    """Return why the text of a broadcast is not shown; "" when it is."""
    if state == WITHDRAWN:
        return _("{author} has withdrawn this broadcast.").format(author=author)
    if state == HIDDEN:
        return _("The operators have hidden this broadcast: {reason}").format(reason=reason)
    return ""


def kind_words(kind: str) -> str:
    """Return what a kind of news is called."""
    return {"server": _("From the operators"), "game": _("New game")}.get(kind, _("Broadcast"))


@sentence.register
def _news_shown(reply: NewsShown) -> str:
    heading = _("{kind} {number}, from {author}, {day}").format(
        kind=kind_words(reply.news_kind), number=reply.number, author=reply.author, day=reply.day
    )
    text = absence(reply.state, reply.author, reply.reason) or indented(reply.text)
    thread = (
        "\n" + _("In reply to: news {number}").format(number=reply.thread)
        if reply.thread != reply.number
        else ""
    )
    return f"{heading}{thread}\n\n{text}"


@typed_next.register
def _after_news_shown(reply: NewsShown) -> str:
    parts = []
    if reply.previous is not None:
        parts.append(_("The one before: news {number}").format(number=reply.previous))
    if reply.next is not None:
        parts.append(_("The next one: news {number}").format(number=reply.next))
    return "\n".join(parts)


@sentence.register
def _news_withdrawn(reply: NewsWithdrawn) -> str:
    return _(
        "Broadcast {number} is withdrawn: its text is deleted, and mails still waiting are not "
        "sent."
    ).format(number=reply.number)
