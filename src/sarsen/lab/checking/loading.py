"""The game that is asked for: one that is installed, or the folder or file of one that is not."""

from __future__ import annotations

import importlib
import sys
import tomllib
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import Game, package_of
from sarsen.core.not_loaded import not_loaded
from sarsen.core.unsupported import refuse_unsupported
from sarsen.games import GROUP, load

_ASKED = ("info", "start", "read")


def load_module(source: str) -> ModuleType:
    """Return the package of a game.

    Args:
        source: The name of an installed game, or the path of a folder with a pyproject.toml,
            or of a Python file with a `GAME`.

    Raises:
        UserError: There is no such game, its package cannot be loaded, or this process has
            loaded a package of the same name from another folder.
    """
    folder = Path(source).resolve()
    if folder.suffix == ".py" and folder.is_file():
        return _imported(folder.parent, folder.stem)
    if not folder.is_dir():
        if Path(source).name != source:
            raise UserError(
                f"There is no folder {source}.",
                code="no-folder",
                hint="sarsen new-game mygame   writes one to begin with.",
            )
        game = load(source)
        return sys.modules[str(package_of(game))]
    return _imported(folder, _named(folder))


def _imported(folder: Path, name: str) -> ModuleType:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    # Python shows such warnings of an author's own files only where they are asked for.
    warnings.filterwarnings("default", r"sarsen\.", DeprecationWarning)
    try:
        module = importlib.import_module(name)
    except Exception as failed:
        # A module may raise anything while it is imported.
        hint = f"python -c 'import {name}'   in {folder} shows all of it."
        raise not_loaded(name, failed, name, hint) from failed
    _refuse_another(module, folder)
    _check(getattr(module, "GAME", None), name)
    refuse_unsupported(module.GAME.info, name, Path(module.__file__ or "").parent)
    return module


def load_game(source: str) -> Game:
    """Return the game of `load_module`."""
    game: Game = load_module(source).GAME
    return game


def _named(folder: Path) -> str:
    """Return the package that the entry point of a folder names."""
    try:
        written = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        named: dict[str, str] = written["project"]["entry-points"][GROUP]
        return next(iter(named.values()))
    except (OSError, ValueError, KeyError, StopIteration):
        raise UserError(
            f"{folder} has no pyproject.toml with an entry point of the group {GROUP!r}.",
            code="no-entry-point",
            hint="sarsen new-game mygame   writes one to begin with.",
        ) from None


def _refuse_another(module: ModuleType, folder: Path) -> None:
    """Raise an error for a package that was loaded before, from another folder."""
    file = Path(module.__file__ or "").resolve()
    if folder not in file.parents:
        raise UserError(
            f"{module.__name__} is loaded already, from {file.parent}, not from {folder}.",
            code="loaded-elsewhere",
            hint="Two games that are loaded together need packages of two names.",
        )


def _check(game: Any, name: str) -> None:
    missing = [one for one in _ASKED if not hasattr(game, one)]
    if missing:
        raise UserError(
            f"{name} has no GAME with {', '.join(missing)}.",
            code="no-game",
            hint="GAME: Game = MyGame(…) in rules.py, and its name in __init__.py.",
        )
