"""Through which files and functions of sarsen the second Druid move passes: by mail, by a tap.

`python -m bench.passage [--json]` plays two moves of a board over a real listener and the
worker's jobs, or by requests of a browser, and counts what the second move calls, from the
mail or request received to the letters handed to a relay. Files and functions are those of
`src/sarsen`, the game's included; changes of file are calls from one file of it to another.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from bench.mail import write_mail
from bench.server import DOMAIN, environment, free_port, make_tables
from bench.stocking import MoveMail, stock

SOURCE = str(Path(__file__).parents[1] / "src" / "sarsen")


class Passage:
    """The functions of sarsen called while it is entered, in every thread."""

    def __init__(self) -> None:
        self.functions: Counter[tuple[str, str]] = Counter()
        self.changes = 0

    def __enter__(self) -> Passage:
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    @property
    def files(self) -> set[str]:
        return {file for file, _ in self.functions}

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(SOURCE):
            return
        if code.co_name == "<module>":  # an import is not a step of the move
            return
        self.functions[code.co_filename, code.co_qualname] += 1
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        self.changes += caller != code.co_filename


def main() -> None:
    """Trace both ways, and print the counts."""
    options = argparse.ArgumentParser(prog="python -m bench.passage")
    options.add_argument("--json", action="store_true", help="print every file and function")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="passage-") as folder:
        around = _set_up(Path(folder))
        by_mail, by_web = stock(2, 4, around)
        ways = {"mail": _trace_mail(by_mail), "web": _trace_web(by_web)}
    if asked.json:
        print(json.dumps({way: _listed(passage) for way, passage in ways.items()}, indent=1))
        return
    for way, passage in ways.items():
        print(
            f"{way:5} {len(passage.files):4} files {len(passage.functions):5} functions "
            f"{passage.changes:5} changes of file"
        )


def _listed(passage: Passage) -> dict[str, list[str]]:
    files = sorted(passage.files)
    return {
        str(Path(file).relative_to(SOURCE)): [name for at, name in passage.functions if at == file]
        for file in files
    }


def _set_up(folder: Path) -> dict[str, str]:
    around = environment(folder, free_port()) | {"SARSEN_BOTS": "off"}
    os.environ.update({name: around[name] for name in around if name.startswith("SARSEN_")})
    make_tables(folder)
    from sarsen.server.setup import set_up

    set_up()
    return around


def _trace_mail(moves: list[MoveMail]) -> Passage:
    """Send each move to a listener in this process; note what the second one passes."""
    from sarsen.doors.mail.jobs import answer_mail, send_mail
    from sarsen.doors.mail.receive.listener import serve

    passage = Passage()
    loop, port, stopped = asyncio.new_event_loop(), free_port(), asyncio.Event()
    relay = subprocess.Popen(
        [sys.executable, "-m", "bench.relay", os.environ["SARSEN_SMTP_URL"].rpartition(":")[2]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert relay.stdout is not None
    assert relay.stdout.readline() == "ready\n"
    serving = loop.create_task(serve(("127.0.0.1", port), None, DOMAIN, "", stopped))
    try:
        for number, move in enumerate(moves):
            with passage if number == 1 else Passage():
                loop.run_until_complete(_send(port, move))
                answer_mail.func()
                send_mail.func()
    finally:
        stopped.set()
        loop.run_until_complete(serving)
        relay.terminate()
        relay.wait()
    return passage


async def _send(port: int, move: MoveMail) -> None:
    from bench.client import Session

    recipient, message = write_mail(move, by_password=False)
    await asyncio.sleep(0.1)  # the listener begins
    session = await Session.open(port)
    await session.send(move.sender, recipient, message)


def _trace_web(moves: list[MoveMail]) -> Passage:
    """Send each move as the board's page does after a tap; note what the second one passes."""
    from django.conf import settings
    from django.test import Client

    settings.ALLOWED_HOSTS = ["*"]
    passage = Passage()
    for number, move in enumerate(moves):
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = move.session
        with passage if number == 1 else Passage():
            sent = {"line": f"move {move.board} {move.text}", "back": f"/boards/{move.board}/"}
            answer: Any = client.post("/do/", sent, follow=True)
        assert answer.status_code == 200, answer.content[:500]
    from sarsen.storage.models import Match

    assert Match.objects.get(pk=moves[0].board).ply == len(moves), "a move was refused"
    return passage


if __name__ == "__main__":
    main()
