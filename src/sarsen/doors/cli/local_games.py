"""`sarsen show`, `play` and `perft`: a game of this program, without a server.

The line names the game, its options and some more words, in any order.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from dataclasses import dataclass
from typing import Any

import click

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.phrases import Phrase, quoted
from sarsen.core.referee import Ruling, perft, replay
from sarsen.doors.cli.local_play import Opponent, play_at_terminal, print_position
from sarsen.drawing.svg import svg
from sarsen.games import load, names
from sarsen.language.grammar.typography import normalise
from sarsen.search import bots
from sarsen.search.bots import LEAST, MOST, Bot
from sarsen.search.thought import Budget

DEEPEST = 20  # plies; the count of any of our games at this depth outlives its reader


class GameCommand(click.Command):
    """Leave words such as `-size=4` to the game, also when a mail program spelled the dash."""

    ignore_unknown_options = True

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # The plain usage would begin with click's own options; here the game comes first.
        pieces = self.collect_usage_pieces(ctx)
        formatter.write_usage(ctx.command_path, " ".join([*pieces[1:], "[--OPTIONS]"]))

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        # As a short option `-h` would be found inside every game's option that has an h.
        return ["--help"]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        plain = [normalise(word) for word in args]
        return super().parse_args(ctx, ["--help" if word == "-h" else word for word in plain])


class Level(click.ParamType[int]):
    """Read the level of a bot, `5` or `bot5`."""

    name = "LEVEL"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        level = bots.level_in(str(value))
        if level is None:
            raise UserError(
                "{typed} is not a bot: there are bot{least} to bot{most}.",
                code="no-such-level",
                hint="--bot bot5",
                typed=quoted(str(value)),
                least=LEAST,
                most=MOST,
            )
        return level


def _complete(
    ctx: click.Context, argument: click.Parameter, incomplete: str
) -> list[click.shell_completion.CompletionItem]:
    from sarsen.doors.cli.completion import games

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
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--svg", "as_svg", is_flag=True, help="Print the picture.")
def show_command(words: tuple[str, ...], moves: str, as_json: bool, as_svg: bool) -> None:
    """Print a board with its turn or result.

    The game's own options begin with one dash: sarsen show druid -size=4
    """
    arguments = _read_words(words)
    if arguments.others:
        raise UserError(
            "{typed} is too much: put moves after --moves, in quotes.",
            typed=quoted(" ".join(arguments.others)),
            code="too-many-words",
            hint=f'sarsen show {arguments.line} --moves "{" ".join(arguments.others)}"',
        )
    rulings = _replay(arguments, moves)
    position = rulings[-1].position if rulings else arguments.start()
    if as_json:
        click.echo(json.dumps(_facts(position, rulings)))
    elif as_svg:
        click.echo(svg(drawing.scene(position)))
    else:
        print_position(position)


@click.command("play", cls=GameCommand)
@WORDS
@click.option(
    "--bot", "level", type=Level(), metavar="1 … 8", help="Play against a bot of this level: bot5."
)
@click.option("--seat", "side", metavar="SIDE", help="Your side: 1, 2 or a name.  [default: 1]")
@click.option("--seed", type=click.IntRange(0), help="The bot's random seed.")
@click.option(
    "--time", "seconds", type=click.FloatRange(0.01, 3600), help="Seconds per move of the bot."
)
def play_command(
    words: tuple[str, ...],
    level: int | None,
    side: str | None,
    seed: int | None,
    seconds: float | None,
) -> None:
    """Play in this terminal, against a person, or with --bot against a bot.

    Type a move, or one of these words: moves, board, undo, help, quit, and against a bot also
    resign. A board that is larger than the terminal is drawn smaller; `board` prints it in full.
    While the bot thinks, Ctrl-C makes it move at once.
    """
    arguments = _read_words(words)
    if arguments.others:
        raise UserError(
            "{typed} is too much: type one move at a time.",
            typed=quoted(" ".join(arguments.others)),
            code="too-many-words",
            hint=f"sarsen play {arguments.line}",
        )
    if level is None and (side or seed is not None or seconds):
        raise UserError(
            "--seat, --seed and --time only make sense against a program.",
            code="bot-missing",
            hint=f"sarsen play {arguments.line} --bot 5",
        )
    opponent = (
        None if level is None else _seat_opponent(arguments, level, side or "1", seed, seconds)
    )
    play_at_terminal(arguments.start(), arguments.line, opponent)


@click.command("perft", cls=GameCommand)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="GAME [-OPTIONS] DEPTH")
@MOVES
@click.option("--divide", is_flag=True, help="Also count for each first move.")
def perft_command(words: tuple[str, ...], moves: str, divide: bool) -> None:
    """Count the move sequences of DEPTH plies. The last line is the count."""
    arguments = _read_words(words)
    depth = _depth(arguments)
    rulings = _replay(arguments, moves)
    position = rulings[-1].position if rulings else arguments.start()
    began = time.perf_counter()
    if divide and depth:
        for move in position.legal_moves():
            below = perft(position.play(move), depth - 1)
            click.echo(f"{position.format(move)}  {below}")
    count = perft(position, depth)
    click.echo(f"{time.perf_counter() - began:.2f} s", err=True)
    click.echo(str(count))


def _depth(arguments: GameArguments) -> int:
    words = arguments.others
    if len(words) == 1 and re.fullmatch("[0-9]{1,3}", words[0]) and int(words[0]) <= DEEPEST:
        return int(words[0])
    raise UserError(
        "Perft needs a depth, a number from 0 to {most}.",
        most=DEEPEST,
        code="depth",
        hint=f"sarsen perft {arguments.line} 2",
    )


def _replay(arguments: GameArguments, moves: str) -> list[Ruling]:
    """Play a text of moves, separated by blanks; `;` joins what is one move to the game."""
    texts = re.sub(r"\s*;\s*", ";", normalise(moves)).split()
    return list(replay(arguments.start(), texts))


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


@dataclass(frozen=True)
class GameArguments:
    """The game that a line is about.

    Attributes:
        options: Options of the game, as typed: `-size=6 -nogaps`.
        others: The words that are neither the game nor its options.
    """

    game: Game
    options: str
    others: tuple[str, ...]

    @property
    def line(self) -> str:
        """The game and its options, to be typed again."""
        return " ".join(filter(None, (self.game.info.name, self.options)))

    def start(self) -> AnyPosition:
        """Return the first position."""
        return self.game.start(self.options)


def _read_words(words: tuple[str, ...]) -> GameArguments:
    """Take the first word without a dash as the game, those with a dash as its options.

    Raises:
        UserError: There is no such game, or none is named.
    """
    plain = [word for word in words if not word.startswith("-")]
    if not plain:
        raise UserError(
            "Which game?",
            code="game-missing",
            hint=Phrase("The games are: {games}.", games=", ".join(names())),
        )
    options = " ".join(word for word in words if word.startswith("-"))
    game = load(plain[0])
    for word in plain[1:]:
        if "=" in word:  # no move has one
            game.start(word)  # which says how the option is written
    return GameArguments(game, options, tuple(plain[1:]))


def _seat_opponent(
    arguments: GameArguments, level: int, side: str, seed: int | None, seconds: float | None
) -> Opponent:
    """Return a program as the opponent.

    Args:
        side: The person's: a number from 1 on, or the beginning of its name.

    Raises:
        UserError: There is no such level, or no such side.
    """
    return Opponent(
        _load_bot(arguments, level),
        _seat(arguments, side),
        secrets.randbits(32) if seed is None else seed,
        None if seconds is None else Budget(seconds=seconds),
    )


def _load_bot(arguments: GameArguments, level: int) -> Bot:
    try:
        return bots.load(level)
    except UserError as refusal:
        nearest = max(LEAST, min(level, MOST))
        hint = f"sarsen play {arguments.game.info.name} --bot {nearest}"
        raise UserError(refusal.text, code=refusal.code, hint=hint) from refusal


def _seat(arguments: GameArguments, side: str) -> int:
    sides = arguments.start().sides
    for seat, name in enumerate(sides):
        if side == str(seat + 1) or name.lower().startswith(side.lower()):
            return seat
    raise UserError(
        "{game} has no side {side}; there are: {sides}.",
        game=arguments.game.info.title,
        side=quoted(side, 40),
        sides=", ".join(sides),
        code="no-such-side",
        hint=f"--seat {sides[-1]}",
    )
