"""Proved results about Vasco: X wins by a forced loop from 47 tiles on; values of small pools."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sarsen.core.errors import UserError

_BY_HEART = """\
Whatever O does, X has closed a loop by ply 10. Nothing was searched: the {count} answers are
known, and docs/vasco-small-pools.md proves them. The last move of each line is X's answer to
the moves before it; where no line leads, X closes a loop at once. After another first tile
turn or mirror the table until it is a1."""


def score(options: str, seconds: float) -> float | None:
    """Return the value of a pool; see `sarsen.lab.proofs.ProofModule.score`."""
    # Not before it is needed: the bot of the game loads this package, too.
    from sarsen.games.vasco.proof import pools
    from sarsen.games.vasco.rules import GAME
    from sarsen.search.thought import Budget

    return pools.solve(pools.size_of(GAME.start(options)), Budget(seconds=seconds)).score


def known(options: str) -> float | None:
    """Return what is known without any search; see `sarsen.services.contests.known`."""
    # Not before it is needed: the bot of the game loads this package, too.
    from sarsen.games.vasco.proof.forced_loop import SMALLEST
    from sarsen.games.vasco.rules import GAME

    return 0.0 if GAME.start(options).options["size"] >= SMALLEST else None


def solve(
    options: str,
    seconds: float,
    opening: str | None,
    moves: int | None,
    report: Callable[[str], None],
) -> dict[str, object]:
    """Find the value of a pool, with a line of best play.

    See `sarsen.lab.proofs.ProofModule.solve`.
    """
    if opening is not None or moves is not None:
        raise UserError(
            "Pools of Vasco are searched to the end, and all first tiles are alike.",
            code="not-with-vasco",
            hint="sarsen solve vasco -size=12 --time 60",
        )
    # Not before it is needed: the bot of the game loads this package, too.
    from sarsen.games.vasco.proof import pools
    from sarsen.games.vasco.rules import GAME
    from sarsen.search.thought import Budget

    solved = pools.solve(pools.size_of(GAME.start(options)), Budget(seconds=seconds))
    effort = f"({solved.nodes:,} positions, {solved.seconds:.1f} s)"
    if solved.score is None:
        report(f"With {solved.size} tiles nothing is proved yet. {effort}")
    else:
        ends = "nobody wins" if solved.winner == "draw" else f"{solved.winner} wins"
        report(f"With {solved.size} tiles {ends}: {' '.join(solved.line)}")
        report(solved.reason if solved.answers else f"{solved.reason} {effort}")
    if solved.answers:
        report(_BY_HEART.format(count=len(solved.answers)))
    for answer in solved.answers:
        report(f"  {' '.join(answer)}")
    return {
        "game": GAME.info.name,
        "size": solved.size,
        "winner": solved.winner,
        "score": solved.score,
        "answers": solved.answers,
        "line": solved.line,
        "reason": solved.reason,
        "nodes": solved.nodes,
        "seconds": round(solved.seconds, 3),
    }


def certificates(
    options: str, seconds: float, report: Callable[[str], None]
) -> Iterator[tuple[str, list[str]]]:
    """Yield what proves the value of a pool; see `sarsen.lab.proofs.ProofModule.certificates`."""
    # Not before it is needed: the bot of the game loads this package, too.
    from sarsen.games.vasco.proof.pool_certificates import certificate, names
    from sarsen.games.vasco.proof.pools import size_of
    from sarsen.games.vasco.rules import GAME

    for name in names(size_of(GAME.start(options))):
        lines = list(certificate(name, seconds))
        report(f"{lines[0]}: {len(lines) - 1:,} answers.")
        yield name, lines
