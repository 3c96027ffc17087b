"""How fast bots answer beside 20 people who analyse without a pause, at a running server.

`python -m bench.analysts --data FOLDER`: the folder of a server that runs, of its own. Blocks with
and without analysts take turns, so that other work on the machine is in both.
"""

from __future__ import annotations

import argparse
import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median

ANALYSTS, BLOCKS, MOVES = 20, 6, 15
LEVEL, GAME, OPTIONS = 5, "druid", "-size=6"


def main() -> None:
    """Measure, and print the medians."""
    parser = argparse.ArgumentParser(prog="python -m bench.analysts", description=__doc__)
    parser.add_argument("--data", required=True, metavar="FOLDER")
    parser.add_argument("--level", type=int, default=LEVEL)
    words = parser.parse_args()
    os.environ |= {"SARSEN_DATA": words.data, "DJANGO_SETTINGS_MODULE": "sarsen.server.settings"}
    import django

    django.setup()
    alone: list[float] = []
    beside: list[float] = []
    _answers(words.level, 3)
    for block in range(BLOCKS):
        if block % 2:
            with _analysts() as count:
                beside += _answers(words.level, MOVES)
            print(f"  questions answered meanwhile: {count[0]}")
        else:
            alone += _answers(words.level, MOVES)
    for name, seconds in (("alone", alone), (f"beside {ANALYSTS} analysts", beside)):
        print(f"{name}: p50 {median(seconds):.3f} s, worst {max(seconds):.3f} s of {len(seconds)}")
    print(f"p50 changes by {100 * (median(beside) / median(alone) - 1):+.1f} %")


def _answers(level: int, count: int) -> list[float]:
    """Play against a bot; return how long each of its answers took, in seconds."""
    from django.utils import timezone

    from sarsen.language.challenges import MakeChallenge
    from sarsen.language.commands import PlayMove, Resign
    from sarsen.services.dispatch import perform
    from sarsen.services.matches import matches
    from sarsen.services.request import Actor
    from sarsen.storage.models import Match

    player = _player(f"bench-player-{os.getpid()}")
    seconds: list[float] = []
    chance = random.Random(count)
    board = 0
    while len(seconds) < count:
        match = Match.objects.filter(pk=board, ended_at=None).first()
        if match is None or match.ply > 8:
            if match is not None:  # programs play so many games with one player at once
                resign = Resign(GAME, board, confirmed=True)
                perform(resign, Actor(player), "", timezone.now())
            stands = perform(
                MakeChallenge(GAME, OPTIONS, ("--unrated",), (player.userid, f"bot{level}")),
                Actor(player),
                "",
                timezone.now(),
            )
            board = stands.board or 0  # type: ignore[union-attr]
            match = Match.objects.get(pk=board)
        position = matches.position_of(match)
        text = position.format(chance.choice(position.legal_moves()))
        perform(PlayMove(GAME, board, text), Actor(player), "", timezone.now())
        began, events = time.monotonic(), match.event_count + 1
        while Match.objects.filter(pk=board, event_count=events, ended_at=None).exists():
            time.sleep(0.005)
        seconds.append(time.monotonic() - began)
    return seconds


@contextmanager
def _analysts() -> Iterator[list[int]]:
    """Let people analyse one position after the other; count the answers."""
    stop, count = threading.Event(), [0]
    threads = [
        threading.Thread(target=_analyse, args=(number, stop, count), daemon=True)
        for number in range(ANALYSTS)
    ]
    for thread in threads:
        thread.start()
    time.sleep(1.0)
    yield count
    stop.set()
    for thread in threads:
        thread.join()


def _analyse(number: int, stop: threading.Event, count: list[int]) -> None:
    from django.db import close_old_connections, connections
    from django.utils import timezone

    from sarsen.core.errors import UserError
    from sarsen.learning.analysis import read_question
    from sarsen.services.analysis import questions
    from sarsen.services.request import Actor

    asker, chance = Actor(_player(f"bench-{number}")), random.Random()
    row = questions.row_of(asker, timezone.now()).pk
    while not stop.is_set():
        line: list[str] = []
        question = read_question(GAME, "", line)
        for _ in range(chance.randrange(2, 12)):
            move = chance.choice(question.position.legal_moves())
            line.append(question.position.format(move))
            question = read_question(GAME, "", line)
        close_old_connections()
        try:
            questions.ask(question, asker, timezone.now())
        except UserError:
            return
        # As often as pages are told; the server looks once for all of them.
        while not stop.wait(0.25) and number_of_waiting(row):
            pass
        count[0] += not stop.is_set()
    connections.close_all()


def number_of_waiting(row: int) -> int:
    """Return whether the question of an asker is still searched."""
    from sarsen.services.analysis.questions import OPEN
    from sarsen.storage.models import Analyst

    return Analyst.objects.filter(pk=row, state__in=OPEN).count()


def _player(userid: str):  # type: ignore[no-untyped-def]
    from django.utils import timezone

    from sarsen.storage.models import Player

    facts = {"userid": userid, "joined_at": timezone.now()}
    player, _ = Player.objects.get_or_create(key=userid, defaults=facts)
    return player


if __name__ == "__main__":
    main()
