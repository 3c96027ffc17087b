"""`from` and `then` at a wrong place, and moves that are none: each hint is a line that works."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.core.phrases import example_of
from sarsen.core.referee import judge
from sarsen.games import known_names, load, names
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.learning.analysis import Analyse
from sarsen.learning.analysis import Question, read_question

SHAPES = (
    "{game} then {move}",
    "{game} {move} then",
    "{game} {move} then 99",
    "{game} {move} THEN {move}",
    "{game} from",
    "{game} from then {move}",
    "{game} {move} from {position}",
    "{game} {move} from {position} then {move}",
    "{game} {option} from {position} then {move}",
    "{game} from {position} {move}",
    "{game} from {position} then {move} then {move}",
    "{game} from {position} then then {move}",
    "{game} from {position} from {position} then {move}",
    "{game} {move} {move} from",
    "{game} then from {move}",
)


def question(line: str) -> Question:
    command = read_line(line, Context(known_names())).command
    assert isinstance(command, Analyse)
    return read_question(command.game, command.options, command.moves, setup=command.position)


# A game without options has no line with one.
SHAPED = [
    (game, shape)
    for game in names()
    for shape in SHAPES
    if load(game).info.options or "{option}" not in shape
]


@pytest.mark.parametrize(("game", "shape"), SHAPED)
def test_from_and_then_at_a_wrong_place_are_refused_with_a_line_that_works(
    game: str, shape: str
) -> None:
    start = load(game).start("")
    move = start.format(start.legal_moves()[0])
    options = load(game).info.options
    option = f"-{options[0].name}={options[0].default}" if options else ""
    line = shape.format(game=game, move=move, position=start.write(), option=option)
    with pytest.raises(UserError) as refused:
        question(f"analyse {line}")
    assert refused.value.code == "analysis-word", refused.value.text
    assert "`from`" in refused.value.text or "`then`" in refused.value.text
    assert refused.value.hint.startswith(f"analyse {game}")
    found = question(refused.value.hint)
    if "from" in shape and "{position}" in shape:
        assert found.setup == start.write()


def test_the_moves_of_a_mended_line_are_those_that_are_legal() -> None:
    for line, hint in (
        ("gyges 11-31 then 99", "gyges"),
        ("gyges 231123 then 321123 then 99", "gyges 231123 321123"),
        ("druid c1 then b2", "druid c1 b2"),
        ("druid from ;0;; c1 b2", "druid from ;0;; then c1 b2"),
        ("druid c1 from ;0;; then b2", "druid from ;0;; then c1 b2"),
    ):
        with pytest.raises(UserError) as refused:
            question(f"analyse {line}")
        assert refused.value.hint == f"analyse {hint}"


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("plies", [0, 1, 2, 5])
def test_a_refused_move_names_one_that_is_legal_there(game: str, plies: int) -> None:
    position = load(game).start("")
    for _ in range(plies):
        position = position.play(position.legal_moves()[0])
    for text in ("99", "zz", "1131", "11-", "13x14", "then", "Then", "a99", "-", "1", "N", "pass1"):
        with pytest.raises(UserError) as refused:
            judge(position, text)
        example = example_of(refused.value.hint)
        assert example, f"{text}: {refused.value.hint}"
        judge(position, example)
        if text.isalpha() and len(text) > 2:
            assert text.upper() not in refused.value.text
