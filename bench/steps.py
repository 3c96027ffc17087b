"""What a long run is doing: a bar at a terminal, a line a step elsewhere, on standard error."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

Step = Callable[[str], None]


@contextmanager
def shown_steps(total: int) -> Iterator[Step]:
    """Yield a function that is told what comes next; a terminated run cleans up, too."""
    signal.signal(signal.SIGTERM, _interrupt)
    console, began = Console(stderr=True), time.monotonic()
    columns = (MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total)

        def step(what: str) -> None:
            progress.update(task, description=what, advance=1)
            if not console.is_terminal:
                print(f"{time.monotonic() - began:6.1f} s  {what}", file=sys.stderr, flush=True)

        try:
            yield step
        except KeyboardInterrupt:
            sys.exit("stopped; nothing was left behind")


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
