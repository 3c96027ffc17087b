"""A refusal that is remembered is raised anew: what one reader's hint became is no other's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sarsen.core.errors import BadOption, IllegalMove, UnreadableMove, UserError
from sarsen.core.phrases import Phrase
from sarsen.games import load
from sarsen.learning import answers
from sarsen.learning.lessons import lesson_of
from sarsen.learning.puzzles.answers import answer
from sarsen.learning.puzzles.puzzle import puzzles_of
from sarsen.services.board_cache import BoardCache

LESSON = lesson_of("druid")
START, BOARDS = load("druid").start().write(), BoardCache()
RAISED: dict[str, Callable[[], object]] = {
    "puzzle": lambda: answer("druid", puzzles_of("druid")[1], ("zz",)),
    "lesson": lambda: answers.answer(LESSON, LESSON.steps[0], ("zz",), 0),
    "board": lambda: BOARDS.judge("druid", START, "zz"),
}


@pytest.mark.parametrize("raised", RAISED.values(), ids=RAISED)
def test_refusal_that_somebody_changed_is_as_before_for_the_next(
    raised: Callable[[], object],
) -> None:
    found = []
    for _ in range(2):
        with pytest.raises(UserError) as refused:
            raised()
        found.append((refused.value.text, refused.value.hint, len(refused.traceback)))
        refused.value.text, refused.value.hint = "changed", "puzzle vote druid-1 refused f4"
    assert found[0][:2] == found[1][:2]
    assert found[0][2] >= found[1][2]  # and keeps nothing of earlier requests


@pytest.mark.parametrize("kind", [UserError, IllegalMove, UnreadableMove, BadOption])
def test_again_is_the_same_refusal(kind: type[UserError]) -> None:
    first = kind("No ring on {place}.", code="x", hint=Phrase("For {one}.", one="a"), place="b2")
    if isinstance(first, BadOption):
        first.word = "-size"
    anew = first.again()
    assert type(anew) is kind
    assert vars(anew) == vars(first)
    assert (str(anew), anew.args) == (str(first), first.args)
    assert isinstance(anew.text, Phrase)
