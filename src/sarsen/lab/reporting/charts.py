"""The pictures of a report, as scenes: pages show them as SVG, mails as PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sarsen.drawing.scene import Circle, Label, Point, Polygon, Scene, Shape, Stroke
from sarsen.lab.reporting.plan import nodes_of
from sarsen.lab.reporting.statistics import Figure

Place = tuple[Point, float]  # its middle and its smaller side
WIDTH, HEIGHT, EDGE = 560.0, 200.0, 44.0
LARGEST, LEAST = 0.46, 0.02  # radius of the disc on a place, of its smaller side


def chart(figures: Sequence[Figure], title: str, low: float, high: float, line: float) -> Scene:
    """Draw figures as points with their intervals, from left to right."""
    high = max(high, low + 1e-9)

    def y(value: float) -> float:
        part = (min(max(value, low), high) - low) / (high - low)
        return HEIGHT - 24 - part * (HEIGHT - 64)

    across = (WIDTH - 2 * EDGE) / max(1, len(figures) - 1)
    places = [(EDGE + at * across, y(figure.value)) for at, figure in enumerate(figures)]
    shapes: list[Shape] = [
        _paper(WIDTH, HEIGHT),
        Label(EDGE, 11, title, 13, anchor="start"),
        Stroke(((EDGE, y(line)), (WIDTH - EDGE, y(line))), "grid", 1.0, dashed=True),
    ]
    if len(places) > 1:
        shapes.append(Stroke(tuple(places), "grid", 1.5))
    for (x, middle), figure in zip(places, figures, strict=True):
        label = f"{100 * figure.value:.0f}" if figure.unit == "%" else f"{figure.value:.0f}"
        shapes += [
            Stroke(((x, y(figure.low)), (x, y(figure.high))), "first", 2.0),
            Circle(x, middle, 4, "first"),
            Label(x + 7, middle - 9, label, 11, anchor="start"),
            Label(x, HEIGHT - 10, _name_of(figure), 11, "ink-soft"),
        ]
    return Scene(WIDTH, HEIGHT, title, tuple(shapes))


def heat_map(board: Scene, places: Mapping[str, Place], heat: Mapping[str, float]) -> Scene:
    """Draw a disc on each place of a board, the larger the more the place is used.

    Args:
        board: As the game's own view draws it.
        places: Of that picture, by name.
        heat: By place, as shares of the most used.
    """
    discs: list[Shape] = []
    for spot, share in heat.items():
        if spot in places and share > 0:
            (x, y), size = places[spot]
            radius = size * max(LARGEST * share**0.5, LEAST)
            discs.append(Circle(x, y, radius, "mark", "ink-soft", 0.8, spot))
    title = "How often each place is used in a move"
    return replace(board, title=title, shapes=(*board.shapes, *discs))


def _paper(width: float, height: float) -> Polygon:
    return Polygon(((0, 0), (width, 0), (width, height), (0, height)), "paper")


def _name_of(figure: Figure) -> str:
    """Return the nodes of the step that a figure of a chart is on."""
    nodes = nodes_of(int(figure.name.split()[-1]))
    return f"{nodes:,}" if nodes else "random"
