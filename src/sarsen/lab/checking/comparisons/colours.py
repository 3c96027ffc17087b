"""Pieces have the colour of their side: a picture may show every piece as the other side's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from sarsen import drawing
from sarsen.core.game import Game
from sarsen.drawing.view import registered, roles_of_sides
from sarsen.lab.checking.comparisons.relations import smallest
from sarsen.lab.checking.laws.views import unmarked
from sarsen.lab.checking.walks import Finding, Note, Walk, option_texts, walk

MAX_GAMES, LONGEST = 6, 40  # for each option; plies: with an odd seed, sides are swapped early
ENOUGH = 3  # moves of a side, all drawn as the other's


@dataclass
class _Seen:
    """What was drawn anew where one side moved.

    Attributes:
        own: Moves that brought its own colour.
        other: Games whose last move brought the other side's colour alone.
    """

    own: int = 0
    other: list[Walk] = field(default_factory=list)


def pieces_have_the_colour_of_their_side(
    game: Game, deadline: float, note: Note
) -> Iterator[Finding]:
    """A piece that a side moves or places has the colour of that side, after a swap, too."""
    view = registered(game.info.name)
    if view is None:
        return
    seen: dict[tuple[int, bool], _Seen] = {}
    for options in dict.fromkeys(smallest(game, text) for text in option_texts(game)):
        for seed in range(MAX_GAMES):
            before: Walk | None = None
            for found in walk(game, options, seed, LONGEST, note):
                if time.process_time() > deadline:
                    break
                if before is not None:
                    _note_colours(game, before, found, seen)
                before = found
    for (side, is_swapped), drawn in seen.items():
        if not drawn.own and len(drawn.other) >= ENOUGH:
            shown = min(drawn.other, key=lambda found: len(found.moves))
            mover, other = game.info.seats[side], game.info.seats[1 - side]
            after = " after a swap" if is_swapped else ""
            said = (
                f"The picture draws in the colour of {other} what {mover} moves or places{after}, "
                f"such as {shown.texts[-1]}."
            )
            yield Finding("wrong-colour", said, shown.line())
            return


def _note_colours(
    game: Game, before: Walk, after: Walk, seen: dict[tuple[int, bool], _Seen]
) -> None:
    """Note which side's colour a move brought to the places that are pointed at for it."""
    position, roles = before.position, roles_of_sides(game.info.name)
    view = registered(game.info.name)
    assert view is not None
    spots = set(view.clicks(position, after.moves[-1]))
    earlier = set(unmarked(drawing.scene(position).shapes))
    brought = {
        shape.role
        for shape in unmarked(drawing.scene(after.position).shapes)
        if shape.spot in spots and shape not in earlier
    }
    side = game.info.seats.index(position.sides[position.seat])
    is_own, is_other = (
        any(role == base or role.startswith(f"{base}-") for role in brought)
        for base in (roles[side], roles[1 - side])
    )
    is_swapped = tuple(position.sides) != tuple(game.info.seats)
    noted = seen.setdefault((side, is_swapped), _Seen())
    noted.own += is_own
    if is_other and not is_own:
        noted.other.append(after)
