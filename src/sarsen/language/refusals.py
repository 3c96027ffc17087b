"""What is refused, said in the language in force.

A refusal is raised, kept, and told to programs in English: when it is raised, nobody knows who
will read it, and below this package nobody knows of languages. Where people read it, it is
found again among the forms in the catalogue, such as `The userid {0} is taken.`; they are
collected from where refusals are raised. What is not found stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter

from sarsen.language.translating import ENGLISH, _, catalogues, later, spoken, translations

# What games and the referee put before a move that would have been legal.
EXAMPLE = later("For example: {0}")
WORDS = "words"
DEEPEST = 3  # refusals in a refusal: more come of words that somebody typed
# What stands in such gaps, beside what a daily limit is of; see `services.limits`.
_OURS = (
    *(later("declined"), later("withdrawn")),
    *(later("an invitation"), later("invitation"), later("games")),
)
_AND_OR = later("and"), later("or")
_ITEM = r"\S+(?: \([^)]*\))?"  # `ann`, `D4 (C5-E3)`
_LIST = re.compile(rf"{_ITEM}(?:(?:,| and| or) {_ITEM})+")
_GAP = re.compile(rf"{{((?:{WORDS})?[0-9])}}")


@dataclass(frozen=True)
class Form:
    """A sentence with gaps, and what it is in another language.

    Attributes:
        parts: What stands before, between and after the gaps.
        said: With the gaps of the English one, in any order.
        gaps: Their names, in the order of the English: {0}, {1} … for what stays as it is if
            it is one word, for it may be a name; {words0} … for words of ours.
    """

    parts: tuple[str, ...]
    said: str
    gaps: tuple[str, ...] = ()

    def read(self, text: str) -> tuple[str, ...] | None:
        """Return what stands in the gaps, each as short as can be; None if this is not said."""
        first, *middle, last = self.parts
        if not (text.startswith(first) and text.endswith(last)):
            return None
        facts, start, end = [], len(first), len(text) - len(last)
        for part in middle:
            found = text.find(part, start, end)
            if found < 0:
                return None
            facts.append(text[start:found])
            start = found + len(part)
        return (*facts, text[start:end]) if start <= end else None


def reworded(text: str, depth: int = 0) -> str:
    """Return a refusal or its hint, written in English, in the active language.

    Args:
        depth: In how many other refusals it stands.
    """
    is_word = " " not in text  # a name, or to be typed
    if spoken() == ENGLISH or is_word or depth > DEEPEST:
        return text
    if (whole := _(text)) != text:
        return whole
    for form in _forms(spoken(), len(catalogues())):
        facts = form.read(text)
        if facts is not None:
            return _filled(form, facts, depth + 1)
    return text


def _filled(form: Form, facts: tuple[str, ...], depth: int) -> str:
    said = [
        _(fact) if gap.startswith(WORDS) else _fact(fact, depth)
        for gap, fact in zip(form.gaps, facts, strict=True)
    ]
    return form.said.format(*said, **dict(zip(form.gaps, said, strict=True)))


def _fact(fact: str, depth: int) -> str:
    """Return a text that says what stands in a gap: it may be a refusal itself, or several
    facts.
    """
    if _LIST.fullmatch(fact):
        return re.sub(" (and|or) ", lambda found: f" {_(found[1])} ", fact)
    said = reworded(fact, depth)
    if said != fact or ", " not in fact:
        return said
    return ", ".join(_fact(one, depth) for one in fact.split(", "))


@lru_cache
def _forms(language: str, _count: int) -> tuple[Form, ...]:
    """Return the forms that so many catalogues know, those that say most first."""
    found = [
        Form(tuple(_parts(text)), said, tuple(_GAP.findall(text)))
        for text, said in translations(language).items()
        if _GAP.search(text)
    ]
    return tuple(sorted(found, key=lambda form: -sum(map(len, form.parts))))


def _parts(text: str) -> list[str]:
    parts, is_open = [""], False
    for literal, gap, _spec, _conversion in Formatter().parse(text):
        if is_open:
            parts.append("")
        parts[-1] += literal
        is_open = gap is not None
    return [*parts, ""] if is_open else parts
