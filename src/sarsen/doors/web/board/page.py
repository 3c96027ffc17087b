"""The page of a board, at every ply of its record: what it shows, and what its viewer may do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from sarsen.core.errors import UserError
from sarsen.doors.web.board.aims import aim_words
from sarsen.doors.web.board.lesson_offers import offers_lesson
from sarsen.doors.web.board.line_addresses import analysis_address
from sarsen.doors.web.board.moves import (
    StepAddresses,
    check_due,
    legal_texts,
    move_table,
    step_addresses,
    tried_moves,
    try_moves,
)
from sarsen.doors.web.board.own_rows import OwnRow, own_rows
from sarsen.doors.web.board.pictures import TAKEN, prefers_words, remember
from sarsen.doors.web.challenges.quick_start import next_strength
from sarsen.doors.web.frame.colour_choice import colours_of
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.live_updates import board_news
from sarsen.doors.web.frame.parameters import takes
from sarsen.doors.web.frame.pictures import (
    as_text,
    colour_of_side,
    in_words,
    inline_cells,
    inline_picture,
    inline_pieces,
    inline_plan,
)
from sarsen.doors.web.frame.visitors import speaker, zone_of
from sarsen.drawing.taps import moves_in_words, presets, prompts
from sarsen.drawing.view import pieces
from sarsen.language.challenges import terms_words
from sarsen.language.clocks import away_days, away_label, clock_sentence, reserve_words
from sarsen.language.contests.ladders import place_words
from sarsen.language.grammar.dates import day_words, short_stretch
from sarsen.language.grammar.time_zones import zone_called
from sarsen.language.learning.claims import CLAIM, claim_words, not_proven, waiting_words
from sarsen.language.moves import move_matter
from sarsen.language.ratings import present_words, ratings_text, reason_words
from sarsen.language.replies import Refusal
from sarsen.language.translating import translated
from sarsen.services.accounts.guests import is_guest_name
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.queries import MAX_PREVIEWED
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.bots.accounts import list_programs
from sarsen.services.challenges import rematches
from sarsen.services.contests.views.ladders import place_after
from sarsen.services.contests.views.listing import name_of
from sarsen.services.matches.claims import NOT_PROVEN, ClaimView, proof_line
from sarsen.services.matches.lobby import boards_in_play
from sarsen.services.matches.matches import Offer
from sarsen.services.matches.spectators import is_watching
from sarsen.services.notices import Event, gets_mail
from sarsen.services.plans.exploring import owners_of_public_trees
from sarsen.services.ratings.counting import ratings_of, view_finished
from sarsen.services.request import Player

MAX_BESIDE = 6  # other boards of the viewer: the page of all of them is one tap away
MAX_BUTTONS = 40  # legal moves that are buttons; more are found faster by typing
# Legal moves that the field knows: each makes the page longer, and many can be tapped.
MAX_NAMED = 150
# Of the frame that shows the board on other sites. Every board fits in: the picture scales, and
# to draw one only to learn its height would make the page slower.
FRAME_WIDTH, FRAME_HEIGHT = 480, 600
# A page waits this long for the move of a program, and gives up then.
AWAITED = timedelta(minutes=3)


@dataclass(frozen=True)
class SeatPanel:
    """One player at a board.

    Attributes:
        name: What the side is called in this game.
        colour: The role of the palette that its pieces are drawn in.
        is_to_move, has_won: As of the ply shown.
        time: The reserve, and whether the player is away, in words; mostly "".
        rating: In figures, after a rated game with what it changed; "" without one.
    """

    player: str
    name: str
    colour: str
    is_to_move: bool
    has_won: bool
    time: str
    rating: str


@dataclass(frozen=True)
class RequestedBoard:
    """A board as a request asks for it.

    Attributes:
        played: The board after a ply, or as it is.
        shown: The same after moves that are only tried.
        boards: With the board as it was loaded, once for the whole page.
        refusal: Why a move was refused there.
        typed: That move.
    """

    played: BoardView
    shown: BoardView
    boards: BoardCache
    refusal: Refusal | None = None
    typed: str = ""


def requested_board(
    request: HttpRequest, board: int, ply: int | None, *, checks_due: bool = False
) -> RequestedBoard:
    """Return a board after some plies, and after the moves that the address tries.

    Args:
        checks_due: Whether moves tried for a ply that has been played since are refused.
    """
    boards = BoardCache()
    boards.load([board])
    played = view_board(board, ply, viewer=speaker(request), personal=True, boards=boards)
    tried = tried_moves(request)
    if not tried:
        return RequestedBoard(played, played, boards)
    try:
        if checks_due:
            check_due(request, played, tried)
        return RequestedBoard(played, try_moves(request, played, ply, tried, boards), boards)
    except UserError as refused:
        refusal = Refusal(refused.text, refused.code, refused.hint)
        return RequestedBoard(played, played, boards, refusal, " ".join(tried))


def refused_board(request: HttpRequest, board: int, refusal: Refusal, typed: str) -> RequestedBoard:
    """Return a board as it is, at which a move was refused."""
    boards = BoardCache()
    boards.load([board])
    view = view_board(board, viewer=speaker(request), personal=True, boards=boards)
    return RequestedBoard(view, view, boards, refusal, typed)


@takes(TAKEN)
@with_refusal_pages
def show_board(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Show a board as it is, or after some plies, or after moves that are only tried."""
    if prefers_words(request):
        query = request.META.get("QUERY_STRING", "")
        return redirect(f"{request.path}text/{'?' if query else ''}{query}")
    requested = requested_board(request, board, ply, checks_due=True)
    return remember(request, _page(request, requested, page_path=request.path))


def show_refused(request: HttpRequest, board: int, refusal: Refusal, typed: str) -> HttpResponse:
    """Show the board again after a refused move."""
    requested = refused_board(request, board, refusal, typed)
    return _page(request, requested, page_path=reverse("board", args=[board]))


def _page(request: HttpRequest, requested: RequestedBoard, *, page_path: str) -> HttpResponse:
    beside = _other_boards(request, requested.played.number)
    facts = board_facts(request, requested, page_path=page_path) | {"beside": beside}
    return render(request, "web/board/page.html", facts, status=422 if requested.refusal else 200)


def _other_boards(request: HttpRequest, board: int) -> list[OwnRow]:
    """Return other boards of the viewer, as a list beside this one shows them."""
    viewer = speaker(request)
    boards = boards_in_play(viewer.pk, but=board, most=MAX_BESIDE) if viewer else ()
    return own_rows(boards, viewer, timezone.now()) if viewer else []


def board_facts(
    request: HttpRequest, requested: RequestedBoard, *, page_path: str
) -> dict[str, object]:
    """Return what the page of a board shows, with its picture or in words."""
    viewer, played, shown = speaker(request), requested.played, requested.shown
    is_last = played.ply == played.last_ply
    participant = participant_view(played, shown.previewed, viewer)
    sides = _sides(shown, requested.boards)
    own_seat = participant.seat if participant.plays else 0
    return {
        **_position_facts(shown),
        "sides": sides,
        # The viewer's own seat is below the board, all others above it.
        "above": [side for seat, side in enumerate(sides) if seat != own_seat],
        "below": sides[own_seat : own_seat + 1],
        "is_last": is_last,
        "participant": participant,
        "aim": _aim(request, played, participant) if is_last else "",
        "offers_lesson": is_last
        and participant.plays
        and offers_lesson(played, participant.seat, viewer),
        "tried": shown.previewed,
        "is_awaited": not shown.previewed and not requested.refusal and _is_awaited(played),
        **_result_facts(played, viewer, requested.boards),
        "refusal": requested.refusal,
        "typed": requested.typed,
        "page_path": page_path,
        **_clock_facts(played, zone_of(request)),
        "agreed": terms_words(played.terms),
        "board_path": reverse("board", args=[played.number]),
        "frame_line": _frame_line(played),
        **_addresses(shown, is_last=is_last),
        "news": board_news(played, viewer),
        "contest_name": translated(name_of(played.contest)),
    }


def _aim(request: HttpRequest, view: BoardView, participant: ParticipantView) -> str:
    if not participant.plays:
        return ""
    return aim_words(view, participant.seat, colours_of(request).palette)


def _frame_line(view: BoardView) -> str:
    """Write the line that shows a public board on another site; "" for a private one."""
    if view.is_private:
        return ""
    address = f"{settings.SARSEN_URL}{reverse('embed', args=[view.number])}"
    return (
        f'<iframe src="{address}" title="{view.title}" width="{FRAME_WIDTH}" '
        f'height="{FRAME_HEIGHT}" style="border:0;max-width:100%" loading="lazy"></iframe>'
    )


def _addresses(shown: BoardView, *, is_last: bool) -> dict[str, str]:
    """Return where else the position shown can be looked at: in words, and among variations."""
    tried = [("try", move) for move in shown.previewed]
    words = reverse("board-ply-text", args=[shown.number, shown.ply])
    variations = reverse("variations", args=[shown.number])
    at_ply = f"{variations}?{urlencode([('ply', str(shown.ply)), *tried])}"
    if tried:
        return {"words_path": f"{words}?{urlencode(tried)}", "variations_path": at_ply}
    if is_last:
        words, at_ply = reverse("board-text", args=[shown.number]), variations
    return {"words_path": words, "variations_path": at_ply}


def _clock_facts(view: BoardView, zone: str) -> dict[str, str]:
    """Return until when the move must come: in a sentence, as a day, and as the time left.

    The last two are "" where no time is left, or no clock runs.
    """
    clock, now = view.clock, timezone.now()
    if clock is None:
        return {"clock": "", "due_day": "", "left": ""}
    sentence = clock_sentence(clock, zone, now)
    if clock.due_at <= now:
        return {"clock": sentence, "due_day": "", "left": ""}
    zone_info = zone_called(zone)
    day = day_words(clock.due_at.astimezone(zone_info).date(), now.astimezone(zone_info).date())
    return {"clock": sentence, "due_day": day, "left": short_stretch(clock.due_at - now)}


def _is_awaited(view: BoardView) -> bool:
    """Return whether a program is about to move here, so that the page had better look again."""
    is_programs_turn = view.to_move is not None and view.players[view.to_move] in view.programs
    return is_programs_turn and timezone.now() - view.moved_at < AWAITED


def _result_facts(view: BoardView, viewer: Player | None, boards: BoardCache) -> dict[str, object]:
    """Return what a finished game did to ratings and places, its rematch and variations."""
    if view.to_move is not None:
        return {}
    game = view_finished(view.number, viewer, boards)
    if game is None:
        return {}
    place = place_after(view.contest, view.number, viewer) if viewer else None
    return {
        "finished": game,
        "place": place_words(place) if place else "",
        "stronger": _stronger(view, viewer, game.winner),
        "rated": ratings_text(game),
        "rematch": rematches.open_rematch(view.number),
        "published": owners_of_public_trees(view.number, viewer),
        "analysis_path": analysis_address(
            view.game.name, view.options, [move.text for move in view.moves[: view.ply]]
        ),
        "proof": _proof_links(view),
    }


def _proof_links(view: BoardView) -> list[tuple[str, str]]:
    """Return the moves of a line of the proof that ended a game, each with where it is shown."""
    if view.ending is None or view.ending.kind != CLAIM:
        return []
    line = proof_line(view.number)[:MAX_PREVIEWED]
    start = reverse("board-ply", args=[view.number, view.last_ply])
    return [
        (move, f"{start}?{urlencode([('try', one) for one in line[: shown + 1]])}")
        for shown, move in enumerate(line)
    ]


def _stronger(view: BoardView, viewer: Player | None, winner: str) -> tuple[str, str] | None:
    """Return words and userid of the next stronger program, to one who has beaten a program."""
    if viewer is None or winner != viewer.userid or not view.programs:
        return None
    return next_strength(list_programs(), next(iter(view.programs)))


def _position_facts(view: BoardView) -> dict[str, object]:
    mover = view.players[view.to_move] if view.to_move is not None else ""
    return {
        "board": view,
        "picture": inline_picture(view.position),
        "plan": inline_plan(view.position),
        "cells": inline_cells(view.position),
        "words": in_words(view.position, reason_words(view.result)),
        "text_board": as_text(view.position),
        "effects": view.position.effects(),
        "shown_move": view.moves[view.ply - 1] if view.ply and not view.previewed else None,
        "moved_by": view.players[view.moves[view.ply - 1].seat] if view.ply else "",
        "moves": move_table(
            view.moves,
            len(view.players),
            reverse("board", args=[view.number]),
            view.ply,
            pieces(view.game.name),
        ),
        "pieces": inline_pieces(view.game.name),
        "steps": _steps(view),
        "mover": mover,
        "moves_by_mail": bool(mover) and not (mover in view.programs or is_guest_name(mover)),
    }


def _sides(view: BoardView, boards: BoardCache) -> tuple[SeatPanel, ...]:
    shows_result = view.scores is not None
    ratings = ratings_of(view.number, timezone.now(), shows_result=shows_result, boards=boards)
    return tuple(
        SeatPanel(
            player=player,
            name=name,
            colour=colour_of_side(view.game, name),
            is_to_move=view.to_move == seat,
            has_won=view.scores is not None and view.scores[seat] == 1,
            time=_time_words(view, seat),
            rating=present_words(ratings[seat]),
        )
        for seat, (player, name) in enumerate(zip(view.players, view.position.sides, strict=True))
    )


def _time_words(view: BoardView, seat: int) -> str:
    clock, now = view.clock, timezone.now()
    if clock is None:
        return ""
    away = away_label(*away_days(clock, view.players[seat], now), now.date())
    return " · ".join(filter(None, (reserve_words(clock, seat), away)))


def _steps(view: BoardView) -> StepAddresses:
    number, end = view.number, reverse("board", args=[view.number])
    return step_addresses(
        view.ply, view.last_ply, lambda ply: reverse("board-ply", args=[number, ply]), end
    )


@dataclass(frozen=True)
class ParticipantView:
    """One viewer's side of a board.

    Attributes:
        seat: Where the viewer plays; the first of several seats.
        is_running: The game goes on, and the board is shown as it is now.
        is_turn: The viewer is to move then.
        due: The ply that is due.
        legal: Legal moves in full form; empty when there are too many, or it is not
            the viewer's turn.
        presets: Names and texts of moves to choose at one press; mostly empty.
        event: How many events the board has seen; an answer from an older page is void.
        is_worded: Below the board stand a prompt and buttons for moves that name no place.
        offer: The open offer of a side; None when there is none.
        offerer: The userid of that side.
        may_answer: The viewer has not agreed yet.
        may_explore: Moves may be tried here before they are played.
        may_take_back: The viewer has played a move.
        gets_mail: Turns are announced to the viewer by mail.
        may_claim: The viewer may claim a win or a draw.
        claims: What the viewer reads of those that were made, oldest first.
        claimed: What the viewer reads of one that was made in this position; "" without one.
        opponent: The userid of the other player.
    """

    plays: bool
    seat: int
    is_running: bool
    is_turn: bool
    may_play_tried: bool
    due: int
    legal: tuple[str, ...]
    presets: tuple[tuple[str, str], ...]
    is_worded: bool
    has_buttons: bool
    offer: Offer | None
    offerer: str
    may_answer: bool
    is_watching: bool
    event: int
    submitted: str
    submitted_matter: str
    may_explore: bool
    may_take_back: bool
    gets_mail: bool
    may_claim: bool
    claims: tuple[str, ...]
    claimed: str
    opponent: str


def participant_view(
    view: BoardView, tried: tuple[str, ...], viewer: Player | None
) -> ParticipantView:
    """Return what a viewer may do at a board, after moves that are only tried."""
    name = viewer.userid if viewer else ""
    plays = bool(name) and name in view.players
    is_running = view.to_move is not None
    is_turn = plays and view.to_move is not None and view.players[view.to_move] == name
    legal = legal_texts(view.position, MAX_NAMED) if is_turn else ()
    offer = view.offer if is_running and view.offer and view.offer.is_open else None
    seats = [seat for seat, player in enumerate(view.players) if player == name]
    own = view.own if is_running else None
    submitted = own.submitted if own else ""
    is_last_claim = bool(view.claims) and view.claims[-1].ply == view.last_ply
    return ParticipantView(
        plays=plays,
        seat=seats[0] if seats else 0,
        is_running=is_running,
        is_turn=is_turn,
        may_play_tried=is_turn and len(tried) == 1,
        due=view.last_ply + 1,
        legal=legal,
        presets=tuple(presets(view.position).items()) if is_turn and not tried else (),
        is_worded=is_turn and bool(prompts(view.position)) and bool(moves_in_words(view.position)),
        has_buttons=0 < len(legal) <= MAX_BUTTONS,
        offer=offer,
        offerer=view.players[offer.seat] if offer else "",
        may_answer=offer is not None and any(seat not in offer.agreed for seat in seats),
        is_watching=viewer is not None and not plays and is_watching(viewer, view.number),
        event=view.event,
        submitted=submitted,
        submitted_matter=move_matter(submitted) if submitted else "",
        may_explore=not is_running or "--exploration=off" not in view.terms.split(),
        may_take_back=any(move.seat in seats for move in view.moves),
        gets_mail=viewer is not None and gets_mail(viewer, Event.TURN),
        may_claim=bool(view.may_claim.intersection(seats)),
        claims=tuple(_claims(view, name, view.claims)),
        claimed=next(_claims(view, name, view.claims[-1:] if is_last_claim else ()), ""),
        opponent=next((player for player in view.players if player != name), name),
    )


def _claims(view: BoardView, name: str, claims: Iterable[ClaimView]) -> Iterator[str]:
    """Yield what a viewer reads of claims at a board: their own is answered in two words."""
    for made in claims:
        by = view.players[made.seat]
        if not made.answer and by == name:
            yield waiting_words()
        elif made.answer == NOT_PROVEN:
            yield not_proven() if by == name else claim_words(by, draw=made.is_draw)
