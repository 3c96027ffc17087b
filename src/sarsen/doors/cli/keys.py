"""Public keys of servers, from a file or from the web; and those of this server."""

from __future__ import annotations

import json
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.services.records.signatures import PublicKey, read_public

MOST_READ = 100_000  # characters of a page of keys
PATH = "/.well-known/sarsen-keys"
PATIENCE = 20  # seconds


def read_keys(text: str) -> tuple[PublicKey, ...]:
    """Read the page of keys of a server.

    Raises:
        UserError: It is none.
    """
    try:
        found = json.loads(text)["keys"]
        return tuple(
            read_public(str(key["public"]), str(key.get("since", "")), str(key.get("until", "")))
            for key in found
            if key["kind"] == "Ed25519"
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(
            "That is no page of keys.", code="record.keys", hint=f"https://play.example.org{PATH}"
        ) from None


def fetch_keys(url: str) -> tuple[PublicKey, ...]:
    """Ask the server at an address for its keys.

    Raises:
        UserError: It cannot be reached, or has none.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.netloc:
        raise _unreached(url, "it is no address of the web")
    try:
        asked = Request(f"{parts.scheme}://{parts.netloc}{PATH}", headers={"User-Agent": "sarsen"})  # noqa: S310
        with urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310 (http or https, see above)
            text = answer.read(MOST_READ).decode(errors="replace")
    except (URLError, OSError, ValueError) as failed:
        raise _unreached(url, str(getattr(failed, "reason", failed))) from None
    return read_keys(text)


def show_keys(keys: tuple[PublicKey, ...], *, as_pem: bool) -> None:
    """Print the keys of this server, the present one first."""
    for key in keys:
        if as_pem:
            click.echo(key.pem.rstrip())
            continue
        period = f"from {key.since}" if key.since else ""
        period += f" to {key.until}" if key.until else ""
        click.echo(f"{key.name}  {key.public}  {period}".rstrip())


def change_key() -> None:
    """Sign with a new key from now on, and say so."""
    from sarsen.services.records import signatures

    key = signatures.change_key(timezone.now())
    click.echo(f"Records are signed with {key.name} from now on; older keys stay listed.")


def _unreached(url: str, reason: str) -> UserError:
    return UserError(
        f"The keys of {url[:200]!r} cannot be had: {reason}.",
        code="record.keys-away",
        hint="sarsen verify FILE --url https://play.example.org",
    )
