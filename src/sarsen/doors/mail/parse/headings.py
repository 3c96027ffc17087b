"""Headings that mail programs write above a quotation, in any language.

A heading names the writer or their address, and the time; the row above a quotation that ends
with a colon is one, too. Of mail that answers ours the writer is known, which no language hides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from mailparser_reply.parser import EmailMessage

from sarsen.language.commands import BY_WORD

MAX_HEADING = 300  # characters of a heading, a long name and two addresses: longer ones are prose
MAX_HEADING_ROWS = 4  # programs wrap a heading into some rows; more are prose
MAX_LABELS = 8  # rows of a block: From, Sent, To, Cc, Subject and what some add
# Bounds the time spent in the library's patterns, some of them cubic in the heading's length.
MAX_FOREIGN_LOOKS = 20
LANGUAGES = ["cs", "da", "es", "it", "ja", "ko", "nl", "pl", "sv", "zh"]

# A greeting that names this server, above the heading of what is quoted: no command, but only
# there.
GREETING = re.compile(
    r"(?:hi|hello|hey|dear|greetings|good (?:morning|day|afternoon|evening)|hallo|moin|servus"
    r"|guten (?:morgen|tag|abend)|liebe[rs]?|bonjour|salut|hola|ciao)"
    r"(?: [^\W\d_]{1,20}){0,3} ?[,.!:]*|[^\W\d_]{2,20},",
    re.IGNORECASE,
)
# How `On … wrote:` begins in each language. With a verb and a number behind it hardly a sentence of
# a player's.
_OPENER = re.compile(
    r"(?:on|at|am|le|el|il|op|em|den|dnia|dne|in (?:article|message|news))\b|\d{4} ?[年년]",
    re.IGNORECASE,
)
# As readers of newsgroups write it.
_CITED = re.compile(r"in (?:article|message|news|reply)\b.{0,20}<", re.IGNORECASE)
# How headings say `wrote`. Prose has these words, too: each use asks for more, such as a date or an
# address.
_VERB = re.compile(
    r"\b(?:wrote|writes|written|said|says|did say|mentioned|stated|spake|quoth|replied|schrieb"
    r"|schreibt|geschrieben|a écrit|escribió|ha scritto"
    r"|schreef|escreveu|skrev|napisał|napsal|kirjoitti|пишет|написала?)\b|写道|寫道|작성",
    re.IGNORECASE,
)
# The same without a verb: `Quoting Foo <…>:`.
_QUOTING = re.compile(r"(?:quoting|zitat von|according to|citando|citazione)\b", re.IGNORECASE)
_TIME = re.compile(r"\b\d{1,2}[:.h]\d{2}\b")  # with `.` and `h` as in German and French
# Days in figures, also in digits of other scripts.
_DATE = re.compile(r"\b20\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|(?<!\d)[^\W0-9a-z_]\d{3}(?!\d)")
_FROM = (
    "from|von|de|da|van|från|fra|od|lähettäjä|от|від|из|发件人|寄件者|差出人|보낸 ?사람|발신"
    "|feladó|kimden|από|de la|expéditeur|remitente"
)
_SENT = (
    "sent|date|gesendet|datum|envoyé|enviad[oa](?: el| em)?|fecha|inviato|data|verzonden|skickat"
    "|sendt|dato|wysłan[eo]|odesláno|lähetetty|отправлено|дата|发送时间|發送時間|送信日時"
    "|보낸 ?날짜|날짜|elküldve|gönderildi|στάλθηκε|trimis"
)
_TO = "to|cc|an|à|a|para|aan|till|til|komu|do|кому|收件人|宛先|받는 ?사람|címzett|kime|προς"
_SUBJECT = (
    "subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|předmět|temat|тема|主题|主旨"
    "|件名|제목|tárgy|konu|θέμα|aihe"
)
# The labels of a quoted header, by what they say: one alone may be a person's word, so the kinds
# are counted.
_LABEL = re.compile(
    rf"[*_> ]{{0,4}}(?:(?P<by>{_FROM})|(?P<at>{_SENT})|(?P<to>{_TO})|(?P<re>{_SUBJECT}))"
    r"[*_ ]{0,3}:",
    re.IGNORECASE,
)
# Some programs leave the colon out.
_BARE_LABEL = re.compile(rf"(?:{_SENT}|{_TO}|{_SUBJECT})\b", re.IGNORECASE)
# In any language: the shape alone, which counts only in a block, or with something known of the
# letter. What `//` follows is an address.
_ANY_LABEL = re.compile(r"[*_> ]{0,4}[^\W\d_][^:@<>]{0,30}:(?!//)")
_BARE_FROM = re.compile(rf"(?:{_FROM})\b", re.IGNORECASE)  # the first label without its colon
# Words between signs, or a long line of signs; it counts only above what is quoted, since people
# draw lines, too.
_SEPARATOR = re.compile(r"([-*=~])\1{2,59} ?[^\W\d_].{1,60}\1{3,60}|_{10,}|-{20,}|={10,}|\*{10,}")
# Words that no person puts between dashes, and what stands for them in the text of HTML.
_HISTORY = re.compile(
    r"-{2,60} ?(?:original|ursprüngliche|forwarded|weitergeleitet)[^\W_ ]* ?"
    r"(?:message|nachricht|e-?mail|mail)? ?-{2,60}"
    r"|begin forwarded message:|anfang der weitergeleiteten (?:nachricht|e-mail):"
    r"|début du (?:message|courriel) (?:transféré|réexpédié) ?:",
    re.IGNORECASE,
)
# How the last row of a heading ends: a colon, dashes, or marks.
_END = re.compile(r":\W{0,3}$|[^\W_] ?-{2,6}$|>>>$")
# Not that of an abbreviation or a day: `26.`, `Nov.`
_SENTENCE_END = re.compile(r"(?:[^\W\d]{5}|[^\W\d_]{2} [^\W\d_]{1,4})[.!?]+[\"')]*$")
# Behind a heading in one row; not that of a time (`12:30`).
_COLON = re.compile(r"[^\s\d][>)\]]?: (?=\S)")
_FOREIGN_HEADING: re.Pattern[str] = EmailMessage(text="", languages=LANGUAGES).HEADER_REGEX
# This server's name: a heading with it is hardly the sender's own words.
_OURS = re.compile(r"\bsarsen\b", re.IGNORECASE)


def _says(row: str) -> bool:
    """Return whether a row without a colon says who wrote: `Foo wrote`, `[Foo]`.

    A command that takes a text does not: `chat You wrote`, above what is talked about.
    """
    command = BY_WORD.get(row.partition(" ")[0].lower())
    if command is not None and command.takes_text:
        return False
    is_bracketed = row.startswith("[") and row.endswith("]")
    return is_bracketed or (bool(_VERB.search(row)) and not _SENTENCE_END.search(row))


class Row(NamedTuple):
    """One row with words.

    Attributes:
        written: Without blanks at its ends; `plain` is normalised, too.
        mark: What stands before quoted words, if it is one of the usual signs.
        kept: With the blanks it begins with.
        empty_above: How many empty rows stand above it.
    """

    written: str
    plain: str
    begins_paragraph: bool
    mark: str = ""
    kept: str = ""
    empty_above: int = 0


@dataclass(frozen=True)
class Known:
    """What is known of a mail, whatever its language.

    Attributes:
        domain: Of this server.
        author: Of the mail that is read: the letter went to this address, or to another one.
    """

    domain: str = ""
    author: str = ""
    subject: str = ""

    def is_address(self, row: str) -> bool:
        """Return whether a row holds an address of this server."""
        return bool(self.domain) and f"@{self.domain.lower()}" in row.lower()

    def is_ours(self, row: str) -> bool:
        """Return whether a row names this server."""
        return self.is_address(row) or bool(_OURS.search(row))

    def is_of_letter(self, row: str) -> bool:
        """Return whether a row names this server, its reader or the subject."""
        lower = row.lower()
        named = (self.author.lower(), self.subject.lower())
        return self.is_ours(row) or any(len(name) > 5 and name in lower for name in named)


class Headings:
    """Find the headings of a text.

    Args:
        is_quoted: Which rows are quoted.
        is_marked: Which may be: behind a sign that people write before their own words, too.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        known: Known,
        is_quoted: Sequence[bool],
        is_marked: Sequence[bool],
    ) -> None:
        self._rows, self._known, self._quoted = rows, known, is_quoted
        self._is_quoted = [a or b for a, b in zip(is_quoted, is_marked, strict=True)]
        self._looks = MAX_FOREIGN_LOOKS
        self._first_quoted = next((at for at, quoted in enumerate(self._is_quoted) if quoted), None)
        self._ends: dict[int, int] = {}  # the row behind a heading, by the row that begins it
        for end, row in enumerate(rows):
            start = self._start(end) if not row.plain.startswith(">") else None
            if start is not None:
                self._ends.setdefault(start, end + 1)

    def count(self, at: int) -> int:
        """Count the rows, from here, that introduce another mail; 0 when these are own words."""
        row = self._rows[at].plain
        below = at + 1
        count = self._labels(at) or self._attribution(at)
        is_greeting = GREETING.fullmatch(row) and self._known.is_ours(row)
        is_history = _HISTORY.fullmatch(row) is not None
        if count or not (is_greeting or is_history or _SEPARATOR.fullmatch(row)):
            return count
        # Alone a separator may be anything: `------ Round 2 ------`.
        count = self._introduction(below) if below < len(self._rows) else 0
        is_introduced = count or (not is_greeting and self._is_quoted_at(below))
        return 1 + int(count) if is_introduced or is_history else 0

    def _introduction(self, at: int) -> int:
        """Count the rows of a heading below a separator, where one label is enough."""
        count = self._labels(at) or self._attribution(at)
        return count or int(bool(_LABEL.match(self._rows[at].plain)))

    def _is_quoted_at(self, at: int) -> bool:
        return at < len(self._rows) and self._is_quoted[at]

    def _attribution(self, at: int) -> int:
        return self._ends.get(at, at) - at

    def _labels(self, at: int) -> int:
        """Count the rows of a block of labels such as `From:` and `Sent:`."""
        rows = self._rows
        first = rows[at].plain
        if not (self._names(first) or _LABEL.match(first)):
            return 0
        end = at + 1
        while end < len(rows) and end < at + MAX_LABELS and not rows[end].begins_paragraph:
            row = rows[end].plain
            if not (_ANY_LABEL.match(row) or self._names(row)):
                break
            end += 1
        if end < len(rows) and not rows[end].begins_paragraph and self._names(first):
            # Labels above a heading, or without their colons.
            if count := self._attribution(end):
                return end - at + count
            while end < at + MAX_LABELS and end < len(rows) and self._is_bare(end):
                end += 1
        block = [row.plain for row in rows[at:end]]
        if len(block) == 1:
            label = _LABEL.match(first)
            return int(bool(label and label["by"] and self._known.is_address(first)))
        return end - at if self._is_block(block) else 0

    def _is_bare(self, at: int) -> bool:
        row = self._rows[at]
        return not row.begins_paragraph and _BARE_LABEL.match(row.plain) is not None

    def _names(self, row: str) -> bool:
        """Return whether a row is a label, in any language, of something known of the letter."""
        if not self._known.is_of_letter(row):
            return False
        is_label = _ANY_LABEL.match(row) or _BARE_FROM.match(row)
        return bool(is_label) and not _VERB.search(row)

    def _is_block(self, block: Sequence[str]) -> bool:
        if any(map(self._known.is_ours, block)):
            others = (row for row in block if not self._known.is_ours(row))
            return any(self._known.is_of_letter(row) or _DATE.search(row) for row in others)
        labels = [label for row in block if (label := _LABEL.match(row))]
        kinds = {label.lastgroup for label in labels}
        writers = [row for row in block if (label := _LABEL.match(row)) and label["by"]]
        is_written = any("@" in row or not re.search(r"\d", row) for row in writers)
        return is_written and "at" in kinds and bool(kinds & {"to", "re"} or len(labels) > 2)

    def _start(self, end: int) -> int | None:
        """Return where a heading begins that ends with a row; None when none ends there."""
        row = self._rows[end].plain
        below = end + 1
        is_above = self._is_quoted_at(below)
        is_directly_above = is_above and not self._rows[below].begins_paragraph
        if is_above and self._is_unknown_heading(end, is_directly_above=is_directly_above):
            start = self._first(end, is_above=True)
            return end if start is None else start
        if not _END.search(row):
            # Some write no colon.
            is_ours = is_above and self._known.is_ours(row)
            if is_ours or (is_directly_above and ("@" in row or _says(row))):
                start = self._first(end, is_above=True)
                return end if start is None and _says(row) else start
            return None
        start = self._first(end, is_above=is_above)
        if start is None and is_directly_above and self._quoted[below] and row.endswith(":"):
            # `chat Look:` above a quotation of the sender's own is none; `My plan:` above `->`.
            return None if row.partition(" ")[0].lower() in BY_WORD else end
        return start

    def _is_unknown_heading(self, at: int, *, is_directly_above: bool) -> bool:
        """Return whether a row right above the first quoted one is a heading, in any language.

        It stands alone, as headings do, and names this server; or day and time, with nothing
        between it and the quotation. A sentence or a command is the sender's.
        """
        row = self._rows[at]
        if at + 1 != self._first_quoted or (at and not row.begins_paragraph):
            return False
        if _SENTENCE_END.search(row.plain) or row.plain.partition(" ")[0].lower() in BY_WORD:
            return False
        is_dated = _TIME.search(row.plain) and _DATE.search(row.plain)
        return self._known.is_ours(row.plain) or (is_directly_above and bool(is_dated))

    def _first(self, end: int, *, is_above: bool) -> int | None:
        best: int | None = None
        for start in range(end, max(-1, end - MAX_HEADING_ROWS), -1):
            rows = self._rows[start : end + 1]
            heading = " ".join(row.plain for row in rows)
            if len(heading) > MAX_HEADING:
                break
            if start < end and (
                self._rows[start + 1].begins_paragraph or _SENTENCE_END.search(rows[0].plain)
            ):
                break
            if best is not None and not self._begins(rows):
                return best
            if best is not None or self._is_heading(heading, rows, is_above=is_above):
                best = start
                if _is_dated(heading) and self._is_named(heading):
                    return start
        return best

    def _is_heading(self, heading: str, rows: Sequence[Row], *, is_above: bool) -> bool:
        return self._says_who(heading, is_above=is_above) or self._is_foreign(rows, heading)

    def _says_who(self, heading: str, *, is_above: bool) -> bool:
        is_named = self._known.is_ours(heading)
        has_verb = bool(_VERB.search(heading) or _QUOTING.match(heading))
        if is_named:
            return has_verb or _is_dated(heading)
        if "@" in heading:
            return has_verb or (is_above and _is_dated(heading))
        if has_verb and _OPENER.match(heading) and re.search(r"\d", heading):
            return True
        return is_above and (has_verb or _is_dated(heading))

    def _is_named(self, heading: str) -> bool:
        is_said = _VERB.search(heading) and len(heading.split()) > 2
        return self._known.is_ours(heading) or "@" in heading or bool(is_said)

    def _begins(self, rows: Sequence[Row]) -> bool:
        """Return whether the first row begins the heading below it, and is not own words."""
        first, second = rows[0].plain, rows[1].plain
        if not self._is_named(second):
            return self._is_named(first)
        return bool((_TIME.search(first) and _DATE.search(first)) or _CITED.match(first))

    def _is_foreign(self, rows: Sequence[Row], heading: str) -> bool:
        if not self._looks or not re.search(r"\d", heading) or not heading.endswith(":"):
            return False
        self._looks -= 1
        written = "\n".join(row.written for row in rows)
        return bool(_FOREIGN_HEADING.fullmatch(written))


def split_heading(row: str, known: Known) -> tuple[str, str]:
    """Part a heading from the first quoted row, which some programs write behind it."""
    if known.is_ours(row):
        # Few, and near the beginning: a hostile row may hold thousands.
        for colon in islice(_COLON.finditer(row[:MAX_HEADING]), 3):
            heading = row[: colon.end()].strip()
            if known.is_ours(heading) and _is_dated(heading) and _OPENER.match(heading):
                return heading, row[colon.end() :].strip()
    return row, ""


def _is_dated(heading: str) -> bool:
    return bool(_TIME.search(heading) or _DATE.search(heading))
