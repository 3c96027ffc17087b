"""`sarsen lesson`: learn a game in this terminal, without a server; nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain, repeat

import click
from click.shell_completion import CompletionItem

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import replayed
from sarsen.doors.cli.local_play import print_fitting_position, print_position, print_refusal
from sarsen.doors.cli.local_tries import (
    PROMPT,
    print_paragraphs,
    read_lines,
    refused_for_shell,
)
from sarsen.games import load
from sarsen.language.grammar.typography import normalise
from sarsen.language.learning.lessons import (
    OFFERED_WORDS,
    WORDS,
    LessonShown,
    LessonWord,
    news_words,
    pointed_words,
    task_words,
    word_of,
)
from sarsen.language.replies import encode
from sarsen.language.translating import _
from sarsen.learning.answers import answer
from sarsen.learning.lessons import has_lesson, lesson_of, step_of, taught


def _complete(
    ctx: click.Context, argument: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a game that has a lesson, then an id of its steps, then a word."""
    before = ctx.params.get("words") or ()
    if not before:
        words: Sequence[str] = taught()
    elif len(before) == 1 and has_lesson(before[0]):
        words = [step.id for step in lesson_of(before[0]).steps]
    else:
        words = sorted(WORDS)
    return [CompletionItem(one) for one in words if one.startswith(incomplete)]


@click.command("lesson")
@click.argument("words", nargs=-1, metavar="GAME [STEP [MOVE …]]", shell_complete=_complete)
@click.option("--json", "as_json", is_flag=True, help="Print one answer for a program.")
def lesson_command(words: tuple[str, ...], as_json: bool) -> None:
    """Learn a game in three minutes: type a move, and see what comes of it.

    In place of a move type hint, show, skip, back or stop. STEP is a number or an id. With a move
    or a word behind it, and with --json, one answer is printed: sarsen lesson druid 1 b4

    No server is needed, and nothing is stored: `sarsen do lesson druid` keeps how far you are at
    the server where you are logged in.
    """
    game, step, *moves = *words, *("",) * (2 - len(words))
    moves = [normalise(move).strip() for move in moves]
    with refused_for_shell(as_json=as_json):
        if not as_json and not moves:
            take_lesson(game, step)
            return
        reply = answered(game, step, moves, 0)
    if as_json:
        click.echo(json.dumps(encode(reply), ensure_ascii=False))
    else:
        show(reply)


def answered(game: str, step: str, moves: Sequence[str], tries: int) -> LessonShown:
    """Return what a line at a step comes to.

    Args:
        moves: Own moves, the new one or a word last.
        tries: Wrong ones that were made there before.
    """
    lesson = lesson_of(game)
    line = tuple(word_of(move) or move for move in moves)
    return answer(lesson, step_of(game, step), line, tries).shown


def take_lesson(game: str, step: str) -> None:
    """Read moves and words until the lesson is finished or somebody stops."""
    reply = answered(game, step, (), 0)
    show(reply)
    print_paragraphs(_("Type a move, or: {words}.").format(words=_(OFFERED_WORDS)))
    lines = chain(read_lines(), repeat(LessonWord.STOP.value))
    while not (reply.is_finished or reply.is_stopped):
        text = next(lines)
        if text.lower() == "board":  # what is said below a board that did not fit
            print_position(_position(reply))
            continue
        try:
            told = answered(reply.game, reply.step, (*reply.own, text), reply.tries)
        except UserError as refusal:
            print_refusal(refusal)
            continue
        is_same = (told.step, told.own) == (reply.step, reply.own)
        reply = told
        show(reply, is_known=is_same)


def show(reply: LessonShown, *, is_known: bool = False) -> None:
    """Print what came of a try, and the board with its task.

    Args:
        is_known: The board is on the screen already.
    """
    print_paragraphs(news_words(reply))
    if reply.is_stopped or reply.is_finished:
        game = " ".join(filter(None, (reply.game, load(reply.game).info.quick)))
        end = f"lesson {reply.game} {reply.at}" if reply.is_stopped else f"play {game} --bot 1"
        label = _("To go on:") if reply.is_stopped else _("Play it now:")
        click.echo(f"{label} sarsen {end}")
        return
    if is_known:
        return
    click.echo()
    print_fitting_position(_position(reply), f"{task_words(reply)}\n\n{PROMPT}")
    click.echo()
    print_paragraphs(task_words(reply))
    print_paragraphs(pointed_words(reply))


def _position(reply: LessonShown) -> AnyPosition:
    return replayed(load(reply.game).start(reply.options), reply.moves)
