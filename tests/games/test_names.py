"""Nothing outside a game's folder does one thing for one game; imports: see `.importlinter`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import sarsen
from sarsen.games import names

SOURCES = Path(sarsen.__file__).parent
OUTSIDE = [
    path
    for path in sorted(SOURCES.rglob("*.py"))
    if not {"games", "migrations"} & set(path.relative_to(SOURCES).parts)
]


def compared(tree: ast.AST) -> Iterator[object]:
    """Yield the constants that code is chosen by: compared, matched, keys of a dictionary."""
    for node in ast.walk(tree):
        found: list[ast.expr | None] = []
        if isinstance(node, ast.Compare):
            found = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            found = [node.value]
        elif isinstance(node, ast.Dict):
            found = list(node.keys)
        elif isinstance(node, ast.Subscript):
            found = [node.slice]
        for one in found:
            parts = one.elts if isinstance(one, ast.Tuple | ast.List | ast.Set) else [one]
            yield from (part.value for part in parts if isinstance(part, ast.Constant))


def test_no_code_outside_a_games_folder_depends_on_its_name() -> None:
    assert len(OUTSIDE) > 300
    known = set(names())
    found = {
        str(path.relative_to(SOURCES)): named
        for path in OUTSIDE
        if (named := known & set(compared(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert found == {}


def test_dependence_on_a_games_name_would_be_found() -> None:
    source = 'if game.name == "druid" or game.name in ("gyges", "x"): pass\nbots = {"vasco": 1}'
    assert {"druid", "gyges", "vasco"} <= set(compared(ast.parse(source)))
