"""Make text plain: what mail programs and telephones put in is read as typed.

Every door uses `normalise` before it reads a command. Look-alike letters of
other alphabets are left as they are: reading them as Latin could turn a typing
slip into a different legal move, so the grammar and the games refuse them.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

LONG_DASHES = frozenset("\u2014\u2015\u2e3a\ufe58")  # em dash, bar, two-em dash, small em dash
MINUSES = frozenset("\u2212\u02d7\u2043")  # signs that look like a dash and are no punctuation
SPELLED = {
    **dict.fromkeys("‘’‚‛‹›′ʹʼ´", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    "…": "...",
}
# Quotes as `normalise` leaves them: people put them round a word of a line that they pass on.
QUOTES = "\"'`"
# Foldings that only change the width or the face of a letter. Superscripts, circles and
# fractions are left: `a²` must not become the move `a2`.
FACES = ("<wide>", "<narrow>", "<small>", "<font>", "<noBreak>")
# Python needs seconds to compose a letter with thousands of accents.
MAX_ACCENTS = 8

_ENDS = (".", "!", "?", "…")  # of sentences
_CLOSING = "\"'”’)»“"  # may stand behind them

# Columns of a line of prose in mails and terminals: 80 with room to be quoted.
WIDTH = 72

_ASCII_JUNK = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_ASCII_BLANK = re.compile(r"[\t-\r]")
_TYPED = re.compile(r"`[^`\n]{1,60}`")
_SPACED_OPTION = re.compile(r"(?<!\S)(--?[A-Za-z]{1,20})(?: {1,3}= {0,3}|= {1,3})(?=[\w-])")


def normalise(text: str) -> str:
    """Make one line of text plain.

    Dashes become `-` (a long dash that begins a word `--`, which programs
    make of it), quotes straight, unusual blanks ordinary, wide letters and
    digits narrow; invisible and control characters go; an option such as
    `-size = 6` becomes one word. Line breaks become blanks. Other blanks are
    neither joined nor cut off at the ends.
    """
    if text.isascii():
        if text.isprintable():
            return _joined(text)
        return _joined(_ASCII_JUNK.sub("", _ASCII_BLANK.sub(" ", text)))
    composed = unicodedata.normalize("NFC", "".join(_bounded_accents(text)))
    plain = unicodedata.normalize("NFC", "".join(map(_plain, composed)))
    return _joined(re.sub(r"(?<!\S)—(?=\w)", "--", plain).replace("—", "-"))


def normalise_rows(rows: Iterable[str]) -> list[str]:
    """Make each row of a text plain."""
    # Most are plain: to see that takes a tenth of a call.
    return [
        row if row.isascii() and row.isprintable() and "=" not in row else normalise(row)
        for row in rows
    ]


def one_line(text: str) -> str:
    """Return text as written, but on one line and without invisible characters.

    For names and subjects that go back out: no line break, control character
    or change of direction survives, so nothing can begin a header of its own.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(map(visible, text)).split())


def as_sentence(text: str) -> str:
    """Return what somebody has typed with a full stop, unless it ends like a sentence.

    For reasons: another sentence may follow them.
    """
    return text if not text or text.rstrip(_CLOSING)[-1:] in _ENDS else f"{text}."


def wrap(text: str, width: int = WIDTH) -> str:
    """Return text with lines of prose no longer than `width`.

    Indented lines and lines with several blanks in a row are kept as they are: commands to
    copy, tables, boards. Words between backquotes stay in one line.
    """
    return "\n".join(_wrapped(line, width) for line in text.split("\n"))


def _wrapped(line: str, width: int) -> str:
    line = line.rstrip("\r")
    if len(line) <= width or line.startswith(" ") or "  " in line:
        return line
    mark = "> " if line.startswith("> ") else ""
    joined = _TYPED.sub(lambda typed: typed[0].replace(" ", "\0"), line.removeprefix(mark))
    filled = textwrap.fill(
        joined,
        width,
        initial_indent=mark,
        subsequent_indent=mark,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled.replace("\0", " ")


def _joined(text: str) -> str:
    return _SPACED_OPTION.sub(r"\1=", text) if "=" in text else text


def _bounded_accents(text: str) -> Iterator[str]:
    accents = 0
    for character in text:
        accents = accents + 1 if unicodedata.combining(character) else 0
        if accents <= MAX_ACCENTS:
            yield character


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    character = visible(character)
    if character in SPELLED:
        return SPELLED[character]
    if character in LONG_DASHES:
        return "—"
    if character in MINUSES or unicodedata.category(character or " ") == "Pd":
        return "-"
    if unicodedata.decomposition(character or " ").startswith(FACES):
        return "".join(map(_plain, unicodedata.normalize("NFKC", character)))
    return character


@lru_cache(maxsize=4096)
def visible(character: str) -> str:
    """Return a character as one sees it; "" where nobody sees anything."""
    if "\x80" <= character <= "\x9f":
        # These codes are Windows-1252 sent under another name; its 0x96 is the dash of `b2–b4`.
        return bytes([ord(character)]).decode("cp1252", "ignore")
    if character in "\t\n\v\f\r":
        return " "
    category = unicodedata.category(character)
    if category in ("Zs", "Zl", "Zp"):
        return " "
    if category == "Cs":
        return "\N{REPLACEMENT CHARACTER}"
    return "" if category in ("Cc", "Cf") else character
