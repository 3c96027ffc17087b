"""Check a game within a time: laws on whole games, comparisons, its help page, its changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from sarsen.core.game import Game
from sarsen.core.unsupported import rule_files
from sarsen.lab.checking.bare_games import LinesReached, fresh_process_agrees
from sarsen.lab.checking.comparisons import colours, orders, places, relations, symmetries
from sarsen.lab.checking.comparisons.endings import Endings
from sarsen.lab.checking.counts import read_counts, wrong_counts
from sarsen.lab.checking.forking import processor_seconds
from sarsen.lab.checking.help_page import check_help, examples_of
from sarsen.lab.checking.laws import bots, unlisted_moves
from sarsen.lab.checking.lesson import lesson_is_right
from sarsen.lab.checking.loading import load_module
from sarsen.lab.checking.mutation_testing import try_mutants
from sarsen.lab.checking.one_line import check_line
from sarsen.lab.checking.random_games import Walking, reach_by_laws, sentence
from sarsen.lab.checking.report import CheckReport, CheckRequest, ReportProgress
from sarsen.lab.checking.timing import WaitingRules
from sarsen.lab.checking.walks import MAX_PLIES, Finding, LastNote, Note, failure
from sarsen.search.general.functions import functions_of

MUTATING = 0.4  # the part of the time for changed rules
# The parts of the rest: random games, those without a drawing, extremes.
WALKING, BARE, REACHING, HUNTING = 0.47, 0.15, 0.03, 0.1
COMPARING = 1 - WALKING - BARE - REACHING - HUNTING
ENOUGH_GAMES = 50  # without a drawing, to say that no game reaches a line
LEAST_COMPARING = 2.0  # seconds for comparisons: in less they play no whole game

Compare = Callable[[Game, float, Note], Iterator[Finding]]
# Each by its name in `--only`: the code that it finds, where it is one.
COMPARISONS: dict[str, Compare] = {
    "lesson": lesson_is_right,
    "unlisted-move": unlisted_moves.words_are_listed_soon,
    "idle-option": relations.options_change_something,
    "swap-winner": relations.swap_exchanges_the_winner,
    "may-not-end": relations.positions_do_not_come_again,
    "symmetry": symmetries.symmetries_hold,
    "exchange": symmetries.exchanges_hold,
    "sides-look-alike": orders.view_tells_the_sides_apart,
    "wrong-colour": colours.pieces_have_the_colour_of_their_side,
    "drawings": places.drawings_agree_on_places,
    "bot-side": bots.functions_judge_for_the_mover,
}


def find_faults(request: CheckRequest, told: ReportProgress, note: Note) -> CheckReport:
    """Check a game in this process; see `bounded.check`.

    Args:
        told: Called with what was found so far, and what begins now.
        note: Called with a command that repeats the next call of the rules.

    Raises:
        UserError: There is no game that could be checked.
    """
    began = time.monotonic()
    module = load_module(request.source)
    game: Game = module.GAME
    report = CheckReport(game.info.name, game.info.title, request.source)
    last = LastNote(note)
    with suppress(Exception):  # a law tells of it
        functions_of(game)  # what its bot imports takes seconds, which belong to no call
    last("")  # from now on each call has its own time
    if request.line is not None:
        options, moves = request.line
        check_line(game, request.source, options, tuple(moves.split()), told, last, report)
    elif request.only:
        report.begin("Comparison")
        comparing = max(LEAST_COMPARING, COMPARING * request.seconds)
        _compare(game, request, time.process_time() + comparing, told, last, report)
    else:
        _find_all(module, request, told, last, report)
    report.seconds = time.monotonic() - began
    return report


def _find_all(
    module: ModuleType,
    request: CheckRequest,
    told: ReportProgress,
    last: LastNote,
    report: CheckReport,
) -> None:
    game: Game = module.GAME
    page = Path(module.__file__ or "").parent / "help.md"
    text = page.read_text("utf-8") if page.is_file() else ""
    reached = LinesReached(rule_files(module.__name__, page.parent))
    changing = MUTATING * request.seconds if request.mutations else 0.0
    report.begin("Help page")
    told(report, "help page")
    report.measures.examples = len(list(examples_of(text)))
    with reached.watched():
        for finding in check_help(game, text, reached.files, last):
            report.add(finding)
    path = Path(request.counts) if request.counts else page.parents[1] / "tests" / "perft.txt"
    counted = read_counts(path, game.info.name)
    for said, line in wrong_counts(game, counted, last):
        report.add(Finding("counts", said, line))
    try:
        _play(game, request, request.seconds - changing, told, last, report, reached)
    except WaitingRules as waiting:
        report.add(Finding("slow-rules", *waiting.args))
        changing = 0.0  # would take hours
    if changing:
        report.begin("Changed rules")
        until = processor_seconds() + changing * request.jobs
        try:
            for found in try_mutants(module, text, counted, request.seed, last, request.jobs):
                report.mutations = found
                told(
                    report,
                    f"change {found.tried} of {found.possible} of the rules, "
                    f"{len(found.unnoticed)} noticed by nothing",
                )
                if found.tried >= request.mutations or processor_seconds() > until:
                    break
        except Exception as failed:
            # Whatever code of an author raises is a finding: the check itself goes on.
            report.add(Finding("crash", f"A random game fails: {failure(failed)}", last.line))


def _play(
    game: Game,
    request: CheckRequest,
    seconds: float,
    told: ReportProgress,
    last: LastNote,
    report: CheckReport,
    reached: LinesReached,
) -> None:
    """Play the games of a check, and compare them."""
    report.begin("Laws")
    walking = Walking(game, report, request.seed, told, last)
    walking.play(time.process_time() + WALKING * seconds)
    told(report, "games without a drawing")
    endings = Endings(game)
    ended = walking.play_bare(time.process_time() + BARE * seconds, reached, endings)
    reach_by_laws(game, request.seed, reached, time.process_time() + REACHING * seconds)
    if report.measures.bare_games >= ENOUGH_GAMES:
        notes = endings.findings(relations.examples(game), request.command)
        for finding in (*reached.findings(), *notes):
            report.add(finding)
    report.begin("Extremes")
    told(report, "longest game, most moves, widest text")
    walking.hunt(time.process_time() + HUNTING * seconds)
    if not report.measures.ends:
        text = f"A random game had not ended after {MAX_PLIES} plies."
        report.add(Finding("may-not-end", text, "", False))
    walking.report_slowest()
    report.begin("Comparisons")
    comparing = max(LEAST_COMPARING, COMPARING * seconds)
    _compare(game, request, time.process_time() + comparing, told, last, report)
    told(report, "a fresh process")
    try:
        for finding in fresh_process_agrees(ended, request.source):
            report.add(finding)
    except Exception as failed:
        # Rules that fail only in a fresh process are what this looks for.
        report.add(Finding("crash", f"A game that was replayed: {failure(failed)}"))


def _compare(
    game: Game,
    request: CheckRequest,
    deadline: float,
    told: ReportProgress,
    last: LastNote,
    report: CheckReport,
) -> None:
    """Make all comparisons, or only the one that was asked for: then the games are the same."""
    made = {request.only: COMPARISONS[request.only]} if request.only else COMPARISONS
    for number, (code, compare) in enumerate(made.items()):
        told(report, sentence(compare))
        now, again = time.process_time(), replace(request, only=code).command
        try:
            for one in compare(game, now + (deadline - now) / (len(made) - number), last):
                report.add(
                    replace(one, line=again, shown=one.line if "--moves" in one.line else "")
                )
        except Exception as failed:
            # The other comparisons may still find something.
            said = f"{sentence(compare)} {failure(failed)}"
            report.add(Finding("crash", said, again, shown=last.line))
