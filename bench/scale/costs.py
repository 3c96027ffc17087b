"""What one move, one row and one process cost on the machine that was measured."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parents[1] / "results/costs.json"
BESIDES = ("relay", "bench")  # not the server's
TABLES = {
    "board": ("storage_match", "storage_matchseat"),
    "event": ("storage_matchevent",),
    "letter": ("storage_outgoingmail",),
    "mail": ("storage_inboundmail",),
    "request": ("storage_answeredrequest",),
}


@dataclass(frozen=True)
class Costs:
    """Figures of one run on one machine.

    Attributes:
        machine: In words.
        commits: Durable commits a second of the disk, one a move.
        by_mail: Processor milliseconds a move that came by mail, by process, letters included.
        pictures: Milliseconds more of the worker, when letters carry a picture.
        by_api: The same of a move that came by the API.
        row_bytes: Of one row with its share of the indexes; a board's with its seats.
        memory: MiB of a process.
    """

    machine: str
    commits: float
    by_mail: Mapping[str, float]
    pictures: float
    by_api: Mapping[str, float]
    row_bytes: Mapping[str, float]
    memory: Mapping[str, float]


def read_costs(path: Path = KEPT) -> Costs:
    """Read the costs that are kept."""
    return Costs(**json.loads(path.read_text(encoding="utf-8")))


def write_costs(costs: Costs, path: Path = KEPT) -> None:
    """Keep costs."""
    path.write_text(json.dumps(asdict(costs), indent=1) + "\n", encoding="utf-8")


def measured(load: Path, database: Path, machine: str) -> Costs:
    """Take the costs out of a run of `bench.load` and a database with enough rows in it."""
    found: dict[str, Any] = json.loads(load.read_text(encoding="utf-8"))["found"]
    plain = next(one for one in found["mail"] if not one["pictures"])
    drawn = next(one for one in found["mail"] if one["pictures"])
    api = max(found["api"], key=lambda one: int(one["connections"]))
    last = list(found["memory"].values())[-1]
    return Costs(
        machine=machine,
        commits=round(found["limits"]["commits"]["median"]),
        by_mail=_ours(plain["processor_ms"]),
        pictures=round(max(0, _worker(drawn) - _worker(plain)), 2),
        by_api=_ours(api["processor_ms"]),
        row_bytes=_sizes(database),
        memory={one["role"]: round(one["rss"]) for one in last},
    )


def _worker(series: dict[str, Any]) -> float:
    return float(series["processor_ms"]["worker"])


def _ours(used: dict[str, float]) -> dict[str, float]:
    return {role: round(value, 2) for role, value in used.items() if role not in BESIDES}


def _sizes(database: Path) -> dict[str, float]:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return {name: _size(connection, tables) for name, tables in TABLES.items()}


def _size(connection: sqlite3.Connection, tables: tuple[str, ...]) -> float:
    """Return the bytes of the pages of tables and their indexes, a row of the first."""
    marks = ", ".join("?" * len(tables))
    asked = "SELECT name FROM sqlite_schema WHERE tbl_name IN"
    (used,) = connection.execute(
        f"SELECT SUM(pgsize) FROM dbstat WHERE name IN ({asked} ({marks}))",
        tables,
    ).fetchone()
    (rows,) = connection.execute(f"SELECT COUNT(*) FROM {tables[0]}").fetchone()
    return float(round(used / max(rows, 1)))
