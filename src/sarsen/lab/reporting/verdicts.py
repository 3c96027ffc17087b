"""What a report says first: the worst news, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sarsen.lab.reporting.measures import ReportGames, strategy_results
from sarsen.lab.reporting.plan import nodes_of
from sarsen.lab.reporting.statistics import FEW, Figure


@dataclass(frozen=True)
class Verdict:
    """One piece of bad news.

    Attributes:
        code: Stable, for programs: `endless`.
        weight: In [0, 1]; the worst comes first.
    """

    code: str
    text: str
    weight: float


def verdicts(games: ReportGames, figures: dict[str, Figure], solved: str) -> list[Verdict]:
    """Return the bad news, the worst first.

    Args:
        figures: All of them by name.
        solved: What is known for certain of the whole game, as a sentence; "" for nothing.
    """
    nodes = nodes_of(games.setup.steps)
    all_verdicts = [*_endings(figures, nodes), *_choice(figures), *_exploits(games, figures)]
    all_verdicts += [*_fairness(figures, nodes), *_skill(figures, nodes)]
    if solved:
        all_verdicts.append(Verdict("solved", solved, 0.6))
    return sorted(all_verdicts, key=lambda verdict: -verdict.weight)


def _endings(figures: dict[str, Figure], nodes: int) -> Iterator[Verdict]:
    unfinished, draws = figures["unfinished"], figures["draws"]
    if unfinished.count >= FEW and unfinished.low > 0.02:
        text = f"{_share_of_games(unfinished, nodes)} did not end{_doubt(unfinished)}."
        yield Verdict("endless", text, 0.9 + 0.1 * unfinished.value)
    if draws.count >= FEW and draws.low > 0.4:
        text = f"{_share_of_games(draws, nodes)} were drawn{_doubt(draws)}."
        yield Verdict("drawish", text, 0.3 + 0.6 * draws.value)


def _choice(figures: dict[str, Figure]) -> Iterator[Verdict]:
    forced = figures["forced"]
    if forced.low > 0.5:
        text = (
            f"There is nothing to choose: {_percent(forced.value)} of {forced.count:,} positions "
            "had one legal move."
        )
        yield Verdict("nothing-to-choose", text, 0.95 + 0.05 * forced.value)


def _exploits(games: ReportGames, figures: dict[str, Figure]) -> Iterator[Verdict]:
    for result in strategy_results(games):
        figure, normal = result.score, figures[f"usual {result.seat}"]
        if figure.count < FEW or not result.is_applied:
            continue
        is_gain = figure.value > normal.value and figure.differs_from(normal)
        if figure.low > 0.6 and (is_gain or result.is_thoughtless):
            seat = ("first", "second")[result.seat]
            text = (
                f"The {seat} player can {_as_verb(result.strategy)} and won "
                f"{_percent(figure.value)} of {figure.count} games against a search of "
                f"{nodes_of(games.setup.rival):,} nodes that otherwise leaves it "
                f"{_percent(normal.value)}{_doubt(figure)}."
            )
            yield Verdict(f"exploit-{result.strategy.split()[0]}", text, 0.5 + 0.45 * figure.value)


def _as_verb(strategy: str) -> str:
    kind, _, way = strategy.partition(" ")
    return f"{kind} ({way})" if way else kind


def _fairness(figures: dict[str, Figure], nodes: int) -> Iterator[Verdict]:
    first = figures["first"]
    if first.count < FEW:
        return
    second = replace(first, value=1 - first.value, low=1 - first.high, high=1 - first.low)
    for seat, figure in (("first", first), ("second", second)):
        if figure.low > 0.6:
            text = f"The {seat} player won {_share_of_games(figure, nodes)}{_doubt(figure)}."
            yield Verdict(f"{seat}-wins", text, 0.3 + 0.6 * figure.value)


def _skill(figures: dict[str, Figure], nodes: int) -> Iterator[Verdict]:
    beats = figures["beats"]
    if beats.count >= FEW and beats.high < 0.8:
        text = (
            f"Skill hardly matters: a search of {nodes:,} nodes scored {beats.text} against "
            f"random play in {beats.count} games{_doubt(beats)}."
        )
        yield Verdict("no-skill", text, 0.85)


def _share_of_games(figure: Figure, nodes: int) -> str:
    games = f"{figure.count} games between searches of {nodes:,} nodes"
    return f"{_percent(figure.value)} of {games}"


def _doubt(figure: Figure) -> str:
    """Return the end of a sentence about a share that few games tell little of."""
    return f"; too few games to tell more ({figure.span})" if figure.is_wide else ""


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"
