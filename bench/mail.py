"""Moves by mail: how many a second, and how long until both players have read of it.

Real mails enter a real server by SMTP and its letters leave to a relay of ours. Each
message plays one legal move; it counts as answered when the mover's answer and the
opponent's board letter have both reached the relay.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP

from bench.client import Session
from bench.figures import percentile
from bench.memory import milliseconds_each, processor_seconds
from bench.relay import Relay
from bench.server import DOMAIN, Server
from bench.stocking import MoveMail

UNBOUNDED = 10**9
PATIENCE = 180.0  # seconds until a letter must have come; a limit, never a wait


@dataclass(frozen=True)
class Series:
    """The settings of one series.

    Attributes:
        connections: Sessions at once, each with boards of its own.
        boards: Altogether.
        by_password: Old-style commands with userid and password, not signed addresses.
        ahead: How many messages a session sends before the letters of the first must have
            come; `UNBOUNDED` floods, as after an outage.
        per_s: Messages a second over all sessions, evenly; 0 for as many as are answered.
    """

    name: str
    connections: int
    boards: int
    by_password: bool = False
    ahead: int = 1
    per_s: float = 0.0


@dataclass(frozen=True)
class MailSpeed:
    """The figures of one series.

    Attributes:
        accepted_per_s: Messages that got their 250, a second of sending; a limit of the
            listener only where the series is a flood.
        accept_p50_ms, accept_p99_ms: From a message's MAIL to its 250.
        answered_per_s: Messages a second, from the first MAIL to the last letter.
        answer_p50_ms, answer_p99_ms: From a message's 250 to its mover's answer.
        board_p50_ms, board_p99_ms: From a message's 250 to the opponent's letter.
        processor_ms: Of each process of the server, a message; `bench` is this one's.
        least_share: Of the session that sent fewest, in parts of an equal share; 0 where the
            games of all were over.
    """

    name: str
    pictures: bool
    connections: int
    messages: int
    seconds: float
    accepted_per_s: float
    accept_p50_ms: float
    accept_p99_ms: float
    answered_per_s: float
    answer_p50_ms: float
    answer_p99_ms: float
    board_p50_ms: float
    board_p99_ms: float
    processor_ms: dict[str, float]
    least_share: float


@dataclass(frozen=True)
class _Sent:
    """When a message began, when it was accepted, and when its letters came."""

    began: float
    accepted: float
    answered: float
    told: float


@dataclass(frozen=True)
class MailPlace:
    """Where the mail goes in and comes out."""

    server: Server
    relay: Relay
    pictures: bool


async def measure(
    series: Series, boards: Sequence[Sequence[MoveMail]], place: MailPlace, seconds: float
) -> MailSpeed:
    """Run one series, for so many seconds or until its boards have no more moves."""
    shares = [boards[number :: series.connections] for number in range(series.connections)]
    players = [_Player(series, share, place.relay) for share in shares]
    sessions = [await Session.open(place.server.smtp) for _ in players]
    before = _processor_seconds(place)
    began = time.monotonic()
    first = [
        began + number / series.per_s if series.per_s else began for number in range(len(players))
    ]
    work = [
        player.play(session, at, began + seconds)
        for player, session, at in zip(players, sessions, first, strict=True)
    ]
    parts = await asyncio.gather(*work)
    sent = [one for part in parts for one in part]
    after = _processor_seconds(place)
    for session in sessions:
        await session.close()
    used = milliseconds_each(before, after, len(sent))
    # Whose games are over sends no more, however well it is treated.
    busy = [len(part) for player, part in zip(players, parts, strict=True) if player.has_more(part)]
    least = min(busy, default=0) * len(parts) / len(sent)
    return _sum_up(series, place, sent, began, used, least)


class _Player:
    """One session's messages: sent one after another, each with its two letters awaited."""

    def __init__(self, series: Series, boards: Sequence[Sequence[MoveMail]], relay: Relay) -> None:
        # Written before the time is taken: the writer shares its cores with the server.
        self._messages = [
            (mail, *write_mail(mail, by_password=series.by_password))
            for mail in _round_robin(boards)
        ]
        self._ahead = series.ahead
        self._pause = series.connections / series.per_s if series.per_s else 0.0
        self._relay = relay

    def has_more(self, sent: Sequence[_Sent]) -> bool:
        """Return whether there were moves left when so many were sent."""
        return len(sent) < len(self._messages)

    async def play(self, session: Session, first: float, until: float) -> list[_Sent]:
        """Send from a time on until it is over; give what was sent once all letters are there."""
        waiting: list[asyncio.Task[_Sent]] = []
        for number, (mail, recipient, message) in enumerate(self._messages):
            if self._pause:
                await asyncio.sleep(max(first + number * self._pause - time.monotonic(), 0.0))
            began = time.monotonic()
            if began >= until:
                break
            letters = [
                self._relay.expect(kind, mail.board, mail.ply + 1) for kind in ("answer", "board")
            ]
            accepted = await session.send(mail.sender, recipient, message)
            arrival = asyncio.create_task(self._await_letters(mail, began, accepted, letters))
            waiting.append(arrival)
            if len(waiting) >= self._ahead:
                await waiting[-self._ahead]
        return [await arrival for arrival in waiting]

    async def _await_letters(
        self, mail: MoveMail, began: float, accepted: float, letters: list[asyncio.Future[float]]
    ) -> _Sent:
        try:
            async with asyncio.timeout(PATIENCE):
                return _Sent(began, accepted, await letters[0], await letters[1])
        except TimeoutError:
            missing = f"board {mail.board}, ply {mail.ply}, {mail.text}"
            last = self._relay.last_letters()
            raise RuntimeError(f"No letters about {missing}; the last ones: {last}") from None


def write_mail(mail: MoveMail, *, by_password: bool) -> tuple[str, bytes]:
    """Return the recipient and the text of a mail that plays a move, as a person sends it."""
    message = EmailMessage(policy=SMTP)
    message["From"] = f"{mail.userid.title()} <{mail.sender}>"
    message["Message-ID"] = f"<{mail.board}.{mail.ply}@players.example>"
    message["Date"] = "Sat, 21 Nov 2026 12:00:00 +0000"
    if by_password:
        recipient = f"sarsen@{DOMAIN}"
        who = f"{mail.userid} {mail.password}"
        message["Subject"] = f"{mail.game} move {mail.board} {who} {mail.text}"
        message.set_content("")
    else:
        recipient = mail.signed
        quoted = "\n".join(f"> {line}".rstrip() for line in mail.quoted.splitlines())
        message["Subject"] = f"Re: {mail.game.title()} Board {mail.board}"
        message["In-Reply-To"] = f"<board.{mail.board}@{DOMAIN}>"
        wrote = f"On Sat, 21 Nov 2026 at 11:58, sarsen <sarsen@{DOMAIN}> wrote:"
        message.set_content(f"{mail.text}\n\n{wrote}\n{quoted}\n")
    message["To"] = recipient
    return recipient, message.as_bytes().rstrip(b"\r\n")


def _round_robin(boards: Sequence[Sequence[MoveMail]]) -> Iterator[MoveMail]:
    """Yield the first move of every board, then the second, and so on."""
    for ply in range(max(map(len, boards), default=0)):
        for board in boards:
            if ply < len(board):
                yield board[ply]


def _processor_seconds(place: MailPlace) -> dict[str, float]:
    used = processor_seconds(place.server.process)
    if used:
        used["relay"] = sum(processor_seconds(place.relay.process.pid).values())
        used["bench"] = time.process_time()
    return used


def _sum_up(
    series: Series,
    place: MailPlace,
    sent: list[_Sent],
    began: float,
    used: dict[str, float],
    least: float,
) -> MailSpeed:
    last_accepted = max(one.accepted for one in sent)
    last_letter = max(max(one.answered, one.told) for one in sent)
    accepts = [1000 * (one.accepted - one.began) for one in sent]
    answers = [1000 * (one.answered - one.accepted) for one in sent]
    boards = [1000 * (one.told - one.accepted) for one in sent]
    return MailSpeed(
        name=series.name,
        pictures=place.pictures,
        connections=series.connections,
        messages=len(sent),
        seconds=last_letter - began,
        accepted_per_s=len(sent) / (last_accepted - began),
        accept_p50_ms=percentile(accepts, 0.5),
        accept_p99_ms=percentile(accepts, 0.99),
        answered_per_s=len(sent) / (last_letter - began),
        answer_p50_ms=percentile(answers, 0.5),
        answer_p99_ms=percentile(answers, 0.99),
        board_p50_ms=percentile(boards, 0.5),
        board_p99_ms=percentile(boards, 0.99),
        processor_ms=used,
        least_share=least,
    )
