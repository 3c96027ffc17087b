"""Records: both forms give back what was written, and a replay proves or refutes."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn_examples import examples
from sarsen.core.errors import UserError
from sarsen.core.records import Ending, Record, RecordedMove, as_json, prove, text
from sarsen.games import load

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
SMALL = {"druid": "-size=3", "gyges": "", "vasco": "-size=8", "visavis": "-size=5"}


def played(name: str, seed: int, most: int = 30, options: str | None = None) -> Record:
    """Play at random and record it as a server would."""
    game, chance = load(name), random.Random(seed)
    options = SMALL[name] if options is None else options
    position, moves = game.start(options), []
    while position.outcome() is None and len(moves) < most:
        move = chance.choice(position.legal_moves())
        at = START + timedelta(hours=len(moves))
        moves.append(RecordedMove(position.seat, position.format(move), at))
        position = position.play(move)
    outcome = position.outcome()
    return Record(
        game=name,
        rules_version=game.info.rules_version,
        options=options,
        players=("ann", "bob"),
        moves=tuple(moves),
        ending=Ending.MOVE if outcome else Ending.NONE,
        scores=outcome.scores if outcome else None,
        reason=outcome.reason if outcome else "",
        terms="--nagtime=3",
        place="https://play.example/boards/7/",
        started_at=START,
        ended_at=moves[-1].at,
    )


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(5))
def test_a_game_comes_through_both_forms_unchanged_and_is_proved(name: str, seed: int) -> None:
    record, game = played(name, seed), load(name)
    assert text.read(text.write(record, game), load) == record
    through_json = json.loads(json.dumps(as_json.write(record, game)))
    assert as_json.read(through_json, load) == record
    proof = prove(record, game)
    assert proof.is_ended_by_rules == (record.ending is Ending.MOVE)


def test_record_without_times_players_or_end_is_read() -> None:
    lines = (
        "sarsen-record: 1\ngame: visavis\nrules: 1\noptions: -size=5\nplayers: O -; X -\n\n1 O - C3"
    )
    record = text.read(lines, load)
    assert record.players == ("", "")
    assert record.moves == (RecordedMove(0, "C3"),)
    assert record.ending is Ending.NONE
    assert prove(record, load("visavis")).position.seat == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"scores": (0.0, 1.0)}, "record.result"),
        ({"scores": None}, "record.result"),
        ({"ending": Ending.RESIGNATION, "ended_by": 1}, "record.ending"),
        ({"rules_version": 99}, "record.newer-rules"),
        ({"game": "druid"}, "record.game"),
        ({"options": "-size=7"}, "record.not-over"),
    ],
)
def test_what_does_not_hold_is_named(change: dict[str, object], code: str) -> None:
    record = played("visavis", 1)
    assert prove(record, load("visavis")).is_ended_by_rules
    with pytest.raises(UserError) as refused:
        prove(replace(record, **change), load("visavis"))  # type: ignore[arg-type]
    assert refused.value.code == code


def test_the_first_ply_that_the_rules_refuse_is_named() -> None:
    record = played("visavis", 1)
    moves = list(record.moves)
    moves[4] = replace(moves[4], text=moves[0].text)
    with pytest.raises(UserError, match="Ply 5, "):
        prove(replace(record, moves=tuple(moves)), load("visavis"))


def test_a_move_of_the_wrong_seat_is_named() -> None:
    record = played("visavis", 1)
    moves = list(record.moves)
    moves[2] = replace(moves[2], seat=1)
    with pytest.raises(UserError, match=r"Ply 3.*O's turn") as refused:
        prove(replace(record, moves=tuple(moves)), load("visavis"))
    assert refused.value.code == "record.turn"


@pytest.mark.parametrize(
    ("ending", "by", "scores", "holds"),
    [
        (Ending.RESIGNATION, 1, (1.0, 0.0), True),
        (Ending.FORFEIT, 0, (0.0, 1.0), True),
        (Ending.AGREEMENT, None, (0.5, 0.5), True),
        (Ending.RESIGNATION, 0, (1.0, 0.0), False),
        (Ending.AGREEMENT, None, (1.0, 0.0), False),
        (Ending.FORFEIT, 0, None, False),
        (Ending.NONE, None, (1.0, 0.0), False),
    ],
)
def test_a_result_that_the_server_decided_must_fit_its_ending(
    ending: Ending, by: int | None, scores: tuple[float, ...] | None, holds: bool
) -> None:
    game = load("gyges")
    record = replace(played("gyges", 3, most=6), ending=ending, ended_by=by, scores=scores)
    if not holds:
        with pytest.raises(UserError):
            prove(record, game)
        return
    assert text.read(text.write(record, game), load) == record
    assert as_json.read(as_json.write(record, game), load) == record
    assert not prove(record, game).is_ended_by_rules


GOOD = text.write(played("visavis", 2), load("visavis"))


@given(st.data())
@examples(300)
def test_a_damaged_record_is_read_or_refused(data: st.DataObject) -> None:
    lines = GOOD.splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    lines[place] = data.draw(
        st.one_of(
            st.text(max_size=40),
            st.just(lines[place][: len(lines[place]) // 2]),
            st.just(lines[data.draw(st.integers(0, len(lines) - 1))]),
        )
    )
    try:
        prove(text.read("\n".join(lines), load), load("visavis"))
    except UserError as refused:
        assert refused.code
        assert refused.hint


@given(
    st.recursive(
        st.none() | st.text(max_size=9) | st.integers() | st.floats(),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
    )
)
@examples(200)
def test_json_of_any_shape_is_refused_in_words(value: object) -> None:
    good = as_json.write(played("visavis", 2), load("visavis"))
    for name in good:
        try:
            as_json.read(good | {name: value}, load)
        except UserError as refused:
            assert refused.code


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("sarsen-record: 1", "sarsen-record: 2", "record.newer-format"),
        ("sarsen-record: 1\n", "", "record.head-missing"),
        ("rules: 1", "rules: one", "record.rules"),
        ("players: O ann; X bob", "players: X ann; O bob", "record.players"),
        ("game: visavis", "game: chess", "unknown-game"),
        ("game: visavis", "game: visavis\ngame: visavis", "record.head"),
        ("options: -size=5", "options: -size=6", "option-step"),
        ("1 O ", "2 O ", "record.ply"),
        ("started: 2026", "started: then", "record.started"),
        ("result: ", "result: 2 ", "record.result"),
        ("end: move", "end: move O", "record.end"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(old: str, new: str, code: str) -> None:
    assert old in GOOD
    with pytest.raises(UserError) as refused:
        text.read(GOOD.replace(old, new, 1), load)
    assert refused.value.code == code


def test_name_of_several_words_is_refused_with_the_form_that_works() -> None:
    players = "players: O ann; X bob"
    with pytest.raises(UserError) as refused:
        text.read(GOOD.replace(players, "players: O Zoë  Example; X bob"), load)
    assert refused.value.hint == "players: O Zoë-Example; X bob"
    assert text.read(GOOD.replace(players, refused.value.hint), load).players[0] == "Zoë-Example"
    assert refused.value.hint
