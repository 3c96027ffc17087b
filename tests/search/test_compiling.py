"""Functions are compiled, or loaded from the disk, when somebody asks for them."""

from __future__ import annotations

import subprocess
import sys
import threading
from importlib.metadata import requires, version

from numba import int64

from sarsen.search import bots
from sarsen.search.compiling import READ_VERSION, compiled, is_part, part
from sarsen.search.thought import Budget

# What a compiler needs of Numba, and machine code from the disk does not.
COMPILER = ("numba.np.linalg", "numba.np.arraymath")
THINK = """
import sys
from sarsen.games import load
from sarsen.search import bots, compiling
from sarsen.search.thought import Budget
position = load("vasco").start()
bots.load(8).think(position, budget=Budget(nodes=1))
waiting = sum(one._can_compile for one in compiling._declared)
print([name for name in {names!r} if name in sys.modules], 0 < waiting < len(compiling._declared))
"""


@compiled(int64(int64))
def doubled(number):  # type: ignore[no-untyped-def]
    return number + number


@compiled(int64(int64))
def tripled(number):  # type: ignore[no-untyped-def]
    return number * 3


@compiled(int64(int64))
def inner(number):  # type: ignore[no-untyped-def]
    return number + 1


@compiled(int64(int64))
def outer(number):  # type: ignore[no-untyped-def]
    return inner(number) * inner(1)


def test_nothing_is_compiled_before_the_first_call_which_knows_the_signature() -> None:
    assert not doubled.overloads
    assert doubled(21) == 42
    assert [str(sig) for sig in doubled.nopython_signatures] == ["(int64,) -> int64"]
    # A number of another type is brought to the signature; nothing is compiled for it.
    assert doubled(True) == 2
    assert len(doubled.overloads) == 1


def test_what_a_compiled_function_calls_is_compiled_for_its_own_signature() -> None:
    assert outer(4) == 10
    # None when `outer` came from the disk: then nobody asked for what is compiled into it.
    assert {str(sig) for sig in inner.nopython_signatures} <= {"(int64,) -> int64"}
    assert inner(1) == 2


def test_threads_that_ask_at_once_get_the_same_code() -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(tripled(5))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [15] * 4
    assert len(tripled.overloads) == 1


def test_private_methods_of_numba_are_used_in_the_version_they_were_read_in() -> None:
    assert version("numba").startswith(f"{READ_VERSION}.")
    major, minor = map(int, READ_VERSION.split("."))
    (bound,) = (one for one in requires("sarsen") or () if one.startswith("numba"))
    assert f"<{major}.{minor + 1}," in bound


def test_a_part_has_no_signature_of_its_own() -> None:
    assert is_part(part(lambda number: number))
    assert not is_part(tripled)


def test_thinking_from_the_disk_loads_no_compiler_and_only_what_it_uses() -> None:
    from sarsen.games import load

    bots.load(8).think(load("vasco").start(), budget=Budget(nodes=1))
    done = subprocess.run(
        [sys.executable, "-c", THINK.format(names=COMPILER)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[] True\n"
