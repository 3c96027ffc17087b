"""Run a server of the standard library beside a test, which ends at once when the test does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer

# Seconds. A server looks for its end between two waits for a request; by itself each half a
# second, for which each test would wait.
LOOKS = 0.01


@contextmanager
def serving(server: BaseServer) -> Iterator[str]:
    """Run a server that listens already; give its address, and close it at the end."""
    thread = threading.Thread(target=server.serve_forever, args=(LOOKS,), daemon=True)
    thread.start()
    try:
        host, port = server.server_address[:2]
        yield f"http://{host!s}:{port!s}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
