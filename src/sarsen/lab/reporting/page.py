"""A report as a page: HTML with pictures drawn as SVG, which needs nothing beside it."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence

from sarsen.drawing.scene import Scene
from sarsen.drawing.svg import svg
from sarsen.lab.reporting import measures
from sarsen.lab.reporting.charts import chart
from sarsen.lab.reporting.openings import Opening, best, most_balanced
from sarsen.lab.reporting.plan import BASE, LONGEST, nodes_of
from sarsen.lab.reporting.result import Report, differences, of_minutes, places
from sarsen.lab.reporting.statistics import Figure

Show = Callable[[Scene], str]
MAX_OPENINGS, MAX_LINES = 12, 12
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1c1c; background: #fbfaf7; }
h1 { margin-bottom: .2rem } .news { font-size: 1.25rem; font-weight: 600 }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.2rem }
td, th { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid #ddd8cc;
  vertical-align: top }
.number { text-align: right; white-space: nowrap } small { color: #5c584f }
svg { max-width: 100%; height: auto } code { font-size: .9em; overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) { body { color: #e8e5dd; background: #1b1a18 }
  td, th { border-color: #45413a } small { color: #a9a498 } }
"""
FALLBACK = (
    "A strategy without a move of its own plays as the search does, so compare it with what the "
    "search scores against itself in that seat."
)
HEADINGS = {
    "fairness": "Fairness",
    "ending": "How games end",
    "depth": "Depth",
    "tension": "Tension",
    "choice": "Choice",
    "exploits": "Simple strategies, against a search of {rival} nodes a move",
    "balance": "Openings",
}
# What figures mean, by the name of one or by its first word: `gain 3`.
EXPLAINED = {
    "first": "Above 50 %, the first seat has the advantage. A draw counts as half a win.",
    "length": "A ply is one move by one player. Half of the games are longer.",
    "long": "One game in ten is at least so long.",
    "gain": "100 Elo more mean a score of 64 %, 200 mean 76 %.",
    "beats": "A score near 50 % means that skill hardly matters.",
    "skill": "The sum of the gains above: how much these searches have to learn.",
    "steps": "A player one step better scores 60 %. More steps mean a deeper game.",
    "slope": "The mean of the last two gains. Near 0, more thinking no longer helps.",
    "drama": "How badly winners stood while behind, on average. 0: never behind. 1: lost.",
    "comeback": "The winner's worst moment. 0: never behind. 1: lost.",
    "decided": "The winner's chances stay above 90 % from then on. Near 0: decided late.",
    "killer": "0: no move changes anything. 2: one move turns a lost game into a won one.",
    "changes": "How often the lead passes to the other side: 0.1 is once in ten plies.",
    "uncertainty": "1: equal chances throughout. 0: the winner is known all along.",
    "branching": "Half of the positions have more legal moves.",
    "forced": "The player has no choice there.",
    "near": "Good moves to choose from, while neither side has less than 5 % of the chances.",
    "only": "There, each other move is worse by more than 5 % of the score.",
    "clarity": "High: a short look finds the best move. Low: good moves are hard to see.",
    "balanced": "What is left of the first seat's advantage if the other player may swap sides.",
}


def html_page(report: Report, command: str, other: Report | None = None, show: Show = svg) -> str:
    """Return the page of a report.

    Args:
        command: The line that makes it again.
        other: Compared with it.
        show: Return the HTML of a picture: SVG, which mail programs do not show.
    """
    body = "\n".join(_body(report, command, other, show))
    title = html.escape(f"Report on {report.title}")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _body(report: Report, command: str, other: Report | None, show: Show) -> Iterator[str]:
    setup = report.games.setup
    yield f"<h1>{html.escape(report.title)}</h1>"
    yield f'<p class="news">{html.escape(report.headline)}</p>'
    if report.verdicts[1:]:
        others = "".join(f"<li>{html.escape(verdict.text)}</li>" for verdict in report.verdicts[1:])
        yield f"<ul>{others}</ul>"
    if report.verdicts and report.shortage:
        yield f"<p>{html.escape(report.shortage)}</p>"
    yield (
        f"<p><small>{_rounds(report)} in {of_minutes(round(report.seconds / 60))}. "
        f"Players are searches of {BASE} to {nodes_of(setup.steps):,} nodes a move; the judge "
        f"looks at {setup.judge:,}. In brackets: 95 % intervals. A game of {LONGEST} plies "
        "counts as one without an end. "
        f"<code>{html.escape(command)}</code></small></p>"
    )
    if other is not None:
        yield from _comparison(report, other)
    for name, figures in report.blocks.items():
        yield f"<h2>{HEADINGS[name].format(rival=nodes_of(setup.rival))}</h2>"
        if name == "fairness":
            steps = [figure for figure in figures if figure.name != "first"]
            title = "score of the first seat, %, by nodes a move"
            yield show(chart(steps, title, 0.0, 1.0, 0.5))
        if name == "depth":
            steps = [figure for figure in figures if figure.name.startswith("gain")]
            low = min(0.0, *(figure.low for figure in steps))
            high = max(200.0, *(figure.high for figure in steps))
            title = "Elo gained by each doubling, by nodes a move"
            yield show(chart(steps, title, low, high, 0.0))
        yield from _exploits(report) if name == "exploits" else (_table(figures),)
        if name == "balance":
            yield from _openings(report)
    yield from _use(report, show)
    yield from _truth(report)
    yield from _place(report)


def _rounds(report: Report) -> str:
    return f"{report.games.rounds} round{'' if report.games.rounds == 1 else 's'}"


def _table(figures: Sequence[Figure]) -> str:
    meanings = list(map(explanation, figures))
    rows = "".join(
        f"<tr><td>{html.escape(figure.label)}{_small(meaning if is_last else '')}</td>"
        f'<td class="number">{_text(figure)}</td>'
        f'<td class="number"><small>{figure.count}</small></td></tr>'
        # Figures in a row that mean the same are explained once, at the last of them.
        for figure, meaning, is_last in zip(figures, meanings, _last_of_runs(meanings), strict=True)
    )
    head = '<tr><th></th><th></th><th class="number"><small>of</small></th></tr>'
    return f"<table>{head}{rows}</table>"


def explanation(figure: Figure) -> str:
    """Return what a figure means, "" where its label says it."""
    return EXPLAINED.get(figure.name, EXPLAINED.get(figure.name.split()[0], ""))


def _last_of_runs(texts: Sequence[str]) -> list[bool]:
    """Return for each text whether the next one is another."""
    return [texts[at : at + 1] != texts[at + 1 : at + 2] for at in range(len(texts))]


def _small(text: str) -> str:
    return f"<br><small>{html.escape(text)}</small>" if text else ""


def _exploits(report: Report) -> Iterator[str]:
    """Yield the strategies that have moves of their own, and the names of the others."""
    applied = [result for result in measures.strategy_results(report.games) if result.is_applied]
    rows = "".join(
        f"<tr><td>{html.escape(result.score.label)}</td>"
        f'<td class="number">{_text(result.score)}</td>'
        f'<td class="number">{_text(result.own)}</td>'
        f'<td class="number"><small>{result.score.count}</small></td></tr>'
        for result in applied
    )
    rows += "".join(
        f"<tr><td><small>{html.escape(figure.label)}</small></td>"
        f'<td class="number"><small>{_text(figure)}</small></td><td></td>'
        f'<td class="number"><small>{figure.count}</small></td></tr>'
        for figure in (measures.rival_score(report.games, seat) for seat in (0, 1))
    )
    yield f"<p><small>{FALLBACK}</small></p>"
    yield (
        '<table><tr><th></th><th class="number">score</th><th class="number">moves of its own</th>'
        f'<th class="number"><small>of</small></th></tr>{rows}</table>'
    )
    if idle := _idle_strategies(report):
        yield f"<p>{html.escape(idle)}</p>"


def _idle_strategies(report: Report) -> str:
    """Return a line with the strategies that have too few moves of their own; "" for none."""
    results = list(measures.strategy_results(report.games))
    applied = {result.strategy for result in results if result.is_applied}
    names = dict.fromkeys(
        result.score.label if result.strategy in applied else result.strategy
        for result in results
        if not result.is_applied
    )
    return f"Hardly ever applies: {'; '.join(names)}." if names else ""


def _text(figure: Figure) -> str:
    return html.escape(figure.text) if figure.count else "–"


def _openings(report: Report) -> Iterator[str]:
    rows = "".join(
        f"<tr><td><code>{html.escape(opening.text)}</code>{_alike(opening)}</td>"
        f'<td class="number">{html.escape(opening.figure.text)}</td>'
        f'<td class="number">{html.escape(opening.played.text) if opening.played else ""}</td></tr>'
        for opening in report.openings[:MAX_OPENINGS]
    )
    yield (
        '<table><tr><th>first move</th><th class="number">expected by the judge</th>'
        '<th class="number">played out</th></tr>'
        f"{rows}</table>"
    )
    yield from (f"<p>{html.escape(line)}</p>" for line in opening_lines(report.openings))


def _alike(opening: Opening) -> str:
    names = html.escape(_abridged(opening.alike))
    return f" <small>and by symmetry {names}</small>" if names else ""


def opening_lines(openings: Sequence[Opening]) -> Iterator[str]:
    """Yield which first moves are best and most balanced, as far as intervals tell."""
    if len(openings) < 2:
        return
    for name, group in (("best", best(openings)), ("most balanced", most_balanced(openings))):
        if len(group) == len(openings):
            yield f"The search cannot tell which first moves are {name}: the intervals overlap."
        elif len(group) == 1:
            yield f"The {name} first move: {group[0].text}."
        else:
            names = _abridged([opening.text for opening in group])
            yield f"The {name} first moves, which it cannot tell apart: {names}."


def _abridged(names: Sequence[str]) -> str:
    """Return so many names as fit, and the number of the others."""
    hidden = len(names) - MAX_OPENINGS
    return ", ".join(names[:MAX_OPENINGS]) + (f" and {hidden} more" if hidden > 0 else "")


def _use(report: Report, show: Show) -> Iterator[str]:
    yield "<h2>Use</h2>"
    if report.heat_map is not None:
        yield show(report.heat_map)
    if used := [figure for figure in report.pieces if figure.value]:
        yield "<p>Moves that use each kind of piece:</p>"
        yield _table(used)
    if idle := _idle_pieces(report):
        yield f"<p>{html.escape(idle)}</p>"
    if report.idle_lines:
        listed = report.idle_lines[:MAX_LINES]
        lines = "".join(
            f"<li>{number}: <code>{html.escape(text)}</code></li>" for number, text in listed
        )
        hidden = len(report.idle_lines) - len(listed)
        yield f"<p>Lines of the rules that random games never reached:</p><ul>{lines}</ul>"
        yield f"<p>… and {hidden} more.</p>" if hidden else ""
    else:
        yield "<p>Random games reached every line of the rules that a legal move can reach.</p>"


def _idle_pieces(report: Report) -> str:
    """Return a line with the pieces that no move uses; "" for none."""
    names = ", ".join(one.label for one in report.pieces if one.count and not one.value)
    return f"On the board, but never moved or placed: {names}." if names else ""


def _truth(report: Report) -> Iterator[str]:
    yield "<h2>Certain</h2>"
    truth, info = report.truth, report.game.info
    if report.theory:
        yield f"<p>{html.escape(report.theory)}</p>"
    for result in truth.solved:
        name = html.escape(result.options or "this board")
        yield f"<p>{name}: {result.text}, {result.how}.</p>"
    rows = "".join(
        f'<tr><td class="number">{ply}</td><td class="number">{games:,}</td>'
        f'<td class="number">{states:,}</td></tr>'
        for ply, (games, states) in enumerate(
            zip(truth.counts.perft, truth.counts.states, strict=True)
        )
    )
    yield (
        '<table><tr><th class="number">ply</th><th class="number">sequences of moves</th>'
        f'<th class="number">positions</th></tr>{rows}</table>'
    )
    for problem in truth.problems:
        moves = html.escape(" ".join(problem.moves))
        options = f" {report.games.setup.options}" if report.games.setup.options else ""
        yield (
            "<p>One move wins, the others were searched to the end: "
            f"<code>{html.escape(problem.answer)}</code> after "
            f'<code>sarsen show {info.name}{html.escape(options)} --moves "{moves}"</code></p>'
        )


def _place(report: Report) -> Iterator[str]:
    standings = places(report)
    if not standings:
        return
    yield f"<h2>Among {max(standing.games for standing in standings)} other games</h2>"
    rows = "".join(
        f'<tr><td>{html.escape(standing.label)}</td><td class="number">'
        f"{standing.percentile:.0f} % are lower</td></tr>"
        for standing in standings
    )
    yield f"<table>{rows}</table>"


def _comparison(report: Report, other: Report) -> Iterator[str]:
    yield f"<h2>Against {html.escape(other.title)}</h2>"
    rows = "".join(
        f'<tr><td>{html.escape(a.label)}</td><td class="number">{_text(a)}</td>'
        f'<td class="number">{_text(b)}'
        f"</td><td>{'<b>differs</b>' if is_real else 'may be chance'}</td></tr>"
        for a, b, is_real in differences(report, other)
    )
    names = f"<th>{html.escape(report.title)}</th><th>{html.escape(other.title)}</th>"
    yield f"<table><tr><th></th>{names}<th></th></tr>{rows}</table>"


def _exploits_as_text(report: Report) -> Iterator[str]:
    for result in measures.strategy_results(report.games):
        if result.is_applied:
            own = (
                f"; {100 * result.own.value:.0f} % of its moves its own" if result.own.count else ""
            )
            yield f"{_line(result.score)}{own}"
    for seat in (0, 1):
        yield _line(measures.rival_score(report.games, seat))
    if idle := _idle_strategies(report):
        yield f"  {idle}"


def _line(figure: Figure) -> str:
    return f"  {figure.label:<68} {figure.text if figure.count else '-'}"


def text_page(report: Report, command: str, other: Report | None = None) -> str:
    """Return a report as text, for a terminal or a mail."""
    lines = [report.title, report.headline, *(verdict.text for verdict in report.verdicts[1:])]
    lines += [report.shortage] if report.verdicts and report.shortage else []
    lines += ["", f"{_rounds(report)}; {command}", ""]
    for name, figures in report.blocks.items():
        lines.append(HEADINGS[name].format(rival=nodes_of(report.games.setup.rival)))
        if name == "exploits":
            lines += _exploits_as_text(report)
            continue
        lines += [_line(figure) for figure in figures]
        if name == "balance":
            lines += [f"  {line}" for line in opening_lines(report.openings)]
    if report.pieces:
        lines.append("Moves that use each kind of piece")
        lines += [_line(figure) for figure in report.pieces if figure.value]
        lines += [f"  {idle}"] if (idle := _idle_pieces(report)) else []
    lines += [report.theory] if report.theory else []
    for result in report.truth.solved:
        lines.append(f"Certain: {result.options or 'this board'}: {result.text}, {result.how}")
    if other is not None:
        lines += ["", f"Against {other.title}:"]
        for a, b, is_real in differences(report, other):
            if is_real:
                lines.append(f"  {a.label:<68} {a.text}, there {b.text}")
    return "\n".join(lines) + "\n"
