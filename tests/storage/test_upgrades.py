"""A database of every release comes to today's tables whole, and everybody plays on.

What was played on them stands in `release_database`, which writes a further one:
`make release-database` before a release.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.core.management import call_command
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils import timezone

from databases import copy_migrated_file, fresh_database, migrated_database
from sarsen.games import load
from sarsen.language.commands import PlayMove
from sarsen.server.command import main
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.ratings.counting import recompute
from sarsen.services.request import Actor
from sarsen.storage.models import (
    ChatLine,
    Match,
    Note,
    OutgoingMail,
    Player,
    Rating,
    RatingStep,
    Result,
)

RELEASES = sorted(Path(__file__).parent.glob("data/*.sql"))


# Older ones take many steps; `make test-long` and `make faults` take them all.
TAKEN = [
    pytest.param(path, id=path.stem, marks=() if path == RELEASES[-1] else pytest.mark.slow)
    for path in RELEASES
]


# Tables whose rows stay under another name.
RENAMED = {
    "storage_deed": "storage_auditentry",
    "storage_reviewwish": "storage_reviewrequest",
    "storage_strangerhelped": "storage_helpreplysent",
}


@pytest.fixture(params=TAKEN)
def release(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    django_db_setup: None,
    django_db_blocker: pytest.FixtureRequest,
) -> Iterator[str]:
    """Make the database of a release the one that is used."""
    text = request.param.read_text(encoding="utf-8")
    blocker: Any = django_db_blocker
    with blocker.unblock():
        usual, new = connection.settings_dict["NAME"], _tables_of_an_empty_database(tmp_path)
        try:
            if connection.vendor == "sqlite":
                connection.settings_dict["NAME"] = str(tmp_path / "old.sqlite3")
                with closing(sqlite3.connect(tmp_path / "old.sqlite3")) as old:
                    old.executescript(text)
            else:
                connection.settings_dict["NAME"] = _fresh_database()
                _copy_rows(text)
            yield request.param.stem
            assert _tables() == new  # whichever migrations were taken
        finally:
            connection.close()
            connection.settings_dict["NAME"] = usual


def test_a_database_of_every_release_is_sound_after_the_upgrade_and_is_played_on(
    release: str,
) -> None:
    before = _counts()
    if release != "0.1.0":  # what was not sent of closed periods is of no use any more
        before["storage_outgoingmail"] -= _letters_of_periods()
    call_command("migrate", interactive=False, verbosity=0)
    # Ratings are computed anew from the results; the steps of the periods stay.
    before.pop("storage_rating", None)
    expected = {RENAMED.get(name, name): rows for name, rows in before.items()}
    assert {name: rows for name, rows in _counts().items() if name in expected} == expected
    found = CliRunner().invoke(main, ["verify"], catch_exceptions=False)
    assert (found.exit_code, "nothing differs" in found.output) == (0, True), found.output

    recompute(lambda rated, of: None)
    rated = Result.objects.filter(is_rated=True)
    assert rated.exists()
    assert not rated.filter(rating=None).exists()
    assert Rating.objects.filter(player__key="ann").exists()
    found = CliRunner().invoke(main, ["verify"], catch_exceptions=False)
    assert found.exit_code == 0, found.output

    running = Match.objects.filter(ended_at=None).order_by("pk")
    assert len(running) >= 3
    for match in running:
        _play(match)
    assert not OutgoingMail.objects.exclude(state="sent").filter(player=None).exclude(event="")
    pages = Client()
    for board in Match.objects.exclude(terms__private=True).values_list("pk", flat=True):
        for path in (f"/boards/{board}/", f"/boards/{board}/text/", f"/boards/{board}/board.svg"):
            assert pages.get(path).status_code in (200, 404 if path.endswith("svg") else 200), path
    for path in ("/", "/players/ann/", "/games/druid/standings/", "/games/druid/ratings/"):
        assert pages.get(path).status_code == 200, path
    assert pages.get("/boards/4/").status_code == 404  # a private one, still
    assert Player.objects.get(key="ann").check_password("secret-ann")
    if release != "0.1.0":
        assert ChatLine.objects.get().text == "A fine opening, Bob."
        assert Note.objects.get().text == "Renop looms."
        assert RatingStep.objects.filter(player__key="ann").exists()
        assert Player.objects.get(key="ann").timezone == "Europe/Berlin"
    found = CliRunner().invoke(main, ["verify"], catch_exceptions=False)
    assert found.exit_code == 0, found.output


def test_there_is_a_database_of_every_release_that_changed_the_tables() -> None:
    assert [path.stem for path in RELEASES][:3] == ["0.1.0", "0.2.0", "0.3.0"]
    for path in RELEASES:
        text = path.read_text(encoding="utf-8")
        assert len(text) < 300_000
        assert "play.example" in text  # and no name of the machine it was made on
        assert not any(word in text for word in ("/tmp", "/root", "/home", os.uname().nodename))


def _play(match: Match) -> None:
    """Play the first legal move at a board, unless it waits for a program."""
    position = matches.position_of(match)
    mover = match.seats.select_related("player").get(seat=match.seat_to_move).player
    if mover.is_bot:
        return
    text = position.format(position.legal_moves()[0])
    perform(PlayMove(match.game, match.pk, text), Actor(mover), "", timezone.now())
    after = Match.objects.get(pk=match.pk)
    assert after.ply >= match.ply + 1
    expected = position.play(position.parse(text))
    if after.ply == match.ply + 1:  # no plan has answered
        assert load(match.game).read(after.position).write() == expected.write()


def _letters_of_periods() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM storage_outgoingmail WHERE kind = 'rating' AND state = 'waiting'"
        )
        return int(cursor.fetchone()[0])


def _counts() -> dict[str, int]:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        found = {}
        for name in tables:
            if name.startswith("storage_"):
                cursor.execute(f'SELECT count(*) FROM "{name}"')
                found[name] = cursor.fetchone()[0]
    return found


def _fresh_database() -> str:
    name = f"upgrade_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
    connection.close()
    return name


def _copy_rows(text: str) -> None:
    """Make the tables of a release in an empty database, and put the rows of its file there."""
    with closing(sqlite3.connect(":memory:")) as old:
        old.executescript(text)
        old.row_factory = sqlite3.Row
        applied = "SELECT name FROM django_migrations WHERE app = 'storage' ORDER BY name DESC"
        state = ("storage", old.execute(applied).fetchone()[0])
        step_by_step().migrate([state])
        apps = step_by_step().loader.project_state([state]).apps
        with transaction.atomic():  # which checks what belongs to what at its end
            for model in apps.get_app_config("storage").get_models():
                rows = old.execute(f'SELECT * FROM "{model._meta.db_table}"').fetchall()
                model._base_manager.bulk_create(_row(model, row) for row in rows)
        with connection.cursor() as cursor:
            for model in apps.get_app_config("storage").get_models():
                for line in connection.ops.sequence_reset_sql(_no_style(), [model]):
                    cursor.execute(line)


def step_by_step() -> MigrationExecutor:
    """Return what migrates by the migrations of each release, not by one that joins them."""
    executor = MigrationExecutor(connection)
    loader, load_all = executor.loader, executor.loader.load_disk

    def load_steps() -> None:
        load_all()
        steps = {key: one for key, one in loader.disk_migrations.items() if not one.replaces}
        loader.disk_migrations = steps

    loader.load_disk = load_steps
    loader.build_graph()
    return executor


def _tables_of_an_empty_database(folder: Path) -> dict[str, Any]:
    """Return the tables that a first start makes; the connection is closed afterwards."""
    connection.close()
    if connection.vendor == "sqlite":
        name = str(folder / "empty.sqlite3")
        copy_migrated_file(Path(name))
    else:
        url = os.environ["DATABASE_URL"]
        name = fresh_database(url, "empty", like=migrated_database(url)).rpartition("/")[2]
    connection.settings_dict["NAME"] = name
    found = _tables()
    connection.close()
    return found


def _tables() -> dict[str, Any]:
    """Return the columns, indexes and constraints of our tables, in no order."""
    found: dict[str, Any] = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if not table.startswith("storage_"):
                continue
            columns = connection.introspection.get_table_description(cursor, table)
            constraints = connection.introspection.get_constraints(cursor, table)
            found[table] = (
                sorted((column.name, repr(column[1:-2]), column.null_ok) for column in columns),
                sorted(repr(sorted(one.items(), key=repr)) for one in constraints.values()),
            )
    return found


def _no_style() -> Any:
    from django.core.management.color import no_style

    return no_style()


def _row(model: Any, row: sqlite3.Row) -> Any:
    fields = model._meta.concrete_fields
    return model(**{one.attname: _value(one, row[one.column]) for one in fields})


def _value(field: Any, stored: Any) -> Any:
    """Return what SQLite stores as the field's own kind of value."""
    if stored is None:
        return None
    if isinstance(field, models.DateTimeField):
        return datetime.fromisoformat(stored).replace(tzinfo=UTC)
    if isinstance(field, models.DateField):
        return datetime.fromisoformat(stored).date()
    if isinstance(field, models.JSONField):
        return json.loads(stored)
    if isinstance(field, models.BooleanField):
        return bool(stored)
    return stored
