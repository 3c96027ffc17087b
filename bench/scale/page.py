"""Write docs/scale.md."""

from __future__ import annotations

from collections.abc import Mapping

from bench.scale import needs as n
from bench.scale.costs import Costs
from bench.scale.needs import Needs, needs, walls

SIZES = (10_000, 1_000_000, 100_000_000)


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
        ("durable commits a second, one a move", f"{costs.commits:,.0f}"),
        ("a move by mail, processor ms", _by(costs.by_mail)),
        ("pictures in its mails, additional ms of the worker", f"{costs.pictures:.1f}"),
        ("a move by the API, processor ms", _by(costs.by_api)),
        ("bytes of a row with its indexes", _by(_named(costs.row_bytes))),
        ("MiB of a process under load", _by(costs.memory)),
    ]
    return ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]


def _assumed() -> list[str]:
    return [
        f"A running board has {n.MOVES_A_DAY:g} move a day; the busiest minutes have {n.PEAK:g} "
        f"times as many. {n.BY_MAIL:.0%} of moves come by mail. A move sends {n.LETTERS} mails "
        f"with pictures, and needs {n.COMMITS} commits without batches. A game has "
        f"{n.PLIES} plies. Outgoing mails are kept {n.KEPT_LETTERS} days, incoming mails "
        f"and requests {n.KEPT_MAILS}.",
    ]


def _needed(found: list[Needs]) -> list[str]:
    roles = list(found[0].processors)
    rows: list[tuple[str, list[str]]] = [
        ("moves a second", [f"{one.moves:,.1f}" for one in found]),
        ("in the busiest minutes", [f"{one.peak:,.1f}" for one in found]),
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
