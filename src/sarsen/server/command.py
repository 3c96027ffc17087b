"""The `sarsen` command: subcommands of all doors, and of the server itself."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import TextIO

import click

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.doors.cli.games import perft_command, play_command, show_command
from sarsen.doors.cli.records import verify_command
from sarsen.lab.commands import engine_command, ladder_command, match_command
from sarsen.lab.proving import prove_command
from sarsen.lab.solving import solve_command
from sarsen.server.dataset_command import dataset_command
from sarsen.server.ports import Port, require_free, spelled
from sarsen.server.record_commands import export_command, key_command

TEMPORARY = 75  # EX_TEMPFAIL: a mail server keeps the message and tries again
TOO_LARGE = 65  # EX_DATAERR
NO_SUCH_USER = 67  # EX_NOUSER
MOST_READ = 100_000  # characters below a line; more is refused anyhow


class Commands(click.Group):
    """Print what a person can mend in two lines, without a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except UserError as refusal:
            click.echo(f"sarsen: {refusal.text} [{refusal.code}]", err=True)
            if refusal.hint:
                click.echo(f"  {refusal.hint}", err=True)
            sys.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sarsen")
def main() -> None:
    """Play-by-mail server for abstract board games."""


main.add_command(perft_command)
main.add_command(show_command)
main.add_command(play_command)
main.add_command(engine_command)
main.add_command(match_command)
main.add_command(ladder_command)
main.add_command(prove_command)
main.add_command(solve_command)
main.add_command(verify_command)
main.add_command(export_command)
main.add_command(dataset_command)
main.add_command(key_command)


class Place(click.ParamType[tuple[str, int]]):
    """Read HOST:PORT; a bare port is on the loopback address."""

    name = "HOST:PORT"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        found = re.fullmatch(r"(?:\[?([^\]]*?)\]?:)?(\d{1,5})", str(value))
        if not found or not 0 < int(found[2]) <= 65535:
            self.fail(f"{value!r} is not HOST:PORT, such as 127.0.0.1:8000", param, ctx)
        return found[1] or "127.0.0.1", int(found[2])


@main.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="SARSEN_DATA",
    default="data",
    show_default=True,
    help="Folder for the database and the secret key.",
)
@click.option(
    "--http",
    type=Place(),
    envvar="SARSEN_HTTP",
    default="127.0.0.1:8000",
    show_default=True,
    help="Where the web pages are served.",
)
@click.option(
    "--smtp",
    type=Place(),
    envvar="SARSEN_SMTP",
    default="127.0.0.1:8025",
    show_default=True,
    help="Where mail is taken over SMTP.",
)
@click.option(
    "--lmtp",
    type=Place(),
    envvar="SARSEN_LMTP",
    default="127.0.0.1:8024",
    show_default=True,
    help="Where mail is taken over LMTP.",
)
@click.option(
    "--domain",
    envvar="SARSEN_DOMAIN",
    default="sarsen.localhost",
    show_default=True,
    help="What stands behind the @ of the server's addresses.",
)
@click.option(
    "--url", envvar="SARSEN_URL", default="", help="Public web address.  [default: from --http]"
)
def serve(
    data: Path,
    http: tuple[str, int],
    smtp: tuple[str, int],
    lmtp: tuple[str, int],
    domain: str,
    url: str,
) -> None:
    """Start everything: web, mail in, mail out, background work."""
    os.environ["SARSEN_DATA"] = str(data.absolute())
    os.environ["SARSEN_DOMAIN"] = domain
    os.environ["SARSEN_URL"] = url or f"http://{spelled(*http)}"
    _set_up()
    from django.conf import settings

    from sarsen.server.processes import Process, Supervisor, sarsen_arguments

    named = settings.ALLOWED_HOSTS[0].removeprefix(".").replace("*", "localhost")
    health = f"GET /health/ HTTP/1.0\r\nHost: {named}\r\n\r\n".encode()
    ports = [Port("--http", *http, health), Port("--smtp", *smtp), Port("--lmtp", *lmtp)]
    require_free(ports)
    _prepare()
    processes = [
        Process("listener", sarsen_arguments("listen", spelled(*smtp), spelled(*lmtp))),
        Process("worker", sarsen_arguments("work")),
        Process("web", sarsen_arguments("web", spelled(*http))),
    ]
    if settings.SARSEN_BOTS and settings.SARSEN_THINKERS:
        processes.append(Process("thinker", sarsen_arguments("think")))
    supervisor = Supervisor(processes, ports)
    announce = [
        f"web   {settings.SARSEN_URL}/",
        f"smtp  {spelled(*smtp)}  for *@{domain}",
        f"lmtp  {spelled(*lmtp)}",
        "mail  goes out through the relay of SARSEN_SMTP_URL"
        if settings.SARSEN_SMTP_URL
        else f"mail  is caught: {settings.SARSEN_URL}/mail/",
        "ready",
    ]
    sys.exit(supervisor.run(announce))


@main.command()
@click.argument("smtp", type=Place())
@click.argument("lmtp", type=Place())
def listen(smtp: tuple[str, int], lmtp: tuple[str, int]) -> None:
    """Take mail over SMTP and LMTP (one of the processes of `serve`)."""
    _set_up()
    from django.conf import settings

    from sarsen.doors.mail.listener import listen as listen_for_mail
    from sarsen.server.lifeline import end_with_supervisor

    end_with_supervisor()
    asyncio.run(listen_for_mail(smtp, lmtp, settings.SARSEN_DOMAIN, settings.SARSEN_RUN))


@main.command()
@click.argument("http", type=Place())
def web(http: tuple[str, int]) -> None:
    """Serve the web pages (one of the processes of `serve`)."""
    from sarsen.server.web import serve_web

    serve_web(*http)


@main.command()
def work() -> None:
    """Run background jobs (one of the processes of `serve`)."""
    _set_up()
    from sarsen.server.lifeline import end_with_supervisor
    from sarsen.workers.queue import run_queue

    end_with_supervisor()
    run_queue()


@main.command()
def think() -> None:
    """Think for the server's own programs (one of the processes of `serve`)."""
    _set_up()
    from sarsen.server.lifeline import end_with_supervisor
    from sarsen.server.thinking import yield_to_others
    from sarsen.workers.thinking.thinker import run_thinker

    end_with_supervisor()
    yield_to_others()
    run_thinker()


@main.command()
def migrate() -> None:
    """Bring the database up to date; `serve` does it by itself."""
    _set_up()
    _prepare()


@main.command("do", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="LINE")
@click.option(
    "--body",
    # As in a mail: what is no text is read as such a sign, and no reason to stop.
    type=click.File(encoding="utf-8", errors="replace"),
    help="Lines below it: a file, or -.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the reply for a program.")
def do_line(words: tuple[str, ...], body: TextIO | None, as_json: bool) -> None:
    """Perform one command line on this server's own database.

    LINE is what a mail would say: sarsen do druid move 123 ann PASSWORD b2-b4

    Everybody on the machine can read a password in a command line. So leave it out, and
    set SARSEN_USERID and SARSEN_PASSWORD in the environment instead.
    """
    _set_up()
    from sarsen.doors.cli.doing import do

    sys.exit(do(" ".join(words), body.read(MOST_READ) if body else "", as_json=as_json))


@main.group()
def mail() -> None:
    """Mail from a mail server's pipe."""


@mail.command()
@click.option("--sender", default=None, help="Envelope sender; the mail server knows it.")
@click.argument("recipients", nargs=-1)
def deliver(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Take one message from standard input: `sarsen mail deliver < message`.

    Exits 0 when it is stored, 65 when it is too large, 67 when it is not for this server,
    and 75 when the mail server shall keep it and try again.
    """
    try:
        _set_up()
        from sarsen.doors.mail.bounds import MOST_BYTES
        from sarsen.doors.mail.delivering import deliver as deliver_message

        raw = sys.stdin.buffer.read(MOST_BYTES + 1)
        deliver_message(raw, sender, recipients)
    except UserError as refusal:
        click.echo(f"sarsen: {refusal.text} [{refusal.code}]", err=True)
        # Anything else is wrong here, not with the mail.
        at_fault = {"not-ours": NO_SUCH_USER, "mail-too-large": TOO_LARGE}
        sys.exit(at_fault.get(refusal.code, TEMPORARY))
    except Exception as failed:  # whatever it is, the mail must not be lost
        # What a failure says of itself may hold words of the mail, a password among them.
        reason = failed if isinstance(failed, OSError) else type(failed).__name__
        click.echo(f"sarsen: not stored, try again later: {reason}", err=True)
        sys.exit(TEMPORARY)


def _set_up() -> None:
    os.umask(0o077)  # the data folder holds mail and keys
    from sarsen.server.setup import set_up

    set_up()


def _make_programs() -> None:
    from django.conf import settings
    from django.utils import timezone

    from sarsen.services.bots.accounts import make_accounts

    if settings.SARSEN_BOTS:
        make_accounts(timezone.now())


def _make_signing_key() -> None:
    from sarsen.services.record_keys import secret_key

    secret_key()


def _prepare() -> None:
    """Make the data folder, the tables and the programs' accounts; gather the static files."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import OperationalError

    try:
        settings.DATA.mkdir(parents=True, exist_ok=True)
        call_command("migrate", interactive=False, verbosity=0)
        # The API's reference pages bring megabytes that take half a minute to compress; they
        # are served from their package as they are (WHITENOISE_USE_FINDERS).
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["ninja"])
        _make_programs()
        _make_signing_key()
    except OperationalError as away:
        raise UserError(
            f"The database cannot be used: {str(away).strip()}",
            code="database-away",
            hint="Start it, or see DATABASE_URL; without that, a file in the data folder is used.",
        ) from None
    except OSError as refused:
        raise UserError(
            f"The data folder {settings.DATA} cannot be used: {refused.strerror}.",
            code="data-folder",
            hint="sarsen serve --data FOLDER, one that this user may write to",
        ) from None
