"""How far long work is, and about when it ends: on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import click
from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bars

EVERY = 30.0  # seconds between two lines, at least, in a file


@dataclass
class Progress:
    """Write how far work is, each time that a part of it is done.

    Attributes:
        total, unit: What is counted: 200 "games". The total may change on the way; 0 is unknown.
        step: How many of them each call of `show` adds.
        write: Gets how many are done, and a line about it.
        every: Seconds between two lines, at least.
    """

    total: int
    unit: str
    step: int
    write: Callable[[int, str], None]
    every: float = 0.0
    clock: Callable[[], float] = time.monotonic
    updates: int = 0

    def __post_init__(self) -> None:
        self.begun = self.written = self.clock()

    def show(self, done: int, text: str = "") -> None:
        """Write that so many are done, also in earlier runs; `text` tells more about them.

        The time left is estimated by the mean of what was done in this run.
        """
        self.updates += 1
        now = self.clock()
        if now - self.written < self.every:
            return
        self.written = now
        seconds = (now - self.begun) / self.updates * (self.total - done) / self.step
        left = f", about {format_duration(seconds)} left" if done < self.total else ""
        self.write(done, f"{self.counted(done)}{left}  {text}".rstrip())

    def counted(self, done: int) -> str:
        """Return how many are done, of how many where that is known."""
        of = f" of {self.total}" if self.total else ""
        return f"{done}{of} {self.unit}"


@contextmanager
def shown_progress(
    total: int, unit: str = "games", step: int = 1, *, in_files: bool = True
) -> Iterator[Progress]:
    """Show progress while the `with` block lasts: a bar on a terminal, else a line now and then.

    Args:
        in_files: False to write nothing where standard error is no terminal.
    """
    console = Console(stderr=True)
    if not console.is_terminal:

        def write_line(_: int, line: str) -> None:
            if in_files:
                click.echo(line, err=True)

        yield Progress(total, unit, step, write_line, EVERY)
        return
    columns = (BarColumn(20), TextColumn("{task.description}", markup=False))
    with Bars(*columns, console=console) as bars:

        def write(done: int, line: str) -> None:
            # Without a total the bar moves to and fro.
            bars.update(task, completed=done, total=progress.total or None, description=line)

        progress = Progress(total, unit, step, write)
        task = bars.add_task(progress.counted(0), total=total or None)
        yield progress


def format_duration(seconds: float) -> str:
    """Write a duration in one unit or two: `45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"
