"""Keep the pairs of a long ladder in a file, so that it goes on where it was ended."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.lab.matches import Pair, Setup
from sarsen.lab.playing import Played, Timing


class Keeper:
    """A file with a line of JSON for each pair; what bots of other versions played is passed over.

    Raises:
        UserError: The file holds something else, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._out = path.open("a+", encoding="utf-8")
            self._out.seek(0)
            text = self._out.read()
            kept = [json.loads(line) for line in text.splitlines(keepends=True) if line[-1] == "\n"]
            self._pairs = [(str(one["match"]), _pair(one["pair"])) for one in kept]
            # Whoever was killed while writing has left half a line.
            self._out.truncate(len(text[: text.rfind("\n") + 1].encode()))
        except (OSError, ValueError, KeyError, TypeError) as unreadable:
            raise UserError(
                f"{str(path)[:200]} cannot keep games: {type(unreadable).__name__}.",
                code="unreadable-games",
                hint="Name a file that is not there yet, or one that --keep has written.",
            ) from None

    def pairs(self, setup: Setup) -> tuple[Pair, ...]:
        """Return the pairs kept of a match, from the first on, none missing."""
        found = {pair.index: pair for name, pair in self._pairs if name == _name(setup)}
        kept: list[Pair] = []
        while len(kept) in found and len(kept) < setup.pairs:
            kept.append(found[len(kept)])
        return tuple(kept)

    def keep(self, setup: Setup, pair: Pair) -> None:
        """Add a pair."""
        line = {"match": _name(setup), "pair": asdict(pair)}
        self._out.write(json.dumps(line) + "\n")
        self._out.flush()

    def close(self) -> None:
        """Let the file go."""
        self._out.close()


def _name(setup: Setup) -> str:
    """Name all that decides how a match is played."""
    players = f"{setup.a.name} {setup.b.name}"
    where = f"{setup.game} {setup.options} seed {setup.seed} opening {setup.opening_plies}"
    return f"{__version__}: {players}: {where}"


def _pair(facts: dict[str, Any]) -> Pair:
    return Pair(int(facts["index"]), _played(facts["first"]), _played(facts["second"]))


def _played(facts: dict[str, Any]) -> Played:
    first, second = (Timing(**timing) for timing in facts["timings"])
    scores = (float(facts["scores"][0]), float(facts["scores"][1]))
    return Played(
        **{
            **facts,
            "moves": tuple(facts["moves"]),
            "scores": scores,
            "timings": (first, second),
        }
    )
