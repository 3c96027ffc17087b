"""The server that runs on this machine: where it has written its address."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sarsen.client.logins import read_address
from sarsen.core.errors import UserError

FILE = "address"  # in the data folder, as long as the server runs
USUAL = "http://127.0.0.1:8000"
PATIENCE = 3.0  # seconds


def local_server(environment: Mapping[str, str]) -> str:
    """Return the address of the server of this machine; "" if none answers.

    It is looked for in the data folder, and at the usual address unless SARSEN_DATA names a
    folder.

    Args:
        environment: As `os.environ`.
    """
    folder = environment.get("SARSEN_DATA", "")
    addresses = [_written(Path(folder or "data") / FILE), "" if folder else USUAL]
    return next((url for url in addresses if url and _is_answering(url)), "")


def _written(path: Path) -> str:
    try:
        return read_address(path.read_text(encoding="utf-8")[:500])
    except (OSError, ValueError, UserError):
        return ""


def _is_answering(url: str) -> bool:
    # A line that names its server starts without the classes of replies.
    from sarsen.client.client import Client

    client = Client(url, patience=PATIENCE)
    try:
        return bool(client.games())
    except UserError:
        return False
    finally:
        client.close()
