"""Change one thing in the rules of a game: comparisons, numbers, directions, conditions."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LEAST_ROW = 3  # numbers or steps: two are a place, or a range
MAX_SHOWN_LENGTH = 48  # characters of the expression that is named, as fits in a line
_TURNED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_EXCHANGED = {"any": "all", "all": "any", "min": "max", "max": "min"}
# What these are called with is no rule: names, years, ranges of options.
_FACTS = {"GameInfo", "Number", "Flag", "Choice", "Days"}


@dataclass(frozen=True)
class Mutant:
    """Rules with one change.

    Attributes:
        line: Counted from 1.
        change: `"row < size" becomes "row <= size"`.
        source: The whole file.
    """

    path: Path
    line: int
    change: str
    source: str


@dataclass(frozen=True)
class _Site:
    """A node, where it hangs, and what may take its place."""

    owner: ast.AST
    name: str
    at: int | None
    old: ast.expr
    new: ast.expr
    change: str = ""

    def put(self, node: ast.expr) -> None:
        if self.at is None:
            setattr(self.owner, self.name, node)
        else:
            getattr(self.owner, self.name)[self.at] = node


def all_mutants(paths: tuple[Path, ...], seed: int) -> list[Iterator[Mutant]]:
    """Return every change in an order by chance; each is made when it is taken, or is none."""
    found: list[Iterator[Mutant]] = []
    for path in paths:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        parents = {kid: one for one in ast.walk(tree) for kid in ast.iter_child_nodes(one)}
        plain = ast.unparse(tree)
        found += [_made(path, tree, plain, site, parents) for site in _sites(tree)]
    random.Random(seed).shuffle(found)
    return found


def _made(
    path: Path, tree: ast.Module, plain: str, site: _Site, parents: dict[ast.AST, ast.AST]
) -> Iterator[Mutant]:
    shown = site.old
    while isinstance(above := parents.get(shown), ast.expr):
        if len(ast.unparse(above)) > MAX_SHOWN_LENGTH:
            break
        shown = above
    before = ast.unparse(shown)
    site.put(site.new)
    after = ast.unparse(shown if shown is not site.old else site.new)
    source = ast.unparse(tree)
    site.put(site.old)
    if source != plain:
        change = site.change or f'"{_cut(before)}" becomes "{_cut(after)}"'
        yield Mutant(path, site.old.lineno, change, source)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_LENGTH else f"{text[: MAX_SHOWN_LENGTH - 1]}…"


def _sites(node: ast.AST) -> Iterator[_Site]:
    """Yield what may be changed in and below a node."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        kids = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for at, kid in kids:
            if isinstance(kid, ast.Raise) or _is_fact(kid):
                continue
            if isinstance(kid, ast.expr):
                is_condition = name in ("test", "ifs")
                yield from _of_expression(node, name, at, kid)
                if is_condition:
                    yield from _of_condition(node, name, at, kid)
            if isinstance(kid, ast.AST):
                yield from _sites(kid)


def _is_fact(node: object) -> bool:
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return is_call and node.func.id in _FACTS  # type: ignore[attr-defined]


def _of_condition(owner: ast.AST, name: str, at: int | None, kid: ast.expr) -> Iterator[_Site]:
    text = _cut(ast.unparse(kid))
    # Their own changes turn these round already.
    is_turned = isinstance(kid, ast.Compare) and len(kid.ops) == 1
    if not is_turned and not isinstance(kid, ast.UnaryOp):
        yield _Site(owner, name, at, kid, ast.UnaryOp(ast.Not(), kid))
    yield _Site(owner, name, at, kid, ast.Constant(False), f'"{text}" never holds')
    if not isinstance(owner, ast.While):
        yield _Site(owner, name, at, kid, ast.Constant(True), f'"{text}" always holds')


def _of_expression(owner: ast.AST, name: str, at: int | None, kid: ast.expr) -> Iterator[_Site]:
    for new in _instead(kid):
        yield _Site(owner, name, at, kid, new)


def _instead(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare():
            for at, op in enumerate(node.ops):
                for turned in _TURNED[type(op)]:
                    yield _with(node, ops=[*node.ops[:at], turned(), *node.ops[at + 1 :]])
        case ast.BoolOp():
            yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.BinOp(op=ast.Add()) if not _is_text(node):
            yield _with(node, op=ast.Sub())
        case ast.BinOp(op=ast.Sub()):
            yield _with(node, op=ast.Add())
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield node.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
            yield ast.Constant(number - 1)
        case ast.Call(func=ast.Name(id=called)) if called in _EXCHANGED:
            yield _with(node, func=ast.Name(_EXCHANGED[called], ast.Load()))
        case ast.Tuple() | ast.List() | ast.Set() if _is_row_of_numbers(node):
            for at in range(len(node.elts)):
                yield _with(node, elts=[*node.elts[:at], *node.elts[at + 1 :]])


def _is_row_of_numbers(node: ast.Tuple | ast.List | ast.Set) -> bool:
    """Return whether a literal lists numbers, or steps of several each, such as directions."""

    def is_number(one: ast.expr) -> bool:
        inner = one.operand if isinstance(one, ast.UnaryOp) else one
        return isinstance(inner, ast.Constant) and type(inner.value) in (int, float)

    def is_step(one: ast.expr) -> bool:
        return isinstance(one, ast.Tuple | ast.List) and all(map(is_number, one.elts))

    is_long = len(node.elts) >= LEAST_ROW
    return is_long and (all(map(is_number, node.elts)) or all(map(is_step, node.elts)))


def _is_text(node: ast.BinOp) -> bool:
    """Return whether a sum is one of texts or lists, of which there is no difference."""
    joined = ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp
    sides = (node.left, node.right)
    return any(
        isinstance(one, joined) or (isinstance(one, ast.Constant) and isinstance(one.value, str))
        for one in sides
    )


def _with(node: ast.expr, **changed: object) -> ast.expr:
    new = copy.copy(node)
    for name, value in changed.items():
        setattr(new, name, value)
    return new
