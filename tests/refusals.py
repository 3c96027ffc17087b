"""Read from the sources what refusals and games say: `It is not your turn on board {board}.`"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

# What is passed to a refusal beside the facts of its text.
_NO_FACTS = {"code", "field", "hint", "word", "seconds"}
_READ = re.compile(r"\b(?:code=|Refusal\(|Phrase\(|Outcome\()")
_HANDED_ON = re.compile(r"(?:\w+\.)*text|_\(.*\)", re.DOTALL)


@dataclass(frozen=True)
class Template:
    """A sentence of the sources with its gaps, and the facts that are given with it.

    Attributes:
        facts: None where the call does not show them, such as `**facts`.
        call: The line of the call, which may choose between several texts.
    """

    text: str
    facts: frozenset[str] | None
    call: int

    @property
    def gaps(self) -> frozenset[str]:
        """The names of the gaps; none where there are no facts, for braces are text then."""
        if self.facts == frozenset():
            return frozenset()
        return frozenset(gap for _, gap, _, _ in Formatter().parse(self.text) if gap is not None)


def templates(path: Path) -> Iterator[Template]:
    """Yield what is raised, caused or advised in a file."""
    for call in _calls(path):
        name = _name(call)
        if name == "Phrase":
            yield from _of(call.args[0], call)
        elif name == "Outcome" and len(call.args) > 1:
            yield from _of(call.args[1], call)
        elif _is_refusal(call):
            yield from _of(call.args[0], call)
            hints = [one.value for one in call.keywords if one.arg == "hint"]
            for hint in (*hints, *call.args[2:]):
                for one in _of(hint, None):
                    if is_sentence(one.text):
                        yield one


def unread(path: Path) -> Iterator[str]:
    """Yield the texts of refusals of a file that are neither written there nor handed on."""
    for call in filter(_is_refusal, _calls(path)):
        text = call.args[0]
        is_known = _is_phrase(text) or any(_of(text, call))
        if not is_known and not _HANDED_ON.fullmatch(said := ast.unparse(text)):
            yield f"{path.name}:{call.lineno}: {said}"


def is_sentence(hint: str) -> bool:
    """Return whether a hint is advice, not a line to be typed, which is never translated."""
    return bool(re.match(r"[A-Z][a-z]*[ ,]|[^ ]+ (?:is|has) ", hint))


@cache
def _calls(path: Path) -> tuple[ast.Call, ...]:
    source = path.read_text(encoding="utf-8")
    if not _READ.search(source):
        return ()  # half of the files: to parse them takes long
    tree = ast.parse(source)
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)


def _name(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _is_phrase(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _name(node) in ("Phrase", "listed")


def _is_refusal(call: ast.Call) -> bool:
    names = {one.arg for one in call.keywords}
    is_raised = "code" in names and _name(call) not in ("filter", "__init__", "format", "warning")
    return is_raised or (_name(call) == "Refusal" and len(call.args) == 3)


def _of(node: ast.expr, call: ast.Call | None) -> Iterator[Template]:
    """Yield the literal texts that an expression may be."""
    match node:
        case ast.Constant(value=str(text)):
            names = [one.arg for one in call.keywords] if call else []
            given = frozenset(name for name in names if name and name not in _NO_FACTS)
            yield Template(
                text, None if None in names else given, call.lineno if call else node.lineno
            )
        case ast.IfExp(body=body, orelse=other):
            yield from _of(body, call)
            yield from _of(other, call)
