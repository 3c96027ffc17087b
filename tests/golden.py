"""Write what `make golden` and `make docs` keep: recorded playthroughs, generated pages.

A playthrough is a game of random moves from a fixed seed with everything a reader or a
program could ask of each position. A change of any rule, text or drawing shows in one.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import licences
import parity
from sarsen import drawing, games
from sarsen.core.game import AnyPosition, Game
from sarsen.core.options import Flag
from sarsen.games import find
from sarsen.help.pages import commands_text
from sarsen.server.commands import configuration

ROOT = Path(__file__).parents[1]
PLAYTHROUGHS = ROOT / "tests" / "games" / "playthroughs"
COMMANDS = ROOT / "docs" / "commands.md"
PARITY = ROOT / "docs" / "parity.md"
OPERATING = ROOT / "docs" / "operating.md"
LICENCES = ROOT / "docs" / "licences.md"

MAX_PLIES = 100
WRITTEN_POSITIONS = 12  # a playthrough, about; the line of a late position can be long
COMMANDS_HEADER = """\
<!-- Generated from src/sarsen/language by `make docs`; edit there. -->

# Commands

Case and extra blanks never matter in the command words. Words in capitals are filled in;
what stands in brackets may be left out.

"""


def own_games() -> dict[str, Game]:
    """Return the games of this repository; a plug-in keeps its own playthroughs."""
    here = files(games)
    return {name: game for name, game in find().items() if here.joinpath(name).is_dir()}


def option_texts(game: Game) -> list[str]:
    """Return the defaults, each flag by itself, and the lowest value of each number."""
    texts = [""]
    for option in game.info.options:
        texts.append(
            f"-{option.name}" if isinstance(option, Flag) else f"-{option.name}={option.low}"
        )
    return texts


def cases() -> list[tuple[str, str]]:
    """Name every playthrough there should be: a game and an option text."""
    return [(name, options) for name, game in own_games().items() for options in option_texts(game)]


def path_of(name: str, options: str) -> Path:
    """Return the file of a playthrough: `druid-size=4.txt`."""
    return PLAYTHROUGHS / f"{name}{options}.txt"


def playthrough(game: Game, options: str) -> str:
    """Play a game of random moves and write down what it showed."""
    path, texts = _random_game(game, options)
    return "\n".join(_lines(game, options, path, texts)) + "\n"


def _random_game(game: Game, options: str) -> tuple[list[AnyPosition], list[str]]:
    rng = random.Random(f"{game.info.name}{options}")
    path, texts = [game.start(options)], []
    while (moves := path[-1].legal_moves()) and len(texts) < MAX_PLIES:
        # Not `choice`: its use of random bits is Python's to change. Every third move is the
        # last one listed: there stand kinds that random play seldom meets, a swap, a lintel.
        at = len(moves) - 1 if len(texts) % 3 == 1 else int(rng.random() * len(moves))
        move = moves[at]
        texts.append(path[-1].format(move))
        path.append(path[-1].play(move))
    return path, texts


def _lines(game: Game, options: str, path: list[AnyPosition], texts: list[str]) -> Iterator[str]:
    yield f"{game.info.title} {options}".strip() + f", rules version {game.info.rules_version}"
    boards = {0, len(texts) // 2, len(texts)}
    written = {*boards, *range(0, len(path), max(1, -(-len(path) // WRITTEN_POSITIONS)))}
    for ply, position in enumerate(path):
        yield ""
        if ply:
            seat, sides = path[ply - 1].seat, path[ply - 1].sides
            yield f"ply {ply}: seat {seat} as {sides[seat]} plays {texts[ply - 1]}"
            yield from (f"  {effect}" for effect in position.effects())
        yield from _facts(position)
        if ply in written:
            yield f"  written: {position.write()}"
        if ply in boards:
            yield from ("    " + line if line else "" for line in _board(position))
            yield f"  in words: {drawing.describe(position)}"


def _facts(position: AnyPosition) -> Iterator[str]:
    outcome = position.outcome()
    if outcome is not None:
        scores = ", ".join(f"{score:g}" for score in outcome.scores)
        yield f"  over: {outcome.reason} Scores {scores}."
        return
    moves = position.legal_moves()
    first, last = position.format(moves[0]), position.format(moves[-1])
    yield f"  legal moves: {len(moves)}, from {first} to {last}"


def _board(position: AnyPosition) -> list[str]:
    return drawing.text(position).split("\n")


def commands_page() -> str:
    """Write the page of all commands, from the classes that read them."""
    return COMMANDS_HEADER + commands_text()


def operating_page() -> str:
    """Return the operators' page with the files that `sarsen setup --print` prints."""
    page = OPERATING.read_text(encoding="utf-8")
    for what, name in configuration.FILES.items():
        fence = re.compile(rf"(?<=\n)(```\w+ {re.escape(name)}\n).*?(?=```\n)", re.DOTALL)
        text = configuration.file_text(what)
        page, count = fence.subn(lambda found, text=text: found[1] + text, page)  # type: ignore[misc]
        assert count == 1, f"{name} stands {count} times in {OPERATING}"
    return page


def write_playthroughs() -> None:
    """Write all playthroughs anew, and remove those of no case."""
    PLAYTHROUGHS.mkdir(exist_ok=True)
    kept = {path_of(name, options) for name, options in cases()}
    for old in set(PLAYTHROUGHS.glob("*.txt")) - kept:
        old.unlink()
    for name, options in cases():
        _write(path_of(name, options), playthrough(find()[name], options))


def write_docs() -> None:
    """Write the generated pages anew."""
    _write(COMMANDS, commands_page())
    _write(PARITY, parity.page())
    _write(OPERATING, operating_page())
    _write(LICENCES, licences.page())


def _write(path: Path, text: str) -> None:
    is_changed = not path.is_file() or path.read_text(encoding="utf-8") != text
    if is_changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{'written' if is_changed else 'as it was'}: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write golden files anew.")
    parser.add_argument("--docs", action="store_true", help="only the generated pages of docs/")
    only_docs = parser.parse_args().docs
    write_docs()
    if not only_docs:
        write_playthroughs()
