"""The stream of a player's boards, for ever: what ends is asked for again, from the last id."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator

from sarsen.client.transport import Refused, Transport, Unreachable
from sarsen.language import json_form
from sarsen.language.facts import StreamEvent

NDJSON = "application/x-ndjson"
SHORTEST_WAIT, LONGEST_WAIT = 0.2, 30.0  # seconds between two tries
SHORT = 1.0  # seconds; a stream that lasted less found no place to wait in
NO_PLACE = 5.0
_TOO_MUCH = 429


def events_of(transport: Transport, since: int | None) -> Iterator[StreamEvent]:
    """Yield the items of the stream, each once.

    Raises:
        Refused: By the server, but for too much at once: then it waits.
        Unreachable: What answers is no server; one that is away is waited for.
    """
    wait = SHORTEST_WAIT
    while True:
        began = time.monotonic()
        try:
            for event in _connected(transport, since):
                since = event.id
                wait = SHORTEST_WAIT
                yield event
        except Refused as refused:
            if refused.status != _TOO_MUCH:
                raise
            wait = float(refused.wait or LONGEST_WAIT)
        except Unreachable as away:
            # So a proxy says that the server behind it is starting again.
            if away.status < http.client.INTERNAL_SERVER_ERROR:
                raise
            wait = min(2 * wait, LONGEST_WAIT)
        except (OSError, http.client.HTTPException, ValueError):
            wait = min(2 * wait, LONGEST_WAIT)  # also a line that was cut off
        else:
            wait = NO_PLACE if time.monotonic() - began < SHORT else SHORTEST_WAIT
        time.sleep(wait)


def _connected(transport: Transport, since: int | None) -> Iterator[StreamEvent]:
    path = "events" if since is None else f"events?since={since}"
    for line in transport.lines(path, NDJSON):
        if line:
            yield json_form.read(StreamEvent, json.loads(line))
