"""Markdown as HTML."""

from __future__ import annotations

from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe

from sarsen.help import rendering


@lru_cache(maxsize=200)
def to_html(text: str) -> SafeString:
    """Return Markdown as HTML in which wide parts scroll by themselves, by keyboard too."""
    html = rendering.to_html(text).replace("<pre>", '<pre tabindex="0">')
    html = html.replace("<table>", '<div class="wide" tabindex="0"><table>')
    html = html.replace("</table>", "</table></div>")
    return mark_safe(html)  # noqa: S308  (cleaned in `rendering`)
