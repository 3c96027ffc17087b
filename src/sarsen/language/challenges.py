"""Commands about challenges: making, accepting, declining, withdrawing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Self

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.language.accounts import ConfirmAccount
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.moves import Confirm
from sarsen.language.offers import AnswerOffer, asked_of
from sarsen.language.queries import ShownBoard
from sarsen.language.schema.fields import (
    AnyCase,
    BoardNumber,
    Bounds,
    Form,
    GameName,
    GameOptions,
    Names,
    Terms,
)
from sarsen.language.translating import N_, _, _n, sentence

MAX_REASON = 300  # characters of a refusal, as its column holds
ANYONE = "anyone"
ME = "me"
_LINK = re.compile(r"([0-9]{1,9})-([0-9a-f]{20})")


@dataclass(frozen=True)
class MakeChallenge(Command):
    """Propose a game. The first named moves first.

    Attributes:
        options: Options of the game, as typed: `-size=6 -nogaps`.
        terms: Options of the server: `--unrated`.
        names: Userids by seat; `anyone` leaves a seat open, `me` is the player. In place of the
            opponent's userid may stand a mail address, where an invitation is sent.
    """

    words = ("challenge", "chall", "challange")
    usage = "GAME challenge [-OPTIONS] [--OPTIONS] USERID1 USERID2"
    summary = N_(
        "Propose a game; the first player named moves first. `anyone` leaves a seat open, `me` is "
        "you; with a program, such as `bot3`, it starts at once. A friend without an account is "
        "named by a mail address, and gets one invitation."
    )
    scope = Scope.PLAY
    for_guests = True

    game: GameName
    options: GameOptions
    terms: Terms
    names: Names

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read options before or after the names; four words after them begin with `U P`."""
        first, words = tokens.at, tokens.rest_words()
        places = [at for at, word in enumerate(words) if not word.startswith("-")]
        names = [words[at] for at in places]
        if not tokens.game:
            raise UserError(
                "Which game would you like to play?", code="game-missing", hint=cls.usage
            )
        if len(names) < 2:
            raise UserError(
                "A challenge names every player; the first one moves first.",
                code="names-missing",
                hint=f"{tokens.game} challenge USERID1 USERID2",
            )
        if len(names) == 4:
            tokens.speaker_from(first + places[0], first + places[1])
            names = names[2:]
        return cls(
            game=tokens.game,
            options=" ".join(w for w in words if w.startswith("-") and not w.startswith("--")),
            terms=tuple(w for w in words if w.startswith("--")),
            names=tuple(names),
        )


def _answers_account(tokens: Tokens) -> bool:
    """Return whether a bare yes or no means what the server asked about the account."""
    context = tokens.context
    is_bare = not tokens.peek().isdigit()
    return bool(context.asked) and context.challenge is None and context.board is None and is_bare


def _board_answered(tokens: Tokens) -> int | None:
    """Return the board of the mail that a yes or no without a number answers, or None."""
    context = tokens.context
    if tokens.game and tokens.peek() == str(context.board):
        # The board named again is still the one whose letter, or page, is answered.
        tokens.take()
        return context.board
    is_bare = context.challenge is None and not tokens.peek().isdigit()
    return context.board if is_bare else None


def _yes(tokens: Tokens, board: int) -> AnswerOffer | Confirm:
    tokens.speaker()
    if tokens.left:
        raise UserError(
            "`{verb}` must stand alone on its line; with more words it could mean something else.",
            code="words-after-yes",
            hint=tokens.verb,
            verb=tokens.verb,
        )
    matter, event = asked_of(tokens, board)
    if tokens.verb == "yes":
        # "yes" says yes to what that mail asked, no matter who asked it.
        return Confirm(tokens.game, board, matter, event)
    return AnswerOffer(tokens.game, board, accepts=True, matter=matter, event=event)


def _number(tokens: Tokens, example: str) -> int:
    invited = tokens.context.challenge
    if invited is not None and not (tokens.left == 1 and tokens.peek().isdigit()):
        return invited
    return tokens.number(Phrase("an invitation"), Phrase("invitation"), example)


def _number_and_key(tokens: Tokens) -> tuple[int, str]:
    """Take `5`, or `5-0123456789abcdef0123`, as a link has it."""
    link = _LINK.fullmatch(tokens.peek().lower())
    if link is None:
        return _number(tokens, "help accept"), ""
    tokens.take()
    return int(link[1]), link[2]


@dataclass(frozen=True)
class Accept(Command):
    """Accept an invitation, an open challenge, or an offer at a board.

    Attributes:
        game: With a game, the number is looked up among boards first.
        key: Key from the link of the challenge; "" if it needs none.
    """

    words = ("accept", "yes")
    usage = "accept NUMBER[-KEY] [USERID PASSWORD] | GAME accept BOARD [U P]"
    summary = N_(
        "Accept an invitation, or an open challenge, with its key if it has one; with a game, an "
        "offer on a board."
    )
    scope = Scope.PLAY

    number: int
    game: GameName = ""
    key: Annotated[str, AnyCase(), Form(r"^([0-9a-f]{20})?$")] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Accept | AnswerOffer | Confirm | ConfirmAccount:
        """Read a number; in an answer to a letter there need be none."""
        board = _board_answered(tokens)
        if board is not None:
            return _yes(tokens, board)
        if _answers_account(tokens):
            return ConfirmAccount(tokens.context.asked)
        number, key = _number_and_key(tokens)
        tokens.speaker()
        return cls(number, tokens.game, key)


@dataclass(frozen=True)
class Decline(Command):
    """Decline an invitation, with a reason for the others if there is one."""

    words = ("decline", "no")
    usage = "decline NUMBER [USERID PASSWORD] [REASON]"
    summary = N_("Decline an invitation; the reason is passed on.")
    scope = Scope.PLAY
    takes_reason = True

    number: int
    reason: Annotated[str, Bounds(MAX_REASON)] = ""

    @classmethod
    def read(cls, tokens: Tokens) -> Decline | AnswerOffer | ConfirmAccount:
        """Read a number and a reason; in an answer to a board mail it is a no to that."""
        board = _board_answered(tokens)
        if board is not None:
            tokens.speaker()
            matter, event = asked_of(tokens, board)
            return AnswerOffer(tokens.game, board, matter=matter, event=event)
        if _answers_account(tokens):
            return ConfirmAccount(tokens.context.asked, agrees=False)
        number = _number(tokens, "help decline")
        tokens.speaker()
        return cls(number, tokens.rest())


@dataclass(frozen=True)
class Withdraw(Command):
    """Take back a challenge that has not started."""

    words = ("withdraw",)
    usage = "withdraw NUMBER [USERID PASSWORD]"
    summary = N_("Take back a challenge of yours that has not started.")
    scope = Scope.PLAY
    for_guests = True

    number: int

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a number."""
        number = _number(tokens, "withdraw 5")
        tokens.speaker()
        return cls(number)


@dataclass(frozen=True)
class Rematch(Command):
    """Propose the same game again, with the seats swapped."""

    words = ("rematch",)
    usage = "rematch BOARD [USERID PASSWORD]"
    summary = N_("Play again with the same options, seats swapped.")
    scope = Scope.PLAY
    for_guests = True
    at_board = True

    game: GameName
    board: BoardNumber

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board."""
        board, _ = tokens.board("rematch 123 USERID PASSWORD")
        tokens.speaker()
        return cls(tokens.game, board)


@dataclass(frozen=True)
class ChallengeStands:
    """The current state of a challenge.

    Attributes:
        names: By seat; `anyone` for an open one.
        waiting_for: Who still has to accept; `anyone` for an open seat.
        board: The board that has started, or None.
        pair_board: The other board of a pair, or None.
        terms: The server's options where they are not the usual ones: `--unrated`.
        link: What stands after `accept` to take the free seat: `5-0123…`; told only to who
            made the challenge, and "" unless it waits for anyone who has the link.
        is_mailed: Whether it names an address; told to nobody whether a letter went there.
        stood_already: Whether it was made before, and asked for again.
    """

    number: int
    game: str
    options: str
    names: tuple[str, ...]
    waiting_for: tuple[str, ...]
    board: int | None
    pair_board: int | None = None
    terms: str = ""
    link: str = ""
    is_mailed: bool = False
    stood_already: bool = False

    @property
    def shown_boards(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return () if self.board is None else (ShownBoard(self.board, 0),)


@dataclass(frozen=True)
class ChallengeEnded:
    """A challenge was declined or withdrawn."""

    number: int
    how: str


@dataclass(frozen=True)
class ChallengeAsked:
    """A mail without authentication asked for a challenge; it has to be confirmed.

    The player is asked by a letter; nothing else has been done.
    """


ChallengeReply = ChallengeStands | ChallengeEnded | ChallengeAsked


@sentence.register
def _challenge_stands(reply: ChallengeStands) -> str:
    game = " ".join(filter(None, (reply.game, reply.options, reply.terms)))
    players = _(" v ").join(reply.names)
    facts = {
        "game": game,
        "players": players,
        "first": reply.names[0],
        "number": reply.number,
        "board": reply.board,
        "pair": reply.pair_board,
        "link": reply.link,
        "names": _(" and ").join(reply.waiting_for),
    }
    return _standing(reply).format(**facts)


def _standing(reply: ChallengeStands) -> str:
    if reply.board is not None and reply.pair_board is not None:
        return _(
            "{game}, {players}: two games have started. On board {board} {first} moves first; on "
            "board {pair} the seats are swapped."
        )
    if reply.board is not None:
        return _("{game}, {players}: the game has started as board {board}. {first} moves first.")
    if reply.link and reply.is_mailed:
        return _(
            "Challenge {number}: {game}, {players}. If we may write to this address, an "
            "invitation is on its way. You can also pass on the link, or this line: accept "
            "{link} To take the challenge back: withdraw {number}"
        )
    if reply.link:
        return _(
            "Challenge {number}: {game}, {players}. It starts when somebody takes the free "
            "seat, with the link or with this line: accept {link} To take it back: withdraw "
            "{number}"
        )
    if reply.stood_already:
        return _(
            "Challenge {number} is still open, so nothing was sent again: {game}, {players}. It "
            "is waiting for {names}. To take it back: withdraw {number}"
        )
    if len(reply.waiting_for) == 1:
        return _(
            "Challenge {number}: {game}, {players}. It starts when {names} accepts. To "
            "take it back: withdraw {number}"
        )
    return _(
        "Challenge {number}: {game}, {players}. It starts when {names} accept. To take it "
        "back: withdraw {number}"
    )


@sentence.register
def _challenge_ended(reply: ChallengeEnded) -> str:
    if reply.how == "withdrawn":
        return _("Challenge {number} is withdrawn.").format(number=reply.number)
    return _("Challenge {number} is declined.").format(number=reply.number)


@sentence.register
def _challenge_asked(reply: ChallengeAsked) -> str:
    return _(
        "Nothing has been sent yet. Please confirm the challenge: a mail is on its way to you."
    )


_FLAGS = {
    "unrated": N_("unrated"),
    "link": N_("a free seat for anyone with the link"),
    "private": N_("private: only the players see it"),
    "pair": N_("two boards, the second with seats swapped"),
    "weekends=off": N_("Saturdays and Sundays do not count"),
    "exploration=off": N_("exploring is not allowed"),
    "claims=on": N_("wins and draws may be claimed"),
    "claims=off": N_("no wins or draws may be claimed"),
}
_DAYS = {
    "nagtime": N_("a reminder after {days} without a move"),
    "forfeittime": N_("{days} per move"),
    "totaltime": N_("{days} of reserve per player"),
    "increment": N_("{days} more with each move"),
}


def terms_words(terms: str) -> tuple[str, ...]:
    """Return a text that says what `--totaltime=30 --unrated` means: `30 days of reserve for each
    player`, …
    """
    return tuple(_term_words(word.lstrip("-")) for word in terms.split())


def _term_words(word: str) -> str:
    name, value = (*word.split("=", 1), "")[:2]
    if word in _FLAGS:
        return _(_FLAGS[word])
    if name in _DAYS:
        days = _n("{count} day", "{count} days", 1 if value == "1" else 2).format(count=value)
        return _(_DAYS[name]).format(days=days)
    return word
