"""A board at any ply, with everything that a door needs to show it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, GameInfo
from sarsen.core.phrases import Phrase
from sarsen.games import load
from sarsen.language.clocks import ClockView
from sarsen.language.facts import PlayedMove, Words
from sarsen.services import clocks
from sarsen.services.board_cache import BoardCache, position_after
from sarsen.services.bots.due_boards import is_warming_up
from sarsen.services.limits.processor_time import ProcessorBudget
from sarsen.services.matches import claims, history, matches
from sarsen.services.matches.claims import ClaimView
from sarsen.services.matches.history import MatchEnd
from sarsen.services.matches.matches import Offer
from sarsen.services.matches.terms import CONTEST, write_terms
from sarsen.services.plans.stored_trees import player_plan_after
from sarsen.storage.models import ChatLine, Match, MatchSeat, Note, Player

# Lines of chat, and of notes, that a view carries, the newest: a page or mail shows all of them.
MAX_WORDS = 200
_WORDS = ("player__userid", "ply", "text", "at")


@dataclass(frozen=True)
class Own:
    """The facts of a board that only the viewer sees.

    Attributes:
        submitted: A move put forward that waits for a yes; "" for none.
        plan: What is planned from the present position, as `queue` would take it.
    """

    notes: tuple[Words, ...]
    submitted: str
    plan: str = ""


@dataclass(frozen=True)
class BoardView:
    """A board after some plies.

    Attributes:
        players: Userids by seat.
        ply: Plies shown.
        last_ply: Plies played so far.
        moves: All moves of the match, also those after `ply`.
        to_move: The seat to move; None when the match is over or `ply` is not the last.
        result: How the match ended, at its last ply; "" before.
        scores: By seat, or None while it runs.
        previewed: Moves in full form that were only tried, after `ply`.
        event: After how many events of the match the board stood like this; what
            answers a letter of it must find the match there still.
        chat: What was said at the board, oldest first.
        offer: What one side asks the other now, or None.
        pair: The board of the same pair match, or None.
        contest: The contest that it belongs to, or None.
        own: What only the viewer may see; None unless asked for.
        terms: The server's options where they are not the usual ones: `--totaltime=30`.
        clock: None when none runs, or the board is not shown as it is now.
        ending: What ended the match other than a move, at its last ply; None before.
        programs: Who of the players is a program.
        warming_up: The userid of the program to move while it cannot move yet; else "".
        claims: Of a win or a draw, oldest first; those that wait are for their player alone.
        may_claim: The seats that may claim now.
    """

    number: int
    game: GameInfo
    options: str
    players: tuple[str, ...]
    position: AnyPosition
    ply: int
    last_ply: int
    moves: tuple[PlayedMove, ...]
    to_move: int | None
    result: str
    scores: tuple[float, ...] | None
    started_at: datetime
    moved_at: datetime
    is_private: bool
    previewed: tuple[str, ...] = ()
    event: int = 0
    chat: tuple[Words, ...] = ()
    offer: Offer | None = None
    pair: int | None = None
    contest: int | None = None
    own: Own | None = None
    terms: str = ""
    clock: ClockView | None = None
    ending: MatchEnd | None = None
    programs: frozenset[str] = frozenset()
    warming_up: str = ""
    claims: tuple[ClaimView, ...] = ()
    may_claim: frozenset[int] = frozenset()

    @property
    def title(self) -> str:
        """`Druid Board 123`, the subject of all mail about it."""
        return title_of(self.game, self.number)

    @property
    def shown_moves(self) -> tuple[PlayedMove, ...]:
        """The moves up to the ply shown."""
        return self.moves[: self.ply]


def view_board(
    board: int,
    ply: int | None = None,
    *,
    game: str = "",
    viewer: Player | None = None,
    tried: tuple[str, ...] = (),
    event: int | None = None,
    personal: bool = False,
    budget: ProcessorBudget | None = None,
    boards: BoardCache | None = None,
) -> BoardView:
    """Return a board after `ply` plies, None for all, and after moves only tried.

    Args:
        event: As the board stood after so many events; moves may have been taken
            back since.
        personal: Also give what only the viewer may see.
        budget: The processor time that trying moves may take; None for any.
        boards: Loaded, judged and viewed before; None for none.

    Raises:
        UserError: No such board or ply, a private board, an illegal tried move.
    """
    cache = boards or BoardCache()

    def load_view() -> BoardView:
        match = matches.find(board, game, viewer=viewer, boards=cache)
        return _view(match, ply, tried, event, budget, cache)

    view = cache.get_or_make(("view", board, ply, tried, event), load_view)
    if view.is_private and (viewer is None or viewer.userid not in view.players):
        raise matches.unknown_board(board)
    matches.check_game(board, view.game.name, game)
    return replace(view, own=_own(view, viewer, cache)) if personal and viewer else view


def title_of(game: GameInfo, board: int) -> Phrase:
    """Return the title of a board: `Druid Board 123`."""
    return Phrase("{game} Board {board}", game=game.title, board=board)


def clock_seats_of(match: Match) -> tuple[clocks.ClockSeat, ...]:
    """Return the players of a match with what the clocks need, by seat."""
    return tuple(
        clocks.ClockSeat(
            seat.player_id,
            seat.player.userid,
            seat.player.timezone,
            seat.reserve,
            seat.player.is_bot,
        )
        for seat in match.seat_rows
    )


def _view(
    match: Match,
    ply: int | None,
    tried: tuple[str, ...],
    event: int | None,
    budget: ProcessorBudget | None,
    boards: BoardCache,
) -> BoardView:
    stored_events = history.stored_events_of(match, event)
    moves = history.standing_moves(stored_events)
    shown_ply = len(moves) if ply is None else ply
    _check_ply(match, shown_ply, len(moves))
    position = _position(match, moves, shown_ply, boards)
    previewed = []
    for text in tried:
        if budget:
            budget.check()
        # Remembered: a page first asks whether the moves may be tried, and then shows them.
        ruling = boards.judge(match.game, position.write(), text)
        position = ruling.position
        previewed.append(ruling.text)
    is_newest = event is None or event >= match.event_count
    is_last = is_newest and shown_ply == len(moves) and not tried
    is_over = match.ended_at is not None
    clock_seats = clock_seats_of(match)
    to_move = position.seat if is_last and not is_over else None
    is_warming = to_move is not None and _is_warming_up(match, to_move)
    made = claims.claims_of(match) if is_last else ()
    return BoardView(
        number=match.pk,
        game=load(match.game).info,
        options=match.options,
        players=tuple(seat.userid for seat in clock_seats),
        position=position,
        ply=shown_ply,
        last_ply=len(moves),
        moves=moves,
        to_move=to_move,
        result=match.reason if is_over and is_last else "",
        scores=tuple(match.scores) if is_over and is_last and match.scores else None,
        started_at=match.started_at,
        moved_at=match.moved_at,
        is_private=bool(match.terms.get("private")),
        previewed=tuple(previewed),
        event=_event(match, moves, shown_ply, event),
        chat=_chat(match),
        offer=_offer(match),
        pair=match.pair_id,
        contest=match.terms.get(CONTEST),
        terms=write_terms(match.terms),
        clock=clocks.view_clock(match, clock_seats) if is_last else None,
        ending=history.ending(stored_events) if is_last and is_over else None,
        programs=frozenset(seat.userid for seat in clock_seats if seat.is_bot),
        warming_up=clock_seats[position.seat].userid if is_warming else "",
        claims=made,
        may_claim=claims.seats_to_claim(match, made, timezone.now()) if is_last else frozenset(),
    )


def _is_warming_up(match: Match, seat: int) -> bool:
    """Return whether a seat belongs to a program that cannot move yet."""
    level = match.bots[seat] if match.bots else None
    return level is not None and is_warming_up(match.game, level)


def _position(
    match: Match, moves: tuple[PlayedMove, ...], ply: int, boards: BoardCache
) -> AnyPosition:
    """Return a position as it came out of its last move: with what that caused."""
    is_newest = ply == len(moves) and (not moves or moves[-1].event == match.event_count)
    position = boards.position_played(match.game, match.position) if is_newest else None
    if position is not None:
        return position
    texts = tuple(move.text for move in moves[:ply])
    return position_after(match.game, match.options, texts)


def _check_ply(match: Match, ply: int, last: int) -> None:
    if not 0 <= ply <= last:
        raise UserError(
            "Board {board} has {count} move: there is no position before move {ply}."
            if last == 1
            else "Board {board} has {count} moves: there is no position before move {ply}.",
            code="unknown-ply",
            hint=f"{match.game} show {match.pk}#{last + 1}",
            board=match.pk,
            count=last,
            ply=ply + 1,
        )


def _event(match: Match, moves: tuple[PlayedMove, ...], ply: int, event: int | None) -> int:
    """Return after how many events the board first stood as it is shown, or stands now."""
    if ply < len(moves):
        return moves[ply - 1].event if ply else 0
    return match.event_count if event is None else min(event, match.event_count)


def _chat(match: Match) -> tuple[Words, ...]:
    if match.has_chat is False:
        return ()
    return _words(ChatLine.objects.filter(match=match))


def _words(rows: QuerySet[Any]) -> tuple[Words, ...]:
    """Return the newest of some words, oldest first."""
    newest = rows.order_by("-pk").values_list(*_WORDS)[:MAX_WORDS]
    return tuple(Words(*row) for row in reversed(list(newest)))


def _offer(match: Match) -> Offer | None:
    offer = matches.read_offer(match.offer)
    return offer if offer is not None and offer.is_open else None


def _own(view: BoardView, viewer: Player, boards: BoardCache) -> Own:
    board = view.number
    loaded = boards.loaded.get(board)
    has_notes = loaded is None or loaded.has_notes
    notes = _words(Note.objects.filter(match=board, player=viewer)) if has_notes else ()
    if loaded is None:
        seats = list(MatchSeat.objects.filter(match=board, player=viewer).order_by("seat"))
    else:
        seats = [seat for seat in loaded.seat_rows if seat.player_id == viewer.pk]
    may_have_planned = view.to_move is not None and (loaded is None or loaded.has_plans)
    texts = tuple(move.text for move in view.moves)
    return Own(
        notes=notes,
        submitted=next((seat.submitted for seat in seats if seat.submitted), ""),
        plan=player_plan_after(viewer, board, texts) if may_have_planned else "",
    )
