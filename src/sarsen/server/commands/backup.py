"""`sarsen backup` and `sarsen restore`: the whole server as one file, and back."""

from __future__ import annotations

import os
import secrets
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click

from sarsen.core.errors import UserError

if TYPE_CHECKING:
    from sarsen.services.admin.after_restore import RestoreReport
    from sarsen.services.admin.archives import Manifest

_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("backup")
@click.argument("target", type=click.Path(path_type=Path), metavar="FILE|FOLDER")
@click.option("--data", type=_FOLDER, help="Data folder of the server.  [default: SARSEN_DATA]")
@click.option("--keys", "has_keys", is_flag=True, help="Include secret.key and signing.key.")
@click.option(
    "--keep",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Keep only the newest N backups in FOLDER.",
)
def backup_command(target: Path, data: Path | None, has_keys: bool, keep: int | None) -> None:
    """Back up the server's database into one file, while the server runs.

    The file is a snapshot of the database, readable only by you. It gets its name after it has
    been flushed to the disk and verified. In a FOLDER, it is named after the time. `sarsen
    restore` restores it.

    Without --keys, it does not contain the keys: keep secret.key and signing.key elsewhere. With
    --keys, anyone who has the file can act as any player.
    """
    from sarsen.server.setup import open_stored_data

    open_stored_data(data, takes_older=True)  # the last one before an upgrade
    from sarsen.services.admin.backups import back_up

    target = target.absolute()
    if keep and not target.is_dir():
        raise click.UsageError("--keep needs an existing FOLDER")
    backup = back_up(target, datetime.now(UTC), has_keys=has_keys, keep=keep)
    counts = backup.manifest.counts
    boards, events = counts["storage_match"], counts["storage_matchevent"]
    click.echo(
        f"{backup.path}: {boards:,} boards, {events:,} events, {backup.size:,} bytes; verified."
    )
    if not has_keys:
        click.echo(
            "It does not contain the keys (see --keys): keep secret.key and signing.key elsewhere."
        )
    for name in backup.lacks:
        click.echo(f"It does not contain {name}: there is no such file here.")
    for path in backup.removed:
        click.echo(f"{path.name} was removed.")


@click.command("restore")
@click.argument(
    "file", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False
)
@click.option(
    "--data",
    type=_FOLDER,
    envvar="SARSEN_DATA",
    required=True,
    help="Folder to restore to.  [default: SARSEN_DATA]",
)
@click.option(
    "--force", is_flag=True, help="Restore even if FOLDER is not empty; its content is moved aside."
)
@click.option(
    "--send-waiting", "sends_waiting", is_flag=True, help="Do not hold outgoing mail; see above."
)
def restore_command(file: Path | None, data: Path, force: bool, sends_waiting: bool) -> None:
    """Restore a backup into a folder.

    FILE is verified first; a backup of an earlier release is upgraded. With PostgreSQL,
    DATABASE_URL must name an empty database.

    Outgoing mail that was waiting when the backup was made has probably been sent since, so it is
    held: operators see it under mail out and can send each mail. --send-waiting holds nothing;
    without a FILE, it releases the mail that an earlier restore held. The clocks of all boards are
    paused from the backup until now.
    """
    os.umask(0o077)
    if file is None and not sends_waiting:
        raise click.UsageError("FILE must be a backup written by `sarsen backup`")
    data = data.absolute()
    os.environ["SARSEN_DATA"] = str(data)
    if file is None:
        _release_held_letters()
        return
    from sarsen.server import environment
    from sarsen.services.admin import archives, restoring

    manifest = archives.read_manifest(file)
    restoring.check_release(manifest)
    config = environment.database("DATABASE_URL", data)
    is_sqlite = config["ENGINE"] == environment.SQLITE
    restoring.check_kind(manifest, is_sqlite=is_sqlite)
    database = Path(config["NAME"]).absolute() if is_sqlite else data / manifest.database_file
    restoring.check_target(database, data, force=force)
    now = datetime.now(UTC)
    try:
        data.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".restore-", dir=data) as folder:
            draft = Path(folder)
            archives.unpack(file, manifest, draft)
            if is_sqlite:
                os.environ["DATABASE_URL"] = (
                    f"sqlite:///{quote(str(draft / manifest.database_file))}"
                )
            settled = _settle_database(draft, manifest, data, now, sends_waiting=sends_waiting)
            restored = draft / manifest.database_file
            aside = _move_into_place(draft, restored, database if is_sqlite else None, data, now)
    except OSError as refused:
        raise UserError(
            f"{data} cannot be used: {refused.strerror}. Its previous content is unchanged.",
            code="data-folder",
            hint="The folder must be writable and have enough space for the database.",
        ) from None
    _print_report(manifest, settled, data, aside)


def _settle_database(
    draft: Path, manifest: Manifest, data: Path, now: datetime, *, sends_waiting: bool
) -> RestoreReport:
    """Start Django on what was unpacked, bring its tables up to date, and settle it."""
    os.environ.setdefault("SARSEN_SECRET_KEY", _secret(draft, data))
    from sarsen.server.setup import set_up

    set_up()
    from django.core.management import call_command
    from django.db import connection, connections

    from sarsen.services.admin import after_restore, backups
    from sarsen.storage import database_copies

    tables = tuple(manifest.counts)
    if connection.vendor == "postgresql":
        _require_empty(connection.introspection.table_names())
        connections.close_all()
        backups.restore(connection.settings_dict, draft / manifest.database_file)
    if database_copies.count_rows(tables) != dict(manifest.counts):
        raise UserError(
            "The restored database does not have the rows that the backup lists.",
            code="backup-damaged",
            hint="Use another copy of it, or an earlier backup.",
        )
    call_command("migrate", interactive=False, verbosity=0)
    settled = after_restore.settle(manifest.made_at, now, sends_waiting=sends_waiting)
    connections.close_all()
    return settled


def _move_into_place(
    draft: Path, restored: Path, database: Path | None, data: Path, now: datetime
) -> Path:
    """Put the files where they belong; a database of PostgreSQL is there already."""
    from sarsen.services.admin import restoring

    if database is None:
        return restoring.take_place(draft, None, data, now)
    restoring.fold_log(restored)
    return restoring.take_place(draft, (restored, database), data, now)


def _secret(draft: Path, data: Path) -> str:
    """Return a key for this process alone: none must be made in the folder by the way."""
    for path in (draft / "secret.key", data / "secret.key"):
        if path.exists():
            return path.read_text(encoding="ascii").strip()
    return secrets.token_urlsafe(48)


def _require_empty(tables: list[str]) -> None:
    if tables:
        raise UserError(
            f"The database of DATABASE_URL is not empty: it has {len(tables)} tables. "
            "Nothing was changed.",
            code="target-not-empty",
            hint="Run createdb sarsen-restored, and set DATABASE_URL to that database.",
        )


def _print_report(manifest: Manifest, settled: RestoreReport, data: Path, aside: Path) -> None:
    counts = manifest.counts
    boards, events = counts["storage_match"], counts["storage_matchevent"]
    click.echo(
        f"Restored {boards:,} {'board' if boards == 1 else 'boards'} with "
        f"{events:,} {'event' if events == 1 else 'events'} "
        f"of {manifest.made_at:%Y-%m-%d %H:%M:%S} UTC to {data}."
    )
    held = ", ".join(f"{number} {kind}" for kind, number in settled.letters.items())
    if held:
        click.echo(f"Outgoing mails held, because they may already have been sent: {held}.")
        click.echo(f"  sarsen restore --send-waiting --data {data}  sends them anyway")
    for number, kind in (
        (settled.digests, "digest entries"),
        (settled.calls, "webhook calls"),
        (settled.pushes, "push notifications"),
        (settled.announcements, "announcements"),
    ):
        if number:
            click.echo(f"Not sent, for the same reason: {number} {kind}.")
    if settled.mails:
        click.echo(
            f"{settled.mails} incoming mails are waiting, and will be answered when the server "
            "starts."
        )
    if settled.sessions:
        click.echo(f"{settled.sessions} browsers must log in again.")
    for name in ("secret.key", "signing.key"):
        if not (data / name).exists():
            click.echo(
                f"The backup did not contain {name}: copy the old file to {data} before you start "
                "the server."
            )
    if aside.exists():
        click.echo(f"The previous content was moved to {aside}.")
    click.echo(f"Next: sarsen verify --data {data}; then sarsen serve --data {data}")


def _release_held_letters() -> None:
    from sarsen.server.setup import open_stored_data

    open_stored_data()
    from sarsen.services.admin.after_restore import send_held

    click.echo(f"{send_held(datetime.now(UTC))} mails and webhook calls are being sent.")
