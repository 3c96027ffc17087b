"""Mails and command lines that nobody would send, each from a seed and its number.

A mail is a real one of the corpus, spliced and cut; or put together from the grammar of
MIME, right and wrong; or a heap of the signs that parsers stumble over; or one of them
repeated as far as a bound allows. A line is a command as help writes it, spoilt.
"""

from __future__ import annotations

import base64
import quopri
import random
from functools import lru_cache

from doors.mail.golden_mails import MAILS
from sarsen.doors.mail.parse.parts import MAX_BYTES
from sarsen.games import load, names
from sarsen.language.commands import BY_WORD, COMMANDS

SIGNS = [
    *(b"\r\n", b"\n", b"\r", b"\0", b"\t", b" ", b"\x1b[2J", b"\x7f", b"\x85", b"\xff\xfe"),
    *(b">", b"> ", b"--", b"-- \n", b"__", b"=", b"=\n", b"=3D", b"=?", b"?=", b"=?utf-8?b?"),
    *(b"=?x?q?", b"=?utf-8?q?=0D=0ABcc:_x?=", b"(", b")", b"<", b">", b"@", b":", b";", b","),
    *(b'"', b"\\", b"[", b"]", b"*", b"*0*=", b"%00", b"''", b"&#0;", b"&amp;", b"&", b"<!--"),
    *(b"-->", b"<![CDATA[", b"]]>", b"<blockquote>", b"</blockquote>", b"<p>", b"<td>", b"<pre>"),
    *(b"<br>", b"<a b=", b"<div class=gmail_quote>", b"<div id=divRplyFwdMsg>", b"<style>"),
    *(b"<x " + b"y " * 9, b"<svg>", b"<table>", b"</p>", b"<b><i></b></i>", b"<!DOCTYPE x [ "),
    *("\u2028\u2029\u202e\u200b\ufeff".encode(), "ﷺ".encode(), "a\u0301\u0301\u0301".encode()),
    *("２".encode(), "А1".encode(), "a²".encode(), "–—−".encode(), b"\xed\xa0\x80", b"\xc0\x80"),
    *(b"On 3 Nov 2026 at 10:11, a@b wrote:\n", b"Am 3.11.2026 um 10:11 schrieb a:\n", b"Von: x\n"),
    *(b"From: x\nSent: y\n", b"-----Original Message-----\n", b"Sent from my x\n"),
    *("2026年11月3日 10:11 a@b:\n".encode(), "El 3/11/26 a las 10:11, a escribió:\n".encode()),
    *(
        b"-----BEGIN PGP SIGNED MESSAGE-----\n",
        b"-----BEGIN PGP SIGNATURE-----\n",
        b"begin 644 x\n",
    ),
    *(
        b"b2-b4\n",
        b"multiple\n",
        b"resign\n",
        b"signup zoe SECRET\n",
        b"druid move 1 a SECRET b2\n",
    ),
    *(b"chat ", b"-size=", b"--", b"#", b"1e999", b"9" * 40, b"+AAAA-", b"\x1b$B\x1b(B", b"+2D0-"),
]
FIELDS = [
    *(b"From", b"To", b"Cc", b"Reply-To", b"Subject", b"Message-ID", b"In-Reply-To", b"Received"),
    *(b"Content-Type", b"Content-Transfer-Encoding", b"Content-Disposition", b"Content-Encoding"),
    *(b"Auto-Submitted", b"Precedence", b"List-Id", b"X-Sarsen", b"Date", b"X", b"", b"From "),
]
KINDS = [
    *(b"text/plain", b"text/html", b"text/enriched", b"text/calendar", b"multipart/mixed"),
    *(b"multipart/alternative", b"multipart/related", b"multipart/signed", b"multipart/report"),
    *(b"multipart/encrypted", b"multipart/digest", b"message/rfc822", b"message/delivery-status"),
    *(b"message/partial", b"application/pkcs7-mime", b"image/png", b"text", b"/", b"TEXT/PLAIN"),
]
PARAMETERS = [
    *(b"charset=utf-8", b"charset=utf-16", b"charset=utf-7", b"charset=hex", b"charset=idna"),
    *(b"charset=iso-2022-jp", b"charset=big5", b"charset=gb18030", b"charset*0*=x''y", b"charset"),
    *(b'charset="\0"', b"format=flowed", b"delsp=yes", b"name*=x", b"boundary=", b"boundary=b"),
]
CODINGS = [b"7bit", b"8bit", b"base64", b"quoted-printable", b"x-uuencode", b"binary", b"b", b""]


@lru_cache(maxsize=1)
def corpus() -> tuple[bytes, ...]:
    """Return the mails of the corpus, but for the giants, which would fill every mutation."""
    return tuple(mail.raw for mail in MAILS.values() if len(mail.raw) < 8_000)


def mail(chance: random.Random) -> bytes:
    """Make one mail."""
    kind = chance.random()
    if kind < 0.5:
        return mutated(chance, chance.choice(corpus()))
    if kind < 0.85:
        raw = head(chance) + part(chance, 0)
        return mutated(chance, raw) if chance.random() < 0.3 else raw
    if kind < 0.98:
        return heap(chance, 60)
    return giant(chance)


def mutated(chance: random.Random, raw: bytes) -> bytes:
    """Splice, cut, double and spoil a mail in some places."""
    for _ in range(chance.randint(1, 8)):
        start = chance.randint(0, len(raw))
        end = min(len(raw), start + int(chance.expovariate(1 / 15)))
        piece = raw[start:end]
        ways = (
            b"",
            chance.choice(SIGNS),
            chance.choice(SIGNS) * chance.choice((2, 9, 70)),
            piece + piece,
            piece[::-1],
            bytes(octet ^ 1 << chance.randrange(8) for octet in piece),
            chance.randbytes(chance.randint(1, 6)),
            cut(chance, chance.choice(corpus())),
            b"\n" + field(chance),
        )
        raw = raw[:start] + chance.choice(ways) + raw[end:]
    return raw[:MAX_BYTES]


def cut(chance: random.Random, raw: bytes) -> bytes:
    """Return a piece of a mail."""
    start = chance.randint(0, len(raw))
    return raw[start : start + chance.randint(1, 400)]


def heap(chance: random.Random, most: int) -> bytes:
    """Return signs in any order."""
    return b"".join(chance.choices(SIGNS, k=chance.randint(0, most)))


def head(chance: random.Random) -> bytes:
    """Return the header fields that a mail has, and some that it has not."""
    fields = [b"From: ada@example.org\r\n", b"Subject: " + heap(chance, 4) + b"\r\n"]
    fields += [field(chance) for _ in range(chance.randint(0, 5))]
    chance.shuffle(fields)
    return b"".join(fields)


def field(chance: random.Random) -> bytes:
    """Return one header field."""
    name = chance.choice(FIELDS)
    value = chance.choice((heap(chance, 5), chance.choice(KINDS), chance.randbytes(5)))
    return name + chance.choice((b": ", b":", b" : ", b" ")) + value + b"\r\n"


def part(chance: random.Random, depth: int) -> bytes:
    """Return a part of a mail with its own header fields, and the parts inside it."""
    kind = chance.choice(KINDS)
    parameters = b"".join(b"; " + chance.choice(PARAMETERS) for _ in range(chance.randint(0, 3)))
    boundary = b"b%d" % chance.randint(0, 3)
    above = b"Content-Type: " + kind + parameters
    if kind.startswith(b"multipart") and chance.random() < 0.9:
        above += b"; boundary=" + boundary
    coding = chance.choice(CODINGS)
    above += b"\r\nContent-Transfer-Encoding: " + coding + b"\r\n"
    above += b"".join(field(chance) for _ in range(chance.choice((0, 0, 0, 1, 4))))
    return (
        above + b"\r\n" * chance.choice((1, 1, 1, 1, 0, 2)) + body(chance, depth, coding, boundary)
    )


def body(chance: random.Random, depth: int, coding: bytes, boundary: bytes) -> bytes:
    """Return what stands in a part."""
    if depth < 4 and chance.random() < 0.5:
        inside = (part(chance, depth + 1) for _ in range(chance.randint(0, 4)))
        ends = chance.choice((b"--", b"--", b""))
        return b"".join(b"\r\n--" + boundary + b"\r\n" + one for one in inside) + (
            b"\r\n--" + boundary + ends + b"\r\n"
        )
    words = chance.choice((line(chance).encode("utf-8", "replace"), heap(chance, 20)))
    if chance.random() < 0.6 and coding == b"base64":
        return base64.encodebytes(words)
    if chance.random() < 0.6 and coding == b"quoted-printable":
        return quopri.encodestring(words)
    return words


def giant(chance: random.Random) -> bytes:
    """Repeat some signs as far as a bound allows, in one place of a mail."""
    unit = heap(chance, 3) or b"x"
    most = chance.choice((1_900, 3_900, 60_000, 90_000, MAX_BYTES - 2_000))
    mass = (unit * (most // len(unit) + 1))[:most]
    above = head(chance)
    if chance.random() < 0.3:
        return above + chance.choice(FIELDS) + b": " + mass + b"\r\n\r\nb2-b4\r\n"
    kind, parameter = chance.choice(KINDS), chance.choice(PARAMETERS)
    return (
        above + b"Content-Type: " + kind + b"; " + parameter + b"; boundary=b\r\n\r\n--b\r\n" + mass
    )


def line(chance: random.Random) -> str:
    """Make one command line."""
    words = chance.choice((usage(chance), usage(chance), move(chance), [letters(chance)])).copy()
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        at = chance.randint(0, len(words))
        words[at : at + chance.randint(0, 1)] = chance.choice(
            ([letters(chance)], [chance.choice(vocabulary())], words[at : at + 1] * 2, [])
        )
    return chance.choice((" ", " ", " ", "  ", "")).join(words)[:6_000]


def usage(chance: random.Random) -> list[str]:
    """Return the words of a command as help writes it."""
    return [chance.choice(names()), *chance.choice(COMMANDS).usage.split()][chance.randint(0, 1) :]


def move(chance: random.Random) -> list[str]:
    """Return a move of some game as a line would hold it."""
    game = chance.choice(names())
    words = [game, "move", str(chance.randint(0, 130)), chance.choice(first_moves(game))]
    return words[chance.choice((0, 1, 3)) :]


@lru_cache
def first_moves(game: str) -> tuple[str, ...]:
    """Return the texts of the moves that a game can begin with."""
    position = load(game).start("")
    return tuple(map(position.format, position.legal_moves()))


def letters(chance: random.Random) -> str:
    """Return a word of letters, signs or numbers."""
    ways = (
        heap(chance, 2).decode("utf-8", "replace"),
        "".join(chance.choices("abcdefxyz0123456789-=#;:,.()+*/'\"", k=chance.randint(1, 12))),
        chance.choice(("-size=", "--nagtime=", "--", "-", "#")) + str(chance.randint(-9, 10**20)),
        "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randint(1, 4))),
        chance.choice("xé9 ") * chance.choice((3, 300, 1_100)),
        "2026-" + str(chance.randint(0, 99)) + "-" + str(chance.randint(0, 99)),
    )
    return chance.choice(ways)


@lru_cache(maxsize=1)
def vocabulary() -> tuple[str, ...]:
    """Return the words that commands begin with."""
    return tuple(BY_WORD)
