"""A board in words: for screen readers, and for keyboards only.

The same addresses, forms and answers as the board with its picture; here the position is
sentences and a table of cells, and a move can be chosen step by step, by links alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from sarsen.core.game import AnyPosition
from sarsen.doors.web.board.moves import StepAddresses, step_addresses
from sarsen.doors.web.board.page import (
    ParticipantView,
    RequestedBoard,
    board_facts,
    refused_board,
    requested_board,
)
from sarsen.doors.web.board.pictures import ASKED, TAKEN, WORDS, prefers_words, remember
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.live_updates import board_news
from sarsen.doors.web.frame.parameters import takes
from sarsen.doors.web.frame.pictures import in_words, translated_cells
from sarsen.doors.web.frame.visitors import speaker, with_query
from sarsen.drawing.cells import CellTable
from sarsen.drawing.taps import Tree, tap_tree, tapped
from sarsen.language.ratings import reason_words
from sarsen.language.replies import Refusal
from sarsen.services.boards.view import BoardView

_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z])")
MAX_MOVES = 3000  # legal moves that are laid out; where there are more, they are typed
MAX_SPOTS = 12  # of one move, from an address that anybody may write
Spots = tuple[str, ...]
_IN_WORDS = re.compile(r"/boards/[0-9]{1,9}/(?:[0-9]{1,9}/)?text/")


@dataclass(frozen=True)
class Step:
    """One place that may be chosen next.

    Attributes:
        words: What stands there; "" where nothing is known of it.
        move: What is chosen with it, when nothing else can be; else "".
        moves: How many moves go on from there.
    """

    spot: str
    words: str
    move: str
    moves: int


@dataclass(frozen=True)
class StepGroup:
    """The next places in one row of the board."""

    head: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class PartialMove:
    """How far a move is chosen.

    Attributes:
        chosen: The places so far.
        groups: The places that may come next, by rows.
        complete: Moves that need no further place.
        move: The only move that is left, or "".
        steps: The same places by their names.
    """

    chosen: Spots = ()
    groups: tuple[StepGroup, ...] = ()
    complete: tuple[str, ...] = ()
    move: str = ""
    steps: dict[str, Step] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        """Whether anything can be chosen: the game goes on, and its moves are not too many."""
        return bool(self.groups or self.complete)


@dataclass(frozen=True)
class SpokenCell:
    """A cell of the table.

    Attributes:
        link: Where it leads to choose it; "" when it cannot come next.
        move: What is chosen with it, when that is all; "".
    """

    words: str
    spot: str
    link: str = ""
    move: str = ""
    is_chosen: bool = False


@dataclass(frozen=True)
class SpokenRow:
    """A row of the table of cells."""

    head: str
    cells: tuple[SpokenCell, ...]


@dataclass(frozen=True)
class SpokenPosition:
    """A position in words.

    Attributes:
        sentences: The position, a statement each.
        columns: Heads of the table; empty when there are none.
        fields: What a form that chooses the next place sends besides it.
        restart_link: The address where choosing begins anew.
    """

    sentences: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[SpokenRow, ...]
    choice: PartialMove
    fields: tuple[tuple[str, str], ...]
    restart_link: str


@dataclass(frozen=True)
class PositionAddress:
    """Where on the server a position is shown: a path, and its query.

    Attributes:
        move_word: The name under which the query holds a chosen move.
    """

    path: str
    query: tuple[tuple[str, str], ...] = ()
    move_word: str = "try"

    def link(self, *more: tuple[str, str]) -> str:
        """Return the address with more parameters."""
        return with_query(self.path, (*self.query, *more))


@takes(TAKEN)
@with_refusal_pages
def show_in_words(request: HttpRequest, board: int, ply: int | None = None) -> HttpResponse:
    """Show a board in words as it is, after some plies, or after moves that are only tried."""
    return remember(request, _page(request, requested_board(request, board, ply)))


def show_refused_in_words(
    request: HttpRequest, board: int, refusal: Refusal, typed: str
) -> HttpResponse:
    """Show the board in words again after a refused move."""
    return _page(request, refused_board(request, board, refusal, typed))


def is_in_words(path: str) -> bool:
    """Return whether a path is a page of this kind."""
    return _IN_WORDS.fullmatch(path.partition("?")[0]) is not None


def speak_position(
    position: AnyPosition,
    place: PositionAddress,
    chosen: list[str],
    *,
    chooses: bool,
    ended: str = "",
) -> SpokenPosition:
    """Put a position into words.

    Args:
        ended: How the game was ended there; see `drawing.describe`.
        chosen: Places of a move that were chosen so far.
        chooses: Whether a move may be chosen here.
    """
    table = translated_cells(position)
    choice = choose(position, table, chosen) if chooses else PartialMove()
    spot_query = [("spot", spot) for spot in choice.chosen]

    def spoken_cell(spot: str, words: str) -> SpokenCell:
        step = choice.steps.get(spot) if spot else None
        if step is None:
            return SpokenCell(words, spot, is_chosen=bool(spot) and spot in choice.chosen)
        link = (
            place.link((place.move_word, step.move))
            if step.move
            else place.link(*spot_query, ("spot", spot))
        )
        return SpokenCell(words, spot, link, step.move, spot in choice.chosen)

    return SpokenPosition(
        sentences=sentences(in_words(position, ended)),
        columns=table.columns,
        rows=tuple(
            SpokenRow(row.head, tuple(spoken_cell(cell.spot, cell.words) for cell in row.cells))
            for row in table.rows
        ),
        choice=choice,
        fields=(*place.query, *spot_query),
        restart_link=place.link(),
    )


def choose(position: AnyPosition, table: CellTable, chosen: Sequence[str]) -> PartialMove:
    """Return what may follow the places chosen so far; they end at the first that leads nowhere."""
    if len(position.legal_moves()) > MAX_MOVES:
        return PartialMove()
    tree: Tree | str | list[str] = tap_tree(position)
    reached: list[str] = []
    for spot in chosen[:MAX_SPOTS]:
        if not isinstance(tree, dict) or not spot or spot not in tree:
            break
        reached.append(spot)
        tree = tree[spot]
    remaining = _remaining_moves(tree)
    if reached and len(remaining) == 1:  # the places that are missing go without saying
        return PartialMove(chosen=tuple(reached), complete=remaining, move=remaining[0])
    complete = _complete_moves(tree)
    steps = _next_steps(tree, _words_by_spot(table)) if isinstance(tree, dict) else {}
    return PartialMove(
        chosen=tuple(reached),
        groups=_grouped(steps, table),
        complete=complete,
        steps=steps,
    )


def _remaining_moves(tree: Tree | str | list[str]) -> tuple[str, ...]:
    """Return the moves that the places so far may still become."""
    if not isinstance(tree, dict):
        return _complete_moves(tree)
    return tuple({text: None for _, text in tapped(tree)})


def _complete_moves(tree: Tree | str | list[str]) -> tuple[str, ...]:
    """Return the moves that the places so far make."""
    match tree:
        case str():
            return (tree,)
        case list():
            return tuple(tree)
        case dict():
            return _complete_moves(tree[""]) if "" in tree else ()


def _next_steps(tree: Tree, words: dict[str, str]) -> dict[str, Step]:
    steps = {}
    for spot, subtree in tree.items():
        if spot:
            moves = {text for _, text in tapped({spot: subtree})}
            move = next(iter(moves)) if len(moves) == 1 else ""
            steps[spot] = Step(spot, words.get(spot, ""), move, len(moves))
    return steps


def _words_by_spot(table: CellTable) -> dict[str, str]:
    return {cell.spot: cell.words for row in table.rows for cell in row.cells if cell.spot}


def _grouped(steps: dict[str, Step], table: CellTable) -> tuple[StepGroup, ...]:
    groups = [
        StepGroup(row.head, tuple(steps[cell.spot] for cell in row.cells if cell.spot in steps))
        for row in table.rows
    ]
    words = _words_by_spot(table)
    groups.append(StepGroup("Elsewhere", tuple(steps[spot] for spot in steps if spot not in words)))
    return tuple(group for group in groups if group.steps)


def sentences(words: str) -> tuple[str, ...]:
    """Return the sentences of a description, to step through them by ear."""
    return tuple(_SENTENCE_END.split(words))


def _page(request: HttpRequest, requested: RequestedBoard) -> HttpResponse:
    played, shown = requested.played, requested.shown
    page_path = request.path if is_in_words(request.path) else _address(played, None)
    facts = board_facts(request, requested, page_path=page_path)
    participant = facts["participant"]
    assert isinstance(participant, ParticipantView)
    tried_query = tuple(("try", move) for move in shown.previewed)
    chooses = played.ply == played.last_ply and (participant.is_turn or participant.may_explore)
    spoken = speak_position(
        shown.position,
        PositionAddress(page_path, tried_query),
        request.GET.getlist("spot"),
        chooses=chooses,
        ended=reason_words(shown.result),
    )
    if spoken.choice.move and participant.may_explore and request.method == "GET":
        return redirect(PositionAddress(page_path, tried_query).link(("try", spoken.choice.move)))
    facts |= {
        "spoken": spoken,
        "typed": requested.typed or spoken.choice.move,
        "board_path": _address(played, None),
        "steps": _steps(played),
        "always": prefers_words(request) or request.GET.get(ASKED) == WORDS,
        "news": {**board_news(played, speaker(request)), "last": _address(played, None)},
    }
    return render(
        request, "web/board/in_words.html", facts, status=422 if requested.refusal else 200
    )


def _steps(view: BoardView) -> StepAddresses:
    end = _address(view, None)
    return step_addresses(view.ply, view.last_ply, lambda ply: _address(view, ply), end)


def _address(view: BoardView, ply: int | None) -> str:
    if ply is None:
        return reverse("board-text", args=[view.number])
    return reverse("board-ply-text", args=[view.number, ply])
