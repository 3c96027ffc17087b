"""The line that tells a player, during the first moves, what there is to do to win."""

from __future__ import annotations

from sarsen.core.phrases import Phrase
from sarsen.doors.web.frame.pictures import colour_of_side
from sarsen.language.translating import N_, _, translated
from sarsen.services.boards.view import BoardView

FIRST_MOVES = 2  # of each player
# The names of the colours of the two sides, by palette; "" is the usual one.
_COLOURS = {
    "": {"first": N_("red"), "second": N_("blue")},
    "wood": {"first": N_("red"), "second": N_("blue")},
    "ebony": {"first": N_("white"), "second": N_("black")},
    "safe": {"first": N_("orange"), "second": N_("blue")},
    "contrast": {"first": N_("orange"), "second": N_("blue")},
}
_ALWAYS = {"white": N_("white"), "black": N_("black")}


def aim_words(view: BoardView, seat: int, palette: str) -> str:
    """Return who a player is and how to win; "" after the first moves, or if the game is silent."""
    side = view.position.sides[seat]
    aim = view.game.aim_of(side)
    if not aim or view.to_move is None or view.last_ply >= FIRST_MOVES * len(view.players):
        return ""
    role = colour_of_side(view.game, side)
    colour = _COLOURS[palette].get(role) or _ALWAYS.get(role, "")
    if not colour:
        return translated(Phrase(N_("You are {side}: {aim}."), side=side, aim=_(aim)))
    sentence = N_("You are {side}, {colour}: {aim}.")
    return translated(Phrase(sentence, side=side, colour=_(colour), aim=_(aim)))
