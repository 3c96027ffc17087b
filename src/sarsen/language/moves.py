"""Moving and resigning at a board: commands, replies and their wording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from zlib import crc32

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.move_phrases import read_phrase
from sarsen.language.grammar.tokens import Context, Tokens
from sarsen.language.offers import AnswerOffer, AskUndo, OfferDraw, asked_of
from sarsen.language.queries import ShownBoard
from sarsen.language.schema.fields import (
    BoardNumber,
    EventNumber,
    GameName,
    MoveText,
    PlyNumber,
)
from sarsen.language.translating import N_, _, sentence, translated, typed_next

_PLY = re.compile(r"\s*#\s*(\d{1,6})(?:\.(\d{1,7}))?$")


@dataclass(frozen=True)
class PlayMove(Command):
    """Play a move.

    Attributes:
        game: The game named, or "" when the line named none.
        text: The move as typed.
        ply: Plays only if this ply, counted from 1, is due.
        event: Plays only if the match has had exactly so many events: a ply can be
            due again after moves were taken back, in another position. Written
            behind the ply: `#14.16`.
    """

    words = ("move", "mvoe", "board", "pass", "swap")
    usage = "GAME move BOARD [USERID PASSWORD] MOVE[#PLY]"
    summary = N_(
        "Play a move; with `#PLY` only if that one is due. `pass` and `swap` where games have them."
    )
    scope = Scope.PLAY
    for_guests = True
    is_judged_first = True
    may_share_a_batch = True
    at_board = True
    takes_move = True

    game: GameName
    board: BoardNumber
    text: MoveText
    ply: PlyNumber | None = None
    event: EventNumber | None = None

    @classmethod
    def read(cls, tokens: Tokens) -> BoardWords:
        """Read the board, the speaker and a move, or a word such as `draw` in its place."""
        example = f"{tokens.game or 'druid'} move 123 USERID PASSWORD c3"
        board, ply = tokens.board(example)
        if tokens.verb in ("pass", "swap"):
            tokens.speaker()
            # "Swap was a good idea" is no move: the rules refuse it as a whole.
            text = f"{tokens.verb} {tokens.rest()}".strip()
            text = read_phrase(text, tokens.context.body) or text
            return cls(
                tokens.game, board, *_guarded(text, tokens.context, board, ply, tokens.event)
            )
        tokens.speaker(leaves=1)
        text = tokens.rest()
        if not text:
            raise UserError(
                "Which move on board {board}?",
                code="move-missing",
                hint=example.replace("123", str(board)),
                board=board,
            )
        word = text.lower().rstrip(".!")
        if word in ("accept", "reject"):
            return AnswerOffer(tokens.game, board, accepts=word == "accept", matter="offer")
        for other in (Resign, OfferDraw, AskUndo, Confirm):
            if word in other.words:
                return other(tokens.game, board)
        return cls(tokens.game, board, *_guarded(text, tokens.context, board, ply, tokens.event))

    @classmethod
    def bare(cls, text: str, context: Context) -> Self:
        """Read a line that is nothing but a move, in a reply to a board mail."""
        assert context.board is not None  # the grammar asks only then
        return cls("", context.board, *_guarded(text, context, context.board, context.ply))


def _guarded(
    text: str, context: Context, board: int, ply: int | None, event: int | None = None
) -> tuple[str, int | None, int | None]:
    """Take a guard such as `#14` or `#14.16` off a move; return move, ply and event."""
    text = text.rstrip(" .,!")  # what people end a line with
    guard = _PLY.search(text)
    if guard is None:
        return text, ply, event if event is not None else context.event_at(board, ply)
    guarded_ply = int(guard[1])
    event = int(guard[2]) if guard[2] else context.event_at(board, guarded_ply)
    return text[: guard.start()], guarded_ply, event


@dataclass(frozen=True)
class Resign(Command):
    """Resign at a board.

    Attributes:
        confirmed: Whether the player has already confirmed it; by mail the server asks once.
        matter: `matter` of the reply that this answers; see `Confirm`.
    """

    words = ("resign",)
    usage = "GAME resign BOARD [USERID PASSWORD]"
    summary = N_("Resign a game. By mail the server asks you to confirm it.")
    scope = Scope.PLAY
    for_guests = True
    at_board = True

    game: GameName
    board: BoardNumber
    confirmed: bool = False
    matter: str = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board."""
        board, _ = tokens.board(f"{tokens.game or 'druid'} resign 123 USERID PASSWORD")
        tokens.speaker()
        return cls(tokens.game, board, matter=asked_of(tokens, board)[0])


@dataclass(frozen=True)
class Confirm(Command):
    """Confirm the offer or move that waits for the player at a board.

    That is a resignation or a move they put forward, or what the other side asks.

    Attributes:
        matter: `matter` of the reply that this answers; "" for whatever waits.
        event: The number of events of the board in that reply.
    """

    words = ("confirm",)
    usage = "GAME confirm BOARD [USERID PASSWORD]"
    summary = N_("Confirm a submitted move, or a resignation.")
    scope = Scope.PLAY
    for_guests = True
    is_judged_first = True
    at_board = True

    game: GameName
    board: BoardNumber
    matter: str = ""
    event: EventNumber | None = None

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board."""
        board, _ = tokens.board(f"{tokens.game or 'druid'} confirm 123 USERID PASSWORD")
        tokens.speaker()
        return cls(tokens.game, board, *asked_of(tokens, board))


@dataclass(frozen=True)
class Submit(Command):
    """Submit a move: it is shown, and played only when confirmed."""

    words = ("submit",)
    usage = "GAME submit BOARD [USERID PASSWORD] MOVE"
    summary = N_("See the board after a move; `confirm` then plays it.")
    scope = Scope.PLAY
    for_guests = True
    is_judged_first = True
    may_share_a_batch = True
    at_board = True
    takes_move = True

    game: GameName
    board: BoardNumber
    text: MoveText
    ply: PlyNumber | None = None
    event: EventNumber | None = None

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board and a move."""
        move = PlayMove.read(tokens)
        if not isinstance(move, PlayMove):
            raise UserError(
                "Only a move can be submitted.",
                code="submit-move",
                hint=f"submit {move.board} MOVE",
            )
        return cls(move.game, move.board, move.text, move.ply, move.event)


BoardWords = PlayMove | Resign | OfferDraw | AskUndo | AnswerOffer | Confirm


@dataclass(frozen=True)
class FollowedMove:
    """A move that a player's plan played at once, as this ply, in canonical notation.

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
    """A move was played, as this ply, in canonical notation.

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
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        last = self.followed[-1].ply if self.followed else self.ply
        return (ShownBoard(self.board, last, event=self.event),)


@dataclass(frozen=True)
class Submitted:
    """A move was submitted after this many plies, in canonical notation, to be confirmed."""

    board: int
    ply: int
    text: str
    event: int | None = None

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
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
    """The server asks for confirmation of a resignation."""

    board: int

    @property
    def matter(self) -> str:
        """The subject of an answer to this reply."""
        return "resign"


@dataclass(frozen=True)
class Resigned:
    """A board was resigned after this many plies."""

    board: int
    ply: int
    event: int | None = None

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, event=self.event),)


MoveReply = Moved | Submitted | ResignAsked | Resigned


@sentence.register
def _moved(reply: Moved) -> str:
    played = _("You played {move} (move {ply}).").format(move=reply.text, ply=reply.ply)
    followed = followed_words(reply.followed)
    return " ".join(filter(None, (played, followed, dropped_words(reply.dropped))))


@sentence.register
def _submitted(reply: Submitted) -> str:
    text = _(
        "Your move {move} on board {board} has not been played yet: look at the board after it."
    )
    return text.format(move=reply.text, board=reply.board)


@typed_next.register
def _after_submitted(reply: Submitted) -> str:
    return _("Reply `yes` to play it, or `no` to drop it.")


@sentence.register
def _resign_asked(reply: ResignAsked) -> str:
    return _("Do you really want to resign on board {board}?").format(board=reply.board)


@typed_next.register
def _after_resign_asked(reply: ResignAsked) -> str:
    return _("Reply `yes` to resign; with `no`, or a move, the game goes on.")


@sentence.register
def _resigned(reply: Resigned) -> str:
    return _("You have resigned on board {board}.").format(board=reply.board)


def followed_words(followed: Sequence[FollowedMove]) -> str:
    """Return a text that says which moves were played by plans: `bob's queued answer e4 was played
    at once.`
    """
    sentences = []
    for move in followed:
        template = (
            _("The planned answer {move} by {player} was played at once (move {ply}).")
            if move.player
            else _("Your planned answer {move} was played at once (move {ply}).")
        )
        sentences.append(template.format(player=move.player, move=move.text, ply=move.ply))
    return " ".join(sentences)


MAX_DROPPED = 5  # named one by one in a letter; of the others it says how many


def dropped_words(dropped: Sequence[DroppedMove]) -> str:
    """Return a text that says what was taken out of the reader's plan, and why."""
    template = _("Dropped from your plan, with everything after it: {move}. {why}")
    sentences = [
        template.format(move=move.text, why=translated(move.why)) for move in dropped[:MAX_DROPPED]
    ]
    left = len(dropped) - MAX_DROPPED
    omitted = [_("And {count} more.").format(count=left)] if left > 0 else []
    return " ".join([*sentences, *omitted])


def uncovered_words(answer: str) -> str:
    """Return a text that says that a plan has no line for what was played."""
    return _("Your plan does not cover {answer}, so it is on hold.").format(answer=answer)


def warming_words(program: str) -> str:
    """Return a text that says that a program cannot move yet, and that nothing has to be done
    about it.
    """
    text = _("{program} is starting up, which takes about a minute. Its move will follow.")
    return text.format(program=program)
