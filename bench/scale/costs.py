"""What one move, one row and one process cost on the machine that was measured."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.scale.paced import Paced

KEPT = Path(__file__).parents[1] / "results/costs.json"
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
        busy: Of its processors, in parts, that other programs used meanwhile.
        commits: Durable commits a second to an SQLite file, one a move, over a minute.
        postgres_commits: The same to a PostgreSQL with several clients; 0 where not measured.
        by_mail: Processor milliseconds of a move that came by mail alone, by process, with its
            letters and their pictures.
        by_api: The same of a move that came by the API.
        by_page: The same of one view of a board's page.
        row_bytes: Of one row with its share of the indexes; a board's with its seats. Empty rows
            where no database was named.
        memory: MiB of a process.
    """

    machine: str
    busy: float
    commits: float
    postgres_commits: float
    by_mail: Mapping[str, float]
    by_api: Mapping[str, float]
    by_page: Mapping[str, float]
    row_bytes: Mapping[str, float]
    memory: Mapping[str, float]


def read_costs(path: Path = KEPT) -> Costs:
    """Read the costs that are kept."""
    return Costs(**json.loads(path.read_text(encoding="utf-8")))


def write_costs(costs: Costs, path: Path = KEPT) -> None:
    """Keep costs."""
    path.write_text(json.dumps(asdict(costs), indent=1) + "\n", encoding="utf-8")


def costs_of(found: Paced, database: Path | None, machine: str) -> Costs:
    """Return the costs of a run, and the sizes of rows of a database with enough of them.

    Args:
        database: None for the sizes that are kept.
    """
    return Costs(
        machine=machine,
        busy=found.busy,
        commits=round(found.commits),
        postgres_commits=round(found.postgres_commits),
        by_mail=found.by_mail,
        by_api=found.by_api,
        by_page=found.by_page,
        row_bytes=_sizes(database) if database else read_costs().row_bytes,
        memory=found.memory,
    )


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
