"""Boards at which wins and draws are claimed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from clock import NOW
from sarsen.games import load
from sarsen.language.commands import ClaimResult
from sarsen.language.replies import Reply
from sarsen.search import written_proofs
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.matches import claims
from sarsen.services.request import Actor
from web_world import World

TERMS = ("--claims=on",)


@dataclass(frozen=True)
class Line:
    """A game so far, in which the first seat is to move."""

    game: str
    options: str
    moves: str


# By what a search of 200,000 nodes says of the seat to move.
WON = Line("visavis", "-size=7", "E3 E4 A3 F5 D6 E2 F2 F1 B2 G4")
DRAWN = Line("vasco", "-size=24", "b1 f4 e8 d1 c8 f9 e17 b25")
LOST = Line("visavis", "-size=7", "E3 G6 F5 E2 B5 F7 A3 D5 B2 F4")
OPEN = Line("druid", "-size=4", "c1 c3 c4 b4 c4 b1 b2 b1")


def prove(game: str, position: str, seat: int | None) -> str:
    """Search in this process, for as long as it takes: for lines that are decided."""
    return written_proofs.prove_claim(load(game).read(position), seat)


class ClaimWorld(World):
    """Claim, and let the time of an answer come."""

    def __init__(self, now: datetime = NOW) -> None:
        super().__init__(now)
        self.prove = prove

    def at(self, line: Line, *terms: str) -> int:
        """Begin a board with claims, and play a line there."""
        return self.board(line.game, line.moves, options=line.options, terms=(*TERMS, *terms))

    def claim(self, board: int, userid: str = "ann", *, draw: bool = False, key: str = "") -> Reply:
        actor = Actor(self.player(userid))
        return perform(ClaimResult("", board, draw), actor, key, self.now)

    def answer(self) -> None:
        """Search what waits, and answer when it is due."""
        while claims.search_next(self.now, self.prove):
            pass
        self.now += claims.ANSWER_AFTER + timedelta(seconds=1)
        claims.answer_due(self.now, AFTER_EVENTS)
