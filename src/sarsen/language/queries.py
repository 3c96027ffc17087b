"""Queries: commands that change nothing, most without a password, and the boards they show."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import (
    MAX_LISTED_PLAYERS,
    AnyCase,
    BoardNumber,
    GameName,
    MaxItems,
    Moves,
    OneOf,
    PlyNumber,
    Userid,
)
from sarsen.language.translating import N_, _, sentence

_BOARD = re.compile(r"(\d{1,9})(?:#(\d{1,6}))?")
WHICH = ("all", "active", "inactive", "next")
MAX_BOARDS = 10  # of one command: each is drawn, in one mail or page
# What people write after "help" without asking about something.
_NO_SUBJECT = frozenset({"me", "us", "please", "mir", "bitte", "moi", "svp"})


@dataclass(frozen=True)
class Help(Command):
    """Ask for a help page."""

    words = (
        *("help", "?", "info", "hilfe", "aide", "ayuda", "ajuda", "aiuto", "hulp"),
        *("hjälp", "hjelp", "hjælp", "apua", "pomoc", "pomoz", "допомога", "помощь", "帮助"),
        *("幫助", "ヘルプ", "도움말"),
    )
    usage = "help [SUBJECT …]"
    summary = N_("Help on a game, a command, `commands`, `tutorial` or `options`.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    subjects: tuple[Annotated[str, AnyCase()], ...] = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read subject words."""
        subjects = (word.lower().strip("!.,") for word in tokens.rest_words()[:5])
        words = tuple(word for word in subjects if word and word not in _NO_SUBJECT)
        return cls(((tokens.game,) if tokens.game else ()) + words)


@dataclass(frozen=True)
class ListBoards(Command):
    """Ask which games there are, and their running and recently ended boards."""

    words = ("list",)
    usage = "list [GAME …]"
    summary = N_("The games here, their running and recently ended boards.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    games: tuple[Annotated[str, AnyCase()], ...] = ()

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read names of games."""
        games = tuple(word.lower() for word in tokens.rest_words())
        return cls(((tokens.game,) if tokens.game else ()) + games)


@dataclass(frozen=True)
class Show(Command):
    """Ask for boards by number, or for the boards of players.

    Attributes:
        boards: Pairs of a board number and the ply before which to show it, or None.
        userids: Players whose boards to show.
        which: One of `WHICH`.
    """

    words = ("show",)
    usage = "GAME show BOARD[#PLY] … | GAME show USERID … [all|active|inactive|next]"
    summary = N_("Show boards; 123#14 is the position before move 14.")
    scope = Scope.READ
    is_query = True
    for_guests = True
    at_board = True

    game: GameName
    boards: tuple[tuple[int, int | None], ...] = ()
    userids: Annotated[tuple[str, ...], MaxItems(MAX_LISTED_PLAYERS)] = ()
    which: Annotated[str, OneOf(WHICH)] = "active"

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read board numbers, userids and which of their boards."""
        if not tokens.left and tokens.context.board is not None:
            return cls(tokens.game, ((tokens.context.board, None),))
        words, which = _split_state(tokens.rest_words())
        boards, userids = [], []
        for word in words:
            board = _BOARD.fullmatch(word)
            if board:
                boards.append((int(board[1]), int(board[2]) if board[2] else None))
            else:
                userids.append(word)
        if not words:
            raise UserError("Show which board?", code="board-missing", hint="druid show 123")
        return cls(tokens.game, tuple(boards), tuple(userids), which)


@dataclass(frozen=True)
class AllShow(Command):
    """Ask for one player's boards over all games."""

    words = ("all show",)
    usage = "all show USERID [next|active]"
    summary = N_("A player's boards in all games.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    userid: Userid
    which: Annotated[str, OneOf(WHICH)] = "active"

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a userid; without one it is the speaker's."""
        words, which = _split_state(tokens.rest_words())
        userid = words[0] if words else tokens.context.speaker
        if not userid:
            raise UserError("Whose boards?", code="userid-missing", hint="all show USERID")
        return cls(userid, which)


@dataclass(frozen=True)
class ShowProfile(Command):
    """Show the profile of a player."""

    words = ("profile", "whois", "finger")
    usage = "profile [USERID]"
    summary = N_("A player's profile: what they say about themselves, games and ratings.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    userid: Userid

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a userid; without one it is the speaker's."""
        userid = tokens.take() or tokens.context.speaker
        if not userid:
            raise UserError("Whose profile?", code="userid-missing", hint="profile USERID")
        return cls(userid)


@dataclass(frozen=True)
class Games(Command):
    """Ask for a table of boards, one line each."""

    words = ("games",)
    usage = "GAME games [USERID …] [all|active|inactive|next]"
    summary = N_("One line per board: players, move number, whose turn, result.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    game: GameName
    userids: Annotated[tuple[str, ...], MaxItems(MAX_LISTED_PLAYERS)] = ()
    which: Annotated[str, OneOf(WHICH)] = "active"

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read userids and which boards."""
        words, which = _split_state(tokens.rest_words())
        if which == "next" and not words and tokens.context.speaker:
            words = (tokens.context.speaker,)
        return cls(tokens.game, words, which)


@dataclass(frozen=True)
class Preview(Command):
    """Ask for the board after some moves; changes nothing."""

    words = ("preview",)
    usage = "GAME preview BOARD MOVE …"
    summary = N_("The board after these moves. Changes nothing, needs no password.")
    scope = Scope.READ
    is_query = True
    for_guests = True
    at_board = True
    takes_move = True

    game: GameName
    board: BoardNumber
    moves: Moves
    ply: PlyNumber | None = None

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board and moves."""
        example = f"{tokens.game or 'druid'} preview 123 c3 d4"
        board, ply = tokens.board(example)
        moves = tokens.rest_words()
        if not moves:
            raise UserError("Preview which moves?", code="move-missing", hint=example)
        return cls(tokens.game, board, moves, ply if ply != tokens.context.ply else None)


def _split_state(words: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    if words and words[-1].lower() in WHICH:
        return words[:-1], words[-1].lower()
    return words, "active"


@dataclass(frozen=True)
class ShowAs(Command):
    """Show boards as the player sees them: private ones, with notes and plans."""

    words = ("showas",)
    usage = "GAME showas USERID PASSWORD [BOARD …] [all|active|inactive|next]"
    summary = N_("Boards as you see them, including private ones, with notes and plans.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    game: GameName
    boards: tuple[tuple[int, int | None], ...] = ()
    which: Annotated[str, OneOf(WHICH)] = "active"

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the speaker, then boards as `show` does."""
        tokens.speaker()
        words, which = _split_state(tokens.rest_words())
        boards = tuple(map(_board, words))
        if not boards and tokens.context.board is not None:
            boards = ((tokens.context.board, None),)
        return cls(tokens.game, boards, which)


def _board(word: str) -> tuple[int, int | None]:
    board = _BOARD.fullmatch(word)
    if board is None:
        raise UserError(
            "{typed} is not a board number.",
            code="board-missing",
            hint="showas USERID PASSWORD 123",
            typed=quoted(word),
        )
    return int(board[1]), int(board[2]) if board[2] else None


@dataclass(frozen=True)
class HelpPage:
    """A help page in Markdown."""

    title: str
    text: str


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
class BoardsShown:
    """Boards to draw: pairs of a board number and the plies to show, None for all."""

    boards: tuple[tuple[int, int | None], ...]

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return tuple(ShownBoard(board, ply) for board, ply in self.boards)


@dataclass(frozen=True)
class Previewed:
    """A board to draw after `ply` plies and these moves, in canonical notation.

    Attributes:
        plan: The text by which the viewer would plan this line; "" where they cannot.
    """

    board: int
    ply: int
    moves: Moves
    plan: str = ""

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, self.moves),)


QueryReply = HelpPage | BoardsShown | Previewed


@sentence.register
def _previewed(reply: Previewed) -> str:
    if not reply.plan:
        return ""
    return _("Nothing has been played. To plan this line: queue {board} {plan}").format(
        board=reply.board, plan=reply.plan
    )
