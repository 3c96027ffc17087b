"""Small charts as inline pictures: bars over days, a line over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 350, 90
FOOT = 16  # for the words below
LEAST_SPAN = 60.0  # rating points: less is not stretched to look like a change


def bars(days: Sequence[tuple[date, int]], title: str) -> SafeString:
    """Draw a number for each day."""
    most = max((count for _, count in days), default=0) or 1
    step = WIDTH / max(len(days), 1)
    rows = (
        (f"{at * step:.1f}", f"{HEIGHT - tall:.1f}", f"{step * 0.8:.1f}", f"{tall:.1f}", day, count)
        for at, (day, count) in enumerate(days)
        if (tall := HEIGHT * count / most)
    )
    return format_html(
        '<svg class="chart" role="img" viewBox="0 -12 {} {}"><title>{}</title>'
        '<path class="axis" d="M0 {}H{}"/>{}'
        '<text x="0" y="{}">{}</text><text class="end" x="{}" y="{}">{}</text>'
        '<text class="end" x="{}" y="-3">{}</text></svg>',
        *(WIDTH, HEIGHT + FOOT + 12, title, HEIGHT, WIDTH),
        format_html_join(
            "",
            '<rect x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>',
            ((x, y, wide, tall, f"{day:%-d %b}", count) for x, y, wide, tall, day, count in rows),
        ),
        *(HEIGHT + 12, f"{days[0][0]:%-d %b}" if days else ""),
        *(WIDTH, HEIGHT + 12, f"{days[-1][0]:%-d %b}" if days else ""),
        *(WIDTH, f"most on a day: {most if days and max(c for _, c in days) else 0}"),
    )


def course(points: Sequence[tuple[datetime, float]], title: str) -> SafeString:
    """Draw how a number moved, the oldest first."""
    begins, ends = points[0][0], points[-1][0]
    seconds = max((ends - begins).total_seconds(), 1.0)
    low, high = min(value for _, value in points), max(value for _, value in points)
    span = max(high - low, LEAST_SPAN)
    low = (high + low - span) / 2
    places = [
        (
            WIDTH * (at - begins).total_seconds() / seconds if len(points) > 1 else WIDTH / 2,
            HEIGHT * (1 - (value - low) / span),
        )
        for at, value in points
    ]
    drawn = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return format_html(
        '<svg class="chart" role="img" viewBox="-6 -14 {} {}"><title>{}</title>'
        '<path class="axis" d="M0 {}H{}"/><path class="course" d="M{}"/>{}'
        '<text x="0" y="{}">{}</text><text class="end" x="{}" y="{}">{}</text></svg>',
        *(WIDTH + 12, HEIGHT + FOOT + 14, title, HEIGHT, WIDTH, drawn),
        format_html_join(
            "",
            '<circle cx="{}" cy="{}" r="3"><title>{}: {}</title></circle>',
            (
                (f"{x:.1f}", f"{y:.1f}", f"{at:%-d %b %Y}", f"{value:.0f}")
                for (x, y), (at, value) in zip(places, points, strict=True)
            ),
        ),
        *(HEIGHT + 12, f"{begins:%-d %b %Y}"),
        *(WIDTH, HEIGHT + 12, f"{ends:%-d %b %Y}" if len(points) > 1 else ""),
    )
