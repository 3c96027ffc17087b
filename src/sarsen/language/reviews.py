"""The review of a finished game, as letters and pages show it; see `services.reviews`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.queries import ShownBoard
from sarsen.language.schema.fields import AtMost, BoardNumber, GameName, MayLack, MoveText
from sarsen.language.translating import N_, _, _n, sentence, translated, typed_next

AGAIN = "again"  # the word behind a board's number
MAX_AGAIN = 99  # more than any review has moves that cost a lot
WAITS = N_(
    "One of your running games stands where this review would help: it waits until that game has "
    "moved on."
)
# A player who ends a game although the search rates it so high is told of it.
WORTH_PLAYING = 0.3


@dataclass(frozen=True)
class TurningPoint:
    """A move that lost more than others.

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
    """A finished game with its analysis.

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
class ShowReview(Command):
    """Ask for the review of a finished game, or show it when it is ready; try its moves again.

    Attributes:
        again: Which of the moves that cost a lot is tried again, counted from 1; 0 for the review.
        move: What is tried there, or `show`; "" to see the task.
    """

    words = ("review", "analyse", "analyze")
    usage = "GAME review BOARD [USERID PASSWORD] [again [NUMBER [MOVE]]]"
    summary = N_(
        "After a game: the moves that mattered, what was better, and when the result became "
        "certain. It comes by mail."
    )
    details = N_(
        "`review 123 again` goes through the moves of yours that cost a lot, one by one: you see "
        "the position and look for a better move. `review 123 again 2 MOVE` tries one at the "
        "second of them, `review 123 again 2 show` shows what was better.\n\n"
        "Where a win or a draw was proven, a move is right or not. Where nothing is proven, "
        "nothing is right or wrong: you are told the chances."
    )
    scope = Scope.PLAY
    for_guests = True
    at_board = True

    game: GameName
    board: BoardNumber
    again: Annotated[int, AtMost(MAX_AGAIN), MayLack()] = 0
    move: Annotated[MoveText, MayLack()] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board, then `again` with a number and a move."""
        board, _ = tokens.board(f"{tokens.game or 'druid'} review 123 USERID PASSWORD")
        if tokens.peek().lower() != AGAIN:
            tokens.speaker()
        if tokens.peek().lower() != AGAIN:
            return cls(tokens.game, board)
        tokens.take()
        word = tokens.peek().lstrip("#")
        if not (word.isascii() and word.isdigit() and len(word) < 3):
            return cls(tokens.game, board, 1, tokens.rest())
        tokens.take()
        return cls(tokens.game, board, int(word), tokens.rest())


@dataclass(frozen=True)
class SetReviews(Command):
    """Set whether every game of the player is reviewed when it ends."""

    words = ("reviews",)
    usage = "reviews [USERID PASSWORD] on|off"
    summary = N_("With `on`, all your games are reviewed when they end.")
    scope = Scope.ACCOUNT

    are_on: bool

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read `on` or `off`."""
        tokens.speaker(leaves=1)
        word = tokens.take().lower()
        if word not in ("on", "off"):
            raise UserError(
                "Reviews of all your games are `on` or `off`. For a single one: review BOARD",
                code="reviews-word",
                hint="reviews USERID PASSWORD on",
            )
        return cls(word == "on")


@dataclass(frozen=True)
class ReviewAsked:
    """A review is being made.

    Attributes:
        done, of: Positions looked at so far, and all there are.
        is_new: The speaker had not asked for it before.
        by_mail: The speaker gets a mail when it is done.
        waits: It goes on when a running game of the speaker, in which it would help, has moved on.
    """

    board: int
    done: int
    of: int
    is_new: bool
    by_mail: bool = True
    waits: bool = False


@dataclass(frozen=True)
class ReviewShown:
    """A finished review."""

    board: int
    review: ReviewedGame

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw: the position before each turning point."""
        return tuple(ShownBoard(self.board, turn.ply - 1) for turn in self.review.turns)


@dataclass(frozen=True)
class ReviewsSet:
    """Whether every game of the player is reviewed when it ends."""

    are_on: bool


ReviewReply = ReviewAsked | ReviewShown | ReviewsSet


@sentence.register
def _review_asked(reply: ReviewAsked) -> str:
    if reply.is_new and not reply.done:
        text = _("Board {board} is being reviewed: it has {of} positions.")
    else:
        text = _("Board {board} is being reviewed: {done} of its {of} positions are done.")
    text = text.format(board=reply.board, of=reply.of, done=reply.done)
    parts = [text]
    if reply.waits:
        parts.append(translated(WAITS))
    if reply.by_mail:
        parts.append(_("You get a mail when it is done."))
    return " ".join(parts)


@sentence.register
def _review_shown(reply: ReviewShown) -> str:
    turns = (
        f"{turn_sentence(turn)}\n{line_words(turn.ply, turn.line)}" for turn in reply.review.turns
    )
    return "\n\n".join((lead_words(reply.review), *turns))


@sentence.register
def _reviews_set(reply: ReviewsSet) -> str:
    if reply.are_on:
        return _("From now on all your games are reviewed when they end.")
    return _("Your games are reviewed only when you ask.")


@typed_next.register
def _after_reviews_set(reply: ReviewsSet) -> str:
    return "" if reply.are_on else _("To ask for one: {line}").format(line="review BOARD")


def lead_words(review: ReviewedGame) -> str:
    """Return a text that says what the review says of the whole game."""
    parts = [proof_sentence(review), end_sentence(review), turns_sentence(review)]
    if review.first:
        long = _("Its first {count} moves were not reviewed: the game is very long.")
        parts.append(long.format(count=review.first))
    return " ".join(filter(None, parts))


def proof_sentence(review: ReviewedGame) -> str:
    """Return a text that says from where the result was proved: `From ply 31 on ann wins, proved:
    …`
    """
    if review.proved_ply is None:
        return _("Nothing about the result was proven until the last moves.")
    if not review.proved_for:
        drawn = _("From move {ply} on the game is a proven draw: neither side can force a win.")
        return drawn.format(ply=review.proved_ply)
    won = _("From move {ply} on, {winner} has a proven win: there is an answer to every move.")
    return won.format(ply=review.proved_ply, winner=review.proved_for)


def end_sentence(review: ReviewedGame) -> str:
    """Return a text that says when a game ended other than it stood; "" when it ended as it had
    to.
    """
    if review.ended_by_move:
        return ""
    chances = dict(zip(review.players, (review.chances[-1], 1 - review.chances[-1]), strict=False))
    loser = next(
        (player for player in review.players if review.winner and player != review.winner), ""
    )
    if loser and chances[loser] >= WORTH_PLAYING:
        stood = chance_words(chances[loser], is_proved=review.proved[-1])
        template = _(
            "The game ended too early for {loser}: {reason} {loser}'s position then: {chances}."
        )
        return template.format(loser=loser, reason=translated(review.reason), chances=stood)
    return ""


def turns_sentence(review: ReviewedGame) -> str:
    """Return a text that says how many moves mattered."""
    if not review.turns:
        return _("No single move cost much.")
    cost = _n("{count} move cost a lot.", "{count} moves cost a lot.", len(review.turns))
    return cost.format(count=len(review.turns))


def turn_sentence(turn: TurningPoint) -> str:
    """Return a text that says what was wrong with a move, and what was better."""
    played = _("Move {ply}: {player} played {move}.").format(
        ply=turn.ply, player=turn.player, move=turn.played
    )
    return f"{played} {better_sentence(turn)}"


def better_sentence(turn: TurningPoint) -> str:
    """Return a text that says what was better: `Better was d4: it wins at once; e5 loses,
    proved.`
    """
    return _("Better was {move}: {with_it}; {played}.").format(
        move=turn.better, with_it=_with_better(turn), played=_after_played(turn)
    )


def line_words(ply: int, line: tuple[str, ...]) -> str:
    """Write a line with the numbers of its plies: `24. d4 25. e6`."""
    return " ".join(f"{ply + at}. {text}" for at, text in enumerate(line))


def chance_words(score: float, *, is_proved: bool) -> str:
    """Return a text that says what somebody could expect: `72%`, or `won (proven)`."""
    if is_proved:
        certain = {1.0: _("won (proven)"), 0.0: _("lost (proven)")}
        return certain.get(score, _("a draw (proven)"))
    return _("{chances}%").format(chances=_hundred(score))


def _with_better(turn: TurningPoint) -> str:
    if turn.was_proved and turn.before == 1.0:
        if turn.plies == 1:
            return _("it wins at once")
        if not turn.plies:
            return _("it wins (proven)")
        return _("it wins within {count} moves (proven)").format(count=turn.plies)
    if turn.was_proved:
        return _("it draws (proven)")
    chances = _("{player}'s chances with it are {chances}%")
    return chances.format(player=turn.player, chances=_hundred(turn.before))


def _after_played(turn: TurningPoint) -> str:
    if turn.is_proved:
        loses = turn.after == 0.0
        template = _("{move} loses (proven)") if loses else _("{move} only draws (proven)")
        return template.format(move=turn.played)
    template = (
        _("after {move} {player}'s chances are {chances}%")
        if turn.was_proved
        else _("after {move} they are {chances}%")
    )
    return template.format(move=turn.played, player=turn.player, chances=_hundred(turn.after))


def _hundred(score: float) -> int:
    """Return chances in a hundred; what is not proved is neither certain nor hopeless."""
    return min(max(round(100 * score), 1), 99)
