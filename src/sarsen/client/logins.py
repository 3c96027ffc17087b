"""Where a person is logged in: servers and tokens in one file that nobody else may read.

Also where the server of this machine is, which one logs in at without an address.

Doors say in which folder it lies (`click.get_app_dir("sarsen")`). The first login is the
current one. SARSEN_SERVER and SARSEN_TOKEN in the environment count before the file, for
machines on which nothing shall be kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from sarsen.client.data_folder import data_folder
from sarsen.client.transport import Transport
from sarsen.core import key_files
from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted

FILE = "servers.json"
SERVER, TOKEN = "SARSEN_SERVER", "SARSEN_TOKEN"
LOGIN = "sarsen login https://play.example.org"
FORM = 1
MAX_READ = 1_000_000  # bytes: a file that somebody else has written must not fill the memory
ADDRESS_FILE = "address"  # in the data folder, as long as the server runs
USUAL_ADDRESS = "http://127.0.0.1:8000"
LOCAL_PATIENCE = 3.0  # seconds: a server on this machine answers at once
_VISIBLE = re.compile(r"[\x21-\x7e]{0,300}")
_HERE = re.compile(r"(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(/.*)?", re.IGNORECASE)


@dataclass(frozen=True)
class StoredLogin:
    """A server, and the token by which one speaks there.

    Attributes:
        userid: Whose token it is; "" when nobody has asked the server.
        number: By which the server knows the token; None for one that was made elsewhere.
    """

    url: str
    userid: str
    token: str = field(repr=False)
    number: int | None = None


@dataclass(frozen=True)
class Logins:
    """All servers somebody is logged in at, the current one first; one login a server."""

    logins: tuple[StoredLogin, ...] = ()

    @property
    def current(self) -> StoredLogin | None:
        """The login that commands speak by."""
        return self.logins[0] if self.logins else None

    def at(self, url: str) -> StoredLogin | None:
        """Return the login at a server."""
        return next((login for login in self.logins if login.url == url), None)

    def adding(self, login: StoredLogin) -> Logins:
        """Return these with one more, which becomes the current one."""
        return Logins((login, *self.without(login.url).logins))

    def without(self, url: str) -> Logins:
        """Return these without a server's."""
        return Logins(tuple(login for login in self.logins if login.url != url))


def read_address(text: str) -> str:
    """Read the address of a server as people type it: `play.example.org`, `localhost:8000`.

    Raises:
        UserError: It is none.
    """
    address = text.strip()
    if "://" not in address:
        address = f"{'http' if _HERE.fullmatch(address) else 'https'}://{address}"
    try:
        parts = urlsplit(address)
        (parts.hostname or "").encode("idna")  # as the network has names
        is_right = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_right = is_right and parts.port != 0 and not (parts.query or parts.fragment)
        is_right = is_right and _VISIBLE.fullmatch(parts.path) is not None
    except ValueError:
        is_right = False
    if not is_right or "@" in parts.netloc or not address.isprintable() or " " in address:
        raise UserError(
            "{typed} is not a valid server address.",
            typed=quoted(text, 100),
            code="server-address",
            hint=LOGIN,
        )
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def is_unguarded(url: str) -> bool:
    """Return whether the connection to an address is unencrypted and leaves this machine."""
    scheme, _, host = url.partition("://")
    return scheme == "http" and not _HERE.fullmatch(host)


def read_logins(folder: Path) -> Logins:
    """Read the file; where there is none, nobody is logged in. The pair of `write_logins`.

    Raises:
        UserError: It cannot be read, or is something else.
    """
    path = folder / FILE
    try:
        with path.open("rb") as file:
            content = json.loads(file.read(MAX_READ))
        if content["sarsen-servers"] != FORM:
            raise ValueError
        return Logins(tuple(_login(entry) for entry in content["servers"]))
    except FileNotFoundError:
        return Logins()
    except OSError as refused:
        raise _unusable(path, str(refused.strerror), f"chmod 600 {path}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        reason = Phrase("its content is damaged")
        raise _unusable(path, reason, f"rm {path}   and log in again") from None


def write_logins(folder: Path, logins: Logins) -> None:
    """Write the file anew, whole or not at all. The pair of `read_logins`.

    Raises:
        UserError: It cannot be written.
    """
    entries = [
        {"url": login.url, "userid": login.userid, "token": login.token, "number": login.number}
        for login in logins.logins
    ]
    content = json.dumps({"sarsen-servers": FORM, "servers": entries}, indent=1)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        key_files.replace(folder / FILE, content)
    except OSError as refused:
        raise _unusable(folder / FILE, str(refused.strerror), LOGIN) from None


def chosen(folder: Path, environment: Mapping[str, str], server: str = "") -> StoredLogin:
    """Return the login to speak by.

    Args:
        environment: As `os.environ`.
        server: An address as typed, where one is named; "" for the current login.

    Raises:
        UserError: There is none.
    """
    address = server or environment.get(SERVER, "").strip()
    token = environment.get(TOKEN, "").strip()
    url = read_address(address) if address else ""
    if url and token:
        return _sendable(StoredLogin(url, "", token))
    logins = read_logins(folder)
    stored = logins.at(url) if url else logins.current
    if stored is None and not url:
        raise not_logged_in()
    # At a server without a login one asks as everybody may.
    login = stored or StoredLogin(url, "", "")
    return _sendable(StoredLogin(login.url, "", token) if token else login)


def not_logged_in() -> UserError:
    """Return the refusal for a terminal that is logged in nowhere."""
    return UserError("You are not logged in to any server.", code="not-logged-in", hint=LOGIN)


def _sendable(login: StoredLogin) -> StoredLogin:
    """Refuse a token that no header can carry."""
    if _VISIBLE.fullmatch(login.token):
        return login
    raise UserError("That is not a valid token.", code="unknown-token", hint=f"{LOGIN} --token")


def _login(entry: Mapping[str, object]) -> StoredLogin:
    number = entry.get("number")
    return StoredLogin(
        read_address(str(entry["url"])),
        str(entry["userid"]),
        str(entry["token"]),
        number if isinstance(number, int) else None,
    )


def _unusable(path: Path, reason: str, hint: str) -> UserError:
    return UserError(
        "{path} cannot be used: {reason}.", code="logins", hint=hint, path=str(path), reason=reason
    )


def local_server(environment: Mapping[str, str]) -> str:
    """Return the address of the server of this machine; "" if none answers.

    It is looked for in the data folder, and at the usual address unless SARSEN_DATA names a
    folder.

    Args:
        environment: As `os.environ`.
    """
    folder = environment.get("SARSEN_DATA", "")
    written = _written(data_folder(environment) / ADDRESS_FILE)
    addresses = [written, "" if folder else USUAL_ADDRESS]
    return next((url for url in addresses if url and _is_answering(url)), "")


def _written(path: Path) -> str:
    try:
        return read_address(path.read_text(encoding="utf-8")[:500])
    except (OSError, ValueError, UserError):
        return ""


def _is_answering(url: str) -> bool:
    with closing(Transport(url, patience=LOCAL_PATIENCE)) as transport:
        try:
            return bool(transport.ask("GET", "games")["games"])
        except (UserError, TypeError, KeyError):
            return False
