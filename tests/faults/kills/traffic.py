"""Games by mail, by programs and on pages, at several boards at once, until told to stop."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Iterable
from typing import Any

import psycopg

from faults.kills.clients import PATIENCE, PAUSE, Book, Browser, Mailer
from faults.kills.household import Household
from processes.conftest import DOMAIN

AHEAD = 4  # moves by mail sent before the first of them is looked for
DOORS = ("reply", "reply", "reply", "mail", "program", "program", "page")


class Table(threading.Thread):
    """Play some boards, one move here and one there, each move at a door that is drawn."""

    def __init__(
        self,
        house: Household,
        boards: list[dict[str, Any]],
        book: Book,
        chance: random.Random,
        allowed: threading.Semaphore,
    ) -> None:
        super().__init__(daemon=True)
        self._allowed = allowed
        self._house, self.boards, self._book, self._chance = house, boards, book, chance
        self._mailer = Mailer(house.smtp, book)
        self._browser = Browser(house.http, book)
        self.stopped = threading.Event()
        self.failed: BaseException | None = None
        self.played: dict[int, int] = {board["board"]: 0 for board in boards}
        self._unseen: dict[int, int] = {}
        self._last: dict[int, str] = {}  # the door of a board's last move

    def run(self) -> None:
        try:
            while not self.stopped.is_set():
                going = [
                    one for one in self.boards if self.played[one["board"]] < len(one["moves"])
                ]
                if not going:
                    return
                if self._allowed.acquire(timeout=0.2):
                    self._play_at(self._chance.choice(going))
        except BaseException as failed:
            self.failed = failed
        finally:
            self._mailer.close()

    def _play_at(self, board: dict[str, Any]) -> None:
        number = board["board"]
        move = board["moves"][self.played[number]]
        door = self._chance.choice(DOORS)
        # Only mail is kept in order by being stored, and with several workers only what goes to
        # one board's addresses: all others look first, as people and programs have to.
        may_be_ahead = door == "reply" and self._last.get(number) in (None, "reply")
        if not may_be_ahead or self._unseen.get(number, 0) >= AHEAD:
            self._await(number, self.played[number])
        if door in ("program", "page"):
            self._play_online(board, move, door)
        else:
            self._play_by_mail(board, move, door)
            self._unseen[number] = self._unseen.get(number, 0) + 1
        self.played[number] += 1
        self._last[number] = door

    def _play_by_mail(self, board: dict[str, Any], move: dict[str, Any], door: str) -> None:
        number = board["board"]
        if door == "reply":
            said = move["signed"], f"Re: Board {number}", f"{move['text']}\n\n> quoted\n"
        else:
            who = f"{move['userid']} {move['password']}"
            line = f"{board['game']} move {number} {who} {move['text']}"
            said = f"sarsen@{DOMAIN}", line, ""
        dice = self._chance.random()
        if dice < 0.1:
            self._mailer.hang_up(move, number, *said)
        self._mailer.send(move, number, *said)
        if dice > 0.9:
            self._mailer.send_again()

    def _play_online(self, board: dict[str, Any], move: dict[str, Any], door: str) -> None:
        number, ply = board["board"], move["ply"]
        line = f"{board['game']} move {number} {move['text']}#{ply}"
        if door == "program":
            key = f"move-{number}-{ply}"
            for _ in range(1 + (self._chance.random() > 0.9)):
                self._browser.call(move, "line", {"line": line}, key)
            said = f"at ply {ply}"
            asked = {"game": board["game"], "board": number, "text": said}
            self._browser.call(move, "commands/chat", asked, f"chat-{number}-{ply}")
            with self._book.lock:
                self._book.chats.append((number, said))
        else:
            token = f"{1_700_000_000 + ply:08x}-{number:016x}"
            for _ in range(1 + (self._chance.random() > 0.9)):
                self._browser.post(move, line, token)
        with self._book.lock:
            self._book.kept[f"{number}.{ply}"] = (number, ply, move["text"])

    def _await(self, board: int, ply: int) -> None:
        end = time.monotonic() + PATIENCE
        while ply_of(self._house, board) < ply:
            assert time.monotonic() < end, f"board {board} never came to ply {ply}"
            time.sleep(PAUSE)
        self._unseen[board] = 0


def set_tables(
    house: Household,
    boards: list[dict[str, Any]],
    book: Book,
    seed: int,
    count: int,
    allowed: threading.Semaphore,
) -> list[Table]:
    """Return tables among which the boards are parted.

    Args:
        allowed: How many moves they may play together, until it is released for more.
    """
    return [
        Table(house, boards[number::count], book, random.Random(f"{seed}-{number}"), allowed)
        for number in range(count)
    ]


def ply_of(house: Household, board: int) -> int:
    """Ask the database how many moves a board has."""
    (row,) = rows(house, f"SELECT ply FROM storage_match WHERE id = {int(board)}")
    return int(row[0])


def rows(house: Household, query: str) -> Iterable[tuple[Any, ...]]:
    """Ask the database past the server, and change nothing there."""
    if house.database:
        with psycopg.connect(house.database, autocommit=True) as asked:
            return list(asked.execute(query))  # type: ignore[arg-type,call-overload]
    eyes = sqlite3.connect(f"file:{house.file}?mode=ro", uri=True, timeout=60)
    try:
        return eyes.execute(query).fetchall()
    finally:
        eyes.close()


def change(house: Household, order: str) -> None:
    """Change the database past the server: time that goes by, and the like."""
    if house.database:
        with psycopg.connect(house.database, autocommit=True) as asked:
            asked.execute(order)  # type: ignore[arg-type,call-overload]
        return
    hand = sqlite3.connect(house.file, timeout=60)
    try:
        hand.execute("PRAGMA synchronous=OFF")
        hand.execute(order)
        hand.commit()
    finally:
        hand.close()
