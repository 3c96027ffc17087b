"""The rows of a mail that its sender wrote: no quotation, no heading above one, no signature.

Quoted is a row behind a mark, and a row of the letter that is answered, whatever the program put
before it, wherever it broke the line. Headings and separators decide only where that letter is
not known or was not quoted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum

from sarsen.core.phrases import Phrase
from sarsen.doors.mail.parse.headings import GREETING, Headings, Known, Row, split_heading
from sarsen.language.grammar.kept_text import kept_line
from sarsen.language.grammar.typography import normalise_rows
from sarsen.services.mail.fingerprints import (
    NO_FINGERPRINTS,
    Fingerprints,
    telling_words,
    words_of,
)

MAX_OWN_ROWS = 500  # ten times as many as the lines of a `multiple`: nobody types more
MAX_ROW = 6_000  # characters: a paragraph is one row; patterns take time for longer ones
MAX_ROWS = 5_000  # quoted ones among them; more are not looked at, for time's sake
# Of the letter, in rows without marks: fewer may be the sender's words, by chance the same. A row
# that stands alone must be the letter's to its last word.
MIN_KNOWN_ROWS = 2
MIN_KNOWN_WORDS = 10  # in these rows together: fewer are said again
MIN_CERTAIN_WORDS = 24  # fewer may be said again, too: their writer is told that they are left out
MIN_MARKED_WORDS = 3  # fewer, as the mark says already that the row is quoted
MAX_PLAIN_ROWS = 2  # a move and a heading: most mails are read without a look at the letter
MAX_GAP = 2  # rows that the program added inside of a quotation: the address of a link, a picture
# Of a list's footer, which ends the mail: more below a line are a person's words.
MAX_FOOTER_ROWS = 12
MAX_FOOTER_WORDS = 6  # `Sent with my iPhone 15`, in any language; a sentence has more
# Characters of a row that a program has broken in two; shorter ones end where their writer ended
# them.
MIN_WRAPPED = 50

LONG_NOTE = Phrase("Only the first {most} lines of the mail were read.", most=MAX_OWN_ROWS)
ROWS_NOTE = Phrase("Only the first {most} lines of the mail were looked at.", most=MAX_ROWS)
BELOW_NOTE = Phrase("The text below the quoted mail was not read.")
AMONG_NOTE = Phrase("The text between the lines of the quoted mail was not read.")

# The rows that begin a signature: RFC 3676 has `-- `, and programs change it.
_SIGNATURES = frozenset({"--", "—", "–", "__"})
# What telephones and programs add in many languages: no command or move begins so.
_FOOTER = re.compile(
    r"sent (?:from|via|with|using) |get outlook for |sent by my |gesendet (?:von|mit|aus) "
    r"|von mein\w+ .{1,60} gesendet|diese nachricht wurde von mein|holen sie sich outlook "
    r"|envoyé (?:de|depuis|avec|à partir de) |télécharge[rz] outlook |obtenir outlook "
    r"|enviado (?:desde|do|da|de) |inviato da(?:l mio)? |verzonden (?:vanaf|met|vanuit) "
    r"|verstuurd vanaf |skickat från |sendt fra |wysłane? z|odesláno z |lähetetty ",
    re.IGNORECASE,
)
# `> `, `>`, `» `, and what some programs write instead: `| `, `: `, `sarsen> `.
_MARK = re.compile(r"(?:[>»] ?)+|[|:%}](?= |$|\w)|(?:[^\W_]{1,12}|[-=]{1,3})>(?: |$)")
# For footers in other languages: the name of a device or program is the same in all.
_DEVICE = re.compile(r"\b(?:iphone|ipad|android|galaxy|outlook|proton ?mail)\b", re.IGNORECASE)
# `AB> ` as some programs quote; one row alone may be own words (see where it is used).
_INITIALS = re.compile(r"[A-Z]{2,4}> ?")
_LINE = re.compile(r"_{20,}|-{20,}")  # long, so that `--` and drawings are none
# What programs add to a quotation: the address of a link, a picture.
_ADDED = re.compile(r"\W*(?:https?:|mailto:|cid:|image\b)", re.IGNORECASE)
# Some address to unsubscribe at stands below a list's line.
_LIST = re.compile(r"https?://|mailing list", re.IGNORECASE)


def _find_none() -> Fingerprints:
    return NO_FINGERPRINTS


class Kind(Enum):
    OWN = "own"
    QUOTED = "quoted"
    AMONG = "among quoted rows, and perhaps the sender's"
    HEADING = "heading"
    SIGNATURE = "signature"
    FOOTER = "footer"


def own_words(
    text: str, find_letter: Callable[[], Fingerprints] = _find_none, known: Known | None = None
) -> tuple[list[str], str]:
    """Return the rows of `own_rows`, normalised, and what was left out.

    One empty row stands where paragraphs part.
    """
    rows, note = own_rows(text, find_letter, known)
    return plain_rows(rows), note


def plain_rows(rows: Sequence[Row]) -> list[str]:
    """Return normalised rows, with one empty row where paragraphs part."""
    plain: list[str] = []
    for row in rows:
        plain += ["", row.plain] if plain and row.begins_paragraph else [row.plain]
    return plain


def kept_rows(rows: Sequence[Row]) -> list[str]:
    """Return rows as they were written, with the empty ones between them."""
    kept: list[str] = []
    for row in rows:
        kept += ["" for _ in range(row.empty_above if kept else 0)]
        kept.append(kept_line(row.kept) or row.plain)
    return kept


def own_rows(
    text: str, find_letter: Callable[[], Fingerprints] = _find_none, known: Known | None = None
) -> tuple[list[Row], str]:
    """Return the unquoted rows of a text, up to the signature, and what was left out.

    Words above a quotation are the answer, and then nothing below it is read
    (a footer, or the older mail once more). Only without them, or with a greeting alone, are the
    rows between and below the quoted ones read, in order.

    Args:
        find_letter: Return what the mail may quote; asked where marks alone do not tell.
    """
    known = known or Known()
    rows = _rows(text, known)
    kinds = _kinds(rows[:MAX_ROWS], find_letter, known)
    own: list[Row] = []
    is_quoting = answered_above = False
    note = ROWS_NOTE if len(rows) > MAX_ROWS else ""
    is_signed = False
    for at, kind in enumerate(kinds):
        row = rows[at]
        if kind is Kind.SIGNATURE:
            if own or is_quoting:
                break
            is_signed = True  # above the quotation, with nothing above it
        if kind is Kind.AMONG and not note:
            note = AMONG_NOTE
        if kind in (Kind.QUOTED, Kind.AMONG, Kind.HEADING):
            if not is_quoting:
                answered_above = any(not _is_greeting(row.plain) for row in own)
            is_quoting, is_signed = True, False
            is_history = kind is Kind.HEADING and _is_history(kinds, at)
            if is_history:
                return own, BELOW_NOTE if _is_unread(kinds[at:]) else note
        elif is_signed:
            continue
        elif kind is Kind.FOOTER:
            if own:
                return own, BELOW_NOTE if _is_unread(kinds[at:]) else note
        elif is_quoting and answered_above:
            return own, BELOW_NOTE
        elif len(own) >= MAX_OWN_ROWS:
            return own, LONG_NOTE
        else:
            own.append(row)
    return own, note


def _is_greeting(row: str) -> bool:
    return not row or GREETING.fullmatch(row) is not None


def _is_history(kinds: Sequence[Kind], at: int) -> bool:
    """Return whether no quoted row follows a heading: then another mail does, without marks."""
    below = next((kind for kind in kinds[at:] if kind is not Kind.HEADING), None)
    return below is not Kind.QUOTED


def _is_unread(kinds: Sequence[Kind]) -> bool:
    """Return whether words that may be the sender's stand among rows, above a signature."""
    end = kinds.index(Kind.SIGNATURE) if Kind.SIGNATURE in kinds else len(kinds)
    return Kind.OWN in kinds[:end]


def _rows(text: str, known: Known) -> list[Row]:
    rows: list[Row] = []
    empty_above = 0
    lines = text.split("\n")
    for line, normalised in zip(lines, normalise_rows(lines), strict=True):
        plain = normalised.strip()
        if len(rows) > MAX_ROWS:
            return rows
        if plain:
            # Still longer than any command may be: what is cut is refused, not misread.
            written, plain = line.strip()[:MAX_ROW].rstrip(), plain[:MAX_ROW].rstrip()
            # Few rows have the colon that ends a heading.
            heading, quoted = split_heading(plain, known) if ": " in plain else (plain, "")
            if quoted:
                rows.append(Row(heading, heading, empty_above > 0, "", heading, empty_above))
                rows.append(Row(quoted, quoted, False, "", quoted))
            else:
                mark = _MARK.match(written)
                sign, kept = mark[0] if mark else "", line[:MAX_ROW]
                rows.append(Row(written, plain, empty_above > 0, sign, kept, empty_above))
        empty_above = 0 if plain else empty_above + 1
    return rows


def _kinds(
    rows: Sequence[Row], find_letter: Callable[[], Fingerprints], known: Known
) -> list[Kind]:
    kinds = _quoted_rows(rows, find_letter)
    is_quoted = [kind is not Kind.OWN for kind in kinds]
    is_marked = _marked_rows(rows)
    headings = Headings(rows, known, is_quoted, is_marked)
    at = 0
    while at < len(rows):
        count = 0 if is_quoted[at] else headings.count(at)
        if count:
            kinds[at : at + count] = [Kind.HEADING] * count
            if at and _is_footer(rows, kinds, at - 1):
                kinds[at - 1] = Kind.FOOTER
            at += count
            at += _quote_marked(rows, kinds, at)
            continue
        if is_quoted[at] and rows[at].plain.endswith(":"):
            _quote_marked(rows, kinds, at + 1)
        # Initials before each row quote; before a single one they may be a word: `OK> so be it`.
        if (
            at
            and rows[at].mark.strip() == rows[at - 1].mark.strip()
            and _INITIALS.fullmatch(rows[at].mark)
        ):
            kinds[at - 1 : at + 1] = [Kind.QUOTED] * 2
        if _is_list_footer(rows, kinds, at):
            kinds[at] = Kind.FOOTER
        if at and kinds[at] is Kind.QUOTED and _is_footer(rows, kinds, at - 1):
            kinds[at - 1] = Kind.FOOTER
        if kinds[at] is Kind.OWN and rows[at].written in _SIGNATURES:
            # Telephones turn the two dashes before a signature into one long one.
            kinds[at] = Kind.SIGNATURE
        elif kinds[at] is Kind.OWN and _FOOTER.match(rows[at].plain):
            kinds[at] = Kind.FOOTER
        at += 1
    return kinds


def _marked_rows(rows: Sequence[Row]) -> list[bool]:
    """Return which rows may be quoted behind another sign than `>`: two with one, or a name."""
    marks = [row.mark.strip() for row in rows]
    found = []
    for at, mark in enumerate(marks):
        is_one_of_two = mark in (marks[at - 1] if at else "", *marks[at + 1 : at + 2])
        # A row of a table ends as it begins.
        is_table = mark == "|" and rows[at].plain.endswith("|")
        found.append(bool(mark) and not is_table and (is_one_of_two or mark.endswith(">")))
    return found


def _is_footer(rows: Sequence[Row], kinds: Sequence[Kind], at: int) -> bool:
    """Return whether a row right above a quotation says in any language what it was sent with."""
    row = rows[at]
    is_alone = at > 0 and kinds[at] is Kind.OWN and row.begins_paragraph
    is_short = len(row.plain.split()) <= MAX_FOOTER_WORDS and row.plain[-1] not in ".!?"
    return is_alone and is_short and _DEVICE.search(row.plain) is not None


def _is_list_footer(rows: Sequence[Row], kinds: Sequence[Kind], at: int) -> bool:
    """Return whether a row begins what a mailing list adds: a line, and an address below it."""
    if kinds[at] is not Kind.OWN or not _LINE.fullmatch(rows[at].plain):
        return False
    below = rows[at + 1 : at + 1 + MAX_FOOTER_ROWS]
    return len(rows) - at - 1 <= MAX_FOOTER_ROWS and any(_LIST.search(row.plain) for row in below)


def _quote_marked(rows: Sequence[Row], kinds: list[Kind], at: int) -> int:
    """Mark the rows below a heading as quoted that begin with the same sign; return how many."""
    mark = rows[at].mark.strip() if at < len(rows) else ""
    if not mark or mark.startswith(">"):
        return 0
    end = at
    while end < len(rows) and rows[end].mark.strip() == mark:
        end += 1
    if end - at < 2 and not mark.endswith(">"):
        return 0
    kinds[at:end] = [Kind.QUOTED] * (end - at)
    return end - at


def _quoted_rows(rows: Sequence[Row], find_letter: Callable[[], Fingerprints]) -> list[Kind]:
    is_quoted = [row.plain.startswith(">") for row in rows]
    plain_rows = [row for row, quoted in zip(rows, is_quoted, strict=True) if not quoted]
    below = is_quoted[is_quoted.index(True) :] if any(is_quoted) else []
    # Rows below a quoted one may be its end, which a program has wrapped.
    if len(plain_rows) <= MAX_PLAIN_ROWS and all(below) and not any(row.mark for row in plain_rows):
        return _by_quoted(is_quoted)
    letter = find_letter()
    if not letter:
        return _by_quoted(is_quoted)
    words = [words_of(row.plain[len(row.mark) :]) for row in rows]
    telling = telling_words(words)
    known = letter.known_rows(words)
    whole = letter.known_rows(words, min_share=1.0)
    for at in range(1, len(rows)):
        is_quoted[at] = is_quoted[at] or (
            known[at] and is_quoted[at - 1] and _is_broken(rows[at - 1], rows[at])
        )
    among = set()
    at = 0
    while at < len(rows):
        end = _run_end(known, words, is_quoted, at)
        told = [row for row in range(at, end) if known[row] and telling[row]]
        if told:
            is_letters = len(told) >= MIN_KNOWN_ROWS or any(whole[row] for row in told)
            told_words = sum(telling[row] for row in told)
            if told_words >= MIN_KNOWN_WORDS and is_letters:
                run = range(_run_begin(letter, words, at, told[0]), end)
                is_quoted[run.start : end] = [True] * len(run)
                among |= {row for row in run if words[row] and not known[row]}
                among |= set(told if told_words < MIN_CERTAIN_WORDS else ())
        at = max(end, at + 1)
    for at, row in enumerate(rows):
        # A sign that some program puts before what it quotes, and the letter's words: one will do.
        if row.mark and known[at] and telling[at] >= MIN_MARKED_WORDS:
            _quote_same_mark(rows, is_quoted, at)
    kinds = _by_quoted(is_quoted)
    for at in among:
        if not _ADDED.match(rows[at].plain):
            kinds[at] = Kind.AMONG
    return kinds


def _by_quoted(is_quoted: Sequence[bool]) -> list[Kind]:
    return [Kind.QUOTED if quoted else Kind.OWN for quoted in is_quoted]


def _quote_same_mark(rows: Sequence[Row], is_quoted: list[bool], at: int) -> None:
    """Mark a row as quoted, and its neighbours behind the same sign, which may be bare."""
    mark = rows[at].mark.strip()
    is_quoted[at] = True
    for step in (-1, 1):
        near = at + step
        while 0 <= near < len(rows) and not is_quoted[near] and rows[near].mark.strip() == mark:
            is_quoted[near] = True
            near += step


def _run_end(
    known: Sequence[bool], words: Sequence[Sequence[str]], is_quoted: Sequence[bool], at: int
) -> int:
    """Return the end of a run of the letter's rows that begins here, drawings among them."""
    end = row = at
    gap = 0
    while row < len(known) and not is_quoted[row]:
        if known[row]:
            end, gap = row + 1, 0
        elif words[row]:
            gap += 1
        if row == at and not known[row]:
            break
        if gap > MAX_GAP:
            break
        row += 1
    return end


def _run_begin(
    letter: Fingerprints, words: Sequence[Sequence[str]], at: int, first_telling: int
) -> int:
    """Return where a run begins whose first telling row is known.

    A board may be anybody's: it is the letter's where the letter goes on with that row below it.
    """
    begin = first_telling
    for row in reversed(range(at, first_telling)):
        if words[row] and not letter.has_joint(words[row], words[begin]):
            break
        begin = row if words[row] else begin
    return begin


def _is_broken(above: Row, row: Row) -> bool:
    """Return whether a row may be the rest of the one above, which was too long for a program."""
    first = row.plain.partition(" ")[0]
    is_long = len(above.plain) + len(first) > MIN_WRAPPED
    return is_long and not row.begins_paragraph
