"""A game at one terminal, from its first move to its last: two people, or one and a program."""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import click

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.doors.cli.arguments import GameArguments
from sarsen.doors.cli.opponent import Opponent
from sarsen.games import help_text
from sarsen.language.grammar.typography import normalise
from sarsen.language.replies import HelpPage
from sarsen.language.wording import level_words

MOST_LISTED = 400  # moves; the rest of a long list would push the board off every screen
WIDTH = 80  # columns


def play_at_terminal(asked: GameArguments, opponent: Opponent | None = None) -> None:
    """Read moves until the game is over or somebody quits.

    Args:
        opponent: Who plays all seats but one; None for people.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (makes the prompt editable, with a history)
    table = LocalGame(asked, [asked.start()], opponent=opponent)
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
class LocalGame:
    """The game as it is being played: every position so far, and the moves between."""

    asked: GameArguments
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
        """Resign for the person whose turn it is."""
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


def _who_plays(table: LocalGame) -> str:
    """Return a text that says which side is the person's."""
    if table.opponent is None:
        return ""
    yours, program = table.position.sides[table.opponent.against], table.opponent.name
    return f"You are {yours}, against {program} ({level_words(table.opponent.bot.level)}). "


def _how_to_move(table: LocalGame) -> str:
    moves = table.position.legal_moves()
    example = table.position.format(moves[len(moves) // 2])
    words = "resign, quit" if table.opponent else "quit"
    return f"Type a move, such as {example}, or: moves, board, undo, help, {words}."


LEAST_ROWS = 6  # of a board, however many lines belong around it
WHOLE = "Type board for the whole drawing."


def print_position(position: AnyPosition) -> None:
    """Print a board and the sentences that belong below it."""
    click.echo("\n".join((drawing.text(position), "", *_sentences(position))))


def print_fitting_position(position: AnyPosition, around: str) -> None:
    """Print a board that fits the terminal with the sentences below it; elsewhere all of it.

    Args:
        around: The text above the board and the prompt below it, which are to be seen with it.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print_position(position)
        return
    columns, rows = shutil.get_terminal_size()
    said = _sentences(position)
    whole = drawing.text(position)
    used = 1 + _height((*around.splitlines(), *said[:-1], f"{said[-1]} {WHOLE}"), columns)
    board = drawing.compact_text(position, max(rows - used, LEAST_ROWS), columns)
    if board != whole and position.outcome() is None:
        said[-1] += f" {WHOLE}"
    click.echo("\n".join((board, "", *said)))


def _sentences(position: AnyPosition) -> list[str]:
    """Return what the last move caused, and whose turn it is or the result."""
    outcome = position.outcome()
    if outcome is None:
        return [*position.effects(), f"{position.sides[position.seat]} moves."]
    scores = ", ".join(
        f"{side} {score:g}" for side, score in zip(position.sides, outcome.scores, strict=True)
    )
    return [*position.effects(), f"{outcome.reason} ({scores})"]


def _height(lines: Iterable[str], columns: int) -> int:
    """Return how many lines of a terminal some lines take."""
    return sum(max(1, -(-len(line) // columns)) for line in lines)


def print_refusal(refusal: UserError) -> None:
    """Print which rule refused what, and a line that would have worked."""
    click.echo(f"{refusal.text} [{refusal.code}]")
    if refusal.hint:
        click.echo(f"  {refusal.hint}")
