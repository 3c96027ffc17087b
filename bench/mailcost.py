"""What a move by mail costs of the processor, stage by stage, in one process.

`python -m bench.mailcost [--boards 16] [--rounds 7] [--ahead 3] [--pictures] [--statements]
[--profile STAGE]` plays on boards of four games over a real listener, the worker's job and a
relay that keeps nothing. With `--in-turn` each mail is alone in its batch: `--boards 4 --ahead 1`.
Client and relay are processes of their own, so that their time is not counted. Times are those of
the processor, so that a busy machine changes them little.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

from bench.mail import write_mail
from bench.server import DOMAIN, environment, free_port, make_tables
from bench.stocking import MoveMail, stock

GAMES = ("druid", "gyges", "vasco", "visavis")
WARM = 1  # rounds of all boards that are not counted: the first letters load what later ones share
LISTENING = "listen"
# By stage: what the worker calls for it, each once a mail, a letter or a group.
STAGES = {
    "load": ("sarsen.services.mail.waiting", "waiting"),
    "read": ("sarsen.doors.mail.jobs", "prepare"),
    "judge": ("sarsen.services.board_cache.BoardCache", "prejudge"),
    "settle": ("sarsen.services.mail.settle", "settle_all"),
    "claim": ("sarsen.services.mail.outgoing", "claim_due"),
    "word": ("sarsen.doors.mail.send.sending", "write_letter"),
    "compose": ("sarsen.doors.mail.send.sending", "_composed"),
    "relay": ("sarsen.doors.mail.send.sending", "_relay"),
}
Sent = tuple[str, str, str]  # sender, recipient, message
Round = list[list[Sent]]  # for each board, which has a session of its own


@dataclass
class Costs:
    """Processor seconds and statements by stage, of the moves counted."""

    moves: int = 0
    whole: float = 0.0
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    statements: Counter[str] = field(default_factory=Counter)
    stage: str = "else"


def main() -> None:
    """Measure, and print a line a stage."""
    asked = _options().parse_args()
    if asked.client:
        asyncio.run(_client(asked.client))
        return
    with tempfile.TemporaryDirectory(prefix="mailcost-") as folder:
        _measure(Path(folder), asked)


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser()
    options.add_argument("--boards", type=int, default=16)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--ahead", type=int, default=3)
    options.add_argument("--pictures", action="store_true", help="letters with their pictures")
    options.add_argument("--in-turn", action="store_true", help="one board after the other")
    options.add_argument("--statements", action="store_true")
    options.add_argument("--profile", choices=[LISTENING, *STAGES, "all"])
    options.add_argument("--sort", default="tottime")
    options.add_argument("--lines", type=int, default=60, help="of a profile")
    options.add_argument("--client", type=int, help=argparse.SUPPRESS)
    return options


def _measure(folder: Path, asked: argparse.Namespace) -> None:
    relay_port = free_port()
    around = environment(folder, relay_port, pictures=asked.pictures) | {"SARSEN_BOTS": "off"}
    os.environ.update({name: around[name] for name in around if name.startswith("SARSEN_")})
    make_tables(folder)
    plies = asked.ahead * (asked.rounds + WARM)
    boards = stock(asked.boards, plies, around, games=GAMES, by_mail_only=True)
    rounds = _rounds(boards, asked.ahead)
    warm = WARM
    if asked.in_turn:
        rounds, warm = [[board] for sent in rounds for board in sent if board], WARM * len(boards)
    relay = _spawn("-m", "bench.relay", str(relay_port))
    try:
        costs = _play(rounds, warm, asked)
    finally:
        relay.terminate()
        relay.wait()
    _report(costs)


def _rounds(boards: list[list[MoveMail]], ahead: int) -> list[Round]:
    """Return what is sent at once: the next moves of every board, in their order."""
    firsts = range(0, max(map(len, boards)), ahead)
    return [[list(map(_written, board[at : at + ahead])) for board in boards] for at in firsts]


def _written(move: MoveMail) -> Sent:
    recipient, message = write_mail(move, by_password=False)
    return move.sender, recipient, message.decode("ascii")


def _spawn(*words: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    if "bench.relay" in words:
        # What it notes goes unread.
        subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
    return process


def _play(rounds: list[Round], warm: int, asked: argparse.Namespace) -> Costs:
    from sarsen.server.setup import set_up

    set_up()
    from sarsen.doors.mail.jobs import answer_mail
    from sarsen.doors.mail.receive.listener import serve
    from sarsen.server.setup import collect_rarely

    collect_rarely()
    costs = Costs()
    profile = cProfile.Profile(time.process_time)
    _watch(costs, asked.profile, profile)
    loop, port, stopped = asyncio.new_event_loop(), free_port(), asyncio.Event()
    serving = loop.create_task(serve(("127.0.0.1", port), None, DOMAIN, "", stopped))
    loop.run_until_complete(asyncio.sleep(0.1))
    client = _spawn("-m", "bench.mailcost", "--client", str(port))
    try:
        for number, sent in enumerate(rounds):
            if number == warm:
                _begin(costs, profile)
            began = time.process_time()
            with _profiled(profile, asked.profile == LISTENING and number >= warm):
                loop.run_until_complete(_send(client, sent))
            costs.seconds[LISTENING] += time.process_time() - began
            is_profiled = asked.profile == "all" and number >= warm
            with _counting(costs, asked.statements), _profiled(profile, is_profiled):
                answer_mail.func()
            costs.whole += time.process_time() - began
            costs.moves += sum(map(len, sent))
    finally:
        client.terminate()
        client.wait()
        stopped.set()
        loop.run_until_complete(serving)
    _check(sum(len(moves) for sent in rounds for moves in sent))
    if asked.profile:
        pstats.Stats(profile).sort_stats(asked.sort).print_stats(asked.lines)
    return costs


def _begin(costs: Costs, profile: cProfile.Profile) -> None:
    costs.moves, costs.whole = 0, 0.0
    costs.seconds.clear()
    costs.statements.clear()
    profile.clear()


async def _send(client: subprocess.Popen[str], sent: Round) -> None:
    """Let the client send, and serve it meanwhile."""
    assert client.stdin is not None
    assert client.stdout is not None
    client.stdin.write(json.dumps(sent) + "\n")
    client.stdin.flush()
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(client.stdout.fileno(), done.set)
    await done.wait()
    loop.remove_reader(client.stdout.fileno())
    assert client.stdout.readline() == "done\n"


async def _client(port: int) -> None:
    from bench.client import Session

    print("ready", flush=True)
    sessions: list[Session] = []
    for line in sys.stdin:
        sent = json.loads(line)
        sessions = sessions or [await Session.open(port) for _ in sent]
        await asyncio.gather(
            *(_send_all(session, mails) for session, mails in zip(sessions, sent, strict=True))
        )
        print("done", flush=True)


async def _send_all(session: Any, mails: list[Sent]) -> None:
    for sender, recipient, message in mails:
        await session.send(sender, recipient, message.encode("ascii"))


def _watch(costs: Costs, profiled: str | None, profile: cProfile.Profile) -> None:
    """Take the time of what the worker calls for each stage."""
    from importlib import import_module
    from pkgutil import resolve_name

    for limit in ("READ_FOR", "HELD_FOR"):
        # One group whatever the machine does besides: more commits would be its fault.
        setattr(import_module("sarsen.doors.mail.jobs"), limit, 1e9)
    for stage, (owner, name) in STAGES.items():
        place = resolve_name(owner)
        is_profiled = stage == profiled
        timed = _timed(getattr(place, name), stage, costs, profile if is_profiled else None)
        setattr(place, name, timed)


def _timed(
    work: Callable[..., Any], stage: str, costs: Costs, profile: cProfile.Profile | None
) -> Callable[..., Any]:
    @wraps(work)
    def timed(*given: Any, **named: Any) -> Any:
        outer, costs.stage = costs.stage, stage
        began = time.process_time()
        try:
            with _profiled(profile, profile is not None):
                return work(*given, **named)
        finally:
            costs.seconds[stage] += time.process_time() - began
            costs.stage = outer

    return timed


def _profiled(profile: cProfile.Profile | None, wanted: bool) -> AbstractContextManager[Any]:
    return profile if wanted and profile is not None else nullcontext()


def _counting(costs: Costs, wanted: bool) -> AbstractContextManager[Any]:
    from django.db import connection

    def count(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        costs.statements[costs.stage] += 1
        return execute(sql, params, many, context)

    return connection.execute_wrapper(count) if wanted else nullcontext()


def _check(moves: int) -> None:
    """Refuse to report what did not happen: each move has an answer and a board letter."""
    from sarsen.storage.models import MatchEvent, OutgoingMail

    played = MatchEvent.objects.count()
    sent = OutgoingMail.objects.filter(state=OutgoingMail.State.SENT)
    letters = [sent.filter(kind=kind).count() for kind in ("answer", "board")]
    if played != moves or letters[0] < moves or letters[1] < moves:
        raise RuntimeError(f"{moves} mails, {played} moves, letters {letters}")


def _report(costs: Costs) -> None:
    known = sum(costs.seconds.values())
    rows = {LISTENING: costs.seconds[LISTENING]}
    rows |= {stage: costs.seconds[stage] for stage in STAGES}
    rows |= {"else": costs.whole - known, "whole": costs.whole}
    counted = "; statements" if costs.statements else ""
    print(f"{costs.moves} moves; processor microseconds a move{counted}")
    for stage, seconds in rows.items():
        count = costs.statements[stage] / costs.moves
        told = f"  {count:6.2f}" if costs.statements and stage != LISTENING else ""
        print(f"{stage:8} {1e6 * seconds / costs.moves:8.0f}{told}")


if __name__ == "__main__":
    main()
