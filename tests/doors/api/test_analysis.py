"""The analysis board for programs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from program import Program
from sarsen.search.analysis import Analysis, Likely
from sarsen.services.analysis import questions, searching
from web_world import World

Programs = Callable[..., Program]
ASKED = {"game": "druid", "options": "-size=5", "moves": ["c1", "b2", "b3", "c3"]}


@pytest.fixture(autouse=True)
def _search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "are_made", lambda: True)


def search(proved: float | None = None) -> None:
    claim = searching.claim(timezone.now())
    assert claim is not None
    likely = () if proved is not None else (Likely("d4", 0.61),)
    searching.settle(claim, Analysis(proved, ("d4",), None, likely, 0.5), timezone.now())


def test_a_question_is_asked_again_until_it_is_answered(program: Programs) -> None:
    ann = program("ann")
    for _ in range(2):
        first = ann.post("analysis", ASKED)["reply"]
        assert (first["kind"], first["is_waiting"]) == ("AnalysisShown", True)
    search()
    for one in (ann, program()):
        told = one.post("analysis", ASKED)["reply"]
        assert not told["is_waiting"]
        assert told["likely"] == [{"kind": "LikelyMove", "move": "d4", "chance": 0.61}]
    by_command = program("ann").post("commands/analyse", ASKED)["reply"]
    assert by_command["likely"] == told["likely"]


def test_what_is_proven_is_said_of_the_side_to_move(program: Programs) -> None:
    ann = program("ann")
    ann.post("analysis", ASKED)
    search(proved=0.0)
    told = ann.post("analysis", ASKED)["reply"]
    assert (told["proved"], told["side"], told["winner"]) == ("loss", "V", "H")


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"game": "chess"}, 404, "unknown-game"),
        ({"moves": ["z9"]}, 422, "druid.off-board"),
        ({"moves": ["a1"] * 301}, 422, "invalid"),
        ({"options": "-size=99"}, 422, "option-range"),
        ({"more": 1}, 422, "invalid"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    program: Programs, more: dict[str, object], status: int, code: str
) -> None:
    ann = program("ann")
    ann.post("analysis", ASKED | more)
    assert (ann.status, ann.code) == (status, code)


def test_a_running_game_is_refused_and_a_used_hour_says_when_again(
    program: Programs, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.board("druid", "c1 b2 b3 c3", options="-size=5")
    ann, eve = program("ann"), program("eve")
    ann.post("analysis", ASKED)
    assert (ann.status, ann.code) == (422, "analysis-running")
    monkeypatch.setattr("sarsen.services.analysis.budget.LEAST_SECONDS", 1000.0)
    eve.post("analysis", ASKED)
    assert (eve.status, eve.code) == (429, "analysis-budget")
    assert 0 < int(eve.headers["Retry-After"]) <= 3600


def test_a_position_or_a_board_may_begin_the_line(program: Programs, world: World) -> None:
    ann = program("ann")
    written = "S 231123/f/f/f/f/321123"
    reply = ann.post("analysis", {"game": "gyges", "position": written, "moves": []})["reply"]
    assert (reply["position"], reply["is_waiting"]) == (written, True)
    search()
    ann.post("analysis", {"game": "gyges", "position": written, "options": "-size=5"})
    assert (ann.status, ann.code) == (422, "position-options")
    board = world.board("druid", "a1 b2 a2 c2 a3", options="-size=3")
    reply = ann.post("analysis", {"board": board, "due": 3})["reply"]
    assert (reply["game"], reply["options"], reply["moves"]) == ("druid", "-size=3", ["a1", "b2"])
