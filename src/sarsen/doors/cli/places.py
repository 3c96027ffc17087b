"""Where this user keeps logins, and the client of the server that a command speaks to."""

from __future__ import annotations

import os
from pathlib import Path

import click

from sarsen.client import logins
from sarsen.client.logins import Login
from sarsen.core.errors import UserError


def folder() -> Path:
    """Return the folder of the user's own settings, as the platform has it."""
    return Path(click.get_app_dir("sarsen"))


def chosen(server: str = "") -> Login:
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
