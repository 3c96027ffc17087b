"""Answer the requests of the web: read them whole on an event loop, then compute in a few threads.

Python computes in one thread at a time, and a thread that waits for a slow client computes
nothing. So no thread waits for the network: Granian and the event loop read requests under
deadlines, a few threads work on those that are complete, and Granian sends the responses.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from io import BytesIO
from typing import IO, Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

import structlog
from granian.rsgi import HTTPProtocol, ProtocolClosed, Scope  # type: ignore[attr-defined]

from sarsen.server.bodies import Bodies, BodyRefused, length_of
from sarsen.server.long_polls import LongPolls
from sarsen.server.page_queue import KnownPlayers, PageQueue, Turn
from sarsen.services.events.topics import IS_HELD, HeldStream, Reading
from sarsen.services.limits.processor_time import IS_PLAYER, PAGE_THREADS

SEND_SECONDS = 10.0  # until a client has taken one piece of a stream; it may read no more
HEARTBEAT = 5.0  # seconds of silence after which a held stream says that all is well
UNREADABLE = "\xff"  # a header's value: no key, token, address or name of a host is so
Headers = list[tuple[str, str]]
log = structlog.get_logger()


class Gateway:
    """Run a WSGI application behind Granian's asynchronous interface (RSGI).

    Args:
        threads: Requests that are worked on at once. Always the same threads, since each
            keeps a connection to the database.
        quick: Starts of the paths that are answered in threads of their own, because they
            take no time: questions of open pages, and of monitors.
        streams: Threads for responses that are sent piece by piece as they are made; held
            streams are read in as many others.
        longest_body: In bytes.
        network: Return the network address that a request comes from.
        proof: Return the session or token that a request shows; "" for none.
        polls: Where questions of open pages, and held streams, wait for news.
    """

    def __init__(
        self,
        application: WSGIApplication,
        *,
        threads: int,
        quick: tuple[str, ...],
        streams: int,
        longest_body: int,
        network: Callable[[WSGIEnvironment], str],
        proof: Callable[[WSGIEnvironment], str] = lambda environ: "",
        polls: LongPolls | None = None,
    ) -> None:
        self._application = application
        self._quick = quick
        self._longest_body = longest_body
        self._network = network
        self._proof = proof
        self._polls = polls
        self._bodies = Bodies()
        self._pages = ThreadPoolExecutor(threads, thread_name_prefix="pages")
        self._questions = ThreadPoolExecutor(2, thread_name_prefix="questions")
        self._streams = ThreadPoolExecutor(streams, thread_name_prefix="streams")
        self._readings = ThreadPoolExecutor(streams, thread_name_prefix="readings")
        self._queue = PageQueue(threads)
        self._players = KnownPlayers()

    def end(self) -> None:
        """Answer what is held, for which Granian waits at the end of the process."""
        if self._polls is not None:
            self._polls.end()

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answer one request."""
        environ = _environ(scope)
        network = self._network(environ)
        try:
            body = b""
            if length := length_of(environ, self._longest_body):
                body = await self._bodies.read(protocol, length, network)
        except BodyRefused as refused:
            _refuse(refused, protocol, is_api=environ["PATH_INFO"].startswith("/api/"))
            return
        environ["wsgi.input"] = BytesIO(body)
        environ[PAGE_THREADS] = self._queue
        loop = asyncio.get_running_loop()
        if environ["PATH_INFO"].startswith(self._quick):
            if self._polls is not None:
                environ[IS_HELD] = await self._polls.hold(environ, network, protocol)
            await loop.run_in_executor(self._questions, self._respond, environ, protocol)
            return
        proof = self._proof(environ)
        is_player = proof in self._players
        caller = proof if is_player else network
        async with self._queue.turn(caller, is_player=is_player) as turn:
            stream = await loop.run_in_executor(self._pages, self._respond, environ, protocol, turn)
        if proof and IS_PLAYER in environ:
            self._players.note(proof, is_player=environ[IS_PLAYER])
        if stream is None:
            return
        response, start = stream
        if self._polls is not None and hasattr(response, "held"):
            await self._hold(response.held, self._polls, start, protocol)
        else:
            await loop.run_in_executor(self._streams, _send_stream, response, start, protocol, loop)

    async def _hold(
        self, held: HeldStream, polls: LongPolls, start: _Start, protocol: HTTPProtocol
    ) -> None:
        """Send a stream whenever it has news, until its end, its client's, or the process's."""
        loop = asyncio.get_running_loop()
        transport = protocol.response_stream(start.status, start.headers)
        gone = asyncio.create_task(_gone(protocol))
        try:
            reading = await loop.run_in_executor(self._readings, held.read)
            while True:
                if reading.text:
                    await asyncio.wait_for(_sent(transport, reading.text), SEND_SECONDS)
                if not held.has_room():
                    return  # its caller is told so when it asks again
                left = held.ends - time.monotonic()
                is_all = reading.stamp or not reading.text
                if reading.is_over or (is_all and left <= 0):
                    return
                seconds = min(HEARTBEAT, max(left, 0.1))
                wait = asyncio.create_task(polls.wait(held.topic, reading.stamp, seconds))
                # A stream whose reader has left is let go at once: it may cost a search.
                await asyncio.wait((wait, gone), return_when=asyncio.FIRST_COMPLETED)
                if gone.done():
                    wait.cancel()
                    return
                if wait.result():
                    if polls.is_ending:
                        return
                    reading = await loop.run_in_executor(self._readings, held.read)
                else:
                    reading = Reading(held.heartbeat, reading.stamp)
        except (ProtocolClosed, TimeoutError):
            pass  # nobody reads it any more
        # The outermost function of a stream: its caller connects again, and other streams go on.
        except Exception:
            log.exception("a stream failed", topic=held.topic)
        finally:
            gone.cancel()
            # In a thread: it may write what it has used.
            await loop.run_in_executor(self._readings, held.close)

    def _respond(
        self, environ: WSGIEnvironment, protocol: HTTPProtocol, turn: Turn | None = None
    ) -> tuple[Any, _Start] | None:
        """Compute a response and hand it to Granian; return it when it is a stream.

        Args:
            turn: Is told what it took.
        """
        start = _Start()
        began = time.thread_time()
        try:
            response = self._application(environ, start)
        except Exception:
            # Django answers its own failures: this is one of the layers around it.
            log.exception("a request failed", path=environ["PATH_INFO"])
            protocol.response_empty(500, [])
            return None
        finally:
            if turn is not None:
                turn.seconds = time.thread_time() - began
        if getattr(response, "streaming", False) and not start.has_length:
            return response, start
        try:
            if isinstance(response, _File) and response.path:
                protocol.response_file(start.status, start.headers, response.path)
            else:
                protocol.response_bytes(start.status, start.headers, b"".join(response))
        finally:
            _close(response)
        return None


class _Start:
    """Store the status and headers that an application starts its response with."""

    status = 500
    headers: Headers = []
    has_length = False

    def __call__(self, status: str, headers: Headers, exc_info: object = None) -> Any:
        self.status, self.headers = int(status[:3]), headers
        self.has_length = any(name.lower() == "content-length" for name, _ in headers)


class _File:
    """A file to be sent, which Granian reads itself where it can."""

    def __init__(self, file: IO[bytes], size: int = 65_536) -> None:
        self._file, self._size = file, size
        name = getattr(file, "name", None)
        self.path = name if isinstance(name, str) and file.tell() == 0 else ""

    def __iter__(self) -> Iterable[bytes]:
        return iter(lambda: self._file.read(self._size), b"")

    def close(self) -> None:
        """Close the file, and with it the response."""
        self._file.close()


def _send_stream(
    pieces: Iterable[bytes],
    start: _Start,
    protocol: HTTPProtocol,
    loop: asyncio.AbstractEventLoop,
) -> None:
    """Send a stream from a thread of its own, until its end or its client's."""
    transport = protocol.response_stream(start.status, start.headers)
    try:
        for piece in pieces:
            sending = asyncio.run_coroutine_threadsafe(_sent(transport, piece), loop)
            sending.result(SEND_SECONDS)
    except (ProtocolClosed, TimeoutError):
        pass  # nobody reads it any more
    finally:
        _close(pieces)


async def _gone(protocol: HTTPProtocol) -> None:
    """Wait for the end of the connection."""
    await protocol.client_disconnect()


async def _sent(transport: Any, piece: bytes) -> None:
    await transport.send_bytes(piece)


def _refuse(refused: BodyRefused, protocol: HTTPProtocol, *, is_api: bool) -> None:
    """Send a refusal, as a problem (RFC 9457) or in plain words, and end the connection."""
    headers = [("Cache-Control", "no-store"), ("Connection", "close"), ("Retry-After", "60")]
    if is_api:
        problem = {"title": HTTPStatus(refused.status).phrase, "status": refused.status}
        problem |= {"type": "about:blank", "code": refused.code, "detail": refused.text}
        text, kind = json.dumps(problem | {"hint": refused.hint}), "application/problem+json"
    else:
        text, kind = f"{refused.text}\n{refused.hint}\n", "text/plain; charset=utf-8"
    protocol.response_bytes(refused.status, [("Content-Type", kind), *headers], text.encode())


def _close(response: object) -> None:
    close = getattr(response, "close", None)
    if close is not None:
        close()


def _environ(scope: Scope) -> WSGIEnvironment:
    """Return the variables of a request, as WSGI names them."""
    address, _, _ = scope.client.rpartition(":")
    host, _, port = scope.server.rpartition(":")
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "SERVER_NAME": host.strip("[]"),
        "SERVER_PORT": port,
        "REMOTE_ADDR": address.strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": _File,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    values = defaultdict(list)
    for name, value in scope.headers.items():
        values[name].append(value)
    # Granian leaves out a value that is not ASCII: unsaid, a key or a token would not count.
    for name in scope.headers.keys():  # noqa: SIM118
        values.setdefault(name, [UNREADABLE])
    for name, found in values.items():
        if "_" in name:
            continue  # it would pass for the header with a hyphen, which a proxy sets
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        environ[key] = ",".join(found)
    return environ
