"""The golden mails: each file of `data` has a mail, how it is read, and how it is answered.

A file is three parts below their headings: the fields of the `ReadMail` as JSON, the reply as
`reply/test_replies.py` words it, and to its end the bytes of the mail. Run it to fold files of
the form before, NAME.eml, NAME.json and NAME.reply, into NAME.mail.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
_READ, _ANSWERED, _MAIL = b"--- read as\n", b"--- answered with\n", b"--- mail\n"


@dataclass(frozen=True)
class GoldenMail:
    """A mail, what is read of it as JSON, and what is answered, in words."""

    name: str
    fields: str
    reply: str
    raw: bytes

    def write(self) -> None:
        """Write the file of this mail anew."""
        texts = self.fields.encode(), self.reply.encode()
        folded = _READ + texts[0] + _ANSWERED + texts[1] + _MAIL + self.raw
        (DATA / f"{self.name}.mail").write_bytes(folded)


def load(path: Path) -> GoldenMail:
    """Return the mail of a file."""
    above, _, rest = path.read_bytes().partition(_ANSWERED)
    reply, _, raw = rest.partition(_MAIL)
    return GoldenMail(path.stem, above.removeprefix(_READ).decode(), reply.decode(), raw)


MAILS = {path.stem: load(path) for path in sorted(DATA.glob("*.mail"))}


def fold() -> None:
    """Fold what is left in three files; a file that is missing keeps its part of the folded."""
    for name in sorted({p.stem for p in DATA.iterdir() if p.suffix != ".mail"}):
        kept = MAILS.get(name, GoldenMail(name, "{}\n", "", b""))
        parts = {path.suffix: path.read_bytes() for path in DATA.glob(f"{name}.*")}
        fields, reply = parts.get(".json"), parts.get(".reply")
        GoldenMail(
            name,
            kept.fields if fields is None else fields.decode(),
            kept.reply if reply is None else reply.decode(),
            parts.get(".eml", kept.raw),
        ).write()
        for suffix in (".eml", ".json", ".reply"):
            (DATA / f"{name}{suffix}").unlink(missing_ok=True)


if __name__ == "__main__":
    fold()
    print(f"{len(list(DATA.glob('*.mail')))} mails, each in one file")
