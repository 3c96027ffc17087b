"""Read mails that nobody would send, and keep what each of them cost.

Run by itself it shows how far it is:

    python tests/faults/mail/fuzzing.py --messages 1000000 --processes 2 --seed 1
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import os
import random
import resource
import signal
import sys
import time
import traceback
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC, datetime
from email import message_from_bytes
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sarsen.core.game import AnyPosition
    from sarsen.language.grammar.tokens import Context

CHUNK = 500  # messages a process takes at once
MAX_SECONDS = 2.0  # of processor for one message; on a quiet machine none needs 0.05
MAX_MEMORY = 512 * 1024 * 1024  # more than a process has when it begins
HANG = 60  # seconds after which a process that does not come back is ended with its traceback
MAX_FINDINGS = 20  # a run
NOW = datetime(2026, 11, 3, 12, tzinfo=UTC)


class TooLong(BaseException):
    """End a message that needs more processor than any may."""


@dataclass
class Figures:
    """What a number of messages cost and came to."""

    count: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, int]] = field(default_factory=list)  # seconds, number
    times: Counter[int] = field(default_factory=Counter)  # by tenths of a millisecond
    settled: int = 0  # done and rolled back
    grown: int = 0  # kilobytes that the largest process grew by
    findings: list[tuple[int, str]] = field(default_factory=list)  # number, traceback

    def add(self, other: Figures) -> None:
        """Take in what another process counted."""
        self.count += other.count
        self.settled += other.settled
        self.codes += other.codes
        self.times += other.times
        self.slowest = sorted(self.slowest + other.slowest, reverse=True)[:5]
        self.grown = max(self.grown, other.grown)
        self.findings += other.findings

    def within(self, share: float) -> float:
        """Return the milliseconds within which a share of the messages was read."""
        left = share * self.count
        for tenths, count in sorted(self.times.items()):
            left -= count
            if left <= 0:
                return tenths / 10
        return 0.0


def message(seed: int, number: int) -> bytes:
    """Return one message of a run; always the same one."""
    from faults.mail.mails import mail

    return mail(random.Random(f"{seed}:{number}"))


def read_everything(raw: bytes, chance: random.Random) -> str:
    """Bring a mail as far as it comes without a database, and a line that it might hold.

    Returns:
        The code of the first refusal.
    """
    from faults.mail.mails import line
    from sarsen.core.errors import UserError
    from sarsen.doors.mail.parse.mail import read_mail
    from sarsen.doors.mail.reply.extraction import mail_request
    from sarsen.games import names
    from sarsen.language.grammar.tokens import Context

    at_board = Context(names(), speaker="ada", board=123, ply=7, body=("some", "", "words"))
    speak(line(chance), chance.choice((at_board, Context(names(), sender="ada@example.org"))))
    try:
        mail = read_mail(raw, own_domain="sarsen.example")
        check_texts(mail)
        request = mail_request(mail, chance.choice(("sarsen", "druid", "vasco")))
    except UserError as refusal:
        return refusal.code
    context = replace(request.context, board=chance.choice((None, 123)))
    return next(filter(None, (speak(one, context) for one in request.lines[:3])), "")


def speak(line: str, context: Context) -> str:
    """Read one command line as each door would, and quote it; give the code of a refusal."""
    from sarsen.core.errors import UserError
    from sarsen.games import names
    from sarsen.language.grammar.grammar import read
    from sarsen.language.replies import Refusal
    from sarsen.services.quoting import quote

    reading = read(line, context)
    refused = reading.refusal
    refusal = Refusal(refused.text, refused.code, refused.hint) if refused else Refusal("", "", "")
    quoted = quote(line, reading, (), is_due=not context.speaker, near=lambda word: "")
    said, shown = quoted.refusal(refusal, "help"), quoted.above_answer()
    check_letter(f"Re: {shown}", f"{shown}\n{said.text}\n{said.hint}")
    code = refusal.code
    for game in names():
        with suppress(UserError):
            start(game).parse(line)
    return code


@lru_cache
def start(game: str) -> AnyPosition:
    from sarsen.games import load

    return load(game).start("")


def check_texts(mail: object) -> None:
    """See that nothing in what was read could act by itself."""
    for text in texts(astuple(mail)):  # type: ignore[call-overload]
        odd = {unicodedata.category(character) for character in text}
        assert not odd & {"Cc", "Cf", "Cs", "Zl", "Zp"}, text
        text.encode("utf-8")


def texts(value: object) -> Iterator[str]:
    if isinstance(value, tuple):
        for inner in value:
            yield from texts(inner)
    elif isinstance(value, str):
        yield value


def check_letter(subject: str, text: str) -> None:
    """See that what was said makes no header, no part and no octets of its own in a letter."""
    from sarsen.doors.mail.letter import Letter
    from sarsen.doors.mail.send.composing import compose

    letter = Letter(subject, text, is_answer=True)
    raw = compose(
        letter, kind="answer", number=1, address="ada@example.org", in_reply_to="", queued_at=NOW
    )
    parsed = message_from_bytes(raw)
    names = [name.lower() for name in parsed.keys()]  # noqa: SIM118 (a message has some twice)
    assert len(set(names)) == len(names), names
    assert "bcc" not in names
    assert not parsed.is_multipart()
    header = raw.partition(b"\r\n\r\n")[0]
    assert header.isascii()
    assert not {0, 27} & set(header)


def run_chunk(seed: int, numbers: range) -> Figures:
    """Read some messages; what one of them raises is kept and the next is read."""
    signal.signal(signal.SIGVTALRM, _too_long)
    figures = Figures()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in numbers:
        raw = message(seed, number)
        faulthandler.dump_traceback_later(HANG, exit=True)
        signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
        began = time.process_time()
        try:
            figures.codes[read_everything(raw, random.Random(number))] += 1
            figures.settled += settle_some(raw, number)
        except (Exception, TooLong) as defect:
            kind = type(defect).__name__
            if figures.codes[f"! {kind}"] < MAX_FINDINGS:
                figures.findings.append((number, traceback.format_exc()))
            figures.codes[f"! {kind}"] += 1
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            faulthandler.cancel_dump_traceback_later()
        took = time.process_time() - began
        figures.count += 1
        figures.times[int(took * 10_000)] += 1
        figures.slowest = sorted([*figures.slowest, (took, number)], reverse=True)[:5]
    figures.grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return figures


def settle_some(raw: bytes, number: int) -> int:
    """Do what some of the mails say, where there is a database; give how many were done."""
    from faults.mail import settling

    if settling.people is None or number % settling.EVERY:
        return 0
    settling.settle(raw, random.Random(number), datetime.now(UTC))
    return 1


def begin() -> None:
    """Make a process ready: the settings, and the bounds that no message may break."""
    tests = Path(__file__).parents[2]
    for path in (str(tests), str(tests.parent / "src")):
        if path not in sys.path:
            sys.path.insert(0, path)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings_for_tests")
    import django

    django.setup()
    from faults.mail import settling

    settling.open_store()
    run_chunk(0, range(20))  # imports and tables are nobody's cost
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MAX_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _too_long(signal_number: int, frame: object) -> None:
    raise TooLong


def run(seed: int, messages: int, processes: int) -> Iterator[Figures]:
    """Read messages in several processes; give the figures of each chunk as it is done."""
    chunks = [range(at, min(at + CHUNK, messages)) for at in range(0, messages, CHUNK)]
    # Not forked: pytest has blocked its own database, and each process opens one of its own.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, spawn, initializer=begin) as pool:
        yield from pool.map(run_chunk, [seed] * len(chunks), chunks)


def total(figures: Iterable[Figures]) -> Figures:
    """Add figures up."""
    whole = Figures()
    for one in figures:
        whole.add(one)
    return whole


def report(whole: Figures, seed: int) -> str:
    """Return a text that says what a run came to."""
    refused = ", ".join(f"{code or 'read'} {count}" for code, count in whole.codes.most_common(12))
    slowest = ", ".join(f"{took * 1000:.1f} ms (message {at})" for took, at in whole.slowest)
    return (
        f"SEED={seed} MESSAGES={whole.count}, {whole.settled} of them done and rolled back\n"
        f"median {whole.within(0.5):.1f} ms, p99 {whole.within(0.99):.1f} ms, "
        f"p99.9 {whole.within(0.999):.1f} ms of processor; slowest {slowest}\n"
        f"memory: a process grew by at most {whole.grown / 1024:.0f} MB in {CHUNK} messages\n"
        f"{refused}\n"
        + "\n".join(f"message {number}:\n{found}" for number, found in whole.findings)
    )


def main() -> None:
    """Run from a shell, with a bar."""
    from rich.progress import track

    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--messages", type=int, default=10_000)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--seed", type=int, default=random.randrange(2**32))
    words.add_argument("--minutes", type=float, default=24 * 60.0, help="stop after these")
    words.add_argument("--show", type=int, help="write this one message to the standard output")
    chosen = words.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[2]))
    if chosen.show is not None:
        sys.stdout.buffer.write(message(chosen.seed, chosen.show))
        return
    steps = run(chosen.seed, chosen.messages, chosen.processes)
    chunks = -(-chosen.messages // CHUNK)
    ends = time.monotonic() + chosen.minutes * 60
    timely = takewhile(lambda _: time.monotonic() < ends, steps)
    whole = total(track(timely, description=f"seed {chosen.seed}", total=chunks))
    print(report(whole, chosen.seed))
    sys.exit(bool(whole.findings))


if __name__ == "__main__":
    main()
