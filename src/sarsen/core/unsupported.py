"""Refuse games that the contract does not hold: other than two seats, and chance.

A record of moves must lead to the same position whenever it is replayed, so rules may neither
throw dice nor look at a clock. That is read off the source of the rules, which do not run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sarsen.core.errors import UserError
from sarsen.core.game import GameInfo

SEATS = 2
# What they return is another thing each time. `random.Random(7)` always returns the same.
_UNCERTAIN = {"random", "secrets", "uuid", "time", "datetime"}
_SEEDED = "random.Random"
_UNCERTAIN_CALLS = {"os.urandom", "os.getpid", "os.times"}


def refuse_unsupported(info: GameInfo, package: str, folder: Path) -> None:
    """Refuse a game of another number of seats, and one whose rules use chance or a clock.

    Args:
        package, folder: Name and place of the game's package.

    Raises:
        UserError: With what is not supported.
    """
    if len(info.seats) != SEATS:
        raise UserError(
            f"{info.title} has {len(info.seats)} seats; games of sarsen are for two players.",
            code="game-seats",
            hint='GameInfo(…, seats=("White", "Black"), …)',
        )
    for path in rule_files(package, folder):
        for use in _uses_of_chance(ast.parse(path.read_text(encoding="utf-8"))):
            raise UserError(
                f"{path.name}:{use.line} uses `{use.name}`. Games of sarsen have no chance and no "
                "clock: the same moves must always lead to the same position.",
                code="game-chance",
                hint="random.Random(7), with a number of your own, is allowed.",
            )


def rule_files(package: str, folder: Path) -> tuple[Path, ...]:
    """Return `rules.py` of a package, and the files of the package that it imports in turn."""
    files = [path for path in (folder / "rules.py",) if path.is_file()]
    for path in files:
        for name in _imported(ast.parse(path.read_text(encoding="utf-8")), path, folder, package):
            place = folder.joinpath(*name.split("."))
            nearer = (place.with_suffix(".py"), place / "__init__.py")
            files += [
                candidate for candidate in nearer if candidate.is_file() and candidate not in files
            ]
    return tuple(files)


def _imported(tree: ast.AST, path: Path, folder: Path, package: str) -> Iterator[str]:
    """Yield the names, within a package, of what a file of it may import: `board`, `board.size`."""
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = path.relative_to(folder).parts[: -node.level] if node.level else ()
            begin = ".".join([package, *above]) if node.level else ""
            module = ".".join(filter(None, (begin, node.module)))
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    inside = f"{package}."
    yield from (name.removeprefix(inside) for name in names if name.startswith(inside))


@dataclass(frozen=True)
class _Use:
    name: str
    line: int


def _uses_of_chance(tree: ast.AST) -> Iterator[_Use]:
    """Yield what a file uses of modules whose functions return another thing each time."""
    imports: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imports |= {
                alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names
            }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _full_name(node.func, imports) == _SEEDED:
            if not node.args:
                yield _Use(f"{_SEEDED}()", node.lineno)
        elif isinstance(node, ast.Name | ast.Attribute):
            name = _full_name(node, imports)
            module, _, attribute = name.partition(".")
            is_uncertain = (module in _UNCERTAIN and attribute) or name in _UNCERTAIN_CALLS
            if is_uncertain and name != _SEEDED:
                yield _Use(name, node.lineno)


def _full_name(node: ast.AST, imports: dict[str, str]) -> str:
    """Return the dotted name of what an expression names, "" where it was not imported."""
    if isinstance(node, ast.Attribute):
        prefix = _full_name(node.value, imports)
        return f"{prefix}.{node.attr}" if prefix else ""
    return imports.get(node.id, "") if isinstance(node, ast.Name) else ""
