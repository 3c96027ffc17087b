"""`python -m bench.pages [--json FILE]`: what pages weigh on the wire, and cost the server.

Bytes are those of a browser that comes for the first time: every file the page of a board
asks for, each compressed. Time is that of one process; see `bench.page_costs`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from bench.page_costs import ROUNDS, Cost, measure
from bench.report import machine, print_machine
from bench.server import make_tables

if TYPE_CHECKING:
    from django.test import Client

BROWSER = "gzip, deflate, br, zstd"
# Bytes of the page of Visavis 25 with all that it loads, in a browser that has cached nothing.
LIMIT = 52_000
SCRIPTS = 30_000  # bytes of its scripts and styles
ASKED = re.compile(r'(?:href|src)="(/[^"]+\.(?:css|js|svg|webmanifest)(?:\?[^"]*)?)"')
IMPORTED = re.compile(r'(?:from|import) "\./([\w-]+\.js)"')
GAMES = {
    "druid": ("", 40),
    "gyges": ("", 20),
    "vasco": ("", 12),
    "visavis": ("-size=25", 60),
}
LARGEST = "visavis"


@dataclass(frozen=True)
class Weight:
    """One file of a page: its bytes as written, and as they travel."""

    path: str
    plain: int
    travelling: int


def main() -> None:
    """Measure once, and say whether the largest page is within its limit."""
    parser = argparse.ArgumentParser(prog="python -m bench.pages", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there, too")
    parser.add_argument("--quick", action="store_true", help="one round: shows that all works")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pages-") as folder:
        client = _server(Path(folder))
        from bench.page_boards import boards_of

        # Alone, as where the limit is tested: links to other boards make a page heavier.
        boards = boards_of({LARGEST: GAMES[LARGEST]})
        weights = weigh(client, f"/boards/{boards[LARGEST]}/")
        boards |= boards_of({game: GAMES[game] for game in GAMES if game != LARGEST})
        costs = measure(boards, 1 if asked.quick else ROUNDS)
    total = sum(one.travelling for one in weights)
    if asked.json:
        found = {"machine": machine(), "files": [asdict(one) for one in weights]}
        found |= {"total": total, "limit": LIMIT, "costs": [asdict(one) for one in costs]}
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    _print(weights, total, costs)
    if total > LIMIT:
        sys.exit(f"the page weighs {total:,} bytes, more than {LIMIT:,}")


def _server(folder: Path) -> Client:
    """Set up a server of one process, and return a player who looks at it."""
    os.environ |= {"SARSEN_DATA": str(folder), "SARSEN_SECRET_KEY": "bench"}
    os.environ["DJANGO_SETTINGS_MODULE"] = "sarsen.server.settings"
    import django

    django.setup()
    from django.test import Client

    make_tables(folder)
    from bench.page_boards import player
    from sarsen.server.static_files import gather_static_files

    gather_static_files()
    client = Client(HTTP_ACCEPT_ENCODING="gzip", SERVER_NAME="127.0.0.1")
    client.force_login(player())
    return client


def weigh(client: Client, path: str) -> list[Weight]:
    """Weigh a page, and all it needs: moves, style sheets, scripts and icons."""
    weights = [_weight(client, one) for one in (path, f"{path}moves.json")]
    page = client.get(path, HTTP_ACCEPT_ENCODING="identity").content.decode()
    wanted = [one.replace("&amp;", "&") for one in ASKED.findall(page)]
    known: set[str] = set()
    while wanted:
        asked = wanted.pop(0)
        if asked in known or "embed" in asked or "/boards/" in asked:
            continue
        known.add(asked)
        weights.append(_weight(client, asked))
        if asked.endswith(".js"):
            text = b"".join(client.get(asked, HTTP_ACCEPT_ENCODING="identity")).decode()
            wanted += [asked.rpartition("/")[0] + "/" + one for one in IMPORTED.findall(text)]
    return weights


def is_script_or_style(one: Weight) -> bool:
    """Return whether a file is a script or a style sheet."""
    return one.path.partition("?")[0].endswith((".js", ".css"))


def _weight(client: Client, path: str) -> Weight:
    plain, travelling = (
        client.get(path, HTTP_ACCEPT_ENCODING=encoding) for encoding in ("identity", BROWSER)
    )
    if travelling.status_code != 200:
        raise SystemExit(f"{path} answered {travelling.status_code}")
    return Weight(path, len(b"".join(plain)), len(b"".join(travelling)))


def _print(weights: list[Weight], total: int, costs: list[Cost]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 120)
    print_machine(console, machine())
    table = Table(title="Visavis of size 25, everything its page asks for (bytes)")
    for name in ("file", "plain", "on the wire"):
        table.add_column(name, justify="left" if name == "file" else "right")
    for one in sorted(weights, key=lambda one: -one.travelling):
        table.add_row(one.path, f"{one.plain:,}", f"{one.travelling:,}")
    scripts = sum(one.travelling for one in weights if is_script_or_style(one))
    table.add_row("scripts and styles", "", f"{scripts:,} of {SCRIPTS:,}")
    table.add_row("all", "", f"{total:,} of {LIMIT:,}")
    console.print(table)
    table = Table(title="Server time (processor; median)")
    for name in ("page", "ms", "by a bare page", "statements"):
        table.add_column(name, justify="left" if name == "page" else "right")
    for cost in costs:
        table.add_row(
            cost.page, f"{cost.milliseconds:.1f}", f"{cost.ratio:.1f}", f"{cost.statements}"
        )
    console.print(table)


if __name__ == "__main__":
    main()
