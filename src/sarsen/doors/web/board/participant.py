"""What the viewer of a board may do there, and what concerns only the viewer."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.drawing.taps import presets
from sarsen.language.board_replies import move_matter
from sarsen.services.boards.view import BoardView
from sarsen.services.matches.spectators import is_watching
from sarsen.services.request import Player

MOST_BUTTONS = 40  # legal moves that are buttons
MOST_NAMED = 150  # legal moves that the field knows
NO_EXPLORATION = "--exploration=off"


@dataclass(frozen=True)
class ParticipantView:
    """One viewer's side of a board.

    Attributes:
        player: The viewer's userid; "" when nobody is logged in.
        seat: Where the viewer plays; the first of their seats.
        is_running: The game goes on, and the board is shown as it is now.
        is_turn: The viewer is to move then.
        due: The ply that is due.
        legal: Legal moves in full form; empty when there are too many, or it is not
            the viewer's turn.
        presets: Names and texts of moves to choose at one press; mostly empty.
        event: How many events the board has seen; an answer from an older page is void.
        offer: What is asked: `draw` or `undo`; "" when nothing is.
        offerer: Who asks it.
        back_to: How many moves would stand after a taking back.
        offer_event: After how many events it was asked.
        may_answer: The viewer has not agreed yet.
        may_explore: Moves may be tried here before they are played.
        may_take_back: The viewer has played a move that they may want back.
    """

    player: str
    plays: bool
    seat: int
    is_running: bool
    is_turn: bool
    may_play_tried: bool
    due: int
    legal: tuple[str, ...]
    presets: tuple[tuple[str, str], ...]
    has_buttons: bool
    offer: str
    offerer: str
    offer_event: int
    back_to: int
    may_answer: bool
    is_watching: bool
    event: int
    submitted: str
    submitted_matter: str
    is_resign_asked: bool
    may_explore: bool
    may_take_back: bool


def set_desk(view: BoardView, tried: tuple[str, ...], viewer: Player | None) -> ParticipantView:
    """Find out what a viewer may do at a board, after moves that they only try."""
    name = viewer.userid if viewer else ""
    plays = bool(name) and name in view.players
    is_running = view.to_move is not None
    is_turn = plays and view.to_move is not None and view.players[view.to_move] == name
    legal = _legal(view) if is_turn else ()
    offer = view.offer if is_running and view.offer and view.offer.is_open else None
    seats = [seat for seat, player in enumerate(view.players) if player == name]
    own = view.own if is_running else None
    submitted = own.submitted if own else ""
    return ParticipantView(
        player=name,
        plays=plays,
        seat=seats[0] if seats else 0,
        is_running=is_running,
        is_turn=is_turn,
        may_play_tried=is_turn and len(tried) == 1,
        due=view.last_ply + 1,
        legal=legal,
        presets=tuple(presets(view.position).items()) if is_turn and not tried else (),
        has_buttons=0 < len(legal) <= MOST_BUTTONS,
        offer=offer.kind if offer else "",
        offerer=view.players[offer.seat] if offer else "",
        offer_event=offer.event if offer else 0,
        back_to=offer.ply if offer else 0,
        may_answer=offer is not None and any(seat not in offer.agreed for seat in seats),
        is_watching=viewer is not None and not plays and is_watching(viewer, view.number),
        event=view.event,
        submitted=submitted,
        submitted_matter=move_matter(submitted) if submitted else "",
        is_resign_asked=own is not None and own.resign_asked_at is not None,
        may_explore=not is_running or NO_EXPLORATION not in view.terms.split(),
        may_take_back=any(move.seat in seats for move in view.moves),
    )


def _legal(view: BoardView) -> tuple[str, ...]:
    moves = view.position.legal_moves()
    if len(moves) > MOST_NAMED:
        return ()
    return tuple(view.position.format(move) for move in moves)
