"""`sarsen login` and `logout`: a token for this terminal, got by a mailed code."""

from __future__ import annotations

import os
import platform
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sarsen.client import logins
from sarsen.client.logins import (
    LOGIN,
    Logins,
    StoredLogin,
    is_unguarded,
    local_server,
    not_logged_in,
    read_address,
    read_logins,
    write_logins,
)
from sarsen.client.transport import Refused
from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.language.translating import _, translated

if TYPE_CHECKING:
    from sarsen.client import Client

SCOPES = ("read", "play", "chat", "account")  # whatever a person may do there
MAX_LABEL = 60  # characters that the server takes (`services.accounts.tokens`)
MAX_CODES = 3  # tries: whoever mistypes it more often starts anew; the server counts, too
_TOKEN = re.compile(r"[\x21-\x7e]{10,200}")


@click.command("login")
@click.argument("address", required=False, metavar="[URL]")
@click.option("--userid", default="", help="Your userid there, or your mail address.")
@click.option("--token", "by_token", is_flag=True, help="Paste a token created in your settings.")
@click.option("--list", "is_list", is_flag=True, help="Show where you are logged in.")
@click.option(
    "--again", "is_again", is_flag=True, help="Get a new token, even if you have a valid one."
)
def login_command(
    address: str | None, userid: str, by_token: bool, is_list: bool, is_again: bool
) -> None:
    """Log in to a server with a mailed code, and store the token.

    Without URL, the current server is used, or else the one that runs on this machine. It becomes
    the current server, which receives lines such as `sarsen list`. With --token, a token is
    prompted for, or read from standard input, so that no secret appears in the command. It is
    stored in a file that only you can read.
    """
    logins = read_logins(folder())
    if is_list:
        _list(logins)
        return
    url = _url(address, logins)
    stored = logins.at(url)
    if stored is not None and not (by_token or is_again) and _holds(stored, userid):
        login = stored
    else:
        login = _by_token(url) if by_token else _by_code(url, userid)
        if stored is not None:
            _revoke(stored)
    write_logins(folder(), logins.adding(login))
    message = _("You are logged in at {url} as {userid}.")
    click.echo(message.format(url=url, userid=login.userid))


@click.command("logout")
@click.argument("address", required=False, metavar="[URL]")
@click.option("--all", "is_all", is_flag=True, help="Log out of all servers.")
def logout_command(address: str | None, is_all: bool) -> None:
    """Log out: revoke the token at the server and delete it here."""
    logins = read_logins(folder())
    ended = logins.logins
    if not is_all:
        url = read_address(address) if address else logins.current.url if logins.current else ""
        stored = logins.at(url)
        ended = (stored,) if stored else ()
    if not ended:
        raise not_logged_in()
    for login in ended:
        is_revoked = _revoke(login)
        logins = logins.without(login.url)
        write_logins(folder(), logins)
        click.echo(_("You are logged out at {url}.").format(url=login.url))
        if not is_revoked:
            page = f"{login.url}/account/tokens/"
            message = _("The token could not be revoked; please do that at {where}")
            click.echo(message.format(where=page), err=True)


def _list(logins: Logins) -> None:
    if not logins.logins:
        raise not_logged_in()
    for login in logins.logins:
        mark = "*" if login is logins.current else " "
        click.echo(f"{mark} {login.url}  {login.userid}")


def _url(address: str | None, logins: Logins) -> str:
    if address is None and logins.current is not None:
        return logins.current.url
    if address is None:
        local_url = local_server(os.environ)
        if not sys.stdin.isatty():
            hint = f"sarsen login {local_url}" if local_url else LOGIN
            raise UserError("Which server?", code="server-address", hint=hint)
        address = click.prompt(_("Server"), default=local_url or None, err=True)
    url = read_address(address)
    if is_unguarded(url):
        warning = _("The connection to {url} is not encrypted: use https.")
        click.echo(warning.format(url=url), err=True)
    return url


def _client(url: str, token: str = "") -> Client:
    # Loads the classes of replies, which a line does without.
    from sarsen.client import Client

    return Client(url, token)


def _holds(login: StoredLogin, userid: str) -> bool:
    """Return whether a login still holds, and is whose it shall be."""
    if userid and userid.lower() != login.userid.lower():
        return False
    try:
        _client(login.url, login.token).account()
    except Refused as refused:
        if refused.status in (401, 403):
            return False
        raise
    return True


def _by_code(url: str, userid: str) -> StoredLogin:
    client = _client(url)
    name = userid or click.prompt(_("Your name there, or mail address"), err=True)
    click.echo(client.ask_code(name.strip()), err=True)
    # Eight digits are mistyped easily, and a new mail takes a while.
    for attempts_left in reversed(range(MAX_CODES)):
        code = click.prompt(_("The code from the mail"), err=True)
        try:
            new_token = client.use_code(name.strip(), code.strip(), _label(), SCOPES)
        except Refused as refused:
            if refused.code != "login-code" or not attempts_left:
                raise
            click.echo(f"{translated(refused.text)} [{refused.code}]", err=True)
        else:
            return StoredLogin(url, new_token.userid, new_token.token, new_token.number)
    raise AssertionError("the last wrong code is refused")


def _by_token(url: str) -> StoredLogin:
    if sys.stdin.isatty():
        token = click.prompt(_("Token"), hide_input=True, err=True)
    else:
        token = sys.stdin.readline(300)
    token = token.strip()
    if not _TOKEN.fullmatch(token):
        hint = Phrase("Create one at {where}", where=f"{url}/account/tokens/")
        raise UserError("That is not a valid token.", code="unknown-token", hint=hint)
    account = _client(url, token).account()
    missing = [scope for scope in SCOPES if scope not in account.scopes]
    if missing:
        warning = _("This token does not allow: {scopes}.")
        click.echo(warning.format(scopes=", ".join(missing)), err=True)
    return StoredLogin(url, account.userid, token, account.token)


def _label() -> str:
    return f"terminal of {platform.node() or 'a machine'}"[:MAX_LABEL]


def _revoke(login: StoredLogin) -> bool:
    """End a token at its server; return whether that is done."""
    if login.number is None:
        return False
    try:
        _client(login.url, login.token).revoke(login.number)
    except Refused as refused:
        return refused.status == 401  # it has ended already
    except UserError:
        return False
    return True


def folder() -> Path:
    """Return the folder of the user's own settings, as the platform has it."""
    return Path(click.get_app_dir("sarsen"))


def chosen(server: str = "") -> StoredLogin:
    """Return the login to speak by; see `client.logins.chosen`.

    Raises:
        UserError: There is none.
    """
    return logins.chosen(folder(), os.environ, server)


def is_logged_in() -> bool:
    """Return whether there is a server to speak to."""
    try:
        return bool(chosen().url)
    except UserError as refusal:
        if refusal.code == "not-logged-in":
            return False
        raise
