"""Plans of moves: the command, its replies and their wording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from sarsen.language.grammar.plans import joined
from sarsen.language.grammar.sentence import Sentence
from sarsen.language.moves import Moved
from sarsen.language.queries import ShownBoard
from sarsen.language.translating import sentence


@dataclass(frozen=True)
class QueueMoves:
    """Keep moves ready for what may come.

    Attributes:
        text: `d3; if e4 then f5; if any then c1`; `off` forgets them, "" shows them;
            `publish` shows the speaker's variations to all when the game is over.
        ply, event: As for a move: a plan is for the position its writer had before them.
    """

    words: ClassVar[tuple[str, ...]] = ("queue", "plan")
    usage: ClassVar[str] = "GAME queue BOARD [USERID PASSWORD] [TEXT|off|publish|unpublish]"
    summary: ClassVar[str] = (
        "Moves ahead: `d3; if e4 then f5; if any then c1`. They are played when their turn comes; "
        "one that is illegal then is dropped and reported. More: `help plans`."
    )

    game: str
    board: int
    text: str
    ply: int | None = None
    event: int | None = None

    @classmethod
    def read(cls, sentence: Sentence) -> Self:
        """Read the board and the moves."""
        example = f"{sentence.game or 'druid'} queue 123 USERID PASSWORD d3; if e4 then f5"
        board, ply = sentence.board(example)
        sentence.speaker()
        text = joined(sentence.rest(), sentence.context.body)
        return cls(sentence.game, board, text, ply, sentence.event)


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
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return self.played.shows if self.played else (ShownBoard(self.board),)


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
    """Nothing is planned at a board any more; `plan` is what was."""

    board: int
    plan: str


@dataclass(frozen=True)
class PlanPublished:
    """Everybody may see the speaker's variations at a finished board, or nobody any more."""

    board: int
    is_public: bool


PlanReply = PlanKept | PlanShown | PlanForgotten | PlanPublished


@sentence.register
def _plan_kept(reply: PlanKept) -> str:
    played = sentence(reply.played) if reply.played else ""
    plan = planned_words(reply.plan) if reply.plan else "Nothing of the plan is left to wait."
    forget = f"To forget it: queue {reply.board} off" if reply.plan else ""
    return "\n".join(filter(None, (played, plan, forget)))


@sentence.register
def _plan_shown(reply: PlanShown) -> str:
    kept = ""
    if reply.variations:
        moves = "1 move" if reply.variations == 1 else f"{reply.variations} moves"
        kept = f"Your variations there hold {moves}."
    if reply.plan:
        return f"Board {reply.board}. {planned_words(reply.plan)}\n{kept}".strip()
    return f"Nothing is planned on board {reply.board} for how it stands now. {kept}".strip()


@sentence.register
def _plan_forgotten(reply: PlanForgotten) -> str:
    if not reply.plan:
        return f"Nothing was planned on board {reply.board}."
    return f"The plan for board {reply.board} is forgotten. It was: {reply.plan}."


@sentence.register
def _plan_published(reply: PlanPublished) -> str:
    if reply.is_public:
        return (
            f"Your variations and comments at board {reply.board} are there for everybody to see. "
            f"To take them back: queue {reply.board} unpublish"
        )
    return f"Your variations at board {reply.board} are yours alone again."


def planned_words(plan: str) -> str:
    """Return a text that says what is planned: `Planned: if e4 then f5.`"""
    return f"Planned: {plan}." if plan else ""
