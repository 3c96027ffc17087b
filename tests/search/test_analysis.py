"""What is proven of a position, and the likely best moves, by the searches of the four games."""

from __future__ import annotations

import threading
import time

import pytest

from board_images import positions_along
from puzzle_lines import puzzle_with
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.symmetry import canonical
from sarsen.games import load
from sarsen.learning.analysis import Question, mapped, read_question, require_open, shown
from sarsen.search import analysis
from sarsen.search.analysis import Analysis, Likely, analyse, read, write
from sarsen.search.thought import Thought

SECONDS = 0.4
PUZZLE = puzzle_with()


def after(game: str, options: str, moves: str) -> AnyPosition:
    return positions_along(game, options, tuple(moves.split()))[-1]


@pytest.mark.parametrize(
    ("game", "options", "moves"),
    [
        ("visavis", "-size=9", "H2"),
        ("vasco", "-size=7", ""),
        ("druid", PUZZLE.options, " ".join(PUZZLE.line)),
    ],
)
def test_a_proof_comes_with_a_line_that_the_rules_replay_to_its_end(
    game: str, options: str, moves: str
) -> None:
    position = after(game, options, moves)
    found = analyse(position, 5.0)
    assert found.proved is not None
    assert not found.likely
    assert found.plies == len(found.line)
    seat, reached = position.seat, position
    for text in found.line:
        reached = reached.play(reached.parse(text))
    outcome = reached.outcome()
    assert outcome is not None
    assert outcome.scores[seat] == found.proved


@pytest.mark.parametrize(("game", "options"), [("druid", ""), ("gyges", ""), ("vasco", "")])
def test_what_is_not_proven_has_likely_moves_that_differ(game: str, options: str) -> None:
    start = load(game).start(options)
    found = analyse(start, SECONDS)
    assert found.proved is None
    assert found.plies is None
    texts = [canonical(start.play(start.parse(one.move))) for one in found.likely]
    assert len(texts) == len({*texts})
    assert 1 <= len(texts) <= analysis.MAX_LIKELY
    chances = [one.chance for one in found.likely]
    assert chances == sorted(chances, reverse=True)
    assert found.seconds <= SECONDS + 0.2
    assert read(write(found)) == found


def test_a_proof_that_a_replay_contradicts_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    position = after("druid", "-size=5", "c1 b2")
    move = position.legal_moves()[0]

    def boast(self: object, at: AnyPosition, **words: object) -> Thought:
        best = at.legal_moves()[0]
        return Thought(best, 1.0, 1.0, 1, (best,))

    monkeypatch.setattr("sarsen.search.bots.Bot.think", boast)
    found = analyse(position, SECONDS)
    assert found.proved is None
    assert found.likely[0].move == position.format(move)


def test_a_search_that_nobody_wants_ends_at_once() -> None:
    position = load("druid").start("")
    analyse(position, 0.05)  # loads it
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    analyse(position, 20.0, stop=stop)
    assert time.monotonic() - began < 5.0  # of a machine at work; alone it is 0.25


def test_a_line_is_read_in_full_form_and_refused_as_the_game_says() -> None:
    question = read_question("druid", "-size=5", ("C1", "b2"))
    assert question.moves == ("c1", "b2")
    assert len(question.positions) == 3
    with pytest.raises(UserError, match="at most"):
        read_question("druid", "", ("a1",) * 301)
    over = read_question("vasco", "-size=6", _to_the_end("vasco", "-size=6"))
    with pytest.raises(UserError) as refused:
        require_open(over)
    assert refused.value.code == "game-over"


def _to_the_end(game: str, options: str) -> tuple[str, ...]:
    position, line = load(game).start(options), list[str]()
    while position.outcome() is None:
        line.append(position.format(position.legal_moves()[0]))
        position = position.play(position.legal_moves()[0])
    return tuple(line)


def test_an_answer_is_turned_with_the_board() -> None:
    here = after("druid", "-size=5", "c1 b2 b3 c3")
    there = after("druid", "-size=5", "c1 d2 d3 c3")
    found = Analysis(None, ("d4", "a5"), None, (Likely("d4", 0.6), Likely("a1", 0.4)), 0.5)
    turned = mapped(found, here, there)
    assert [one.move for one in turned.likely] == ["b4", "e1"]
    assert turned.line == ("b4", "e5")
    assert mapped(found, here, here) is found


def test_an_answer_names_who_wins() -> None:
    positions = tuple(positions_along("druid", "-size=5", ("c1", "b2")))
    question = Question("druid", "-size=5", ("c1", "b2"), positions)
    for proved, outcome, winner in ((1.0, "win", "V"), (0.0, "loss", "H"), (0.5, "draw", "")):
        told = shown(question, Analysis(proved, ("c3",), None, (), 0.1))
        assert (told.proved, told.winner, told.side) == (outcome, winner, "V")
