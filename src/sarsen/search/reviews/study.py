"""A review under way: one bounded step at a time, and what it has found in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.search.general.nodes import for_seat
from sarsen.search.reviews.findings import (
    MAX_LINE,
    Look,
    Think,
    WinningReply,
    answer_next,
    look_at,
    main_line,
    proved_for_seat,
    texts_of,
    winner_of,
)

# Positions of one game, its last ones: the time of a review is divided among them.
MAX_LOOKS = 400
SHORT_LINE = 7  # moves; a shorter line is drawn further, unless it ends the game
FURTHER = 2_000_000  # added to a seed


@dataclass(frozen=True)
class PlayedGame:
    """A finished game of two seats.

    Attributes:
        positions: From the first to the last, one more than there are moves.
        texts: The moves.
    """

    positions: tuple[AnyPosition, ...]
    texts: tuple[str, ...]

    @property
    def first(self) -> int:
        """How many plies of a very long game are left out at its beginning."""
        return max(0, len(self.positions) - MAX_LOOKS)


@dataclass(frozen=True)
class Findings:
    """The findings of a review so far.

    Attributes:
        looks: The last position first.
        answers: Of the proof; none before all positions are looked at.
        is_done: Nothing is left to do.
    """

    looks: tuple[Look, ...] = ()
    answers: tuple[WinningReply, ...] = ()
    is_done: bool = False


@dataclass(frozen=True)
class ReviewSummary:
    """The review of a game.

    Attributes:
        first: How many plies before the first position looked at.
        looks: By ply, from there on.
        turns: The moves that mattered, by ply; their `at` counts from the first move.
        proved_at: After how many plies the result was proved for good, or None.
        answers: The winner's, from there.
    """

    first: int
    looks: tuple[Look, ...]
    turns: tuple[ReviewTurn, ...]
    proved_at: int | None
    answers: tuple[WinningReply, ...]

    def look(self, at: int) -> Look:
        """Return the look at the position after so many plies."""
        return self.looks[at - self.first]

    @property
    def winner(self) -> int | None:
        """The seat that wins, proved; None for a draw, or no proof."""
        return None if self.proved_at is None else winner_of(self.look(self.proved_at))


def count_steps(game: PlayedGame) -> int:
    """Return how many positions there are to look at."""
    return len(game.positions) - game.first


def take_step(findings: Findings, game: PlayedGame, think: Think) -> Findings:
    """Look at one more position, draw one better line further, or find one more answer."""
    if len(findings.looks) < count_steps(game):
        look = _look(findings, game, think)
        return replace(findings, looks=(*findings.looks, look))
    review = review_of(findings, game)
    for turn in review.turns:
        if _is_short(review.look(turn.at), game, turn.at):
            return _draw_further(findings, game, turn.at, think)
    if review.proved_at is None:
        return replace(findings, is_done=True)
    start, look = game.positions[review.proved_at], review.look(review.proved_at)
    answers = findings.answers or main_line(start, look)
    answer = answer_next(start, look, answers, think)
    if answer is None:
        return replace(findings, answers=answers, is_done=True)
    return replace(findings, answers=(*answers, answer))


def review_of(findings: Findings, game: PlayedGame) -> ReviewSummary:
    """Return what the findings mean; before all positions are looked at, of the last ones."""
    looks = settled(findings.looks[::-1])
    first = len(game.positions) - len(looks)
    turns = tuple(replace(turn, at=turn.at + first) for turn in turning_points(looks))
    at = proved_from(looks)
    return ReviewSummary(first, looks, turns, None if at is None else at + first, findings.answers)


def _is_short(look: Look, game: PlayedGame, at: int) -> bool:
    """Return whether a line says too little: a solver may prove a win by its first move alone."""
    return len(look.line) < SHORT_LINE and _end_of(look, game, at).outcome() is None


def _draw_further(findings: Findings, game: PlayedGame, at: int, think: Think) -> Findings:
    """Add to the line of a position what the search would play at its end."""
    index = len(game.positions) - 1 - at
    look = findings.looks[index]
    end = _end_of(look, game, at)
    thought = think(end, FURTHER + len(look.line))
    further = texts_of(end, thought.line or (thought.move,))
    longer = replace(look, line=(*look.line, *further)[:MAX_LINE])
    looks = (*findings.looks[:index], longer, *findings.looks[index + 1 :])
    return replace(findings, looks=looks)


def _end_of(look: Look, game: PlayedGame, at: int) -> AnyPosition:
    position = game.positions[at]
    for text in look.line:
        position = position.play(position.parse(text))
    return position


def _look(findings: Findings, game: PlayedGame, think: Think) -> Look:
    at = len(game.positions) - 1 - len(findings.looks)
    played = game.texts[at] if at < len(game.texts) else ""
    after = findings.looks[-1] if findings.looks else None
    return look_at(game.positions[at], played, after, think, at)


MAX_TURNS = 5  # turning points: more would point at nothing
# Expected score; a point of chances that is lost by less is no turning point.
TURNING = 0.15


@dataclass(frozen=True)
class ReviewTurn:
    """A move that lost more than others.

    Attributes:
        at: How many plies were played before it.
        before, after: What its player could expect before and after it, in [0, 1].
    """

    at: int
    before: float
    after: float

    @property
    def loss(self) -> float:
        return self.before - self.after


def settled(looks: Sequence[Look]) -> tuple[Look, ...]:
    """Carry proofs forward: where a seat is lost, it is lost after whatever it played.

    The search may prove a position and find nothing in the next one.

    Args:
        looks: By ply, first position first.
    """
    carried = list(looks)
    for at in range(len(carried) - 1):
        look, next_look = carried[at], carried[at + 1]
        own = proved_for_seat(look.proved, look.seat)
        is_kept = own == 0.0 or (own is not None and not look.best)
        if next_look.proved is None and is_kept:
            assert look.proved is not None  # its own score is known
            carried[at + 1] = replace(next_look, score=look.proved, proved=look.proved)
    return tuple(carried)


def losses(looks: Sequence[Look]) -> tuple[ReviewTurn, ...]:
    """Return what every move kept and gave away, by ply.

    Args:
        looks: Settled ones, by ply.
    """
    return tuple(
        ReviewTurn(at, for_seat(look.score, look.seat), for_seat(next_look.score, look.seat))
        for at, (look, next_look) in enumerate(pairwise(looks))
    )


def turning_points(looks: Sequence[Look]) -> tuple[ReviewTurn, ...]:
    """Return the moves that gave away most, in the order of the game."""
    mistakes = [turn for turn in losses(looks) if turn.loss >= TURNING and looks[turn.at].best]
    worst = sorted(mistakes, key=lambda turn: (-turn.loss, turn.at))[:MAX_TURNS]
    return tuple(sorted(worst, key=lambda turn: turn.at))


def proved_from(looks: Sequence[Look]) -> int | None:
    """Return the first position from which the result is proved, up to the last one.

    None when it is not proved at the end, or proved by nothing but the game being over.
    """
    if not looks or looks[-1].proved is None:
        return None
    first = len(looks) - 1
    while first and looks[first - 1].proved == looks[-1].proved:
        first -= 1
    is_only_over = first == len(looks) - 1 and looks[first].plies == 0
    return None if is_only_over else first


# Counts up whenever older findings could be misread; such a review is made anew.
VERSION = 1


def write(findings: Findings) -> dict[str, Any]:
    """Write findings as JSON can hold them. The pair of `read`."""
    return {"version": VERSION, **asdict(findings)}


def is_current(stored: Mapping[str, Any]) -> bool:
    """Return whether findings can be read, or are those of another version."""
    return stored.get("version") == VERSION


def read(stored: Mapping[str, Any]) -> Findings:
    """Read findings; those of another version count for nothing."""
    if not is_current(stored):
        return Findings()
    looks = (Look(**{**look, "line": tuple(look["line"])}) for look in stored["looks"])
    answers = (
        WinningReply(**{**answer, "path": tuple(answer["path"])}) for answer in stored["answers"]
    )
    return Findings(tuple(looks), tuple(answers), bool(stored["is_done"]))
