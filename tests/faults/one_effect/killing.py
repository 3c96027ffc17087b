"""Kill a process that uses the database, at a statement or at a commit, as `kill -9` would.

What is raised ends the work at once, and from then on no statement reaches the database:
whatever cleans up on the way out does so in vain, like a process that is no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connections


class Killed(BaseException):
    """Nothing else is run by this process."""


@dataclass(frozen=True)
class Moment:
    """When a process dies.

    Attributes:
        number: Of the statement, or of the commit, counted from 1; 0: never.
        at: `statement` dies before one, `commit` before one, `committed` right after one.
    """

    number: int = 0
    at: str = "statement"


NEVER = Moment()


@dataclass
class Life:
    """How it went: whether the moment came."""

    moment: Moment
    statements: int = 0
    commits: int = 0
    is_over: bool = False

    def die(self) -> None:
        """End this life."""
        self.is_over = True
        raise Killed

    def comes(self, at: str, number: int) -> None:
        """Die if this is the moment, or if it has been."""
        if self.is_over or (at == self.moment.at and number == self.moment.number):
            self.die()


_lives: list[Life] = []


def die_now() -> None:
    """End the present life: for what is no statement, such as a word with the relay."""
    _lives[-1].die()


@contextmanager
def living_until(moment: Moment) -> Iterator[Life]:
    """Do what stands in the block until the moment; then there is a new process.

    Who is killed is seen in `Life.is_over`; nothing is raised.
    """
    life = Life(moment)
    connection = connections["default"]
    commit = connection._commit

    def before_statement(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        life.statements += 1
        life.comes("statement", life.statements)
        return execute(sql, params, many, context)

    def commit_or_die() -> None:
        life.commits += 1
        life.comes("commit", life.commits)
        commit()
        life.comes("committed", life.commits)

    connection._commit = commit_or_die  # type: ignore[method-assign]
    _lives.append(life)
    try:
        with connection.execute_wrapper(before_statement):
            yield life
    except BaseException:
        # Not always `Killed`: what cleans up on a dead connection raises errors of its own.
        if not life.is_over:
            raise
    finally:
        _lives.pop()
        del connection._commit  # type: ignore[misc]
        if life.is_over:
            _forget_connection()


def _forget_connection() -> None:
    """Close the dead process's connection, whose work is undone, and let the next make its own."""
    dead = connections["default"]
    if dead.connection is not None:
        dead._close()
    del connections["default"]
