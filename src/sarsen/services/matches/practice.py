"""Games that are not stored: anybody may try the rules; the address of the page is the record.

The partner does not search, because processes that serve pages must not load a search: it
plays a move that wins at once, or else any legal move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from sarsen.core.errors import BadOption, UserError
from sarsen.core.game import AnyPosition, Game, GameInfo
from sarsen.core.options import Number
from sarsen.core.phrases import Phrase, example_of
from sarsen.core.referee import judge
from sarsen.games import load
from sarsen.learning.analysis import begin, mended_options
from sarsen.services.limits.processor_time import ProcessorBudget

LONGEST = 3000  # characters of all moves: an address holds no more everywhere
MAX_MOVES = 300  # nothing is stored, so each page plays them again (decision 0033)
# Moves among which the partner looks for one that wins: each is played, for anybody who asks.
MAX_LOOKED_AT = 250
LARGEST = 2  # times the usual size: anybody may ask, and time grows with the board
# Of the partner, where the other side cannot move in between: one page waits for them.
MAX_REPLIES = 20
PERSON = 0  # the seat of the person who tries


@dataclass(frozen=True)
class Practice:
    """A game that is only tried.

    Attributes:
        options: As written by the game; "" for the usual ones.
        moves: All of them in full form.
        at: How many of them are played in `position`.
        setup: The first position, where it is set up; "" for that of a new game.
    """

    game: GameInfo
    options: str
    moves: tuple[str, ...]
    at: int
    position: AnyPosition
    setup: str = ""

    @property
    def is_last(self) -> bool:
        """Return whether the position is that after all moves."""
        return self.at == len(self.moves)


def make_practice(
    game: str,
    options: str,
    texts: Sequence[str],
    at: int | None = None,
    budget: ProcessorBudget | None = None,
    *,
    setup: str = "",
) -> Practice:
    """Return the position after some moves of a game that is not stored.

    Args:
        at: Show it after so many moves; None for all.
        budget: The processor time it may take; None for any.
        setup: The first position, as the game writes it; "" for that of a new game.

    Raises:
        UserError: No such game, options or position, an illegal move, too many of them, a board
            that is too large, or the time is used up.
    """
    rules = load(game)
    start = begin(rules, options, setup)
    _check_length(texts)
    _check_size(rules.info, start)
    moves: list[str] = []
    for text in texts:
        if budget:
            budget.check()
        moves.append(_full_form(game, options, setup, tuple(moves), text))
    ply = len(moves) if at is None else max(0, min(at, len(moves)))
    position = _position_after(game, options, setup, tuple(moves[:ply])) if ply else start
    return Practice(rules.info, options, tuple(moves), ply, position, setup)


def nearest_practice(
    game: str,
    options: str,
    texts: Sequence[str],
    budget: ProcessorBudget | None = None,
    *,
    setup: str = "",
) -> Practice:
    """Return the nearest game to one that is refused: its options mended, its moves up to a fault.

    Args:
        game: The name of one.
        budget: As for `make_practice`; where it ends, so do the moves.
    """
    rules = load(game)
    options, setup, start = _nearest_start(rules, options, setup)
    moves: list[str] = []
    for text in texts[:MAX_MOVES]:
        try:
            if budget:
                budget.check()
            full = _full_form(game, options, setup, tuple(moves), text)
        except UserError as refusal:
            full = example_of(refusal.hint)
            if full:
                moves.append(full)
            break
        if sum(map(len, (*moves, full))) + len(moves) >= LONGEST:
            break
        moves.append(full)
    position = _position_after(game, options, setup, tuple(moves)) if moves else start
    return Practice(rules.info, options, tuple(moves), len(moves), position, setup)


def _nearest_start(rules: Game, options: str, setup: str) -> tuple[str, str, AnyPosition]:
    """Return options and a first position that work, and their position."""
    for _ in range(len(options.split()) + 2):
        try:
            start = begin(rules, options, setup)
            _check_size(rules.info, start)
        except BadOption as refusal:
            options = mended_options(refusal, options)
        except UserError:
            options, setup = ("", setup) if options and setup else (options, "")
        else:
            return options, setup, start
    return "", "", rules.start()


def positions_of(practice: Practice) -> tuple[AnyPosition, ...]:
    """Return the positions of a game that is only tried, from the start on."""
    begun = (practice.game.name, practice.options, practice.setup)
    plies = range(len(practice.moves) + 1)
    return tuple(_position_after(*begun, practice.moves[:ply]) for ply in plies)


def with_replies(practice: Practice, budget: ProcessorBudget | None = None) -> Practice:
    """Play the moves of the partner as long as it is to move.

    Raises:
        UserError: The time is used up.
    """
    position, moves = practice.position, list(practice.moves)
    for _ in range(MAX_REPLIES):
        if position.outcome() is not None or position.seat == PERSON:
            break
        moves.append(_choose_move(position, moves, budget))
        position = position.play(position.parse(moves[-1]))
    return Practice(practice.game, practice.options, tuple(moves), len(moves), position)


def _choose_move(position: AnyPosition, moves: list[str], budget: ProcessorBudget | None) -> str:
    """Choose a move: always the same one for the same moves before it."""
    legal = position.legal_moves()
    for move in legal[:MAX_LOOKED_AT]:
        if budget:
            budget.check()
        outcome = position.play(move).outcome()
        if outcome is not None and outcome.winner == position.seat:
            return position.format(move)
    digest = sha256(f"{position.write()}\n{' '.join(moves)}".encode()).digest()
    return position.format(legal[int.from_bytes(digest[:6], "big") % len(legal)])


def _check_length(texts: Sequence[str]) -> None:
    if len(texts) > MAX_MOVES or sum(map(len, texts)) + len(texts) > LONGEST:
        raise UserError(
            "A game on a practice board has at most {most} moves, with at most {longest} "
            "characters: no address holds more.",
            code="practice-long",
            hint=Phrase("Leave out the last moves."),
            most=MAX_MOVES,
            longest=LONGEST,
        )


def _check_size(info: GameInfo, start: AnyPosition) -> None:
    """Refuse a board much larger than the usual one: anybody may ask for it, without end."""
    for option in info.options:
        if not isinstance(option, Number):
            continue
        most = LARGEST * option.default
        value = start.options[option.name]
        if isinstance(value, int) and value > most:
            raise BadOption(
                "On a practice board, -{option} goes up to {most}.",
                code="practice-size",
                hint=f"-{option.name}={most}",
                word=f"-{option.name}",
                option=option.name,
                most=most,
            )


@lru_cache(maxsize=4000)
def _full_form(game: str, options: str, setup: str, moves: tuple[str, ...], text: str) -> str:
    """Return a move in full form; raises what the rules say against it."""
    return judge(_position_after(game, options, setup, moves), text).text


@lru_cache(maxsize=800)
def _position_after(game: str, options: str, setup: str, moves: tuple[str, ...]) -> AnyPosition:
    if not moves:
        return begin(load(game), options, setup)
    return judge(_position_after(game, options, setup, moves[:-1]), moves[-1]).position
