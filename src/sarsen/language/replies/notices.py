"""Replies about what the server sends, and about watching."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NoticesStand:
    """How a player hears of what happens.

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
    """What a player watches after a command.

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
