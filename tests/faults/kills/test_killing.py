"""Kill -9 of every process at random moments, under load: nothing is lost, nothing done twice.

The long form kills KILLS times (1,000) on SQLite, and on PostgreSQL where `tests/with_postgres`
gives one; SEED draws the moments and the moves anew, MINUTES ends the kills early, and WORKERS
says how many run (2).
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from faults.kills.clients import Book
from faults.kills.household import Household, household
from faults.kills.settling import audit, settle
from faults.kills.traffic import Table, set_tables

GAMES = ("druid,-size=6", "gyges", "visavis,-size=9", "druid,-size=4", "gyges", "vasco,-size=20")
MOVES_A_KILL = 8  # at the most, so that they last until the last kill
# What is answered between two kills, so that on any machine they are not all of one moment.
MAX_ANSWERED = 8
MAX_WAIT = 60.0  # seconds for that; on a busy machine a process starts slowly
# On a busy machine: the kills end after so many minutes, and all is audited then.
MINUTES = float(os.environ.get("MINUTES") or "inf")
WORKERS = int(os.environ.get("WORKERS") or 2)
ROLES = ("listener", "worker", "sender", "web")


@pytest.mark.slow  # ten seconds of processor, most of them to load everything five times
def test_f1_f2_f9_f22_a_few_kills_lose_and_double_nothing(
    tmp_path: Path, seed: int, count: Callable[[str, object], None]
) -> None:
    with household(tmp_path / "data") as house:
        run(house, seed, 6, count, tables=3, boards=3, plies=20, workers=1)


@pytest.mark.slow
def test_f1_f2_f9_f22_a_thousand_kills_lose_and_double_nothing(
    tmp_path: Path,
    seed: int,
    count: Callable[[str, object], None],
    amount: Callable[[str, int, int], int],
) -> None:
    with household(tmp_path / "data") as house:
        kills = amount("KILLS", 1000, 12)
        boards = max(24, kills // 4)
        run(house, seed, kills, count, tables=8, boards=boards, plies=70, workers=WORKERS)


def run(
    house: Household,
    seed: int,
    kills: int,
    count: Callable[[str, object], None],
    *,
    tables: int,
    boards: int,
    plies: int,
    workers: int,
) -> None:
    """Play and kill; settle; then audit everything."""
    chance, book = random.Random(seed), Book()
    made = house.make_world(seed, plies, [GAMES[number % len(GAMES)] for number in range(boards)])
    house.open()
    house.start("listener", "web", "worker", *(f"worker{one}" for one in range(2, workers + 1)))
    house.await_ports()
    allowed = threading.Semaphore(MOVES_A_KILL)
    seated = set_tables(house, made, book, seed, tables, allowed)
    began = time.monotonic()
    for table in seated:
        table.start()
    killed = kill_at_random(house, seated, book, chance, kills, allowed)
    for table in seated:
        table.stopped.set()
    for table in seated:
        table.join(180)
        assert table.failed is None, table.failed
        assert not table.is_alive()
    settle(house)
    found = audit(house, _books(seated), book.mails, book.chats)
    for role in killed:
        count(f"kills of the {role}", killed[role])
    count("mails answered 250", len(book.mails))
    count("moves by programs and on pages", len(book.kept))
    count("sent again", book.repeats)
    count("letters", len(house.relay.copies))
    count("second copies, same Message-ID", house.relay.doubles)
    count("jobs left running", found["figures"]["jobs left running"])
    count("lost or doubled", len(found["faults"]) + len(book.faults))
    count("seconds", round(time.monotonic() - began))
    assert not book.faults, book.faults[:5]
    assert not found["faults"], found["faults"][:5]
    assert sum(killed.values()) == kills or bool(os.environ.get("MINUTES"))


def kill_at_random(
    house: Household,
    seated: list[Table],
    book: Book,
    chance: random.Random,
    kills: int,
    allowed: threading.Semaphore,
) -> Counter[str]:
    """Kill and start again, while the tables play; a sender dies with a letter in its hand."""
    killed: Counter[str] = Counter()
    end = time.monotonic() + 60 * MINUTES
    for _ in range(kills):
        if time.monotonic() > end:
            break
        role = chance.choice(ROLES)
        allowed.release(MOVES_A_KILL)
        _await_answers(book, chance)
        failed = [repr(table.failed) for table in seated if table.failed]
        assert not failed, failed
        if not any(table.is_alive() for table in seated):
            break  # all games are played
        # With several workers the one that dies has that letter in its hand, or another one.
        name = chance.choice(house.workers) if role in ("worker", "sender") else role
        if role == "sender":
            _await_letter(house, after=chance.random() < 0.5)
        elif role == "web" and chance.random() < 0.5:
            house.kill_below(name)
            house.start(name)
            killed[role] += 1
            continue
        house.kill(name)
        house.start(name)
        killed[role] += 1
    return killed


def _await_answers(book: Book, chance: random.Random) -> None:
    """Wait until some more is answered, and a moment of any length behind it."""
    enough = book.answered + chance.randrange(MAX_ANSWERED)
    end = time.monotonic() + MAX_WAIT
    while book.answered < enough and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(chance.uniform(0, 0.05))


def _await_letter(house: Household, *, after: bool) -> None:
    """Wait until a letter is at the relay and not marked: before its 250, or just after."""
    taken = len(house.relay.order)
    end = time.monotonic() + 3
    while len(house.relay.order) == taken and time.monotonic() < end:
        time.sleep(0.0005)
    if after:
        time.sleep(0.002)


def _books(seated: list[Table]) -> dict[int, list[str]]:
    """Return the moves that were acknowledged, by board."""
    return {
        board["board"]: [move["text"] for move in board["moves"][: table.played[board["board"]]]]
        for table in seated
        for board in table.boards
    }
