"""Write finished public games as a set of data, and say what was written."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from django.conf import settings
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress

from sarsen import __version__
from sarsen.research.dataset.card import Origin, Tallies, write_card
from sarsen.research.dataset.files import has_parquet, write_folder
from sarsen.research.dataset.rows import Naming, row
from sarsen.services.published import PUBLISHED, published_games
from sarsen.services.record_collections import count


def write(folder: Path, *, has_names: bool, licence: str, salt: str) -> None:
    """Write the set of data into a folder that is not there yet.

    Args:
        salt: For the same pseudonyms in several sets; "" for a random one, which is not kept.
    """
    naming = Naming(salt.encode() or secrets.token_bytes(32), has_names)
    origin = Origin(settings.SARSEN_URL, __version__, timezone.now(), licence, has_names)
    tallies = Tallies()
    write_folder(
        folder, _rows(naming), tallies.add, lambda hashes: write_card(tallies, hashes, origin)
    )
    games = sum(tally.games for tally in tallies.by_game.values())
    kinds = "JSON lines and Parquet" if has_parquet() else "JSON lines"
    click.echo(f"{games} games in {folder}: {kinds}, and README.md that describes them.")
    if not has_parquet():
        click.echo('For Parquet, too: pip install "sarsen[dataset]"', err=True)


def _rows(naming: Naming) -> Iterator[dict[str, Any]]:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for game in progress.track(published_games(), count(PUBLISHED), description="writing"):
            yield row(game, naming)
