"""Two orders of the same moves: where they lead to different ends, a view shows a difference."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from sarsen import drawing
from sarsen.core.game import AnyPosition, Game
from sarsen.drawing.view import registered
from sarsen.lab.checking.comparisons.relations import smallest
from sarsen.lab.checking.laws.positions import board_of
from sarsen.lab.checking.laws.views import unmarked
from sarsen.lab.checking.walks import Finding, Note, Walk, in_words, typed_moves, walk

MAX_GAMES = 60  # what sixty games do not show is rare; the deadline mostly comes first
EARLIEST = 6  # plies before two moves are exchanged, at most
MAX_TRIED = 10  # moves whose order is exchanged, until both orders are legal
ENOUGH = 3  # pairs of games, when all are drawn alike: one may be so by chance
MAX_FORBIDDEN = 2  # moves, by a rule about what came before: more show that the positions differ
DRAWINGS = ("picture", "text board")
LONGEST = 400  # plies, for games that do not end by chance
Pair = tuple[Walk, Walk]


def view_tells_the_sides_apart(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Games that end differently by the same further moves are drawn differently before.

    Two moves are played in both orders, so that each side has the other's move, and then the
    same moves in both games. A view that draws both sides alike draws these games alike.
    """
    if registered(game.info.name) is None:
        return
    options = smallest(game, "")
    # Where other moves became legal, a rule about repetition may be the reason: no view shows it.
    differing: dict[bool, list[Pair]] = {True: [], False: []}
    seen = Counter[tuple[str, bool]]()
    for seed in range(MAX_GAMES):
        if time.process_time() > deadline or all(seen[name, True] for name in DRAWINGS):
            break
        found = _two_orders(game, options, seed, note)
        if found is not None:
            is_end, pair = found
            differing[is_end].append(pair)
            seen.update((name, is_end) for name in _seen_by(pair))
    for is_end, pairs in differing.items():
        blind = [name for name in DRAWINGS if not seen[name, is_end]]
        if blind and len(pairs) >= ENOUGH:
            most_seen = max(seen[name, is_end] for name in DRAWINGS)
            is_shown = 2 * most_seen >= len(pairs)  # by the other drawing, so it is no history
            is_sure = is_end or is_shown or any(map(_differ_much, pairs))
            yield _alike(" and the ".join(blind), pairs, is_end, is_sure)
            return


def _differ_much(pair: Pair) -> bool:
    """Return whether more moves are legal in only one of two games than repetition forbids.

    Between two orders the games differ in one position, to which one move leads.
    """
    one, other = (set(typed_moves(found.position)) for found in pair)
    return len(one ^ other) > MAX_FORBIDDEN


def _alike(blind: str, pairs: list[Pair], is_end: bool, is_sure: bool) -> Finding:
    one, other = min(pairs, key=lambda pair: len(pair[0].moves))
    at = next(at for at, move in enumerate(one.moves) if move != other.moves[at])
    what = "only one of the games ends by the same further moves"
    text = (
        f"The {blind} does not show who played {one.texts[at]} and who {one.texts[at + 1]}, "
        f"though {what if is_end else 'other moves are legal then'}; nor in any of "
        f"{len(pairs)} pairs of games that were compared."
    )
    return Finding("sides-look-alike", text, other.line(), is_sure)


def _seen_by(pair: Pair) -> Iterator[str]:
    """Yield what shows a difference between two positions, marks of the last moves aside."""
    one, other = (found.position for found in pair)
    # Brackets may move what stands behind them; where the last move is the same they do not.
    if drawing.text(one) != drawing.text(other) and board_of(one) != board_of(other):
        yield "text board"
    if unmarked(drawing.scene(one).shapes) != unmarked(drawing.scene(other).shapes):
        yield "picture"


def _two_orders(game: Game, options: str, seed: int, note: Note) -> tuple[bool, Pair] | None:
    """Return two games of two orders of which the rules say, or soon will say, something else.

    Their last moves are the same. Returns also whether a further move ends only one of the games;
    None where nothing differs.
    """
    chance = random.Random(seed)
    *_, found = walk(game, options, 2 * seed, chance.randrange(EARLIEST), note)
    pair = _exchanged(found, chance)
    while pair is not None and len(pair[0].moves) < LONGEST:
        is_same = _said(pair[0].position) == _said(pair[1].position)
        common = _common(pair[0].position, pair[1].position)
        if not common:
            return None
        move = chance.choice(common)
        after = pair[0].play(move), pair[1].play(move)
        said = [_said(one.position) for one in after]
        is_late = len(after[0].moves) > len(found.moves) + 3
        if said[0] != said[1] and (is_late or not is_same):
            is_end = is_same and said[0][0] != said[1][0]
            return is_end, pair if is_same else after
        pair = after
    return None


def _exchanged(found: Walk, chance: random.Random) -> Pair | None:
    """Return a game with two more moves in both orders."""
    legal = _places(found.position)
    some = chance.sample(legal, min(MAX_TRIED, len(legal)))
    for first, second in pairwise(some):
        one, other = found.play(first), found.play(second)
        if one.position.seat == found.position.seat:
            continue
        if second in one.position.legal_moves() and first in other.position.legal_moves():
            return one.play(second), other.play(first)
    return None


def _common(one: AnyPosition, other: AnyPosition) -> list[Any]:
    known = set(other.legal_moves())
    return [move for move in _places(one) if move in known]


def _places(position: AnyPosition) -> list[Any]:
    """Return the legal moves that name a place."""
    return [move for move in position.legal_moves() if not in_words(position, move)]


def _said(position: AnyPosition) -> tuple[object, ...]:
    """Return what the rules say: the scores first, if the game is over."""
    outcome = position.outcome()
    moves = sorted(map(position.format, position.legal_moves()))
    return outcome and outcome.scores, moves, position.seat, position.sides
