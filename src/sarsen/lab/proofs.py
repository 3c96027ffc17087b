"""`sarsen prove` and `sarsen solve`: what is known of a game for certain.

A game brings it in the module `proof` of its own package (`ProofModule`); nothing here knows
a game by name.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import click

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game, own_module
from sarsen.core.phrases import quoted
from sarsen.drawing.scene import Scene
from sarsen.games import find
from sarsen.lab.arguments import JSON, WORDS, LabCommand, read_game, read_words

USAGE = {
    "check": "sarsen prove visavis -size=7",
    "solve": "sarsen solve druid -size=3",
    "certificates": "sarsen solve druid -size=3 --certificates certificates",
}
PIXELS = 1000  # the width of a .png
GAMES = 200  # of each rival, when nothing else is asked
# More than any search reaches: a larger number is a slip.
MAX_OWN_MOVES = 60
SECONDS = 60.0  # somebody waits at a terminal; `--time` asks for more
ProgressCallback = Callable[[str], None]


class ProvedFact(Protocol):
    """One fact of a proof, and whether it is true."""

    name: str
    text: str
    is_true: bool
    counts: dict[str, int]


class ProofModule(Protocol):
    """The module `proof` of a game's package; it has those of these functions that it can.

    Attributes:
        CLAIM: What is proved when all facts hold: `The first player wins`.
    """

    CLAIM: str

    def score(self, options: str, seconds: float) -> float | None:
        """Return the score of the first seat with best play, for `sarsen report`.

        Args:
            options: As typed; any that the game accepts.
            seconds: Of the processor, roughly.

        Returns:
            None where it is not known, or would take longer.
        """

    def theory(self, options: str) -> tuple[float, str] | None:
        """Return what a theorem says of a board of any size, for the first line of a report.

        Returns:
            The score of the first seat with best play, and the reason: `strategy stealing; Nash,
            1949`. None where nothing is proved.
        """

    def solve(
        self,
        options: str,
        seconds: float,
        opening: str | None,
        moves: int | None,
        report: ProgressCallback,
    ) -> dict[str, object]:
        """Find who wins; return the facts for a program.

        Args:
            seconds: Most time for one question.
            opening: Only after this first move; None for any.
            moves: Own moves that a side is given; None for as many as the game likes.
            report: Gets each line for people.

        Raises:
            UserError: The game cannot be asked that.
        """

    def certificates(
        self, options: str, seconds: float, report: ProgressCallback
    ) -> Iterator[tuple[str, list[str]]]:
        """Yield names and lines of what proves the result; `solved/check_GAME.py` checks them.

        Args:
            seconds: Most time for one of them.
            report: Gets each line for people.

        Raises:
            UserError: Nothing is proved in time.
        """

    def check(
        self, start: AnyPosition, games: int, verdicts: int, seed: int, report: ProgressCallback
    ) -> Iterator[ProvedFact]:
        """Look up the facts of the proof; the arguments are those of `prove_command`."""

    def picture_of(self, start: AnyPosition) -> Scene:
        """Draw the proof on the board."""


@click.command("prove", cls=LabCommand)
@WORDS
@click.option(
    "--games",
    type=click.IntRange(0, 1_000_000),
    default=GAMES,
    show_default=True,
    help="Games of the strategy against each opponent.",
)
@click.option(
    "--verdicts",
    type=click.IntRange(0, 1_000_000),
    default=0,
    help="Evaluate this many positions of each kind of game, and print the speed.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), default=0, help="Random seed of the opponents."
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw the proof on the board, as .svg or .png.",
)
@JSON
def prove_command(
    words: tuple[str, ...],
    games: int,
    verdicts: int,
    seed: int,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Check the proof that the first player wins, on one board size.

    The proof is in docs/visavis-proof.md. Its facts are checked case by case; up to size 7, every
    reply is tried; on any size, the strategy plays against other players.
    """
    arguments = read_words(words)
    game = read_game(arguments.others, arguments.options, USAGE["check"])
    proof = _proof_of(game, "check", "nothing-to-prove", "no proof of {title} here, only {others}")
    start = game.start(arguments.options)
    if picture is not None:
        write_picture(proof.picture_of(start), picture)

    def report(line: str) -> None:
        if not as_json:
            click.echo(f"  … {line}", err=True)

    facts = []
    for fact in proof.check(start, games, verdicts, seed, report):
        facts.append(fact)
        if not as_json:
            click.echo(f"{'holds ' if fact.is_true else 'FAILS '} {fact.name}: {fact.text}")
    holds, size = all(fact.is_true for fact in facts), start.options["size"]
    if as_json:
        fact_list = [
            {"name": fact.name, "holds": fact.is_true, "text": fact.text, "counts": fact.counts}
            for fact in facts
        ]
        output = {"game": game.info.name, "size": size, "holds": holds, "facts": fact_list}
        click.echo(json.dumps(output))
    else:
        click.echo(f"{proof.CLAIM if holds else 'The proof fails'} on size {size}.")
    if not holds:
        raise SystemExit(1)


@click.command("solve", cls=LabCommand)
@WORDS
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.01, 86_400),
    default=SECONDS,
    show_default=True,
    metavar="S",
    help="Maximum seconds per question.",
)
@click.option("--opening", metavar="MOVE", help="Druid: only after this first stone.")
@click.option(
    "--moves",
    type=click.IntRange(1, MAX_OWN_MOVES),
    metavar="N",
    help="Druid: moves per side to search.  [default: 5]",
)
@click.option(
    "--certificates",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write what proves the result, for the checkers of /solved/.",
)
@JSON
def solve_command(
    words: tuple[str, ...],
    seconds: float,
    opening: str | None,
    moves: int | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Find who wins on a small board: Druid, or Vasco with a small pool.

    Vasco: the value of the pool, with a line of best play; for 47 tiles and more, the answer is
    known. Druid: for every first stone (up to symmetry), whether a side can avoid losing, however
    high the stones are stacked. Only results that were searched to the end or proved are printed.
    """
    arguments = read_words(words)
    game = read_game(arguments.others, arguments.options, USAGE["solve"])
    if folder is not None and (opening is not None or moves is not None):
        raise UserError(
            "A certificate is of every first move, and of as many moves as it takes: "
            "--certificates goes with neither --opening nor --moves.",
            code="whole-certificate",
            hint=" ".join(("sarsen solve", *words, "--certificates", str(folder))),
        )
    ability = "solve" if folder is None else "certificates"
    proof = _proof_of(
        game, ability, "nothing-to-solve", "no such search of {title} here, only {others}"
    )

    def report(line: str) -> None:
        if not as_json:
            click.echo(line)

    if folder is not None:
        facts = _write_certificates(proof, arguments.options, seconds, folder, report)
    else:
        facts = proof.solve(arguments.options, seconds, opening, moves, report)
    if as_json:
        click.echo(json.dumps(facts))


def _write_certificates(
    proof: ProofModule, options: str, seconds: float, folder: Path, report: ProgressCallback
) -> dict[str, object]:
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, lines in proof.certificates(options, seconds, report):
        path = folder / f"{name}.txt"
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        report(f"Written: {path}")
        written.append(str(path))
    return {"certificates": written}


def _proof_of(game: Game, ability: str, code: str, refusal: str) -> ProofModule:
    """Return what a game brings that can do something.

    Raises:
        UserError: It brings no such thing; the games that do are named.
    """
    module = proof_module(game)
    if not hasattr(module, ability):
        able = [
            other.info.title for other in find().values() if hasattr(proof_module(other), ability)
        ]
        raise UserError(
            f"There is {refusal.format(title=game.info.title, others=' and '.join(able))}.",
            code=code,
            hint=USAGE[ability],
        )
    proof: ProofModule = module
    return proof


def proof_module(game: Game) -> Any:
    """Return the module `proof` of a game, see `ProofModule`; None when it brings none."""
    name = own_module(game, "proof")
    return importlib.import_module(name) if name else None


def write_picture(scene: Scene, path: Path) -> None:
    """Write a picture, in the format that the file's name asks for."""
    from sarsen.drawing.svg import svg

    text = svg(scene)
    ending = path.suffix.lower()
    if ending not in (".svg", ".png"):
        raise UserError(
            f"{quoted(path.name)} must end with .svg or .png.",
            code="unknown-picture",
            hint="--picture proof.svg",
        )
    try:
        if ending == ".svg":
            path.write_text(text, encoding="utf-8")
        else:
            path.write_bytes(_png(text))
    except OSError as fault:
        raise UserError(
            f"The picture cannot be written: {fault.strerror}.",
            code="unwritable-picture",
            hint="--picture proof.svg",
        ) from fault


def _png(drawn: str) -> bytes:
    import font_source_sans_pro
    import resvg_py

    # Named one by one: without its fonts the library leaves texts out in silence.
    folder = Path(font_source_sans_pro.font_directory)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn,
            width=PIXELS,
            skip_system_fonts=True,
            font_files=[str(folder / "SourceSansPro-Regular.ttf")],
            font_family="Source Sans Pro",
            sans_serif_family="Source Sans Pro",
        )
    )
