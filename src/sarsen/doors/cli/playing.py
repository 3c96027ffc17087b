"""Two people at one terminal: a game from its first move to its last."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.doors.cli.asking import Asked
from sarsen.doors.cli.printing import print_position, print_refusal
from sarsen.games import help_text
from sarsen.language.typography import normalise

MOST_LISTED = 400  # moves; the rest of a long list would push the board off every screen
WIDTH = 80  # columns


def play_at_terminal(asked: Asked) -> None:
    """Read moves until the game is over or somebody quits."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (makes the prompt editable, with a history)
    table = Table(asked, [asked.start()])
    click.echo(f"{asked.game.info.title}. {_how_to_move(table.position)}")
    table.show()
    while table.position.outcome() is None:
        try:
            text = normalise(click.prompt(table.prompt, prompt_suffix="> ")).strip()
        except click.Abort:
            click.echo()
            break
        if text.lower() in ("quit", "q", "exit"):
            break
        table.hear(text)
    table.print_record()


@dataclass
class Table:
    """Hold the game as it is being played: every position so far, and the moves between."""

    asked: Asked
    path: list[AnyPosition]
    texts: list[str] = field(default_factory=list)

    @property
    def position(self) -> AnyPosition:
        """The position on the board now."""
        return self.path[-1]

    @property
    def prompt(self) -> str:
        return self.position.sides[self.position.seat]

    def hear(self, text: str) -> None:
        """Do what was typed: one of the words of this table, or a move."""
        words: dict[str, Callable[[], None]] = {
            "undo": self.undo,
            "moves": self.list_moves,
            "board": self.show,
            "help": self.help,
            "?": self.help,
        }
        words.get(text.lower(), lambda: self.move(text))()

    def move(self, text: str) -> None:
        """Play a move, or say why not."""
        try:
            ruling = judge(self.position, text)
        except UserError as refusal:
            print_refusal(refusal)
            return
        self.path.append(ruling.position)
        self.texts.append(ruling.text)
        self.show()

    def undo(self) -> None:
        """Take the last move back."""
        if not self.texts:
            click.echo("There is no move to take back.")
            return
        self.path.pop()
        self.texts.pop()
        self.show()

    def show(self) -> None:
        click.echo()
        print_position(self.position)

    def list_moves(self) -> None:
        """Print the legal moves in columns."""
        moves = self.position.legal_moves()
        texts = [self.position.format(move) for move in moves[:MOST_LISTED]]
        width = max(map(len, texts)) + 2
        columns = max(1, WIDTH // width)
        for begin in range(0, len(texts), columns):
            row = texts[begin : begin + columns]
            click.echo("".join(text.ljust(width) for text in row).rstrip())
        if len(moves) > len(texts):
            click.echo(f"… and {len(moves) - len(texts)} more.")

    def help(self) -> None:
        """Print the rules of the game, and how to speak to this table."""
        page = help_text(self.asked.game.info.name)
        if page:
            click.echo(page)
        click.echo(_how_to_move(self.position))

    def print_record(self) -> None:
        """Print the line that shows this game again."""
        if self.texts:
            name = " ".join(filter(None, (self.asked.game.info.name, self.asked.options)))
            moves = " ".join(text.replace("; ", ";") for text in self.texts)
            click.echo(f'\nTo see it again: sarsen show {name} --moves "{moves}"')


def _how_to_move(position: AnyPosition) -> str:
    moves = position.legal_moves()
    example = position.format(moves[len(moves) // 2])
    return f"Type a move, such as {example}, or: moves, board, undo, help, quit."
