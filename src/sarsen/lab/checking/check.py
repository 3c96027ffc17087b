"""Check a game within a time: laws on whole games, comparisons, its help page, its changes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from sarsen.core.game import Game
from sarsen.core.unsupported import rule_files
from sarsen.lab.checking import relations
from sarsen.lab.checking.counts import read_counts, wrong_counts
from sarsen.lab.checking.help_page import check_help, examples_of
from sarsen.lab.checking.loading import load_module
from sarsen.lab.checking.noticing import processor_seconds, try_mutants
from sarsen.lab.checking.random_games import SLOW, Walking, sentence
from sarsen.lab.checking.report import CheckReport, Telling
from sarsen.lab.checking.walks import MOST_PLIES, Finding, Note, failure, walk

MUTATING = 0.4  # the part of the time for changed rules
WALKING, HUNTING = 0.6, 0.15  # the parts of the rest for random games, and for extremes
LEAST_COMPARING = 10.0  # seconds for comparisons, which mostly take one

COMPARISONS = (
    relations.options_change_something,
    relations.swap_exchanges_the_winner,
    relations.positions_do_not_come_again,
    relations.symmetries_hold,
    relations.exchanges_hold,
)


def find_faults(
    source: str,
    seconds: float,
    seed: int,
    mutations: int,
    counts: str,
    told: Telling,
    note: Note,
) -> CheckReport:
    """Check a game in this process; see `bounded.check`.

    Args:
        source: Its name, or the folder of its package.
        mutations: Changes to its rules that are tried, at most.
        counts: A file with counts of move paths; "" for `tests/perft.txt` beside the package.
        told: Called with what was found so far, and what begins now.
        note: Called with a command that repeats the next call of the rules.

    Raises:
        UserError: There is no game that could be checked.
    """
    began = time.monotonic()
    module = load_module(source)
    game: Game = module.GAME
    report = CheckReport(game.info.name, game.info.title)
    report.begin("Help page")
    told(report, "help page")
    folder = Path(module.__file__ or "").parent
    page = folder / "help.md"
    text = page.read_text("utf-8") if page.is_file() else ""
    report.measures.examples = len(list(examples_of(text)))
    for finding in check_help(game, text, rule_files(module.__name__, folder), note):
        report.add(finding)
    path = Path(counts) if counts else folder.parent / "tests" / "perft.txt"
    counted = read_counts(path, game.info.name)
    for said, line in wrong_counts(game, counted, note):
        report.add(Finding("counts", said, line))
    changing = MUTATING * seconds if mutations else 0.0
    report.begin("Laws")
    walking = Walking(game, report, seed, told, note)
    walking.play(time.process_time() + WALKING * (seconds - changing))
    report.begin("Extremes")
    told(report, "longest game, most moves, widest text")
    walking.hunt(time.process_time() + HUNTING * (seconds - changing))
    _name_extremes(report)
    report.begin("Comparisons")
    told(report, "options, swaps, a fresh process")
    comparing = max(LEAST_COMPARING, (1 - WALKING - HUNTING) * seconds)
    for finding in _compared(game, source, seed, time.process_time() + comparing, note):
        report.add(finding)
    if mutations:
        report.begin("Changed rules")
        until = processor_seconds() + changing
        try:
            for found in try_mutants(module, text, counted, seed, note):
                report.mutations = found
                told(report, f"change {found.tried} of the rules")
                if found.tried >= mutations or processor_seconds() > until:
                    break
        except Exception as failed:
            report.add(Finding("crash", f"A random game fails: {failure(failed)}"))
    report.seconds = time.monotonic() - began
    return report


def _compared(game: Game, source: str, seed: int, deadline: float, note: Note) -> Iterator[Finding]:
    for compare in COMPARISONS:
        try:
            yield from compare(game, deadline, note)
        except Exception as failed:
            yield Finding("crash", f"{sentence(compare)} {failure(failed)}")
    try:
        *_, last = walk(game, "", seed, 60, note)
        yield from relations.fresh_process_agrees(last, source)
    except Exception as failed:
        yield Finding("crash", f"A random game of 60 plies: {failure(failed)}")


def _name_extremes(report: CheckReport) -> None:
    measures = report.measures
    if not measures.ends:
        text = f"A random game had not ended after {MOST_PLIES} plies."
        report.add(Finding("may-not-end", text, "", False))
    seconds, name, line = measures.slowest
    if seconds > SLOW:
        text = f"`{name}` took {seconds:.2f} s once; people and programs wait for it."
        report.add(Finding("slow-rules", text, line, False))
