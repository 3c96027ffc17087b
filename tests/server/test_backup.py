"""A backup holds one moment whole, says when it is damaged, and comes back as it was."""

from __future__ import annotations

import gzip
import os
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tarfile
import threading
import zlib
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.conf import settings
from django.db import connection, connections
from django.utils import timezone
from pytest_django import Settings

from forking import await_other_threads
from sarsen.core.errors import UserError
from sarsen.language.commands import PlayMove
from sarsen.server.command import main
from sarsen.server.doctor.machine import look_at_store
from sarsen.services.admin import archives, backups, restoring
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import (
    Player,
)
from web_world import World

A_WEEK = timedelta(days=7)


def sarsen(*words: str, data: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command as an operator would, at the database of these tests or a copy of it."""
    kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    kept.pop("DJANGO_SETTINGS_MODULE", None)
    kept |= {"SARSEN_DATA": str(data), "SARSEN_LOG_LEVEL": "WARNING", **more}
    words = (sys.executable, "-m", "sarsen", *words)
    return subprocess.run(words, env=kept, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def database_url() -> dict[str, str]:
    """Name the database of these tests to another process; a file is named by its folder."""
    if connection.vendor == "sqlite":
        return {"DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}"}
    name = connection.settings_dict["NAME"]
    return {"DATABASE_URL": f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"}


def fresh_url(path: Path) -> dict[str, str]:
    """Name an empty database."""
    if connection.vendor == "sqlite":
        return {"DATABASE_URL": ""}
    name = f"restored_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE template1')
    return {"DATABASE_URL": f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"}


class Players:
    """Play at boards, a move after the other, until told to stop; note what was acknowledged."""

    def __init__(self, boards: list[int]) -> None:
        self.acknowledged: dict[int, int] = dict.fromkeys(boards, 0)
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._play, args=(one,)) for one in boards]

    def __enter__(self) -> Players:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _play(self, board: int) -> None:
        try:
            actors = [Actor(Player.objects.get(key=key)) for key in ("ann", "bob")]
            cells = [f"{column}{row}" for row in range(1, 13) for column in "abcdefghijkl"]
            for ply, cell in enumerate(cells):
                if self._stopped.is_set():
                    return
                command = PlayMove("druid", board, cell)
                perform(command, actors[ply % 2], "", timezone.now())
                self.acknowledged[board] = ply + 1
        finally:
            connections.close_all()


def test_restore_looks_at_a_backup_before_django_has_settings(tmp_path: Path) -> None:
    (tmp_path / "b.tar.gz").write_bytes(b"no backup")
    refused = sarsen("restore", str(tmp_path / "b.tar.gz"), data=tmp_path / "again")
    assert "Traceback" not in refused.stderr
    assert "backup" in refused.stderr


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_backup_under_load_is_whole_and_has_every_move_acknowledged_before_it(
    tmp_path: Path,
) -> None:
    world = World()
    boards = [world.board(options="-size=12") for _ in range(2)]
    with Players(boards) as players:
        while min(players.acknowledged.values()) < 3:
            threading.Event().wait(0.01)
        before = dict(players.acknowledged)
        made = backups.back_up(tmp_path / "b.tar.gz", datetime.now(UTC), has_keys=False)
        # What waits for its turn while the copy is made is played, too.
        while min(players.acknowledged.values()) < max(before.values()) + 2:
            threading.Event().wait(0.01)
    target = tmp_path / "again"
    url = fresh_url(target)
    restored = sarsen("restore", str(made.path), data=target, **url)
    assert restored.returncode == 0, restored.stderr
    assert "Outgoing mails held" in restored.stdout
    verified = sarsen("verify", data=target, **url)
    assert (verified.returncode, "nothing differs" in verified.stdout) == (0, True), verified
    assert not (target / "secret.key").exists()  # neither command makes one
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(target / "sarsen.sqlite3")) as copy:
            plies = dict(copy.execute("SELECT id, ply FROM storage_match").fetchall())
            waiting = "SELECT count(*) FROM storage_outgoingmail WHERE state = 'waiting'"
            assert copy.execute(waiting).fetchone() == (0,)
        assert all(plies[board] >= before[board] for board in boards)
        assert any(plies[board] < players.acknowledged[board] for board in boards)
    again = sarsen("restore", str(made.path), data=target, **url)
    assert again.returncode == 2
    assert "is not empty" in again.stderr
    assert len(again.stderr.splitlines()) == 2


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return a backup of a small file of SQLite, as `sarsen backup` writes them."""
    folder = tmp_path / "draft"
    folder.mkdir()
    with closing(sqlite3.connect(folder / archives.SQLITE_FILE)) as database:
        database.execute("CREATE TABLE storage_match (id)")
        database.commit()
    (folder / "secret.key").write_text("hush")
    files = {name: archives.digest(folder / name) for name in (archives.SQLITE_FILE, "secret.key")}
    now = datetime(2026, 11, 21, 20, tzinfo=UTC)
    applied = ("storage.0001_initial",)
    manifest = archives.Manifest("0.3.0", now, "sqlite", applied, {"storage_match": 0}, files)
    archives.write_archive(tmp_path / "b.tar.gz", manifest, folder)
    return tmp_path / "b.tar.gz"


def test_a_backup_is_read_as_it_was_written(archive: Path, tmp_path: Path) -> None:
    manifest = archives.read_manifest(archive)
    archives.unpack(archive, manifest, tmp_path)
    assert (tmp_path / "secret.key").read_text() == "hush"
    assert manifest.as_json() == archives.Manifest.read(manifest.as_json()).as_json()


def _unpacked(packed: bytes) -> bytes | None:
    try:
        return gzip.decompress(packed)
    except (OSError, EOFError, zlib.error):
        return None


def test_a_damaged_backup_is_refused_wherever_it_is_damaged(archive: Path, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    spoilt = tmp_path / "spoilt.tar.gz"
    # Of the later places, some break the compression itself, and others what it holds.
    for place in (0, 1, 40, len(whole) - 5, *range(len(whole) // 2, len(whole) * 4 // 5)):
        changed = bytearray(whole)
        changed[place] ^= 0x55
        spoilt.write_bytes(changed)
        if _unpacked(changed) == _unpacked(whole):
            continue  # written in another way, as a repeated zero may be
        with pytest.raises(UserError) as refused:
            archives.check_archive(spoilt, archives.read_manifest(spoilt))
        assert refused.value.code == "backup-damaged"
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        spoilt.write_bytes(whole[:length])
        with pytest.raises(UserError):
            archives.check_archive(spoilt, archives.read_manifest(spoilt))


def test_a_file_that_is_another_than_the_manifest_says_is_refused(
    archive: Path, tmp_path: Path
) -> None:
    """A sound archive that somebody put together from two."""
    manifest = archives.read_manifest(archive)
    folder = tmp_path / "draft"
    (folder / "secret.key").write_text("hash")
    archives.write_archive(archive, manifest, folder)
    with pytest.raises(UserError, match=r"its file secret\.key is damaged"):
        archives.check_archive(archive, manifest)


def test_a_member_with_a_path_of_its_own_lands_nowhere(archive: Path, tmp_path: Path) -> None:
    manifest = archives.read_manifest(archive)
    wicked = tmp_path / "wicked.tar.gz"
    with tarfile.open(archive) as old, tarfile.open(wicked, "w:gz") as new:
        for member in old:
            new.addfile(member, old.extractfile(member))
        member = tarfile.TarInfo("../out")
        member.size = 3
        new.addfile(member, BytesIO(b"out"))
    target = tmp_path / "target"
    target.mkdir()
    archives.unpack(wicked, manifest, target)
    assert sorted(path.name for path in target.iterdir()) == [archives.SQLITE_FILE, "secret.key"]
    assert not (tmp_path / "out").exists()


def test_a_backup_of_a_later_release_is_refused_in_two_lines(archive: Path, tmp_path: Path) -> None:
    manifest = archives.read_manifest(archive)
    later = archives.Manifest(
        **(vars(manifest) | {"version": "9.9.9", "migrations": ("storage.0999_moon",)})
    )
    archives.write_archive(archive, later, tmp_path / "draft")
    said = CliRunner().invoke(main, ["restore", str(archive), "--data", str(tmp_path / "new")])
    assert (said.exit_code, len(said.stderr.splitlines())) == (2, 2)
    assert "9.9.9" in said.stderr
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_not_empty_is_left_alone(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_text("mine")
    database = tmp_path / "sarsen.sqlite3"
    with pytest.raises(UserError, match="is not empty"):
        restoring.check_target(database, tmp_path, force=False)
    restoring.check_target(database, tmp_path, force=True)


def test_a_database_that_a_server_uses_is_never_replaced(tmp_path: Path) -> None:
    database = tmp_path / "sarsen.sqlite3"
    with closing(sqlite3.connect(database)) as server:
        server.execute("PRAGMA journal_mode=WAL")
        server.execute("CREATE TABLE boards (id)")
        server.commit()
        with pytest.raises(UserError) as refused:
            restoring.check_target(database, tmp_path, force=True)
        assert refused.value.code == "target-in-use"
    restoring.check_target(database, tmp_path, force=True)


def test_what_was_there_before_is_set_aside_whole(archive: Path, tmp_path: Path) -> None:
    draft, data = tmp_path / "d", tmp_path / "data"
    draft.mkdir()
    data.mkdir()
    manifest = archives.read_manifest(archive)
    archives.unpack(archive, manifest, draft)
    database = data / "sarsen.sqlite3"
    for name in ("sarsen.sqlite3", "sarsen.sqlite3-wal", "secret.key", "numba.txt"):
        (data / name).write_text(f"old {name}")
    now = datetime(2026, 11, 21, 20, tzinfo=UTC)
    aside = restoring.take_place(draft, (draft / manifest.database_file, database), data, now)
    kept = {path.name: path.read_text() for path in aside.iterdir()}
    old = ("sarsen.sqlite3", "sarsen.sqlite3-wal", "secret.key")
    assert kept == {name: f"old {name}" for name in old}
    assert (data / "secret.key").read_text() == "hush"
    assert stat.S_IMODE(database.stat().st_mode) == 0o600
    assert not (data / "sarsen.sqlite3-wal").exists()  # a log of another database


@pytest.mark.django_db(transaction=True)
def test_a_backup_has_keys_only_when_asked_and_only_the_newest_stay(tmp_path: Path) -> None:
    shutil.copyfile(__file__, settings.DATA / "signing.key")
    os.umask(0o077)
    now = datetime(2026, 11, 21, 20, tzinfo=UTC)
    (tmp_path / "sarsen-notes.tar.gz").write_text("not ours to remove")
    (tmp_path / "sarsen-20200101T000000Z.tar.gz").write_text("old")
    plain = backups.back_up(tmp_path, now, has_keys=False, keep=2)
    assert set(plain.manifest.files) == {plain.manifest.database_file}
    keyed = backups.back_up(tmp_path, now + A_WEEK, has_keys=True, keep=2)
    assert set(keyed.manifest.files) == {keyed.manifest.database_file, "signing.key"}
    assert keyed.lacks == ("secret.key",)  # it stands in the environment
    (settings.DATA / "signing.key").unlink()
    assert [path.name for path in keyed.removed] == ["sarsen-20200101T000000Z.tar.gz"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "sarsen-20261121T200000Z.tar.gz",
        "sarsen-20261128T200000Z.tar.gz",
        "sarsen-notes.tar.gz",
    ]
    assert stat.S_IMODE(keyed.path.stat().st_mode) == 0o600


@pytest.mark.django_db(transaction=True)
def test_a_full_disk_leaves_the_last_backup_and_no_half_of_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "b.tar.gz").write_text("yesterday's")
    # The copy is cut off at once, or later, or fits, and then the archive does not.
    key = settings.DATA / "signing.key"
    key.write_bytes(os.urandom(4_000_000))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        for room in (1_000, 100_000, 4_001_000):
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
            with pytest.raises(UserError) as refused:
                backups.back_up(tmp_path / "b.tar.gz", datetime.now(UTC), has_keys=True)
            assert refused.value.code in ("backup-not-written", "pg-dump-failed")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        key.unlink()
    assert [path.name for path in tmp_path.iterdir()] == ["b.tar.gz"]
    assert (tmp_path / "b.tar.gz").read_bytes() == b"yesterday's"


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_is_not_what_was_written_gets_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = archives.write_archive

    def write_on_a_bad_disk(target: Path, manifest: archives.Manifest, folder: Path) -> None:
        write(target, manifest, folder)
        with target.open("r+b") as file:
            file.seek(target.stat().st_size // 2)
            file.write(b"\0" * 64)

    monkeypatch.setattr(archives, "write_archive", write_on_a_bad_disk)
    with pytest.raises(UserError) as refused:
        backups.back_up(tmp_path / "b.tar.gz", datetime.now(UTC), has_keys=False)
    assert refused.value.code == "backup-damaged"
    assert not list(tmp_path.iterdir())


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_for_its_user_alone_whatever_the_umask(tmp_path: Path) -> None:
    target = tmp_path / "b.tar.gz"
    before = os.umask(0o022)
    try:
        made = sarsen("backup", str(target), data=settings.DATA, **database_url())
    finally:
        os.umask(before)
    assert made.returncode == 0, made.stderr
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_what_a_killed_backup_has_left_is_named_and_then_removed_and_nothing_else(
    db: None, tmp_path: Path, settings: Settings
) -> None:
    settings.DATA = tmp_path
    await_other_threads()
    child = os.fork()
    if not child:
        with backups._draft(tmp_path / "one.tar.gz") as draft:
            (draft / "secret.key").write_text("a secret")
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    (left,) = tmp_path.iterdir()
    # Another's, one that is in use, and what only has such a name.
    for name in (".sarsen-notebook", ".sarsen-00000000"):
        (tmp_path / name).mkdir(mode=0o700)
        (tmp_path / name / "kept").mkdir()
    (tmp_path / ".sarsen-11111111").write_text("a file")
    (tmp_path / ".sarsen-22222222").symlink_to(left)
    others = set(tmp_path.iterdir()) - {left}
    told = [one for one in look_at_store() if one.code == "backup-left"]
    assert [str(left) in one.text for one in told] == [True]
    with backups._draft(tmp_path / "two.tar.gz") as mine:
        (mine / "database.sqlite3").write_text("half")
        assert not left.exists()
        with backups._draft(tmp_path / "three.tar.gz"):
            assert mine.exists()
    assert set(tmp_path.iterdir()) == others


def test_what_cannot_be_meant_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    for words in (["backup", "f", "--keep", "0"], ["restore", "--data", str(tmp_path)]):
        assert CliRunner().invoke(main, words).exit_code == 2
