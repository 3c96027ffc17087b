"""A report when it is done: its figures by block, its bad news, and how it compares."""

from __future__ import annotations

import ast
import json
import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from sarsen import __version__
from sarsen.core.game import AnyPosition, Game
from sarsen.drawing.scene import Scene
from sarsen.drawing.view import registered
from sarsen.lab.checking.loading import load_game
from sarsen.lab.proofs import proof_module
from sarsen.lab.reporting import measures
from sarsen.lab.reporting.charts import heat_map
from sarsen.lab.reporting.heat import heat, places_of
from sarsen.lab.reporting.measures import ReportGames
from sarsen.lab.reporting.openings import Opening, balance, openings
from sarsen.lab.reporting.plan import nodes_of
from sarsen.lab.reporting.playing import rules_file
from sarsen.lab.reporting.run import TRUTH, Truth
from sarsen.lab.reporting.solving import sentence_of
from sarsen.lab.reporting.statistics import FEW, Figure
from sarsen.lab.reporting.use import pieces
from sarsen.lab.reporting.verdicts import Verdict, verdicts

BLOCKS = (
    ("fairness", measures.fairness),
    ("ending", measures.ending),
    ("depth", measures.depth),
    ("tension", measures.excitement),
    ("choice", measures.choice),
    ("exploits", measures.exploits),
    ("balance", balance),
)
# The figures that are compared with those of other games.
COMPARED = (
    *("first", "draws", "length", "skill", "steps", "drama", "changes", "decided"),
    *("uncertainty", "branching", "near", "only", "clarity"),
)
REFERENCE = "reference.json"
# Times the minutes that were too few for the first round: then there is time for eight, since
# rounds take less than the first moves do.
WITHOUT_A_ROUND = 3


@dataclass(frozen=True)
class Report:
    """The games, figures and findings of one game."""

    games: ReportGames
    truth: Truth
    seconds: float

    @cached_property
    def game(self) -> Game:
        """The game."""
        return load_game(self.games.setup.source)

    @cached_property
    def start(self) -> AnyPosition:
        """The first position, with the options that were asked for."""
        return self.game.start(self.games.setup.options)

    @property
    def title(self) -> str:
        """The name of the game, with its options."""
        return " ".join(filter(None, (self.game.info.title, self.games.setup.options)))

    @cached_property
    def blocks(self) -> dict[str, list[Figure]]:
        """The figures by block."""
        return {name: list(measure(self.games)) for name, measure in BLOCKS}

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """The figures by name."""
        return {figure.name: figure for block in self.blocks.values() for figure in block}

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """The bad news, the worst first."""
        solved = self.truth.of(self.games.setup.options)
        text = f"Solved: with best play {solved.sentence}." if solved else self.theory
        return verdicts(self.games, self.figures, text)

    @cached_property
    def theory(self) -> str:
        """What the game's own `proof` says of its theory, as a sentence; "" for nothing."""
        declared = getattr(proof_module(self.game), "theory", None)
        proved = declared(self.games.setup.options) if declared else None
        if proved is None:
            return ""
        score, reason = proved
        return f"Proved: with best play {sentence_of(score)} ({reason})."

    @property
    def headline(self) -> str:
        """The worst news, or that none was seen, and by what."""
        if self.verdicts:
            return self.verdicts[0].text
        if self.shortage:
            return self.shortage
        first = self.figures["first"]
        text = (
            f"No problem visible to searches of {nodes_of(self.games.setup.steps):,} nodes "
            f"in {first.count} games"
        )
        if first.is_wide:
            text += (
                "; too few games to tell whether a seat has the advantage "
                f"(score of the first: {first.span})"
            )
        return f"{text}."

    @property
    def shortage(self) -> str:
        """That too few rounds were played, and how many minutes would do; "" for enough."""
        if self.games.rounds >= FEW:
            return ""
        played = f"{self.games.rounds} of the {FEW} rounds needed for a result were played"
        return f"Only {played}: {self._minutes_needed}."

    @property
    def _minutes_needed(self) -> str:
        """How long `FEW` rounds take, or what to try where none was begun."""
        rounds = self.games.rounds + self.games.part
        if not rounds:
            minutes = math.ceil(WITHOUT_A_ROUND * self.seconds / 60)
            return f"there was no time for the first one; try {of_minutes(minutes)}"
        minutes = math.ceil(self.seconds * FEW / rounds / (1 - TRUTH) / 60)
        return f"about {of_minutes(minutes)} would do"

    @property
    def openings(self) -> list[Opening]:
        """The first moves with their values, best first."""
        return openings(self.games)

    @cached_property
    def pieces(self) -> list[Figure]:
        """The share of moves that use each kind of piece, the most used first."""
        return pieces(self.games, self.start, registered(self.game.info.name))

    @cached_property
    def heat(self) -> dict[str, float]:
        """How often each place is used in a move, as shares of the most used."""
        return heat(self.games, self.start)

    @cached_property
    def heat_map(self) -> Scene | None:
        """The same on the board that the game's view draws; None where it draws none."""
        shown = places_of(self.games, self.start, self.heat) if self.heat else None
        return heat_map(*shown, self.heat) if shown else None

    @cached_property
    def idle_lines(self) -> list[tuple[int, str]]:
        """The lines of the rules that random games never ran, in functions that they entered."""
        path = Path(rules_file(self.game))
        return idle_lines(path.read_text(encoding="utf-8"), measures.lines_run(self.games))

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for a program."""
        setup = self.games.setup
        return {
            "title": self.title,
            "game": self.game.info.name,
            "options": setup.options,
            "seed": setup.seed,
            "steps": setup.steps,
            "rounds": self.games.rounds,
            "seconds": round(self.seconds),
            "version": __version__,
            "headline": self.headline,
            "verdicts": [asdict(verdict) for verdict in self.verdicts],
            "figures": {name: _rounded(asdict(figure)) for name, figure in self.figures.items()},
            "openings": [asdict(opening) for opening in self.openings],
            "heat": self.heat,
            "pieces": [_rounded(asdict(figure)) for figure in self.pieces],
            "solved": [asdict(result) | {"text": result.text} for result in self.truth.solved],
            "perft": list(self.truth.counts.perft),
            "states": list(self.truth.counts.states),
            "problems": [asdict(problem) for problem in self.truth.problems],
            "idle_lines": [number for number, _ in self.idle_lines],
        }


def of_minutes(count: int) -> str:
    """Return a number of minutes in words."""
    return f"{count} minute{'' if count == 1 else 's'}"


def _rounded(facts: dict[str, Any]) -> dict[str, Any]:
    return {
        name: round(value, 4)
        if isinstance(value, float) and abs(value) < 1e9
        else str(value)
        if isinstance(value, float)
        else value
        for name, value in facts.items()
    }


def idle_lines(source: str, run: set[int]) -> list[tuple[int, str]]:
    """Return the statements of some rules that never ran, in functions that did.

    Refusals are left out: no legal move reaches them.
    """
    text = source.splitlines()
    lines: list[tuple[int, str]] = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            body = [inner for statement in function.body for inner in _statements(statement)]
            if any(inner.lineno in run for inner in body):
                idle = (
                    inner
                    for inner in body
                    if not run & set(range(inner.lineno, _head_end(inner) + 1))
                )
                lines += [
                    (statement.lineno, text[statement.lineno - 1].strip()) for statement in idle
                ]
    return sorted(set(lines))


def _statements(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield a statement and those within it that no refusal ends."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Raise):
        return
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    if not is_text:
        yield statement
    for part in ("body", "orelse", "finalbody"):
        inner = getattr(statement, part, [])
        if not any(isinstance(child, ast.Raise) for child in inner):
            for child in inner:
                yield from _statements(child)


def _head_end(statement: ast.stmt) -> int:
    """Return the last line of a statement without the block in it."""
    body = getattr(statement, "body", None)
    return body[0].lineno - 1 if body else statement.end_lineno or statement.lineno


@dataclass(frozen=True)
class Place:
    """Where a figure stands among those of reference games, in percent of them below it."""

    name: str
    label: str
    percentile: float
    games: int


def reference() -> dict[str, dict[str, float]]:
    """Return the figures of the reference games by game, measured by this program."""
    page = files(__package__).joinpath(REFERENCE)
    figures: dict[str, dict[str, float]] = json.loads(page.read_text(encoding="utf-8"))
    return figures


def places(report: Report) -> list[Place]:
    """Return where the figures of a report stand among the other reference games."""
    others = {name: figures for name, figures in reference().items() if name != report.title}
    standings = []
    for name in COMPARED:
        values = sorted(figures[name] for figures in others.values() if name in figures)
        figure = report.figures[name]
        if values and figure.count:
            below = bisect_left(values, figure.value)
            equal = sum(value == figure.value for value in values)
            part = 100 * (below + equal / 2) / len(values)
            standings.append(Place(name, figure.label, part, len(values)))
    return standings


def differences(report: Report, other: Report) -> list[tuple[Figure, Figure, bool]]:
    """Return the figures that two reports share, and whether they really differ."""
    names = (*COMPARED, "unfinished", "slope", "balanced", "forced")
    pairs = ((report.figures[name], other.figures[name]) for name in names)
    return [(a, b, a.differs_from(b)) for a, b in pairs if a.count and b.count]
