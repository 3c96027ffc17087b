"""A game at one terminal, from its first move to its last: two people, or one and a program."""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field

import click

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.games import help_text
from sarsen.language.grammar.typography import normalise
from sarsen.language.ratings import level_words
from sarsen.language.translating import N_, _, translated
from sarsen.search.bots import Bot
from sarsen.search.thought import Budget, Stop, Thought, gives_up

MAX_LISTED = 400  # moves; the rest of a long list would push the board off every screen
WIDTH = 80  # columns, which every terminal has
# Seconds between looks at a thinking program: Ctrl-C is taken between two of them.
POLL_PAUSE = 0.05
LEAST_ROWS = 6  # of a board, however many lines belong around it
WHOLE = N_("Type board for the whole drawing.")


def play_at_terminal(start: AnyPosition, line: str, opponent: Opponent | None = None) -> None:
    """Read moves until the game is over or somebody quits.

    Args:
        line: The game and its options, as typed: `druid -size=4`.
        opponent: The program that plays all seats but one; None for people.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (makes the prompt editable, with a history)
    game = LocalGame(line, [start], opponent=opponent)
    greeting = f"{start.game.info.title}. {_who_plays(game)}{_how_to_move(game)}"
    greeting = click.wrap_text(greeting, WIDTH)
    click.echo(greeting)
    game.show(greeting)
    while True:
        game.let_opponent_move()
        if game.is_over:
            break
        try:
            text = normalise(click.prompt(game.prompt, prompt_suffix="> ")).strip()
        except click.Abort:
            click.echo()
            break
        if text.lower() in ("quit", "q", "exit"):
            break
        game.do(text)
    game.print_record()


@dataclass
class LocalGame:
    """The game as it is being played: every position so far, and the moves between."""

    line: str
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

    def do(self, text: str) -> None:
        """Do what was typed: one of the words of this game, or a move."""
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
                message = _("{player} resigns: you have won. Well played!")
                click.echo(message.format(player=self.opponent.name))
                return
            message = _("{player} plays {move}")
            click.echo(message.format(player=self.opponent.name, move=text))
            self.move(text)

    def resign(self) -> None:
        """Resign for the person whose turn it is."""
        self.resigned = self.prompt
        click.echo(_("{side} resigned.").format(side=self.resigned))

    def undo(self) -> None:
        """Take the last move back; with what a program has answered."""
        own_plies = [ply for ply, position in enumerate(self.path[:-1]) if self._is_mine(position)]
        if not own_plies:
            click.echo(_("There is no move to take back."))
            return
        del self.path[own_plies[-1] + 1 :]
        del self.texts[own_plies[-1] :]
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
        texts = [self.position.format(move) for move in moves[:MAX_LISTED]]
        width = max(map(len, texts)) + 2
        columns = max(1, WIDTH // width)
        for begin in range(0, len(texts), columns):
            row = texts[begin : begin + columns]
            click.echo("".join(text.ljust(width) for text in row).rstrip())
        if len(moves) > len(texts):
            click.echo(_("… and {count} more.").format(count=len(moves) - len(texts)))

    def help(self) -> None:
        """Show the rules of the game, a screen at a time, and print what can be typed."""
        from sarsen.help import find_page
        from sarsen.help.rendering import page_text

        game = self.position.game.info.name
        if help_text(game):
            click.echo_via_pager(page_text(find_page((game,))))
        click.echo(_how_to_move(self))

    def print_record(self) -> None:
        """Print the line that shows this game again."""
        if self.texts:
            moves = " ".join(text.replace("; ", ";") for text in self.texts)
            label = _("To see it again:")
            click.echo(f'\n{label} sarsen show {self.line} --moves "{moves}"')


def _who_plays(game: LocalGame) -> str:
    """Return in words which side is the person's."""
    if game.opponent is None:
        return ""
    side, program = game.position.sides[game.opponent.against], game.opponent.name
    sentence = _("You are {side}, against {player} ({level}).")
    level = level_words(game.opponent.bot.level)
    return f"{sentence.format(side=side, player=program, level=level)} "


def _how_to_move(game: LocalGame) -> str:
    moves = game.position.legal_moves()
    example = game.position.format(moves[len(moves) // 2])
    words = "resign, quit" if game.opponent else "quit"
    sentence = _("Type a move, such as {move}, or: {words}.")
    return sentence.format(move=example, words=f"moves, board, undo, help, {words}")


def print_position(position: AnyPosition) -> None:
    """Print a board and the sentences that belong below it."""
    board = translated(drawing.text(position))
    click.echo("\n".join((board, "", *_sentences(position))))


def print_fitting_position(position: AnyPosition, around: str) -> None:
    """Print a board that fits the terminal with the sentences below it; elsewhere all of it.

    Args:
        around: The text above the board and the prompt below it, which are to be seen with it.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print_position(position)
        return
    columns, rows = shutil.get_terminal_size()
    sentences = _sentences(position)
    whole = translated(drawing.text(position))
    used = 1 + _height(
        (*around.splitlines(), *sentences[:-1], f"{sentences[-1]} {_(WHOLE)}"), columns
    )
    board = translated(drawing.compact_text(position, max(rows - used, LEAST_ROWS), columns))
    if board != whole and position.outcome() is None:
        sentences[-1] += f" {_(WHOLE)}"
    click.echo("\n".join((board, "", *sentences)))


def _sentences(position: AnyPosition) -> list[str]:
    """Return what the last move caused, and whose turn it is or the result."""
    outcome, effects = position.outcome(), map(translated, position.effects())
    if outcome is None:
        turn = _("{player} to move.").format(player=position.sides[position.seat])
        return [*effects, turn]
    scores = ", ".join(
        f"{side} {score:g}" for side, score in zip(position.sides, outcome.scores, strict=True)
    )
    return [*effects, f"{translated(outcome.reason)} ({scores})"]


def _height(lines: Iterable[str], columns: int) -> int:
    """Return how many lines of a terminal some lines take."""
    return sum(max(1, -(-len(line) // columns)) for line in lines)


def print_refusal(refusal: UserError) -> None:
    """Print which rule refused what, and a line that would have worked."""
    click.echo(f"{translated(refusal.text)} [{refusal.code}]")
    if refusal.hint:
        click.echo(f"  {translated(refusal.hint)}")


@dataclass(frozen=True)
class Opponent:
    """A program that plays every seat but one.

    Attributes:
        against: The person's seat.
        budget: None for the level's own.
    """

    bot: Bot
    against: int
    seed: int
    budget: Budget | None

    @property
    def name(self) -> str:
        return self.bot.name

    def answer(self, position: AnyPosition) -> str | None:
        """Return its move, in full form; None when it resigns.

        A spinner turns meanwhile; Ctrl-C asks for the move at once.
        """
        stop = Stop()
        future: Future[Thought] = Future()
        threading.Thread(target=self._think, args=(position, stop, future), daemon=True).start()
        with _progress(self.name):
            while not future.done():
                try:
                    wait((future,), POLL_PAUSE)
                except KeyboardInterrupt:
                    if stop.is_set():
                        raise
                    stop.set()
        thought = future.result()
        return None if gives_up(self.bot.level, thought) else position.format(thought.move)

    def _think(self, position: AnyPosition, stop: Stop, future: Future[Thought]) -> None:
        seed = zlib.crc32(f"{self.seed}:{position.write()}".encode())
        try:
            thought = self.bot.think(position, seed=seed, budget=self.budget, stop=stop)
        except BaseException as failure:
            future.set_exception(failure)  # for the thread that waits
        else:
            future.set_result(thought)


@contextmanager
def _progress(name: str) -> Iterator[None]:
    # Here, because every other command of the terminal starts sooner without it.
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    text = TextColumn(_("{player} is thinking; Ctrl-C makes it move at once").format(player=name))
    columns = (SpinnerColumn(), text, TimeElapsedColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        progress.add_task(name, total=None)
        yield
