"""How many requests a web process works on at once.

Python computes in one thread at a time. With twenty at work, whoever holds the store waits for
nineteen others that compute, and everybody who wants to write waits for whoever holds it. So a
few work, and the others wait without being in the way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

LONGEST_BODY = 300_000  # octets; longer ones are refused unread
ROOMS = 512
PATIENCE = 1.0  # seconds until one of the bodies from a place has come

Place = Callable[[WSGIEnvironment], str]


def few_at_once(
    application: WSGIApplication, most: int, *, unsent: int, place: Place
) -> WSGIApplication:
    """Answer requests in so many threads; what a stream sends later is not part of it.

    Args:
        unsent: How many bodies are awaited at once from one place. Each holds a thread of
            the server, as long as its sender likes.
        place: Gives where on the net a request comes from.
    """
    # Places share a few hundred rooms: none has to be forgotten again.
    rooms = [threading.BoundedSemaphore(unsent) for _ in range(ROOMS)]
    # Always the same ones, since each has a connection to the store, and all that it keeps.
    threads = ThreadPoolExecutor(most, thread_name_prefix="pages")

    def answering(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if length := _length(environ):
            room = rooms[hash(place(environ)) % ROOMS]
            if not room.acquire(timeout=PATIENCE):
                start("503 Service Unavailable", [("Content-Length", "0"), ("Retry-After", "10")])
                return []
            try:
                has_all = _has_all(environ, length)
            finally:
                room.release()
            if not has_all:
                start("400 Bad Request", [("Content-Length", "0")])
                return []
        return threads.submit(application, environ, start).result()

    return answering


def _length(environ: WSGIEnvironment) -> int:
    """Give how long the body is; 0 for none, and for one that is left to the page."""
    said = str(environ.get("CONTENT_LENGTH") or "")
    length = int(said) if said.isdecimal() and len(said) < 10 else 0
    return length if length <= LONGEST_BODY else 0


def _has_all(environ: WSGIEnvironment, length: int) -> bool:
    """Wait for the whole body, before a place is taken: who sends slowly holds nobody up.

    Returns:
        Whether it came; a part of a form is no form.
    """
    body = environ["wsgi.input"].read(length)
    environ["wsgi.input"] = BytesIO(body)
    return len(body) == length
