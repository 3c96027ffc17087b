"""Tasks of a job, the answers that processes send, and what a crew of processes does."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from sarsen.core.errors import UserError

Task = TypeVar("Task")
Result = TypeVar("Result")
Task_contra = TypeVar("Task_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)


class Worker(Protocol[Task_contra, Result_co]):
    """Does tasks in one process, and holds what they need, such as started engines."""

    def do(self, task: Task_contra, /) -> Result_co:
        """Return the result of a task, which depends on the job and the task alone."""

    def close(self) -> None:
        """End what was started."""


class Job(Protocol[Task_contra, Result_co]):
    """Describes the work; it is pickled on its way to a process."""

    def open(self) -> Worker[Task_contra, Result_co]:
        """Return a worker, in the process that does the tasks."""


@dataclass(frozen=True)
class Done:
    """The result of a task."""

    result: Any


@dataclass(frozen=True)
class RefusedTask:
    """A `UserError` on its way between processes."""

    text: str
    code: str
    hint: str


@dataclass(frozen=True)
class Failed:
    """The traceback of any other exception."""

    text: str


Answer = Done | RefusedTask | Failed


def answer_of(work: Callable[[], Any]) -> Answer:
    """Return the result or error of some work in a form that can be sent to another process."""
    try:
        return Done(work())
    except UserError as refusal:
        return RefusedTask(str(refusal.text), refusal.code, refusal.hint)
    except Exception:
        # It is raised again, with this text, where the work was asked for.
        return Failed(traceback.format_exc())


def result_of(answer: Answer) -> Any:
    """Return the result that was sent, or raise the error."""
    match answer:
        case Done():
            return answer.result
        case RefusedTask():
            raise UserError(answer.text, code=answer.code, hint=answer.hint)
        case Failed():
            raise RuntimeError(answer.text)


def too_many_deaths(deaths: int, task: object) -> UserError:
    """Return the error for a task that every process dies at."""
    return UserError(
        f"{deaths} processes in a row ended while processing the same task: {task}.",
        code="player-process-ended",
        hint="Run it again; if memory is short, use fewer processes per machine.",
    )


@dataclass
class Turn:
    """A task that a process is at.

    Attributes:
        number: Of the task, counted from 0.
        deaths: Of processes that were at it.
    """

    number: int
    task: Any
    deaths: int = 0


class Crew(Protocol):
    """Processes that do tasks."""

    def hand_out(self, turns: Iterator[Turn]) -> None:
        """Send every idle process a task, as long as there are some."""

    def answers(self) -> Iterator[tuple[Turn, Any]]:
        """Wait for some task, and yield the results that have come; none when none is open."""

    def close(self) -> None:
        """End the processes, and what they started."""
