"""What the referee says of a move, asked once and remembered while this process lives.

A move is judged before its transaction begins, and found here when it is recorded. What is
remembered hangs on the position as it is written and on the move's text, and on nothing
else, so it cannot be stale: at a board that has moved on meanwhile it is simply not found.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import F

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Outcome
from sarsen.core.referee import judge
from sarsen.games import load
from sarsen.language.commands import AnswerOffer, Command, Confirm, PlayMove, Submit
from sarsen.services.request import Request
from sarsen.services.time_limits import OutOfPatience, patience
from sarsen.storage.models import Match, MatchSeat
from sarsen.storage.move_path import Given, KeptQuery

MOST_POSITIONS = 2000
MOST_RULINGS = 500  # each is asked for again at once, or never


@dataclass(frozen=True)
class Judged:
    """A move that the rules allow, and all that is kept of what it makes.

    Attributes:
        seat: Who moved.
        text: The move in its one full form.
        position: The position after it.
        line: That position as it is written.
        to_move: Whose turn it is then.
        outcome: How the move ended the game; None while it runs.
    """

    seat: int
    text: str
    position: AnyPosition
    line: str
    to_move: int
    outcome: Outcome | None


def judged(position: AnyPosition, text: str) -> Judged:
    """Judge a move, and remember the position after it.

    Raises:
        UserError: The rules refuse it.
    """
    ruling = judge(position, text)
    after = ruling.position
    made = Judged(ruling.seat, ruling.text, after, after.write(), after.seat, after.outcome())
    _keep(_played, (position.game.info.name, made.line), after, MOST_POSITIONS)
    return made


def judged_at(game: str, line: str, text: str) -> Judged:
    """Judge a move in a written position, unless that was done just now.

    Raises:
        UserError: The rules refuse it.
        OutOfPatience: They would not end. That is remembered, too: they are not asked
            again by who holds the store.
    """
    key = (game, line, text)
    found = _rulings.get(key)
    if found is None:
        try:
            with patience(f"the rules of {game}"):
                found = judged(position_at(game, line), text)
        except (UserError, OutOfPatience) as refusal:
            found = refusal.with_traceback(None)
        _keep(_rulings, key, found, MOST_RULINGS)
    if isinstance(found, OutOfPatience):
        raise OutOfPatience(*found.args)
    if isinstance(found, UserError):
        # A new one: whoever catches it may change it.
        raise type(found)(found.text, code=found.code, hint=found.hint)
    return found


def position_at(game: str, line: str) -> AnyPosition:
    """Return a position that is written."""
    key = (game, line)
    for kept in (_played, _read):
        if key in kept and (position := kept.get(key)) is not None:
            return position
    position = load(game).read(line)
    _keep(_read, key, position, MOST_POSITIONS)
    return position


def played(game: str, line: str) -> AnyPosition | None:
    """Return a written position as its last move made it, with its effects; None if unknown."""
    return _played.get((game, line))


Key = TypeVar("Key")
Kept = TypeVar("Kept")
_played: dict[tuple[str, str], AnyPosition] = {}
_read: dict[tuple[str, str], AnyPosition] = {}
_rulings: dict[tuple[str, str, str], Judged | UserError | OutOfPatience] = {}


def _keep(kept: dict[Key, Kept], key: Key, one: Kept, most: int) -> None:
    kept[key] = one
    while len(kept) > most:
        # The oldest; another thread may have been faster.
        kept.pop(next(iter(list(kept))), None)


_DUE = KeptQuery(
    lambda: MatchSeat.objects.filter(
        match=Given("board"),
        player=Given("player"),
        match__ended_at=None,
        match__seat_to_move=F("seat"),
    ).values_list("match__game", "match__position", "submitted")
)


def foresee(commands: Iterable[Command]) -> None:
    """Judge the moves that will be played, in order, each at the position it will find.

    `rulings` has the ruling when the move is played. Should the board have moved on by then,
    it does not, and the move is judged there and then.
    """
    moves = [command for command in commands if isinstance(command, PlayMove)]
    boards = Match.objects.filter(pk__in={move.board for move in moves})
    lines = {pk: (game, line) for pk, game, line in boards.values_list("pk", "game", "position")}
    for move in moves:
        if move.board not in lines:
            continue
        game, line = lines[move.board]
        # What is refused is refused when its turn comes, in the same words; and whatever else
        # the rules of one game raise, they raise it then, where it stops no mail but its own.
        with suppress(Exception):
            lines[move.board] = game, judged_at(game, line, move.text).line


def foresee_move(command: PlayMove | Submit, call: Request) -> None:
    """Judge a move that its player is about to make, if it is his turn."""
    _judge(command.board, command.text, call)


def foresee_submitted(command: Confirm | AnswerOffer, call: Request) -> None:
    """Judge the move that a yes of its player would play, if he has put one forward."""
    _judge(command.board, "", call)


def _judge(board: int, text: str, call: Request) -> None:
    player = call.actor.player
    due = _DUE.first(board=board, player=player.pk) if player is not None else None
    if due is None:
        return
    game, line, submitted = due
    with suppress(UserError):  # it is refused when its turn comes, in the same words
        if text or submitted:
            judged_at(game, line, text or submitted)


MOST_KEPT = 2000

# Each with its line, which is written once.
_kept: OrderedDict[tuple[str, str, tuple[str, ...]], tuple[AnyPosition, str]] = OrderedDict()


def position_after(game: str, options: str, texts: tuple[str, ...]) -> AnyPosition:
    """Return the position after these moves, from the longest beginning still remembered.

    Texts decide everything, so what is remembered can never be stale.
    """
    known = len(texts)
    found = _kept.get((game, options, texts))
    while found is None and known:
        known -= 1
        found = _kept.get((game, options, texts[:known]))
    if found is None:
        start = load(game).start(options)
        found = start, start.write()
    for count in range(known, len(texts)):
        # Of a move just played the ruling is known: it hangs on nothing but these two.
        ruling = judged_at(game, found[1], texts[count])
        found = ruling.position, ruling.line
        _remember((game, options, texts[: count + 1]), found)
    return found[0]


def _remember(key: tuple[str, str, tuple[str, ...]], found: tuple[AnyPosition, str]) -> None:
    _kept[key] = found
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
