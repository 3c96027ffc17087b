"""Render help pages: Markdown to text of fixed width, and to HTML."""

from __future__ import annotations

import textwrap
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from sarsen.language.grammar.typography import WIDTH, wrap
from sarsen.language.ratings import columns_text
from sarsen.language.replies import HelpPage

INDENT = "    "
_TAGS = {
    *("p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "a"),
    *("h2", "h3", "h4", "ul", "ol", "li"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
Cell = tuple[str, ...]  # the lines of a table's cell


@lru_cache(maxsize=200)
def to_html(text: str) -> str:
    """Return Markdown, without raw HTML in it, as HTML that is safe in a page."""
    # A table's cell holds several lines only with the one tag that help pages use.
    html = _markdown.render(text).replace("&lt;br&gt;", "<br>")
    return nh3.clean(html, tags=_TAGS, attributes={"a": {"href"}}, url_schemes={"https", "mailto"})


def page_text(page: HelpPage) -> str:
    """Return a help page as text that fits a mail or a terminal."""
    return f"{page.title}\n{'=' * len(page.title)}\n\n{to_text(page.text)}"


@lru_cache(maxsize=200)
def to_text(text: str) -> str:
    """Return Markdown as text with no line longer than `WIDTH`, except code and addresses."""
    return _blocks(SyntaxTreeNode(_markdown.parse(text)).children, WIDTH)


def _blocks(nodes: list[SyntaxTreeNode], width: int, gap: str = "\n\n") -> str:
    return gap.join(filter(None, (_block(node, width) for node in nodes)))


def _block(node: SyntaxTreeNode, width: int) -> str:
    match node.type:
        case "heading":
            title = _inline(node)
            return f"{title}\n{'-' * len(title)}"
        case "fence" | "code_block":
            return _code(node.content.rstrip("\n"), width)
        case "bullet_list" | "ordered_list":
            return _items(node, width)
        case "table":
            return _table(node, width)
        case "blockquote":
            return textwrap.indent(_blocks(node.children, width - 2), "  ")
        case "hr":
            return "-" * width
        case _:
            return wrap(_inline(node), width)


def _code(text: str, width: int) -> str:
    """Return code indented; a long line of a shell goes on behind a backslash."""
    lines = [
        " \\\n  ".join(
            textwrap.wrap(line, width - 8, break_long_words=False, break_on_hyphens=False)
        )
        if line.startswith("sarsen ") and len(line) > width - len(INDENT)
        else line
        for line in text.split("\n")
    ]
    shown = "\n".join(lines)
    is_wide = max(map(len, shown.split("\n"))) > width - len(INDENT)
    return textwrap.indent(shown, "  " if is_wide else INDENT)


def _items(node: SyntaxTreeNode, width: int) -> str:
    first = int(node.attrs.get("start", 1))
    items = []
    for at, item in enumerate(node.children):
        mark = f"{first + at}. " if node.type == "ordered_list" else "- "
        hang = " " * len(mark)
        text = textwrap.indent(_blocks(item.children, width - len(mark), "\n"), hang)
        items.append(mark + text[len(mark) :])
    return "\n".join(items)


def _table(node: SyntaxTreeNode, width: int) -> str:
    rows = [
        [_lines(cell) for cell in row.children] for part in node.children for row in part.children
    ]
    head, *body = rows
    natural = [max(len(line) for row in rows for line in row[at]) for at in range(len(head))]
    if sum(natural) + 2 * len(natural) <= width or len(head) > 2:
        flat = [tuple("; ".join(cell) for cell in row) for row in rows]
        return columns_text(flat[0], flat[1:], width)
    # A definition list reads better than two narrow columns.
    return "\n\n".join(_definition(term, meaning, width) for term, meaning in body)


def _definition(term: Cell, meaning: Cell, width: int) -> str:
    lines = [wrap(line, width) for line in term]
    meanings = [textwrap.indent(wrap(line, width - len(INDENT)), INDENT) for line in meaning]
    return "\n".join([*lines, *meanings])


def _lines(cell: SyntaxTreeNode) -> Cell:
    return tuple(line.replace("``", "").strip() for line in _inline(cell).split("<br>"))


def _inline(node: SyntaxTreeNode) -> str:
    match node.type:
        case "text" | "html_inline":
            return node.content
        case "code_inline":
            return f"`{node.content}`"
        case "softbreak":
            return " "
        case "hardbreak":
            return "\n"
        case "link":
            text, address = "".join(map(_inline, node.children)), str(node.attrs["href"])
            is_bare = text == address or not address.startswith("http")
            return text if is_bare else f"{text} ({address})"
        case _:
            return "".join(map(_inline, node.children))
