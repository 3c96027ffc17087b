"""The `sarsen` command: subcommands of all doors, and of the server itself."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import click

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.doors.cli.games import perft_command, play_command, show_command

TEMPORARY = 75  # EX_TEMPFAIL: a mail server keeps the message and tries again
NO_SUCH_USER = 67  # EX_NOUSER


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


class Place(click.ParamType[tuple[str, int]]):
    """Read HOST:PORT; a bare port is on the loopback address."""

    name = "HOST:PORT"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        found = re.fullmatch(r"(?:\[?([^\]]*?)\]?:)?(\d{1,5})", str(value))
        if not found or int(found[2]) > 65535:
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
    from sarsen.server.processes import Process, Supervisor, sarsen_arguments, web_arguments

    os.environ["SARSEN_DATA"] = str(data.absolute())
    os.environ["SARSEN_DOMAIN"] = domain
    os.environ["SARSEN_URL"] = url or f"http://{_spelled(http)}"
    _prepare()
    processes = [
        Process("listener", sarsen_arguments("listen", _spelled(smtp), _spelled(lmtp))),
        Process("worker", sarsen_arguments("work")),
        Process("web", web_arguments(*http)),
    ]
    announce = [
        f"web   {os.environ['SARSEN_URL']}/",
        f"smtp  {_spelled(smtp)}  for *@{domain}",
        f"lmtp  {_spelled(lmtp)}",
        _mail_line(),
        "ready",
    ]
    sys.exit(Supervisor(processes).run([http, smtp, lmtp], announce))


@main.command()
@click.argument("smtp", type=Place())
@click.argument("lmtp", type=Place())
def listen(smtp: tuple[str, int], lmtp: tuple[str, int]) -> None:
    """Take mail over SMTP and LMTP (one of the processes of `serve`)."""
    _set_up()
    from django.conf import settings

    from sarsen.doors.mail.listener import listen as listen_for_mail

    asyncio.run(listen_for_mail(smtp, lmtp, settings.SARSEN_DOMAIN))


@main.command()
def work() -> None:
    """Run background jobs (one of the processes of `serve`)."""
    _set_up()
    from sarsen.workers.queue import run_queue

    run_queue()


@main.command()
def migrate() -> None:
    """Bring the database up to date; `serve` does it by itself."""
    _prepare()


@main.group()
def mail() -> None:
    """Mail from a mail server's pipe."""


@mail.command()
@click.option("--sender", default=None, help="Envelope sender; the mail server knows it.")
@click.argument("recipients", nargs=-1)
def deliver(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Take one message from standard input: `sarsen mail deliver < message`.

    Exits 0 when it is stored, 67 when it is not for this server, and 75 when the mail
    server shall keep it and try again.
    """
    _set_up()
    from sarsen.doors.mail.bounds import MOST_BYTES
    from sarsen.doors.mail.delivering import deliver as deliver_message

    raw = sys.stdin.buffer.read(MOST_BYTES + 1)
    try:
        deliver_message(raw, sender, recipients)
    except UserError as refusal:
        click.echo(f"sarsen: {refusal.text} [{refusal.code}]", err=True)
        sys.exit(NO_SUCH_USER)
    except Exception as failed:  # whatever it is, the mail must not be lost
        click.echo(f"sarsen: not stored, try again later: {failed}", err=True)
        sys.exit(TEMPORARY)


def _set_up() -> None:
    os.umask(0o077)  # the data folder holds mail and keys
    from sarsen.server.setup import set_up

    set_up()


def _prepare() -> None:
    """Make the data folder and the tables, and gather the static files."""
    _set_up()
    from django.conf import settings
    from django.core.management import call_command

    settings.DATA.mkdir(parents=True, exist_ok=True)
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def _spelled(place: tuple[str, int]) -> str:
    host = f"[{place[0]}]" if ":" in place[0] else place[0]
    return f"{host}:{place[1]}"


def _mail_line() -> str:
    if os.environ.get("SARSEN_SMTP_URL"):
        return "mail  goes out through the relay of SARSEN_SMTP_URL"
    return f"mail  is caught: {os.environ['SARSEN_URL']}/mail/"
