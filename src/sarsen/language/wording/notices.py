"""Words about what the server sends, and about watching."""

from __future__ import annotations

import textwrap

from sarsen.language.replies.notices import NoticesStand, Watching
from sarsen.language.translating import _, later
from sarsen.language.typography import WIDTH
from sarsen.language.wording.said import sentence
from sarsen.language.wording.tables import columns_text

_EVENTS = {
    "turn": later("when it is your move"),
    "moved": later("when a move was played and it is not your turn"),
    "started": later("when a game of yours begins"),
    "ended": later("when a game of yours is over"),
    "invitation": later("when somebody challenges you"),
    "challenge": later("what became of a challenge"),
    "offer": later("draws offered, moves to be taken back, and the answers"),
    "chat": later("words at your boards"),
    "reminder": later("when your time is running out"),
    "plan": later("when a move kept ready was played, or dropped"),
    "message": later("private words from players"),
    "broadcast": later("words to everybody"),
    "rating": later("when ratings change"),
    "review": later("when the review of a game is done"),
    "watched": later("what happens where you watch"),
    "weekly": later("the weekly letter, if you subscribe to it"),
    "account": later("the security of your account; always a mail"),
    "digest": later("the daily digest"),
}
_TITLE = "What you are told of, and how:"
_RISK = (
    "You may lose games without a mail: {} are not sent to you at all. To change that: "
    "notices {} mail"
)


def event_words(event: str) -> str:
    """Return a text that says what an event of `notices` is."""
    return _(_EVENTS[event])


@sentence.register
def _notices_stand(stand: NoticesStand) -> str:
    if stand.feeds or stand.webhook_key:
        return _secrets(stand)
    if stand.pushed is not None:
        return _pushed(stand.pushed)
    news = [_changed(stand), _risk(stand)] if stand.changed else [_risk(stand), _TITLE]
    parts = [*news, _table(stand), _hours(stand)]
    return "\n\n".join(filter(None, parts))


def _pushed(events: tuple[str, ...]) -> str:
    if not events:
        return "Your devices show no notices any more. To change that: notices push usual"
    return (
        f"Your devices show notices of these: {', '.join(events)}. Which devices, you choose on "
        "your account's page."
    )


def _changed(stand: NoticesStand) -> str:
    channels = dict(stand.rows)
    how = {
        "mail": "by mail",
        "digest": "in your digest",
        "none": "not at all",
    }[channels[stand.changed[0]]]
    told = f"From now on you hear of this {how}: {', '.join(stand.changed)}."
    still = [event for event in ("reminder", "ended") if event not in stand.changed]
    if channels[stand.changed[0]] == "none" and still and not stand.risky:
        told += (
            " Reminders before your time runs out, and the ends of your games, still come, so "
            "that you lose no game in silence."
        )
    return told


def _risk(stand: NoticesStand) -> str:
    if not stand.risky:
        return ""
    names = {"reminder": "reminders", "ended": "the ends of your games"}
    risky = " and ".join(names[event] for event in stand.risky)
    return _RISK.format(risky, stand.risky[0])


def _table(stand: NoticesStand) -> str:
    rows = [(event, channel, event_words(event)) for event, channel in stand.rows]
    return textwrap.indent(columns_text((), rows, WIDTH - 2), "  ")


def _hours(stand: NoticesStand) -> str:
    quiet = f"from {stand.quiet.replace('-', ' to ')} o'clock" if stand.quiet else "none"
    lines = [
        f"Quiet hours: {quiet}. Your digest comes at {stand.digest_hour} o'clock. Both in your "
        "time zone.",
        f"Webhook: {stand.webhook or 'none'}.",
        "To change them: notices turn digest, notices all none, notices quiet 22-7, "
        "notices digest 18, notices push turn reminder, "
        "notices webhook https://example.org/sarsen, notices feeds",
    ]
    return "\n".join(lines)


def _secrets(stand: NoticesStand) -> str:
    if stand.webhook_key:
        return (
            f"{stand.webhook} is called from now on for all that is not `none`. Each call is "
            "signed by HMAC-SHA256 over its timestamp, a full stop and its body, in the header "
            f"X-Sarsen-Signature, with this key:\n\n    {stand.webhook_key}\n\n"
            "To end it: notices webhook off"
        )
    lines = "\n".join(f"    {address}" for address in stand.feeds)
    return (
        f"Your boards for a feed reader, and your deadlines for a calendar:\n\n{lines}\n\n"
        "Whoever knows these addresses sees your boards: keep them to yourself. For new ones, "
        "so that the old ones are void: notices feeds new"
    )


@sentence.register
def _watching(reply: Watching) -> str:
    lines = []
    if reply.begun:
        lines.append(f"You watch {_named(reply.begun)} from now on.")
    if reply.ended:
        lines.append(f"You no longer watch {_named(reply.ended)}.")
    if reply.unwatched:
        lines.append(f"You did not watch {_named(reply.unwatched)}.")
    watched = [f"board {board}" for board in reply.boards]
    watched += [*reply.players, *reply.games, *(["the weekly letter"] if reply.is_weekly else [])]
    lines.append(f"You watch: {', '.join(watched) or 'nothing'}.")
    if watched:
        lines.append("To end it: unsubscribe NAME, or unsubscribe all")
    return "\n".join(lines)


def _named(watched: tuple[str, ...]) -> str:
    words = (f"board {one}" if one.isdigit() else one for one in watched)
    return ", ".join("the weekly letter" if word == "weekly" else word for word in words)
