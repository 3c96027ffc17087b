"""The page of a review, and pages to step through its lines and its proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.doors.web.board.line_addresses import read_path
from sarsen.doors.web.board.moves import StepAddresses, step_addresses
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.pictures import in_words, inline_picture
from sarsen.doors.web.frame.visitors import render_private, speaker, with_query
from sarsen.drawing.pointing import Sign, pointed
from sarsen.drawing.svg import svg
from sarsen.drawing.view import roles_of_sides
from sarsen.language.reviews import (
    WAITS,
    ReviewedGame,
    TurningPoint,
    better_sentence,
    chance_words,
    lead_words,
)
from sarsen.language.translating import _, translated
from sarsen.services.reviews.view import (
    LinePlace,
    ProofPlace,
    ReviewState,
    view_line,
    view_proof,
    view_review,
)

Link = tuple[str, str]


@dataclass(frozen=True)
class ShownTurn:
    """A turning point on the page.

    Attributes:
        line: The better line: texts with where each leads.
    """

    turn: TurningPoint
    sentence: str
    picture: SafeString
    words: str
    line: tuple[Link, ...]


@dataclass(frozen=True)
class ReviewRow:
    """One ply in the table: its move, and what the first player could expect before it."""

    ply: int
    text: str
    chances: str
    link: str


@with_refusal_pages
def show_review(request: HttpRequest, board: int) -> HttpResponse:
    """Show a review, or how far it is, or how to have one made."""
    state = view_review(board, speaker(request))
    facts: dict[str, object] = {"state": state, "waits": WAITS, "page_path": request.path}
    if state.so_far is not None:
        facts |= _course_facts(replace(state.so_far, turns=()), state.of)
    elif state.review is not None:
        facts |= _review_facts(state, state.review)
        viewer = speaker(request)
        facts["has_own_turns"] = viewer is not None and any(
            turn.player == viewer.userid for turn in state.review.turns
        )
    return render_private(request, "web/board/review.html", facts)


@with_refusal_pages
def show_line(request: HttpRequest, board: int, ply: int, step: int = 0) -> HttpResponse:
    """Show a position along the best line from before a ply."""
    place = view_line(board, ply, step, speaker(request))
    facts = {
        "title": view_review(board, speaker(request)).title,
        "board": board,
        "place": place,
        "links": _line_links(board, ply, place.line),
        "steps": _steps(board, place),
        "picture": _line_picture(place),
        "words": in_words(place.position),
        "text_board": translated(drawing.text(place.position)),
        "effects": place.position.effects() if step else (),
    }
    return render_private(request, "web/board/review_line.html", facts)


@with_refusal_pages
def show_proof(request: HttpRequest, board: int) -> HttpResponse:
    """Show a place in the proof of a win."""
    path = read_path(request.GET.get("m", ""))
    place = view_proof(board, path, speaker(request))
    answer: tuple[tuple[str, Sign], ...] = ((place.answer, "ring"),) if place.answer else ()
    facts = {
        "title": view_review(board, speaker(request)).title,
        "board": board,
        "place": place,
        "path": [
            (text, _proof_address(board, path[: at + 1])) for at, text in enumerate(place.path)
        ],
        "start": _proof_address(board, ()),
        "is_over": place.position.outcome() is not None,
        "outcome": place.position.outcome(),
        "answer_link": _proof_address(board, (*path, place.answer)),
        "replies": _replies(board, place),
        "picture": pointed_picture(place.position, answer),
        "words": in_words(place.position),
        "text_board": translated(drawing.text(place.position)),
    }
    return render_private(request, "web/board/review_proof.html", facts)


def _review_facts(state: ReviewState, review: ReviewedGame) -> dict[str, object]:
    pairs = zip(review.turns, state.positions, strict=True)
    return {
        **_course_facts(review, len(review.chances)),
        "lead": lead_words(review),
        "turns": [_shown_turn(review.board, turn, position) for turn, position in pairs],
        "proof": _line_links(review.board, review.proved_ply, review.proof)
        if review.proved_ply and len(review.proof) > 1
        else (),
    }


def _course_facts(review: ReviewedGame, positions: int) -> dict[str, object]:
    return {
        "review": review,
        "graph": graph(review, positions),
        "roles": roles_of_sides(review.game),
        "rows": _rows(review),
        "last_ply": len(review.moves),
    }


def _shown_turn(board: int, turn: TurningPoint, position: AnyPosition) -> ShownTurn:
    return ShownTurn(
        turn,
        better_sentence(turn),
        pointed_picture(position, ((turn.played, "cross"), (turn.better, "ring"))),
        in_words(position),
        _line_links(board, turn.ply, turn.line),
    )


def _rows(review: ReviewedGame) -> list[ReviewRow]:
    rows = []
    for at, (chance, is_proved) in enumerate(zip(review.chances, review.proved, strict=True)):
        ply = review.first + at + 1
        text = review.moves[ply - 1] if ply <= len(review.moves) else ""
        words = chance_words(chance, is_proved=is_proved)
        rows.append(ReviewRow(ply, text, words, reverse("review-ply", args=[review.board, ply])))
    return rows


def _line_picture(place: LinePlace) -> SafeString:
    """Point out the moves that come next: the one played and a better one, or the line's."""
    if place.step == 0 and place.played and place.better:
        return pointed_picture(place.position, ((place.played, "cross"), (place.better, "ring")))
    if place.step < len(place.line):
        return pointed_picture(place.position, ((place.line[place.step], "ring"),))
    return inline_picture(place.position)


def pointed_picture(position: AnyPosition, moves: tuple[tuple[str, Sign], ...]) -> SafeString:
    """Draw a position for a page, with signs on moves: a cross on what was played, a ring."""
    parsed = [(position.parse(text), sign) for text, sign in moves]
    # The one SVG writer escapes every text it is given.
    return mark_safe(svg(pointed(position, parsed)))  # noqa: S308


def _line_links(board: int, ply: int, line: tuple[str, ...]) -> tuple[Link, ...]:
    return tuple(
        (text, reverse("review-line", args=[board, ply, at]))
        for at, text in enumerate(line, start=1)
    )


def _steps(board: int, place: LinePlace) -> StepAddresses:
    def address(step: int) -> str:
        if step == 0:
            return reverse("review-ply", args=[board, place.ply])
        return reverse("review-line", args=[board, place.ply, step])

    return step_addresses(place.step, len(place.line), address)


def _replies(board: int, place: ProofPlace) -> list[Link]:
    return [
        (text, _proof_address(board, (*place.path, text)) if is_answered else "")
        for text, is_answered in place.replies
    ]


def _proof_address(board: int, path: tuple[str, ...]) -> str:
    # Moves stand in lines, since those of some games have blanks.
    words = [("m", "\n".join(path))] if path else []
    return with_query(reverse("review-proof", args=[board]), words)


# The page stretches it to its own width; strokes and dots keep their size.
WIDTH, HEIGHT = 1000, 100


def graph(review: ReviewedGame, positions: int) -> SafeString:
    """Draw the chances; what is proved is drawn bolder, turning points have a dot.

    Args:
        positions: Of the whole graph: a review under way has those at its right end.
    """
    places = _places(review.chances, positions)
    dots = [places[turn.ply - 1 - review.first] for turn in review.turns]
    return format_html(
        '<svg class="chances" role="img" viewBox="0 0 {} {}" preserveAspectRatio="none">'
        "<title>{}</title>"
        '<path class="theirs" d="{}"/><path class="ours" d="{}"/>'
        '<path class="middle" d="M0 {}H{}"/><path class="course" d="{}"/>{}{}</svg>',
        WIDTH,
        HEIGHT,
        _("The chances of {player} after each move; the numbers are in the table below.").format(
            player=review.players[0]
        ),
        f"M{places[0][0]} 0L{_path_data(places)}L{WIDTH} 0Z",
        f"M{places[0][0]} {HEIGHT}L{_path_data(places)}L{WIDTH} {HEIGHT}Z",
        HEIGHT / 2,
        WIDTH,
        f"M{_path_data(places)}",
        format_html_join("", '<path class="sure" d="M{}"/>', _proved(places, review.proved)),
        format_html_join("", '<path class="dot" d="M{} {}h0"/>', dots),
    )


def _places(chances: Sequence[float], positions: int) -> list[tuple[str, str]]:
    across = max(positions - 1, 1)
    return [
        (f"{WIDTH * at / across:.1f}", f"{HEIGHT * (1 - chance):.1f}")
        for at, chance in enumerate(chances, start=positions - len(chances))
    ]


def _path_data(places: Sequence[tuple[str, str]]) -> str:
    return "L".join(f"{x} {y}" for x, y in places)


def _proved(places: Sequence[tuple[str, str]], proved: Sequence[bool]) -> list[tuple[str]]:
    """Return the runs of proved positions, as paths."""
    runs: list[list[tuple[str, str]]] = [[]]
    for place, is_proved in zip(places, proved, strict=True):
        if is_proved:
            runs[-1].append(place)
        elif runs[-1]:
            runs.append([])
    return [(_path_data(run),) for run in runs if len(run) > 1]
