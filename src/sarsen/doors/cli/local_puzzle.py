"""`sarsen puzzle`: solve puzzles in this terminal, without a server; nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime

import click
from click.shell_completion import CompletionItem

from sarsen.core.errors import UserError
from sarsen.core.referee import replayed
from sarsen.doors.cli.local_play import print_fitting_position, print_refusal
from sarsen.doors.cli.local_tries import (
    PROMPT,
    print_paragraphs,
    read_lines,
    refused_for_shell,
)
from sarsen.games import known_names, load
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.grammar.typography import normalise
from sarsen.language.learning.puzzles import (
    PuzzleShown,
    PuzzleWord,
    TakePuzzle,
    news_words,
    task_words,
    word_of,
)
from sarsen.language.replies import encode
from sarsen.language.translating import _
from sarsen.learning.puzzles.answers import answer
from sarsen.learning.puzzles.shelf import (
    game_with_puzzles,
    puzzle_after,
    puzzle_numbered,
    puzzle_of_day,
    puzzled,
)

NEXT = "next"  # leaves a puzzle for another one


def _complete(
    ctx: click.Context, argument: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a game that has puzzles, then the word for a solution."""
    words: Sequence[str] = (PuzzleWord.SHOW,) if ctx.params.get("words") else puzzled()
    return [CompletionItem(one) for one in words if one.startswith(incomplete)]


@click.command("puzzle")
@click.argument("words", nargs=-1, metavar="GAME[-NUMBER] [MOVE …|show]", shell_complete=_complete)
@click.option("--json", "as_json", is_flag=True, help="Print one answer for a program.")
def puzzle_command(words: tuple[str, ...], as_json: bool) -> None:
    """Solve a puzzle: type a move, and see what comes of it.

    Without a number it is the puzzle of the day. In place of a move type show, next or stop. With
    a move or a word behind it, and with --json, one answer is printed: sarsen puzzle druid-1 b4

    No server is needed, and nothing is stored or rated: `sarsen do puzzle druid` sends a puzzle
    near your rating at the server where you are logged in.
    """
    with refused_for_shell(as_json=as_json):
        command = _read(words)
        game = game_with_puzzles(command.game).name
        number = command.puzzle or puzzle_of_day(game, _today()).id
        if not as_json and not command.moves:
            solve(game, number)
            return
        reply = answer(game, puzzle_numbered(game, number), command.moves)
    if as_json:
        click.echo(json.dumps(encode(reply), ensure_ascii=False))
    else:
        show(reply)


def _read(words: Sequence[str]) -> TakePuzzle:
    line = " ".join(("puzzle", *map(normalise, words)))
    command = read_line(line, Context(known_names())).command
    assert isinstance(command, TakePuzzle)
    return command


def _today() -> date:
    return datetime.now(UTC).date()


def solve(game: str, number: int) -> None:
    """Read moves and words until somebody stops."""
    reply = answer(game, puzzle_numbered(game, number), ())
    show(reply)
    print_paragraphs(_("Type a move, or: {words}.").format(words="show, next, stop"))
    for text in read_lines():
        if text.lower() == NEXT or reply.is_finished:
            number = puzzle_after(game, reply.puzzle, _today()).id
            reply = answer(game, puzzle_numbered(game, number), ())
            show(reply)
            continue
        said = word_of(text) or text
        try:
            told = answer(game, puzzle_numbered(game, reply.puzzle), (*reply.own, said))
        except UserError as refusal:
            print_refusal(refusal)
            continue
        is_same = told.own == reply.own and not told.is_finished
        reply = told
        show(reply, is_known=is_same)
        if reply.is_finished:
            print_paragraphs(_("Type {word} for another one.").format(word=NEXT))
    click.echo(f"{_('To go on:')} sarsen puzzle {reply.name}")


def show(reply: PuzzleShown, *, is_known: bool = False) -> None:
    """Print what came of a try, and the board with its task.

    Args:
        is_known: The board is on the screen already.
    """
    print_paragraphs(news_words(reply))
    if is_known:
        return
    click.echo()
    heading = "" if reply.is_finished else f"{reply.title} {reply.puzzle}. {task_words(reply)}"
    position = replayed(load(reply.game).start(reply.options), reply.moves)
    print_fitting_position(position, f"{heading}\n\n{PROMPT}")
    click.echo()
    print_paragraphs(heading)
