"""What is never analysed: positions of the asker's own games while these run.

`is_banned` is the whole rule, a function of data. Every door asks by `questions.ask`, which
applies it before it looks anything up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import replay
from sarsen.core.symmetry import canonical_board
from sarsen.games import load
from sarsen.learning.analysis import Question
from sarsen.services.request import Actor
from sarsen.services.reviews.view import ADVICE_FROM, forbids_help
from sarsen.storage import move_path
from sarsen.storage.models import Match, MatchEvent, Player
from sarsen.storage.models.matches import StoredEvent

# Boards in memory whose positions are known: those asked for longest ago are forgotten.
MAX_REMEMBERED = 1000
Line = tuple[str, ...]
_MOVE, _UNDO = MatchEvent.Kind.MOVE.value, MatchEvent.Kind.UNDO.value


@dataclass(frozen=True)
class RunningBoard:
    """A board in play at which the asker sits, as far as the ban looks at it.

    Attributes:
        positions: Written, from the first one on, along the moves that stand.
        stood: Of a rated board: what lies on the board, up to symmetry, in every position that
            stands or has stood from `ADVICE_FROM` plies on. Empty of an unrated one.
    """

    positions: tuple[str, ...]
    stood: frozenset[str] = frozenset()


def is_banned(positions: Sequence[AnyPosition], running: Iterable[RunningBoard]) -> bool:
    """Return whether a line must not be analysed.

    It is the record of a running board, as far as the shorter of both goes; or it goes through
    a position that a rated one has had, turned, mirrored or with the seats exchanged.

    Args:
        positions: Of the line, from the first one on.
        running: All boards in play of the asker in this game.
    """
    running = tuple(running)
    if any(_is_record(positions, board) for board in running):
        return True
    stood = frozenset().union(*(board.stood for board in running))
    return bool(stood) and any(canonical_board(position) in stood for position in positions)


def _is_record(positions: Sequence[AnyPosition], board: RunningBoard) -> bool:
    shared = min(len(positions), len(board.positions)) - 1
    if shared < ADVICE_FROM:  # every game begins alike
        return False
    return positions[shared].write() == board.positions[shared]


def check(question: Question, actor: Actor, go_on: Callable[[], None]) -> None:
    """Refuse a question about a running game of the asker's.

    A mail that proves nobody is refused what the players of its address are: the answer goes
    to them, and would be help.

    Args:
        go_on: Called before each board; it may refuse to go on.

    Raises:
        UserError: It is about one; which one is not said.
    """
    for player in _askers(actor):
        if is_banned(question.positions, running_boards(player, question.game, go_on)):
            raise running()


def _askers(actor: Actor) -> list[Player]:
    """Return who gets the answer; nobody for visitors of pages: they have no seat anywhere."""
    if actor.player is not None:  # a guest's games are those of its session
        return [actor.player]
    if not actor.address:
        return []
    players = Player.objects.filter(addresses__address__iexact=actor.address, is_active=True)
    return list(players.distinct().order_by("pk"))


def running() -> UserError:
    """Return the refusal of a question about a running game, which never names a board."""
    return UserError(
        "A game you are playing is not analysed until it is over: neither its positions, nor "
        "those that are the same when turned or mirrored, nor what comes after them.",
        code="analysis-running",
        hint="help analyse",
    )


def running_boards(
    player: Player, game: str, go_on: Callable[[], None] = lambda: None
) -> list[RunningBoard]:
    """Return the boards in play of a player in a game, of which the ban knows anything.

    All those of a guest count as rated, since none of them is; so does a board of a contest in
    which no program may help (E30).
    """
    own = Match.objects.filter(
        game=game, ended_at=None, seats__player=player, event_count__gte=ADVICE_FROM
    )
    found = list(own.distinct().order_by("pk"))
    events = move_path.events_of([match.pk for match in found]) if found else {}
    boards = []
    for match in found:
        go_on()
        is_rated = player.is_guest or not match.terms.get("unrated") or forbids_help(match)
        lines = _lines(events[match.pk])
        boards.append(_board(match.game, match.options, lines, is_rated=is_rated))
    return boards


def _lines(events: Iterable[StoredEvent]) -> tuple[Line, ...]:
    """Return the moves that stand, and before them each line that was taken back."""
    lines: list[Line] = []
    moves: list[str] = []
    for event in events:
        if event.kind == _MOVE:
            moves.append(event.text)
        elif event.kind == _UNDO:
            lines.append(tuple(moves))
            del moves[event.ply :]
    return (*lines, tuple(moves))


@lru_cache(maxsize=MAX_REMEMBERED)  # of the arguments alone
def _board(game: str, options: str, lines: tuple[Line, ...], *, is_rated: bool) -> RunningBoard:
    stood = set()
    written: tuple[str, ...] = ()
    for line in lines:
        start = load(game).start(options)
        positions = [start, *(ruling.position for ruling in replay(start, line))]
        if is_rated:
            stood |= {canonical_board(position) for position in positions[ADVICE_FROM:]}
        written = tuple(position.write() for position in positions)
    return RunningBoard(written, frozenset(stood))
