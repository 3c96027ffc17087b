"""Write the package of a new game: the template, with another name."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.games import names
from sarsen.language.commands import BY_WORD

TEMPLATE, NAME = "template", "tryout"
_NAME = re.compile("[a-z]{2,20}")
_LEFT_OUT = ("__pycache__",)


@click.command("new-game")
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    metavar="F",
    help="Target folder.  [default: a new folder with that name]",
)
def new_game_command(name: str, folder: Path | None) -> None:
    """Create the package of a small working game, as a start for yours.

    It has rules, a view, help with examples, and a test.
    """
    folder = folder or Path(name)
    write(name, folder)
    # Without the dot, pip could take a folder's name for that of a package on the index.
    path = folder if folder.is_absolute() else f"./{folder}"
    click.echo(
        f"Created a small working game in {folder}. Next:\n"
        f"  pip install -e {path}\n"
        f"  sarsen play {name}\n"
        f"  sarsen check {path}\n"
        f"Then change {folder / f'sarsen_{name}' / 'rules.py'}, and play again.\n"
        "docs/your-first-game.md shows how it becomes Hex."
    )


def write(name: str, folder: Path) -> None:
    """Write the package of a new game.

    Raises:
        UserError: The name is none for a game, or taken; or the folder exists.
    """
    _check_name(name)
    if folder.exists():
        raise UserError(
            f"{folder} already exists. Nothing was overwritten.",
            code="folder-exists",
            hint=f"sarsen new-game {name} --folder {folder}-2",
        )
    try:
        _copy(files(__package__) / TEMPLATE, folder, name)
    except OSError as failed:
        raise UserError(
            f"{folder} cannot be written: {failed.strerror}.",
            code="folder-unwritable",
            hint=f"sarsen new-game {name}",
        ) from None


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        letters = re.sub("[^a-z]", "", name.lower())[:20]
        raise UserError(
            f"{quoted(name, 40)} is not a valid game name: use one word of 2 to 20 letters, "
            "a to z.",
            code="no-game-name",
            hint=f"sarsen new-game {letters if len(letters) > 1 else 'mygame'}",
        )
    if name in names():
        raise UserError(
            f"A game called {name} already exists.",
            code="game-exists",
            hint=f"sarsen new-game my{name}"[:38],
        )
    if name in {word.split()[0] for word in BY_WORD}:
        raise UserError(
            f"{name} is the name of a command, so it cannot be the name of a game.",
            code="name-is-command",
            hint=f"sarsen new-game my{name}",
        )


def _copy(source: Traversable, target: Path, name: str) -> None:
    """Copy a folder with the name of the game changed everywhere."""
    target.mkdir(parents=True)
    for entry in source.iterdir():
        if entry.name in _LEFT_OUT:
            continue
        path = target / _renamed(entry.name, name)
        if entry.is_dir():
            _copy(entry, path, name)
        else:
            path.write_text(_renamed(entry.read_text("utf-8"), name), encoding="utf-8")


def _renamed(text: str, name: str) -> str:
    return text.replace(NAME, name).replace(NAME.title(), name.title())
