"""`sarsen prove`: check the proof of a game, fact by fact, on a board of any size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sarsen.core.errors import UserError
from sarsen.lab.arguments import LabCommand, read_game, read_words

if TYPE_CHECKING:
    from sarsen.games.visavis.proof.facts import Fact

PROVED = "visavis"
USAGE = "sarsen prove visavis -size=7"
EXHAUSTIVE = 7  # the largest size of which every reply is tried
PIXELS = 1000  # the width of a .png
GAMES = 200  # of each rival, when nothing else is asked


@click.command("prove", cls=LabCommand)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="GAME [-OPTIONS]")
@click.option(
    "--games",
    type=click.IntRange(0, 1_000_000),
    default=GAMES,
    show_default=True,
    help="Games of the strategy against each rival.",
)
@click.option(
    "--verdicts",
    type=click.IntRange(0, 1_000_000),
    default=0,
    help="Judge so many positions of each kind of game, and tell how fast.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, help="Of the rivals' chance.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw the proof on the board, as .svg or .png.",
)
@click.option("--json", "as_json", is_flag=True, help="Print facts for a program.")
def prove_command(
    words: tuple[str, ...],
    games: int,
    verdicts: int,
    seed: int,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Check the proof that the first player wins, on one size of the board.

    The proof is docs/visavis-proof.md. Its facts are looked up case by case; up to size 7
    every reply is tried, and on any size the strategy plays against rivals.
    """
    sorted_words = read_words(words)
    game = read_game(sorted_words.others, sorted_words.options, USAGE)
    if game.info.name != PROVED:
        raise UserError(
            f"There is no proof of {game.info.title} here, only one of Visavis.",
            code="nothing-to-prove",
            hint=USAGE,
        )
    size = int(str(game.start(sorted_words.options).options["size"]))
    if picture is not None:
        draw_proof(size, picture)
    facts = []
    for fact in check(size, games, verdicts, seed, show_progress=not as_json):
        facts.append(fact)
        if not as_json:
            click.echo(f"{'holds ' if fact.is_true else 'FAILS '} {fact.name}: {fact.text}")
    holds = all(fact.is_true for fact in facts)
    if as_json:
        click.echo(json.dumps(_as_dict(size, holds, facts)))
    else:
        end = "The first player wins" if holds else "The proof fails"
        click.echo(f"{end} on size {size}.")
    if not holds:
        raise SystemExit(1)


def check(
    size: int, games: int, verdicts: int, seed: int, *, show_progress: bool
) -> Iterator[Fact]:
    """Look up the facts one by one."""
    from sarsen.games.visavis.proof import facts, survey

    def told(line: str) -> None:
        if show_progress:
            click.echo(f"  … {line}", err=True)

    yield facts.crossings(size)
    yield facts.one_cut(size)
    yield facts.two_colours(size)
    if size <= EXHAUSTIVE:
        yield facts.every_reply(size, told)
    for rival in range(len(survey.RIVALS)) if games else ():
        yield survey.run(size, rival, games, seed, told)
    for kind in survey.GAMES if verdicts else ():
        yield survey.judge_games(size, kind, verdicts, seed, told)


def draw_proof(size: int, path: Path) -> None:
    """Write the picture of the proof, in the format that the file's name asks for."""
    from sarsen.drawing.svg import svg
    from sarsen.games.visavis.proof.picture import proof_scene

    text = svg(proof_scene(size))
    ending = path.suffix.lower()
    if ending not in (".svg", ".png"):
        raise UserError(
            f"{path.name!r} has no ending that names a picture: .svg and .png are known.",
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


def _as_dict(size: int, holds: bool, facts: list[Fact]) -> dict[str, object]:
    return {
        "game": PROVED,
        "size": size,
        "holds": holds,
        "facts": [
            {"name": fact.name, "holds": fact.is_true, "text": fact.text, "counts": fact.counts}
            for fact in facts
        ],
    }
