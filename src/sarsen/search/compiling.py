"""How kernels and searches are compiled: to machine code that is kept on disk.

`compiled(signature)` compiles a function where it stands. `part` marks what is compiled
into the functions that call it, and costs nothing when they come from the disk. Neither
counts references to arrays: a function of ours makes and returns none, and the counting
took half of a search's time. Such code cannot create arrays, and Numba says so.

Numba's cache looks at the file of a function only. What is compiled in from other files
would stay as it was, so here their contents count, too.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit, types

_OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False}
_IMPORT = re.compile(r"^\s*(?:from|import) (sarsen\.search[\w.]*)(?: import (\([^)]*\)|.+))?", re.M)

Function = Callable[..., Any]


def compiled(signature: object = None, **options: Any) -> Callable[[Function], Any]:
    """Compile a function for one signature; without one, `ready` does it later."""

    def compile_it(function: Function) -> Any:
        dispatcher: Any = njit(**{**_OPTIONS, **options})(function)
        dispatcher.enable_caching()
        dispatcher._cache._cache_file._source_stamp = _stamp(function.__code__.co_filename)
        return dispatcher if signature is None else ready(dispatcher, signature)

    return compile_it


def part(function: Function) -> Any:
    """Mark a function that is compiled into its callers in the same file."""
    return njit(**_OPTIONS)(function)


def ready(dispatcher: Any, signature: object) -> Any:
    """Compile a function that stands above its parts, once they are all known."""
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


def tuple_of(*members: Any) -> Any:
    """Give the type of a tuple, for signatures."""
    return types.Tuple(members)


@cache
def _stamp(path: str) -> bytes:
    """Hash a source file with all of `sarsen.search` that it imports, directly or not."""
    digest = hashlib.sha256()
    for source in sorted(_sources(Path(path), set())):
        digest.update(source.read_bytes())
    return digest.digest()


def _sources(path: Path, found: set[Path]) -> set[Path]:
    if path in found:
        return found
    found.add(path)
    for module, names in _IMPORT.findall(path.read_text("utf-8")):
        # What is imported from a package may be a module of it.
        inner = (f"{module}.{each}" for each in re.findall(r"\w+", names))
        for name in (module, *inner):
            spec = importlib.util.find_spec(name) if _is_module(name) else None
            if spec is not None and spec.origin is not None:
                _sources(Path(spec.origin), found)
    return found


@cache
def _is_module(name: str) -> bool:
    parent = name.rpartition(".")[0]
    found = importlib.util.find_spec(parent)
    if found is None or found.submodule_search_locations is None:
        return False
    return importlib.util.find_spec(name) is not None
