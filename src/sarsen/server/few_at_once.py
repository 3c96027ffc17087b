"""How many requests a web process works on at once.

Python computes in one thread at a time. With twenty at work, whoever holds the store waits for
nineteen others that compute, and everybody who wants to write waits for whoever holds it. So a
few work, and the others wait without being in the way.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

LONGEST_BODY = 300_000  # octets; longer ones are refused unread


def few_at_once(application: WSGIApplication, most: int) -> WSGIApplication:
    """Answer requests in so many threads; what a stream sends later is not part of it."""
    # Always the same ones, since each has a connection to the store, and all that it keeps.
    threads = ThreadPoolExecutor(most, thread_name_prefix="pages")

    def answering(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if not _has_all(environ):
            start("400 Bad Request", [("Content-Length", "0")])
            return []
        return threads.submit(application, environ, start).result()

    return answering


def _has_all(environ: WSGIEnvironment) -> bool:
    """Wait for the whole body, before a place is taken: who sends slowly holds nobody up.

    Returns:
        Whether it came; a part of a form is no form.
    """
    said = str(environ.get("CONTENT_LENGTH") or "")
    length = int(said) if said.isdecimal() and len(said) < 10 else 0
    if not 0 < length <= LONGEST_BODY:
        return True
    body = environ["wsgi.input"].read(length)
    environ["wsgi.input"] = BytesIO(body)
    return len(body) == length
