"""`sarsen setup`: print the files of docs/operating.md, for the programs around a server.

They lie in `server/configuration/`; `make docs` quotes them in the page.
"""

from __future__ import annotations

from importlib.resources import files

import click

from sarsen.server import environment

FILES = {
    "env": "sarsen.env",
    "nginx": "sarsen.conf",
    "postfix": "main.cf",
    "systemd": "sarsen.service",
    "systemd-hosts": "sarsen@.service",
    "systemd-backup": "sarsen-backup.service",
    "systemd-timer": "sarsen-backup.timer",
    "compose": "compose.yaml",
}
_EXAMPLE = "play.example.org"


@click.command("setup")
@click.option(
    "--print",
    "what",
    type=click.Choice(list(FILES)),
    required=True,
    help="The file to print, for the program of this name.",
)
@click.option(
    "--domain",
    default=_EXAMPLE,
    show_default=True,
    help="Domain of the server's mail addresses and pages.",
)
def setup_command(what: str, domain: str) -> None:
    """Print a configuration file for a program around the server.

    \b
    sarsen setup --print nginx --domain play.example.org >/etc/nginx/conf.d/sarsen.conf
    """
    environment.require_domain(domain, "--domain", _EXAMPLE)
    click.echo(file_text(what).replace(_EXAMPLE, domain), nl=False)


def file_text(what: str) -> str:
    """Return a file as the page quotes it."""
    return (files("sarsen.server") / "configuration" / FILES[what]).read_text(encoding="utf-8")
