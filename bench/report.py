"""The figures of a run as tables, and as JSON."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import memory, starting
from bench.figures import Spread
from bench.games import GameSpeed
from bench.mail import MailSpeed
from bench.memory import ProcessMemory
from bench.running import Results, SearchResults
from bench.search_report import print_search
from sarsen import __version__


def machine() -> dict[str, object]:
    """Return what the figures were taken on, without the names of anybody or anything."""
    load = os.getloadavg() if hasattr(os, "getloadavg") else ()
    return {
        "sarsen": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": [round(one, 1) for one in load],
    }


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor()
    found = re.search(r"^model name\s*: (.*)", text, re.MULTILINE)
    return found[1] if found else platform.processor()


def write_json(path: Path, results: Results | SearchResults, about: dict[str, object]) -> None:
    """Write everything that was measured."""
    facts = {"machine": about, **dataclasses.asdict(results)}
    path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def print_machine(console: Console, about: dict[str, object]) -> None:
    """Print what the figures were taken on."""
    console.print(", ".join(f"{name}: {value}" for name, value in about.items()))


def print_report(console: Console, results: Results, about: dict[str, object]) -> None:
    """Print the tables."""
    print_machine(console, about)
    console.print(games_table(results.games))
    print_search(console, results.search)
    console.print(_mail(results))
    console.print(_processes(results))
    console.print(_api(results))
    console.print(_waits(results))


def games_table(games: Sequence[GameSpeed]) -> Table:
    """Return the table of the speed of rules."""
    table = Table(
        title="Rules (processor time; median, lowest-highest)",
        caption="c: the calibration, 200,000 steps of plain Python, measured beside each run",
    )
    _columns(
        table,
        *("game", "plies", "replay ms", "in c", "ms/ply"),
        *("moves", "positions/s", "per c", "perft nodes/s"),
    )
    for one in games:
        table.add_row(
            one.game,
            str(one.plies),
            _spread(one.replay_ms, 2),
            f"{one.replay_ratio:.3f}",
            f"{one.replay_ms.median / one.plies:.3f}",
            f"{one.moves:.0f}",
            _spread(one.positions_per_s),
            f"{one.listing_ratio:.1f}",
            f"{one.nodes_per_s:,.0f} (depth {one.perft_depth})",
        )
    return table


def _mail(results: Results) -> Table:
    limit = results.commit_limit
    before, after = (_spread(one) for one in results.commits.values())
    table = Table(
        title="Moves by mail, in by SMTP, two letters out to a relay (times: p50 / p99)",
        caption=(
            f"limit: {limit:,.0f} durable commits/s on the same disk ({results.file_system}); "
            f"before {before}, after {after}"
        ),
    )
    _columns(
        table,
        *("series", "mails", "answered/s", "of limit", "250s/s"),
        *("250 after ms", "answer after", "opponent after"),
    )
    for one in results.mail:
        table.add_row(
            _series(one),
            str(one.messages),
            f"{one.answered_per_s:,.1f}",
            f"{one.answered_per_s / limit:.3f}",
            f"{one.accepted_per_s:,.0f}",
            f"{one.accept_p50_ms:,.0f} / {one.accept_p99_ms:,.0f}",
            f"{one.answer_p50_ms:,.0f} / {one.answer_p99_ms:,.0f}",
            f"{one.board_p50_ms:,.0f} / {one.board_p99_ms:,.0f}",
        )
    return table


def _api(results: Results) -> Table:
    limit = results.commit_limit
    table = Table(
        title="Moves by the API (p50 / p99; processor milliseconds a move)",
        caption=(
            f"limit: {limit:,.0f} durable commits/s; page: the smallest of the same server, "
            "pages/s over as many connections"
        ),
    )
    _columns(table, "connections", "moves", "moves/s", "of limit", "ms", "page", "of page", "web")
    for one in results.api:
        table.add_row(
            str(one.connections),
            str(one.moves),
            f"{one.moves_per_s:,.1f}",
            f"{one.moves_per_s / limit:.3f}",
            f"{one.p50_ms:,.0f} / {one.p99_ms:,.0f}",
            f"{one.pages_per_s:,.0f}",
            f"{one.moves_per_s / one.pages_per_s:.3f}",
            f"{one.processor_ms.get('web', 0):.2f}",
        )
    return table


def _processes(results: Results) -> Table:
    roles = [role for role in results.mail[0].processor_ms if role != "supervisor"]
    table = Table(title="Processor milliseconds a mail")
    _columns(table, "series", *roles)
    for one in results.mail:
        used = (f"{one.processor_ms.get(role, 0):.2f}" for role in roles)
        table.add_row(_series(one), *used)
    return table


def _series(one: MailSpeed) -> str:
    return f"{one.name}{', pictures' if one.pictures else ''}"


def _waits(results: Results) -> Table:
    table = Table(title="Starting, and memory of the running server")
    _columns(table, "what", "figure")
    for folder, seconds in results.start_s.items():
        told = f"{seconds:.2f} s{_part(seconds, starting.LIMITS.get(folder))}"
        table.add_row(f"`sarsen serve` until ready, {folder}", told)
    for command, spread in results.commands_s.items():
        told = f"{_spread(spread, 2)} s{_part(spread.median, starting.LIMITS.get(command))}"
        table.add_row(f"`{command}`", told)
    for when, processes in results.memory.items():
        limit = memory.LIMITS["idle" if when == "idle" else "in play"]
        table.add_row(f"memory, {when}", _memory(processes, limit))
    return table


def _part(value: float, limit: float | None) -> str:
    return f", {value / limit:.2f} of {limit:g}" if limit else ""


def _memory(processes: list[ProcessMemory], limit: float) -> str:
    """Return `PSS 210 MiB: listener 45, …`; the shared pages counted once where that is known."""
    is_shared = all(one.pss is not None for one in processes)
    sizes = [(one.role, one.pss if one.pss is not None else one.rss) for one in processes]
    parts = ", ".join(f"{role} {size:.0f}" for role, size in sizes)
    rss = sum(one.rss for one in processes)
    total = sum(size for _, size in sizes)
    told = f"{'PSS' if is_shared else 'RSS'} {total:.0f} MiB{_part(total, limit)}"
    return f"{told}: {parts}\nRSS {rss:.0f} MiB"


def _columns(table: Table, first: str, *others: str) -> None:
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")


def _spread(values: Spread, digits: int = 0) -> str:
    shown = (f"{value:,.{digits}f}" for value in (values.median, values.low, values.high))
    return "{} ({}-{})".format(*shown)
