"""Sentences for people, in English, that keep what they were made of.

Below `sarsen.language` nobody knows who will read a sentence. A `Phrase` is finished English,
so that logs, programs and files need not know of it; where people read it,
`language.translating.translated` looks its template up and fills in the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Self

Fact = str | int


class Phrase(str):
    """A sentence, or a word of ours that fills a gap of one.

    A subclass of `str`: plug-ins, and whatever only shows or stores text, use plain strings.
    A copy of only the characters, as in JSON, loses the template.

    Attributes:
        template: With a gap for each fact, such as `Board {board} is full.`; the key of the
            catalogues. Without facts it is the sentence itself, braces included.
        facts: By the names of the gaps. One that is a phrase is translated too; no other is.
    """

    template: str
    facts: Mapping[str, Fact]

    def __new__(cls, template: str, /, **facts: Fact) -> Self:
        """Return the finished sentence; a phrase without further facts stays as it is."""
        if isinstance(template, cls) and not facts:
            return template
        phrase = super().__new__(cls, template.format(**facts) if facts else template)
        phrase.template, phrase.facts = str(template), facts
        return phrase

    def without(self, is_withheld: Callable[[Typed], bool]) -> Phrase:
        """Return the phrase with `'…'` for each typed fact that is withheld, at any depth."""
        facts: dict[str, Fact] = {}
        for name, fact in self.facts.items():
            if isinstance(fact, Phrase):
                facts[name] = fact.without(is_withheld)
            else:
                is_out = isinstance(fact, Typed) and is_withheld(fact)
                facts[name] = UNQUOTED if is_out else fact
        return Phrase(self.template, **facts)


class Typed(str):
    """Words that a person typed, as a sentence or a hint repeats them; also what made them plain.

    An answer may have to leave such words out, in case they are a password in a wrong place. No
    other words are ever looked at for that.
    """


UNQUOTED = Typed("'…'")  # in place of words that are not repeated


def quoted(typed: str, most: int = 40) -> Typed:
    """Return what was typed in quotes, with a mark where it is cut.

    A sign that nobody sees, as of control or direction, is shown by its number: `<U+0000>`.
    """
    text = typed if len(typed) <= most else f"{typed[:most]}…"
    shown = "".join(sign if sign.isprintable() else f"<U+{ord(sign):04X}>" for sign in text)
    mark = '"' if "'" in shown and '"' not in shown else "'"
    return Typed(f"{mark}{shown}{mark}")


def for_example(typed: str) -> Phrase:
    """Return the hint that names a move or line that would have worked."""
    return Phrase("For example: {typed}", typed=typed)


def example_of(hint: str) -> str:
    """Return the move or line that a hint made by `for_example` names; "" of another hint."""
    if isinstance(hint, Phrase) and hint.template == for_example("").template:
        return str(hint.facts["typed"])
    return ""


def listed(items: Sequence[str], between: str = ",") -> str:
    """Return items in a row: `a, b`, or with `between` as `and` or `or`: `a and b and c`."""
    return reduce(partial(_pair, between), items)


def joined(items: Sequence[str], between: str = " ") -> Phrase:
    """Return many sentences or names as one phrase, each to be translated for itself."""
    facts = {f"part{at}": item for at, item in enumerate(items)}
    return Phrase(between.join(f"{{{name}}}" for name in facts), **facts)


def _pair(between: str, first: str, second: str) -> Phrase:
    if between == "and":
        return Phrase("{one} and {other}", one=first, other=second)
    if between == "or":
        return Phrase("{one} or {other}", one=first, other=second)
    return Phrase("{one}, {other}", one=first, other=second)
