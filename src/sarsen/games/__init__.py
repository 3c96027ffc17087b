"""The games: one folder each, `rules.py`, `view.py` and `help.md`.

Open `druid/rules.py` first. A folder's `__init__` names its `GAME`. Another
package joins by an entry point of the group `sarsen.games` that names a module
with such a `GAME`; no file here changes. Standard library only.
"""

from __future__ import annotations

import difflib
import importlib
import logging
import pkgutil
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType

from sarsen.core.errors import UnknownGame, UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.not_loaded import not_loaded
from sarsen.core.phrases import quoted
from sarsen.core.referee import replay
from sarsen.core.unsupported import refuse_unsupported
from sarsen.language.translating import add_catalogues, page_in_language

__all__ = [
    "contest_options",
    "find",
    "help_text",
    "is_plugin",
    "isolate_plugins",
    "known_names",
    "language_of_help",
    "load",
    "measured_strengths",
    "names",
    "nearest",
    "plugin_versions",
    "showpiece",
    "showpiece_game",
    "text_file",
]


GROUP = "sarsen.games"
# Before any game is loaded: a letter of long ago may be worded first.
for _folder in __path__:
    for _locale in sorted(Path(_folder).glob("*/locale")):
        add_catalogues(_locale)


def load(name: str) -> Game:
    """Return a game by its name, in any case.

    Raises:
        UnknownGame: With the games there are.
        UserError: Its package cannot be loaded; with the file and line.
    """
    module = _modules().get(name.lower())
    if module is None and name.lower() in _refusals:
        raise _refusals[name.lower()]()
    if module is None:
        raise UnknownGame(
            "There is no game called {name} here. There are: {games}.",
            code="unknown-game",
            hint="list",
            name=quoted(name),
            games=", ".join(names()),
        )
    game: Game = module.GAME
    return game


def nearest(name: str) -> str | None:
    """Return the game whose name is spelled most alike, None when none is like it."""
    near = difflib.get_close_matches(name.lower(), names(), n=1, cutoff=0.7)
    return near[0] if near else None


@cache
def names() -> tuple[str, ...]:
    """List the names of all games, in alphabetical order."""
    return tuple(_modules())


def known_names() -> tuple[str, ...]:
    """List the names by which a line may begin: also of games whose package cannot be loaded.

    What is asked of these is then refused by `load`, with the reason.
    """
    return (*names(), *_refusals)


def find() -> dict[str, Game]:
    """Return every game by name, in alphabetical order."""
    return {name: module.GAME for name, module in _modules().items()}


def help_text(name: str) -> str:
    """Return the help page of a game, Markdown; empty when a plug-in brings none.

    It is in the language in force where the game has a `locale/CODE/help.md`, else in English.
    """
    page, _ = _help_page(name)
    return page.read_text(encoding="utf-8") if page.is_file() else ""


def language_of_help(name: str) -> str:
    """Return the code of the language that `help_text` answers in."""
    return _help_page(name)[1]


def _help_page(name: str) -> tuple[Traversable, str]:
    return page_in_language(files(_modules()[load(name).info.name].__name__), "help.md")


def text_file(name: str, file: str) -> str:
    """Return a text that lies in the folder of a game, such as `lessons.toml`; "" for none."""
    page = files(_modules()[load(name).info.name].__name__).joinpath(file)
    return page.read_text(encoding="utf-8") if page.is_file() else ""


def showpiece(name: str) -> AnyPosition:
    """Return the position that pages show of a game: after the moves of `showpiece.txt`, if any."""
    return showpiece_game(name)[-1]


@cache
def showpiece_game(name: str) -> tuple[AnyPosition, ...]:
    """Return the positions that lead to the showpiece of a game, from its start on.

    The file holds options, which begin with a dash, and moves, all with blanks between them.
    """
    game = load(name)
    words = text_file(name, "showpiece.txt").split()
    options = " ".join(word for word in words if word.startswith("-"))
    start = game.start(options)
    moves = [word for word in words if not word.startswith("-")]
    return start, *(ruling.position for ruling in replay(start, moves))


@cache
def measured_strengths(name: str) -> tuple[int, ...]:
    """Return how strong the levels of programs are at a game, in Elo above level 1.

    They stand in `strength.txt`, by level from 1 on, as `sarsen ladder` has measured them; without
    that file they are not known.
    """
    return tuple(map(int, text_file(name, "strength.txt").split()))


def contest_options(name: str) -> str | None:
    """Return the options, as typed, of the contest that a server opens by itself; None for none.

    They stand in `contest.txt`, which is empty for the usual game.
    """
    page = files(_modules()[load(name).info.name].__name__).joinpath("contest.txt")
    return page.read_text(encoding="utf-8").strip() if page.is_file() else None


def is_plugin(name: str) -> bool:
    """Return whether a game comes from a package of somebody else."""
    module = _modules().get(name)
    return module is not None and not module.__name__.startswith(f"{__name__}.")


def plugin_versions() -> dict[str, str]:
    """Return the version of the package of each plug-in, by the name of its game."""
    versions = {
        entry.module: entry.dist.version if entry.dist else ""
        for entry in entry_points(group=GROUP)
    }
    modules = {name: module.__name__ for name, module in _modules().items()}
    return {name: versions[module] for name, module in modules.items() if module in versions}


def isolate_plugins(turn_file: Path | None = None) -> None:
    """Run the rules of plug-ins in processes of their own from now on; see `sarsen.isolation`.

    For processes that answer many people, whom a loop without an end would stop.

    Args:
        turn_file: Shared by the processes of which one at a time asks plug-ins; None for threads
            of this process.
    """
    from sarsen.isolation.allowance import Turn

    turn = Turn(turn_file)
    for name, module in _modules().items():
        if is_plugin(name):
            from sarsen.isolation.stand_in import isolated

            _modules()[name] = isolated(module, turn)


@cache
def _modules() -> dict[str, ModuleType]:
    plugins = [module for entry in entry_points(group=GROUP) if (module := _plugin(entry))]
    packages = [
        importlib.import_module(f"{__name__}.{entry.name}")
        for entry in pkgutil.iter_modules(__path__)
        if entry.ispkg
    ]
    # The last of one name stays, a folder of ours: no plug-in replaces the law.
    modules = sorted([*plugins, *packages], key=lambda module: str(module.GAME.info.name))
    found = {module.GAME.info.name: module for module in modules}
    for name in _refusals.keys() & found.keys():
        del _refusals[name]
    return found


# By the name of the entry point, which is that of the game: why a plug-in is not there.
_refusals: dict[str, Callable[[], UserError]] = {}


def _plugin(entry: EntryPoint) -> ModuleType | None:
    try:
        module: ModuleType = entry.load()
        module.GAME.info.name.isascii()
        folder = Path(module.__file__ or "").parent
        refuse_unsupported(module.GAME.info, module.__name__, folder)
        add_catalogues(folder / "locale")
    except UserError as refusal:
        log = logging.getLogger(__name__)
        log.error("the game %s is not offered: %s [%s]", entry.name, refusal.text, refusal.code)
        _refusals[entry.name.lower()] = partial(not_loaded, entry.name, refusal, entry.module)
        return None
    except Exception as failed:
        # Whatever is wrong with somebody's plug-in, the other games go on.
        logging.getLogger(__name__).exception("the plug-in %s cannot be loaded", entry.value)
        _refusals[entry.name.lower()] = partial(not_loaded, entry.name, failed, entry.module)
        return None
    return module
