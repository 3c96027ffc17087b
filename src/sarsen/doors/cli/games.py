"""`sarsen show`, `play` and `perft`: the games in a terminal, without any server."""

from __future__ import annotations

import json
import time

import click

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.perft import perft
from sarsen.core.referee import judge, replay
from sarsen.games import load
from sarsen.language.typography import normalise

# A game's options begin with one dash (`-size=4`); click must not read them.
RAW = {"ignore_unknown_options": True, "allow_interspersed_args": True}


@click.command("perft", context_settings=RAW)
@click.argument("game")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.option("--moves", default="", help='Moves to play first: "c3 d4".')
@click.option("--divide", is_flag=True, help="Count below each first move.")
def perft_command(game: str, words: tuple[str, ...], moves: str, divide: bool) -> None:
    """Count the move paths of a DEPTH: GAME [-OPTIONS] DEPTH.

    The count is the last line.
    """
    options = " ".join(word for word in words if word.startswith("-"))
    depths = [word for word in words if not word.startswith("-")]
    if len(depths) != 1 or not (depths[0].isdigit() and int(depths[0]) <= 20):
        raise UserError(
            "Perft needs a depth from 0 to 20.", code="depth", hint=f"sarsen perft {game} 2"
        )
    position = _replayed(load(game).start(options), moves)
    depth = int(depths[0])
    began = time.perf_counter()
    if divide and depth:
        for move in position.legal_moves():
            click.echo(f"{position.format(move)}  {perft(position.play(move), depth - 1)}")
    count = perft(position, depth)
    click.echo(f"{time.perf_counter() - began:.2f} s", err=True)
    click.echo(str(count))


@click.command("show", context_settings=RAW)
@click.argument("game")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
@click.option("--moves", default="", help='Moves to play first: "c3 d4".')
@click.option("--json", "as_json", is_flag=True, help="Print facts for a program.")
@click.option("--svg", "as_svg", is_flag=True, help="Print the picture.")
def show_command(
    game: str, options: tuple[str, ...], moves: str, as_json: bool, as_svg: bool
) -> None:
    """Print a board, whose turn it is or the result: GAME [-OPTIONS] --moves "…"."""
    position = _replayed(load(game).start(" ".join(options)), moves)
    if as_json:
        click.echo(json.dumps(_facts(position)))
    elif as_svg:
        from sarsen.drawing.svg import svg

        click.echo(svg(drawing.scene(position)))
    else:
        _print(position)


@click.command("play", context_settings=RAW)
@click.argument("game")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def play_command(game: str, options: tuple[str, ...]) -> None:
    """Play two people at one terminal: GAME [-OPTIONS]. `undo` and `quit` work too."""
    path = [load(game).start(" ".join(options))]
    _print(path[-1])
    while path[-1].outcome() is None:
        position = path[-1]
        try:
            text = normalise(click.prompt(f"{position.sides[position.seat]}", prompt_suffix="> "))
        except (click.Abort, EOFError):
            click.echo()
            return
        if text.strip().lower() in ("quit", "q", "exit"):
            return
        if text.strip().lower() == "undo":
            path = path[: max(1, len(path) - 1)]
            _print(path[-1])
            continue
        try:
            path.append(judge(position, text).position)
        except UserError as refusal:
            click.echo(f"{refusal.text} [{refusal.code}]\n  {refusal.hint}".rstrip())
            continue
        _print(path[-1])


def _replayed(position: AnyPosition, moves: str) -> AnyPosition:
    """Play a text of moves, parted by blanks; `;` joins what is one move to the game."""
    texts = normalise(moves).replace("; ", ";").split()
    for ruling in replay(position, texts):
        position = ruling.position
    return position


def _print(position: AnyPosition) -> None:
    click.echo(drawing.text(position))
    click.echo()
    for effect in position.effects():
        click.echo(effect)
    outcome = position.outcome()
    if outcome is None:
        click.echo(f"{position.sides[position.seat]} moves.")
        return
    scores = " ".join(
        f"{side} {score:g}" for side, score in zip(position.sides, outcome.scores, strict=True)
    )
    click.echo(f"{outcome.reason} ({scores})")


def _facts(position: AnyPosition) -> dict[str, object]:
    outcome = position.outcome()
    return {
        "game": position.game.info.name,
        "options": dict(position.options),
        "position": position.write(),
        "seat": position.seat if outcome is None else None,
        "sides": list(position.sides),
        "legal_moves": [position.format(move) for move in position.legal_moves()],
        "scores": list(outcome.scores) if outcome else None,
        "reason": outcome.reason if outcome else None,
        "effects": list(position.effects()),
    }
