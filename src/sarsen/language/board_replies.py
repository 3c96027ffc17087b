"""Replies about boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from sarsen.language.translating import _, sentence, translated


@dataclass(frozen=True)
class ShownBoard:
    """A board that a reply shows: after `ply` plies, None for all, and moves only tried.

    A reply that shows boards says which by its property `shows`.

    Attributes:
        event: As it stood after so many events; moves may be taken back later.
    """

    board: int
    ply: int | None = None
    tried: tuple[str, ...] = ()
    event: int | None = None


@dataclass(frozen=True)
class FollowedMove:
    """A move that a player's plan played at once, as this ply, in full form.

    Attributes:
        player: A userid; "" for the player the reply answers.
    """

    player: str
    ply: int
    text: str


@dataclass(frozen=True)
class DroppedMove:
    """A planned move that the rules refused when its turn came, and the reason.

    Attributes:
        text: The move, or `if` and the answer that cannot come.
    """

    text: str
    why: str


@dataclass(frozen=True)
class Moved:
    """A move was played, as this ply, in this full form.

    Attributes:
        followed: What plans played after it at once.
        dropped: What was taken out of the speaker's own plan then.
    """

    board: int
    ply: int
    text: str
    event: int | None = None
    followed: tuple[FollowedMove, ...] = ()
    dropped: tuple[DroppedMove, ...] = ()

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        last = self.followed[-1].ply if self.followed else self.ply
        return (ShownBoard(self.board, last, event=self.event),)


@dataclass(frozen=True)
class Submitted:
    """A move was put forward after this many plies, in this full form; a yes plays it."""

    board: int
    ply: int
    text: str
    event: int | None = None

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, (self.text,), self.event),)

    @property
    def matter(self) -> str:
        """The subject of an answer to this reply."""
        return move_matter(self.text)


def move_matter(text: str) -> str:
    """Return the matter of a move put forward: a yes to one must not play another."""
    return f"move {crc32(text.encode()) % 9_999_999 + 1}"


@dataclass(frozen=True)
class ResignAsked:
    """The server asks whether the resignation is meant."""

    board: int

    @property
    def matter(self) -> str:
        """The subject of an answer to this reply."""
        return "resign"


@dataclass(frozen=True)
class Resigned:
    """A board was given up after this many plies."""

    board: int
    ply: int
    event: int | None = None

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, event=self.event),)


@dataclass(frozen=True)
class BoardsShown:
    """Boards to draw: pairs of a number and how many plies to show, None for all."""

    boards: tuple[tuple[int, int | None], ...]

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return tuple(ShownBoard(board, ply) for board, ply in self.boards)


@dataclass(frozen=True)
class Previewed:
    """A board to draw after `ply` plies and these moves, in their full forms.

    Attributes:
        plan: The text by which the viewer would plan this line; "" where they cannot.
    """

    board: int
    ply: int
    moves: tuple[str, ...]
    plan: str = ""

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, self.moves),)


BoardReply = Moved | Submitted | ResignAsked | Resigned | BoardsShown | Previewed


@sentence.register
def _moved(reply: Moved) -> str:
    played = _("Your move {move} is played, as ply {ply}.").format(move=reply.text, ply=reply.ply)
    followed = followed_words(reply.followed)
    return " ".join(filter(None, (played, followed, dropped_words(reply.dropped))))


@sentence.register
def _submitted(reply: Submitted) -> str:
    text = _(
        "Your move {move} on board {board} is put forward, not played: see the board after it. "
        "Answer `yes`, and it is played; `no`, and it is forgotten."
    )
    return text.format(move=reply.text, board=reply.board)


@sentence.register
def _resign_asked(reply: ResignAsked) -> str:
    text = _(
        "Do you mean to resign board {board}? Answer `yes` and it is done; `no`, or a move, and "
        "the game goes on."
    )
    return text.format(board=reply.board)


@sentence.register
def _resigned(reply: Resigned) -> str:
    return _("You have resigned board {board}.").format(board=reply.board)


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


MOST_DROPPED = 5  # named one by one in a letter


@sentence.register
def _previewed(reply: Previewed) -> str:
    if not reply.plan:
        return ""
    return f"Nothing is played. To plan this line: queue {reply.board} {reply.plan}"


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


def followed_words(followed: Sequence[FollowedMove]) -> str:
    """Return a text that says which moves were played by plans: `bob's queued answer e4 was played
    at once.`
    """
    sentences = []
    for move in followed:
        whose = f"{move.player}'s" if move.player else "Your"
        sentences.append(
            f"{whose} queued answer {move.text} was played at once, as ply {move.ply}."
        )
    return " ".join(sentences)


def dropped_words(dropped: Sequence[DroppedMove]) -> str:
    """Return a text that says what was taken out of the reader's plan, and why."""
    said = _("Dropped from your plan, with what was planned after it: {move}. {why}")
    sentences = [
        said.format(move=move.text, why=translated(move.why)) for move in dropped[:MOST_DROPPED]
    ]
    left = len(dropped) - MOST_DROPPED
    more = [_("And {count} more.").format(count=left)] if left > 0 else []
    return " ".join([*sentences, *more])


def uncovered_words(answer: str) -> str:
    """Return a text that says that a plan has no line for what was played."""
    return f"Your plan does not cover {answer}; it waits no more."


def warming_words(program: str) -> str:
    """Return a text that says that a program cannot move yet, and that nothing has to be done
    about it.
    """
    text = _(
        "{program} is warming up, about a minute after the first start of this server. Its move "
        "comes by itself."
    )
    return text.format(program=program)
