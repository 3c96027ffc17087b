"""Work as `sarsen work` does, in a process that one kind of mail ends, or stops for ever."""

from __future__ import annotations

import ctypes
import os
import signal
from typing import Any

from sarsen.server.setup import set_up_privately

DEADLY, ENDLESS = b"this one is deadly", b"this one never returns"


def main() -> None:
    set_up_privately()
    from sarsen.doors.mail.reply import answering
    from sarsen.workers.queue import run_queue

    read_mail = answering.read_mail

    def read(raw: bytes, **words: Any) -> Any:
        if DEADLY in raw:
            os.kill(os.getpid(), signal.SIGSEGV)
        if ENDLESS in raw:
            # It holds the lock of Python, so that no other thread runs.
            ctypes.PyDLL(None).sleep(1000)
        return read_mail(raw, **words)

    answering.read_mail = read
    run_queue()


if __name__ == "__main__":
    main()
