"""How kernels and searches are compiled: to machine code that is kept on disk.

`compiled(signature)` says how a function is compiled; that, or loading it from the disk,
waits until somebody asks for it. So a process loads only what it uses, and a function that
is compiled into others never comes by itself. `part` marks what has no signature of its own
and is compiled into the functions that call it. Neither counts references to arrays: a
function of ours makes and returns none, and the counting took half of a search's time. Such
code cannot create arrays, and Numba says so.

Numba's cache looks at the file of a function only. What is compiled in from other files
would stay as it was, so here the contents of `sarsen.search` and of the game's own package
count, too.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.extending import intrinsic

from sarsen.search.thought import loading

# Private methods of Numba's dispatchers and caches are used in this file and nowhere else. They
# were read in this version; pyproject.toml admits no newer one.
READ_VERSION = "0.68"

_OPTIONS: dict[str, Any] = {"nogil": True}
_IMPORT = re.compile(r"^\s*(?:from|import) ([\w.]+)(?: import (\([^)]*\)|.+))?", re.M)
# What Numba asks a function when Python calls it first, when a caller is compiled, and when
# it is handed over as a value.
_CALLED, _QUESTIONS = "_compile_for_args", ("get_call_template", "get_compile_result")

Function = Callable[..., Any]
_declared: list[Any] = []


def compiled(
    signature: object, *, counts_references: bool = False, **options: Any
) -> Callable[[Function], Any]:
    """Compile a function for one signature, as soon as somebody asks for it."""

    def declare(function: Function) -> Any:
        dispatcher: Any = njit(**_OPTIONS, _nrt=counts_references, **options)(function)
        dispatcher.declared = signature
        for question in (_CALLED, *_QUESTIONS):
            setattr(dispatcher, question, partial(_answer, dispatcher, question))
        _declared.append(dispatcher)
        return dispatcher

    return declare


def part(function: Function) -> Any:
    """Mark a function that is compiled into its callers, in this file or another.

    Always: a search hands on some eighty words of arrays and functions, and calls left to
    LLVM to judge took a quarter of alpha-beta's time.
    """
    return njit(**_OPTIONS, _nrt=False, forceinline=True)(function)


def is_compiled(value: object) -> bool:
    """Return whether something is a function that Numba compiles."""
    return isinstance(value, CPUDispatcher)


def is_part(dispatcher: Any) -> bool:
    """Return whether a function has no signature of its own."""
    return not hasattr(dispatcher, "declared")


def load_all() -> None:
    """Load every function known so far, compiling what the disk does not have."""
    for dispatcher in tuple(_declared):
        _load(dispatcher)


def compile_missing() -> None:
    """Compile every function known so far that the disk does not have."""
    for dispatcher in tuple(_declared):
        if dispatcher._can_compile and not _is_on_disk(dispatcher):
            _load(dispatcher)


def is_complete() -> bool:
    """Return whether every function known so far is loaded, or on the disk."""
    return all(
        not dispatcher._can_compile or _is_on_disk(dispatcher) for dispatcher in tuple(_declared)
    )


def tuple_of(*members: Any) -> Any:
    """Return the type of a tuple, for signatures."""
    return types.Tuple(members)


def _answer(dispatcher: Any, question: str, *arguments: Any) -> Any:
    _load(dispatcher)
    # A call is begun anew, and now finds machine code.
    return (
        dispatcher
        if question == _CALLED
        else getattr(type(dispatcher), question)(dispatcher, *arguments)
    )


def _load(dispatcher: Any) -> None:
    """Load a function from the disk, or else compile it, once."""
    # Numba's own lock: it compiles in one thread at a time, and a second thread finds the work
    # done.
    with loading(), global_compiler_lock:
        if not dispatcher._can_compile or dispatcher.is_compiling:
            return
        _keep_on_disk(dispatcher)
        dispatcher.compile(dispatcher.declared)
        dispatcher.disable_compile()
        for question in (_CALLED, *_QUESTIONS):
            delattr(dispatcher, question)


def _keep_on_disk(dispatcher: Any) -> None:
    dispatcher.enable_caching()
    function_cache = dispatcher._cache
    function_cache._cache_file._source_stamp = _stamp(
        dispatcher.__code__.co_filename, dispatcher.__module__
    )
    function_cache.load_overload = partial(_from_disk, function_cache)


def _from_disk(function_cache: Any, signature: object, target: Any) -> Any:
    """Load machine code without all that only a compiler needs.

    Numba would first load every function of Python and NumPy that it can compile, which
    takes half a second. The functions that our code calls are there: C's mathematics, and
    the making of arrays.
    """
    rtsys.initialize(target)
    with function_cache._guard_against_spurious_io_errors():
        return function_cache._load_overload(signature, target)


def _is_on_disk(dispatcher: Any) -> bool:
    _keep_on_disk(dispatcher)
    function_cache = dispatcher._cache
    key = function_cache._index_key(dispatcher.declared, dispatcher.targetctx.codegen())
    return key in function_cache._cache_file._load_index()


def sources(path: Path, module: str) -> set[Path]:
    """Return a module's file with all that it imports, even indirectly, of what may be compiled in.

    That is `sarsen.search`, and the package of a game of ours, or the whole of another package.
    """
    own = ".".join(module.split(".")[: 3 if module.startswith("sarsen.") else 1])
    files: set[Path] = set()
    _add_sources(path, ("sarsen.search.", f"{own}."), files)
    return files


@cache
def _stamp(path: str, module: str) -> bytes:
    digest = hashlib.sha256()
    for source in sorted(sources(Path(path), module)):
        digest.update(source.read_bytes())
    return digest.digest()


def _add_sources(path: Path, packages: tuple[str, str], files: set[Path]) -> None:
    if path in files:
        return
    files.add(path)
    for module, names in _IMPORT.findall(path.read_text("utf-8")):
        # What is imported from a package may be a module of it.
        inner = (f"{module}.{name}" for name in re.findall(r"\w+", names))
        for name in (module, *inner):
            if not f"{name}.".startswith(packages) or not _is_module(name):
                continue
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.origin is not None:
                _add_sources(Path(spec.origin), packages, files)


@cache
def _is_module(name: str) -> bool:
    parent = name.rpartition(".")[0]
    spec = importlib.util.find_spec(parent)
    if spec is None or spec.submodule_search_locations is None:
        return False
    return importlib.util.find_spec(name) is not None


@intrinsic
def _fetch(context: Any, words: Any, index: Any) -> Any:
    """Prefetch a word into the processor's cache."""
    array = types.Array(types.int64, 1, "C")
    number, pointer = ir.IntType(32), ir.IntType(8).as_pointer()

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = cgutils.create_struct_proxy(array)(target, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), pointer)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # For reading, into all caches, as data.
        builder.call(fetch, [place, number(0), number(3), number(1)])
        return target.get_dummy_value()

    return types.void(array, types.int64), generate


@compiled(types.void(types.int64[::1], types.int64), inline="always")
def prefetch(array, index):  # type: ignore[no-untyped-def]
    """Bring a word into the processor's caches that is read soon: it stands at a random place."""
    _fetch(array, index)
