"""`python -m bench.watchers [COUNT] [--boards N] [--seconds N] [--streams]`: what live pages cost.

Each watcher is a page of a board that asks as the script of the pages does: when the server
last told it to, and with the stamp that it has seen, so that the question may be held. The
With `--streams` the watchers are programs, each with a stream of the API for its board. The
server is a real one, in processes of its own. Measured are the processor time of the web
process in the same run while nobody watches, while all watch boards at which nothing happens,
and while moves are made; how long a move takes to be noticed; and, to compare with, what a
whole page of a board costs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from bench.server import environment, make_tables, serving

SETTLING = 25.0  # seconds in which watchers come, and learn how often they may ask
IDLE = 10.0  # seconds without anybody, to compare with
MOVES_EVERY = 0.5  # seconds
PAGES = 40
TICKS = os.sysconf("SC_CLK_TCK")

_MAKE = """
import django; django.setup()
from django.utils import timezone
from sarsen.services.events import live_updates
from sarsen.storage.models import Match, MatchSeat, Player
now = timezone.now()
players = [Player.objects.create(key=n, userid=n, joined_at=now) for n in ("ann", "bob")]
from sarsen.games import load
start = load("druid").start("")
for _ in range({boards}):
    match = Match.objects.create(game="druid", rules_version=1, terms={{}}, started_at=now,
        moved_at=now, position=start.write())
    for seat, player in enumerate(players):
        MatchSeat.objects.create(match=match, seat=seat, player=player)
    print(match.pk, live_updates.new_key(match.pk, None))
"""
_PLAY = """
import django; django.setup()
import sys, time
from django.utils import timezone
from sarsen.games import load
from sarsen.language.commands import PlayMove
from sarsen.services.request import Actor
from sarsen.services.dispatch import perform
from sarsen.storage.models import Match, Player
players = [Player.objects.get(key=n) for n in ("ann", "bob")]
load("druid").start("").legal_moves()
print("ready", flush=True)
for line in sys.stdin:
    match = Match.objects.get(pk=int(line))
    position = load("druid").read(match.position)
    move = position.format(position.legal_moves()[0])
    actor = Actor(players[match.seat_to_move])
    began = time.time()
    perform(PlayMove("druid", match.pk, move), actor, "", timezone.now())
    print(began, time.time(), flush=True)
"""


@dataclass(frozen=True)
class Pace:
    """Of each part, of the coming of watchers, and of the time without anybody: seconds."""

    seconds: float
    settling: float
    idle: float


@dataclass(frozen=True)
class Played:
    """A move at a board, and when it was begun and stored, in seconds since 1970."""

    board: int
    began: float
    stored: float


@dataclass
class Crowd:
    """All who watch, and what they have seen.

    Attributes:
        seen: Boards at which something new was seen, and when.
    """

    port: int
    settling: float
    questions: int = 0
    answers: list[float] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    seen: list[tuple[int, float]] = field(default_factory=list)

    async def watch(self, board: int, key: str) -> None:
        """Ask for one page, again and again, over one connection."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        stamp, pause = "", random.random() * self.settling / 2.5
        while True:
            await asyncio.sleep(pause * random.uniform(0.9, 1.1))
            began = time.perf_counter()
            asked = f"GET /live/{key}/?seen={stamp} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            writer.write(asked.encode())
            news = json.loads(await _body(reader))
            self.questions += 1
            self.answers.append(time.perf_counter() - began)
            if stamp and news["stamp"] != stamp:
                self.seen.append((board, time.time()))
            stamp, pause = news["stamp"], news["pause"]

    async def follow(self, board: int, _key: str) -> None:
        """Read the stream of one board."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        asked = f"GET /api/v1/events/boards/{board} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        await asyncio.sleep(random.random() * self.settling / 2)
        writer.write(asked.encode())
        status = await reader.readline()
        if b" 200 " not in status:
            raise RuntimeError(f"the stream of board {board} answered {status!r}")
        while line := await reader.readline():
            if b'"kind": "move"' in line:
                self.seen.append((board, time.time()))
        raise RuntimeError(f"the stream of board {board} ended")

    def delays(self) -> list[float]:
        """Return after how many seconds each watcher saw each move, in order.

        A stream tells of a move at once, often before its player has heard that it is stored.
        """
        found = []
        for board, at in self.seen:
            moves = [one for one in self.played if one.board == board and one.began <= at]
            found += [max(0.0, at - one.stored) for one in moves[-1:]]
        return sorted(found)


async def _body(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    return await reader.readexactly(int(found[1])) if found else b""


def main() -> None:
    """Measure once, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m bench.watchers", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=40.0, help="of each part")
    parser.add_argument("--streams", action="store_true", help="of the API, in place of pages")
    parser.add_argument("--quick", action="store_true", help="ten watchers: shows that all works")
    wanted = parser.parse_args()
    count = min(10, wanted.count) if wanted.quick else wanted.count
    boards = min(wanted.boards, count)
    pace = Pace(4.0, 3.0, 1.0) if wanted.quick else Pace(wanted.seconds, SETTLING, IDLE)
    with tempfile.TemporaryDirectory(prefix="watchers-") as folder:
        os.environ["SARSEN_BOTS"] = "off"
        data = Path(folder)
        make_tables(data)
        with serving(data, 1) as server:
            settings = {**environment(data, 1), "DJANGO_SETTINGS_MODULE": "sarsen.server.settings"}
            made = _run(_MAKE.format(boards=boards), settings)
            keys = [(int(one.split()[0]), one.split()[1]) for one in made.splitlines()]
            asyncio.run(
                _measure(
                    *(count, keys, server.http, _web(server.process), settings, pace),
                    are_streams=wanted.streams,
                )
            )


def _run(code: str, settings: dict[str, str]) -> str:
    asked = [sys.executable, "-c", code]
    return subprocess.run(asked, env=settings, check=True, capture_output=True, text=True).stdout


async def _measure(
    count: int,
    boards: list[tuple[int, str]],
    port: int,
    web: list[int],
    settings: dict[str, str],
    pace: Pace,
    *,
    are_streams: bool,
) -> None:
    crowd, seconds = Crowd(port, pace.settling), pace.seconds
    watch = crowd.follow if are_streams else crowd.watch
    idle = await _share(web, pace.idle)
    memory = _memory(web)
    watchers = [asyncio.create_task(watch(*boards[at % len(boards)])) for at in range(count)]
    await asyncio.sleep(pace.settling)
    crowd.questions, crowd.answers = 0, []
    watched = await _share(web, seconds)
    questions, answers = crowd.questions, sorted(crowd.answers)
    player = await _player(settings)
    asked = crowd.questions
    playing = await _share(web, seconds, _play(crowd, boards, player, seconds))
    asked = crowd.questions - asked
    page = await _page_cost(web, port, boards[0][0], pace.idle)
    for one in watchers:
        if one.done():
            one.result()  # raises what ended it: the figures would be of fewer watchers
        one.cancel()
    noticed = crowd.delays()
    if not noticed:
        sys.exit(f"nobody noticed any of {len(crowd.played)} moves")
    used, each = watched - idle, 1e6 * (watched - idle) * seconds / max(questions, 1)
    print(f"{'streams' if are_streams else 'watchers'} {count}, boards {len(boards)}")
    print(f"web process, idle: {idle:.1%} of a core, {memory:.0f} MB")
    print(f"watched: {used:.1%} of a core more, {_memory(web):.0f} MB")
    if answers:
        print(f"  {questions / seconds:.0f} questions a second, {each:.0f} µs each, ", end="")
        print(f"answered after p50 {_at(answers, 0.5):.4f} s, p99 {_at(answers, 0.99):.4f} s")
    print(f"{len(crowd.played)} moves, {1 / MOVES_EVERY:.0f} a second:")
    print(f"  {playing:.1%} of a core", end="")
    print("" if are_streams else f", {asked / seconds:.0f} questions a second")
    print(f"  noticed {len(noticed)} times, p50 {_at(noticed, 0.5):.2f} s, ", end="")
    print(f"p99 {_at(noticed, 0.99):.2f} s, most {_at(noticed, 1):.2f} s after the move")
    print(f"a whole page of a board: {page * 1e3:.1f} ms of processor")


async def _player(settings: dict[str, str]) -> asyncio.subprocess.Process:
    """Start a process that makes a move at each board it is told."""
    player = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PLAY),
        env=settings,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert player.stdout is not None  # asked for above
    await player.stdout.readline()
    return player


async def _play(
    crowd: Crowd,
    boards: list[tuple[int, str]],
    player: asyncio.subprocess.Process,
    seconds: float,
) -> None:
    assert player.stdin is not None  # see `_player`
    assert player.stdout is not None
    ends = time.monotonic() + seconds * 0.8
    for board, _ in cycle(boards):
        if time.monotonic() > ends:
            break
        player.stdin.write(f"{board}\n".encode())
        began, stored = map(float, (await player.stdout.readline()).split())
        crowd.played.append(Played(board, began, stored))
        await asyncio.sleep(MOVES_EVERY)
    player.stdin.close()
    await player.wait()


async def _page_cost(web: list[int], port: int, board: int, idle: float) -> float:
    """Return the processor seconds of a board's page, alone; watchers ask on meanwhile."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    before = _spent(web)
    began = time.monotonic()
    for _ in range(PAGES):
        writer.write(f"GET /boards/{board}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await _body(reader)
    seconds = time.monotonic() - began
    spent = _spent(web) - before
    base = await _share(web, idle)
    return (spent - base * seconds) / PAGES


async def _share(web: list[int], seconds: float, beside: object = None) -> float:
    """Return which share of a core the web process uses for a while."""
    before, began = _spent(web), time.monotonic()
    if beside is None:
        await asyncio.sleep(seconds)
    else:
        await asyncio.gather(asyncio.sleep(seconds), beside)  # type: ignore[arg-type]
    return (_spent(web) - before) / (time.monotonic() - began)


def _web(supervisor: int) -> list[int]:
    """Return the web process and the worker that it started."""
    found = [pid for pid in _children(supervisor) if _name(pid) == "sarsen web"]
    return found + [child for pid in found for child in _children(pid)]


def _children(process: int) -> list[int]:
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(one) for one in text.split()]


def _name(process: int) -> str:
    return Path(f"/proc/{process}/comm").read_text().strip()


def _spent(processes: list[int]) -> float:
    """Return the processor seconds that processes have used."""
    spent = 0.0
    for process in processes:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        spent += (int(fields[11]) + int(fields[12])) / TICKS
    return spent


def _memory(processes: list[int]) -> float:
    kept = [Path(f"/proc/{one}/status").read_text() for one in processes]
    return sum(int(re.search(r"VmRSS:\s+(\d+)", one)[1]) for one in kept) / 1024  # type: ignore[index]


def _at(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


if __name__ == "__main__":
    main()
