"""Fault 14: with SQLite a transaction that writes asks for that at its very beginning.

One that reads first, and writes what it has read, could be refused in its middle, or rest on
what another has changed since. So every transaction of the server begins as a write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from command_lines import LINES
from every_command import prepared
from sarsen.language.commands import COMMANDS
from sarsen.services.command_lines import read_and_perform
from sarsen.services.request import Actor
from sarsen.storage.models import Player
from web_world import NOW, World

pytestmark = pytest.mark.django_db(transaction=True)
BEGINNINGS = ("BEGIN IMMEDIATE", "BEGIN EXCLUSIVE")


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Yield all statements that the block executes."""
    statements: list[str] = []

    def record(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(record):
        yield statements


def say_every_line(words: dict[str, Any]) -> None:
    """Do everything that can be said at any door."""
    for command in COMMANDS:
        line = LINES[command]
        said = [("ann", text, "") for text in line.needs]
        said += [("bob", text, "") for text in line.of_bob]
        for userid, text, body in [*said, ("ann", line.text, line.body)]:
            actor = Actor(Player.objects.filter(key=userid).first())
            read_and_perform(text.format(**words), body, actor, "", NOW)


def test_f14_every_transaction_begins_as_a_write() -> None:
    if connection.vendor != "sqlite":
        return  # of PostgreSQL nothing else is true: it holds rows, and no whole database
    words = prepared(World())
    with recorded() as statements:
        say_every_line(words)
    begun = [sql for sql in statements if sql.startswith("BEGIN")]
    assert len(begun) > len(COMMANDS) // 2
    assert {sql for sql in begun if sql not in BEGINNINGS} == set()
