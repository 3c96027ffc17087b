"""The graph of a review: the first player's chances, ply by ply, as an inline picture."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from sarsen.language.reviews import ReviewedGame

# The page stretches it to its own width; strokes and dots keep their size.
WIDTH, HEIGHT = 1000, 100


def graph(review: ReviewedGame) -> SafeString:
    """Draw the chances; what is proved is drawn bolder, turning points have a dot."""
    places = _places(review.chances)
    dots = [places[turn.ply - 1 - review.first] for turn in review.turns]
    return format_html(
        '<svg class="chances" role="img" viewBox="0 0 {} {}" preserveAspectRatio="none">'
        "<title>{}</title>"
        '<path class="theirs" d="{}"/><path class="ours" d="{}"/>'
        '<path class="middle" d="M0 {}H{}"/><path class="course" d="{}"/>{}{}</svg>',
        WIDTH,
        HEIGHT,
        f"The chances of {review.players[0]} after each ply; the numbers are in the table below.",
        f"M0 0L{_joined(places)}L{WIDTH} 0Z",
        f"M0 {HEIGHT}L{_joined(places)}L{WIDTH} {HEIGHT}Z",
        HEIGHT / 2,
        WIDTH,
        f"M{_joined(places)}",
        format_html_join("", '<path class="sure" d="M{}"/>', _proved(places, review.proved)),
        format_html_join("", '<path class="dot" d="M{} {}h0"/>', dots),
    )


def _places(chances: Sequence[float]) -> list[tuple[str, str]]:
    across = max(len(chances) - 1, 1)
    return [
        (f"{WIDTH * at / across:.1f}", f"{HEIGHT * (1 - chance):.1f}")
        for at, chance in enumerate(chances)
    ]


def _joined(places: Sequence[tuple[str, str]]) -> str:
    return "L".join(f"{x} {y}" for x, y in places)


def _proved(places: Sequence[tuple[str, str]], proved: Sequence[bool]) -> list[tuple[str]]:
    """Return the runs of proved positions, as paths."""
    runs: list[list[tuple[str, str]]] = [[]]
    for place, is_proved in zip(places, proved, strict=True):
        if is_proved:
            runs[-1].append(place)
        elif runs[-1]:
            runs.append([])
    return [(_joined(run),) for run in runs if len(run) > 1]
