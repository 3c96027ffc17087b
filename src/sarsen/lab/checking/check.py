"""Check a game within a time: laws on whole games, comparisons, its help page, its changes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from sarsen.core.game import Game
from sarsen.core.unsupported import rule_files
from sarsen.lab.checking import bot_laws, orders, relations, symmetries
from sarsen.lab.checking.bare_games import LinesReached, fresh_process_agrees
from sarsen.lab.checking.counts import read_counts, wrong_counts
from sarsen.lab.checking.help_page import check_help, examples_of
from sarsen.lab.checking.loading import load_module
from sarsen.lab.checking.noticing import processor_seconds, try_mutants
from sarsen.lab.checking.random_games import SLOW, WaitingRules, Walking, sentence
from sarsen.lab.checking.report import CheckReport, Telling
from sarsen.lab.checking.walks import MOST_PLIES, Finding, LastNote, Note, failure

MUTATING = 0.4  # the part of the time for changed rules
# The parts of the rest: random games, those without a drawing, extremes.
WALKING, BARE, HUNTING = 0.5, 0.15, 0.1
ENOUGH_GAMES = 50  # without a drawing, to say that no game reaches a line
LEAST_COMPARING = 3.0  # seconds for comparisons

COMPARISONS = (
    relations.options_change_something,
    relations.swap_exchanges_the_winner,
    relations.positions_do_not_come_again,
    symmetries.symmetries_hold,
    symmetries.exchanges_hold,
    orders.view_tells_the_sides_apart,
    bot_laws.functions_judge_for_the_mover,
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
    last = LastNote(note)
    page = Path(module.__file__ or "").parent / "help.md"
    text = page.read_text("utf-8") if page.is_file() else ""
    reached = LinesReached(rule_files(module.__name__, page.parent))
    changing = MUTATING * seconds if mutations else 0.0
    report.begin("Help page")
    told(report, "help page")
    report.measures.examples = len(list(examples_of(text)))
    with reached.watched():
        for finding in check_help(game, text, reached.files, last):
            report.add(finding)
    path = Path(counts) if counts else page.parents[1] / "tests" / "perft.txt"
    counted = read_counts(path, game.info.name)
    for said, line in wrong_counts(game, counted, last):
        report.add(Finding("counts", said, line))
    try:
        _play(game, source, seed, seconds - changing, told, last, report, reached)
    except WaitingRules as waiting:
        report.add(Finding("slow-rules", *waiting.args))
        changing = 0.0  # would take hours
    if changing:
        report.begin("Changed rules")
        until = processor_seconds() + changing
        try:
            for found in try_mutants(module, text, counted, seed, last):
                report.mutations = found
                told(report, f"change {found.tried} of the rules")
                if found.tried >= mutations or processor_seconds() > until:
                    break
        except Exception as failed:
            report.add(Finding("crash", f"A random game fails: {failure(failed)}", last.line))
    report.seconds = time.monotonic() - began
    return report


def _play(
    game: Game,
    source: str,
    seed: int,
    seconds: float,
    told: Telling,
    last: LastNote,
    report: CheckReport,
    reached: LinesReached,
) -> None:
    """Play the games of a check, and compare them."""
    report.begin("Laws")
    walking = Walking(game, report, seed, told, last)
    walking.play(time.process_time() + WALKING * seconds)
    told(report, "games without a drawing")
    ended = walking.play_bare(time.process_time() + BARE * seconds, reached)
    if report.measures.bare_games >= ENOUGH_GAMES:
        for finding in reached.findings():
            report.add(finding)
    report.begin("Extremes")
    told(report, "longest game, most moves, widest text")
    walking.hunt(time.process_time() + HUNTING * seconds)
    _name_extremes(report)
    report.begin("Comparisons")
    comparing = max(LEAST_COMPARING, (1 - WALKING - BARE - HUNTING) * seconds)
    for finding in _compared(game, time.process_time() + comparing, told, last, report):
        report.add(finding)
    told(report, "a fresh process")
    try:
        for finding in fresh_process_agrees(ended, source):
            report.add(finding)
    except Exception as failed:
        report.add(Finding("crash", f"A game that was replayed: {failure(failed)}"))


def _compared(
    game: Game, deadline: float, told: Telling, last: LastNote, report: CheckReport
) -> Iterator[Finding]:
    for number, compare in enumerate(COMPARISONS):
        told(report, sentence(compare))
        left = deadline - time.process_time()
        try:
            yield from compare(game, time.process_time() + left / (len(COMPARISONS) - number), last)
        except Exception as failed:
            yield Finding("crash", f"{sentence(compare)} {failure(failed)}", last.line)


def _name_extremes(report: CheckReport) -> None:
    measures = report.measures
    if not measures.ends:
        text = f"A random game had not ended after {MOST_PLIES} plies."
        report.add(Finding("may-not-end", text, "", False))
    seconds, name, line = measures.slowest
    if seconds > SLOW:
        text = f"`{name}` took {seconds:.2f} s once; people and programs wait for it."
        report.add(Finding("slow-rules", text, line, False))
