"""For researchers: games from Python, as fixed spaces of actions, in batches, and as sets of data.

Open `playing` first: `sarsen.load("druid").start("-size=5")`. `core.coding` finds what numbers the
moves and gives positions planes: the module `coding` of a game's package. `open_spiel` and
`pettingzoo` lend the games to those libraries, which are extras and imported there only;
`batching` plays many games at once by the compiled kernels. `dataset/` writes finished games as
tables. docs/research.md shows it all.

Stands on games and drawing. Nothing here imports Numba but the first `batch`; NumPy comes with
the first observation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sarsen.core.errors import UserError
from sarsen.research.playing import ResearchGame, ResearchPosition, load

if TYPE_CHECKING:
    from sarsen.research.batching import Batch

__all__ = ["ResearchGame", "ResearchPosition", "batch", "load"]


def batch(
    game: str,
    n: int,
    options: str = "",
    seed: int = 0,
    *,
    most_plies: int | None = None,
    auto_reset: bool = False,
) -> Batch:
    """Return n games of one kind, compiled: `batch("druid", 1024, "-size=5")`.

    Args:
        seed: Of `Batch.sample`.
        most_plies: Cuts a longer game, without a reward; None for as many as the rules need,
            or 1000 where they know no bound.
        auto_reset: A game that ends begins anew within the same step.

    Raises:
        UserError: Unknown games and options, a game without such a kernel, no Numba.
    """
    first = load(game).start(options)
    try:
        # Not above: it is made of arrays.
        from sarsen.research.batching import Batch

        return Batch(first, n, seed, most_plies, auto_reset=auto_reset)
    except ModuleNotFoundError as missing:
        if missing.name not in ("numba", "numpy"):
            raise
        raise UserError(
            "Batches are compiled, for which Numba is missing.",
            code="no-numba",
            hint="pip install '/path/to/sarsen[bots]'   (a clone or a wheel)",
        ) from None
