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
        seats: A name per seat; the first seat moves first.
        options: The options of a challenge, each with `kind`, `name`, `summary` and bounds.
        wants_testers: Whether its author asks for people to try it.
    """

    name: str
    title: str
    seats: tuple[str, ...]
    author: str
    year: int
    rules_version: int
    summary: str
    options: tuple[Mapping[str, Any], ...] = ()
    wants_testers: bool = False


@dataclass(frozen=True)
class GameList:
    """The games of a server."""

    games: tuple[GameFacts, ...]


@dataclass(frozen=True)
class BoardLine:
    """One board of a list.

    Attributes:
        players: Userids by seat.
        programs: The players that are programs.
        to_move: The player whose turn it is; "" when the game is over.
        winner: The winner; "" for a running game and for a draw.
        due_at: When time runs out; None when no clock runs.
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
        further: The value of `before` for the next page; None on the last page.
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
        reserves: Seconds left by seat when the turn began; None for no limit.
        away: The players of this board who are on vacation.
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
class ClaimFacts:
    """A claim of a win or a draw, after so many plies.

    Attributes:
        what: `win` or `draw`.
        answer: `proven`, `not-proven`, or "" while it waits.
    """

    by: str
    ply: int
    what: str
    answer: str


@dataclass(frozen=True)
class OwnFacts:
    """The facts of a board that only its player can see.

    Attributes:
        may_claim: A win or a draw can be claimed now.
    """

    seats: tuple[int, ...]
    notes: tuple[Words, ...]
    submitted: str
    plan: str
    may_claim: bool = False


@dataclass(frozen=True)
class SeatRating:
    """The rating of the player of a seat.

    Attributes:
        rating: The rating after the game if it was rated; otherwise the current one.
        change: The rating change of the game; None if it was not rated.
    """

    rating: float
    is_provisional: bool
    change: float | None


@dataclass(frozen=True)
class BoardFacts:
    """A board after some plies, with everything that the caller may see.

    Attributes:
        sides: The side that each seat plays now; a swap exchanges them.
        ply: The number of plies shown; `last_ply` were played.
        event: The number of events of the board then. Send `ply` and `event` with a move, so that
            it is played in this position only.
        to_move: The seat; None when the game is over, or an earlier ply is shown.
        position: The position in the notation of the game, for programs.
        text: The board as text of fixed width; `words` says it in sentences.
        legal_moves: In canonical notation; empty when no move is due.
        effects: What the last move caused, one sentence each.
        ending: `resign`, `draw`, `forfeit`, `claim`; "" if a move ended the game, or it is
            running.
        own: None unless the caller plays on this board.
        contest: The contest that the board belongs to, or None.
        warming_up: The bot to move is still being prepared after the first start of the server. It
            moves within minutes.
        ratings: By seat; None for a player without one.
        claims: Oldest first; one that waits is shown to its player alone.
        is_reviewed: A review of the finished game is ready: the command `review` shows it.
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
    contest: int | None = None
    ratings: tuple[SeatRating | None, ...] = ()
    claims: tuple[ClaimFacts, ...] = ()
    is_reviewed: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.scores is not None


@dataclass(frozen=True)
class RatingLine:
    """The rating of a player at a game; `rank` is None while the rating is provisional.

    Attributes:
        games: The number of rated games.
        change: The rating change of the last game.
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
    """The wins, losses and draws of a player at a game."""

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
        games: Always 1; before release 0.4, the games of a rating period.
        board: None for a private one.
        change: The rating change of the game.
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
    """The public profile of a player; `level` is set for the server's own bots."""

    userid: str
    joined_at: datetime
    is_program: bool
    level: int | None
    strength: tuple[StrengthLine, ...]
    place: str = ""
    about: str = ""


@dataclass(frozen=True)
class ChallengeFacts:
    """A challenge, and what the caller can do with it."""

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
    """The account of a token, and what waits for it.

    Attributes:
        to_move: Boards that wait for the caller's move, the one with the least time first.
        invitations: Challenges that the caller can accept or decline.
        language: A language code; "" if none was chosen.
        token: The number of the token that asks.
    """

    userid: str
    is_program: bool
    timezone: str
    scopes: tuple[str, ...]
    to_move: tuple[int, ...]
    invitations: tuple[int, ...]
    language: str = ""
    token: int | None = None


@dataclass(frozen=True)
class TokenLine:
    """A token of the caller, without its secret."""

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
    """A new token; its secret is shown only once."""

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
