"""Look at the settings: what works here, and would not for people elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from sarsen.server.environment import unknown_settings
from sarsen.server.secret_key import MIN_BYTES

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
        return warning(
            "url-here",
            f"Links point to {settings.SARSEN_URL}, which works only on this machine.",
            "SARSEN_URL=https://play.example.org",
        )
    if url.scheme != "https":
        return failure(
            "url-open",
            f"Links point to {settings.SARSEN_URL}, without encryption: passwords and sessions "
            "can be intercepted.",
            f"SARSEN_URL=https://{url.hostname}, and a proxy with a certificate",
        )
    return passed("url", f"Links point to {settings.SARSEN_URL}.")


def _hosts() -> DoctorFinding:
    host = urlsplit(settings.SARSEN_URL).hostname or ""
    if "*" not in settings.ALLOWED_HOSTS:
        return passed(
            "hosts", f"Web requests are accepted for {', '.join(settings.ALLOWED_HOSTS)}."
        )
    if host in HERE:
        return passed("hosts", "Web requests are accepted for any host name, on this machine.")
    return warning(
        "hosts-all", "Web requests are accepted for any host name.", f"SARSEN_HOSTS={host}"
    )


def _addresses() -> DoctorFinding:
    if settings.SARSEN_DOMAIN.endswith("localhost"):
        return warning(
            "domain-here",
            f"Mail to *@{settings.SARSEN_DOMAIN} can only be sent from this machine.",
            "SARSEN_DOMAIN=play.example.org",
        )
    return passed("domain", f"Mail addresses are *@{settings.SARSEN_DOMAIN}.")


def _relay() -> DoctorFinding:
    if not settings.SARSEN_SMTP_URL:
        return warning(
            "relay-none",
            "No mail relay is set: outgoing mail is shown at /mail/ and not sent.",
            "SARSEN_SMTP_URL=smtp://127.0.0.1:25",
        )
    # Never the whole address: it may hold a password.
    host = urlsplit(settings.SARSEN_SMTP_URL).hostname
    return passed("relay", f"Outgoing mail is sent through {host}.")


def _unread() -> Iterator[DoctorFinding]:
    if names := unknown_settings():
        yield warning(
            "settings-unread",
            f"Unknown settings are ignored: {', '.join(names)}.",
            "Remove them; docs/operating.md lists all settings.",
        )


def _key_length() -> Iterator[DoctorFinding]:
    if len(settings.SECRET_KEY.encode()) < MIN_BYTES:
        yield failure(
            "key-short",
            f"SARSEN_SECRET_KEY has fewer than {MIN_BYTES} bytes: signed addresses can be forged "
            "by guessing it.",
            "Set a new SARSEN_SECRET_KEY, and keep the old one in SARSEN_SECRET_KEY_FALLBACKS.",
        )


def _key(path: Path, variable: str) -> Iterator[DoctorFinding]:
    if getattr(settings, variable, "") and not path.exists():
        yield passed("key", f"{path.name} is not used: {variable} is set.")
    elif path.exists() and path.stat().st_mode & OTHERS:
        yield failure(
            "key-open", f"Other users of this machine can read {path}.", f"chmod 600 {path}"
        )
    elif path.exists():
        yield passed("key", f"{path.name} can only be read by this user.")


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


def passed(code: str, text: str) -> DoctorFinding:
    """Report a check that passed."""
    return DoctorFinding(code, State.GOOD, text)


def warning(code: str, text: str, hint: str = "") -> DoctorFinding:
    """Report a warning."""
    return DoctorFinding(code, State.ODD, text, hint)


def failure(code: str, text: str, hint: str = "") -> DoctorFinding:
    """Report a failure to be mended."""
    return DoctorFinding(code, State.BAD, text, hint)
