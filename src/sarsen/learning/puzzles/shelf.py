"""The puzzles that games have: found by name, chosen by date, worded as tasks."""

from __future__ import annotations

from datetime import date
from functools import cache, lru_cache
from hashlib import sha256

from sarsen.core.errors import UserError
from sarsen.core.game import GameInfo
from sarsen.core.phrases import quoted
from sarsen.games import known_names, load, names, text_file
from sarsen.learning.puzzles.puzzle import FILE, Puzzle, puzzles_of

LEAST_FOR_DAILY = 30  # puzzles of a game that has one of the day: a month without a repeat


def puzzled() -> tuple[str, ...]:
    """Return the names of the games that have puzzles."""
    return tuple(name for name in names() if has_puzzles(name))


@cache
def has_puzzles(game: str) -> bool:
    """Return whether a game brings puzzles; they are not read."""
    return bool(text_file(game, FILE))


def game_with_puzzles(game: str) -> GameInfo:
    """Return a game that has puzzles, by its name.

    Raises:
        UserError: There is no such game, or it has none; with those that have some.
    """
    info = load(game).info if game.lower() in known_names() else None
    if info is not None and has_puzzles(info.name):
        return info
    known = puzzled()
    hint, games = f"puzzle {known[0]}" if known else "list", ", ".join(known) or "-"
    if info is not None:
        raise UserError(
            "{title} has no puzzles yet. These games have some: {games}.",
            code="no-puzzles",
            hint=hint,
            title=info.title,
            games=games,
        )
    raise UserError(
        "There is no game called {typed} here. These games have puzzles: {games}."
        if game
        else "A puzzle of which game? These games have some: {games}.",
        code="unknown-game" if game else "puzzle-game",
        hint=hint,
        typed=quoted(game),
        games=games,
    )


def puzzle_numbered(game: str, number: int) -> Puzzle:
    """Return a puzzle of a game, a retired one too.

    Raises:
        UserError: There is no such puzzle; the hint has the nearest.
    """
    info = game_with_puzzles(game)
    found = puzzles_of(info.name)
    if number in found:
        return found[number]
    nearest = min(playable(info.name), key=lambda one: abs(one.id - number))
    raise UserError(
        "There is no puzzle {number} of {title}.",
        code="no-such-puzzle",
        hint=f"puzzle {info.name}-{nearest.id}",
        number=number,
        title=info.title,
    )


def playable(game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game that are given to people: not the retired ones."""
    return tuple(one for one in puzzles_of(game).values() if not one.retired)


def has_daily(game: str) -> bool:
    """Return whether a game has so many puzzles that one stands for each day."""
    return has_puzzles(game) and len(playable(game)) >= LEAST_FOR_DAILY


def daily_puzzle(game: str, day: date) -> Puzzle:
    """Return the puzzle of a day of a game that has one for each.

    Raises:
        UserError: The game has too few; with those that have enough.
    """
    if has_daily(game):
        return puzzle_of_day(game, day)
    known = tuple(filter(has_daily, puzzled()))
    raise UserError(
        "{title} has too few puzzles for one a day. These games have one: {games}.",
        code="no-daily",
        hint=f"puzzle {known[0]}" if known else f"puzzle {game}",
        title=load(game).info.title,
        games=", ".join(known) or "-",
    )


def puzzle_of_day(game: str, day: date) -> Puzzle:
    """Return the puzzle of a day, chosen by its date alone, so that all servers show the same.

    Each year has an order of its own, and begins it again when it is over. A release within the
    year changes no other day than those of a puzzle that it retires: the next one takes its place.
    """
    return _from(game, day.year, day.timetuple().tm_yday - 1)


def puzzle_after(game: str, number: int, day: date) -> Puzzle:
    """Return the puzzle that comes after one in the order of a year, the first after the last."""
    ids = _order(game, day.year)
    return _from(game, day.year, ids.index(number) + 1 if number in ids else 0)


def _from(game: str, year: int, at: int) -> Puzzle:
    """Return the first puzzle from a place of an order on that is not retired."""
    ids, puzzles = _order(game, year), puzzles_of(game)
    at %= len(ids)
    return next(puzzles[id_] for id_ in (*ids[at:], *ids[:at]) if not puzzles[id_].retired)


@lru_cache(maxsize=100)
def _order(game: str, year: int) -> tuple[int, ...]:
    """Return the ids of a game's puzzles in the order of a year.

    Retired ones keep their places, and those that came in the middle of the year have none yet:
    else every release would shuffle the days, and no two releases show the same puzzle.
    """
    ids = (puzzle.id for puzzle in puzzles_of(game).values() if puzzle.since <= year)
    return tuple(sorted(ids, key=lambda id_: sha256(f"{game} {year} {id_}".encode()).digest()))
