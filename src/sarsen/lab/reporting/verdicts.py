"""What a report says first: the worst news, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sarsen.lab.reporting.measures import ReportGames, strategy_results
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
    all_verdicts = [*_endings(figures), *_choice(figures), *_exploits(games, figures)]
    all_verdicts += [*_fairness(figures), *_skill(figures)]
    if solved:
        all_verdicts.append(Verdict("solved", solved, 0.6))
    return sorted(all_verdicts, key=lambda verdict: -verdict.weight)


def _endings(figures: dict[str, Figure]) -> Iterator[Verdict]:
    unfinished, draws = figures["unfinished"], figures["draws"]
    if unfinished.count >= FEW and unfinished.low > 0.02:
        text = f"{_percent(unfinished)} of the games between the strongest players do not end."
        yield Verdict("endless", text, 0.9 + 0.1 * unfinished.value)
    if draws.count >= FEW and draws.low > 0.4:
        text = f"{_percent(draws)} of the games between the strongest players are draws."
        yield Verdict("drawish", text, 0.3 + 0.6 * draws.value)


def _choice(figures: dict[str, Figure]) -> Iterator[Verdict]:
    forced = figures["forced"]
    if forced.low > 0.5:
        text = (
            f"There is nothing to choose: {_percent(forced)} of the positions have one legal move."
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
                f"The {seat} player can {_as_verb(result.strategy)} and wins {_percent(figure)} "
                f"against a search that otherwise leaves it {_percent(normal)}."
            )
            yield Verdict(f"exploit-{result.strategy.split()[0]}", text, 0.5 + 0.45 * figure.value)


def _as_verb(strategy: str) -> str:
    kind, _, way = strategy.partition(" ")
    return f"{kind} ({way})" if way else kind


def _fairness(figures: dict[str, Figure]) -> Iterator[Verdict]:
    first = figures["first"]
    if first.count < FEW:
        return
    for seat, value, low in (
        ("first", first.value, first.low),
        ("second", 1 - first.value, 1 - first.high),
    ):
        if low > 0.6:
            text = f"The {seat} player wins {100 * value:.0f} % between the strongest players."
            yield Verdict(f"{seat}-wins", text, 0.3 + 0.6 * value)


def _skill(figures: dict[str, Figure]) -> Iterator[Verdict]:
    beats = figures["beats"]
    if beats.count >= FEW and beats.high < 0.8:
        text = (
            f"Skill hardly matters: the strongest search scores {beats.text} against random play."
        )
        yield Verdict("no-skill", text, 0.85)


def _percent(figure: Figure) -> str:
    return f"{100 * figure.value:.0f} %"
