"""Try changes to the rules of a game, and see whether its examples, counts or laws notice them.

Each changed game runs in a forked process, which the system ends when it takes too long. A change
matters only where it changes a game: games of the rules as they are were recorded before, with
what they allow at each ply. So what is listed can be shown, and is not merely another way
to write the same rules.
"""

from __future__ import annotations

import importlib.util
import random
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.referee import judge
from sarsen.core.unsupported import rule_files
from sarsen.lab.checking.comparisons import relations, symmetries
from sarsen.lab.checking.counts import Count, wrong_counts
from sarsen.lab.checking.forking import Child, forked, processor_seconds, started
from sarsen.lab.checking.help_page import check_help
from sarsen.lab.checking.laws import bots
from sarsen.lab.checking.laws.unlisted_moves import changed_texts
from sarsen.lab.checking.mutants import Mutant, all_mutants
from sarsen.lab.checking.random_games import LAWS, first_fault
from sarsen.lab.checking.report import Mutations
from sarsen.lab.checking.walks import Finding, Note, Walk, begun, option_texts, unnoted, walk

RECORDING = 0.4  # seconds of the processor for the games that are recorded
# So many plies are recorded in three times that: on a machine that is slow for a moment, one short
# game would take it all, and most changes would seem to change nothing.
LEAST_PLIES = 200
APPLYING = 0.8  # seconds of the processor for laws on a changed game
# Seconds of the processor for each part of a trial: starting takes about as much.
LEAST_LIMIT = 1.5
MAX_PLIES = 150  # of a recorded game, which is replayed with each change
MAX_COUNTED = 3000  # paths of a count, which is repeated with each change
# A bot notices little of rules, and its random games take the time of the other laws.
LAWS_OF_RULES = tuple(law for law in LAWS if law not in bots.SOME_PLIES)
MAX_SEEDS = 6  # recorded games with the same options: each is replayed with each change


@dataclass(frozen=True)
class Recorded:
    """A random game of the rules as they are.

    Attributes:
        prints: What the rules said at each ply, the start included, as one number.
    """

    options: str
    texts: tuple[str, ...]
    prints: tuple[int, ...]


@dataclass(frozen=True)
class Trial:
    """What a changed game has to pass.

    Attributes:
        package, folder: Name and place of the package of the game.
        page: Of its help.
        known: What is found in the rules as they are.
        took: Seconds that they take, part by part: what takes far longer does not return.
    """

    package: str
    folder: Path
    page: str
    counts: tuple[Count, ...]
    games: tuple[Recorded, ...]
    seed: int
    known: frozenset[str] = frozenset()
    took: float = 0.0


def try_mutants(
    module: ModuleType,
    page: str,
    counts: Sequence[Count],
    seed: int,
    note: Note = unnoted,
    jobs: int = 1,
) -> Iterator[Mutations]:
    """Try one change after another; yield what became of all so far.

    Args:
        module: The package of the game.
        page: Of its help.
        jobs: So many are tried at a time; the answers come in the same order.
    """
    game: Game = module.GAME
    folder = Path(module.__file__ or "").parent
    few = tuple(one for count in counts if (one := count.at_most(MAX_COUNTED)))
    trial = Trial(module.__name__, folder, page, few, tuple(_record(game, seed, note)), seed)
    began = processor_seconds()
    control = forked(lambda: {"found": sorted(_findings(trial, None))})
    known = frozenset(control.get("found", ()))
    if "differs" in known:
        return  # by chance, which has a law of its own
    trial = replace(trial, known=known, took=processor_seconds() - began)
    mutants = all_mutants(rule_files(trial.package, folder), seed)
    found = Mutations(possible=len(mutants))
    begun_trials = deque[tuple[Mutant, Child]]()
    try:
        for mutant in (one for made in mutants for one in made):
            note("")
            child = started(lambda changed=mutant: _examined(trial, changed))  # type: ignore[misc]
            begun_trials.append((mutant, child))
            if len(begun_trials) == jobs:
                earlier, child = begun_trials.popleft()
                _add(found, earlier, child.answer(), trial, game)
                yield found
        while begun_trials:
            earlier, child = begun_trials.popleft()
            _add(found, earlier, child.answer(), trial, game)
            yield found
    finally:
        for _, child in begun_trials:
            child.end()


def _add(
    found: Mutations, mutant: Mutant, answer: dict[str, Any], trial: Trial, game: Game
) -> None:
    found.tried += 1
    if answer.get("is_same"):
        found.same += 1
    elif "differs" in answer:
        at, ply, moves = answer["differs"]
        how, line = _difference(game, trial.games[at], ply, moves)
        text = f"{mutant.path.name}:{mutant.line}: nothing notices when {mutant.change}"
        found.unnoticed.append(Finding("unnoticed-change", f"{text}: {how}", line, False))
    else:
        by = answer.get("by", "failures")
        found.noticed[by] = found.noticed.get(by, 0) + 1


def _difference(game: Game, recorded: Recorded, ply: int, moves: list[str]) -> tuple[str, str]:
    """Return what changed games do otherwise, and the command that shows where."""
    found = begun(game, recorded.options)
    for text in recorded.texts[:ply]:
        found = found.play(found.position.parse(text))
    right = [found.position.format(move) for move in found.position.legal_moves()]
    more, fewer = set(moves) - set(right), set(right) - set(moves)
    if right and not moves:
        how = "then the game is over here."
    elif moves and not right:
        how = "then the game goes on here."
    elif more:
        how = f"then {min(more)} is allowed here."
    elif fewer:
        how = f"then {min(fewer)} is refused here."
    else:
        how = "then the result, the side to move or a refusal is another one here."
    return how, found.line()


def _record(game: Game, seed: int, note: Note) -> Iterator[Recorded]:
    """Record games with those options whose games are the quickest, and one at least."""
    begins: list[tuple[float, Recorded]] = []
    cases, since = option_texts(game), time.process_time()
    for options in cases:
        if begins and time.process_time() - since > RECORDING * 5:
            break
        before = time.process_time()
        recorded = _recorded(game, options, seed, note)
        begins.append((time.process_time() - before, recorded))
    spent, plies = 0.0, 0
    begins.sort(key=lambda one: one[0])
    for further in range(MAX_SEEDS):
        for cost, first in begins:
            most = RECORDING * (3 if plies < LEAST_PLIES else 1)
            if spent and spent + cost > most:
                return
            recorded = _recorded(game, first.options, seed + further, note) if further else first
            yield recorded
            spent += cost
            plies += len(recorded.texts)


def _recorded(game: Game, options: str, seed: int, note: Note) -> Recorded:
    met = list(walk(game, options, seed, MAX_PLIES, note))
    prints = tuple(_print(found.position, ply) for ply, found in enumerate(met))
    return Recorded(options, met[-1].texts, prints)


def _print(position: AnyPosition, ply: int) -> int:
    """Return a number for what the rules say of a position; every fourth ply for refusals, too."""
    texts = sorted(map(position.format, position.legal_moves()))
    outcome = position.outcome()
    said: list[object] = [tuple(texts), position.seat, position.sides, outcome and outcome.scores]
    if ply % 4 == 0:
        near = (other for text in texts[:: max(1, len(texts) // 3)] for other in _near(text))
        said += [_reply(position, text) for text in near]
    return hash(tuple(said))


def _near(text: str) -> list[str]:
    return list(changed_texts(text))[:6]


def _reply(position: AnyPosition, text: str) -> str:
    try:
        move = position.parse(text)
        position.play(move)
        return position.format(move)
    except UserError as refusal:
        return refusal.code


def _examined(trial: Trial, mutant: Mutant) -> dict[str, Any]:
    """Return by what a change is noticed, or that it changes nothing, or where it does."""
    for kind, further in _stages(trial, mutant):
        if kind == "differs":
            return {"is_same": True} if further is None else {"differs": further}
        if further not in trial.known:
            return {"by": kind}
    return {"is_same": True}


def _findings(trial: Trial, mutant: Mutant | None) -> set[str]:
    return {
        further if kind != "differs" else "differs"
        for kind, further in _stages(trial, mutant)
        if further is not None
    }


def _stages(trial: Trial, mutant: Mutant | None) -> Iterator[tuple[str, Any]]:
    """Yield what is found by examples, counts and laws; at last how recorded games differ.

    Laws are asked where a game differs first; where none does they would find nothing.
    """
    limit = max(LEAST_LIMIT, 4 * trial.took)
    signal.setitimer(signal.ITIMER_PROF, limit)
    game = _loaded(trial, mutant)
    for finding in check_help(game, trial.page, ()):
        yield "examples", finding.text
    signal.setitimer(signal.ITIMER_PROF, limit)
    for text, _ in wrong_counts(game, trial.counts):
        yield "counts", text
    signal.setitimer(signal.ITIMER_PROF, limit)
    differs = _differing(game, trial.games)
    if differs is not None or mutant is None:
        signal.setitimer(signal.ITIMER_PROF, limit + 3 * APPLYING)
        for code in _broken_laws(game, trial, differs):
            yield "laws", code
    yield "differs", differs


def _differing(game: Game, games: tuple[Recorded, ...]) -> tuple[int, int, list[str]] | None:
    """Return the game and ply where the rules first say something else, and the moves there."""
    found = [
        (ply, at, moves)
        for at, recorded in enumerate(games)
        for ply, moves in _differing_plies(game, recorded)
    ]
    if not found:
        return None
    ply, at, moves = min(found)
    return at, ply, moves


def _differing_plies(game: Game, recorded: Recorded) -> Iterator[tuple[int, list[str]]]:
    """Yield the first ply where a game differs, and the moves there."""
    position = game.start(recorded.options)
    for ply, wanted in enumerate(recorded.prints):
        moves = [position.format(move) for move in position.legal_moves()]
        if _print(position, ply) != wanted:
            yield ply, moves
            return
        if ply < len(recorded.texts):
            try:
                position = judge(position, recorded.texts[ply]).position
            except UserError:
                yield ply, moves
                return


def _broken_laws(
    game: Game, trial: Trial, differs: tuple[int, int, list[str]] | None
) -> Iterator[str]:
    """Yield the codes of faults: where a recorded game differs, then in random games."""
    until = time.process_time() + APPLYING
    for found in _positions(game, trial, differs):
        for law in LAWS_OF_RULES:
            fault = first_fault(law, found)
            if fault is not None and fault.is_error:
                yield fault.code
        if time.process_time() > until:
            break
    until = time.process_time() + APPLYING
    for compare in (
        relations.swap_exchanges_the_winner,
        symmetries.symmetries_hold,
        relations.options_change_something,
    ):
        yield from (one.code for one in compare(game, until, unnoted))


def _positions(
    game: Game, trial: Trial, differs: tuple[int, int, list[str]] | None
) -> Iterator[Walk]:
    if differs is not None:
        at, ply, _ = differs
        found = begun(game, trial.games[at].options)
        for number, text in enumerate(trial.games[at].texts[:ply], start=1):
            if number == ply:
                yield found
            found = found.play(found.position.parse(text))
        yield found
        for move in list(found.position.legal_moves())[:1]:
            yield found.play(move)
    chance = random.Random(trial.seed)
    for recorded in trial.games:
        met = list(walk(game, recorded.options, trial.seed + 1, MAX_PLIES))
        yield from (met[-1], met[0], *chance.sample(met, min(3, len(met))))


class _Finder(MetaPathFinder):
    """Find one module with other source than its file has."""

    def __init__(self, name: str, mutant: Mutant) -> None:
        self._name, self._mutant = name, mutant

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self._name:
            return None
        loader = _Loader(name, self._mutant)
        return importlib.util.spec_from_file_location(name, self._mutant.path, loader=loader)


class _Loader(SourceFileLoader):
    def __init__(self, name: str, mutant: Mutant) -> None:
        super().__init__(name, str(mutant.path))
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._mutant.source, str(self._mutant.path), "exec", dont_inherit=True)


def _loaded(trial: Trial, mutant: Mutant | None) -> Game:
    """Load the package of a game anew, with a change; only in a forked process."""
    for name in list(sys.modules):
        if name == trial.package or name.startswith(f"{trial.package}."):
            del sys.modules[name]
    if mutant is not None:
        parts = mutant.path.relative_to(trial.folder).with_suffix("").parts
        name = ".".join([trial.package, *(part for part in parts if part != "__init__")])
        sys.meta_path.insert(0, _Finder(name, mutant))
    game: Game = importlib.import_module(trial.package).GAME
    return game
