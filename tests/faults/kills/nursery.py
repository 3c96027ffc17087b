"""Start the server's processes by a fork, so that a thousand restarts take minutes, not hours.

Runs as a process of its own: `python nursery.py`. It loads what all of them load, and opens
nothing. A line of JSON on standard input is an order: a list of words starts `sarsen WORDS` in a
child of its own session and prints its process id; a number waits for that child and prints how
it ended. From the fork on, a child runs the very code of the command.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import traceback
from typing import NoReturn

END_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


def _load() -> None:
    from sarsen.server.setup import set_up_privately

    set_up_privately()
    import sarsen.doors.mail.jobs
    import sarsen.doors.mail.receive.listener
    import sarsen.server.urls
    import sarsen.server.web
    import sarsen.workers.queue

    _weaken()
    if os.environ.get("SARSEN_BOTS") == "on":
        import sarsen.workers.thinking.thinker  # noqa: F401


def _weaken() -> None:
    """Break the promise of durability, for the test that must notice it."""
    from django.conf import settings

    found = os.environ.get("FAULTS_SYNCHRONOUS")
    if found:
        options = settings.DATABASES["default"]["OPTIONS"]
        before = options["init_command"]
        options["init_command"] = before.replace("synchronous=FULL", f"synchronous={found}")
        assert options["init_command"] != before


def _run(words: list[str]) -> NoReturn:
    status = 70
    try:
        from sarsen.server.command import main

        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)
        if os.getppid() == 1:  # it has died before we said so
            os._exit(1)
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        main(words, standalone_mode=False)
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _serve() -> None:
    _load()
    print("ready", flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        if isinstance(order, list):
            child = os.fork()
            if child == 0:
                _run(order)
            print(child, flush=True)
        else:
            _, ended = os.waitpid(order, 0)
            print(os.waitstatus_to_exitcode(ended), flush=True)


if __name__ == "__main__":
    _serve()
