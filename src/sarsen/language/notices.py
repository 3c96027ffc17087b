"""Commands about what the server sends, and when."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.grammar.typography import WIDTH
from sarsen.language.ratings import columns_text
from sarsen.language.schema.fields import AnyCase, MaxItems, Names
from sarsen.language.translating import N_, _, sentence, typed_next

MAX_SUBSCRIBED = 20  # names in one command: each is looked up
_EVENTS = {
    "turn": N_("when it is your move"),
    "moved": N_("when a move was played and it is not your turn"),
    "started": N_("when a game of yours begins"),
    "ended": N_("when a game of yours is over"),
    "invitation": N_("when somebody challenges you"),
    "challenge": N_("replies to your challenges"),
    "contest": N_(
        "when you are invited to a match, or something in a contest of yours concerns you"
    ),
    "offer": N_("draw offers and takebacks, and the replies"),
    "chat": N_("chat on your boards"),
    "reminder": N_("when your time is running out"),
    "plan": N_("when a planned move was played or dropped"),
    "message": N_("private messages"),
    "broadcast": N_("broadcasts"),
    "newgame": N_("new games"),
    "rating": N_("when ratings change"),
    "review": N_("when the review of a game is done"),
    "watched": N_("news from boards you follow"),
    "weekly": N_("the weekly mail, if you subscribe to it"),
    "puzzle": N_("the puzzle of the day, if you subscribe to it"),
    "account": N_("the security of your account; always by mail"),
    "digest": N_("the daily digest"),
}
_TITLE = N_("What you hear about, and how:")
_RISK = N_(
    "You could lose games without being warned: {names} are not sent to you. To change that: "
    "notices {event} mail"
)


@dataclass(frozen=True)
class ChangeNotices(Command):
    """Set the channel of a notification; without arguments: show the table.

    Attributes:
        event: An event, `all`, `quiet` (hours), `digest` (its hour), `webhook`,
            `push` or "".
        channel: `mail`, `digest` or `none`; hours (`22-7`), an address, events,
            or `off`.
    """

    words = ("notices", "notify")
    usage = "notices [USERID PASSWORD] [EVENT mail|digest|none]"
    summary = N_(
        "What is mailed at once, what waits for the daily digest, what is not sent. Also "
        "`notices quiet 22-7`, `notices digest 18`, `notices webhook ADDRESS`, `notices push turn "
        "reminder`, `notices feeds new`."
    )
    scope = Scope.ACCOUNT

    event: Annotated[str, AnyCase()] = ""
    channel: str = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read an event and a channel."""
        tokens.speaker()
        return cls(tokens.take().lower(), tokens.rest())


@dataclass(frozen=True)
class Deliveries(Command):
    """Show the recent deliveries to the player."""

    words = ("deliveries",)
    usage = "deliveries [USERID PASSWORD]"
    summary = N_("What was sent to you in the last 30 days, when, and whether it arrived.")
    scope = Scope.ACCOUNT
    is_query = True

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read nothing but the speaker."""
        tokens.speaker()
        return cls()


@dataclass(frozen=True)
class Subscribe(Command):
    """Follow boards, players or games; without names: show what is followed.

    Attributes:
        names: Board numbers, userids, games, `weekly`.
    """

    words = ("subscribe", "follow", "watch", "observe")
    usage = "subscribe [USERID PASSWORD] BOARD|USERID|GAME|weekly …"
    summary = N_("Follow a board, the games of a player or of a game, or get the weekly mail.")
    scope = Scope.ACCOUNT

    names: Annotated[Names, MaxItems(MAX_SUBSCRIBED)] = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read names; in an answer to a board mail the board may be left out."""
        return cls(_watched(tokens))


@dataclass(frozen=True)
class Unsubscribe(Command):
    """Stop following."""

    words = ("unsubscribe", "unfollow", "unwatch")
    usage = "unsubscribe [USERID PASSWORD] BOARD|USERID|GAME|weekly|all …"
    summary = N_("Stop following.")
    scope = Scope.ACCOUNT

    names: Annotated[Names, MaxItems(MAX_SUBSCRIBED)]

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read names; in an answer to a board mail the board may be left out."""
        names = _watched(tokens)
        if not names:
            raise UserError(
                "What would you like to unsubscribe from?",
                code="subscription-missing",
                hint="unsubscribe 123",
            )
        return cls(names)


def _watched(tokens: Tokens) -> tuple[str, ...]:
    """Read what to watch; the speaker may stand before it or, as on boards, after it."""
    boards = []
    while tokens.peek().lstrip("#").isdigit():
        boards.append(tokens.take().lstrip("#"))
    tokens.speaker(leaves=0 if boards or tokens.game else 1)
    words = tokens.rest_words()
    if boards or words:
        # `druid subscribe 123`: the board says which game it is.
        game = (tokens.game,) if tokens.game and not boards else ()
        return (*boards, *game, *words)
    if tokens.game:
        return (tokens.game,)
    board = tokens.context.board
    return () if board is None else (str(board),)


@dataclass(frozen=True)
class NoticesStand:
    """The notification settings of a player.

    Attributes:
        changed: The events whose channel this command set.
        rows: Pairs of an event and its channel, all of them.
        quiet: Local hours such as `22-7`, or "".
        digest_hour: The local hour of the digest.
        webhook: An address, or "".
        webhook_key: What its calls are signed with; only when it was just set.
        feeds: Secret addresses; only when they were asked for.
        pushed: Events that the player's devices show; only when they were just set.
        risky: Events of these are never mailed, though a game may be lost by that.
    """

    changed: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]
    quiet: str
    digest_hour: int
    webhook: str
    webhook_key: str = ""
    feeds: tuple[str, ...] = ()
    risky: tuple[str, ...] = ()
    pushed: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Watching:
    """The boards that a player follows after a command.

    Attributes:
        begun, ended: What the command named.
        unwatched: What it wanted to end, and was not watched.
    """

    begun: tuple[str, ...]
    ended: tuple[str, ...]
    boards: tuple[int, ...]
    players: tuple[str, ...]
    games: tuple[str, ...]
    is_weekly: bool
    unwatched: tuple[str, ...] = ()


NoticesReply = NoticesStand | Watching


def event_words(event: str) -> str:
    """Return a text that says what an event of `notices` is."""
    return _(_EVENTS[event])


@sentence.register
def _notices_stand(stand: NoticesStand) -> str:
    if stand.feeds or stand.webhook_key:
        return _secrets(stand)
    if stand.pushed is not None:
        return _pushed(stand.pushed)
    news = [_changed(stand), _risk(stand)] if stand.changed else [_risk(stand), _(_TITLE)]
    parts = [*news, _table(stand), _hours(stand)]
    return "\n\n".join(filter(None, parts))


def _pushed(events: tuple[str, ...]) -> str:
    if not events:
        return _("Your devices show no more notices.")
    return _(
        "Your devices show notices of these: {events}. Choose the devices in your settings."
    ).format(events=", ".join(events))


def _changed(stand: NoticesStand) -> str:
    channels = dict(stand.rows)
    how = {
        "mail": _("You will now hear about this by mail: {events}."),
        "digest": _("You will now hear about this in your digest: {events}."),
        "none": _("You will no longer hear about: {events}."),
    }[channels[stand.changed[0]]]
    text = how.format(events=", ".join(stand.changed))
    remaining = [event for event in ("reminder", "ended") if event not in stand.changed]
    if channels[stand.changed[0]] == "none" and remaining and not stand.risky:
        text += _(
            " Reminders before your time runs out, and the results of your games, still come, so "
            "that you do not lose a game unnoticed."
        )
    return text


def _risk(stand: NoticesStand) -> str:
    if not stand.risky:
        return ""
    names = {"reminder": _("reminders"), "ended": _("the results of your games")}
    risky = ", ".join(names[event] for event in stand.risky)
    return _(_RISK).format(names=risky, event=stand.risky[0])


def _table(stand: NoticesStand) -> str:
    rows = [(event, channel, event_words(event)) for event, channel in stand.rows]
    return textwrap.indent(columns_text((), rows, WIDTH - 2), "  ")


def _hours(stand: NoticesStand) -> str:
    quiet = stand.quiet or _("none")
    lines = [
        _("Quiet hours: {quiet}. Your digest comes at {hour}:00. Both in your time zone.").format(
            quiet=quiet, hour=stand.digest_hour
        ),
        _("Webhook: {what}.").format(what=stand.webhook or _("none")),
    ]
    return "\n".join(lines)


def _secrets(stand: NoticesStand) -> str:
    if stand.webhook_key:
        return _(
            "{webhook} is called from now on for all that is not `none`. Each "
            "call is signed by HMAC-SHA256 over its timestamp, a full stop and "
            "its body, in the header X-Sarsen-Signature, with this key:\n\n    "
            "{webhook_key}"
        ).format(webhook=stand.webhook, webhook_key=stand.webhook_key)
    lines = "\n".join(f"    {address}" for address in stand.feeds)
    return _(
        "Your boards for a feed reader, and your deadlines for a calendar:\n\n"
        "{lines}\n\n"
        "Anyone who knows these addresses can see your boards: keep them to "
        "yourself."
    ).format(lines=lines)


@typed_next.register
def _after_notices(stand: NoticesStand) -> str:
    if stand.webhook_key:
        return _("To end it: notices webhook off")
    if stand.feeds:
        return _("To replace them with new ones: notices feeds new")
    if stand.pushed is not None:
        return "" if stand.pushed else _("To change that: {line}").format(line="notices push usual")
    return _(
        "To change them: notices turn digest, notices all none, notices "
        "quiet 22-7, notices digest 18, notices push turn reminder, notices "
        "webhook https://example.org/sarsen, notices feeds"
    )


@sentence.register
def _watching(reply: Watching) -> str:
    lines = []
    if reply.begun:
        lines.append(_("You now follow {named}.").format(named=_watched_names(reply.begun)))
    if reply.ended:
        lines.append(_("You no longer follow {named}.").format(named=_watched_names(reply.ended)))
    if reply.unwatched:
        lines.append(
            _("You were not following {named}.").format(named=_watched_names(reply.unwatched))
        )
    watched = [_("board {board}").format(board=board) for board in reply.boards]
    weekly = [_("the weekly mail")] if reply.is_weekly else []
    watched += [*reply.players, *reply.games, *weekly]
    lines.append(
        _("You follow: {watched}.").format(watched=", ".join(watched))
        if watched
        else _("You are not following anything.")
    )
    return "\n".join(lines)


@typed_next.register
def _after_watching(reply: Watching) -> str:
    follows = reply.boards or reply.players or reply.games or reply.is_weekly
    return _("To stop: unsubscribe NAME, or unsubscribe all") if follows else ""


def _watched_names(watched: tuple[str, ...]) -> str:
    words = (_("board {board}").format(board=item) if item.isdigit() else item for item in watched)
    return ", ".join(_("the weekly mail") if word == "weekly" else word for word in words)


_SAID = {
    "turn": N_("It's your move."),
    "moved": N_("A move was played."),
    "started": N_("Your game has begun."),
    "ended": N_("The game is over."),
    "invitation": N_("Somebody challenges you."),
    "challenge": N_("There is news about one of your challenges."),
    "offer": N_("There is an offer, or a reply to one."),
    "contest": N_("There is news about a contest of yours."),
    "chat": N_("Somebody wrote on this board."),
    "reminder": N_("Your time is running out."),
    "plan": N_("A planned move was played or dropped."),
    "message": N_("A player has written to you."),
    "broadcast": N_("There is a broadcast."),
    "newgame": N_("A new game is announced."),
    "review": N_("The review of your game is done."),
    "watched": N_("There is news from a board you follow."),
    "weekly": N_("Games of the week."),
    "puzzle": N_("There is a new puzzle of the day."),
}


def push_sentence(event: str) -> str:
    """Return a text that says what happened, without names of people or what they wrote."""
    return _(_SAID.get(event, N_("There is news for you.")))
