"""Visavis for searches: bridges as bytes, chains as labels.

Open `layout` first (what stands where in constants and states), then `moves` (the
contract: legal, play, rollout, encode) and `playouts` (many random games at once).
`games/visavis` stays the law; every table here is read off its board.
"""

from sarsen.games.visavis.kernel.moves import code, encode, kernel, legal, move, play, rollout

__all__ = ["code", "encode", "kernel", "legal", "move", "play", "rollout"]
