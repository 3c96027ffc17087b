"""The lesson of a game: its steps can be played, and accept what the rules say is right."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game, package_of
from sarsen.drawing.view import cells, registered
from sarsen.lab.checking.walks import Finding, Note, Walk
from sarsen.learning.lessons import FILE, Look, Step, Success, position_of, read_lesson


def lesson_is_right(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Each step of the lesson can be played, and accepts exactly the moves that are right."""
    file = Path(sys.modules[str(package_of(game))].__file__ or "").parent / FILE
    if not file.is_file():
        return
    text = file.read_text(encoding="utf-8")
    lesson, faults = read_lesson(game, text, lambda: note(""))
    for fault in faults:
        yield Finding("lesson", str(fault))
    late: list[str] = []
    for step in lesson.steps:
        name = f"{FILE}: step {lesson.place_of(step)} ({step.id})"
        start = position_of(game, step, lambda: note(""))
        line = Walk(game, step.options, (), step.moves, start).line()

        def look(line: str = line) -> None:
            if time.process_time() > deadline:
                raise TimeoutError
            note(line)

        try:
            for said in _faults(start, step, look):
                yield Finding("lesson", f"{name}: {said}", line)
        except TimeoutError:
            late.append(name)
    if late:
        said = f"There was no time to find all right moves of {late[0]}"
        said += f", and of {len(late) - 1} more." if late[1:] else "."
        yield Finding("lesson-time", said, is_error=False)


def _faults(start: AnyPosition, step: Step, look: Look) -> Iterator[str]:
    """Yield what is wrong with a step that can be read, each with the name of its field.

    Args:
        look: Notes the position, and raises `TimeoutError` at the deadline.
    """
    yield from _unknown_places(start, step)
    if step.success is Success.REFUSED:
        look()
        try:
            start.play(start.parse(step.shown))
        except UserError as refusal:
            if refusal.code != step.code:
                yield f"code: {step.shown} is refused with {refusal.code}, not {step.code}."
        else:
            yield f"try: {step.shown} is not refused."
        return
    if step.success is Success.ACCEPT:
        yield from _unplayable(start, step, look)
        return
    listed: dict[str, str] = {}
    for text in step.accept[0]:
        look()
        listed[start.play(start.parse(text)).write()] = text
    known: dict[str, bool] = {}
    for move in start.legal_moves():
        look()
        after, text = start.play(move), start.format(move)
        is_listed = listed.pop(after.write(), "")
        is_right = _is_right(after, step, start.seat, known, look)
        if is_listed and not is_right:
            yield f"accept: {text} is not right."
        if is_right and not is_listed:
            yield f"accept: {text} is right, too."


def _unknown_places(start: AnyPosition, step: Step) -> Iterator[str]:
    """Yield marks and arrows that name no place of the board."""
    if registered(start.game.info.name) is None:
        return
    places = {shape.spot for shape in drawing.scene(start).shapes}
    places |= {cell.spot for row in cells(start).rows for cell in row.cells}
    for name, texts in (("marks", step.marks), ("arrows", step.arrows)):
        for text in texts:
            named = {text} if name == "marks" or text in places else set(text.split("-"))
            if unknown := sorted(named - places):
                yield f"{name}: {unknown[0]} is no place of this board."


def _unplayable(start: AnyPosition, step: Step, look: Look) -> Iterator[str]:
    """Yield moves of a step in several parts that cannot be played one after another."""
    position = start
    for at, texts in enumerate(step.accept):
        look()
        name = "accept"
        try:
            after = [position.play(position.parse(text)) for text in texts]
            if at == len(step.replies):
                return  # the other side chooses its answer itself
            name = "replies"
            met = [one.play(one.parse(step.replies[at])) for one in after]
        except UserError as refusal:
            yield f"{name}: {refusal}"
            return
        position = met[0]


def _is_right(
    after: AnyPosition, step: Step, seat: int, known: dict[str, bool], look: Look
) -> bool:
    """Return whether a move does what the task asks, by all games that may follow."""
    if step.success is Success.PLAY:
        return _is_won(after, seat, known, look)
    if step.success is Success.WIN:
        return _wins_within(after, seat, step.within, look)
    if after.outcome() is not None:
        return not _has_lost(after, seat)
    for move in after.legal_moves():
        look()
        if _has_lost(after.play(move), seat):
            return False
    return True


def _has_won(position: AnyPosition, seat: int) -> bool:
    outcome = position.outcome()
    return outcome is not None and outcome.winner == seat


def _has_lost(position: AnyPosition, seat: int) -> bool:
    outcome = position.outcome()
    return outcome is not None and outcome.winner not in (seat, None)


def _wins_within(after: AnyPosition, seat: int, within: int, look: Look) -> bool:
    """Return whether a seat that has just moved wins with so many own moves, that one included."""
    if after.outcome() is not None or within == 1:
        return _has_won(after, seat)

    def answered(move: Any) -> bool:
        met = after.play(move)
        look()
        if met.outcome() is not None:
            return _has_won(met, seat)
        for one in met.legal_moves():
            look()
            if _wins_within(met.play(one), seat, within - 1, look):
                return True
        return False

    return all(map(answered, after.legal_moves()))


def _is_won(position: AnyPosition, seat: int, known: dict[str, bool], look: Look) -> bool:
    """Return whether a seat wins by force; each position is looked at once."""
    line = position.write()
    if line not in known:
        look()
        if position.outcome() is not None:
            known[line] = _has_won(position, seat)
        else:
            chosen = any if position.seat == seat else all
            after = map(position.play, position.legal_moves())
            known[line] = chosen(_is_won(one, seat, known, look) for one in after)
    return known[line]
