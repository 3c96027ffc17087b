"""Offers of a draw and requests to take back: commands, replies and their wording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.queries import ShownBoard
from sarsen.language.schema.fields import BoardNumber, EventNumber, GameName
from sarsen.language.translating import N_, _, _n, sentence, typed_next


@dataclass(frozen=True)
class OfferDraw(Command):
    """Offer the other side a draw."""

    words = ("draw", "propose")
    usage = "GAME draw BOARD [USERID PASSWORD]"
    summary = N_("Offer a draw; the other side answers `accept` or `reject`.")
    scope = Scope.PLAY
    for_guests = True
    at_board = True

    game: GameName
    board: BoardNumber

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board."""
        return cls(tokens.game, _only_board(tokens))


@dataclass(frozen=True)
class AskUndo(Command):
    """Ask the other side to take back the player's last move."""

    words = ("undo", "takeback")
    usage = "GAME undo BOARD [USERID PASSWORD]"
    summary = N_("Ask to take back your last move; the other side decides.")
    scope = Scope.PLAY
    for_guests = True
    at_board = True

    game: GameName
    board: BoardNumber

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board."""
        return cls(tokens.game, _only_board(tokens))


@dataclass(frozen=True)
class AnswerOffer(Command):
    """Answer the offer of the other side at a board.

    A no also takes back what the speaker left to be confirmed or answered.

    Attributes:
        matter: `matter` of the reply that this answers; `offer` for an offer of the other side; ""
            for whatever waits.
        event: The number of events of the board in that reply.
    """

    words = ("reject",)
    usage = "GAME accept BOARD [USERID PASSWORD] | GAME reject BOARD [U P]"
    summary = N_("Answer a draw offer or a takeback request.")
    scope = Scope.PLAY
    for_guests = True
    is_judged_first = True
    at_board = True

    game: GameName
    board: BoardNumber
    accepts: bool = False
    matter: str = ""
    event: EventNumber | None = None

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board; the word itself says no."""
        board = _only_board(tokens)
        matter, event = asked_of(tokens, board)
        return cls(tokens.game, board, matter=matter or "offer", event=event)


def asked_of(tokens: Tokens, board: int) -> tuple[str, int | None]:
    """Return what the mail replied to asked at this board, and after how many events."""
    context = tokens.context
    return (context.matter, context.event) if context.board == board else ("", None)


def _only_board(tokens: Tokens) -> int:
    board, _ = tokens.board(f"{tokens.game or 'druid'} {tokens.verb} 123 USERID PASSWORD")
    tokens.speaker()
    return board


@dataclass(frozen=True)
class Offered:
    """The player's offer stands until it is answered.

    Attributes:
        what: `draw` or `undo`.
        moves: The moves that a request to take back is about: `14 c3`.
        waits_for: Who has not agreed yet.
    """

    board: int
    what: str
    moves: tuple[str, ...]
    waits_for: tuple[str, ...]


@dataclass(frozen=True)
class DrawAgreed:
    """The players have agreed a draw after this many plies."""

    board: int
    ply: int
    event: int | None = None

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, event=self.event),)


@dataclass(frozen=True)
class TakenBack:
    """The players have agreed to take these moves back; `ply` plies remain."""

    board: int
    ply: int
    moves: tuple[str, ...]
    event: int | None = None

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, event=self.event),)


@dataclass(frozen=True)
class OfferRejected:
    """The player has declined an offer: `draw` or `undo`."""

    board: int
    what: str
    by: str


@dataclass(frozen=True)
class TakenOff:
    """The player has withdrawn an offer or a submitted move.

    Attributes:
        what: `draw`, `undo`, `resign`, or `move`.
        move: The move that was put forward, or "".
    """

    board: int
    what: str
    move: str = ""


OfferReply = Offered | DrawAgreed | TakenBack | OfferRejected | TakenOff


@sentence.register
def _offered(reply: Offered) -> str:
    names = ", ".join(reply.waits_for)
    if reply.what == "draw":
        return _(
            "You have offered a draw on board {board}. It stands until {names} accepts, declines "
            "or moves."
        ).format(board=reply.board, names=names)
    return _(
        "On board {board}, you ask to take back {moves_words}. The request "
        "stands until {names} answers or you move."
    ).format(board=reply.board, moves_words=moves_words(reply.moves), names=names)


@typed_next.register
def _after_offered(reply: Offered) -> str:
    return _("To withdraw it: reject")


@sentence.register
def _draw_agreed(reply: DrawAgreed) -> str:
    return _("Board {board} is a draw by agreement.").format(board=reply.board)


@sentence.register
def _taken_back(reply: TakenBack) -> str:
    template = _n(
        "Board {board}: {moves}, has been taken back.",
        "Board {board}: {moves}, have been taken back.",
        len(reply.moves),
    )
    return template.format(board=reply.board, moves=moves_words(reply.moves))


@sentence.register
def _rejected(reply: OfferRejected) -> str:
    if reply.what == "draw":
        return _("You have declined {by}'s offer of a draw on board {board}.").format(
            by=reply.by, board=reply.board
        )
    return _(
        "You have declined {by}'s takeback request on board {board}: every move stands."
    ).format(by=reply.by, board=reply.board)


@sentence.register
def _taken_off(reply: TakenOff) -> str:
    return {
        "draw": _("Your offer of a draw on board {board} is withdrawn.").format(board=reply.board),
        "undo": _("Your takeback request on board {board} is withdrawn: every move stands.").format(
            board=reply.board
        ),
        "resign": _("You have not resigned on board {board}; the game goes on.").format(
            board=reply.board
        ),
        "move": _("Your move {move} on board {board} is dropped; nothing was played.").format(
            move=reply.move, board=reply.board
        ),
    }[reply.what]


def moves_words(moves: tuple[str, ...]) -> str:
    """Return a text that says which moves are meant: `ply 14, c3`, or `plies 14 to 15, c3 and
    d4`.
    """
    plies, texts = zip(*(move.split(" ", 1) for move in moves), strict=True)
    if len(moves) == 1:
        return _("move {ply}, {move}").format(ply=plies[0], move=texts[0])
    move_list = _("{one} and {other}").format(one=", ".join(texts[:-1]), other=texts[-1])
    return _("moves {first} to {last}, {moves}").format(
        first=plies[0], last=plies[-1], moves=move_list
    )
