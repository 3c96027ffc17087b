"""Mail, pages and programs at once: what each door gets when all want the same disk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from bench import api, mail
from bench.api import Connection, play_over, send_move
from bench.figures import percentile
from bench.load.plan import AHEAD
from bench.mail import MailPlace, MailSpeed, Series
from bench.memory import milliseconds_each, processor_seconds, settled_processor_seconds
from bench.stocking import MoveMail

Boards = Sequence[Sequence[MoveMail]]
_SECRET = "b" * 32  # of the browser: a form says the same as its cookie


@dataclass(frozen=True)
class DoorSpeed:
    """The figures of one door.

    Attributes:
        least_share: Of the connection that made fewest moves, in parts of an equal share.
    """

    door: str
    connections: int
    moves: int
    moves_per_s: float
    p50_ms: float
    p99_ms: float
    least_share: float


@dataclass(frozen=True)
class Together:
    """The figures of all doors at once.

    Attributes:
        processor_ms: Of each process, a move of any door.
    """

    doors: tuple[DoorSpeed, ...]
    processor_ms: dict[str, float]


async def by_mail(
    boards: Boards,
    connections: int,
    ahead: int,
    place: MailPlace,
    seconds: float,
    per_s: float = 0.0,
) -> MailSpeed:
    """Play by mail over so many sessions; `per_s` paces them, all together."""
    name = f"{connections} at a time" + (f", {ahead} ahead" if ahead > 1 else "")
    series = Series(name, connections, len(boards), ahead=ahead, per_s=per_s)
    return await mail.measure(series, boards, place, seconds)


async def by_api(
    boards: Boards, connections: int, place: MailPlace, seconds: float, wanted_per_s: float = 0.0
) -> api.ApiSpeed:
    """Play as programs do."""
    return await api.measure(boards, connections, place.server, seconds, wanted_per_s)


async def by_web(boards: Boards, connections: int, place: MailPlace, seconds: float) -> DoorSpeed:
    """Play on pages: send the form, then load the board's page."""
    began = time.monotonic()
    shares = await play_over(boards, connections, place.server.http, seconds, _send_form)
    return _door("web", shares, time.monotonic() - began)


async def at_once(
    boards: tuple[Boards, Boards, Boards], connections: int, place: MailPlace, seconds: float
) -> Together:
    """Play by mail, on pages and by programs at the same time."""
    before, began = processor_seconds(place.server.process), time.monotonic()
    mailed, on_pages, programs = await asyncio.gather(
        by_mail(boards[0], connections, AHEAD, place, seconds),
        by_web(boards[1], connections, place, seconds),
        play_over(boards[2], connections, place.server.http, seconds, send_move),
    )
    passed = time.monotonic() - began
    after = await settled_processor_seconds(place.server.process)
    doors = (_mailed(mailed, connections), on_pages, _door("API", programs, passed))
    moves = sum(door.moves for door in doors)
    return Together(doors, milliseconds_each(before, after, moves))


async def _send_form(line: Connection, move: MoveMail) -> None:
    cookies = {"Cookie": f"sessionid={move.session}; csrftoken={_SECRET}"}
    form = {
        "csrfmiddlewaretoken": _SECRET,
        "line": f"{move.game} move {move.board}",
        "rest": move.text,
        "board": move.board,
        "ply": move.ply,
        "event": move.ply - 1,
        "as": move.userid,
        "back": f"/boards/{move.board}/",
    }
    typed = cookies | {"Content-Type": "application/x-www-form-urlencoded"}
    await line.ask("POST", "/do/", typed, urlencode(form).encode(), wanted=302)
    await line.ask("GET", f"/boards/{move.board}/", cookies, b"")


def _mailed(speed: MailSpeed, connections: int) -> DoorSpeed:
    share = speed.least_share
    p50, p99 = speed.answer_p50_ms, speed.answer_p99_ms
    return DoorSpeed("mail", connections, speed.messages, speed.answered_per_s, p50, p99, share)


def _door(name: str, shares: list[list[float]], passed: float) -> DoorSpeed:
    times = [one for share in shares for one in share]
    p50, p99 = (1000 * percentile(times, share) for share in (0.5, 0.99))
    least = min(map(len, shares)) * len(shares) / len(times)
    return DoorSpeed(name, len(shares), len(times), len(times) / passed, p50, p99, least)
