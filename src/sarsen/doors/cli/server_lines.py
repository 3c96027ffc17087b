"""`sarsen druid move 123 c3`: a line of the language, performed by the server logged in at.

The server judges lines; here it is only found out whether there is one, whether a text belongs
below it, and whether a password has to be typed.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence
from typing import TextIO

import click

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.doors.cli.line_texts import MAX_READ, ask_for_missing_parts, join_words

_END = "--"


class LineCommand(click.Command):
    """Take a line of any words: only options of ours, exactly as spelled, are no part of it.

    So `-size=5` and `--unrated` stay with the line, and a game may name its options as it
    likes. Everything after `--` belongs to the line.
    """

    def __init__(self, name: str | None, **named: object) -> None:
        super().__init__(name, **named)  # type: ignore[arg-type]
        self.params = [_words(), *self.params, *_options()]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write `sarsen LINE`: the line itself stands where subcommands do."""
        formatter.write_usage(ctx.command_path.removesuffix(" line"), "LINE [OPTIONS]")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Separate our options from the words of the line."""
        own, words = self._split(args)
        return super().parse_args(ctx, [*own, _END, *words])

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Complete a word that begins with a dash: options of ours, or of a challenge."""
        from sarsen.doors.cli.completion import next_words

        return next_words(ctx.params.get("words") or (), incomplete) + super().shell_complete(
            ctx, incomplete
        )

    def _split(self, args: Sequence[str]) -> tuple[list[str], list[str]]:
        takes_value = {
            name: isinstance(param, click.Option) and not param.is_flag
            for param in self.params
            for name in param.opts
            if name.startswith("-")
        }
        own: list[str] = []
        words: list[str] = []
        remaining = iter(args)
        for arg in remaining:
            name = arg.partition("=")[0]
            if arg == _END:
                words.extend(remaining)
            elif arg in ("-h", "--help") or (name != arg and takes_value.get(name)):
                own.append(arg)
            elif arg in takes_value:
                own += [arg, *_value(remaining, takes_value[arg])]
            else:
                words.append(arg)
        return own, words


def _value(remaining: Iterator[str], is_taken: bool) -> Iterator[str]:
    if is_taken and (value := next(remaining, None)) is not None:
        yield value


def _words() -> click.Argument:
    def complete(
        ctx: click.Context, argument: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        from sarsen.doors.cli.completion import next_words

        return next_words(ctx.params.get("words") or (), incomplete)

    return click.Argument(
        ["words"], nargs=-1, type=click.UNPROCESSED, metavar="LINE", shell_complete=complete
    )


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            ["-m", "messages"], multiple=True, metavar="TEXT", help="A line of text below LINE."
        ),
        click.Option(
            ["--body"],
            # As in a mail: what is no text is read as such a sign, and no reason to stop.
            type=click.File(encoding="utf-8", errors="replace"),
            help="The text below LINE: a file, or - for standard input.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the reply as JSON."),
        click.Option(["--yes", "is_sure"], is_flag=True, help="Answer all questions with yes."),
        click.Option(
            ["--server"],
            default="",
            metavar="URL",
            help="Use this server instead of the current one.",
        ),
    ]


def perform_line(
    words: tuple[str, ...],
    body: TextIO | None,
    messages: tuple[str, ...],
    server: str,
    *,
    as_json: bool,
    is_sure: bool,
    before: tuple[str, ...] = (),
) -> int:
    """Perform a line at a server, and print its answer; return the exit status.

    Args:
        before: The words between `sarsen` and the line.
    """
    from sarsen.doors.cli.server_requests import RequestOptions, perform_and_print

    text = "\n".join(messages) or (body.read(MAX_READ) if body else "")
    line_text = join_words(words, text)
    options = RequestOptions(server, as_json=as_json, is_sure=is_sure, before=before)
    if not line_text.line.strip() and not sys.stdin.isatty():
        # Commands from a pipe: no shell has taken their quotes and semicolons.
        line_text = join_words(("multiple",), sys.stdin.read(MAX_READ))
    return perform_and_print(ask_for_missing_parts(line_text), options)


@click.command("line", cls=LineCommand)
def line_command(
    words: tuple[str, ...],
    body: TextIO | None,
    messages: tuple[str, ...],
    as_json: bool,
    is_sure: bool,
    server: str,
) -> None:
    """Perform a command line at the server that you are logged in at.

    LINE is what a mail would say; `sarsen help commands` lists what there is:

    \b
        sarsen druid challenge -size=5 me bob
        sarsen queue 123 'd3; if e4 then f5'     (the shell keeps ; for itself)
        sarsen message bob: -m 'See you at the board.'
        sarsen --help                     (what needs no server)

    The text of a message is read from standard input where it is not in the line. Ends
    with 0 when it is done, 1 when it is refused, 2 when it could not be asked.
    """
    sys.exit(perform_line(words, body, messages, server, as_json=as_json, is_sure=is_sure))


def check_first(words: Sequence[str], own: Sequence[str]) -> None:
    """Refuse what is no line but a slip in the name of a subcommand.

    Args:
        own: The subcommands.

    Raises:
        UserError: The hint is the same line with the right name.
    """
    first, *rest = " ".join(words).split() or [""]
    near = difflib.get_close_matches(first.lower(), own, n=1, cutoff=0.7)
    if not near or first.startswith("-"):
        return
    from sarsen.language.commands import BY_WORD

    first_words = {word.split()[0] for word in BY_WORD}
    if first.lower() not in first_words and not (rest and rest[0].lower() in first_words):
        raise UserError(
            "{typed} is not a sarsen command.",
            typed=quoted(first, 40),
            code="unknown-command",
            hint=" ".join(["sarsen", near[0], *rest]),
        )
