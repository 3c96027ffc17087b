"""Read a mail that is only HTML as the text its writer saw.

Quoted elements become a `>` line, so that `quotes` needs one set of rules.
"""

from __future__ import annotations

from inscriptis import Inscriptis
from inscriptis.html_properties import Display, WhiteSpace
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from lxml import etree, html

from sarsen.doors.mail.bounds import HINT, UnreadableMail

DEEPEST_ELEMENT = 200
MOST_ELEMENTS = 10_000

QUOTE_CLASSES = frozenset(
    {"gmail_quote", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "tutanota_quote"}
)
QUOTE_IDS = frozenset({"mail-editor-reference-message-container", "olk_src_body_section"})
# Outlook and Zimbra mark where history begins; it follows to the end of the mail.
HISTORY_IDS = frozenset({"divrplyfwdmsg", "x_divrplyfwdmsg", "appendonsend", "zwchr"})
SIGNATURE_CLASSES = frozenset({"gmail_signature", "moz-signature", "protonmail_signature_block"})
SIGNATURE_IDS = frozenset({"signature", "ms-outlook-mobile-signature"})

QUOTE_ROW = "> "
HISTORY_ROW = "-----Original Message-----"
CELL = "cell"  # no tag of HTML: a row of cells reads as a row of words

# Inscriptis sets tables and lists as columns, padding every cell to the widest, and obeys any
# padding a style asks for: a page of 200 kB can ask for gigabytes. Here they are plain rows.
_BLOCKS = (
    "p div h1 h2 h3 h4 h5 h6 dl dt dd address article aside footer header main nav section "
    "center form fieldset figure figcaption hr"
)
_STYLES = {
    "body": HtmlElement(),
    **{name: HtmlElement(display=Display.block) for name in _BLOCKS.split()},
    "pre": HtmlElement(display=Display.block, whitespace=WhiteSpace.pre),
    CELL: HtmlElement(prefix=" ", suffix=" "),
}
_PLAIN_TAGS = {
    **dict.fromkeys(("table", "tr", "ul", "ol", "li"), "div"),
    **dict.fromkeys(("td", "th"), CELL),
    "q": "span",
}
_UNSEEN = ("head", "script", "style", "title", "template", "noscript", "object", "svg", "select")


def page_text(source: str) -> str:
    """Give the text of an HTML page, row by row.

    Raises:
        UnreadableMail: More elements, or deeper, than a player's mail program writes.
    """
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        page = html.document_fromstring(source.replace("\0", "").encode("utf-8"), parser=parser)
    except etree.ParserError:
        return ""
    _check_size(page)
    for element in list(page.iter(etree.Element)):
        _make_plain(element)
    config = ParserConfig(css=_STYLES)
    text = Inscriptis(page, config).get_text()
    return str(text)


def _check_size(page: html.HtmlElement) -> None:
    depth = elements = 0
    for event, _ in etree.iterwalk(page, events=("start", "end")):
        depth += 1 if event == "start" else -1
        elements += event == "start"
        if depth > DEEPEST_ELEMENT or elements > MOST_ELEMENTS:
            raise UnreadableMail(
                f"The HTML of a mail may have {MOST_ELEMENTS} elements, {DEEPEST_ELEMENT} deep; "
                "here it has more.",
                code="mail.html",
                hint=HINT,
            )


def _make_plain(element: html.HtmlElement) -> None:
    name = str(element.get("id", "")).lower()
    classes = set(str(element.get("class", "")).split())
    if element.tag == "blockquote" or classes & QUOTE_CLASSES or name in QUOTE_IDS:
        _replace(element, QUOTE_ROW)
    elif name in HISTORY_IDS:
        _replace(element, HISTORY_ROW)
    elif classes & SIGNATURE_CLASSES or name in SIGNATURE_IDS or _is_unseen(element):
        _replace(element, "")
    _strip(element)


def _is_unseen(element: html.HtmlElement) -> bool:
    style = "".join(str(element.get("style", "")).lower().split())
    return element.tag in _UNSEEN or "display:none" in style


def _replace(element: html.HtmlElement, row: str) -> None:
    # lxml refuses to be handed back a control character that it read itself: leave the tail.
    element.clear(keep_tail=True)
    element.tag, element.text = "div" if row else "span", row


def _strip(element: html.HtmlElement) -> None:
    """Leave nothing that Inscriptis would lay out by itself."""
    element.attrib.clear()
    if element.tag in _PLAIN_TAGS:
        element.tag = _PLAIN_TAGS[element.tag]
