"""Write docs/scale.md."""

from __future__ import annotations

from collections.abc import Mapping

from bench.scale import needs as n
from bench.scale.costs import Costs
from bench.scale.needs import Needs, needs, walls
from bench.scale.paced import CLIENTS

SIZES = (10_000, 1_000_000, 100_000_000)
BUSY = 0.1  # of the processors, beyond which others share caches, cores and the disk
_OF_A_BUSY_MACHINE = [
    "**The machine was busy with other work when this was measured**: commits are too few, and",
    "times too long. Compare the figures with each other, not with those of another machine.",
]


def page(costs: Costs) -> str:
    """Compute the page."""
    return "\n".join(
        [
            "# Capacity: what a number of boards needs",
            "",
            "Computed by `python -m bench.scale` from costs that were measured; do not edit.",
            "",
            "## Measured",
            "",
            *_measured(costs),
            "",
            "## Assumed",
            "",
            *_assumed(),
            "",
            "## Needed",
            "",
            *_needed([needs(boards, costs) for boards in SIZES]),
            "",
            "Processors are those of the measured machine, in the busiest minutes, at a load of "
            f"{n.USED:.0%}.",
            "",
            "## Limits",
            "",
            "What is used up first as the number of boards grows.",
            "",
            *_walls(costs),
            "",
        ]
    )


def _measured(costs: Costs) -> list[str]:
    rows = [
        ("machine", costs.machine),
        ("used by other programs meanwhile", f"{costs.busy:.0%} of its processors"),
        ("durable commits a second to SQLite, one writer, one row each", f"{costs.commits:,.0f}"),
        *(
            [
                (
                    f"the same to PostgreSQL, {CLIENTS} writers at once",
                    f"{costs.postgres_commits:,.0f}",
                )
            ]
            if costs.postgres_commits
            else []
        ),
        ("a move by mail, with both letters and their pictures, processor ms", _by(costs.by_mail)),
        ("a move by the API, with the same letters, processor ms", _by(costs.by_api)),
        ("a view of a board's page, processor ms", _by(costs.by_page)),
        ("bytes of a row with its indexes", _by(_named(costs.row_bytes))),
        ("MiB of a process under load", _by(costs.memory)),
    ]
    return [
        "Commits are those of a whole minute: the cache of a disk takes thousands in the first",
        "second. Moves and views come one by one, some a second; under more load each takes less,",
        "since mails share their commits.",
        *(_OF_A_BUSY_MACHINE if costs.busy > BUSY else []),
        "",
        "| | |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in rows),
    ]


def _assumed() -> list[str]:
    return [
        f"A running board has {n.MOVES_A_DAY:g} move a day; the busiest minutes have {n.PEAK:g} "
        f"times as many. {n.BY_MAIL:.0%} of moves come by mail. A move sends {n.LETTERS} mails "
        f"with pictures, and needs {n.COMMITS} commits if it shares none; for each move "
        f"{n.VIEWS:g} pages are viewed. A game has "
        f"{n.PLIES} plies. Outgoing mails are kept {n.KEPT_LETTERS} days, incoming mails "
        f"and requests {n.KEPT_MAILS}.",
    ]


def _needed(found: list[Needs]) -> list[str]:
    roles = list(found[0].processors)
    rows: list[tuple[str, list[str]]] = [
        ("moves a second", [f"{one.moves:,.1f}" for one in found]),
        ("in the busiest minutes", [f"{one.peak:,.1f}" for one in found]),
        ("views of pages a second then", [f"{one.views:,.0f}" for one in found]),
        ("commits a second then", [f"{one.commits:,.0f}" for one in found]),
        ("outgoing mails a second then", [f"{one.letters:,.0f}" for one in found]),
        *((f"processors, {role}", [f"{one.processors[role]:,.2f}" for one in found])
          for role in roles),
        ("processors, all", [f"{one.all_processors:,.2f}" for one in found]),
        ("disk", [_bytes(one.disk) for one in found]),
        ("a year of ended games, in addition", [_bytes(one.disk_a_year) for one in found]),
    ]  # fmt: skip
    return [
        "| running boards | " + " | ".join(f"{one.boards:,}" for one in found) + " |",
        "|---|" + "---:|" * len(found),
        *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows),
    ]


def _walls(costs: Costs) -> list[str]:
    return [
        "| running boards | what is used up | then |",
        "|---:|---|---|",
        *(f"| {_round(wall.boards)} | {wall.what} | {wall.remedy} |" for wall in walls(costs)),
    ]


def _named(row_bytes: Mapping[str, float]) -> dict[str, float]:
    names = {"letter": "outgoing mail", "mail": "incoming mail"}
    return {names.get(name, name): size for name, size in row_bytes.items()}


def _by(values: object) -> str:
    assert isinstance(values, dict)
    return ", ".join(f"{name} {value:g}" for name, value in values.items())


def _bytes(number: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"


def _round(number: float) -> str:
    """Two digits say as much as is known."""
    return f"{float(f'{number:.2g}'):,.0f}"
