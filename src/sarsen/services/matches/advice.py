"""Running games in which no program may advise a player, and lines that would be advice there.

The analysis board, reviews and the practice board ask for the same positions: as they are,
turned, mirrored, with the seats exchanged, and with options that leave the board as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge, replay
from sarsen.core.symmetry import arrangement, canonical_board
from sarsen.games import load
from sarsen.language.contests.law import HELP_ALLOWED
from sarsen.services.matches.practice import Practice, positions_of
from sarsen.services.matches.terms import CONTEST
from sarsen.storage import move_path
from sarsen.storage.models import Contest, Match, MatchEvent, Player
from sarsen.storage.models.matches import StoredEvent

# A program must not advise in a game that has a position it is asked about; from this ply on,
# since every game begins alike.
ADVICE_FROM = 4
# Boards in memory whose positions are known, up to 60 kB each: those asked for longest ago are
# forgotten.
MAX_REMEMBERED = 250
Line = tuple[str, ...]
_MOVE, _UNDO = MatchEvent.Kind.MOVE.value, MatchEvent.Kind.UNDO.value


@dataclass(frozen=True)
class RunningBoard:
    """A board in play at which a player sits, as far as advice is concerned.

    Attributes:
        options: As typed.
        written: The positions, from the first one on, along the moves that stand.
        stood: Of a board without advice: what lies on the board, up to symmetry and whatever the
            options, in every position that stands or has stood from `ADVICE_FROM` plies on. Empty
            of another one.
        present: Of such a board: the same of the position that stands, and of those after each
            move that is legal there, which other orders of moves reach as well.
    """

    options: str
    written: tuple[str, ...]
    stood: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()


def is_banned(positions: Sequence[AnyPosition], running: Iterable[RunningBoard]) -> bool:
    """Return whether a line must not be analysed.

    It is the record of a running board, as far as the shorter of both goes; or it goes through
    a position that one without advice has had or can have after one move.

    Args:
        positions: Of the line, from the first one on.
        running: Boards in play of the asker in this game.
    """
    running = tuple(running)
    if any(_is_record(positions, board) for board in running):
        return True
    stood = frozenset().union(*(board.stood | board.present for board in running))
    return _meets(positions, stood)


def is_placed(positions: Sequence[AnyPosition], running: Iterable[RunningBoard]) -> bool:
    """Return whether a line from a position that is set up shows what lies on a running board.

    It has no moves before that could be compared with the record of a board with advice: of such a
    board the position that stands counts.

    Args:
        positions: Of the line, from the one that is set up on.
        running: Boards in play of the asker in this game.
    """
    standing = (board.written[-1] for board in running if len(board.written) > ADVICE_FROM)
    read = positions[0].game.read
    return _meets(positions, frozenset(_on_board(read(written)) for written in standing))


def would_advise(positions: Sequence[AnyPosition], running: Iterable[RunningBoard]) -> bool:
    """Return whether a line goes through a position that a board without advice has or gets next.

    Args:
        positions, running: As for `is_banned`.
    """
    return _meets(positions, frozenset().union(*(board.present for board in running)))


def by_options(
    line: Sequence[AnyPosition],
    moves: Sequence[str],
    boards: Iterable[RunningBoard],
    go_on: Callable[[], None] = lambda: None,
) -> Iterable[tuple[Sequence[AnyPosition], list[RunningBoard]]]:
    """Yield the positions of a line with some options, and the boards to compare them with.

    First as they are, with all boards: with an option `swap` a line gets to the same board by
    moves that are not legal there. Then with the options of the boards: a larger pool of tiles, or
    a rule that seldom matters, leaves the board and nearly all its worth as they are. Boards are
    taken to be the same when their first moves are; of another board no more positions are
    yielded. A line ends where a move is not legal with its options.

    Args:
        line: The positions with its own options, from the first one on.
        go_on: Called before each move; it may refuse to go on.
    """
    boards, start = list(boards), line[0]
    yield line, boards
    for options in sorted({board.options for board in boards}):
        other = load(start.game.info.name).start(options)
        if other.options == start.options or _first_moves(other) == _first_moves(start):
            positions = _along(other, moves, go_on)
            yield positions, [board for board in boards if board.options == options]


def running_boards(
    player: Player, game: str, go_on: Callable[[], None] = lambda: None
) -> list[RunningBoard]:
    """Return the boards in play of a player in a game that have positions of their own.

    All those of a guest are without advice, since none of them is rated; so is a board of a
    contest in which no program may help (E30).

    Args:
        go_on: Called before each board; it may refuse to go on.
    """
    boards = []
    for match, events in _in_play(player, game):
        go_on()
        is_rated = player.is_guest or not match.terms.get("unrated") or forbids_help(match)
        boards.append(running_board(match.game, match.options, _lines(events), is_rated=is_rated))
    return boards


def check_practice(player: Player, practice: Practice, go_on: Callable[[], None]) -> None:
    """Refuse that a program plays on where a board of a player stands (E30).

    Args:
        go_on: Called before each move; it may refuse to go on.

    Raises:
        UserError: The game goes through the position of a board in a contest where no program
            may help.
    """
    line = positions_of(practice)
    for match, events in _in_play(player, practice.game.name):
        if not forbids_help(match):
            continue
        board = running_board(match.game, match.options, _lines(events), is_rated=True)
        for positions, same in by_options(line, practice.moves, [board], go_on):
            if would_advise(positions, same):
                raise UserError(
                    "Board {board} is played in contest {number} without help: no program plays "
                    "on from its position.",
                    code="contest.no-help",
                    hint=f"contest {match.terms[CONTEST]} law",
                    board=match.pk,
                    number=match.terms[CONTEST],
                )


def forbids_help(match: Match) -> bool:
    """Return whether a board is played in a contest where no program may help (E30)."""
    number = match.terms.get(CONTEST)
    laws = Contest.objects.filter(pk=number).values_list("law", flat=True) if number else ()
    return any(law.get("help") != HELP_ALLOWED for law in laws)


@lru_cache(maxsize=MAX_REMEMBERED)  # of the arguments alone
def running_board(
    game: str, options: str, lines: tuple[Line, ...], *, is_rated: bool
) -> RunningBoard:
    """Return a board in play.

    Args:
        lines: The moves that stand at the end, and before them each line that was taken back.
        is_rated: No program may advise there.
    """
    start = load(game).start(options)
    positions = [start]
    stood = set[str]()
    for line in lines:
        positions = [start, *(ruling.position for ruling in replay(start, line))]
        if is_rated:
            stood |= {_on_board(position) for position in positions[ADVICE_FROM:]}
    written = tuple(position.write() for position in positions)
    present = _present(positions[-1]) if is_rated and len(positions) > ADVICE_FROM else set()
    return RunningBoard(options, written, frozenset(stood), frozenset(present))


def _in_play(player: Player, game: str) -> list[tuple[Match, Sequence[StoredEvent]]]:
    """Return the boards of a player that have positions of their own, with their events."""
    own = Match.objects.filter(
        game=game, ended_at=None, seats__player=player, event_count__gte=ADVICE_FROM
    )
    found = list(own.distinct().order_by("pk"))
    events = move_path.events_of([match.pk for match in found]) if found else {}
    return [(match, events[match.pk]) for match in found]


def _present(position: AnyPosition) -> set[str]:
    """Return what lies on a board now, and after each legal move: up to 60 ms of 400 moves."""
    after = [position.play(move) for move in position.legal_moves()]
    return {_on_board(one) for one in (position, *after)}


def _meets(positions: Sequence[AnyPosition], stood: frozenset[str]) -> bool:
    return bool(stood) and any(_on_board(position) in stood for position in positions)


def _on_board(position: AnyPosition) -> str:
    """Return what lies on the board, and who moves, up to symmetry and whatever the options."""
    return arrangement(canonical_board(position))


def _is_record(positions: Sequence[AnyPosition], board: RunningBoard) -> bool:
    shared = min(len(positions), len(board.written)) - 1
    if shared < ADVICE_FROM:  # every game begins alike
        return False
    return positions[shared].write() == board.written[shared]


def _first_moves(start: AnyPosition) -> list[str]:
    return [start.format(move) for move in start.legal_moves()]


def _along(
    start: AnyPosition, moves: Sequence[str], go_on: Callable[[], None]
) -> list[AnyPosition]:
    positions = [start]
    for move in moves:
        go_on()
        try:
            positions.append(judge(positions[-1], move).position)
        except UserError:  # the games are others from here on
            break
    return positions


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
