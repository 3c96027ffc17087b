"""A plan's text becomes lines of a tree; every move that can be judged now is."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import Ruling, judge
from sarsen.language.plans import Line
from sarsen.services.plans.tree import ANY, Tree, add, mark, planned_reply


@dataclass(frozen=True)
class Owner:
    """Say whose moves a plan may plan.

    Attributes:
        seats: His seats.
        has_all: He plays against himself.
    """

    seats: tuple[int, ...]
    has_all: bool

    def moves(self, position: AnyPosition) -> bool:
        """Return whether it is his turn."""
        return position.seat in self.seats


def lay(
    tree: Tree, at: int, lines: tuple[Line, ...], position: AnyPosition | None, owner: Owner
) -> Tree:
    """Plan some lines after a node.

    Args:
        position: At the node; None where it depends on an answer that is not known.

    Raises:
        UserError: Names the item and the rule that refuses it.
    """
    for line in lines:
        item = f"if {line.answer or ANY} then {line.reply}"
        answer, after = _answer(line, position, item, owner)
        is_loose = answer != ANY and after is None
        tree, answered = add(tree, at, answer, is_mine=False, is_loose=is_loose)
        if planned_reply(tree, answered) is not None:
            raise _refused(item, f"there is another reply to {answer} already", "plan-twice")
        reply, beyond = _reply(line, after, item, owner)
        tree, replied = add(tree, answered, reply, is_mine=True, is_loose=after is None)
        tree = lay(mark(tree, at, replied), replied, line.then, beyond, owner)
    return tree


def judged(position: AnyPosition, text: str, item: str) -> Ruling:
    """Judge one move of a plan.

    Raises:
        UserError: What the referee says, with the item it is about.
    """
    try:
        return judge(position, text)
    except UserError as refusal:
        about = "" if item == text else f"In `{_short(item)}`, "
        refused = UserError(
            f"{about}{_short(text)}: {refusal.text} Nothing was planned.",
            code=refusal.code,
            hint=refusal.hint,
        )
        raise refused from None


def _answer(
    line: Line, position: AnyPosition | None, item: str, owner: Owner
) -> tuple[str, AnyPosition | None]:
    if position is None:
        return line.answer or ANY, None
    if position.outcome() is not None:
        raise _refused(item, "the game is over before it", "plan-over")
    if owner.moves(position) and not owner.has_all:
        raise _refused(item, "it is your turn again then, not the other side's", "plan-turn")
    if not line.answer:
        return ANY, None
    ruling = judged(position, line.answer, item)
    return ruling.text, ruling.position


def _reply(
    line: Line, position: AnyPosition | None, item: str, owner: Owner
) -> tuple[str, AnyPosition | None]:
    if position is None:
        return line.reply, None
    if position.outcome() is None and not owner.moves(position):
        raise _refused(item, f"after {line.answer} it is not your turn", "plan-turn")
    ruling = judged(position, line.reply, item)
    return ruling.text, ruling.position


def _refused(item: str, why: str, code: str) -> UserError:
    return UserError(f"In `{_short(item)}`: {why}. Nothing was planned.", code=code)


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]} …"
