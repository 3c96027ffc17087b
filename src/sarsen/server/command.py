"""The `sarsen` command: its own subcommands, and every line that the other doors understand.

A subcommand is loaded when it is called: `sarsen list` loads neither Django nor a search.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import NoReturn

import click

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.doors.cli.shell_hints import TYPED, mended

# Where each one stands, and what it is for: the list of all loads none of them.
_PLAYING = {
    "login": ("sarsen.doors.cli.login:login_command", "Log in to a server with a mailed code."),
    "logout": (
        "sarsen.doors.cli.login:logout_command",
        "Log out: revoke the token and delete it here.",
    ),
    "tui": ("sarsen.doors.tui.command:tui_command", "Play in full screen, with keyboard or mouse."),
    "do": ("sarsen.server.commands.do:do_command", "Run one command line."),
    "play": (
        "sarsen.doors.cli.local_games:play_command",
        "Play in this terminal, against a person or a bot.",
    ),
    "show": (
        "sarsen.doors.cli.local_games:show_command",
        "Print a board with its turn or result.",
    ),
    "lesson": (
        "sarsen.doors.cli.local_lesson:lesson_command",
        "Learn a game in three minutes, without a server.",
    ),
    "puzzle": (
        "sarsen.doors.cli.local_puzzle:puzzle_command",
        "Solve a puzzle, without a server.",
    ),
    "analyse": (
        "sarsen.doors.cli.local_analysis:analyse_command",
        "Analyse a position, without a server.",
    ),
    "completion": (
        "sarsen.doors.cli.completion:completion_command",
        "Print a script for shell completion.",
    ),
}
_RECORDS = {
    "verify": (
        "sarsen.server.commands.records:verify_command",
        "Verify the stored data, or a file of records.",
    ),
    "export": (
        "sarsen.server.commands.records:export_command",
        "Export finished games as signed records.",
    ),
    "import": (
        "sarsen.server.commands.records:import_command",
        "Import records of games played elsewhere.",
    ),
    "key": (
        "sarsen.server.commands.records:key_command",
        "Show the public keys that sign records.",
    ),
    "dataset": (
        "sarsen.server.commands.records:dataset_command",
        "Export all finished public games as tables.",
    ),
}
_DESIGNING = {
    "new-game": (
        "sarsen.lab.new_game.writing:new_game_command",
        "Create the package of a small working game.",
    ),
    "engine": (
        "sarsen.lab.commands:engine_command",
        "Run an engine on standard input and output.",
    ),
    "match": (
        "sarsen.lab.commands:match_command",
        "Play two engines against each other.",
    ),
    "ladder": ("sarsen.lab.commands:ladder_command", "Measure the bot levels of a game."),
    "puzzles": (
        "sarsen.lab.puzzles.command:puzzles_command",
        "Make puzzles of a game, or prove them again.",
    ),
    "check": ("sarsen.lab.checking.command:check_command", "Check a game for errors."),
    "report": (
        "sarsen.lab.reporting.command:report_command",
        "Report how a game plays.",
    ),
    "bot": ("sarsen.lab.commands:bot_command", "Play on a server with an engine."),
    "prove": ("sarsen.lab.proofs:prove_command", "Check the proof that the first player wins."),
    "solve": (
        "sarsen.lab.proofs:solve_command",
        "Find who wins on a small board of Druid or Vasco.",
    ),
    "perft": ("sarsen.doors.cli.local_games:perft_command", "Count the move sequences of a depth."),
}
_SERVING = {
    "serve": (
        "sarsen.server.commands.serve:serve_command",
        "Run the server: web, mail and background jobs.",
    ),
    "setup": (
        "sarsen.server.commands.configuration:setup_command",
        "Print a configuration file for nginx, Postfix or systemd.",
    ),
    "doctor": (
        "sarsen.server.commands.doctor:doctor_command",
        "Check the configuration and health of the server.",
    ),
    "migrate": (
        "sarsen.server.commands.serve:migrate_command",
        "Update the database; `serve` does it automatically.",
    ),
    "backup": (
        "sarsen.server.commands.backup:backup_command",
        "Back up the running server into one file.",
    ),
    "restore": (
        "sarsen.server.commands.backup:restore_command",
        "Restore a backup into a folder.",
    ),
    "copy-database": (
        "sarsen.server.commands.copy:copy_database_command",
        "Copy the database into an empty one.",
    ),
    "forget": (
        "sarsen.server.commands.people:forget_command",
        "Delete a player's personal data on request.",
    ),
    "mail": ("sarsen.server.commands.mail:mail_command", "Receive mail from a mail server's pipe."),
    "push-key": (
        "sarsen.server.commands.mail:push_key_command",
        "Create a key for push notifications.",
    ),
    "dkim-key": (
        "sarsen.server.commands.mail:dkim_key_command",
        "Create a DKIM key to sign outgoing mail.",
    ),
    "operator": (
        "sarsen.server.commands.people:operator_command",
        "List or change the operators of this server.",
    ),
    "listen": (
        "sarsen.server.commands.serve:listen_command",
        "Receive mail over SMTP and LMTP (a process of `serve`).",
    ),
    "web": (
        "sarsen.server.commands.serve:web_command",
        "Serve the web pages (a process of `serve`).",
    ),
    "work": (
        "sarsen.server.commands.serve:work_command",
        "Run background jobs (a process of `serve`).",
    ),
    "think": (
        "sarsen.server.commands.serve:think_command",
        "Compute the bots' moves (a process of `serve`).",
    ),
    "measure": (
        "sarsen.server.commands.measure:measure_command",
        "Rate bots at plug-in games (a process of `serve`).",
    ),
}
SECTIONS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "For players": _PLAYING,
    "Records": _RECORDS,
    "For designers": _DESIGNING,
    "For operators": _SERVING,
}
_PLACES = {name: place for section in SECTIONS.values() for name, (place, _) in section.items()}
_PROCESSES = ("listen", "web", "work", "think", "measure")  # that nobody types
_LINE = "sarsen.doors.cli.server_lines:line_command"


class Commands(click.Group):
    """Find subcommands where they stand; take any other words as a line for the server.

    A `UserError` is printed in two lines, without a traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the own subcommands; lines are in `sarsen help commands`."""
        return list(_PLACES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a subcommand."""
        return _load(_PLACES[cmd_name]) if cmd_name in _PLACES else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words as typed: the hint of a refusal may be the same line, corrected."""
        ctx.meta[TYPED] = tuple(args)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the first word names, or else the one for lines."""
        if args[0] in _PLAYING or args[0] not in _PLACES:
            from sarsen.language.translating import language_of_terminal, use_language

            # Players; until the program ends, for a refusal is printed last.
            ctx.with_resource(use_language(language_of_terminal(os.environ)))
        if args[0] in _PLACES and not _is_for_server(args):
            return args[0], self.get_command(ctx, args[0]), args[1:]
        from sarsen.doors.cli.server_lines import check_first

        if not ctx.resilient_parsing:
            check_first(args, [name for name in _PLACES if name not in _PROCESSES])
        return "line", _load(_LINE), args

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands by what they are for."""
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, (_, text) in section.items()])

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Complete the first word: subcommands, games, commands of the language."""
        from sarsen.doors.cli.completion import first_words

        return super().shell_complete(ctx, incomplete) + first_words(incomplete)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except UserError as refusal:
            _exit_with_refusal(refusal, ctx.meta[TYPED])
        except ModuleNotFoundError as missing:
            if missing.name not in ("numba", "numpy", "llvmlite"):
                raise
            text = "This command needs Numba, which is not installed."
            hint = "pip install '/path/to/sarsen[bots]'   (a clone or a wheel)"
            _exit_with_refusal(UserError(text, code="no-numba", hint=hint))
        except Exception as failed:
            # Only a damaged database is named: a traceback would not tell an operator what to do.
            damaged = _damaged_database(failed)
            if damaged is None:
                raise
            _exit_with_refusal(damaged)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sarsen")
def main() -> None:
    """Play-by-mail server for abstract board games.

    After `sarsen login`, every command of the language is a command here, too:
    `sarsen druid move 123 c3`, `sarsen list`, `sarsen help`.
    """


def _exit_with_refusal(refusal: UserError, typed: Sequence[str] = ()) -> NoReturn:
    from sarsen.language.translating import translated

    click.echo(f"sarsen: {translated(refusal.text)} [{refusal.code}]", err=True)
    if refusal.hint:
        click.echo(f"  {translated(mended(refusal, typed))}", err=True)
    sys.exit(2)


def _damaged_database(failed: Exception) -> UserError | None:
    """Return what to do about a damaged database, where one was asked at all."""
    if "django.db" not in sys.modules:
        return None
    from sarsen.services.store_failures import damage_refusal

    return damage_refusal(failed)


def _load(place: str) -> click.Command:
    module, _, name = place.partition(":")
    command = getattr(import_module(module), name)
    assert isinstance(command, click.Command)
    return command


def _is_for_server(args: Sequence[str]) -> bool:
    """Return whether a subcommand is meant for the server.

    `show` is with a board's number, not with a game; what begins with `puzzle` and is a command of
    its own (`puzzle daily`, `puzzle vote`) changes what a server keeps.
    """
    word = next((arg for arg in args[1:] if not arg.startswith("-")), "").lower()
    if args[0] == "puzzle":
        # Not before it is asked: these imports take longer than most commands.
        from sarsen.language.commands import BY_WORD

        return f"puzzle {word}" in BY_WORD
    return args[0] == "show" and word[:1].isdigit()
