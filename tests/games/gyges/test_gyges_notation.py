"""How moves are read, what refusals say, and how positions are written."""

from __future__ import annotations

import contextlib
import random

import pytest

from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.referee import replayed
from sarsen.games.gyges import GAME
from sarsen.games.gyges.rules import GygesPosition

SAMPLE = [
    *("231123", "321123", "16-35", "61-53", "15-24", "66x65=21", "13-14-24x35=33", "62x53=36"),
    *("14-24-35x36=43", "64-54", "12-33x54=14", "65-35x36=34", "14-24-35-36-66", "63-64"),
    *("11-22", "64-54-35-36-S"),
]


@pytest.mark.parametrize(
    "text", ["13x14=44", "13X14=44", " 13 x 14 = 44 ", "13-14=44", "13x14=44;", "13×14=44"]
)
def test_one_relocation_in_many_ways(ready: GygesPosition, text: str) -> None:
    assert ready.format(ready.parse(text)) == "13x14=44"


@pytest.mark.parametrize(
    "text", ["12-42", "12 - 42", "12-(22-32-)42", "12-(22-32)-42", "12 -( 22 - 32 ) 42"]
)
def test_one_move_with_and_without_the_slots_it_passes(ready: GygesPosition, text: str) -> None:
    assert ready.format(ready.parse(text)) == "12-42"


@pytest.mark.parametrize("text", ["231123", " 231 123 ", "2 3 1 1 2 3", "2,3,1,1,2,3"])
def test_one_set_up_in_many_ways(text: str) -> None:
    start = GAME.start()
    assert start.format(start.parse(text)) == "231123"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("hello", "'hello'"),
        ("16", "'16' is neither a move nor a set-up"),
        ("1635", "needs dashes"),
        ("16-", "'-' in '16-'"),
        ("16-35-", "'-' in '16-35-'"),
        ("16--35", "'--35'"),
        ("16-3", "'-3'"),
        ("16-70", "There is no slot '70'"),
        ("17-35", "There is no slot '17'"),
        ("16-(20)35", "There is no slot '20'"),
        ("13x14", "where the ring at 14 goes"),
        ("13x14-15=16", "'-15=16'"),
        ("13x14=", "'='"),
        ("13x14=99", "There is no slot '99'"),
        ("13x14=44 please", "'please'"),
        ("16-35;", None),
        (";16-35", "''"),
        ("N", "'N' does not say where"),
        ("٢٣١١٢٣", "is not a move: a move begins"),
        ("16-" * 500, "at most 1000"),
    ],
)
def test_unreadable_part_is_quoted(ready: GygesPosition, text: str, said: str | None) -> None:
    if said is None:
        assert ready.parse(text)
        return
    with pytest.raises(UnreadableMove) as refusal:
        ready.parse(text)
    assert said in refusal.value.text
    assert refusal.value.code == "gyges.unreadable-move"


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("34-35", "empty-origin", "No ring stands on 34."),
        ("66-55", "shore", "South may move only rings on its shore, now row 1; 66 is in row 6."),
        ("16-45", "route", "no path from 16 to 45: the triple there moves exactly 3 connections"),
        ("13-53", "route", "the single there moves exactly one connection."),
        ("12-(11-21)31", "route", "no path from 12 to 31 by way of 11-21"),
        ("16-26-36-46", "empty-bounce", "26 is empty: a ring bounces on another ring only."),
        ("13-14", "taken-end", "relocate the other with `=`"),
        ("13x23=44", "nothing-to-relocate", "There is no ring on 23 to relocate."),
        ("13x14=66", "relocation-taken", "66 is not empty"),
        ("13x14=N", "relocation-goal", "cannot be relocated to a goal"),
        ("13-S", "own-goal", "S is South's own goal"),
        ("13-14-13", "connection-twice", "use a connection twice"),
        ("13-14-" * 40 + "24", "connection-twice", "too many stops"),
        ("13-23; 14-24", "several-moves", "North can move"),
    ],
)
def test_refusals_name_the_rule(ready: GygesPosition, text: str, code: str, said: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        ready.parse(text)
    assert refusal.value.code == f"gyges.{code}"
    assert said in refusal.value.text


def test_hint_prefers_a_move_of_the_ring_that_was_meant(ready: GygesPosition) -> None:
    with pytest.raises(IllegalMove) as refusal:
        ready.parse("16-45")
    hint = refusal.value.hint.removeprefix("For example: ")
    assert hint == "16-24"
    assert ready.parse(hint)


def test_written_position_is_rows_from_south_to_north() -> None:
    position = replayed(GAME.start(), SAMPLE[:3])
    assert position.write() == "N 23112a/f/d3a/f/f/321123 231123/f/f/f/f/321123"
    assert GAME.start().write() == "S f/f/f/f/f/f"
    assert replayed(GAME.start(), SAMPLE[:1]).write() == "N 231123/f/f/f/f/f"


@pytest.mark.parametrize("plies", range(len(SAMPLE) + 1))
def test_positions_of_the_sample_read_back_the_same(plies: int) -> None:
    position = replayed(GAME.start(), SAMPLE[:plies])
    again = GAME.read(position.write())
    assert again == position
    assert again.shown == position.shown
    assert again.legal_moves() == position.legal_moves()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "S",
        "X 231123/f/f/f/f/321123",
        "S 231123/f/f/f/321123",
        "S 231123/f/f/f/f/f/321123",
        "S 231123/f/f/f/f/32112",
        "S 231123/f/f/f/f/3211234",
        "S 231123/f/f/g/f/321123",
        "S 231133/f/f/f/f/321123",
        "N f/f/f/f/f/f",
        "S 231123/f/f/f/f/f",
        "N f/231123/f/f/f/f",
        "N 231123/f/f/f/f/f 231123/f/f/f/f/321123",
        "S 231123/f/f/f/f/321123 f/f/f/f/f/f",
        "S+ 231123/f/f/f/f/321123",
        "N+ 231123/f/f/f/f/f",
        "N f/f/c1b/c1a2/112232/a3a3a3",
        "S 231123/f/f/f/f/321123 " + "23112a/f/d3a/f/f/321123 " * 50_000,
    ],
)
def test_line_that_is_no_position_is_refused(line: str) -> None:
    with pytest.raises(UserError) as refusal:
        GAME.read(line)
    assert refusal.value.code == "gyges.unreadable-position"


def test_spoilt_lines_and_texts_raise_only_user_errors() -> None:
    rng = random.Random(7)
    line = replayed(GAME.start(), SAMPLE[:9]).write()
    position = GAME.read(line)
    for _ in range(300):
        at, cut = rng.randrange(len(line)), rng.randrange(3)
        signs = "".join(rng.choice("SN+123abcdef/ ") for _ in range(rng.randrange(3)))
        with contextlib.suppress(UserError):
            GAME.read(line[:at] + signs + line[at + cut :])
        with contextlib.suppress(UserError):
            position.parse("".join(rng.choice("1234567-x=();SN ") for _ in range(12)))
