"""A review as letters and pages show it, and a place in one of its lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.phrases import Phrase
from sarsen.games import load
from sarsen.language.reviews import ReviewedGame, TurningPoint
from sarsen.search.reviews.findings import WinningReply, replies_at
from sarsen.search.reviews.study import (
    PlayedGame,
    ReviewSummary,
    ReviewTurn,
    count_steps,
    is_current,
    read,
    review_of,
)
from sarsen.services.board_cache import position_after
from sarsen.services.matches import advice, history, matches
from sarsen.services.matches.advice import forbids_help
from sarsen.services.matches.terms import CONTEST
from sarsen.services.notices import Event, gets_mail
from sarsen.services.request import Player
from sarsen.storage.models import Match, Review

Path = tuple[str, ...]


@dataclass(frozen=True)
class ReviewState:
    """How far the review of a board is.

    Attributes:
        review: What it says, when it is done; None before.
        so_far: What it says of the last positions while it is made; None before and after.
        positions: Before each of its turning points.
        options: Of the board, as typed.
        has_ended: The game is over.
        is_asked: Somebody has asked for it.
        has_failed: It could not be made.
        done, of: Positions looked at so far, and all there are.
        by_mail: The viewer has asked for it, and gets a mail when it is done.
        may_wait: The viewer has not asked, and would get one.
        waits: It goes on when a running game of the viewer, in which it would help, has moved on.
    """

    board: int
    title: str
    review: ReviewedGame | None
    positions: tuple[AnyPosition, ...] = ()
    options: str = ""
    has_ended: bool = True
    is_asked: bool = False
    has_failed: bool = False
    so_far: ReviewedGame | None = None
    done: int = 0
    of: int = 0
    by_mail: bool = False
    may_wait: bool = False
    waits: bool = False


@dataclass(frozen=True)
class LinePlace:
    """A position along the best line from a position of a game.

    Attributes:
        ply: Of the first move of the line, counted from 1.
        step: How many moves of the line were made.
        played: What was played there; "" after the last move.
        better: What was better than that; "" for nothing.
        chance: What the first seat could expect where the line begins.
    """

    ply: int
    step: int
    line: Path
    position: AnyPosition
    player: str
    played: str
    better: str
    chance: float
    is_proved: bool


@dataclass(frozen=True)
class ProofPlace:
    """A place in the proof of a win.

    Attributes:
        ply: Of the next move, as the game would count it.
        path: From where the proof begins, in full form.
        winner, loser: Userids.
        is_winners: The winner is to move here.
        answer: What wins here, when the winner is to move; "" where none was worked out.
        plies: To the end at most, or None when that is not known.
        replies: What the loser may play, and whether the answer to it is worked out.
    """

    ply: int
    path: Path
    position: AnyPosition
    winner: str
    loser: str
    is_winners: bool
    answer: str
    plies: int | None
    replies: tuple[tuple[str, bool], ...]


def view_review(board: int, viewer: Player | None) -> ReviewState:
    """Return the review of a finished game, or how far it is.

    Raises:
        UserError: No such board, or a private one of others.
    """
    match = matches.find(board, viewer=viewer)
    title = _title_of(match)
    review = find_review(match)
    if review is None:
        return ReviewState(board, title, None, has_ended=match.ended_at is not None)
    if review.state == Review.State.DONE:
        reviewed = reviewed_game(match, review)
        positions = tuple(game_of(match).positions[turn.ply - 1] for turn in reviewed.turns)
        return ReviewState(board, title, reviewed, positions, match.options, is_asked=True)
    done = len(read(review.findings).looks)
    is_waiting = review.state == Review.State.WAITING
    is_reached = viewer is not None and gets_mail(viewer, Event.REVIEW)
    has_asked = is_reached and review.requests.filter(player=viewer).exists()
    game = game_of(match)
    return ReviewState(
        board,
        title,
        None,
        is_asked=True,
        has_failed=review.state == Review.State.FAILED,
        so_far=reviewed_game(match, review) if done and is_waiting else None,
        done=done,
        of=count_steps(game),
        by_mail=has_asked,
        may_wait=is_reached and not has_asked,
        # Of other people's running games nothing is told.
        waits=has_asked and viewer is not None and is_waiting and waits_for(viewer, match, game),
    )


def view_line(board: int, ply: int, step: int, viewer: Player | None) -> LinePlace:
    """Return a position along the best line from before a ply of a reviewed game.

    Raises:
        UserError: No such board, review, ply or step.
    """
    match, game, reading = _reading(board, viewer)
    at = ply - 1
    if not reading.first <= at < len(game.positions):
        raise _no_place(board)
    look = reading.look(at)
    if step > len(look.line):
        raise _no_place(board)
    seat = game.positions[at].seat
    return LinePlace(
        ply=ply,
        step=step,
        line=look.line,
        position=_after(game.positions[at], look.line[:step]),
        player=_userids(match)[seat],
        played=look.played,
        better=look.best if look.played else "",
        chance=look.score,
        is_proved=look.proved is not None,
    )


def view_proof(board: int, path: Path, viewer: Player | None) -> ProofPlace:
    """Return a place in the proof of a reviewed game's result.

    Raises:
        UserError: No such board, no proof there, or a path that leaves it.
    """
    match, game, reading = _reading(board, viewer)
    winner, at = reading.winner, reading.proved_at
    if winner is None or at is None:
        raise _no_place(board)
    answers = {answer.path: answer for answer in reading.answers}
    position = game.positions[at]
    for ply in range(len(path)):
        answer = answers.get(path[:ply])
        if position.seat == winner and (answer is None or answer.move != path[ply]):
            raise _no_place(board)
        position = _after(position, path[ply : ply + 1])
    is_over = position.outcome() is not None
    answer = answers.get(path)
    userids = _userids(match)
    replies = () if is_over or position.seat == winner else replies_at(position)
    return ProofPlace(
        ply=at + 1 + len(path),
        path=path,
        position=position,
        winner=userids[winner],
        loser=userids[1 - winner],
        is_winners=not is_over and position.seat == winner,
        answer=answer.move if answer else "",
        plies=answer.plies if answer else None,
        replies=tuple(
            (text, _is_answered(position, path, text, winner, answers)) for text in replies
        ),
    )


def find_review(match: Match) -> Review | None:
    """Return the review of a match; None when nobody has asked, or for one of an older version.

    Raises:
        UserError: The board runs in a contest where no program may help (E30), perhaps again, after
            its end was undone.
    """
    if match.ended_at is None and forbids_help(match):
        raise UserError(
            "Board {board} is played in contest {number} without help: a review comes after the "
            "game.",  # E30
            code="contest.no-help",
            hint=f"contest {match.terms[CONTEST]} law",
            board=match.pk,
            number=match.terms[CONTEST],
        )
    review = Review.objects.filter(match=match).first()
    if review is None or (review.state == Review.State.DONE and not is_current(review.findings)):
        return None
    return review


def is_reviewed(board: int) -> bool:
    """Return whether the review of a board is done, and not by an older version."""
    done = Review.objects.filter(match=board, state=Review.State.DONE)
    version = done.values_list("findings__version", flat=True).first()
    return version is not None and is_current({"version": version})


def waits_for(player: Player, match: Match, game: PlayedGame) -> bool:
    """Return whether a review would advise a player in a running game.

    A rated one, or one of a contest without help, that stands in a position of the game under
    review or may get it with the next move (E30).
    """
    boards = advice.running_boards(player, match.game)
    return any(
        advice.would_advise(positions, same)
        for positions, same in advice.by_options(game.positions, game.texts, boards)
    )


def game_of(match: Match) -> PlayedGame:
    """Return a finished match with all its positions."""
    texts = tuple(move.text for move in history.moves_of(match))
    positions = tuple(
        position_after(match.game, match.options, texts[:ply]) for ply in range(len(texts) + 1)
    )
    return PlayedGame(positions, texts)


def reviewed_game(match: Match, review: Review) -> ReviewedGame:
    """Return what a review has found: of the last positions alone, before it is done."""
    game = game_of(match)
    reading = review_of(read(review.findings), game)
    userids = _userids(match)
    scores = match.scores or []
    at = reading.proved_at
    return ReviewedGame(
        board=match.pk,
        game=match.game,
        title=_title_of(match),
        players=userids,
        winner=userids[scores.index(1.0)] if 1.0 in scores else "",
        reason=match.reason,
        ended_by_move=game.positions[-1].outcome() is not None,
        moves=game.texts,
        first=reading.first,
        chances=tuple(look.score for look in reading.looks),
        proved=tuple(look.proved is not None for look in reading.looks),
        turns=tuple(_turning_point(turn, reading, userids) for turn in reading.turns),
        proved_ply=None if at is None else at + 1,
        proved_for="" if reading.winner is None else userids[reading.winner],
        proof=() if at is None else reading.look(at).line,
    )


def _turning_point(turn: ReviewTurn, reading: ReviewSummary, userids: Path) -> TurningPoint:
    look, next_look = reading.look(turn.at), reading.look(turn.at + 1)
    return TurningPoint(
        ply=turn.at + 1,
        player=userids[look.seat],
        played=look.played,
        better=look.best,
        line=look.line,
        before=turn.before,
        after=turn.after,
        was_proved=look.proved is not None,
        is_proved=next_look.proved is not None,
        plies=look.plies,
    )


def _reading(board: int, viewer: Player | None) -> tuple[Match, PlayedGame, ReviewSummary]:
    match = matches.find(board, viewer=viewer)
    review = find_review(match)
    if review is None or review.state != Review.State.DONE:
        raise UserError(
            "There is no review of board {board} yet.",
            code="no-review",
            hint=f"{match.game} review {board}",
            board=board,
        )
    game = game_of(match)
    return match, game, review_of(read(review.findings), game)


def _is_answered(
    position: AnyPosition, path: Path, text: str, winner: int, answers: Mapping[Path, WinningReply]
) -> bool:
    """Return whether the proof goes on after a reply of the loser."""
    next_position = _after(position, (text,))
    if next_position.outcome() is not None or next_position.seat != winner:
        return True
    answer = answers.get((*path, text))
    return answer is not None and bool(answer.move)


def _userids(match: Match) -> Path:
    return tuple(match.seats.order_by("seat").values_list("player__userid", flat=True))


def _after(position: AnyPosition, texts: Path) -> AnyPosition:
    for text in texts:
        position = position.play(position.parse(text))
    return position


def _no_place(board: int) -> UserError:
    return UserError(
        "The review of board {board} has no such line.",
        code="no-such-line",
        hint=f"review {board}",
        board=board,
    )


def _title_of(match: Match) -> Phrase:
    return Phrase("{game} Board {board}", game=load(match.game).info.title, board=match.pk)
