"""The HTML of letters in words: prose, tables and help pages, from what the text is made of."""

from __future__ import annotations

import re
from html import escape

from sarsen.help.rendering import to_html
from sarsen.language.replies import HelpPage, Table
from sarsen.language.translating import spoken

MONOSPACE = "font-family:Menlo,Consolas,'Courier New',monospace"
_HEAD = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{title}</title>
</head>
<body style="margin:0;padding:16px;font-family:Georgia,'Times New Roman',serif;\
font-size:16px;line-height:1.45">
<div style="max-width:640px;margin:0 auto">
"""
_FOOT = "</div>\n</body>\n</html>\n"
_TYPED = re.compile(r"`([^`\n]+)`")
_ADDRESS = re.compile(r"https?://[^\s<>&]+")
_PRE = f"{MONOSPACE};font-size:13px;line-height:1.3;overflow-x:auto;white-space:pre"
_CELL = "padding:3px 16px 3px 0;text-align:left;vertical-align:top"
_STYLES = {
    "pre": _PRE,
    "code": f"{MONOSPACE};font-size:14px",
    "th": f"{_CELL};border-bottom:1px solid #b9822f",
    "td": _CELL,
    "table": "border-collapse:collapse;font-size:14px",
}
_TAG = re.compile(rf"<({'|'.join(_STYLES)})>")
_WIDE = '<div style="overflow-x:auto">{}</div>'


def document(title: str, body: str) -> str:
    """Return a whole HTML document in the language in force."""
    return _HEAD.format(language=spoken(), title=escape(title)) + body + _FOOT


def prose(text: str) -> str:
    """Return paragraphs; indented lines are shown as typed, backquotes mark what to type."""
    paragraphs = re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip("\n"))
    return "\n".join(map(_paragraph, paragraphs))


def fixed(text: str) -> str:
    """Return text that keeps its blanks and lines: a board."""
    return f'<pre style="{_PRE}">{escape(text)}</pre>'


def table(shown: Table) -> str:
    """Return a table with its title."""
    if not shown.rows:
        return prose(f"{shown.title}: -")
    head = "".join(f"<th>{escape(cell)}</th>" for cell in shown.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>\n" for row in shown.rows
    )
    title = f'<h2 style="font-size:18px">{escape(shown.title)}</h2>\n'
    return title + _styled(f"<table><tr>{head}</tr>\n{rows}</table>")


def help_page(page: HelpPage) -> str:
    """Return a help page."""
    return f'<h1 style="font-size:22px">{escape(page.title)}</h1>\n{_styled(to_html(page.text))}'


def _styled(html: str) -> str:
    """Put styles where they are used: many mail programs read no style sheet."""
    wide = re.sub(r"<table>.*?</table>", lambda found: _WIDE.format(found[0]), html, flags=re.S)
    return _TAG.sub(lambda found: f'<{found[1]} style="{_STYLES[found[1]]}">', wide)


def _paragraph(text: str) -> str:
    lines = text.split("\n")
    if all(line.startswith("  ") or not line for line in lines):
        return fixed(text)
    if len(lines) == 1 and text.startswith("> "):
        return f'<p style="opacity:.75;{MONOSPACE};font-size:13px">{escape(text)}</p>'
    if set(text) == {"-"}:
        return "<hr>"
    return f"<p>{'<br>'.join(map(_line, lines))}</p>"


def _line(line: str) -> str:
    if line.startswith("  "):
        return f'<code style="{_STYLES["code"]}">{escape(line).replace("  ", "&nbsp; ")}</code>'
    marked = _TYPED.sub(r"<b>\1</b>", escape(line))
    return _ADDRESS.sub(r'<a href="\g<0>" style="color:#b9822f">\g<0></a>', marked)
