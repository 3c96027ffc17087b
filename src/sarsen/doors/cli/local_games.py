"""`sarsen show`, `play` and `perft`: the games in a terminal, without any server."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import click

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import Ruling, perft, replay
from sarsen.doors.cli.arguments import GameArguments, GameCommand, read_words
from sarsen.doors.cli.local_play import play_at_terminal, print_position
from sarsen.doors.cli.opponent import seat_opponent
from sarsen.drawing.svg import svg
from sarsen.language.grammar.typography import normalise

DEEPEST = 20  # plies; the count of any of our games at this depth outlives its reader


def _complete(
    ctx: click.Context, argument: click.Parameter, incomplete: str
) -> list[click.shell_completion.CompletionItem]:
    from sarsen.doors.cli.completing import games

    return games(incomplete, and_boards=ctx.info_name == "show")


WORDS = click.argument(
    "words",
    nargs=-1,
    type=click.UNPROCESSED,
    metavar="GAME [-OPTIONS]",
    shell_complete=_complete,
)
MOVES = click.option("--moves", default="", metavar='"M1 M2 …"', help="Moves to play first.")


@click.command("show", cls=GameCommand)
@WORDS
@MOVES
@click.option("--json", "as_json", is_flag=True, help="Print facts for a program.")
@click.option("--svg", "as_svg", is_flag=True, help="Print the picture.")
def show_command(words: tuple[str, ...], moves: str, as_json: bool, as_svg: bool) -> None:
    """Print a board, and whose turn it is or the result.

    The game's own options begin with one dash: sarsen show druid -size=4
    """
    asked = read_words(words)
    if asked.others:
        raise UserError(
            f"{' '.join(asked.others)!r} is too much: moves stand behind --moves, in quotes.",
            code="too-many-words",
            hint=f'{_line("show", asked)} --moves "{" ".join(asked.others)}"',
        )
    rulings = _replay(asked, moves)
    position = rulings[-1].position if rulings else asked.start()
    if as_json:
        click.echo(json.dumps(_facts(position, rulings)))
    elif as_svg:
        click.echo(svg(drawing.scene(position)))
    else:
        print_position(position)


@click.command("play", cls=GameCommand)
@WORDS
@click.option("--bot", "level", type=int, metavar="1 … 8", help="Play a program of this level.")
@click.option("--seat", "side", metavar="SIDE", help="What you play: 1, 2 or a name.  [default: 1]")
@click.option(
    "--seed", type=click.IntRange(0), help="The program's chance; the same plays the same."
)
@click.option("--time", "seconds", type=click.FloatRange(0.01, 3600), help="Seconds it may think.")
def play_command(
    words: tuple[str, ...],
    level: int | None,
    side: str | None,
    seed: int | None,
    seconds: float | None,
) -> None:
    """Play at one terminal: two people, or with --bot you and a program.

    Type moves, or one of the words: moves, board, undo, help, quit; against a program
    also resign. A board that is larger than the terminal is drawn smaller; `board` prints
    all of it. While the program thinks, Ctrl-C asks for its move at once.
    """
    asked = read_words(words)
    if asked.others:
        raise UserError(
            f"{' '.join(asked.others)!r} is too much: moves are typed one by one.",
            code="too-many-words",
            hint=_line("play", asked),
        )
    if level is None and (side or seed is not None or seconds):
        raise UserError(
            "--seat, --seed and --time are about a program; two people need none of them.",
            code="bot-missing",
            hint=f"{_line('play', asked)} --bot 5",
        )
    opponent = None if level is None else seat_opponent(asked, level, side or "1", seed, seconds)
    play_at_terminal(asked, opponent)


@click.command("perft", cls=GameCommand)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="GAME [-OPTIONS] DEPTH")
@MOVES
@click.option("--divide", is_flag=True, help="Count below each first move, too.")
def perft_command(words: tuple[str, ...], moves: str, divide: bool) -> None:
    """Count the move paths of DEPTH plies. The count is the last line."""
    asked = read_words(words)
    depth = _depth(asked)
    rulings = _replay(asked, moves)
    position = rulings[-1].position if rulings else asked.start()
    began = time.perf_counter()
    if divide and depth:
        for move in position.legal_moves():
            below = perft(position.play(move), depth - 1)
            click.echo(f"{position.format(move)}  {below}")
    count = perft(position, depth)
    click.echo(f"{time.perf_counter() - began:.2f} s", err=True)
    click.echo(str(count))


def _depth(asked: GameArguments) -> int:
    words = asked.others
    if len(words) == 1 and re.fullmatch("[0-9]{1,3}", words[0]) and int(words[0]) <= DEEPEST:
        return int(words[0])
    raise UserError(
        f"Perft needs one depth, a number from 0 to {DEEPEST}.",
        code="depth",
        hint=f"{_line('perft', asked)} 2",
    )


def _replay(asked: GameArguments, moves: str) -> list[Ruling]:
    """Play a text of moves, parted by blanks; `;` joins what is one move to the game."""
    texts = re.sub(r"\s*;\s*", ";", normalise(moves)).split()
    return list(replay(asked.start(), texts))


def _line(command: str, asked: GameArguments) -> str:
    return " ".join(filter(None, ("sarsen", command, asked.game.info.name, asked.options)))


def _facts(position: AnyPosition, rulings: list[Ruling]) -> dict[str, Any]:
    outcome = position.outcome()
    return {
        "game": position.game.info.name,
        "options": dict(position.options),
        "moves": [ruling.text for ruling in rulings],
        "position": position.write(),
        "seat": position.seat if outcome is None else None,
        "sides": list(position.sides),
        "legal_moves": [position.format(move) for move in position.legal_moves()],
        "scores": list(outcome.scores) if outcome else None,
        "reason": outcome.reason if outcome else None,
        "effects": list(position.effects()),
    }
