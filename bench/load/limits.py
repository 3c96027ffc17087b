"""What the machine can do without us, measured in the same run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bench.api import page_rate
from bench.disk import durable_commits
from bench.figures import Spread
from bench.load import alone
from bench.load.plan import LIMIT_RUNS, Load
from bench.mail import write_mail
from bench.stocking import MoveMail


@dataclass(frozen=True)
class Limits:
    """The speed of each part alone.

    Attributes:
        commits: Durable commits a second, a move's row in each.
        messages_per_s: That aiosmtpd accepts and forgets.
        pages_per_s: Of one page of the framework with nothing around it.
    """

    commits: Spread
    messages_per_s: float
    pages_per_s: float


async def measure(load: Load, folder: Path, mail: MoveMail) -> Limits:
    """Measure all of them."""
    recipient, message = write_mail(mail, by_password=False)
    seconds = load.seconds / 2
    async with alone.running("smtp") as port:
        messages = await alone.message_rate(port, recipient, message, load.most, seconds)
    async with alone.running("page") as port:
        pages = await page_rate(port, "/", load.most, seconds)
    return Limits(commits(load, folder), messages, pages)


def commits(load: Load, folder: Path) -> Spread:
    """Measure the disk."""
    return durable_commits(folder, LIMIT_RUNS, load.seconds / 8)
