"""`sarsen solve`: find what a small board is worth, by searching every line.

What was found, and why it is a proof, stands in docs/druid-small-boards.md and
docs/vasco-small-pools.md.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.lab.asking import LabCommand, read_game, read_words

if TYPE_CHECKING:
    from sarsen.lab.druid_boards import Holding

USAGE = "sarsen solve druid -size=3"
OWN_MOVES = 5  # looked ahead in Druid, when nothing else is asked
MOST_OWN_MOVES = 60
SECONDS = 60.0
_BY_HEART = """\
Whatever O does, X has closed a loop by ply 10. Nothing was searched: the {count} answers are
known, and docs/vasco-small-pools.md proves them. The last move of each line is X's answer to
the moves before it; where no line leads, X closes a loop at once. After another first tile
turn or mirror the table until it is a1."""


@click.command("solve", cls=LabCommand)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="GAME [-OPTIONS]")
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.01, 86_400),
    default=SECONDS,
    show_default=True,
    metavar="S",
    help="Most seconds for one question.",
)
@click.option("--opening", metavar="MOVE", help="Druid: only after this first stone.")
@click.option(
    "--moves",
    type=click.IntRange(1, MOST_OWN_MOVES),
    metavar="N",
    help=f"Druid: own moves that a side is given.  [default: {OWN_MOVES}]",
)
@click.option("--json", "as_json", is_flag=True, help="Print facts for a program.")
def solve_command(
    words: tuple[str, ...], seconds: float, opening: str | None, moves: int | None, as_json: bool
) -> None:
    """Find who wins on a small board: Druid, or Vasco with a small pool.

    Vasco: the value of the pool, with a line of best play; from 47 tiles on by known
    answers, at once. Druid: for every first stone (one of each kind by mirrors), whether
    either side can force never to lose, however high stones are stacked. Nothing is claimed
    that was not searched to the end, or proved.
    """
    sorted_words = read_words(words)
    game = read_game(sorted_words.others, sorted_words.options, USAGE)
    if game.info.name == "druid":
        _solve_druid(game, sorted_words.options, opening, moves or OWN_MOVES, seconds, as_json)
    elif game.info.name == "vasco":
        if opening is not None or moves is not None:
            raise UserError(
                "Pools of Vasco are searched to the end, and all first tiles are alike.",
                code="not-with-vasco",
                hint="sarsen solve vasco -size=12 --time 60",
            )
        _solve_vasco(game, sorted_words.options, seconds, as_json)
    else:
        raise UserError(
            f"There is no such search of {game.info.title} here, only of Druid and Vasco.",
            code="nothing-to-solve",
            hint=f"{USAGE}, or sarsen solve vasco -size=12",
        )


def _solve_druid(
    game: Game, options: str, opening: str | None, moves: int, seconds: float, as_json: bool
) -> None:
    from sarsen.games.druid.monument import SIDES
    from sarsen.lab.druid_boards import hold

    found: list[Holding] = []
    for first in [opening] if opening else first_stones(game.start(options)):
        for side in range(len(SIDES)):
            found.append(hold(options, first, side, moves, seconds))
            if not as_json:
                click.echo(f"{found[-1].sentence} {_effort(found[-1])}")
        if not as_json and all(one.moves is not None for one in found[-len(SIDES) :]):
            click.echo(f"So with best play the game is a draw after {first}.")
    if not as_json and not opening and all(one.moves is not None for one in found):
        click.echo("So with best play the game is a draw, whatever V opens with.")
    if as_json:
        facts = [asdict(one) | {"side": SIDES[one.side]} for one in found]
        click.echo(json.dumps({"game": "druid", "options": options, "found": facts}))


def first_stones(start: AnyPosition) -> list[str]:
    """List the first stones, of those that mirror each other the one nearest to a1."""
    middle = (int(str(start.options["size"])) - 1) / 2
    texts = [start.format(move) for move in start.legal_moves()]
    return [
        text for text in texts if ord(text[0]) - ord("a") <= middle and int(text[1:]) - 1 <= middle
    ]


def _solve_vasco(game: Game, options: str, seconds: float, as_json: bool) -> None:
    from sarsen.search.thought import Budget
    from sarsen.search.vasco.pools import size_of, solve

    solved = solve(size_of(game.start(options)), Budget(seconds=seconds))
    size = solved.size
    if as_json:
        facts = {"game": "vasco", "size": size, "winner": solved.winner, "score": solved.score}
        effort = {"nodes": solved.nodes, "seconds": round(solved.seconds, 3)}
        facts["answers"] = solved.answers
        click.echo(json.dumps(facts | {"line": solved.line, "reason": solved.reason} | effort))
        return
    effort_text = f"({solved.nodes:,} positions, {solved.seconds:.1f} s)"
    if solved.score is None:
        click.echo(f"With {size} tiles nothing is proved yet. {effort_text}")
        return
    ends = "nobody wins" if solved.winner == "draw" else f"{solved.winner} wins"
    click.echo(f"With {size} tiles {ends}: {' '.join(solved.line)}")
    if not solved.answers:
        click.echo(f"{solved.reason} {effort_text}")
        return
    click.echo(solved.reason)
    click.echo(_BY_HEART.format(count=len(solved.answers)))
    for answer in solved.answers:
        click.echo(f"  {' '.join(answer)}")


def _effort(found: Holding) -> str:
    return f"({found.positions:,} positions, {found.seconds:.1f} s)"
