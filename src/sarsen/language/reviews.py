"""The review of a finished game, as letters and pages show it; see `services.reviews`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.core.errors import UserError
from sarsen.language.grammar.sentence import Sentence
from sarsen.language.queries import ShownBoard
from sarsen.language.translating import sentence


@dataclass(frozen=True)
class TurningPoint:
    """A move that gave away more than others did.

    Attributes:
        ply: Of the move, counted from 1.
        line: Best play for both, beginning with the better move.
        before, after: What the player could expect before and after it, in [0, 1].
        was_proved, is_proved: Whether that is proved, before and after it.
        plies: From the better move to the proved end at most, or None.
    """

    ply: int
    player: str
    played: str
    better: str
    line: tuple[str, ...]
    before: float
    after: float
    was_proved: bool
    is_proved: bool
    plies: int | None


@dataclass(frozen=True)
class ReviewedGame:
    """A finished game with what a search says of it.

    Attributes:
        title: `Druid Board 123`.
        players: Userids by seat.
        winner: The userid that won alone; "" for a draw.
        reason: How it ended, a sentence without names of players.
        ended_by_move: Not by a resignation, the clock, or an agreement.
        moves: All of them, in full form.
        first: How many plies of a very long game were left out at its beginning.
        chances: What the first seat could expect after `first`, `first` + 1 … plies.
        proved: Which of these are proved.
        turns: By ply.
        proved_ply: From this ply on, counted from 1, the result was proved; or None.
        proved_for: Who wins from there; "" for a draw.
        proof: Best play for both from there.
    """

    board: int
    game: str
    title: str
    players: tuple[str, ...]
    winner: str
    reason: str
    ended_by_move: bool
    moves: tuple[str, ...]
    first: int
    chances: tuple[float, ...]
    proved: tuple[bool, ...]
    turns: tuple[TurningPoint, ...]
    proved_ply: int | None
    proved_for: str
    proof: tuple[str, ...]


@dataclass(frozen=True)
class ShowReview:
    """Ask for the review of a finished game, or show it when it is done."""

    words: ClassVar[tuple[str, ...]] = ("review", "analyse", "analyze")
    usage: ClassVar[str] = "GAME review BOARD [USERID PASSWORD]"
    summary: ClassVar[str] = (
        "After a game: the moves that mattered, what was better, and from when on the result was "
        "certain. It comes by mail."
    )

    game: str
    board: int

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board."""
        board, _ = sentence.board(f"{sentence.game or 'druid'} review 123 USERID PASSWORD")
        sentence.speaker()
        return cls(sentence.game, board)


@dataclass(frozen=True)
class SetReviews:
    """Set whether every game of the speaker is reviewed when it ends."""

    words: ClassVar[tuple[str, ...]] = ("reviews",)
    usage: ClassVar[str] = "reviews [USERID PASSWORD] on|off"
    summary: ClassVar[str] = "With `on`, all your games are reviewed when they end."

    are_on: bool

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read `on` or `off`."""
        sentence.speaker(leaves=1)
        word = sentence.take().lower()
        if word not in ("on", "off"):
            raise UserError(
                "Reviews of all your games are `on` or `off`. For a single one: review BOARD",
                code="reviews-word",
                hint="reviews USERID PASSWORD on",
            )
        return cls(word == "on")


__all__ = [
    "ReviewAsked",
    "ReviewReply",
    "ReviewShown",
    "ReviewedGame",
    "ReviewsSet",
    "TurningPoint",
]


@dataclass(frozen=True)
class ReviewAsked:
    """A review is being made; the speaker is told when it is done.

    Attributes:
        done, of: Positions looked at so far, and all there are.
        is_new: The speaker had not asked for it before.
    """

    board: int
    done: int
    of: int
    is_new: bool


@dataclass(frozen=True)
class ReviewShown:
    """A review that is done."""

    board: int
    review: ReviewedGame

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw: the position before each turning point."""
        return tuple(ShownBoard(self.board, turn.ply - 1) for turn in self.review.turns)


@dataclass(frozen=True)
class ReviewsSet:
    """Whether every game of the speaker is reviewed when it ends."""

    are_on: bool


ReviewReply = ReviewAsked | ReviewShown | ReviewsSet


# A player who ends a game although the search rates it so high is told of it.
WORTH_PLAYING = 0.3


@sentence.register
def _review_asked(reply: ReviewAsked) -> str:
    how_far = f"{reply.done} of its {reply.of} positions have been looked at so far"
    if reply.is_new and not reply.done:
        return (
            f"Board {reply.board} is being reviewed: it has {reply.of} positions, "
            "and the last one comes first. You get a mail when it is done."
        )
    return f"Board {reply.board} is being reviewed: {how_far}. You get a mail when it is done."


@sentence.register
def _review_shown(reply: ReviewShown) -> str:
    turns = (
        f"{turn_sentence(turn)}\n{line_words(turn.ply, turn.line)}" for turn in reply.review.turns
    )
    return "\n\n".join((lead_words(reply.review), *turns))


@sentence.register
def _reviews_set(reply: ReviewsSet) -> str:
    if reply.are_on:
        return "From now on all your games are reviewed when they end."
    return "Your games are reviewed only when you ask: review BOARD"


def lead_words(review: ReviewedGame) -> str:
    """Return a text that says what the review says of the whole game."""
    parts = [proof_sentence(review), end_sentence(review), turns_sentence(review)]
    if review.first:
        parts.append(f"Its first {review.first} moves were not looked at: the game is very long.")
    return " ".join(filter(None, parts))


def proof_sentence(review: ReviewedGame) -> str:
    """Return a text that says from where the result was proved: `From ply 31 on ann wins, proved:
    …`
    """
    if review.proved_ply is None:
        return "Nothing about the result was proved until the last moves."
    if not review.proved_for:
        return (
            f"From move {review.proved_ply} on the game is a proven draw: nobody can force a win."
        )
    others = " and ".join(one for one in review.players if one != review.proved_for)
    return (
        f"From move {review.proved_ply} on, {review.proved_for} has a proven win: there is an "
        f"answer to whatever {others or 'the other side'} plays."
    )


def end_sentence(review: ReviewedGame) -> str:
    """Return a text that says when a game ended other than it stood; "" when it ended as it had
    to.
    """
    if review.ended_by_move:
        return ""
    chances = dict(zip(review.players, (review.chances[-1], 1 - review.chances[-1]), strict=False))
    loser = next((one for one in review.players if review.winner and one != review.winner), "")
    if loser and chances[loser] >= WORTH_PLAYING:
        stood = chance_words(chances[loser], is_proved=review.proved[-1])
        return f"It ended too early for {loser}: {review.reason} {loser} stood there: {stood}."
    return ""


def turns_sentence(review: ReviewedGame) -> str:
    """Return a text that says how many moves mattered."""
    if not review.turns:
        return "No single move cost much."
    if len(review.turns) == 1:
        return "One move cost a lot."
    return f"{len(review.turns)} moves cost a lot."


def turn_sentence(turn: TurningPoint) -> str:
    """Return a text that says what was wrong with a move, and what was better."""
    return f"Move {turn.ply}: {turn.player} played {turn.played}. {better_sentence(turn)}"


def better_sentence(turn: TurningPoint) -> str:
    """Return a text that says what was better: `Better was d4: it wins at once; e5 loses,
    proved.`
    """
    return f"Better was {turn.better}: {_with_better(turn)}; {_after_played(turn)}."


def line_words(ply: int, line: tuple[str, ...]) -> str:
    """Write a line with the numbers of its plies: `24. d4 25. e6`."""
    return " ".join(f"{ply + at}. {text}" for at, text in enumerate(line))


def chance_words(score: float, *, is_proved: bool) -> str:
    """Return a text that says what somebody could expect: `72 in 100`, or `won, proved`."""
    if is_proved:
        return f"{ {1.0: 'won', 0.0: 'lost'}.get(score, 'a draw') }, proved"
    return f"{_hundred(score)} in 100"


def _with_better(turn: TurningPoint) -> str:
    if turn.was_proved and turn.before == 1.0:
        within = f" within {turn.plies} moves" if turn.plies and turn.plies > 1 else ""
        return "it wins at once" if turn.plies == 1 else f"it wins{within}, proved"
    if turn.was_proved:
        return "it draws, proved"
    return f"{turn.player}'s chances with it are {_hundred(turn.before)} in 100"


def _after_played(turn: TurningPoint) -> str:
    if turn.is_proved:
        return f"{turn.played} {'loses' if turn.after == 0.0 else 'only draws'}, proved"
    whose = f"{turn.player}'s chances" if turn.was_proved else "they"
    return f"after {turn.played} {whose} are {_hundred(turn.after)} in 100"


def _hundred(score: float) -> int:
    """Return chances in a hundred; what is not proved is neither certain nor hopeless."""
    return min(max(round(100 * score), 1), 99)
