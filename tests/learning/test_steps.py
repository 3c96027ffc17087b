"""Every step of every lesson is executed, and accepts what brute force over the rules finds."""

from __future__ import annotations

import random
import re
from itertools import chain
from typing import Any

import pytest

from right_moves import faults_of, has_won, right_moves, solved, start
from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.games import load, text_file
from sarsen.language.learning.lessons import LessonShown, verdict_words
from sarsen.language.translating import translated, use_language
from sarsen.learning.lessons import (
    FILE,
    MAX_TASK,
    Step,
    Success,
    lesson_of,
    read_lesson,
    shown_move,
    start_of,
    taught,
)
from sarsen.learning.tries import Verdict, is_right, judge_line

STEPS = [(game, step) for game in taught() for step in lesson_of(game).steps]
MAX_HINT = 130  # characters
# These look through hundreds of replies to each of a hundred moves.
LONG = ("vasco two-loops", "visavis whole-game")


def each_step(*kinds: Success) -> pytest.MarkDecorator:
    """Return the mark that calls a test with each step of some kinds; of all without any."""
    cases = []
    for game, step in STEPS:
        name = f"{game} {step.id}"
        if not kinds or step.success in kinds:
            marks = [pytest.mark.ci] if name in LONG else []
            cases.append(pytest.param(game, step, id=name, marks=marks))
    return pytest.mark.parametrize(("game", "step"), cases)


@pytest.mark.parametrize("game", taught())
def test_no_step_is_left_out(game: str) -> None:
    lesson, faults = read_lesson(load(game), text_file(game, FILE))
    assert faults == ()
    assert 5 <= len(lesson.steps) <= 8
    # The first thing that a learner does is a move, and one of the steps is a refusal.
    assert lesson.steps[0].success is Success.WIN
    assert Success.REFUSED in {step.success for step in lesson.steps}


def test_four_games_have_29_steps() -> None:
    ours = [game for game, _ in STEPS if game in ("druid", "gyges", "vasco", "visavis")]
    assert len(ours) == 29


@each_step()
def test_the_answers_of_a_step_are_those_that_the_rules_give(game: str, step: Step) -> None:
    assert list(faults_of(game, step)) == []


@each_step()
def test_what_is_shown_solves_the_step(game: str, step: Step) -> None:
    if step.success is Success.PLAY:
        return  # another test plays it
    moves: tuple[str, ...] = ()
    while True:
        found = judge_line(game, step, (*moves, _shown(game, step, moves)))
        if found.verdict is not Verdict.RIGHT:
            break
        moves = found.own
    assert found.verdict is Verdict.SOLVED
    if step.success is Success.WIN:
        assert has_won(found.position, start(game, step).seat)


def _shown(game: str, step: Step, moves: tuple[str, ...]) -> str:
    """Return the move that is shown after some own moves; where none is, one that wins."""
    if shown := shown_move(step, len(moves)):
        return shown
    position = judge_line(game, step, moves).position
    wins = (move for move in position.legal_moves() if has_won(position.play(move), position.seat))
    return position.format(next(wins))


@each_step(Success.WIN, Success.SAFE, Success.ACCEPT)
def test_every_other_move_is_wrong_and_met_by_a_legal_one(game: str, step: Step) -> None:
    before = start(game, step)
    right = set(map(before.format, right_moves(game, step)))
    wrong = list[str]()
    for move in before.legal_moves():
        text = before.format(move)
        is_good = is_right(game, step, before, before.play(move), 0)
        assert is_good == (text in right), text
        wrong += [text] * (not is_good)
    for text in random.Random(1).sample(wrong, min(len(wrong), 5)):
        found = judge_line(game, step, (text,))
        assert (found.verdict, found.own) == (Verdict.WRONG, ())
        assert found.position.write() == before.write()
        after = before.play(before.parse(text))
        if step.success is Success.SAFE and after.outcome() is None:
            assert has_won(after.play(after.parse(found.answer)), after.seat)
        elif found.answer:
            after.parse(found.answer)


@each_step(Success.WIN)
def test_a_win_in_several_moves_holds_against_every_reply(game: str, step: Step) -> None:
    position = start(game, step)
    seat = position.seat
    for text in step.accept[0] if step.within > 1 else ():
        for met in _replies(position.play(position.parse(text))):
            moves = met.legal_moves()
            assert has_won(met, seat) or any(has_won(met.play(move), seat) for move in moves)


@each_step(Success.REFUSED)
def test_a_refusal_that_is_asked_for_solves_and_another_is_no_try(game: str, step: Step) -> None:
    position = start(game, step)
    for move in position.legal_moves():
        assert judge_line(game, step, (position.format(move),)).verdict is Verdict.WRONG
    for text in (step.shown, "zz99", "a1", "b2", "11-12", "C3", "a9"):
        try:
            position.play(position.parse(text))
        except UserError as refusal:
            verdict = Verdict.SOLVED if refusal.code == step.code else Verdict.REFUSED
            assert judge_line(game, step, (text,)).verdict is verdict, text


@each_step()
def test_tasks_are_read_at_one_glance_and_name_places_that_exist(game: str, step: Step) -> None:
    assert len(step.task) <= MAX_TASK
    places = _places(start(game, step))
    named = set(step.marks)
    named.update(chain.from_iterable(re.split("[-x=]", arrow) for arrow in step.arrows))
    if game != "vasco":  # whose numbers also count tiles and moves
        named.update(re.findall(r"\b[a-zA-Z]\d{1,2}\b|\b\d\d\b", step.task))
    assert named <= places


def _places(position: AnyPosition) -> set[str]:
    """Return the names of the places of a board."""
    spots = {shape.spot for shape in drawing.scene(position).shapes}
    rows = drawing.view.cells(position).rows
    spots |= {cell.spot for row in rows for cell in row.cells}
    if position.game.info.name == "visavis":  # whose picture names only the places one may build
        spots |= {f"{letter}{row}" for letter in "ABCDEFG" for row in range(1, 8)}
    return spots - {""}


def test_the_avalanche_lists_what_forces_three_tiles_or_four() -> None:
    step = lesson_of("vasco").step("forced")
    assert step is not None
    position: Any = start("vasco", step)
    forced: dict[str, int] = {}
    for move in position.legal_moves():
        after = position.play(move)
        forced[position.format(move)] = len(after.tiles) - len(position.tiles) - 1
    assert {text for text, count in forced.items() if count >= 3} == set(step.accept[0])
    assert max(forced.values()) == 4


def test_the_bounce_lists_every_way_of_the_single_to_row_three() -> None:
    step = lesson_of("gyges").step("bounce")
    assert step is not None
    position = start("gyges", step)
    texts = [position.format(move) for move in position.legal_moves()]
    high = [text for text in texts if re.fullmatch(r"13-[^x=]*[3-6]\d", text)]
    expected = {position.play(position.parse(text)).write() for text in high}
    listed = {position.play(position.parse(text)).write() for text in step.accept[0]}
    assert listed == expected


def _replies(position: AnyPosition) -> list[AnyPosition]:
    return [position.play(move) for move in position.legal_moves()]


@pytest.mark.ci
@each_step(Success.PLAY)
def test_a_whole_game_is_won_against_every_reply(game: str, step: Step) -> None:
    position = start_of(game, step)
    seat, met = position.seat, set[str]()
    ahead = [position]
    while ahead:
        before = ahead.pop()
        assert before.outcome() is None  # the other side never ends it
        right = next(
            after for after in _replies(before) if is_right(game, step, before, after, len(met))
        )
        if right.outcome() is not None:
            assert has_won(right, seat)
            continue
        fresh = [one for one in _replies(right) if one.write() not in met]
        met.update(one.write() for one in fresh)
        ahead += fresh
    assert len(met) > 20


@pytest.mark.ci
@each_step(Success.PLAY)
def test_a_whole_game_takes_every_winning_move_and_no_other(game: str, step: Step) -> None:
    known: dict[str, bool] = {}
    for seed in range(8):
        chance, moves = random.Random(seed), tuple[str, ...]()
        found = judge_line(game, step, moves)
        seat = found.position.seat
        while found.verdict is Verdict.RIGHT:
            position, good = found.position, []
            for move in position.legal_moves():
                tried = judge_line(game, step, (*moves, position.format(move)))
                is_good = tried.verdict is not Verdict.WRONG
                assert is_good == solved(position.play(move), seat, known)
                good += [tried] * is_good
            found = chance.choice(good)
            moves = found.own
        assert has_won(found.position, seat)


PLANTED = [
    ("druid", "win", 'accept = ["b4"]', 'accept = ["c1"]', {"c1 is not right", "b4 is right, too"}),
    ("druid", "block", 'accept = ["d3"]', 'accept = ["d3", "c4"]', {"c4 is not right"}),
    ("druid", "two-threats", "within = 2", "within = 1", {"d4 is not right"}),
    ("druid", "own-ground", "sarsen-on-enemy", "off-board", {"a2 is refused with {code}"}),
    ("druid", "own-ground", 'try = "a2"', 'try = "b2"', {"b2 is not refused"}),
    ("gyges", "stop", '"12-22", ', "", {"12-22 is right, too"}),
    ("vasco", "spoil", ', "f15"', "", {"f15 is right, too"}),
    ("vasco", "blue", '["e17"]', '["e17", "a1"]', {"a1 is not right"}),
    ("visavis", "block-as-x", '"F4 E6 D4"', '"F4 E6 D4 A1 C4"', {"refused"}),
    (
        "visavis",
        "two-ways",
        'accept = ["B4"]',
        'accept = ["C3"]',
        {"C3 is not right", "B4 is right, too"},
    ),
]


@pytest.mark.parametrize(("game", "id_", "before", "after", "expected"), PLANTED)
def test_a_planted_fault_is_found(
    game: str, id_: str, before: str, after: str, expected: set[str]
) -> None:
    text = text_file(game, FILE)
    head, mark, tail = text.partition(f'id = "{id_}"')
    assert before in tail
    lesson, faults = read_lesson(load(game), head + mark + tail.replace(before, after, 1))
    step = lesson.step(id_)
    if step is None:
        assert [str(fault) for fault in faults if id_ in str(fault)]
        return
    found = set(faults_of(game, step))
    assert {one.format(code="druid.sarsen-on-enemy") for one in expected} <= found


@each_step()
def test_every_text_is_german_too_and_its_task_as_short(game: str, step: Step) -> None:
    with use_language("de"):
        german = [translated(text) for text in step.texts]
    assert not set(german) & set(step.texts)
    assert len(german[0]) <= MAX_TASK
    places = r"\b(?:[a-zA-Z]\d{1,2}|\d\d)\b"
    for text, english in zip(german, step.texts, strict=True):
        assert set(re.findall(places, english)) <= set(re.findall(places, text))


@each_step()
def test_a_hint_is_short_and_names_no_move(game: str, step: Step) -> None:
    assert step.hint not in (step.task, step.right, step.wrong)
    assert len(step.hint) <= MAX_HINT
    right = {text.lower() for texts in step.accept for text in texts} | {step.shown.lower()}
    for language in ("en", "de"):
        with use_language(language):
            said = translated(step.hint).lower()
        assert not right & set(re.findall(r"[\w=-]+", said))


# What an answer begins with, and words that would say the same once more.
YES = {*("right", "good", "yes", "correct", "well", "safe"), *("richtig", "gut", "ja", "genau")}
NO = {*("not", "no", "yet", "still", "wrong"), *("noch", "nicht", "nein", "kein", "keine")}
REFUSED = {*("refused", "right", "good"), *("abgelehnt", "richtig", "gut")}


@each_step()
def test_a_sentence_does_not_repeat_the_words_before_it(game: str, step: Step) -> None:
    is_refusal = step.success is Success.REFUSED
    for language in ("en", "de"):
        with use_language(language):
            for verdict, text, same in (
                ("solved", step.right, REFUSED if is_refusal else YES),
                ("wrong", step.wrong, NO),
            ):
                refusal = "…" if is_refusal and verdict == "solved" else ""
                begun = verdict_words(_shown_with(verdict, refusal)).lower()
                first, *_ = re.findall(r"\w+", translated(text).lower())
                assert first not in re.findall(r"\w+", begun), translated(text)
                assert first not in same, translated(text)


def _shown_with(verdict: str, refusal: str) -> LessonShown:
    return LessonShown("", "", "", 1, 1, "", "", (), verdict=verdict, refusal=refusal)


# Names and notation, the same in every language.
_SAME_IN_GERMAN = {"oo", "xx", "xxx", "ooo"}


@each_step()
def test_a_text_board_has_no_english_words_in_german(game: str, step: Step) -> None:
    position = start(game, step)
    for board in (drawing.text(position), drawing.compact_text(position, 24, 80)):
        english = _words(translated(board))
        with use_language("de"):
            german = _words(translated(board))
        assert not english & german
        assert bool(english) == bool(german)


def _words(board: str) -> set[str]:
    """Return the words of a text board that are no letters of pieces and places."""
    return set(re.findall(r"[a-zäöüß]{3,}", board.lower())) - _SAME_IN_GERMAN
