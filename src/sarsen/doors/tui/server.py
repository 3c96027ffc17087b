"""Ask the server from the screens without holding them up."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from sarsen.client import Client, Refused, Unreachable
from sarsen.language.facts import StreamEvent

Result = TypeVar("Result")


async def in_background(work: Callable[[], Result]) -> Result:
    """Do something in a thread that nobody waits for when the program ends."""
    future: Future[Result] = Future()

    def run() -> None:
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except BaseException as failure:
                future.set_exception(failure)  # for the coroutine that awaits it

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(future)


class Refresher:
    """Repeat some work on request; requests that come meanwhile become one."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._work = work
        self._is_wanted = self._is_working = False

    def request(self, run: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        """Have it done; `run` starts what is awaited."""
        self._is_wanted = True
        if not self._is_working:
            self._is_working = True
            run(self._go_on())

    async def _go_on(self) -> None:
        try:
            while self._is_wanted:
                self._is_wanted = False
                await self._work()
        finally:
            self._is_working = False


class ServerConnection:
    """One server, asked one question after the other."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token
        self._client = Client(url, token)
        self._lock = threading.Lock()  # `Client` has one connection, and threads ask

    async def ask(self, question: Callable[[Client], Result]) -> Result:
        """Ask in the background.

        Raises:
            UserError: The server refused, or is away.
        """

        def answer() -> Result:
            with self._lock:
                return question(self._client)

        return await in_background(answer)

    def listen(self, tell: Callable[[StreamEvent], object]) -> threading.Thread:
        """Pass on every item of the stream, from a thread; lost connections are renewed."""

        def run() -> None:
            # The program has ended; or the token has: then the next question says so.
            with contextlib.suppress(RuntimeError, Refused, Unreachable):
                for event in Client(self._url, self._token).events():
                    tell(event)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread


HUNG_UP = 129  # the status of a program that the signal for it has ended: 128 and its number


def leave_with(terminal: int) -> threading.Thread:
    """End the program at once when a terminal hangs up.

    The signal for it does the same, but it is ignored below `nohup`, and a session without a
    controlling terminal gets none. Textual then reads an empty end without end. There is nothing
    to tidy: the terminal has gone, and what counts is kept by the server.
    """
    return when_hung_up(terminal, lambda: os._exit(HUNG_UP))


def when_hung_up(terminal: int, leave: Callable[[], object]) -> threading.Thread:
    """Call something, from a thread, when a terminal hangs up; what is none never does."""

    def wait() -> None:
        watch = select.poll()
        # Nothing is asked for: what is typed is for others, and hanging up is told unasked.
        watch.register(terminal, 0)
        if any(what & select.POLLHUP for _, what in watch.poll()):
            leave()

    thread = threading.Thread(target=wait, daemon=True)
    # Windows has no such call, and closes its programs with their window.
    if hasattr(select, "poll") and os.isatty(terminal):
        thread.start()
    return thread
