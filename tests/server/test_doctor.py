from __future__ import annotations

import json
import smtplib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from sarsen.doors.mail.parse.senders import date_of_suffixes
from sarsen.server import settings as own_settings
from sarsen.server.command import main
from sarsen.server.doctor import machine
from sarsen.server.doctor.configuration import DoctorFinding, State, look_at_configuration
from sarsen.server.doctor.machine import (
    look_at_clock,
    look_at_measurements,
    look_at_memory,
    look_at_store,
    look_at_work,
)
from sarsen.server.doctor.mail import (
    MAX_SUFFIX_AGE,
    NotAnswered,
    expected_records,
    look_at_loop,
    look_at_names,
    look_at_suffixes,
)
from sarsen.services.admin.monitoring import measure
from sarsen.services.admin.overview import overview
from sarsen.services.clocks.turns import CLOCKS
from sarsen.services.mail import incoming, outgoing
from sarsen.services.mail.incoming import Delivery
from sarsen.services.ratings import measurements
from sarsen.storage.models import Heartbeat, InboundMail

DOMAIN, HOST = "play.example.org", "www.example.org"
DKIM = ("2026._domainkey.play.example.org", "v=DKIM1; k=rsa; p=MIIB")
ZONE = {
    (DOMAIN, "MX"): ["10 www.example.org."],
    (DOMAIN, "TXT"): ["some-proof=1", "v=spf1 mx -all"],
    ("_dmarc.play.example.org", "TXT"): ["v=DMARC1; p=none"],
    (DKIM[0], "TXT"): [DKIM[1]],
}


def codes(findings: Any, state: State) -> list[str]:
    return [one.code for one in findings if one.state is state]


def resolver(zone: dict[tuple[str, str], list[str]]) -> Callable[[str, str], list[str]]:
    return lambda name, kind: zone.get((name, kind), [])


def names_in(zone: dict[tuple[str, str], list[str]]) -> list[DoctorFinding]:
    return list(look_at_names(expected_records(DOMAIN, HOST, DKIM), resolver(zone)))


def test_the_list_of_public_suffixes_grows_old() -> None:
    listed = date_of_suffixes()
    assert listed.year >= 2026
    assert look_at_suffixes(listed, listed + MAX_SUFFIX_AGE).state is State.GOOD
    old = look_at_suffixes(listed, listed + MAX_SUFFIX_AGE + timedelta(days=1))
    assert (old.state, old.code) == (State.ODD, "suffixes-old")


def test_a_domain_with_all_its_records_is_good() -> None:
    assert [one.state for one in names_in(ZONE)] == [State.GOOD] * 4


@pytest.mark.parametrize(
    ("missing", "code"),
    [
        ((DOMAIN, "MX"), "mx-missing"),
        ((DOMAIN, "TXT"), "spf-missing"),
        (("_dmarc.play.example.org", "TXT"), "dmarc-missing"),
        ((DKIM[0], "TXT"), "dkim-missing"),
    ],
)
def test_a_missing_record_is_told_with_the_line_to_add(missing: Any, code: str) -> None:
    found = names_in({key: values for key, values in ZONE.items() if key != missing})
    (finding,) = [one for one in found if one.state is not State.GOOD]
    assert finding.code == code
    assert finding.hint.startswith(f"{missing[0]}. {missing[1]} ")


def test_a_key_that_is_not_ours_and_two_policies_do_not_count() -> None:
    found = names_in(
        ZONE | {(DKIM[0], "TXT"): ["v=DKIM1; p=other"], (DOMAIN, "TXT"): ["v=spf1 a", "v=spf1 mx"]}
    )
    assert codes(found, State.ODD) == ["spf-many", "dkim-missing"]


def test_a_resolver_out_of_reach_says_nothing_of_the_names() -> None:
    def silent(name: str, kind: str) -> list[str]:
        raise NotAnswered

    found = list(look_at_names(expected_records(DOMAIN, HOST, None), silent))
    assert codes(found, State.ODD) == ["mx-unknown", "spf-unknown", "dmarc-unknown"]


def test_settings_that_reach_nobody_and_keys_that_others_read_or_guess_are_told(
    settings: Any, tmp_path: Path
) -> None:
    settings.DATA = tmp_path
    settings.SARSEN_URL = "http://play.example.org"
    settings.SARSEN_SMTP_URL = "smtp://ann:secret-word@relay.example.org:587"
    settings.ALLOWED_HOSTS = ["*"]
    settings.SECRET_KEY = "guessable"
    (tmp_path / "secret.key").write_text("key")
    (tmp_path / "secret.key").chmod(0o644)
    found = list(look_at_configuration())
    assert codes(found, State.BAD) == ["url-open", "key-short", "key-open"]
    assert codes(found, State.ODD) == ["hosts-all"]
    assert not any("secret-word" in f"{one.text} {one.hint}" for one in found)


@pytest.mark.django_db
def test_a_database_that_may_lose_a_commit_is_bad(settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    # The tests trust the disk: that is just what is to be found.
    is_durable = connection.vendor == "postgresql" and _shown("fsync") == "on"
    found = list(look_at_store())
    assert ("not-durable" in codes(found, State.BAD)) is not is_durable
    assert "database" in codes(found, State.GOOD)


@pytest.mark.skipif("sqlite" not in connection.vendor, reason="PostgreSQL has settings of its own")
def test_settings_of_a_server_keep_a_commit_before_anybody_is_told_so(tmp_path: Path) -> None:
    # Not the connection of these tests, which trusts the disk.
    said = own_settings.DATABASES["default"]["OPTIONS"]["init_command"]
    with closing(sqlite3.connect(tmp_path / "new.sqlite3")) as fresh:
        fresh.executescript(said)
        (mode,) = fresh.execute("PRAGMA journal_mode").fetchone()
        (synchronous,) = fresh.execute("PRAGMA synchronous").fetchone()
    assert (mode, synchronous) == (machine.DURABLE[0], machine.FULL)


def _shown(name: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s)", [name])
        return str(cursor.fetchone()[0])


@pytest.mark.django_db
def test_a_disk_with_little_room_is_told_before_it_is_full(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA = tmp_path
    for free, code, state in ((5, "disk-little", State.ODD), (1, "disk-full", State.BAD)):
        disk = type("Disk", (), {"free": free, "total": 100})
        monkeypatch.setattr(machine.shutil, "disk_usage", lambda path, disk=disk: disk)
        assert code in codes(look_at_store(), state)


@pytest.mark.django_db
def test_work_that_lies_and_a_clock_that_stepped_back_are_bad() -> None:
    now = timezone.now()
    Heartbeat.objects.create(name=CLOCKS, at=now + timedelta(hours=1))
    assert codes(look_at_clock(now, overview(now).clocks_seen), State.BAD) == ["clock-behind"]
    assert not codes(look_at_work(measure(now), overview(now)), State.BAD)
    Heartbeat.objects.update(at=now - timedelta(hours=1))
    outgoing.queue(outgoing.NewLetter("ann@example.org", "answer", {}), now - timedelta(hours=1))
    found = codes(look_at_work(measure(now), overview(now)), State.BAD)
    assert found == ["late-clocks", "late-mail-out"]
    assert not codes(look_at_clock(now, overview(now).clocks_seen), State.BAD)


@pytest.mark.django_db
def test_mails_that_were_set_aside_are_told() -> None:
    now = timezone.now()
    incoming.store([Delivery("ann@example.org", "sarsen@sarsen.localhost", b"help")], now)
    assert "mails-set-aside" not in codes(look_at_work(measure(now), overview(now)), State.ODD)
    InboundMail.objects.update(state=InboundMail.State.FAILED)
    assert "mails-set-aside" in codes(look_at_work(measure(now), overview(now)), State.ODD)


@pytest.mark.django_db
def test_a_mail_to_ourselves_is_found_when_it_came_in_and_missed_when_not() -> None:
    def bring_back(address: str, raw: bytes) -> None:
        # A mail server writes its own lines above.
        incoming.store(
            [Delivery("", address, b"Received: from relay\r\n" + raw, "postmaster")],
            timezone.now(),
        )

    def refuse(address: str, raw: bytes) -> None:
        raise smtplib.SMTPRecipientsRefused({address: (554, b"5.7.1 Relay access denied")})

    assert look_at_loop(bring_back, 5).code == "loop"
    assert look_at_loop(lambda address, raw: None, 0).code == "loop-in"
    told = look_at_loop(refuse, 5)
    assert told.code == "loop-out"
    assert "554 5.7.1 Relay access denied" in told.text


def test_a_doctor_without_a_server_says_where_to_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    told = CliRunner().invoke(main, ["doctor", "--json", "--help"])
    assert told.exit_code == 0
    assert "--mail" in told.output
    assert json.loads(json.dumps({"state": State.BAD}))["state"] == "bad"


@pytest.mark.parametrize(
    ("kilobytes", "group", "bots", "code"),
    [
        (2_000_000, "max\n", True, "memory"),
        (480_000, "max\n", True, "memory-small"),
        (2_000_000, "512000000\n", True, "memory"),
        (2_000_000, "400000000\n", True, "memory-small"),
        (480_000, "max\n", False, "memory"),
    ],
)
def test_host_with_little_memory_is_told_to_do_without_programs(
    tmp_path: Path, settings: Settings, kilobytes: int, group: str, bots: bool, code: str
) -> None:
    settings.SARSEN_BOTS = bots
    (tmp_path / "meminfo").write_text(f"MemTotal:  {kilobytes} kB\nMemFree: 3 kB\n")
    (tmp_path / "group").write_text(group)
    (found,) = look_at_memory(tmp_path / "meminfo", tmp_path / "group")
    assert found.code == code
    assert ("SARSEN_BOTS=off" in found.hint) == (code == "memory-small")


@pytest.mark.django_db
def test_measurement_is_told_while_it_goes_on_and_when_it_was_given_up() -> None:
    measurements.begin("vasco", "1-1.0", played=120, games=400)
    (running,) = look_at_measurements(measurements.measurements())
    assert running.state is State.GOOD
    assert "vasco: 120 of 400 games" in running.text
    measurements.give_up("vasco")
    (given_up,) = look_at_measurements(measurements.measurements())
    assert (given_up.code, given_up.state) == ("not-measured", State.ODD)
    measurements.begin("gone", "1-1.0", played=0, games=400)  # its package is not installed
    measurements.finish("vasco", (1000.0, 1200.0))
    assert not list(look_at_measurements(measurements.measurements()))
