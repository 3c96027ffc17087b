"""Plans: their text, the command that makes them, its replies and their wording.

The text of a plan:

    d3                                          a move by itself, played first
    if e4 then f5                               after e4 play f5
    if e4 then f5; if g6 then h7; if any then c1
                                                several answers to the same move
    if e4 then f5, if g6 then h7                after a comma: what comes after f5
    if e4 then f5 (if g6 then h7; if any then h8); if any then c1
                                                several answers to f5, in brackets

Moves of some games hold semicolons, brackets and commas (`34-44-43; 43-53-N`,
`24-(14-15-)25`). So a sign divides a plan only where the word `if` follows it, and a
bracket closes a plan's bracket only when it is that one's pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.grammar.typography import normalise
from sarsen.language.moves import Moved
from sarsen.language.queries import ShownBoard
from sarsen.language.schema.fields import (
    BoardNumber,
    Bounds,
    EventNumber,
    Example,
    GameName,
    PlyNumber,
)
from sarsen.language.translating import N_, _, _n, sentence, typed_next

MAX_QUEUED = 4000  # characters: each move in it is judged by the rules
DEEPEST = 50  # answers one after another; no plan of a person is longer
EXAMPLE = "d3; if e4 then f5; if any then c1"

_SIGN = re.compile(r"[;,(](?=\s*if(?:\s|$))|[()]", re.IGNORECASE)
_CLAUSE = re.compile(r"if\s+(.+?)\s+then\s+(.+)", re.IGNORECASE | re.DOTALL)
_KEYWORD = re.compile(r"(?<!\S)(?:if|then)(?!\S)", re.IGNORECASE)
_LINE_BREAK = re.compile(r"(?<=[^;,(\n])\n+(?=if(?!\S))", re.IGNORECASE)
_GOES_ON = re.compile(r"(?:if|then|[;,(]\s*if)(?!\S)", re.IGNORECASE)
_UNFINISHED = re.compile(r"(?:[;,(]|(?<!\S)(?:if|then))\s*$", re.IGNORECASE)
_ANY = frozenset({"any", "anything"})


@dataclass(frozen=True)
class PlanLine:
    """The plan after one reply of the other side.

    Attributes:
        answer: The other side's move; "" stands for any.
        reply: The move that is played then.
        then: What to do after the answers to that.
    """

    answer: str
    reply: str
    then: tuple[PlanLine, ...] = ()


@dataclass(frozen=True)
class PlanText:
    """A plan as it was written.

    Attributes:
        first: The move that needs no answer before it, or "".
    """

    first: str
    lines: tuple[PlanLine, ...]


def read_plan(text: str) -> PlanText:
    """Read a plan. The pair of `write_plan`.

    Raises:
        UserError: Names the item that cannot be read.
    """
    drafts = _Drafts()
    lines = "\n".join(line.strip() for line in text.splitlines())
    for sign, clause in _clauses(_LINE_BREAK.sub("; ", lines).strip().rstrip(".;, ")):
        drafts.add(sign, clause)
    return PlanText(drafts.first, tuple(draft.line() for draft in drafts.root.then))


def write_plan(plan: PlanText) -> str:
    """Write a plan in its one full form. The pair of `read_plan`."""
    return "; ".join(([plan.first] if plan.first else []) + [_written(line) for line in plan.lines])


def joined(line: str, body: tuple[str, ...]) -> str:
    """Join the lines of a mail that belong to a plan; what people write below it does not.

    Mail programs break long lines, and people give every `if` a line of its own.
    """
    text = normalise(line).strip()
    for raw in body:
        below = normalise(raw).strip()
        if text and not (_GOES_ON.match(below) or (_UNFINISHED.search(text) and below)):
            break
        begins = re.match(r"if(?!\S)", below, re.IGNORECASE)
        between = "; " if text and begins and not _UNFINISHED.search(text) else " "
        text = f"{text}{between}{below}".strip()
    return text


@dataclass
class _Draft:
    """A line being read, and the item that began it."""

    answer: str
    reply: str
    depth: int
    then: list[_Draft] = field(default_factory=list)

    def line(self) -> PlanLine:
        return PlanLine(self.answer, self.reply, tuple(draft.line() for draft in self.then))


class _Drafts:
    """Put clauses where their signs say."""

    def __init__(self) -> None:
        self.first = ""
        self.root = _Draft("", "", 0)
        self._groups = [self.root]
        self._last: _Draft | None = self.root

    def add(self, sign: str, clause: str) -> None:
        if sign == ")":
            self._groups.pop()
            self._last = None
            if clause:
                raise _unreadable(
                    Phrase(
                        "A `;` is missing after the bracket, before {item}. Nothing was planned.",
                        item=_short(clause),
                    )
                )
            return
        if sign == "" and not _KEYWORD.match(clause):
            self.first = _move(clause, clause)
            return
        above = self._groups[-1] if sign in ("", ";") else self._last
        if above is None:
            raise _unreadable(
                Phrase(
                    "After a bracket comes `;`, not what is before {item}. Nothing was planned.",
                    item=_short(clause),
                )
            )
        if sign == "(":
            self._groups.append(above)
        self._last = _draft(clause, above)


def _draft(clause: str, above: _Draft) -> _Draft:
    parts = _CLAUSE.fullmatch(clause)
    if parts is None:
        raise _unreadable(
            Phrase(
                "This is not `if ANSWER then MOVE`: {item}. Nothing was planned.",
                item=_short(clause),
            )
        )
    answer, reply = _move(parts[1], clause), _move(parts[2], clause)
    answer = "" if answer.lower() in _ANY else answer
    if any(draft.answer == answer for draft in above.then):
        raise _unreadable(
            Phrase(
                "There are two replies to the same answer: {item}. Nothing was planned.",
                item=_short(clause),
            )
        )
    draft = _Draft(answer, reply, above.depth + 1)
    if draft.depth > DEEPEST:
        raise _unreadable(
            Phrase(
                "A plan goes at most {most} answers ahead; this is too deep: {item}. Nothing was "
                "planned.",
                most=DEEPEST,
                item=_short(clause),
            )
        )
    above.then.append(draft)
    return draft


def _move(text: str, clause: str) -> str:
    plain = " ".join(text.split()).rstrip(" ;,")
    if not plain:
        raise _unreadable(
            Phrase("A move is missing in {item}. Nothing was planned.", item=_short(clause))
        )
    if _KEYWORD.search(plain):
        raise _unreadable(
            Phrase(
                "A `;` or a comma is missing before `if`, or there is a stray word in {item}. "
                "Nothing was planned.",
                item=_short(clause),
            )
        )
    return plain


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield each clause with the sign before it; "" before the first."""
    sign, begin = "", 0
    # True for a bracket of the plan, False for one of a move.
    brackets: list[bool] = []
    for sign_match in _SIGN.finditer(text):
        is_plans = sign_match.end() < len(text) and sign_match[0] not in "()"
        if sign_match[0] == "(":
            is_plans = bool(re.match(r"\s*if(?:\s|$)", text[sign_match.end() :], re.IGNORECASE))
            brackets.append(is_plans)
        elif sign_match[0] == ")":
            if not brackets:
                raise _unreadable(
                    Phrase(
                        "A closing bracket has no opening one: {item}. Nothing was planned.",
                        item=_short(text[: sign_match.end()]),
                    )
                )
            is_plans = brackets.pop()
        if is_plans:
            clause = text[begin : sign_match.start()].strip()
            if clause or sign:
                yield sign, clause
            sign, begin = sign_match[0], sign_match.end()
    if brackets:
        raise _unreadable(
            Phrase(
                "A bracket is not closed: {item}. Nothing was planned.", item=_short(text[begin:])
            )
        )
    yield sign, text[begin:].strip()


def _written(line: PlanLine) -> str:
    clause = f"if {line.answer or 'any'} then {line.reply}"
    if not line.then:
        return clause
    after = "; ".join(map(_written, line.then))
    return f"{clause}, {after}" if len(line.then) == 1 else f"{clause} ({after})"


def _unreadable(text: Phrase) -> UserError:
    return UserError(text, code="plan-unreadable", hint=f"queue BOARD {EXAMPLE}")


def _short(item: str) -> str:
    text = " ".join(item.split())
    return str(quoted(text, 60))


@dataclass(frozen=True)
class QueueMoves(Command):
    """Plan moves in advance.

    Attributes:
        text: `d3; if e4 then f5; if any then c1`; `off` forgets them, "" shows them;
            `publish` shows the player's variations to everyone when the game is over.
        ply, event: As for a move: a plan is for the position that the player saw.
    """

    words = ("queue", "plan")
    usage = "GAME queue BOARD [USERID PASSWORD] [TEXT|off|publish|unpublish]"
    summary = N_(
        "Moves ahead: `d3; if e4 then f5; if any then c1`. They are played when their turn comes; "
        "one that is illegal then is dropped and reported. More: `help plans`."
    )
    scope = Scope.PLAY
    for_guests = True
    at_board = True
    takes_move = True
    takes_text = True

    game: GameName
    board: BoardNumber
    text: Annotated[str, Bounds(MAX_QUEUED), Example("d3; if e4 then f5")]
    ply: PlyNumber | None = None
    event: EventNumber | None = None

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board and the moves."""
        example = f"{tokens.game or 'druid'} queue 123 USERID PASSWORD d3; if e4 then f5"
        board, ply = tokens.board(example)
        tokens.speaker()
        text = joined(tokens.rest(), tokens.context.body)
        return cls(tokens.game, board, text, ply, tokens.event)


@dataclass(frozen=True)
class PlanKept:
    """A plan was made.

    Attributes:
        plan: What waits now, as its owner would write it; "" when all is played.
        played: What came of its first move, when it was the speaker's turn.
    """

    board: int
    plan: str
    played: Moved | None = None

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return self.played.shown_boards if self.played else (ShownBoard(self.board),)


@dataclass(frozen=True)
class PlanShown:
    """The plan at a board.

    Attributes:
        plan: As its owner would write it; "" for nothing.
        variations: How many moves their variations hold.
    """

    board: int
    plan: str
    variations: int


@dataclass(frozen=True)
class PlanForgotten:
    """The plan at a board was deleted; `plan` is the old one."""

    board: int
    plan: str


@dataclass(frozen=True)
class PlanPublished:
    """The player's variations at a finished board were published, or unpublished."""

    board: int
    is_public: bool


PlanReply = PlanKept | PlanShown | PlanForgotten | PlanPublished


@sentence.register
def _plan_kept(reply: PlanKept) -> str:
    played = sentence(reply.played) if reply.played else ""
    plan = planned_words(reply.plan) if reply.plan else _("The plan is done.")
    return "\n".join(filter(None, (played, plan)))


@typed_next.register
def _after_plan_kept(reply: PlanKept) -> str:
    return _("To drop it: queue {board} off").format(board=reply.board) if reply.plan else ""


@sentence.register
def _plan_shown(reply: PlanShown) -> str:
    variations = ""
    if reply.variations:
        variations = _n(
            "Your variations there have {count} move.",
            "Your variations there have {count} moves.",
            reply.variations,
        ).format(count=reply.variations)
    if reply.plan:
        board = _("Board {board}.").format(board=reply.board)
        return f"{board} {planned_words(reply.plan)}\n{variations}".strip()
    return (
        _("Nothing is planned on board {board} for the current position. {kept}")
        .format(board=reply.board, kept=variations)
        .strip()
    )


@sentence.register
def _plan_forgotten(reply: PlanForgotten) -> str:
    if not reply.plan:
        return _("Nothing was planned on board {board}.").format(board=reply.board)
    return _("The plan for board {board} is dropped. It was: {plan}.").format(
        board=reply.board, plan=reply.plan
    )


@sentence.register
def _plan_published(reply: PlanPublished) -> str:
    if reply.is_public:
        return _("Everyone can now see your variations and comments on board {board}.").format(
            board=reply.board
        )
    return _("Only you can see your variations on board {board} now.").format(board=reply.board)


@typed_next.register
def _after_plan_published(reply: PlanPublished) -> str:
    hide = _("To hide them again: queue {board} unpublish").format(board=reply.board)
    return hide if reply.is_public else ""


def planned_words(plan: str) -> str:
    """Return a text that says what is planned: `Planned: if e4 then f5.`"""
    return _("Planned: {plan}.").format(plan=plan) if plan else ""
