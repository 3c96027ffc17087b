"""Visavis solved: the winner of a position, and a move that proves it.

Open `cells` first: the board cut into cells of six bridges, within which alone bridges cross.
The theorem is proved in docs/visavis-proof.md; `facts` checks its lemmas on a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from sarsen.core.game import AnyPosition
from sarsen.drawing.scene import Scene

if TYPE_CHECKING:
    from sarsen.games.visavis.proof.facts import Fact

CLAIM = "The first player wins"
EXHAUSTIVE = 7  # the largest size of which every reply is tried


def score(options: str, seconds: float) -> float | None:
    """Return what the theorem says; after a swap it says nothing.

    See `sarsen.lab.proofs.ProofModule.score`.
    """
    # Not before it is needed: the rules' own bot loads this package, too.
    from sarsen.games.visavis.rules import GAME

    return None if GAME.start(options).options["swap"] else 1.0


def known(options: str) -> float | None:
    """Return what is known without any search; see `sarsen.services.contests.known`."""
    return score(options, 0.0)


def check(
    start: AnyPosition, games: int, verdicts: int, seed: int, report: Callable[[str], None]
) -> Iterator[Fact]:
    """Look up the facts of the proof one by one.

    Args:
        games: Of the strategy against each rival.
        verdicts: Positions of each kind of game that are judged.
        report: Gets a line on how far a long fact is.
    """
    # Not before it is needed: it is compiled.
    from sarsen.games.visavis.proof import facts, survey

    size = int(str(start.options["size"]))
    yield facts.crossings(size)
    yield facts.one_cut(size)
    yield facts.two_colours(size)
    if size <= EXHAUSTIVE:
        yield facts.every_reply(size, report)
    for rival in range(len(survey.RIVALS)) if games else ():
        yield survey.run(size, rival, games, seed, report)
    for kind in survey.GAMES if verdicts else ():
        yield survey.judge_games(size, kind, verdicts, seed, report)


def picture_of(start: AnyPosition) -> Scene:
    """Draw the proof on the board."""
    from sarsen.games.visavis.proof.picture import proof_scene

    return proof_scene(int(str(start.options["size"])))
