"""One `sarsen serve` for each data folder: two would both do the jobs of one, at other ports.

Only of a folder with the database in it: hosts that share a PostgreSQL database share the work.
The processes of a server, started one by one, do not ask.
"""

from __future__ import annotations

import fcntl
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TextIO

from sarsen.client.logins import ADDRESS_FILE
from sarsen.core.errors import UserError
from sarsen.server.ports import FREED_WITHIN, Port, free_instead

FILE = "serve.lock"


@contextmanager
def held(folder: Path, typed: Mapping[str, str], ports: Sequence[Port] = ()) -> Iterator[None]:
    """Hold the folder for this process; the processes it starts do not have it.

    Args:
        typed: The options of this `sarsen serve` with their values; "" for a flag.
        ports: That it listens at.

    Raises:
        UserError: Another server has it, and keeps it.
    """
    with ExitStack() as opened:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = opened.enter_context((folder / FILE).open("a"))
        except OSError:
            pass  # the next step of a start says so
        else:
            limit = time.monotonic() + FREED_WITHIN
            while not _is_locked(file):
                if time.monotonic() > limit:
                    # At the ports of the other one, too, the next line would be refused again.
                    raise _in_use(folder, {**typed, **free_instead(ports)})
                time.sleep(0.1)  # nobody tells when a server has ended
        yield


def _is_locked(file: TextIO) -> bool:
    """Lock a file for this process, and return whether it could be."""
    try:
        # A lock of the process, which a fork does not share: it goes with the supervisor.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks: nobody else can have it
    return True


def _in_use(folder: Path, typed: Mapping[str, str]) -> UserError:
    address = ""
    with suppress(OSError):
        address = (folder / ADDRESS_FILE).read_text(encoding="utf-8").strip()
    options = {**typed, "--data": f"{folder}-2"}
    words = [word for option in options.items() for word in option if word]
    return UserError(
        f"A server is already using the data folder {folder}"
        f"{f': {address}' if address else ''}. Stop it first, or use another folder.",
        code="data-in-use",
        hint=shlex.join(["sarsen", "serve", *words]),
    )
