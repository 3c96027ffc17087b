"""The commands that run the server: `serve`, its processes, and `migrate`."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
import time
from pathlib import Path

import click
from click.core import ParameterSource
from django.conf import settings

import sarsen.search
from sarsen.client.data_folder import data_folder
from sarsen.core.errors import UserError
from sarsen.server.commands.data_option import with_data_option
from sarsen.server.ports import Port, require_free, spelled

TELL_EVERY = 2.0  # seconds between lines on how far an upgrade is


class HostPort(click.ParamType[tuple[str, int]]):
    """Read HOST:PORT; a bare port is on the loopback address."""

    name = "HOST:PORT"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        address = re.fullmatch(r"(?:\[?([^\]]*?)\]?:)?(\d{1,5})", str(value))
        if not address or not 0 < int(address[2]) <= 65535:
            self.fail(f"{value!r} is not HOST:PORT, such as 127.0.0.1:8000", param, ctx)
        return address[1] or "127.0.0.1", int(address[2])


@click.command("serve")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="SARSEN_DATA",
    default=lambda: data_folder(os.environ),
    show_default="of this user",
    help="Folder for the database and the secret key.",
)
@click.option(
    "--http",
    type=HostPort(),
    envvar="SARSEN_HTTP",
    default="127.0.0.1:8000",
    show_default=True,
    help="Address for web requests.",
)
@click.option(
    "--smtp",
    type=HostPort(),
    envvar="SARSEN_SMTP",
    default="127.0.0.1:8025",
    show_default=True,
    help="Address for mail over SMTP.",
)
@click.option(
    "--lmtp",
    type=HostPort(),
    envvar="SARSEN_LMTP",
    default="127.0.0.1:8024",
    show_default=True,
    help="Address for mail over LMTP.",
)
@click.option(
    "--domain",
    envvar="SARSEN_DOMAIN",
    default="sarsen.localhost",
    show_default=True,
    help="Domain of the server's mail addresses.",
)
@click.option(
    "--url",
    envvar="SARSEN_URL",
    default="",
    help="Public URL of the server.  [default: from --http]",
)
@click.option(
    "--measure/--no-measure",
    "measures",
    default=True,
    show_default=True,
    help="Let bots play each other at new plug-in games, to rate them.",
)
def serve_command(
    data: Path,
    http: tuple[str, int],
    smtp: tuple[str, int],
    lmtp: tuple[str, int],
    domain: str,
    url: str,
    measures: bool,
) -> None:
    """Run the server: web, mail and background jobs."""
    os.environ["SARSEN_DATA"] = str(data.absolute())
    os.environ["SARSEN_DOMAIN"] = domain
    os.environ["SARSEN_URL"] = url or f"http://{spelled(*http)}"
    from sarsen.server.processes import SupervisedProcess, Supervisor, open_lifeline, run_to_its_end
    from sarsen.server.setup import collect_rarely, set_up_privately

    lifeline = open_lifeline()  # before the settings are read, which have its name
    set_up_privately()
    from django.conf import settings

    from sarsen.client import logins
    from sarsen.games import names, plugin_versions
    from sarsen.search.bots import has_compiler
    from sarsen.server import environment
    from sarsen.server.commands.folder_lock import held
    from sarsen.services import wake_pipes
    from sarsen.services.bots import due_boards

    environment.warn_of_unread()
    host = settings.ALLOWED_HOSTS[0].removeprefix(".").replace("*", "localhost")
    health = f"GET /health/ HTTP/1.0\r\nHost: {host}\r\n\r\n".encode()
    ports = [Port("--http", *http, health), Port("--smtp", *smtp), Port("--lmtp", *lmtp)]
    context = click.get_current_context()
    typed = _typed(context)
    if settings.DATABASES["default"]["ENGINE"] == environment.SQLITE:
        # First: at other ports it would be refused, too.
        context.with_resource(held(settings.DATA, typed, ports))
    require_free(ports, typed)
    if status := run_to_its_end(["migrate"], lifeline, meanwhile=_load_shared):
        sys.exit(status)
    processes = [
        SupervisedProcess("listener", ["listen", spelled(*smtp), spelled(*lmtp)]),
        *(
            SupervisedProcess(f"worker{number}" if number > 1 else "worker", ["work"])
            for number in range(1, environment.workers() + 1)
        ),
        SupervisedProcess("web", ["web", spelled(*http)]),
    ]
    has_thinker = settings.SARSEN_BOTS and settings.SARSEN_THINKERS
    # Until it has looked what is compiled, nothing is; where there is none, all is elsewhere.
    due_boards.note_warming(names() if has_thinker else ())
    announce = [
        f"data  {settings.DATA}",
        f"web   {settings.SARSEN_URL}/",
        f"smtp  {spelled(*smtp)}  for *@{domain}",
        f"lmtp  {spelled(*lmtp)}",
        "mail  is sent through the relay of SARSEN_SMTP_URL"
        if settings.SARSEN_SMTP_URL
        else f"mail  is not sent, but shown at {settings.SARSEN_URL}/mail/"
        if settings.SARSEN_SHOW_MAIL
        else "mail  is not sent: set SARSEN_SMTP_URL to a mail relay",
        "ready",
    ]
    address = settings.DATA / logins.ADDRESS_FILE
    address.write_text(settings.SARSEN_URL, encoding="utf-8")
    collect_rarely()
    try:
        with contextlib.ExitStack() as pipes:
            if has_thinker and measures and has_compiler() and plugin_versions():
                # Nobody calls it: what is to be measured is known at a start.
                no_calls, _ = os.pipe()
                processes.append(SupervisedProcess("measurer", ["measure"], no_calls))
            if has_thinker:
                calls = pipes.enter_context(wake_pipes.listening(wake_pipes.THINKER))
                processes.append(SupervisedProcess("thinker", ["think"], calls))
            sys.exit(Supervisor(processes, ports, lifeline).run(announce))
    finally:
        address.unlink(missing_ok=True)


@click.command("listen")
@click.argument("smtp", type=HostPort())
@click.argument("lmtp", type=HostPort())
def listen_command(smtp: tuple[str, int], lmtp: tuple[str, int]) -> None:
    """Receive mail over SMTP and LMTP (one of the processes of `serve`)."""
    from sarsen.server.setup import set_up_privately

    set_up_privately()
    import asyncio

    from django.conf import settings

    from sarsen.doors.mail.receive.listener import listen as listen_for_mail
    from sarsen.server.processes import end_with_supervisor
    from sarsen.server.releases import require_own_tables
    from sarsen.server.setup import collect_rarely
    from sarsen.services.limits import site
    from sarsen.storage import calls

    end_with_supervisor()
    require_own_tables()
    collect_rarely()
    calls.listen({calls.SPENT: site.hear})
    site.keep_telling()
    asyncio.run(listen_for_mail(smtp, lmtp, settings.SARSEN_DOMAIN, settings.SARSEN_RUN))


@click.command("web")
@click.argument("http", type=HostPort())
def web_command(http: tuple[str, int]) -> None:
    """Serve the web pages (one of the processes of `serve`)."""
    from sarsen.server.setup import set_up_privately

    set_up_privately()
    from sarsen.server.settings import STATIC_ROOT
    from sarsen.server.static_files import gather_static_files, is_gathered
    from sarsen.server.web import serve_web

    if not is_gathered(STATIC_ROOT):
        gather_static_files()  # on a host where no `serve` has done it
    serve_web(*http)


@click.command("work")
def work_command() -> None:
    """Run background jobs (one of the processes of `serve`)."""
    from sarsen.server.setup import set_up_privately

    set_up_privately()
    from django.conf import settings

    from sarsen.games import isolate_plugins
    from sarsen.server.processes import end_with_supervisor
    from sarsen.server.releases import require_own_tables
    from sarsen.server.setup import collect_rarely
    from sarsen.workers.queue import run_queue

    end_with_supervisor()
    require_own_tables()
    isolate_plugins(settings.DATA / "plugins.lock")  # one worker at a time asks them
    collect_rarely()
    run_queue()


@click.command("think")
def think_command() -> None:
    """Compute the bots' moves (one of the processes of `serve`)."""
    from sarsen.server.setup import set_up_privately

    set_up_privately()
    from sarsen.server.processes import end_with_supervisor
    from sarsen.server.releases import require_own_tables
    from sarsen.workers.thinking.thinker import run_thinker

    is_supervised = end_with_supervisor()
    require_own_tables()
    choose_cache_folder()
    run_thinker(may_end=is_supervised)


@click.command("migrate")
@with_data_option
def migrate_command() -> None:
    """Update the database; `serve` does it automatically."""
    from sarsen.server.processes import end_with_supervisor
    from sarsen.server.setup import set_up_privately

    set_up_privately()
    end_with_supervisor()
    _prepare()


def _rate_games() -> None:
    """Rate the games of a release that rated them otherwise, and tell how far it is."""
    from sarsen.services.ratings.counting import recompute

    told_at = time.monotonic()

    def tell(rated: int, of: int) -> None:
        nonlocal told_at
        if rated >= of or time.monotonic() - told_at > TELL_EVERY:
            told_at = time.monotonic()
            click.echo(f"sarsen: {rated} of {of} finished games are rated", err=True)

    recompute(tell)


def _make_programs() -> None:
    from django.conf import settings
    from django.utils import timezone

    from sarsen.services.bots.accounts import make_accounts

    if settings.SARSEN_BOTS:
        make_accounts(timezone.now())


def _make_signing_key() -> None:
    from sarsen.services.records.signatures import secret_key

    secret_key()


def _prepare() -> None:
    """Make the data folder, the tables and the programs' accounts; gather the static files."""
    from django.conf import settings
    from django.db import DatabaseError, OperationalError

    from sarsen.server.releases import (
        bring_up_to_date,
        half_migrated,
        is_new,
        require_no_newer_tables,
    )
    from sarsen.server.secret_key import check_length
    from sarsen.server.static_files import gather_static_files
    from sarsen.services import wake_pipes

    try:
        settings.DATA.mkdir(parents=True, exist_ok=True)
        require_no_newer_tables()
        is_first = is_new()
        check_length(settings.SECRET_KEY, is_new=is_first)
        if is_first:
            click.echo("sarsen: making the database", err=True)
        bring_up_to_date()
        _rate_games()
        gather_static_files()
        _make_programs()
        _make_signing_key()
        for pipe in (wake_pipes.WORKERS, wake_pipes.THINKER):
            with wake_pipes.listening(pipe):
                pass  # made, or refused here
    except DatabaseError as failed:
        if half := half_migrated(failed):
            raise half from None
        if not isinstance(failed, OperationalError):
            raise
        raise UserError(
            f"The database cannot be used: {str(failed).strip()}",
            code="database-away",
            hint="Start it, or check DATABASE_URL; without this setting, a file in the data "
            "folder is used.",
        ) from None
    except OSError as refused:
        raise UserError(
            f"The data folder {settings.DATA} cannot be used: {refused.strerror}.",
            code="data-folder",
            hint="sarsen serve --data FOLDER, with a folder that this user can write to",
        ) from None


# What two of the processes use, or takes one of them long to load.
_SHARED = (
    "sarsen.doors.mail.receive.listener",
    "sarsen.doors.mail.jobs",
    "sarsen.workers.queue",
    "sarsen.server.web",
    "sarsen.server.urls",
)


def _typed(context: click.Context) -> dict[str, str]:
    """Return the options that were typed, with their values; "" for a flag."""
    typed = {}
    for option in context.command.params:
        value = context.params.get(option.name or "")
        if context.get_parameter_source(option.name or "") is not ParameterSource.COMMANDLINE:
            continue
        if isinstance(value, bool):
            typed[(option.opts if value else option.secondary_opts)[0]] = ""
        else:
            typed[option.opts[0]] = spelled(*value) if isinstance(value, tuple) else str(value)
    return typed


def _load_shared() -> None:
    """Load the code that processes share, before they are forked."""
    for name in _SHARED:
        # One that cannot be loaded is reported by the process that needs it.
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def choose_cache_folder() -> None:
    """Keep compiled code where this user may write."""
    folder = cache_folder(Path(sarsen.search.__file__).parent, settings.DATA)
    if folder is not None:
        os.environ.setdefault("NUMBA_CACHE_DIR", str(folder))


def cache_folder(package: Path, data: Path) -> Path | None:
    """Return where compiled code is kept; None for beside the package, where that may be written.

    Otherwise Numba would choose a folder in the user's home, if there is one.
    """
    return None if os.access(package, os.W_OK) else data / "numba"
