"""`sarsen analyse`: ask about a position in this terminal, without a server; nothing is stored."""

from __future__ import annotations

import json

import click
from click.shell_completion import CompletionItem

from sarsen.core.errors import UserError
from sarsen.doors.cli.local_play import print_fitting_position
from sarsen.doors.cli.local_tries import PROMPT, print_paragraphs, refused_for_shell
from sarsen.games import known_names
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.grammar.typography import normalise
from sarsen.language.learning.analysis import Analyse, analysis_words
from sarsen.language.replies import encode
from sarsen.learning.analysis import read_question, require_open, shown
from sarsen.search.analysis import analyse

MAX_SECONDS = 600.0


def _complete(
    ctx: click.Context, argument: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of a game."""
    names = () if ctx.params.get("words") else known_names()
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command("analyse", context_settings={"ignore_unknown_options": True})
@click.argument(
    "words",
    nargs=-1,
    metavar="GAME [-OPTIONS|from POSITION then] [MOVE …]",
    shell_complete=_complete,
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.05, MAX_SECONDS),
    default=5.0,
    show_default=True,
    help="How long to search.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer for a program.")
def analyse_command(words: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """See what is proven of a position, or else its likely best moves.

    The position is that after the moves: sarsen analyse druid -size=5 c3 b2

    They begin at a position of your own after from: sarsen analyse gyges from
    S 231123/f/f/f/f/321123 then 11-31

    No server is needed, and nothing is stored.
    """
    with refused_for_shell(as_json=as_json):
        line = " ".join(("analyse", *map(normalise, words)))
        try:
            command = read_line(line, Context(known_names())).command
        except UserError as refusal:
            if refusal.code == "board-missing":  # only a server has boards
                refusal.hint = "sarsen do analyse 123#14"
            raise
        assert isinstance(command, Analyse)
        if command.board:
            raise UserError(
                "Board {board} is not in this terminal; a server analyses it.",
                code="analysis-board",
                hint=f"sarsen do analyse {command.board}{f'#{command.due}' if command.due else ''}",
                board=command.board,
            )
        question = read_question(
            command.game, command.options, command.moves, setup=command.position
        )
        require_open(question)
        reply = shown(question, analyse(question.position, seconds))
    if as_json:
        click.echo(json.dumps(encode(reply), ensure_ascii=False))
        return
    said = analysis_words(reply)
    print_fitting_position(question.position, f"{said}\n\n{PROMPT}")
    click.echo()
    print_paragraphs(said)
