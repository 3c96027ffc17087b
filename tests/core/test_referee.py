"""The referee: one text, one ruling; and the first bad ply of a record by its number."""

from __future__ import annotations

import random

import pytest

from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import MAX_MOVE, judge, replay, replayed
from sarsen.games import find, load

NAMES = tuple(find())


@pytest.fixture(params=NAMES)
def start(request: pytest.FixtureRequest) -> AnyPosition:
    return load(request.param).start()


def middle(position: AnyPosition, plies: int) -> AnyPosition:
    rng = random.Random("referee")
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(rng.choice(moves))
    return position


def hints_at_a_legal_move(refusal: UserError, position: AnyPosition) -> bool:
    """Return whether the hint, or what stands behind its colon, or a word of it can be played."""
    hint = refusal.hint
    for text in (hint, hint.rpartition(": ")[2], *hint.split()):
        try:
            judge(position, text.strip(" .,;`"))
        except UserError:
            continue
        return True
    return False


def test_ruling_holds_seat_full_text_and_next_position(start: AnyPosition) -> None:
    move = start.legal_moves()[0]
    ruling = judge(start, f"  {start.format(move).upper()} ")
    assert ruling.seat == start.seat
    assert ruling.text == start.format(move)
    assert ruling.position.write() == start.play(move).write()


@pytest.mark.parametrize("plies", [0, 1, 2, 9])
def test_hint_for_nonsense_is_a_legal_move(start: AnyPosition, plies: int) -> None:
    position = middle(start, plies)
    with pytest.raises(UserError) as refused:
        judge(position, "no such move ~")
    assert hints_at_a_legal_move(refused.value, position), refused.value.hint


def test_hint_for_an_illegal_move_is_a_legal_move(start: AnyPosition) -> None:
    """Moves of other positions of a game are readable everywhere, and often illegal here."""
    met = [middle(start, plies) for plies in (0, 3, 8)]
    texts = [text for other in met for text in map(other.format, other.legal_moves())][::7]
    refused = []
    for here in met:
        for text in texts[:60]:
            try:
                judge(here, text)
            except UserError as refusal:
                refused.append((here, refusal))
    assert refused
    for here, refusal in refused:
        assert refusal.code.strip()
        assert hints_at_a_legal_move(refusal, here), refusal.hint


def test_a_move_longer_than_the_limit_is_refused_unread(start: AnyPosition) -> None:
    with pytest.raises(UnreadableMove) as refused:
        judge(start, "a" * (MAX_MOVE + 1))
    assert refused.value.code == "move-too-long"
    assert str(MAX_MOVE) in refused.value.text
    assert hints_at_a_legal_move(refused.value, start), refused.value.hint


def test_a_move_as_long_as_the_limit_is_read(start: AnyPosition) -> None:
    text = start.format(start.legal_moves()[0])
    assert judge(start, text.rjust(MAX_MOVE)).text == text


def test_a_finished_game_takes_no_move() -> None:
    end = replayed(load("druid").start("-size=3"), ["b1", "a2", "b2", "c2", "b3"])
    with pytest.raises(IllegalMove) as refused:
        judge(end, "a1")
    assert refused.value.code == "game-over"
    assert "V joined top and bottom." in refused.value.text


def test_replay_names_the_first_bad_ply_and_its_text() -> None:
    with pytest.raises(IllegalMove) as refused:
        list(replay(load("druid").start("-size=4"), ["a1", "b1", "b1", "zz"]))
    assert refused.value.text.startswith("Move 3, 'b1': ")
    assert str(refused.value) == refused.value.text
    assert refused.value.code == "druid.sarsen-on-enemy"


def test_replay_gives_every_ruling_before_the_bad_ply() -> None:
    rulings = replay(load("druid").start("-size=4"), ["A1", "b1", "b1"])
    assert [next(rulings).text, next(rulings).text] == ["a1", "b1"]
    with pytest.raises(IllegalMove):
        next(rulings)


def test_empty_record_is_the_first_position(start: AnyPosition) -> None:
    assert replayed(start, []).write() == start.write()
