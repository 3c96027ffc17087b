"""What matches and ladders print: tables, and facts for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

from sarsen.lab.elo import signed
from sarsen.lab.ladder import Ladder
from sarsen.lab.matches import MatchResult

MAX_FAULTS_TOLD = 8  # an engine that fails in each game fills no screen
BAR = 24  # characters of the widest bar of a ladder


def standing(match: MatchResult) -> str:
    """Return a text that says how a match stands in a few words."""
    wins, draws, losses = match.results
    names = f"{match.setup.a.name} against {match.setup.b.name}"
    text = f"{names}: +{wins} ={draws} -{losses}  Elo {match.elo.text}"
    sprt = match.setup.sprt
    if sprt:
        low, high = sprt.bounds
        text += f"  LLR {sprt.ratio(match.counts):.2f} [{low:.2f}, {high:.2f}]"
    return text


def print_match(match: MatchResult, console: Console) -> None:
    """Print the table of a match, and whatever went wrong in it."""
    wins, draws, losses = match.results
    setup = match.setup
    title = " ".join(filter(None, (setup.game, setup.options)))
    table = Table(title=f"{title}: {setup.a.name} against {setup.b.name}", title_justify="left")
    for head in ("player", "won", "drawn", "lost", "score", "as first", "s/move", "longest"):
        table.add_column(head, justify="left" if head == "player" else "right")
    firsts = [pair.first.scores[0] for pair in match.pairs]
    seconds = [pair.second.scores[0] for pair in match.pairs]
    rows = (
        (setup.a.name, (wins, draws, losses), match.score, firsts, match.timings[0]),
        (setup.b.name, (losses, draws, wins), 1 - match.score, seconds, match.timings[1]),
    )
    for name, counts, score, as_first, timing in rows:
        table.add_row(
            *(name, *map(str, counts), _percent(score), _percent(_mean(as_first))),
            *(f"{timing.seconds / max(1, timing.moves):.3f}", f"{timing.longest:.3f}"),
        )
    console.print(table)
    for line in _sentences(match):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _sentences(match: MatchResult) -> Iterator[str]:
    games = 2 * len(match.pairs)
    if not games:
        yield "No pair was finished."
    else:
        plies = sum(len(game.moves) for pair in match.pairs for game in (pair.first, pair.second))
        counts = ", ".join(map(str, match.counts))
        yield f"Elo of {match.setup.a.name} above {match.setup.b.name}: {match.elo.text}, 95 %"
        yield f"{games} games in pairs; pairs with 0, 1/2, 1, 3/2, 2 points: {counts}"
        yield f"{plies / games:.1f} plies a game"
        yield from _loss_lines(match)
    sprt = match.setup.sprt
    if sprt:
        low, high = sprt.bounds
        ratio = sprt.ratio(match.counts)
        yield f"SPRT {sprt.elo0:g} against {sprt.elo1:g}: LLR {ratio:.2f} [{low:.2f}, {high:.2f}]"
    if match.stopped:
        yield f"Stopped: {match.stopped}."
    yield from _fault_lines(match)


def _loss_lines(match: MatchResult) -> Iterator[str]:
    for entry, ends in zip((match.setup.a, match.setup.b), match.losses, strict=True):
        if ends:
            ways = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
            yield f"{entry.name} lost {sum(ends.values())}: {ways}"


def _fault_lines(match: MatchResult) -> Iterator[str]:
    faults = match.faults
    for player, reason in faults[:MAX_FAULTS_TOLD]:
        yield f"{(match.setup.a, match.setup.b)[player].name} failed: {reason}"
    if len(faults) > MAX_FAULTS_TOLD:
        yield f"… and {len(faults) - MAX_FAULTS_TOLD} more failures."


def match_facts(match: MatchResult) -> dict[str, Any]:
    """Return everything about a match for a program."""
    setup, elo, sprt = match.setup, match.elo, match.setup.sprt
    facts: dict[str, Any] = {
        "game": setup.game,
        "options": setup.options,
        "seed": setup.seed,
        "players": [setup.a.name, setup.b.name],
        "games": 2 * len(match.pairs),
        "results": list(match.results),
        "pairs": list(match.counts),
        "score": round(match.score, 6),
        "elo": {name: _finite(getattr(elo, name)) for name in ("elo", "low", "high")},
        "stopped": match.stopped,
        "losses": list(match.losses),
        "faults": [
            {"player": (setup.a, setup.b)[player].name, "text": reason}
            for player, reason in match.faults
        ],
        "seconds_a_move": [
            round(timing.seconds / max(1, timing.moves), 4) for timing in match.timings
        ],
    }
    if sprt:
        low, high = sprt.bounds
        facts["sprt"] = {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "ratio": round(sprt.ratio(match.counts), 4),
            "bounds": [round(low, 4), round(high, 4)],
            "accepts": sprt.accepts(match.counts),
        }
    return facts


def print_ladder(ladder: Ladder, console: Console) -> None:
    """Print the table of a ladder."""
    climb = ladder.climb
    title = " ".join(filter(None, (climb.game, climb.options)))
    table = Table(title=f"Levels of {title}, Elo with 95 % intervals", title_justify="left")
    for head in ("level", "Elo", "±", "above the last", "±", "games", "score", "s/move", ""):
        table.add_column(head, justify="left" if head == "" else "right")
    for row in ladder_rows(ladder):
        table.add_row(*row)
    console.print(table)
    if not ladder.is_whole:
        console.print("Interrupted: not every pairing was played.", highlight=False)


def ladder_rows(ladder: Ladder) -> Iterator[tuple[str, ...]]:
    """Yield the cells of a ladder, a row a level; the last is a bar."""
    rungs = ladder.rungs
    top = max([1.0, *(rung.elo for rung in rungs)])
    for rung in rungs:
        match = rung.match
        yield (
            str(rung.level),
            f"{rung.elo:.0f}",
            f"{rung.error:.0f}",
            signed(rung.step) if match else "",
            f"{rung.step_error:.0f}" if match else "",
            str(2 * len(match.pairs)) if match else "",
            _percent(match.score) if match else "",
            f"{rung.seconds:.3f}",
            "▇" * max(0, round(BAR * rung.elo / top)),
        )


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _finite(elo: float) -> float | None:
    return None if elo in (float("inf"), float("-inf")) else round(elo, 1)
