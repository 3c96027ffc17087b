"""Charts as SVG: bars for days, a line for a number that moves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from sarsen.language.translating import _

WIDTH, HEIGHT = 350, 90
FOOT = 16  # for the words below
LEAST_SPAN = 60.0  # rating points: less is not stretched to look like a change


def bar_chart(days: Sequence[tuple[date, int]], title: str) -> SafeString:
    """Draw a number for each day."""
    most = max((count for _day, count in days), default=0)
    step = WIDTH / max(len(days), 1)
    rows = (
        (f"{at * step:.1f}", f"{HEIGHT - tall:.1f}", f"{step * 0.8:.1f}", f"{tall:.1f}", day, count)
        for at, (day, count) in enumerate(days)
        if count and (tall := HEIGHT * count / most)
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
            ((x, y, wide, tall, short_day(day), count) for x, y, wide, tall, day, count in rows),
        ),
        *(HEIGHT + 12, short_day(days[0][0]) if days else ""),
        *(WIDTH, HEIGHT + 12, short_day(days[-1][0]) if days else ""),
        *(WIDTH, _("busiest day: {count}").format(count=most)),
    )


def line_chart(points: Sequence[tuple[datetime, float]], title: str) -> SafeString:
    """Draw how a number moved, the oldest first, with a step of the same width to each point."""
    begins, ends = points[0][0], points[-1][0]
    low, high = min(value for _, value in points), max(value for _, value in points)
    span = max(high - low, LEAST_SPAN)
    low = (high + low - span) / 2
    places = [
        (
            WIDTH * step / (len(points) - 1) if len(points) > 1 else WIDTH / 2,
            HEIGHT * (1 - (value - low) / span),
        )
        for step, (_, value) in enumerate(points)
    ]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return format_html(
        '<svg class="chart" role="img" viewBox="-6 -14 {} {}"><title>{}</title>'
        '<path class="axis" d="M0 {}H{}"/><path class="course" d="M{}"/>{}'
        '<text x="0" y="{}">{}</text><text class="end" x="{}" y="{}">{}</text></svg>',
        *(WIDTH + 12, HEIGHT + FOOT + 14, title, HEIGHT, WIDTH, path),
        format_html_join(
            "",
            '<circle cx="{}" cy="{}" r="3"><title>{}: {}</title></circle>',
            (
                (f"{x:.1f}", f"{y:.1f}", short_day(at, has_year=True), f"{value:.0f}")
                for (x, y), (at, value) in zip(places, points, strict=True)
            ),
        ),
        *(HEIGHT + 12, short_day(begins, has_year=True)),
        *(WIDTH, HEIGHT + 12, short_day(ends, has_year=True) if len(points) > 1 else ""),
    )


def short_day(day: date, *, has_year: bool = False) -> str:
    """Return a day as charts show it: `24 Nov`, `24 Nov 2026`."""
    return date_format(day, _("j M Y") if has_year else _("j M"))
