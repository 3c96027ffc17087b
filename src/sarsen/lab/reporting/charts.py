"""The pictures of a report, as SVG."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from sarsen.lab.reporting.plan import nodes_of
from sarsen.lab.reporting.statistics import Figure

WIDTH, HEIGHT, EDGE = 560, 200, 44


def chart(figures: Sequence[Figure], title: str, low: float, high: float, line: float) -> str:
    """Return points with their intervals, from left to right."""
    high = max(high, low + 1e-9)

    def y(value: float) -> float:
        part = (min(max(value, low), high) - low) / (high - low)
        return HEIGHT - 24 - part * (HEIGHT - 64)

    across = (WIDTH - 2 * EDGE) / max(1, len(figures) - 1)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(title)}">',
        f'<text x="{EDGE}" y="13" font-size="13" fill="currentColor">{html.escape(title)}</text>',
        f'<line x1="{EDGE}" x2="{WIDTH - EDGE}" y1="{y(line):.1f}" y2="{y(line):.1f}" '
        'stroke="currentColor" stroke-dasharray="3 4" opacity=".5"/>',
    ]
    points = []
    for at, figure in enumerate(figures):
        x = EDGE + at * across
        points.append(f"{x:.1f},{y(figure.value):.1f}")
        name = _name_of(figure)
        label = f"{100 * figure.value:.0f}" if figure.unit == "%" else f"{figure.value:.0f}"
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y(figure.low):.1f}" y2="{y(figure.high):.1f}" '
            'stroke="#b3541e" stroke-width="2" opacity=".55"/>'
            f'<circle cx="{x:.1f}" cy="{y(figure.value):.1f}" r="4" fill="#b3541e"/>'
            f'<text x="{x + 7:.1f}" y="{y(figure.value) - 5:.1f}" font-size="11" '
            f'fill="currentColor">{label}</text>'
            f'<text x="{x:.1f}" y="{HEIGHT - 6}" font-size="11" text-anchor="middle" '
            f'fill="currentColor">{name}</text>'
        )
    parts.append(
        f'<polyline points="{" ".join(points)}" fill="none" stroke="#b3541e" opacity=".4"/>'
    )
    return "".join((*parts, "</svg>"))


def heat_map(heat: Mapping[str, float]) -> str:
    """Return a board whose cells are the darker the more they are used.

    Args:
        heat: By cell, as shares of the most used.
    """
    columns = sorted({cell[0] for cell in heat})
    rows = sorted({int(cell[1:]) for cell in heat})
    size = min(28, 420 // max(len(columns), len(rows)))
    parts = [
        f'<svg viewBox="0 0 {size * (len(columns) + 1)} {size * (len(rows) + 1)}" '
        f'width="{size * (len(columns) + 1)}" role="img" '
        'aria-label="how often each cell is named in a move">'
    ]
    for down, row in enumerate(reversed(rows)):
        y = down * size
        parts.append(
            f'<text x="{size * 0.5}" y="{y + size * 0.65}" font-size="{size * 0.4:.0f}" '
            f'text-anchor="middle" fill="currentColor">{row}</text>'
        )
        for across, column in enumerate(columns, 1):
            share = heat.get(f"{column}{row}", 0.0)
            parts.append(
                f'<rect x="{across * size}" y="{y}" width="{size - 1}" height="{size - 1}" '
                f'fill="#b3541e" fill-opacity="{0.06 + 0.94 * share:.2f}"/>'
            )
    for across, column in enumerate(columns, 1):
        parts.append(
            f'<text x="{(across + 0.5) * size}" y="{(len(rows) + 0.65) * size}" '
            f'font-size="{size * 0.4:.0f}" text-anchor="middle" fill="currentColor">{column}</text>'
        )
    return "".join((*parts, "</svg>"))


def _name_of(figure: Figure) -> str:
    """Return the nodes of the step that a figure of a chart is on."""
    nodes = nodes_of(int(figure.name.split()[-1]))
    return f"{nodes:,}" if nodes else "random"
