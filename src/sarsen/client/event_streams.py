"""Streams of events, which go on where they were cut off, and steps that wait for the server."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from sarsen.client.transport import Refused, Transport, is_passing, read_json
from sarsen.core.errors import UserError
from sarsen.language.facts import StreamEvent
from sarsen.language.schema import json_form

NDJSON = "application/x-ndjson"
# Seconds between two tries: a restart takes a second or two, and a server that is away for long is
# not asked more often.
SHORTEST_WAIT, MAX_WAIT = 0.2, 30.0
SHORT = 1.0  # seconds; a server without a place for a stream answers sooner
NO_PLACE = 5.0  # seconds, as the server's `RETRY`
_TOO_MUCH = 429  # the answer that says itself when to come back
Result = TypeVar("Result")


def patiently(
    step: Callable[[], Result], told: Callable[[UserError], None] = lambda failed: None
) -> Result:
    """Return the result of a step, which is retried while the server is away.

    Args:
        told: Called once, with the first failure that is waited for.

    Raises:
        Refused, Unreachable: As the step, when waiting does not help.
    """
    wait = SHORTEST_WAIT
    while True:
        try:
            return step()
        except UserError as failed:
            if not is_passing(failed):
                raise
            if wait == SHORTEST_WAIT:
                told(failed)
        wait = min(2 * wait, MAX_WAIT)
        time.sleep(wait)  # the server may be restarting; see `SHORTEST_WAIT`


def events_of(transport: Transport, path: str, since: int | None) -> Iterator[StreamEvent]:
    """Yield the items of a stream, each once.

    Raises:
        Refused: By the server; too much at once, or a database that is away, is waited for.
        Unreachable: What answers is no server; one that is away is waited for.
    """
    wait = SHORTEST_WAIT
    while True:
        began = time.monotonic()
        try:
            for event in _connected(transport, path, since):
                since = event.id
                wait = SHORTEST_WAIT
                yield event
        except UserError as failed:
            if isinstance(failed, Refused) and failed.status == _TOO_MUCH:
                wait = float(failed.wait or MAX_WAIT)
            elif is_passing(failed):
                wait = min(2 * wait, MAX_WAIT)
            else:
                raise
        except (OSError, http.client.HTTPException, ValueError):
            wait = min(2 * wait, MAX_WAIT)  # also a line that was cut off
        else:
            wait = NO_PLACE if time.monotonic() - began < SHORT else SHORTEST_WAIT
        time.sleep(wait)  # no server is asked in a tight loop


def _connected(transport: Transport, path: str, since: int | None) -> Iterator[StreamEvent]:
    address = path if since is None else f"{path}?since={since}"
    lines = transport.lines(address, NDJSON)
    yield from (json_form.read(StreamEvent, read_json(line)) for line in lines if line)
