"""Bring a household to rest, and compare all books."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from faults.kills.household import HERE, Household
from faults.kills.traffic import change, rows
from processes.conftest import await_true

# Of `services.outbox`: what is promised to operators, and not to be read from the code.
CLAIM_LASTS = timedelta(seconds=30)


def settle(house: Household) -> None:
    """Let time go by until claims of the dead are over, and everything due be done."""
    await_true(lambda: not waits(house, "storage_inboundmail", "new"), "a mail is never answered")
    # Nobody alive holds these letters.
    for name in house.workers:
        house.kill(name)
    let_claims_end(house)
    house.start("worker")
    await_true(lambda: not waits(house, "storage_outgoingmail", "waiting"), "a letter never went")
    house.kill("worker")


def let_claims_end(house: Household) -> None:
    """Move the times of waiting letters, as if the seconds that a claim lasts had gone by."""
    seconds = CLAIM_LASTS.total_seconds() + 1
    earlier = f"strftime('%Y-%m-%d %H:%M:%f', due_at, '-{seconds} seconds')"
    if house.database:
        earlier = f"due_at - interval '{seconds} seconds'"
    change(house, f"UPDATE storage_outgoingmail SET due_at = {earlier} WHERE state = 'waiting'")


def waits(house: Household, table: str, state: str) -> int:
    (row,) = rows(house, f"SELECT COUNT(*) FROM {table} WHERE state = '{state}'")
    return int(row[0])


def audit(
    house: Household,
    moves: Mapping[int, Sequence[str]],
    mails: Iterable[str],
    chats: Sequence[tuple[int, str]] = (),
) -> dict[str, Any]:
    """Return what does not balance, and figures.

    Args:
        moves: The texts that were acknowledged, by board.
        mails: The Message-IDs that were answered 250.
    """
    books = {
        "moves": moves,
        "mails": list(mails),
        "chats": chats,
        "letters": list(house.relay.copies),
    }
    done = subprocess.run(
        [sys.executable, str(HERE / "audit.py")],
        env={name: word for name, word in house.environment.items() if name != "LD_PRELOAD"},
        input=json.dumps(books),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    found["faults"] += house.relay.faults()
    return found


def require_balance(
    house: Household, board: Mapping[str, Any], plies: int, mails: Iterable[str]
) -> None:
    """Settle, and require that one board holds its first moves and everybody was told."""
    settle(house)
    texts = [move["text"] for move in board["moves"][:plies]]
    found = audit(house, {board["board"]: texts}, mails)
    assert not found["faults"], found["faults"]
