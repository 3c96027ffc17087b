"""Help pages in Markdown become HTML."""

from __future__ import annotations

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_TAGS = {
    *("p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "a"),
    *("h2", "h3", "h4", "ul", "ol", "li"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(maxsize=200)
def to_html(text: str) -> SafeString:
    """Turn Markdown without raw HTML into HTML that is safe in a page."""
    # A table's cell holds several lines only with the one tag that help pages use.
    html = _markdown.render(text).replace("&lt;br&gt;", "<br>")
    clean = nh3.clean(html, tags=_TAGS, attributes={"a": {"href"}}, url_schemes={"https", "mailto"})
    # What is wider than a phone scrolls by itself, by keyboard too.
    clean = clean.replace("<pre>", '<pre tabindex="0">')
    clean = clean.replace("<table>", '<div class="wide" tabindex="0"><table>')
    clean = clean.replace("</table>", "</table></div>")
    return mark_safe(clean)  # noqa: S308  (cleaned above)
