"""Digests of the body of a mail, by which its DKIM signatures are verified later."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from hashlib import sha256


class BodyDigests:
    """SHA-256 of a mail's body in the canonical forms of DKIM (RFC 6376, 3.4), piece by piece.

    They are written as `simple=BASE64 relaxed=BASE64`.
    """

    def __init__(self) -> None:
        self._forms = {"simple": _Form(_unchanged), "relaxed": _Form(_with_single_blanks)}
        self.is_known = True  # every piece but the last ended with its line

    def update(self, lines: bytes) -> None:
        """Take whole lines; the last one of the body may have no end."""
        whole = lines.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        for form in self._forms.values():
            form.update(whole)

    def finish(self) -> str:
        """Return the digests, "" when they are not known."""
        if not self.is_known:
            return ""
        digests = {
            name: form.digest(b"\r\n" * (name == "simple")) for name, form in self._forms.items()
        }
        return " ".join(
            f"{name}={base64.b64encode(digest).decode()}" for name, digest in digests.items()
        )


def digest_of(body_digests: str, form: str) -> bytes:
    """Return the digest of a canonical form; the pair of `BodyDigests.finish`."""
    digests = dict(word.split("=", 1) for word in body_digests.split())
    return base64.b64decode(digests.get(form, ""))


class _Form:
    """The digest of one canonical form: empty lines at the end do not count."""

    def __init__(self, canonical: Callable[[bytes], bytes]) -> None:
        self._canonical = canonical
        self._hash = sha256()
        self._ends = 0  # ends of lines that are not hashed yet
        self._is_empty = True

    def update(self, lines: bytes) -> None:
        text = self._canonical(lines)
        end = _end_without_empty_lines(text)
        if end:
            self._hash.update(b"\r\n" * self._ends + text[:end])
            self._ends, self._is_empty = 0, False
        self._ends += (len(text) - end) // 2

    def digest(self, of_nothing: bytes) -> bytes:
        """Return the digest of what has come, or of `of_nothing`."""
        self._hash.update(of_nothing if self._is_empty else b"\r\n")
        return self._hash.digest()


def _end_without_empty_lines(text: bytes) -> int:
    """Return where the CRLF at the end of a text begin. A CR alone belongs to its line."""
    if not text.endswith(b"\r\n"):
        return len(text)
    end = len(text.rstrip(b"\r\n"))
    return max(end, text.rfind(b"\r\r", end) + 1)


def _unchanged(lines: bytes) -> bytes:
    return lines


def _with_single_blanks(lines: bytes) -> bytes:
    if b" " not in lines and b"\t" not in lines:
        return lines
    return re.sub(rb"[\t ]+", b" ", re.sub(rb"[\t ]+\r\n", b"\r\n", lines))
