"""Ladders in words: their commands, and what these are answered with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, Typed
from sarsen.language.command import Command, Scope
from sarsen.language.contests.law import FORMAT_NAMES, LADDER
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.grammar.typography import as_sentence
from sarsen.language.schema.fields import GameName, Userid
from sarsen.language.translating import N_, _, _n, sentence, translated, typed_next

_ENDINGS = {1: N_("{place}st"), 2: N_("{place}nd"), 3: N_("{place}rd")}


def ordinal(place: int) -> Phrase:
    """Return a place in words: `3rd`."""
    is_teen = 10 < place % 100 < 14
    ending = N_("{place}th") if is_teen else _ENDINGS.get(place % 10, N_("{place}th"))
    return Phrase(ending, place=place)


def _game(tokens: Tokens, line: str) -> str:
    """Return the game that was named first.

    Raises:
        UserError: There is none; the hint is the line with one.
    """
    if not tokens.game:
        raise UserError(
            "Which game's ladder?", code="game-missing", hint=Typed(f"druid {line}".strip())
        )
    return tokens.game


def _only_game(tokens: Tokens, line: str, *, speaks: bool = True) -> str:
    """Read the game that was named first, and nothing more but a speaker."""
    game = _game(tokens, line)
    if speaks:
        tokens.speaker()
    tokens.rest()
    return game


@dataclass(frozen=True)
class ShowLadder(Command):
    """Show the ladder of a game."""

    words = ("ladder",)
    usage = "GAME ladder"
    summary = N_("The ladder of a game: places, running boards, and who may be climbed by you.")
    scope = Scope.READ
    is_query = True
    for_guests = True

    game: GameName

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read nothing more."""
        return cls(_only_game(tokens, "ladder", speaks=False))


@dataclass(frozen=True)
class JoinLadder(Command):
    """Enter the ladder of a game, at its foot."""

    words = ("ladder join", "ladder enter")
    usage = "GAME ladder join [USERID PASSWORD]"
    summary = N_("Join the ladder of a game, at its foot.")
    scope = Scope.PLAY

    game: GameName

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read nothing more."""
        return cls(_only_game(tokens, "ladder join"))


@dataclass(frozen=True)
class LeaveLadder(Command):
    """Leave the ladder of a game; running boards go on as ordinary ones."""

    words = ("ladder leave", "ladder resign")
    usage = "GAME ladder leave [USERID PASSWORD]"
    summary = N_("Leave the ladder of a game. Running games go on as ordinary ones.")
    scope = Scope.PLAY

    game: GameName

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read nothing more."""
        return cls(_only_game(tokens, "ladder leave"))


@dataclass(frozen=True)
class ClimbLadder(Command):
    """Challenge somebody who stands above the speaker on the ladder of a game.

    It starts at once: nobody who is on a ladder declines a climb.
    """

    words = ("climb", "ladder climb")
    usage = "GAME climb [USERID PASSWORD] USERID"
    summary = N_("Play somebody above you on the ladder of a game; it starts at once.")
    scope = Scope.PLAY

    game: GameName
    userid: Userid

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read a userid."""
        game = _game(tokens, f"climb {tokens.peek() or 'bob'}")
        tokens.speaker(leaves=1)
        userid = tokens.take()
        if not userid:
            raise UserError(
                "Whom would you like to climb?",
                code="names-missing",
                hint=f"{game} ladder",
            )
        tokens.rest()
        return cls(game, userid)


@dataclass(frozen=True)
class LadderMade:
    """A ladder was made, and has started at once.

    Attributes:
        game: What the game is called; `command` is its name as typed.
        place: Of the speaker; 0 for nowhere.
    """

    number: int
    name: str
    game: str
    options: str
    command: str
    place: int


@dataclass(frozen=True)
class LadderJoined:
    """The speaker is on a ladder, at its foot.

    Attributes:
        nearest: The nearest player whom the speaker may climb; "" for none just now.
    """

    number: int
    name: str
    game: str
    command: str
    place: int
    nearest: str


@dataclass(frozen=True)
class LadderLeft:
    """Somebody has left a ladder, or was taken off it.

    Attributes:
        userid: Who; "" for the speaker.
        reason: As the host gave it.
        boards: How many running boards are ordinary ones now.
    """

    number: int
    name: str
    game: str
    command: str
    userid: str
    reason: str
    boards: int


@dataclass(frozen=True)
class Climbed:
    """A climb has started.

    Attributes:
        userid: The player above.
        place, other: The places of the speaker and that player.
        boards: One, or two with the seats exchanged; the other player moves first at the first.
        climbs: How many of the speaker's run now, of at most `most`; paused ones left out.
    """

    number: int
    game: str
    userid: str
    place: int
    other: int
    boards: tuple[int, ...]
    climbs: int
    most: int


@dataclass(frozen=True)
class LadderPlace:
    """Where a player stands on a ladder after a climb, and on which side of the other one.

    Attributes:
        game: Whose ladder it is, as it is called.
        place: From 1, the top.
        other: Userid of the opponent.
    """

    game: str
    place: int
    other: str
    is_ahead: bool


def place_words(place: LadderPlace) -> str:
    """Return where a player stands now: `You are 3rd on the Druid ladder now, ahead of bob.`"""
    stands = (
        _("You are {place} on the {game} ladder now, ahead of {player}.")
        if place.is_ahead
        else _("You are {place} on the {game} ladder now, behind {player}.")
    )
    return stands.format(
        place=translated(ordinal(place.place)), game=place.game, player=place.other
    )


LadderReply = LadderMade | LadderJoined | LadderLeft | Climbed


@sentence.register
def _ladder_made(reply: LadderMade) -> str:
    is_named_so = reply.name == f"{reply.game} {FORMAT_NAMES[LADDER]}" and not reply.options
    title = (
        _("Contest {number}, {name}. It runs from now on, without an end.")
        if is_named_so
        else _("Contest {number}, {name}: {game}, a ladder. It runs from now on, without an end.")
    )
    made = title.format(
        number=reply.number,
        name=translated(reply.name),
        game=f"{reply.game} {reply.options}".strip(),
    )
    entered = _("You are on it, at place {place}.") if reply.place else _("Nobody is on it yet.")
    return f"{made} {entered.format(place=reply.place)}"


@typed_next.register
def _after_ladder_made(reply: LadderMade) -> str:
    return _("To join: {line}").format(line=f"{reply.command} ladder join")


@sentence.register
def _ladder_joined(reply: LadderJoined) -> str:
    return _("You are on the {game} ladder, at place {place}.").format(
        game=reply.game, place=reply.place
    )


@typed_next.register
def _after_ladder_joined(reply: LadderJoined) -> str:
    if not reply.nearest:
        return _("To see it: {line}").format(line=f"{reply.command} ladder")
    return _("To climb: {line}").format(line=f"{reply.command} climb {reply.nearest}")


@sentence.register
def _ladder_left(reply: LadderLeft) -> str:
    if not reply.userid:
        gone = _("You have left the {game} ladder.")
    elif reply.reason:
        gone = _("{player} is taken off the {game} ladder: {reason}")
    else:
        gone = _("{player} is taken off the {game} ladder.")
    left = gone.format(game=reply.game, player=reply.userid, reason=as_sentence(reply.reason))
    return f"{left} {ordinary_words(reply.boards)}".strip()


def ordinary_words(boards: int) -> str:
    """Return that so many running games go on as ordinary ones; "" for none."""
    words = _n(
        "{count} running game goes on as an ordinary one.",
        "{count} running games go on as ordinary ones.",
        boards,
    )
    return words.format(count=boards) if boards else ""


@typed_next.register
def _after_ladder_left(reply: LadderLeft) -> str:
    return _("To see it: {line}").format(line=f"{reply.command} ladder")


@sentence.register
def _climbed(reply: Climbed) -> str:
    facts = {
        "place": reply.place,
        "other": reply.other,
        "player": reply.userid,
        "board": reply.boards[0],
        "second": reply.boards[-1],
    }
    climbs = _("{count} of {most} climbs.").format(count=reply.climbs, most=reply.most)
    started = (
        _(
            "You climb from place {place} to {player}'s place {other}: board {board} has started. "
            "{player} moves first."
        )
        if len(reply.boards) == 1
        else _(
            "You climb from place {place} to {player}'s place {other}: boards {board} and {second} "
            "have started. {player} moves first on the first, you on the second."
        )
    )
    return f"{started.format(**facts)} {climbs}"
