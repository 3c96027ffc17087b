"""Read the environment variables: what cannot be right is refused at the start, in words.

An empty variable counts as one that is not set. No refusal repeats an address with a
password in it.
"""

from __future__ import annotations

import os
import re
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import structlog
from environ import Env

from sarsen.core.errors import UserError

_SWITCH = {"on": True, "yes": True, "true": True, "1": True}
_SWITCH |= {"off": False, "no": False, "false": False, "0": False}
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_DOMAIN = re.compile(r"[^\W_]([\w.-]{0,251}\w)?")
_RELAYS = ("smtp", "smtp+tls", "smtp+ssl", "smtps")
SQLITE = "sarsen.storage.sqlite3"  # Django's engine, whose writers take turns
POSTGRESQL = "sarsen.storage.postgresql"  # Django's engine, which calls other processes
# Where the proxy in front of a server mostly is: on its own machine, or in a network beside it.
NEAR = "127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1,fc00::/7,fe80::/10"
_POSTGRES_URLS = ("postgres", "postgresql", "psql", "pgsql")
# All that processes of the server, its commands and its client read.
KNOWN = """
SARSEN_AUTHSERV_ID SARSEN_BOTS SARSEN_CHECK_SENDERS SARSEN_CONTESTS SARSEN_DATA SARSEN_DKIM_KEY
SARSEN_DKIM_SELECTOR SARSEN_DOMAIN SARSEN_HOSTS SARSEN_HTTP SARSEN_LMTP SARSEN_LOG_LEVEL
SARSEN_MAIL_PICTURES SARSEN_METRICS_TOKEN SARSEN_PASSWORD SARSEN_PROXIES SARSEN_PUSH_KEY
SARSEN_RUN SARSEN_SECRET_KEY SARSEN_SECRET_KEY_FALLBACKS SARSEN_SERVER SARSEN_SHOW_MAIL
SARSEN_SIGNING_KEY SARSEN_SMTP SARSEN_SMTP_URL SARSEN_THINKERS SARSEN_TOKEN SARSEN_URL
SARSEN_USERID SARSEN_VACATION_DAYS SARSEN_WEBHOOK_HOSTS SARSEN_WORKERS
""".split()  # noqa: SIM905 (a list of words, one a line, is longer)
log = structlog.get_logger()


def unknown_settings() -> list[str]:
    """Return the settings that this release does not read, such as those of earlier ones."""
    return sorted(name for name in os.environ if name.startswith("SARSEN_") and name not in KNOWN)


def warn_of_unread() -> None:
    """Log the settings that are not read, in one line."""
    if names := unknown_settings():
        log.warning("unknown settings are ignored", settings=names)


def text(name: str, default: str) -> str:
    """Return a text, without blanks around it."""
    return os.environ.get(name, "").strip() or default


def number(name: str, default: int, *, least: int = 0, most: int = 1_000_000) -> int:
    """Return a whole number in a range."""
    value = text(name, str(default))
    if not re.fullmatch(r"-?[0-9]{1,18}", value) or not least <= int(value) <= most:
        raise _refusal(f"{name} must be a whole number from {least} to {most}", f"{name}={default}")
    return int(value)


def switch(name: str, *, default: bool) -> bool:
    """Return what is `on` or `off`."""
    value = text(name, "on" if default else "off").lower()
    if value not in _SWITCH:
        raise _refusal(f"{name} must be `on` or `off`", f"{name}=off")
    return _SWITCH[value]


def names(name: str, default: str) -> list[str]:
    """Return names parted by commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()] or [default]


def words(name: str) -> list[str]:
    """Return words parted by commas, perhaps none."""
    return [part.strip() for part in text(name, "").split(",") if part.strip()]


def networks(name: str, default: str) -> list[IPv4Network | IPv6Network]:
    """Return addresses and networks parted by commas, perhaps none."""
    try:
        return [ip_network(part.strip()) for part in text(name, default).split(",") if part.strip()]
    except ValueError:
        hint = f"{name}=127.0.0.1,10.0.0.0/8"
        raise _refusal(f"{name} must be a list of IP addresses or networks", hint) from None


def log_level() -> str:
    """Return the level from which events are logged."""
    level = text("SARSEN_LOG_LEVEL", "INFO").upper()
    if level not in _LEVELS:
        raise _refusal(
            f"SARSEN_LOG_LEVEL must be one of {', '.join(_LEVELS)}", "SARSEN_LOG_LEVEL=INFO"
        )
    return level


def workers() -> int:
    """Return how many workers `sarsen serve` keeps."""
    return number("SARSEN_WORKERS", 1, least=1, most=64)


def domain(name: str, default: str) -> str:
    """Return what stands behind the @ of addresses."""
    value = text(name, default)
    require_domain(value, name, default)
    return value


def require_domain(value: str, name: str, default: str) -> None:
    """Refuse what cannot stand behind the @ of an address.

    Args:
        name: Of the setting or option that has this value.
        default: A value for the hint.
    """
    if not _DOMAIN.fullmatch(value) or ".." in value:
        raise _refusal(f"{name} must be the domain of a mail address", f"{name}={default}")


def web_address(name: str, default: str) -> str:
    """Return an address of the web, without a stroke at its end."""
    address = text(name, default).rstrip("/")
    if _host(address, ("http", "https")) is None or set(address) & set("?# "):
        raise _refusal(
            f"{name} must be the public URL of the server", f"{name}=https://play.example.org"
        )
    return address


def is_local(url: str) -> bool:
    """Return whether an address of the web leads to the machine that opens it."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def relay(name: str) -> str:
    """Return the address of the mail server that letters go out through; "" for none."""
    address = text(name, "")
    if address and _host(address, _RELAYS) is None:
        raise _refusal(
            f"{name} must start with smtp://, smtp+tls:// or smtp+ssl:// and contain a host",
            f"{name}=smtp://127.0.0.1:25",
        )
    return address


def push_key(name: str) -> str:
    """Return the key that proves this server to push services; "" for none."""
    key = text(name, "").rstrip("=")
    if key and not re.fullmatch(r"[A-Za-z0-9_-]{43}", key):
        raise _refusal(f"{name} must be a key made by `sarsen push-key`", "sarsen push-key")
    return key


def signing_key(name: str) -> str:
    """Return the private key that letters are signed with, in PEM form; "" for none."""
    key = text(name, "")
    if not key:
        return ""
    from sarsen.doors.mail.send.dkim_signing import read_key

    if not key.startswith("-----BEGIN"):
        try:
            key = Path(key).read_text(encoding="utf-8", errors="replace")
        except OSError as away:
            rule = f"{name} must be a PEM key or a readable file ({away.strerror})"
            raise _refusal(rule, "sarsen dkim-key dkim.pem") from None
    # In a file of variables a key is one line, with \n for its line breaks.
    pem = key.replace("\\n", "\n")
    read_key(pem)
    return pem


def selector(name: str, default: str) -> str:
    """Return the word that names a key in the DNS."""
    value = text(name, default)
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?", value):
        raise _refusal(f"{name} must consist of letters, digits and hyphens", f"{name}={default}")
    return value


def database(name: str, data: Path) -> dict[str, Any]:
    """Return Django's word for a database: the named one, or a file in the data folder."""
    url = text(name, "")
    # Not by way of a URL: a folder may be called `a#b` or `a?b`.
    return database_at(url, name) if url else _file(str(data / "sarsen.sqlite3"))


def database_at(url: str, name: str) -> dict[str, Any]:
    """Return Django's word for the database at a URL.

    Args:
        name: Where the URL was found, for the refusal.
    """
    if re.match(r"sqlite:///+[^/:]", url):
        return _file(unquote(url.removeprefix("sqlite:///")))
    if _host(url, _POSTGRES_URLS) and urlsplit(url).path.strip("/"):
        return dict(Env.db_url_config(url)) | {"ENGINE": POSTGRESQL}
    raise _refusal(
        f"{name} must be the URL of a PostgreSQL database or an SQLite file",
        f"{name}=postgres://user:password@host/name",
    )


def _file(name: str) -> dict[str, Any]:
    return {"ENGINE": SQLITE, "NAME": name}


def _host(url: str, schemes: tuple[str, ...]) -> str | None:
    """Return the host of a URL of one of some schemes, None when there is none."""
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        return None
    return parts.hostname if parts.scheme in schemes and has_port else None


def _refusal(rule: str, hint: str) -> UserError:
    return UserError(f"{rule}.", code="setting", hint=hint)
