"""Look at the settings: what works here, and would not for people elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from sarsen.server.environment import SHORTEST, unread

OTHERS = 0o077  # who may not read a key
HERE = ("127.0.0.1", "localhost", "::1")


def look_at_configuration() -> Iterator[DoctorFinding]:
    """Yield a finding for each setting that decides who reaches the server, and how."""
    yield _pages()
    yield _hosts()
    yield _addresses()
    yield _relay()
    yield from _unread()
    yield from _key_length()
    for name, variable in (
        ("secret.key", "SARSEN_SECRET_KEY"),
        ("signing.key", "SARSEN_SIGNING_KEY"),
    ):
        yield from _key(settings.DATA / name, variable)


def _pages() -> DoctorFinding:
    url = urlsplit(settings.SARSEN_URL)
    if url.hostname in HERE:
        return odd(
            "url-here",
            f"Links lead to {settings.SARSEN_URL}, which opens on this machine only.",
            "SARSEN_URL=https://play.example.org",
        )
    if url.scheme != "https":
        return bad(
            "url-open",
            f"Links lead to {settings.SARSEN_URL}: anyone on the way can read "
            "passwords and sessions.",
            f"SARSEN_URL=https://{url.hostname} and a proxy with a certificate",
        )
    return good("url", f"Links lead to {settings.SARSEN_URL}.")


def _hosts() -> DoctorFinding:
    host = urlsplit(settings.SARSEN_URL).hostname or ""
    if "*" not in settings.ALLOWED_HOSTS:
        return good("hosts", f"The web answers to {', '.join(settings.ALLOWED_HOSTS)}.")
    if host in HERE:
        return good("hosts", "The web answers to every name, on this machine.")
    return odd("hosts-all", "The web answers to every name in a request.", f"SARSEN_HOSTS={host}")


def _addresses() -> DoctorFinding:
    if settings.SARSEN_DOMAIN.endswith("localhost"):
        return odd(
            "domain-here",
            f"Mail to *@{settings.SARSEN_DOMAIN} can be sent from this machine only.",
            "SARSEN_DOMAIN=play.example.org",
        )
    return good("domain", f"Mail addresses are *@{settings.SARSEN_DOMAIN}.")


def _relay() -> DoctorFinding:
    if not settings.SARSEN_SMTP_URL:
        return odd(
            "relay-none",
            "No relay is set: mail is kept, shown at /mail/, and sent to nobody.",
            "SARSEN_SMTP_URL=smtp://127.0.0.1:25",
        )
    # Never the whole address: it may hold a password.
    host = urlsplit(settings.SARSEN_SMTP_URL).hostname
    return good("relay", f"Mail goes out through {host}.")


def _unread() -> Iterator[DoctorFinding]:
    if names := unread():
        yield odd(
            "settings-unread",
            f"These settings are not read: {', '.join(names)}.",
            "Take them out; docs/operating.md lists those there are.",
        )


def _key_length() -> Iterator[DoctorFinding]:
    if len(settings.SECRET_KEY.encode()) < SHORTEST:
        yield bad(
            "key-short",
            f"SARSEN_SECRET_KEY has less than {SHORTEST} bytes: a guess lets anyone write all "
            "signed addresses.",
            "A new SARSEN_SECRET_KEY, and the old one in SARSEN_SECRET_KEY_FALLBACKS",
        )


def _key(path: Path, variable: str) -> Iterator[DoctorFinding]:
    if getattr(settings, variable, "") and not path.exists():
        yield good("key", f"{path.name} is not used: {variable} is set.")
    elif path.exists() and path.stat().st_mode & OTHERS:
        yield bad("key-open", f"Others on this machine can read {path}.", f"chmod 600 {path}")
    elif path.exists():
        yield good("key", f"{path.name} can be read by this user only.")


class State(StrEnum):
    """How a matter stands: as it should, worth a thought, or to be mended."""

    GOOD = "good"
    ODD = "odd"
    BAD = "bad"


@dataclass(frozen=True)
class DoctorFinding:
    """One matter, in a sentence.

    Attributes:
        code: Stable, for programs.
        hint: One line that mends it; "" when nothing is to be done.
    """

    code: str
    state: State
    text: str
    hint: str = ""


def good(code: str, text: str) -> DoctorFinding:
    """Report a check that passed."""
    return DoctorFinding(code, State.GOOD, text)


def odd(code: str, text: str, hint: str = "") -> DoctorFinding:
    """Report a warning."""
    return DoctorFinding(code, State.ODD, text, hint)


def bad(code: str, text: str, hint: str = "") -> DoctorFinding:
    """Report a failure to be mended."""
    return DoctorFinding(code, State.BAD, text, hint)
