"""A review under way: one bounded step at a time, and what it has found in the end."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sarsen.core.game import AnyPosition
from sarsen.search.reviews.looks import LONGEST_LINE, Look, Think, look_at, texts_of
from sarsen.search.reviews.proof import Answer, answer_next, main_line, winner_of
from sarsen.search.reviews.turns import Turn, proved_from, settled, turning_points

MOST_LOOKS = 400  # positions of one game, its last ones
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
        return max(0, len(self.positions) - MOST_LOOKS)


@dataclass(frozen=True)
class Findings:
    """What a review has found so far.

    Attributes:
        looks: The last position first.
        answers: Of the proof; none before all positions are looked at.
        is_done: Nothing is left to do.
    """

    looks: tuple[Look, ...] = ()
    answers: tuple[Answer, ...] = ()
    is_done: bool = False


@dataclass(frozen=True)
class Review:
    """What a review says of a game.

    Attributes:
        first: How many plies before the first position looked at.
        looks: By ply, from there on.
        turns: The moves that mattered, by ply; their `at` counts from the first move.
        proved_at: After how many plies the result was proved for good, or None.
        answers: The winner's, from there.
    """

    first: int
    looks: tuple[Look, ...]
    turns: tuple[Turn, ...]
    proved_at: int | None
    answers: tuple[Answer, ...]

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
    known = findings.answers or main_line(start, look)
    answer = answer_next(start, look, known, think)
    if answer is None:
        return replace(findings, answers=known, is_done=True)
    return replace(findings, answers=(*known, answer))


def review_of(findings: Findings, game: PlayedGame) -> Review:
    """Return what the findings mean."""
    looks = settled(findings.looks[::-1])
    first = game.first
    turns = tuple(replace(turn, at=turn.at + first) for turn in turning_points(looks))
    at = proved_from(looks)
    return Review(first, looks, turns, None if at is None else at + first, findings.answers)


def _is_short(look: Look, game: PlayedGame, at: int) -> bool:
    """Return whether a line says too little: a solver may prove a win by its first move alone."""
    return len(look.line) < SHORT_LINE and _end_of(look, game, at).outcome() is None


def _draw_further(findings: Findings, game: PlayedGame, at: int, think: Think) -> Findings:
    """Add to the line of a position what the search would play at its end."""
    back = len(game.positions) - 1 - at
    look = findings.looks[back]
    end = _end_of(look, game, at)
    thought = think(end, FURTHER + len(look.line))
    further = texts_of(end, thought.line or (thought.move,))
    longer = replace(look, line=(*look.line, *further)[:LONGEST_LINE])
    looks = (*findings.looks[:back], longer, *findings.looks[back + 1 :])
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
