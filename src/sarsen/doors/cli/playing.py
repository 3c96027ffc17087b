"""A game at one terminal, from its first move to its last: two people, or one and a program."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.doors.cli.asking import Asked
from sarsen.doors.cli.opponent import Opponent
from sarsen.doors.cli.printing import print_fitting_position, print_position, print_refusal
from sarsen.games import help_text
from sarsen.language.levels import level_words
from sarsen.language.replies import HelpPage
from sarsen.language.typography import normalise

MOST_LISTED = 400  # moves; the rest of a long list would push the board off every screen
WIDTH = 80  # columns


def play_at_terminal(asked: Asked, opponent: Opponent | None = None) -> None:
    """Read moves until the game is over or somebody quits.

    Args:
        opponent: Who plays all seats but one; None for people.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (makes the prompt editable, with a history)
    table = Table(asked, [asked.start()], opponent=opponent)
    greeting = f"{asked.game.info.title}. {_who_plays(table)}{_how_to_move(table)}"
    greeting = click.wrap_text(greeting, WIDTH)
    click.echo(greeting)
    table.show(greeting)
    while True:
        table.let_opponent_move()
        if table.is_over:
            break
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
    """The game as it is being played: every position so far, and the moves between."""

    asked: Asked
    path: list[AnyPosition]
    texts: list[str] = field(default_factory=list)
    opponent: Opponent | None = None
    resigned: str = ""  # the side that gave up

    @property
    def position(self) -> AnyPosition:
        """The position on the board now."""
        return self.path[-1]

    @property
    def is_over(self) -> bool:
        return bool(self.resigned) or self.position.outcome() is not None

    @property
    def prompt(self) -> str:
        return self.position.sides[self.position.seat]

    def hear(self, text: str) -> None:
        """Do what was typed: one of the words of this table, or a move."""
        words: dict[str, Callable[[], None]] = {
            "undo": self.undo,
            "moves": self.list_moves,
            "board": self.show_whole,
            "help": self.help,
            "?": self.help,
        }
        if self.opponent:
            words["resign"] = self.resign
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

    def let_opponent_move(self) -> None:
        """Let the program play as long as it is to move."""
        while self.opponent and not self.is_over and self.position.seat != self.opponent.against:
            text = self.opponent.answer(self.position)
            if text is None:
                self.resigned = self.position.sides[self.position.seat]
                click.echo(f"{self.opponent.name} resigns: you have won. Well played!")
                return
            click.echo(f"{self.opponent.name} plays {text}")
            self.move(text)

    def resign(self) -> None:
        """Give up, for the person whose turn it is."""
        self.resigned = self.prompt
        click.echo(f"{self.resigned} resigned.")

    def undo(self) -> None:
        """Take the last move back; with what a program has answered."""
        mine = [ply for ply, position in enumerate(self.path[:-1]) if self._is_mine(position)]
        if not mine:
            click.echo("There is no move to take back.")
            return
        del self.path[mine[-1] + 1 :]
        del self.texts[mine[-1] :]
        self.show()

    def _is_mine(self, position: AnyPosition) -> bool:
        return self.opponent is None or position.seat == self.opponent.against

    def show(self, above: str = "") -> None:
        """Print a board that can be seen together with the line above and the prompt."""
        click.echo()
        print_fitting_position(self.position, f"{above}\n\n{self.prompt}>")

    def show_whole(self) -> None:
        """Print the whole board, however large it is."""
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
        """Show the rules of the game, a screen at a time, and print what can be typed."""
        from sarsen.help import find_page
        from sarsen.help.rendering import page_text

        if help_text(self.asked.game.info.name):
            page = find_page((self.asked.game.info.name,))
            click.echo_via_pager(page_text(HelpPage(page.title, page.text)))
        click.echo(_how_to_move(self))

    def print_record(self) -> None:
        """Print the line that shows this game again."""
        if self.texts:
            name = " ".join(filter(None, (self.asked.game.info.name, self.asked.options)))
            moves = " ".join(text.replace("; ", ";") for text in self.texts)
            click.echo(f'\nTo see it again: sarsen show {name} --moves "{moves}"')


def _who_plays(table: Table) -> str:
    """Return a text that says which side is the person's."""
    if table.opponent is None:
        return ""
    yours, program = table.position.sides[table.opponent.against], table.opponent.name
    return f"You are {yours}, against {program} ({level_words(table.opponent.bot.level)}). "


def _how_to_move(table: Table) -> str:
    moves = table.position.legal_moves()
    example = table.position.format(moves[len(moves) // 2])
    words = "resign, quit" if table.opponent else "quit"
    return f"Type a move, such as {example}, or: moves, board, undo, help, {words}."
