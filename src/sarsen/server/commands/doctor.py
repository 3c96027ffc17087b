"""The command that looks at a server and says what is to be mended."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict

import click

from sarsen.server.commands.data_option import with_data_option
from sarsen.server.doctor.configuration import DoctorFinding, State

_MARKS = {State.GOOD: ("ok", "green"), State.ODD: ("?", "yellow"), State.BAD: ("!!", "red")}
# That a mail to ourselves may be on its way: other servers may put it off a little.
TIMEOUT_SECONDS = 60


@click.command("doctor")
@click.option(
    "--mail",
    "has_loop",
    is_flag=True,
    help="Send a test mail to the server itself, and wait for it.",
)
@click.option(
    "--wait",
    type=click.IntRange(1, 3600),
    default=TIMEOUT_SECONDS,
    show_default=True,
    help="Seconds to wait for the test mail.",
)
@with_data_option
@click.option("--no-names", "is_nameless", is_flag=True, help="Skip the DNS records.")
@click.option("--strict", "is_strict", is_flag=True, help="Exit with 1 on warnings, too: for cron.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per finding.")
def doctor_command(
    has_loop: bool, wait: int, is_nameless: bool, is_strict: bool, as_json: bool
) -> None:
    """Check settings, database, disk, workers, clock and DNS, and report what to fix.

    Run it as the server's user, with the server's environment variables, while the server runs. It
    changes nothing. The exit status is 1 if there is an error (`!!`); with --strict, also if there
    is a warning (`?`).
    """
    from sarsen.server.setup import set_up_to_look

    set_up_to_look()
    all_findings = []
    for title, looks in _looks(is_nameless=is_nameless, wait=wait if has_loop else 0):
        findings = list(looks)
        all_findings += findings
        _print(title, findings, as_json=as_json)
    failing = {State.BAD, State.ODD} if is_strict else {State.BAD}
    sys.exit(1 if any(finding.state in failing for finding in all_findings) else 0)


def _looks(*, is_nameless: bool, wait: int) -> Iterator[tuple[str, Iterable[DoctorFinding]]]:
    from sarsen.server.doctor.configuration import look_at_configuration
    from sarsen.server.doctor.machine import look_at_memory, look_at_store

    yield "Settings", look_at_configuration()
    yield "Memory", look_at_memory()
    findings = list(look_at_store())
    yield "Database and disk", findings
    if not any(finding.code == "database" for finding in findings):
        return  # whatever follows would ask it
    yield from _work()
    if not is_nameless:
        yield "Names", _names()
    if wait:
        yield "Mail", _loop(wait)


def _work() -> Iterator[tuple[str, Iterable[DoctorFinding]]]:
    from django.utils import timezone

    from sarsen.server.doctor.machine import (
        look_at_clock,
        look_at_contests,
        look_at_measurements,
        look_at_work,
    )
    from sarsen.services.admin.monitoring import measure
    from sarsen.services.admin.overview import overview
    from sarsen.services.contests.course.running import late_ones
    from sarsen.services.ratings.measurements import measurements

    now = timezone.now()
    work = overview(now)
    yield "Work", look_at_work(measure(now), work)
    yield "Programs", look_at_measurements(measurements())
    yield "Contests", look_at_contests(late_ones(now))
    yield "Clock", look_at_clock(now, work.clocks_seen)


def _names() -> Iterable[DoctorFinding]:
    from urllib.parse import urlsplit

    from django.conf import settings
    from django.utils import timezone

    from sarsen.doors.mail.parse.senders import date_of_suffixes
    from sarsen.doors.mail.send.dkim_signing import dns_record
    from sarsen.server.doctor.mail import ask, expected_records, look_at_names, look_at_suffixes

    suffixes = look_at_suffixes(date_of_suffixes(), timezone.now().date())
    if settings.SARSEN_DOMAIN.endswith("localhost"):
        return (suffixes,)  # nobody asks for such a name
    host = urlsplit(settings.SARSEN_URL).hostname or settings.SARSEN_DOMAIN
    key, domain = settings.SARSEN_DKIM_KEY, settings.SARSEN_DOMAIN
    signed = dns_record(key, settings.SARSEN_DKIM_SELECTOR, domain) if key else None
    return (suffixes, *look_at_names(expected_records(domain, host, signed), ask))


def _loop(wait: int) -> Iterable[DoctorFinding]:
    from django.conf import settings

    from sarsen.doors.mail.send.sending import send_by_itself
    from sarsen.server.doctor.configuration import warning
    from sarsen.server.doctor.mail import look_at_loop

    if not settings.SARSEN_SMTP_URL:
        return (warning("loop-none", "The mail test needs a mail relay."),)
    return (look_at_loop(send_by_itself, wait),)


def _print(title: str, findings: list[DoctorFinding], *, as_json: bool) -> None:
    if as_json:
        for finding in findings:
            click.echo(json.dumps({"area": title, **asdict(finding)}, ensure_ascii=False))
        return
    if not findings:
        return
    click.secho(title, bold=True)
    for finding in findings:
        mark, colour = _MARKS[finding.state]
        click.echo(f"  {click.style(f'{mark:>2}', fg=colour)}  {finding.text} [{finding.code}]")
        if finding.hint:
            click.echo(f"      {finding.hint}")
