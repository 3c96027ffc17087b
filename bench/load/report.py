"""What a load has found, as tables."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from bench.api import ApiSpeed
from bench.figures import Spread
from bench.load.doors import DoorSpeed
from bench.load.plan import PACE
from bench.load.running import Loaded
from bench.load.slow_disk import MORE_MS
from bench.mail import MailSpeed
from bench.memory import ProcessMemory


def print_load(console: Console, found: Loaded) -> None:
    """Print the tables."""
    console.print(_limits(found))
    console.print(_doors(found))
    console.print(_processors(found))
    if found.together:
        console.print(_together(found))
    console.print(_memory(found))
    if found.slowed is None:
        console.print("No disk with slower flushes: no C compiler, or left out.")


def _limits(found: Loaded) -> Table:
    table = Table("alone, in this run", "a second", title="What the machine can do")
    one = found.limits
    table.add_row(f"durable commits, one a move, on {found.file_system}", _spread(one.commits))
    if found.commits_after:
        table.add_row("the same when all was done", _spread(found.commits_after))
    if found.slowed:
        slow = f"the same with {MORE_MS:g} ms more a flush"
        table.add_row(slow, _spread(found.slowed.commits))
    table.add_row("messages that aiosmtpd takes and forgets", f"{one.messages_per_s:,.0f}")
    table.add_row("pages of the framework, empty", f"{one.pages_per_s:,.0f}")
    return table


def _doors(found: Loaded) -> Table:
    workers = f"workers: {found.workers}; times p50 / p99"
    table = Table(title=f"Moves ({workers}; limit: durable commits, one a move)")
    table.add_column("door")
    for name in ("connections", "moves", "moves/s", "of limit", "ms", "250 after ms", "least"):
        table.add_column(name, justify="right")
    limit = found.commit_limit
    for mail in found.mail:
        _mail_row(table, "mail" + (", pictures" if mail.pictures else ""), mail, limit)
    if found.paced:
        _mail_row(table, f"mail, {PACE:g} a second", found.paced, limit)
    for api in found.api:
        _row(table, _name_of(api), api, limit)
    if found.web:
        _row(table, "web, and the page after it", found.web, limit)
    if found.slowed:
        slow = found.slowed.commits.median
        _mail_row(table, "mail, slower disk", found.slowed.mail, slow)
        _row(table, "API, slower disk", found.slowed.api, slow)
    return table


def _name_of(one: ApiSpeed) -> str:
    return "API, at half of the highest rate" if one.wanted_per_s else "API"


def _mail_row(table: Table, name: str, one: MailSpeed, limit: float) -> None:
    table.add_row(
        name,
        one.name.partition(" at")[0] + one.name.partition("time")[2],
        str(one.messages),
        f"{one.answered_per_s:,.1f}",
        f"{one.answered_per_s / limit:.3f}",
        f"{one.answer_p50_ms:,.0f} / {one.answer_p99_ms:,.0f}",
        f"{one.accept_p50_ms:,.0f} / {one.accept_p99_ms:,.0f}",
        f"{one.least_share:.2f}",
    )


def _row(table: Table, name: str, one: ApiSpeed | DoorSpeed, limit: float) -> None:
    table.add_row(
        name,
        str(one.connections),
        str(one.moves),
        f"{one.moves_per_s:,.1f}",
        f"{one.moves_per_s / limit:.3f}",
        f"{one.p50_ms:,.0f} / {one.p99_ms:,.0f}",
        "",
        f"{one.least_share:.2f}",
    )


def _processors(found: Loaded) -> Table:
    table = Table(title="Processor microseconds a move, by process")
    table.add_column("series")
    roles = list(found.mail[0].processor_ms)
    for role in (*roles, "the server's"):
        table.add_column(role, justify="right")
    series = [
        (f"mail{', pictures' if one.pictures else ''}, {one.name}", one) for one in found.mail
    ]
    for name, used in (
        *((name, one.processor_ms) for name, one in series),
        *((f"{_name_of(one)}, {one.connections}", one.processor_ms) for one in found.api),
    ):
        ours = sum(value for role, value in used.items() if role not in ("relay", "bench"))
        cells = (f"{1000 * used[role]:,.0f}" if role in used else "" for role in roles)
        table.add_row(name, *cells, f"{1000 * ours:,.0f}")
    return table


def _together(found: Loaded) -> Table:
    assert found.together is not None  # asked by the caller
    table = Table(title="All doors at once: what each gets of what it makes alone")
    table.add_column("door")
    for name in ("moves/s", "alone", "of a third", "p50 / p99 ms", "least connection"):
        table.add_column(name, justify="right")
    alone = {
        "mail": found.mail[0].answered_per_s,
        "web": found.web.moves_per_s if found.web else 0.0,
        "API": max(one.moves_per_s for one in found.api),
    }
    for door in found.together.doors:
        table.add_row(
            door.door,
            f"{door.moves_per_s:,.1f}",
            f"{alone[door.door]:,.1f}",
            f"{3 * door.moves_per_s / alone[door.door]:.2f}",
            f"{door.p50_ms:,.0f} / {door.p99_ms:,.0f}",
            f"{door.least_share:.2f}",
        )
    return table


def _memory(found: Loaded) -> Table:
    table = Table("memory in MiB", "of each process (RSS)", title="Memory")
    for when, processes in found.memory.items():
        table.add_row(when, _sizes(processes))
    return table


def _sizes(processes: list[ProcessMemory]) -> str:
    return ", ".join(f"{one.role} {one.rss:.0f}" for one in processes)


def _spread(values: Spread) -> str:
    return f"{values.median:,.0f} ({values.low:,.0f}-{values.high:,.0f})"
