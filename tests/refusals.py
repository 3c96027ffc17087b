"""Find what refusals may say in the sources: `It is not your turn on board {0}: {1} moves.`

A refusal is written in English where it is raised. Its form is read off there: what is filled
in becomes {0}, {1} … in the order of the English, or {words0} where it is a word of ours, and
a choice of words makes several forms.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

GAP, OURS = "\0", "\1"  # something that is filled in, and what is so from words of ours
_OURS = re.compile(r"what\b.*|.*\.state|(?:SIDE_NAMES|VALUES)\[.*")  # expressions
MOST_FORMS = 64  # of one refusal
DEEPEST = 8  # names and functions that are followed
_WORD = re.compile(r"[A-Za-z]{2,}")


def forms(path: Path) -> Iterator[str]:
    """Yield what the refusals of a file may say, and their hints that are sentences."""
    module = _Module(ast.parse(path.read_text(encoding="utf-8")))
    for function in module.functions:
        yield from _words(function)
        for reason in _reasons(function):
            yield from filter(None, map(numbered, module.texts_of_call(reason, function)))
        for call in _refusals(function):
            yield from filter(None, map(numbered, module.listed(function)))
            hints = [keyword.value for keyword in call.keywords if keyword.arg == "hint"]
            said = module.texts_of_call(call.args[0], function)
            for hint in hints:
                said += filter(is_sentence, module.texts_of_call(hint, function))
            for one in map(numbered, said):
                if one:
                    yield one


def _words(function: ast.AST) -> Iterator[str]:
    """Yield words of ours that are handed on to a refusal elsewhere: `what="challenges"`."""
    for node in _own(function):
        for table in (*_assigned(node, "SIDE_NAMES"), *_assigned(node, "VALUES")):
            words = getattr(table, "elts", ()) or getattr(table, "values", ())
            yield from (str(ast.literal_eval(one)) for one in words)
        for keyword in getattr(node, "keywords", ()):
            if keyword.arg == "what" and isinstance(keyword.value, ast.Constant):
                yield str(keyword.value.value)


def effects(path: Path) -> Iterator[str]:
    """Yield what a game's moves bring about: sentences that are listed, added or yielded."""
    module = _Module(ast.parse(path.read_text(encoding="utf-8")))
    for function in module.functions:
        for node in _own(function):
            told: list[ast.expr | None] = []
            match node:
                case ast.Tuple(elts=several) | ast.List(elts=several):
                    told += several
                case ast.Call(func=ast.Attribute(attr="append"), args=several):
                    told += several
                case ast.Yield(value=one):
                    told.append(one)
            for one in told:
                if isinstance(one, ast.Constant | ast.JoinedStr):
                    said = (text for text in module.texts(one, function) if text.endswith("."))
                    yield from filter(None, map(numbered, said))


def _reasons(function: ast.AST) -> Iterator[ast.expr]:
    """Yield why a game is over: `Outcome(scores, "V joined top and bottom.")`."""
    for node in _own(function):
        called = getattr(node, "func", None)
        if isinstance(node, ast.Call) and getattr(called, "id", "") == "Outcome":
            yield from node.args[1:2]


def unread(path: Path) -> Iterator[str]:
    """Yield the expressions of a file's refusals of which no form can be read."""
    module = _Module(ast.parse(path.read_text(encoding="utf-8")))
    for function in module.functions:
        for call in _refusals(function):
            if not any(map(numbered, module.texts_of_call(call.args[0], function))):
                yield ast.unparse(call.args[0])


def is_sentence(hint: str) -> bool:
    """Tell advice from a line to be typed, which is never translated, and from a move."""
    is_example = hint.startswith("For example: ")  # one form for all
    return not is_example and bool(re.match(r"[A-Z][a-z]*[ ,]|[^ ]+ (?:is|has) ", hint))


def numbered(said: str) -> str:
    """Write the gaps of a text as {0}, {1} …; "" where hardly anything else is left."""
    literal = re.sub(f"{GAP}[{GAP}{OURS}]+", GAP, said)
    if literal.startswith(" "):  # nothing stands there only where the sentence is another one
        return ""
    if len(_WORD.findall(literal)) < 2:
        return ""
    numbers = itertools.count()
    return re.sub(
        f"[{GAP}{OURS}{{}}]",
        lambda found: {
            GAP: lambda: f"{{{next(numbers)}}}",
            OURS: lambda: f"{{words{next(numbers)}}}",
        }.get(found[0], lambda: found[0] * 2)(),
        literal,
    )


def _refusals(function: ast.AST) -> Iterator[ast.Call]:
    for node in _own(function):
        if isinstance(node, ast.Call) and node.args:
            names = {keyword.arg for keyword in node.keywords}
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if "code" in names and called not in ("filter", "__init__", "format", "warning"):
                yield node
            elif called == "Refusal" and len(node.args) == 3:
                yield ast.Call(
                    node.func,
                    node.args[:1],
                    [ast.keyword("hint", node.args[2])],
                    lineno=node.lineno,
                )


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """Walk through a function or module, without the functions in it."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, ast.FunctionDef):
            yield from _own(child)


def _gap(node: ast.expr) -> str:
    return OURS if _OURS.fullmatch(ast.unparse(node)) else GAP


def _assigned(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """Yield what a statement assigns to a name, also as one of several."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        node = ast.Assign([node.target], node.value)
    for target in node.targets if isinstance(node, ast.Assign) else ():
        if isinstance(target, ast.Name) and target.id == name:
            yield node.value
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            for one, value in zip(target.elts, node.value.elts, strict=False):
                if isinstance(one, ast.Name) and one.id == name:
                    yield value


@dataclass
class _Module:
    tree: ast.Module
    functions: list[ast.AST] = field(init=False)

    def __post_init__(self) -> None:
        nested = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)]
        self.functions = [self.tree, *nested]

    def texts_of_call(self, node: ast.expr, function: ast.AST) -> list[str]:
        """Return what an expression may say, also where a function of this file makes all of it."""
        return self._made(node) or self.texts(node, function)

    def texts(self, node: ast.expr, function: ast.AST, depth: int = 0) -> list[str]:
        """Return what an expression may say, with gaps for what is known only when it is said."""
        found = self._texts(node, function, depth) if depth <= DEEPEST else []
        return list(dict.fromkeys(found))[:MOST_FORMS] or [_gap(node)]

    def _texts(self, node: ast.expr, function: ast.AST, depth: int) -> list[str]:
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts):
                each = [self.texts(part, function, depth) for part in parts]
                return ["".join(one) for one in itertools.product(*each)]
            case ast.FormattedValue(value=ast.Call() as call) if made := self._made(call, depth):
                return made
            case ast.FormattedValue(value=value, conversion=-1):
                return self.texts(value, function, depth + 1)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                each = [self.texts(part, function, depth) for part in (left, right)]
                return ["".join(one) for one in itertools.product(*each)]
            case ast.BoolOp(op=ast.Or(), values=several):
                return [text for one in several for text in self.texts(one, function, depth)]
            case ast.IfExp(body=body, orelse=other):
                return [*self.texts(body, function, depth), *self.texts(other, function, depth)]
            case ast.Name(id=name):
                return self._named(name, function, depth + 1)
            case ast.Subscript(value=ast.Tuple(elts=several)):
                return [text for one in several for text in self.texts(one, function, depth)]
            case ast.Subscript(value=ast.Name(id=name)):
                return self._of_table(name) or [_gap(node)]
            case ast.Call(func=ast.Name(id="_" | "later"), args=[ast.Constant(value=str(text))]):
                return [text]
        return [_gap(node)]

    def listed(self, function: ast.AST) -> Iterator[str]:
        """Yield what a function lists, with commas between: facts that are sentences."""
        for node in _own(function):
            if isinstance(node, ast.GeneratorExp) and isinstance(node.elt, ast.JoinedStr):
                yield from self.texts(node.elt, function)

    def _made(self, node: ast.expr, depth: int = 0) -> list[str]:
        """Return what a function of this file may say, where it says more than a word."""
        if not isinstance(node, ast.Call) or depth > DEEPEST:
            return []
        found = [
            said
            for made in self.functions
            if isinstance(made, ast.FunctionDef) and made.name == getattr(node.func, "id", "")
            for one in _own(made)
            if isinstance(one, ast.Return) and one.value is not None
            for said in self.texts(one.value, made, depth + 1)
        ]
        return found if all(_WORD.findall(said)[1:] for said in found) else []

    def _named(self, name: str, function: ast.AST, depth: int) -> list[str]:
        """Return what a variable of a function may say; an argument, from the callers here."""
        found: list[str] = []
        for node in _own(function):
            for value in _assigned(node, name):
                found += self._made(value, depth) or self.texts(value, function, depth)
            if isinstance(node, ast.AugAssign) and getattr(node.target, "id", "") == name:
                added = self.texts(node.value, function, depth)
                found += [before + after for before in found or [GAP] for after in added]
        if found or function is self.tree:
            return found
        assert isinstance(function, ast.FunctionDef)
        names = [one.arg for one in function.args.args if one.arg not in ("self", "cls")]
        if name in names:
            for caller in self.functions:
                for node in _own(caller):
                    if isinstance(node, ast.Call) and function.name == getattr(
                        node.func, "id", getattr(node.func, "attr", "")
                    ):
                        given = [*node.args, *[None] * len(names)][names.index(name)]
                        given = next((k.value for k in node.keywords if k.arg == name), given)
                        if given is not None:
                            found += self.texts(given, caller, depth)
            return found
        return self._named(name, self.tree, depth)

    def _of_table(self, name: str) -> list[str]:
        """Return the texts of a table of this file, where they say more than a word."""
        found = [
            self.texts(text, self.tree)[0]
            for node in self.tree.body
            for value in _assigned(node, name)
            if isinstance(value, ast.Dict)
            for text in value.values
        ]
        return found if all(_WORD.findall(said)[1:] for said in found) else []
