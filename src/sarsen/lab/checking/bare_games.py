"""Many games of the rules alone, without a drawing: rare endings, and lines that no game reaches.

A fresh process replays them, in another order and with another order of sets: rules that keep
something from game to game, or ask for the order of a set, come to other positions there.
"""

from __future__ import annotations

import inspect
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.lab.checking.laws import positions, views
from sarsen.lab.checking.walks import Finding, Note, Walk, mixed_options, walk

# Of one position of each game, and of the last.
LAWS = (
    positions.moves_exist_while_the_game_runs,
    positions.outcome_is_one,
    positions.seat_and_sides_are_the_games,
    positions.position_reads_back,
    views.position_is_described,
    positions.odd_texts_are_refused,
)
LAWS_OF_ENDS = (positions.moves_exist_while_the_game_runs, positions.outcome_is_one)
MAX_GAMES, MAX_PLIES = 3000, 600  # the time is up before; a game that goes round ends
MAX_REPLAYED = 300  # games, in a fresh process: they were played once already
MAX_REPLAY = 60.0  # seconds of that process, by the clock: slow rules must not hold the check up
MAX_DRAWING = 2.0  # seconds of the processor, there, for positions before the last of a game
MAX_NAMED = 5  # places in the rules: more say nothing new in one line


def bare_games(
    game: Game, seed: int, deadline: float, note: Note, is_long: bool = False
) -> Iterator[list[Walk]]:
    """Yield random games with mixed options, small boards more often, until the time is up.

    Long games reach what is rare otherwise, such as a full board where a line wins.
    """
    for number in range(MAX_GAMES):
        if time.process_time() > deadline:
            return
        options = mixed_options(game, random.Random(f"{seed} {number}")) if number else ""
        met: list[Walk] = []
        for found in walk(game, options, seed + number, MAX_PLIES, note, is_long):
            met.append(found)
            if time.process_time() > deadline:
                break
        yield met


def summary(position: AnyPosition) -> list[Any]:
    """Return what two processes have to agree about."""
    outcome = position.outcome()
    end = [list(outcome.scores), str(outcome.reason)] if outcome else None
    moves = [position.format(move) for move in position.legal_moves()]
    rules = [position.write(), str(position.seat), list(position.sides), end, moves]
    return [rules, drawing.text(position)]


_REPLAY = """
import json, sys
from sarsen.lab.checking.bare_games import replay
json.dump(replay(sys.argv[1], json.load(sys.stdin)), sys.stdout)
"""


def replay(source: str, games: Sequence[tuple[int, str, list[str], list[int]]]) -> list[list[Any]]:
    """Return number, ply and summary of positions of games; the child's main function.

    Args:
        games: Each with its number, options, moves, and the plies that are asked for. The last
            one is always answered, the others within a time.
    """
    from sarsen.lab.checking.loading import load_game

    game, found, spent = load_game(source), list[list[Any]](), 0.0
    for number, options, texts, plies in games:
        ply = 0
        try:
            position = game.start(options)
            for ply in range(len(texts) + 1):
                if ply:
                    position = position.play(_typed(position, texts[ply - 1]))
                if ply == len(texts) or (ply in plies and spent < MAX_DRAWING):
                    began = time.process_time()
                    found.append([number, ply, summary(position)])
                    spent += (time.process_time() - began) * (ply < len(texts))
        except Exception as failed:  # a refusal, too: it was played a moment ago
            found.append([number, len(texts), [[str(failed)], ""]])
    return found


def _typed(position: AnyPosition, text: str) -> Any:
    """Return the move of a text; one that `parse` does not read has a fault of its own."""
    with suppress(UserError):
        move = position.parse(text)
        if position.format(move) == text:
            return move
    return next(move for move in position.legal_moves() if position.format(move) == text)


def fresh_process_agrees(
    games: Sequence[Sequence[Walk]], source: str, order: str = ""
) -> Iterator[Finding]:
    """A process of its own reaches the same positions, outcomes and moves.

    Args:
        games: Some positions of each, in order, the last one at least; games that are over
            come first.
        source: What the game was loaded from: its name or folder.
        order: Of sets, there: a hash seed; "" for another one than here.
    """
    over = sorted(games, key=lambda met: met[-1].position.outcome() is None)[:MAX_REPLAYED]
    at_ply = [{len(found.moves): found for found in met} for met in over]
    asked = [
        (at, met[-1].options, list(met[-1].texts), list(at_ply[at])) for at, met in enumerate(over)
    ]
    random.Random(1).shuffle(asked)
    order = order or ("1" if os.environ.get("PYTHONHASHSEED") != "1" else "2")
    try:
        ran = subprocess.run(  # noqa: S603 (ours)
            [sys.executable, "-c", _REPLAY, source],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=False,
            timeout=MAX_REPLAY,
            env=os.environ | {"PYTHONHASHSEED": order},
        )
    except subprocess.TimeoutExpired:  # of slow rules on a busy machine: nothing was compared
        return
    if ran.returncode:
        last = ran.stderr.strip().rpartition("\n")[2]
        yield Finding("hidden-state", f"A fresh process cannot replay these games: {last}")
        return
    told = json.loads(ran.stdout)
    differing = list[tuple[int, str, str]]()
    for at, ply, (rules, board) in told:
        found = at_ply[at][ply]
        line = found.line()
        found.note(line)
        here, drawn = summary(found.position)
        if rules != here:
            said = "A fresh process comes to another position or outcome by the same moves."
        elif board != drawn:
            said = (
                "A fresh process draws another board after the same moves: the view remembers "
                f"an earlier game. Here it drew:\n{drawn}"
            )
        else:
            continue
        differing.append((ply, said, line))
    if differing:
        _, said, line = min(differing)
        yield Finding("hidden-state", said, line)


@dataclass
class LinesReached:
    """Which lines of the functions of the rules have run.

    Attributes:
        left: The lines that have not, by path.
    """

    files: tuple[Path, ...]
    left: dict[str, set[int]] = field(default_factory=dict)
    _of_code: dict[CodeType, set[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in self.files:
            source = path.read_text(encoding="utf-8")
            self.left[str(path)] = _lines(compile(source, str(path), "exec", dont_inherit=True))

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Note the lines that run within a `with` block."""
        before = sys.gettrace()
        sys.settrace(self._on_call)
        try:
            yield
        finally:
            sys.settrace(before)

    def _on_call(self, frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        if code.co_filename not in self.left:
            return None
        left = self._of_code.get(code)
        if left is None:
            left = self._of_code[code] = _lines(code) & self.left[code.co_filename]
        return self._on_line if left else None  # functions of which all has run cost nothing

    def _on_line(self, frame: FrameType, event: str, argument: object) -> Any:
        self._of_code[frame.f_code].discard(frame.f_lineno)
        self.left[frame.f_code.co_filename].discard(frame.f_lineno)
        return self._on_line

    def findings(self) -> Iterator[Finding]:
        """Yield a note of the places that nothing has reached, refusals left out."""
        places = [f"{path.name}:{line} (`{text}`)" for path, line, text in self._places()]
        if places:
            more = f" and {len(places) - MAX_NAMED} more" if len(places) > MAX_NAMED else ""
            said = f"No example and no random game reaches {', '.join(places[:MAX_NAMED])}{more}."
            yield Finding("never-reached", said, is_error=False)

    def _places(self) -> Iterator[tuple[Path, int, str]]:
        for path in self.files:
            left, before = self.left[str(path)], 0
            source = path.read_text(encoding="utf-8").split("\n")
            for line in sorted(left):
                if line != before + 1:  # the first one of a block
                    text = source[line - 1].strip()
                    if not _is_refusal(source, line):
                        yield path, line, text if len(text) <= 50 else f"{text[:49]}…"
                before = line


def _is_refusal(source: Sequence[str], line: int) -> bool:
    """Return whether a block ends by raising: a missing example of it has a note of its own."""
    indent = len(source[line - 1]) - len(source[line - 1].lstrip())
    for text in source[line - 1 :]:
        if text.strip() and len(text) - len(text.lstrip()) < indent:
            return False
        if text.strip().startswith("raise "):
            return True
    return False


def _lines(code: CodeType) -> set[int]:
    """Return the lines of functions in a piece of code; classes and modules ran when loaded."""
    found = set[int]()
    if code.co_flags & inspect.CO_OPTIMIZED:
        found = {line for _, _, line in code.co_lines() if line and line != code.co_firstlineno}
    for inner in code.co_consts:
        if isinstance(inner, CodeType) and inner.co_name not in ("<lambda>", "<genexpr>"):
            found |= _lines(inner)
    return found
