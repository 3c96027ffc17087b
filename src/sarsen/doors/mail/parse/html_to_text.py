"""Read a mail that is only HTML as the text its writer saw.

Quoted elements become a `>` line, so that quoted-text removal needs one set of rules. A page is
written to be large: each step is linear and counts what it does.
"""

from __future__ import annotations

import re

from lxml import etree, html

from sarsen.language.grammar.kept_text import TAB_WIDTH

# Levels, more than a player's mail program writes: a deeper page is hostile.
DEEPEST_ELEMENT = 200
# Outside of quotations, which are passed over unread.
MAX_ELEMENTS = 5_000  # each is a step in Python; a page of a player's has hundreds
MAX_TAGS = 12_000  # before parsing, quotations included: libxml2 takes time for each

# By these mail programs mark what they quote.
QUOTE_CLASSES = frozenset(
    {"gmail_quote", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "tutanota_quote"}
)
# Of versions of Outlook.
QUOTE_IDS = frozenset({"mail-editor-reference-message-container", "olk_src_body_section"})
# Outlook and Zimbra mark where history begins; it follows to the end of the mail.
HISTORY_IDS = frozenset({"divrplyfwdmsg", "x_divrplyfwdmsg", "appendonsend", "zwchr"})
# Signatures, which would be read as commands.
SIGNATURE_CLASSES = frozenset({"gmail_signature", "moz-signature", "protonmail_signature_block"})
# The same, of Outlook on telephones.
SIGNATURE_IDS = frozenset({"signature", "ms-outlook-mobile-signature"})

QUOTE_ROW = "> "
HISTORY_ROW = "-----Original Message-----"

# These begin a row and end one. Tables and lists are read as rows of words, not as columns.
_BLOCK_TAGS = (
    "p div h1 h2 h3 h4 h5 h6 dl dt dd address article aside footer header main nav section "
    "center form fieldset figure figcaption hr pre table tr ul ol li"
)
_UNSEEN_TAGS = "head script style title template noscript object svg select"
_BLOCKS = frozenset(_BLOCK_TAGS.split())  # as browsers show them
_CELLS = frozenset({"td", "th"})  # side by side: a blank parts them, not a row's end
# What browsers do not show is not what a person wrote.
_UNSEEN = frozenset(_UNSEEN_TAGS.split())
# libxml2 compares each attribute of a tag with all others: a tag of twenty thousand costs it
# seconds. So it is given tags with the three that count here, and no other `<`.
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<[!?][^>]*+(?:>|\Z)"
    r"|<(?!/?[a-z][a-z0-9]*+>)"
    r"(?:(/?[a-z][^\s/>]*+)(?:(?>[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>|[^<>]*+>?))?",
    re.DOTALL | re.IGNORECASE,
)
# What is no name begins no tag: `<3`.
_NAME = re.compile(r"/?[a-z][a-z0-9:_-]{0,30}", re.IGNORECASE)
# The attributes that count here; all lengths are bounded, so that a hostile tag costs no time.
_ATTRIBUTE = re.compile(
    r"(?:^|[\s\"'/])(id|class|style)\s{0,9}=\s{0,9}(?:\"([^\"]{0,999})\"|'([^']{0,999})'"
    r"|([^\s\"'<>]{1,999}))",
    re.IGNORECASE,
)


_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_HARD_BLANK = "\xa0"  # browsers join none of them, and editors write two blanks with one


class HtmlTooLarge(Exception):
    """The page has more elements, or deeper ones, than a mail may have."""


def page_text(source: str) -> str:
    """Return the text of an HTML page, row by row.

    Raises:
        HtmlTooLarge: More elements, or deeper, than a player's mail program writes.
    """
    if source.count("<") > MAX_TAGS:
        raise HtmlTooLarge
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        page = html.document_fromstring(plain_tags(source).encode("utf-8"), parser=parser)
    except etree.ParserError:
        return ""
    rows = _Rows()
    depth = elements = 0
    walk = etree.iterwalk(page, events=("start", "end"))
    for event, element in walk:
        is_start = event == "start"
        depth += 1 if is_start else -1
        elements += is_start
        if depth > DEEPEST_ELEMENT or elements > MAX_ELEMENTS:
            raise HtmlTooLarge
        replacement = _replacement(element)
        if replacement is None:
            rows.begin(element) if is_start else rows.end(element)
        elif is_start:
            rows.put_row(replacement)
            walk.skip_subtree()
        else:
            rows.put(element.tail)
    return rows.text()


def plain_tags(source: str) -> str:
    """Return a page whose tags have the attributes that count here, and no others."""
    return _TAG.sub(_plain_tag, source.replace("\0", ""))


class _Rows:
    """Gather words into rows as a reader of the page would see them."""

    def __init__(self) -> None:
        self._rows: list[list[str]] = [[]]
        self._kept = 0  # how many elements around here keep their blanks

    def begin(self, element: html.HtmlElement) -> None:
        """Begin an element with the words at its beginning."""
        tag = element.tag
        if tag == "br":
            self._rows.append([])
        elif tag in _BLOCKS:
            self._break()
        elif tag in _CELLS:
            self._rows[-1].append(" ")
        self._kept += tag == "pre"
        self.put(element.text)

    def end(self, element: html.HtmlElement) -> None:
        """End an element; the words behind it follow."""
        tag = element.tag
        if tag in _BLOCKS:
            self._break()
        elif tag in _CELLS:
            self._rows[-1].append(" ")
        self._kept -= tag == "pre"
        self.put(element.tail)

    def put(self, words: str | None) -> None:
        """Add words to the row; line ends in them are blanks, but for `pre`."""
        if not words:
            return
        if self._kept:
            words = words.expandtabs(TAB_WIDTH).replace(" ", _HARD_BLANK)
        first, *others = words.split("\n") if self._kept else [words]
        self._rows[-1].append(first)
        self._rows += [[other] for other in others]

    def put_row(self, row: str) -> None:
        """Add a row by itself; none when it is empty."""
        if row:
            self._break()
            self._rows[-1].append(row)
            self._break()

    def text(self) -> str:
        """Return the rows; blanks that a browser would join are one, and others stay."""
        rows = (_BLANKS.sub(" ", "".join(row)).strip(" ") for row in self._rows)
        return "\n".join(row.replace(_HARD_BLANK, " ").rstrip() for row in rows)

    def _break(self) -> None:
        if any(words.strip() for words in self._rows[-1]):
            self._rows.append([])


def _plain_tag(match: re.Match[str]) -> str:
    name = match[1]
    if name is None:
        # A comment or a declaration is nothing; a lone sign is a sign.
        return "&lt;" if match[0] == "<" else ""
    if not _NAME.fullmatch(name):
        return ""  # an element that nobody knows
    attributes: dict[str, str] = {}
    for attribute in _ATTRIBUTE.finditer(match[0], len(name) + 1):
        attributes.setdefault(
            attribute[1].lower(),
            (attribute[2] or attribute[3] or attribute[4] or "").replace('"', ""),
        )
    return "<" + " ".join([name, *(f'{key}="{value}"' for key, value in attributes.items())]) + ">"


def _replacement(element: html.HtmlElement) -> str | None:
    """Return the row that stands for an element whose words are not read; None for others."""
    if element.tag == "blockquote":
        return QUOTE_ROW
    if element.tag in _UNSEEN:
        return ""
    if not element.attrib:
        return None
    name = str(element.get("id", "")).lower()
    classes = set(str(element.get("class", "")).split())
    if classes & QUOTE_CLASSES or name in QUOTE_IDS:
        return QUOTE_ROW
    if name in HISTORY_IDS:
        return HISTORY_ROW
    is_unseen = "display:none" in "".join(str(element.get("style", "")).lower().split())
    return "" if is_unseen or classes & SIGNATURE_CLASSES or name in SIGNATURE_IDS else None
