"""`sarsen druid move 123 c3`: a line of the language, performed by the server logged in at.

The server judges lines; here it is only found out whether there is one, whether a text belongs
below it, and whether a password has to be typed.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TextIO

import click

from sarsen.core.errors import UserError
from sarsen.language.translating import _

_END = "--"
MAX_READ = 100_000  # characters below a line; more is refused anyhow
# Words of the commands that something may have to be asked for. Must agree with
# `language.commands`, which is not loaded for a line that is only passed on.
HELP = (
    *("help", "?", "info", "hilfe", "aide", "ayuda", "ajuda", "aiuto", "hulp"),
    *("hjälp", "hjelp", "hjælp", "apua", "pomoc", "pomoz", "допомога", "помощь", "帮助"),
    *("幫助", "ヘルプ", "도움말"),
)
MESSAGE = ("message", "msg", "tell")
BROADCAST = ("broadcast",)
CHAT = ("chat", "say")
MULTIPLE = ("multiple",)
PASSWORD = ("change password", "password")
_ASKING = (*HELP, *MESSAGE, *BROADCAST, *CHAT, *MULTIPLE, *PASSWORD)


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
) -> int:
    """Perform a line at a server, and print its answer; return the exit status."""
    from sarsen.doors.cli.server_requests import RequestOptions, perform_and_print

    text = "\n".join(messages) or (body.read(MAX_READ) if body else "")
    line_text = join_words(words, text)
    options = RequestOptions(server, as_json=as_json, is_sure=is_sure)
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


@dataclass(frozen=True)
class LineText:
    """A line and the text below it.

    Attributes:
        verb: The command word, when it is one of those above; "" for all others.
        rest: The words after it.
    """

    line: str
    body: str = ""

    @property
    def verb(self) -> str:
        return self._parts()[0]

    @property
    def rest(self) -> list[str]:
        return self._parts()[1]

    def _parts(self) -> tuple[str, list[str]]:
        words = self.line.split()
        for at in range(min(2, len(words))):  # a game may stand first
            two_words, word = " ".join(words[at : at + 2]).lower(), words[at].lower().rstrip(":.")
            if two_words in _ASKING:
                return two_words, words[at + 2 :]
            if word in _ASKING:
                return word, words[at + 1 :]
        return "", []


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
            typed=repr(first[:40]),
            code="unknown-command",
            hint=" ".join(["sarsen", near[0], *rest]),
        )


def join_words(words: Sequence[str], body: str) -> LineText:
    """Put typed words together; line breaks in them part the line from the text below it."""
    line, *below = " ".join(words).split("\n", 1)
    return LineText(line, "\n".join(filter(None, (*below, body))))


def ask_for_missing_parts(line_text: LineText) -> LineText:
    """Ask for what is missing: the text of a message, or a new password.

    A text is read from standard input; a password only from a terminal, unseen.
    """
    if _lacks_text(line_text):
        if sys.stdin.isatty():
            click.echo(_("Type your text; end it with Ctrl-D on an empty line."), err=True)
        return replace(line_text, body=sys.stdin.read(MAX_READ))
    if line_text.verb in PASSWORD:
        return _with_password(line_text)
    return line_text


def _lacks_text(line_text: LineText) -> bool:
    if line_text.body:
        return False
    rest = line_text.rest
    if line_text.verb in MESSAGE:
        return bool(rest) and not any(word.endswith(":") for word in rest[:-1])
    if line_text.verb in CHAT:
        return len(rest) == 1
    return line_text.verb in MULTIPLE or (line_text.verb in BROADCAST and not rest)


def _with_password(line_text: LineText) -> LineText:
    if line_text.rest:
        text = _(
            "Others on this computer may see passwords in command lines: leave it out next time."
        )
        click.echo(text, err=True)
        return line_text
    if not sys.stdin.isatty():
        return line_text
    confirmation = _("Repeat for confirmation")
    password = click.prompt(
        _("New password"), hide_input=True, confirmation_prompt=confirmation, err=True
    )
    return replace(line_text, line=f"{line_text.line} {password}")
