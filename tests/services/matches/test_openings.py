"""What was played in a position, and searching games by their first moves."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.core.referee import replayed
from sarsen.games import load
from sarsen.language.commands import History, Resign
from sarsen.language.replies import Table
from sarsen.services.dispatch import perform
from sarsen.services.matches import openings
from sarsen.services.matches.openings import look_up, store_some
from sarsen.services.request import NOBODY, Actor
from sarsen.storage.models import Match, OpeningMove
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
START = load("druid").start()


def resigned(moves: str, by: str = "bob", **terms: object) -> int:
    """Play a game of druid to its end; give its board."""
    world = World()
    board = world.board("druid", moves, **terms)  # type: ignore[arg-type]
    perform(Resign("druid", board, confirmed=True), Actor(world.player(by)), "", NOW)
    return board


def boards(*userids: str, options: str = "", **terms: str) -> list[str]:
    said = tuple(f"--{name}={value}" for name, value in terms.items())
    table = perform(History("druid", userids, options, said), NOBODY, "", NOW)
    assert isinstance(table, Table)
    return [row[1] for row in table.rows]


def test_moves_are_counted_with_their_results_where_games_met() -> None:
    first = resigned("b8 b5 c3 c4")
    second = resigned("b8 d5", by="ann")
    resigned("e8 d5")
    assert store_some() == 3
    start = look_up(START)
    assert [(one.text, one.won, one.drawn, one.lost) for one in start.moves] == [
        ("b8", 1, 0, 1),
        ("e8", 1, 0, 0),
    ]
    assert (start.games, start.is_more) == (3, False)
    after = look_up(replayed(START, ["b8"]))
    assert {one.text for one in after.moves} == {"b5", "d5"}
    assert [board.number for board in after.newest] == [second, first]
    assert look_up(replayed(START, ["a1"])).moves == ()


def test_a_game_is_stored_once_and_no_further_than_its_opening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(openings, "PLIES", 3)
    board = resigned("b8 b5 c3 c4")
    assert (store_some(), store_some()) == (1, 0)
    stored = OpeningMove.objects.filter(match=board).order_by("pk")
    assert [one.text for one in stored] == ["b8", "b5", "c3"]


def test_only_so_many_games_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "MAX_COUNTED", 1)
    resigned("b8 b5")
    resigned("e8 b5")
    store_some()
    start = look_up(START)
    assert ([one.text for one in start.moves], start.is_more) == (["e8"], True)


def test_private_games_and_those_in_play_are_not_stored() -> None:
    hidden = resigned("b8 b5", terms=("--private",))
    World().board("druid", "b8")
    assert store_some() == 1
    assert not OpeningMove.objects.exists()
    assert Match.objects.get(pk=hidden).has_opening is False


def test_games_are_searched_by_result_length_date_options_and_opening() -> None:
    first = str(resigned("b8 b5 c3 c4"))
    second = str(resigned("b8 d5", by="ann"))
    small = str(resigned("b1 b5", options="-size=5"))
    store_some()
    assert boards() == [small, second, first]
    assert boards(result="won") == [small, first]
    assert boards("bob", result="won") == [second]
    assert boards(plies="3-9") == boards(plies="4") == [first]
    assert boards(plies="-3") == [small, second]
    assert boards(until="2026-11-20") == [small, second, first]
    assert boards(until="2026-11-19") == boards(**{"from": "2026-11-21"}) == []
    assert boards(options="-size=5") == [small]
    assert boards(opening="b8") == [second, first]
    assert boards(opening="b8,b5") == [first]
    assert boards(opening="b1", options="-size=5") == [small]


@pytest.mark.parametrize(
    ("term", "code"),
    [
        ("--result=maybe", "search-term"),
        ("--plies=many", "search-term"),
        ("--from=yesterday", "search-term"),
        ("--colour=red", "search-term"),
        ("--opening=z99", "druid.off-board"),
        (f"--opening={','.join(['b8'] * 13)}", "opening-too-long"),
    ],
)
def test_what_cannot_be_searched_for_is_refused(term: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        perform(History("druid", (), "", (term,)), NOBODY, "", NOW)
    assert refused.value.code == code
    assert refused.value.hint


def test_an_opening_is_one_of_a_game() -> None:
    with pytest.raises(UserError) as refused:
        perform(History("", (), "", ("--opening=b8",)), NOBODY, "", NOW)
    assert refused.value.code == "game-missing"
