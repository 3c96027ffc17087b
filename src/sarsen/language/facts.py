"""Facts about boards, players and games, as services return them and programs read them.

The API writes these as JSON under the same names, and `sarsen.client` reads them back;
see `json_form`. Times are in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class GameFacts:
    """A game that can be played here.

    Attributes:
        seats: One name a seat; the first moves first.
        options: What a challenge may set; each with `kind`, `name`, `summary` and bounds.
    """

    name: str
    title: str
    seats: tuple[str, ...]
    author: str
    year: int
    rules_version: int
    summary: str
    options: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class GameList:
    """The games of a server."""

    games: tuple[GameFacts, ...]


@dataclass(frozen=True)
class BoardLine:
    """One board of a list.

    Attributes:
        players: Userids by seat.
        programs: Who of them is a program.
        to_move: Whose turn it is; "" when the game is over.
        winner: Who won alone; "" while it runs, and for a draw.
        due_at: The move must come before; None when no clock runs.
    """

    number: int
    game: str
    options: str
    players: tuple[str, ...]
    programs: tuple[str, ...]
    ply: int
    to_move: str
    winner: str
    result: str
    moved_at: datetime
    due_at: datetime | None


@dataclass(frozen=True)
class BoardList:
    """Some boards, the newest first.

    Attributes:
        further: What `before` must be for the next page; None for no further one.
    """

    boards: tuple[BoardLine, ...]
    further: int | None


@dataclass(frozen=True)
class PlayedMove:
    """A move of a board; `event` is the number of the event that played it."""

    ply: int
    seat: int
    text: str
    at: datetime
    event: int


@dataclass(frozen=True)
class Words:
    """A chat line or note, written after so many plies."""

    by: str
    ply: int
    text: str
    at: datetime


@dataclass(frozen=True)
class ClockFacts:
    """The clock of a board.

    Attributes:
        reserves: Seconds left by seat when the turn began; None for no bound.
        away: Who is on vacation at this board.
    """

    userid: str
    due_at: datetime
    reserves: tuple[float | None, ...]
    away: tuple[str, ...]


@dataclass(frozen=True)
class OfferFacts:
    """An offer of one side: `draw` or `undo`, and the event after which it was made."""

    kind: str
    by: str
    event: int
    ply: int


@dataclass(frozen=True)
class OwnFacts:
    """The facts of a board that only its player sees."""

    seats: tuple[int, ...]
    notes: tuple[Words, ...]
    submitted: str
    plan: str


@dataclass(frozen=True)
class SeatRating:
    """How strong the player of a seat is.

    Attributes:
        rating: After the game where it was rated; else the present one.
        change: By how much the game moved it; None unless it was rated.
    """

    rating: float
    is_provisional: bool
    change: float | None


@dataclass(frozen=True)
class BoardFacts:
    """A board after some plies, with everything of it that the caller may see.

    Attributes:
        sides: What each seat plays now; a swap turns them.
        ply: Plies shown; `last_ply` were played.
        event: How many events the match had then. With a move, `ply` and `event` say
            which position it is meant for.
        to_move: The seat; None when the game is over, or an earlier ply is shown.
        position: As the game writes it, for programs.
        text: The board as text of fixed width; `words` says it in sentences.
        legal_moves: In full form; () when nobody moves.
        effects: What the last move caused, a sentence each.
        ending: `resign`, `draw`, `forfeit`; "" when a move ended it, or it runs.
        own: None for anyone who does not play here.
        warming_up: The program to move is still getting ready, after a first start of the
            server. It moves by itself, within minutes.
        ratings: By seat; None for a player without one.
    """

    number: int
    game: str
    rules_version: int
    options: str
    terms: str
    is_private: bool
    players: tuple[str, ...]
    programs: tuple[str, ...]
    sides: tuple[str, ...]
    ply: int
    last_ply: int
    event: int
    to_move: int | None
    position: str
    text: str
    words: str
    effects: tuple[str, ...]
    legal_moves: tuple[str, ...]
    moves: tuple[PlayedMove, ...]
    result: str
    scores: tuple[float, ...] | None
    ending: str
    started_at: datetime
    moved_at: datetime
    clock: ClockFacts | None
    offer: OfferFacts | None
    pair: int | None
    chat: tuple[Words, ...]
    own: OwnFacts | None = None
    warming_up: bool = False
    ratings: tuple[SeatRating | None, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.scores is not None


@dataclass(frozen=True)
class RatingLine:
    """How strong a player of a game is; `rank` is None while that is uncertain.

    Attributes:
        games: How many were rated.
        change: By how much the last of them moved the rating.
    """

    rank: int | None
    userid: str
    is_program: bool
    rating: float
    deviation: float
    games: int
    change: float = 0.0


@dataclass(frozen=True)
class RatingList:
    """The players of a game by strength."""

    game: str
    ratings: tuple[RatingLine, ...]


@dataclass(frozen=True)
class StandingLine:
    """How often a player of a game has won, lost and drawn."""

    userid: str
    is_program: bool
    games: int
    won: int
    lost: int
    drawn: int


@dataclass(frozen=True)
class StandingList:
    """The players of a game by games won."""

    game: str
    standings: tuple[StandingLine, ...]


@dataclass(frozen=True)
class StrengthLine:
    """A player's strength after a rated game.

    Attributes:
        games: Always 1; until release 0.4 how many a rating period had.
        board: None for a private one.
        change: By how much the game moved the rating.
    """

    game: str
    at: datetime
    rating: float
    deviation: float
    games: int
    board: int | None = None
    change: float | None = None


@dataclass(frozen=True)
class PlayerFacts:
    """The public facts of a player; `level` is that of one of the server's own programs."""

    userid: str
    joined_at: datetime
    is_program: bool
    level: int | None
    strength: tuple[StrengthLine, ...]
    place: str = ""
    about: str = ""


@dataclass(frozen=True)
class ChallengeFacts:
    """A challenge, and what the caller may do about it."""

    number: int
    game: str
    options: str
    terms: str
    names: tuple[str, ...]
    waiting_for: tuple[str, ...]
    challenger: str
    state: str
    reason: str
    made_at: datetime
    board: int | None
    may_accept: bool
    may_decline: bool
    may_withdraw: bool


@dataclass(frozen=True)
class ChallengeList:
    """Some challenges, the newest first."""

    challenges: tuple[ChallengeFacts, ...]


@dataclass(frozen=True)
class AccountFacts:
    """The player of a token, and what waits for them.

    Attributes:
        to_move: Boards that wait for the caller's move, the one with the least time first.
        invitations: Challenges that wait for the caller's yes or no.
        language: A code; "" where none was chosen.
    """

    userid: str
    is_program: bool
    timezone: str
    scopes: tuple[str, ...]
    to_move: tuple[int, ...]
    invitations: tuple[int, ...]
    language: str = ""


@dataclass(frozen=True)
class TokenLine:
    """A token of the caller's; never the token itself."""

    number: int
    label: str
    scopes: tuple[str, ...]
    made_at: datetime
    used_at: datetime | None
    ends_at: datetime | None


@dataclass(frozen=True)
class TokenList:
    """The tokens of the caller."""

    tokens: tuple[TokenLine, ...]


@dataclass(frozen=True)
class NewTokenFacts:
    """A token that was just made: shown this once."""

    token: str
    userid: str
    number: int
    label: str
    scopes: tuple[str, ...]
    ends_at: datetime | None


@dataclass(frozen=True)
class StreamEvent:
    """One item of the stream of a player's boards.

    Attributes:
        id: Grows from item to item; give the last one back to go on after it.
        kind: `hello`, `start`, `move`, `undo`, `offer`, `chat`, `end`, `invitation`,
            `challenge`, `gap`, `resume`. More may come.
        players: Userids by seat; none when it is about no board.
        your_seats: Which of them are the caller's.
        is_your_turn: Whether the caller moves after this.
        facts: What else the kind has; see docs/api.md.
    """

    id: int
    kind: str
    at: datetime
    board: int | None = None
    game: str = ""
    players: tuple[str, ...] = ()
    your_seats: tuple[int, ...] = ()
    is_your_turn: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
