"""Read a command line that names a game, its options and some more words, in any order."""

from __future__ import annotations

from dataclasses import dataclass

import click

from sarsen.core.errors import UnknownGame, UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.games import load, names, nearest
from sarsen.language.grammar.typography import normalise


@dataclass(frozen=True)
class GameArguments:
    """The game that a line is about.

    Attributes:
        options: The game's own, as typed: `-size=6 -nogaps`.
        others: The words that are neither the game nor its options.
    """

    game: Game
    options: str
    others: tuple[str, ...]

    def start(self) -> AnyPosition:
        """Return the first position."""
        return self.game.start(self.options)


def read_words(words: tuple[str, ...]) -> GameArguments:
    """Take the first word without a dash as the game, those with a dash as its options.

    Raises:
        UserError: There is no such game, or none is named.
    """
    plain = [word for word in words if not word.startswith("-")]
    if not plain:
        raise UserError(
            "Which game?", code="game-missing", hint="The games are: " + ", ".join(names()) + "."
        )
    options = " ".join(word for word in words if word.startswith("-"))
    return GameArguments(_load(plain[0], words), options, tuple(plain[1:]))


def _load(name: str, words: tuple[str, ...]) -> Game:
    """Load a game; where there is none, hint the same line with the name that is most alike."""
    try:
        return load(name)
    except UnknownGame as refusal:
        known = nearest(name) or names()[0]
        line = " ".join(known if word == name else word for word in words)
        command = f"sarsen {click.get_current_context().info_name}"
        raise UnknownGame(refusal.text, code=refusal.code, hint=f"{command} {line}") from None


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
