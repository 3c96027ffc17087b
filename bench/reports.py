"""The reports of docs/reports, played anew: `python -m bench.reports [--minutes 4] [GAME …]`.

`--quick` makes two of them in three seconds each, and keeps nothing.

Writes a page for each game, the list of them, and the figures that other reports are compared
with. Games are kept in bench/results/reports: what was begun goes on, and what was done is only
evaluated anew, with the games that are new in its rounds. Remove a file there to begin anew.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sarsen.lab.reporting.result import COMPARED, REFERENCE

ROOT = Path(__file__).parents[1]
GAMES = (
    *("druid -size=5", "gyges", "vasco", "visavis -size=9"),
    *("examples/games/hex -size=5", "examples/games/hex -size=7"),
    "examples/games/ygame -size=7",
    *("examples/games/breakthrough", "examples/games/amazons -size=6", "tests/plugin"),
    *("examples/control_set/tic_tac_toe.py", "examples/control_set/connect_four"),
)
BROKEN = tuple(
    f"examples/control_set/{name}.py"
    for name in ("first_wins", "all_draws", "endless", "mirror", "one_move", "coin_flip")
)
SHORT = ("examples/control_set/tic_tac_toe.py", "examples/control_set/first_wins.py")
SHORT_MINUTES = 0.05
HEAD = """\
# Reports

Made by `make reports`; [reporting.md](../reporting.md) says how they are measured. The figures of
the first table are what other reports are compared with; the games of the second are broken on
purpose. Pages are HTML: open them in a browser. A command makes the same games again with the
version of sarsen that made the page; a later one, whose searches are better, makes other games.
"""


@dataclass(frozen=True)
class Places:
    """Where the games, the pages and the figures of the reference games are kept."""

    kept: Path
    docs: Path
    figures: Path

    def copied(self, folder: Path) -> Places:
        """Return places in a folder, where all but the games is as it was."""
        docs = shutil.copytree(self.docs, folder / "docs")
        return Places(folder / "kept", docs, Path(shutil.copy(self.figures, folder)))


PLACES = Places(
    kept=ROOT / "bench" / "results" / "reports",
    docs=ROOT / "docs" / "reports",
    figures=ROOT / "src" / "sarsen" / "lab" / "reporting" / REFERENCE,
)


def main() -> None:
    """Play what is asked for, then write the list of all reports."""
    options = argparse.ArgumentParser(prog="python -m bench.reports")
    options.add_argument("--minutes", type=float, default=4.0, help="for each game")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--quick", action="store_true", help="shows that all works")
    options.add_argument("games", nargs="*", help="as in the list; all of them when none is named")
    asked = options.parse_args()
    if asked.quick:
        with tempfile.TemporaryDirectory() as folder:
            make_reports(SHORT, SHORT_MINUTES, asked.jobs, PLACES.copied(Path(folder)))
    else:
        games = asked.games or (*GAMES, *BROKEN)
        make_reports(games, asked.minutes, asked.jobs, PLACES)


def make_reports(games: Sequence[str], minutes: float, jobs: int, places: Places) -> None:
    """Play games, and write their pages and the list."""
    for line in games:
        words = [*line.split(), "--minutes", str(minutes), "--jobs", str(jobs)]
        done = [
            facts
            for facts in kept(places).values()
            if facts["command"].startswith(f"sarsen report {line} --seed")
        ]
        words += ["--rounds", str(max(1, done[0]["rounds"]))] if done else []
        command = (
            Path(sys.executable).parent / "sarsen",
            "report",
            *words,
            "--write",
            places.kept,
            "--json",
        )
        ran = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        facts = json.loads(ran.stdout)
        print(f"{line}: {facts['headline']}", flush=True)
    write_list(places)


def kept(places: Places) -> dict[str, dict[str, Any]]:
    """Return the reports that were made, by the names of their files."""
    made = sorted(places.kept.glob("*.json"))
    return {path.stem: json.loads(path.read_text("utf-8")) for path in made}


def write_list(places: Places) -> None:
    """Write the pages, their list, and the figures of the reference games.

    Reports of earlier runs stay as they are.
    """
    reference = json.loads(places.figures.read_text("utf-8"))
    old = (places.docs / "index.md").read_text("utf-8").splitlines()
    rows = {found[1]: line for line in old if (found := re.search(r"\]\((.+)\.html\)", line))}
    for stem, facts in kept(places).items():
        page = (places.kept / f"{stem}.html").read_text("utf-8")
        (places.docs / f"{stem}.html").write_text(page, "utf-8")
        rows[stem] = _row(stem, facts)
        if not _is_broken(rows[stem]):
            values = {name: facts["figures"][name] for name in COMPARED}
            reference[facts["title"]] = {
                name: one["value"] for name, one in values.items() if one["count"]
            }
    head = "\n| game | worst news | first seat | draws | Elo over random | command |\n"
    head += "|---|---|---:|---:|---:|---|\n"
    parts = [
        "".join(f"{row}\n" for _, row in sorted(rows.items()) if _is_broken(row) == which)
        for which in (False, True)
    ]
    text = f"{HEAD}{head}{parts[0]}\n## Broken on purpose\n{head}{parts[1]}"
    (places.docs / "index.md").write_text(text, "utf-8")
    places.figures.write_text(json.dumps(reference, indent=1, sort_keys=True) + "\n", "utf-8")


def _is_broken(row: str) -> bool:
    return any(name in row for name in BROKEN)


def _row(stem: str, facts: dict[str, Any]) -> str:
    figures = facts["figures"]
    cells = (f"{100 * figures[name]['value']:.0f} %" for name in ("first", "draws"))
    elo = f"{figures['skill']['value']:.0f}"
    first, draws = cells
    return (
        f"| [{facts['title']}]({stem}.html) | {facts['headline']} | {first} | {draws} | {elo} "
        f"| `{facts['command']}` |"
    )


if __name__ == "__main__":
    main()
