"""`sarsen puzzles`: make, prove again and show the puzzles of a game."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sarsen.core.errors import UserError
from sarsen.core.game import Game
from sarsen.lab.arguments import JSON, LabCommand, interrupt_on_sigterm, read_game
from sarsen.lab.commands import JOBS, SEED

if TYPE_CHECKING:
    from sarsen.lab.puzzles.making import GameTask
    from sarsen.learning.puzzles.puzzle import Puzzle

WANTED = 200  # of a game: a new one each day for half a year


@dataclass
class Kept:
    """What was found so far, in a file that a second run goes on with.

    Attributes:
        path: None to keep nothing.
        tasks: The games that were looked through.
    """

    path: Path | None
    found: list[Puzzle] = field(default_factory=list)
    tasks: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        from sarsen.learning.puzzles.puzzle import read_puzzle

        if self.path is None or not self.path.exists():
            return
        for line in self.path.read_text(encoding="utf-8").splitlines():
            facts = json.loads(line)
            self.tasks.add(facts["task"])
            self.found += [read_puzzle(one) for one in facts["puzzles"]]

    def add(self, task: GameTask, puzzles: Sequence[Puzzle]) -> None:
        """Note what a game had."""
        from sarsen.learning.puzzles.puzzle import write_puzzle

        self.found += puzzles
        self.tasks.add(str(task))
        if self.path is not None:
            facts = {"task": str(task), "puzzles": [write_puzzle(one) for one in puzzles]}
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(facts, ensure_ascii=False) + "\n")


@click.command("puzzles", cls=LabCommand)
@click.argument("game_name", metavar="GAME")
@click.option(
    "--from",
    "source",
    default="self-play",
    show_default=True,
    metavar="self-play|FILE",
    help="Games to look through: bots play them, or a file of records has them.",
)
@click.option(
    "--minutes", type=click.FloatRange(0.01, 10_000), default=5.0, show_default=True, metavar="M"
)
@click.option("--games", type=click.IntRange(1, 10_000_000), metavar="N", help="Most games.")
@click.option(
    "--most",
    type=click.IntRange(1, 100_000),
    default=WANTED,
    show_default=True,
    metavar="N",
    help="Puzzles to have in all.",
)
@SEED
@JOBS
@click.option(
    "--keep",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Save what is found to this file; a second run continues after it.",
)
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Add puzzles to this file; those in it keep their numbers.",
)
@click.option("--check", is_flag=True, help="Prove all puzzles of the game again.")
@click.option(
    "--by-rules",
    is_flag=True,
    help="With --check: play every line of three plies by the rules alone instead.",
)
@click.option(
    "--number",
    type=click.IntRange(1),
    metavar="ID",
    help="With --check: this puzzle alone, with ten times as many positions for each move.",
)
@click.option("--proof", type=click.IntRange(1), metavar="ID", help="Print what solves a puzzle.")
@click.option("--export", is_flag=True, help="Print the puzzles of the game, a line of JSON each.")
@JSON
def puzzles_command(
    game_name: str,
    source: str,
    minutes: float,
    games: int | None,
    most: int,
    seed: int | None,
    jobs: int,
    keep: Path | None,
    write: Path | None,
    check: bool,
    by_rules: bool,
    number: int | None,
    proof: int | None,
    export: bool,
    as_json: bool,
) -> None:
    """Find puzzles in games, and prove everything that solves them.

    Every legal move of a position is asked about, so that no right one is missed. The result
    depends on the seed and on how many games are looked through. docs/puzzles.md says more.
    """
    game = read_game((game_name,), "", "sarsen puzzles GAME")
    if proof is not None:
        _print_proof(game, proof)
    elif export:
        _export(game)
    elif check:
        _check(game, _chosen(game, number), jobs, by_rules=by_rules, as_json=as_json)
    else:
        interrupt_on_sigterm()
        kept = Kept(keep)
        tasks = _played(game, seed or 0) if source == "self-play" else _recorded(game, Path(source))
        _search(game, kept, tasks, minutes * 60, games, jobs)
        _choose(game, kept, most, write, as_json)


def _print_proof(game: Game, number: int) -> None:
    from sarsen.learning.puzzles.puzzle import proof_lines

    [puzzle] = _chosen(game, number)
    click.echo("\n".join(sorted(proof_lines(puzzle.answers))))


def _export(game: Game) -> None:
    """Print the puzzles of a game as its file has them."""
    from sarsen.learning.puzzles.puzzle import write_puzzle

    for puzzle in _chosen(game, None):
        click.echo(write_puzzle(puzzle))


def _chosen(game: Game, number: int | None) -> tuple[Puzzle, ...]:
    """Return all puzzles of a game, or the one with a number.

    Raises:
        UserError: There is no such one.
    """
    from sarsen.learning.puzzles.puzzle import puzzles_of

    puzzles = puzzles_of(game.info.name)
    if number is None:
        return tuple(puzzles.values())
    if number not in puzzles:
        raise UserError(
            "There is no puzzle {number} of {title}.",
            code="no-such-puzzle",
            number=number,
            title=game.info.title,
        )
    return (puzzles[number],)


def _check(
    game: Game, puzzles: tuple[Puzzle, ...], jobs: int, *, by_rules: bool, as_json: bool
) -> None:
    from sarsen.lab import pool
    from sarsen.lab.progress import shown_progress
    from sarsen.lab.puzzles.by_rules import RulesJob
    from sarsen.lab.puzzles.checking import AGAIN, CheckJob

    name = game.info.name
    job = RulesJob(name) if by_rules else CheckJob(name, AGAIN if len(puzzles) == 1 else 1)
    began, wrong = time.process_time(), {}
    with shown_progress(len(puzzles), "puzzles") as progress:
        found = pool.run(job, puzzles, workers=jobs)
        for done, (puzzle, fault) in enumerate(zip(puzzles, found, strict=True), start=1):
            if fault:
                wrong[puzzle.id] = fault
            progress.show(done)
    seconds = time.process_time() - began
    if as_json:
        click.echo(json.dumps({"puzzles": len(puzzles), "wrong": wrong, "seconds": seconds}))
    else:
        for number, fault in wrong.items():
            click.echo(f"{game.info.name}-{number}: {fault}")
        how = "compared with the rules alone" if by_rules else "proved again"
        click.echo(f"{len(puzzles)} puzzles {how}: {len(wrong)} differ.")
    if wrong:
        raise SystemExit(1)


def _played(game: Game, seed: int) -> Iterator[GameTask]:
    """Yield games that bots are to play, on each board in turn."""
    from sarsen.lab.puzzles.making import GameTask
    from sarsen.lab.puzzles.settings import settings_of

    boards = tuple(settings_of(game).WITHIN)
    for number in count(seed):
        for options in boards:
            yield GameTask(options, number)


def _recorded(game: Game, path: Path) -> Iterator[GameTask]:
    """Yield the finished games of a file of records, if they were played on boards of puzzles.

    Raises:
        UserError: There is no such file, or a record in it is none.
    """
    from sarsen.core.records.collection import lines_of, split
    from sarsen.games import load
    from sarsen.lab.puzzles.making import GameTask
    from sarsen.lab.puzzles.settings import settings_of

    boards = {str(game.start(options).options): options for options in settings_of(game).WITHIN}
    if not path.exists():
        raise UserError(
            "There is no file {path}.",
            code="no-such-file",
            hint="sarsen export > games.txt, then --from games.txt",
            path=str(path),
        )
    with path.open(encoding="utf-8") as file:
        for piece in split(lines_of(file)):
            record = piece.read(load)
            if record.game != game.info.name:
                continue
            options = boards.get(str(game.start(record.options).options))
            if options is not None:
                moves = tuple(move.text for move in record.moves)
                yield GameTask(options, 0, moves, f"{path.name}, line {piece.line}")


def _search(
    game: Game, kept: Kept, tasks: Iterator[GameTask], seconds: float, games: int | None, jobs: int
) -> None:
    """Look through games until the time is over, or all have been."""
    from sarsen.lab import pool
    from sarsen.lab.progress import shown_progress
    from sarsen.lab.puzzles.making import PuzzleJob

    ends = time.monotonic() + seconds
    handed: list[GameTask] = []

    def limited() -> Iterator[GameTask]:
        for number, task in enumerate(tasks):
            if time.monotonic() > ends or (games is not None and number >= games):
                return
            if str(task) not in kept.tasks:
                handed.append(task)
                yield task

    with shown_progress(games or 0, "games") as progress:
        found = pool.run(PuzzleJob(game.info.name), limited(), workers=jobs)
        for done, puzzles in enumerate(found):
            kept.add(handed[done], puzzles)
            progress.show(done + 1, f"{len(kept.found)} positions found")


def _choose(game: Game, kept: Kept, most: int, write: Path | None, as_json: bool) -> None:
    from sarsen.lab.puzzles.choosing import choose, mix_lines
    from sarsen.lab.puzzles.settings import settings_of
    from sarsen.learning.puzzles.puzzle import read_puzzles, write_puzzle
    from sarsen.learning.puzzles.shelf import LEAST_FOR_DAILY

    before = read_puzzles(write.read_text(encoding="utf-8"))[0] if write and write.exists() else ()
    # Where there is a puzzle of the day, those of this year stay as they are.
    since = datetime.now(UTC).year + 1 if len(before) >= LEAST_FOR_DAILY else 0
    found = [replace(puzzle, since=since) for puzzle in kept.found]
    chosen = choose(game, settings_of(game), before, found, most)
    lines = [write_puzzle(puzzle) for puzzle in chosen]
    if write is not None:
        write.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if as_json:
        click.echo("\n".join(lines))
        return
    click.echo(
        f"{len(kept.tasks)} games, {len(kept.found)} positions found, "
        f"{len(chosen) - len(before)} new puzzles, {len(chosen)} in all"
    )
    click.echo("\n".join(mix_lines(game, chosen)))
