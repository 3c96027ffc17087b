"""The ladder: who plays whom, what is fitted and written."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from sarsen.core.errors import UserError
from sarsen.lab.arguments import read_level, read_levels, read_sprt
from sarsen.lab.elo import Sprt, score_of
from sarsen.lab.games import Played, Timing
from sarsen.lab.ladder import Climb, Keeper, Ladder, climb_ladder
from sarsen.lab.matches import MatchResult, Pair
from sarsen.lab.strength_page import write_section
from sarsen.search.thought import Budget
from sarsen.server.command import main

TRUE = (0, 200, 330, 500)


def game(won: bool) -> Played:
    """Return a game in which seat 1, or 2, won and thought for a second a move."""
    scores = (1.0, 0.0) if won else (0.0, 1.0)
    return Played(("a1",), 0, scores, "", None, (Timing(2, 2.0, 1.0), Timing(2, 4.0, 3.0)))


def simulated(name: str = "druid", options: str = "", pairs: int = 400) -> Ladder:
    """Return a ladder of players whose true strength is known."""
    climb = Climb(name, options, (1, 3, 4, 8), pairs, seed=7)
    chance = random.Random(3)
    matches = []
    for higher, lower in climb.pairings:
        likely = score_of(TRUE[higher] - TRUE[lower])
        wins = ((chance.random() < likely, chance.random() < likely) for _ in range(pairs))
        played = tuple(
            Pair(index, game(first), game(not second)) for index, (first, second) in enumerate(wins)
        )
        matches.append(MatchResult(climb.setup(higher, lower), played))
    return Ladder(climb, tuple(matches))


def test_each_level_plays_the_next_and_the_next_but_one() -> None:
    climb = Climb("druid", "", (1, 2, 5, 8), 10)
    names = [climb.setup(*pairing) for pairing in climb.pairings]
    assert [(one.a.name, one.b.name) for one in names] == [
        ("bot2", "bot1"),
        ("bot5", "bot2"),
        ("bot8", "bot5"),
        ("bot5", "bot1"),
        ("bot8", "bot2"),
    ]
    assert len({one.seed for one in names}) == 5


def test_test_is_only_for_steps() -> None:
    climb = Climb("druid", "", (1, 2, 3), 10, sprt=Sprt(50, 100))
    assert [climb.setup(*pairing).sprt for pairing in climb.pairings] == [climb.sprt] * 2 + [None]


def test_top_level_may_be_given_positions_instead_of_its_clock(tmp_path: Path) -> None:
    climb = Climb("druid", "-size=3", (6, 7, 8), 1, top_nodes=900)
    setups = [climb.setup(*pairing) for pairing in climb.pairings]
    assert [one.a.budget for one in setups] == [None, Budget(900), Budget(900)]
    assert all(one.b.budget is None for one in setups)
    page = tmp_path / "strength.md"
    write_section(page, Ladder(climb, ()))
    written = page.read_text(encoding="utf-8")
    assert "--seed 0 --top-nodes 900`" in written
    assert "Level 8 searched 900 positions per move here" in written
    write_section(page, Ladder(replace(climb, levels=(6, 7)), ()))
    assert "Level 8" not in page.read_text(encoding="utf-8")


def test_fewer_games_may_do_for_pairings_with_high_levels(tmp_path: Path) -> None:
    climb = Climb("druid", "-size=3", (4, 5, 6, 7), 20, high_pairs=6)
    assert [climb.setup(*pairing).pairs for pairing in climb.pairings] == [20, 6, 6, 6, 6]
    assert replace(climb, high_pairs=None).setup(2, 1).pairs == 20
    page = tmp_path / "strength.md"
    write_section(page, Ladder(climb, ()))
    assert "--games 40 --high-games 12 --seed 0`" in page.read_text(encoding="utf-8")


def test_games_of_a_ladder_are_counted_pairing_by_pairing() -> None:
    climb = Climb("druid", "", (4, 5, 6), 20, high_pairs=6)
    assert climb.games == 2 * (20 + 6 + 6)
    finished = MatchResult(climb.setup(1, 0))  # it may have ended early
    pair = Pair(0, game(won=True), game(won=False))
    running = MatchResult(climb.setup(2, 1), (pair, pair))
    assert climb.played([finished], running) == 2 * (20 + 2)


def test_true_strengths_are_found_from_the_matches() -> None:
    rungs = simulated().rungs
    assert [rung.level for rung in rungs] == [1, 3, 4, 8]
    for rung, true in zip(rungs, TRUE, strict=True):
        assert rung.elo == pytest.approx(true, abs=max(1, 1.5 * rung.error))
    for rung, (below, above) in zip(rungs[1:], pairwise(TRUE), strict=True):
        assert abs(rung.step - (above - below)) < 1.5 * rung.step_error < 60
    assert rungs[0].match is None
    assert all(rung.match for rung in rungs[1:])


def test_time_a_move_is_that_of_the_right_player() -> None:
    # Seat 1 took 1 second a move, seat 2 took 2; everybody had each as often.
    assert all(rung.seconds == pytest.approx(1.5) for rung in simulated().rungs)


def test_interrupted_ladder_is_fitted_as_far_as_it_is_joined() -> None:
    whole = simulated()
    cut = Ladder(whole.climb, whole.matches[:2])
    assert not cut.is_whole
    assert whole.is_whole
    assert [rung.level for rung in cut.rungs] == [1, 3, 4]
    assert [rung.level for rung in Ladder(whole.climb, ()).rungs] == [1]


def test_interrupt_stops_the_whole_ladder() -> None:
    def told(before: object, running: MatchResult) -> None:
        raise KeyboardInterrupt

    ladder = climb_ladder(Climb("druid", "-size=3", (1, 2), 3), told)
    assert [match.stopped for match in ladder.matches] == ["interrupted"]


def test_page_keeps_the_other_games_and_replaces_its_own(tmp_path: Path) -> None:
    page = tmp_path / "strength.md"
    write_section(page, simulated("vasco", "-size=12"))
    write_section(page, simulated("druid"))
    first = page.read_text(encoding="utf-8")
    assert re.findall("^## (.*)", first, re.M) == ["Druid", "Vasco -size=12"]
    write_section(page, simulated("druid", pairs=40))
    second = page.read_text(encoding="utf-8")
    assert re.findall("^## (.*)", second, re.M) == ["Druid", "Vasco -size=12"]
    assert first.partition("## Vasco")[2] == second.partition("## Vasco")[2]
    assert "`sarsen ladder druid --levels 1,3,4,8 --games 80 --seed 7`: 400 games" in second
    rows = [line for line in second.partition("## Vasco")[0].splitlines() if line[:2] == "| "]
    assert {row.count("|") for row in rows} == {10}
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.parametrize(
    ("text", "levels"), [("1-8", (1, 2, 3, 4, 5, 6, 7, 8)), ("1,3-4, 8", (1, 3, 4, 8))]
)
def test_levels_are_read(text: str, levels: tuple[int, ...]) -> None:
    assert read_levels(text) == levels


@pytest.mark.parametrize("text", ["", "5", "0-3", "3-9", "8-1", "1,1", "1-10", "a-b", "1--3", "²"])
def test_levels_that_are_no_ladder_are_refused(text: str) -> None:
    with pytest.raises(UserError) as refused:
        read_levels(text)
    assert refused.value.code == "no-such-ladder"


def test_level_is_a_number_or_max() -> None:
    assert [read_level(text) for text in ("max", "MAX", "3")] == [8, 8, 3]


@pytest.mark.parametrize("text", ["0,20", " -5 , 5", "\u22125,0", "0.5,2.5"])
def test_bounds_of_a_test_are_read(text: str) -> None:
    assert read_sprt(text).elo0 < read_sprt(text).elo1


def test_ladder_is_climbed_by_one_command(tmp_path: Path) -> None:
    page = tmp_path / "strength.md"
    words = ["ladder", "druid", "-size=3", "--levels", "1,2", "--games", "4", "--write", str(page)]
    result = CliRunner().invoke(main, [*words, "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert [rung["level"] for rung in told["rungs"]] == [1, 2]
    assert sum(told["matches"][0]["results"]) == 4
    assert "## Druid -size=3\n" in page.read_text(encoding="utf-8")
    assert "Levels of druid -size=3" in CliRunner().invoke(main, words).stdout


def test_ladder_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    climb = Climb("druid", "-size=3", (1, 2), 4)
    kept = tmp_path / "kept"

    def cut_at(most: int) -> tuple[Ladder, int]:
        new = 0

        def told(before: object, running: MatchResult) -> None:
            nonlocal new
            new += 1
            if new == most:
                raise KeyboardInterrupt

        keeper = Keeper(kept)
        ladder = climb_ladder(climb, told, keeper)
        keeper.close()
        return ladder, new

    assert cut_at(3)[0].matches[0].stopped == "interrupted"
    whole, new = cut_at(99)
    assert (new, whole.is_whole) == (1, True)
    with kept.open("a", encoding="utf-8") as out:
        out.write('{"half a li')  # killed while writing
    again, none = cut_at(99)
    assert none == 0
    assert kept.read_text(encoding="utf-8").count("\n") == 4
    assert again.matches == whole.matches
    alone = climb_ladder(climb, lambda before, running: None)
    moves = [[(pair.first.moves, pair.second.moves) for pair in one.matches[0].pairs]
             for one in (alone, whole)]  # fmt: skip
    assert moves[0] == moves[1]


@pytest.mark.parametrize("text", ["not json\n", '{"other": 1}\n', "[1]\n", "\xff\n"])
def test_file_that_holds_no_games_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kept"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(UserError) as refused:
        Keeper(path)
    assert refused.value.code == "unreadable-games"
    assert path.read_text(encoding="latin-1") == text
