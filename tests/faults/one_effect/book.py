"""The simple book: what must be true of a server that does everything once.

It knows the games' rules, the snapshots before and after, and what each deed was told.
It knows nothing of how the server works.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from faults.one_effect.deeds import Deed
from faults.one_effect.snapshot import BoardState, Event, LetterRow, Snapshot
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.games import load

DONE, REFUSED, UNKNOWN = "done", "refused", "unknown"
# Deeds of which one makes the game go on or end.
_ENDS = ("resign", "draw", "forfeit")
_CHALLENGES = ("challenge", "accept", "decline", "withdraw")
_WAITING = ("submit", "draw", "undo", "resign", "yes", "no", "move")
_NOTICE = timedelta(minutes=15)


@dataclass(frozen=True)
class Told:
    """A deed and what its door said: `DONE`, `REFUSED`, or `UNKNOWN` when it died."""

    deed: Deed
    verdict: str
    door: str = ""
    code: str = ""


@lru_cache(maxsize=4096)
def position_after(game: str, options: str, moves: tuple[str, ...]) -> AnyPosition:
    """Replay moves by the rules alone."""
    if not moves:
        return load(game).start(options)
    return judge(position_after(game, options, moves[:-1]), moves[-1]).position


def standing(events: Sequence[Event]) -> tuple[str, ...]:
    """Return the moves that stand."""
    moves: list[str] = []
    for event in events:
        if event.kind == "move":
            moves.append(event.text)
        elif event.kind == "undo":
            del moves[event.ply :]
    return tuple(moves)


def position_of(board: BoardState) -> AnyPosition:
    """Return the position that the events of a board make."""
    return position_after(board.game, board.options, standing(board.events))


def is_over(board: BoardState) -> bool:
    """Return whether a game is over by its events."""
    ended = bool(board.events) and board.events[-1].kind in _ENDS
    return ended or position_of(board).outcome() is not None


def ruled(board: BoardState, deed: Deed) -> str:
    """Return the text under which a move must be stored; "" if it must be refused."""
    moves = standing(board.events)
    position = position_of(board)
    due, count = len(moves) + 1, len(board.events)
    if deed.by not in board.players or is_over(board):
        return ""
    if board.players[position.seat] != deed.by:
        return ""
    if deed.ply is not None and deed.ply != due:
        return ""
    if deed.event is not None and deed.event != count:
        return ""
    if deed.event is None and deed.ply is not None and _was_due_before(board.events, due):
        return ""
    try:
        return judge(position, deed.text).text
    except UserError:
        return ""


def _was_due_before(events: Sequence[Event], ply: int) -> bool:
    played = highest = 0
    for event in events:
        if event.kind == "undo":
            highest = max(highest, played + 1)
        played = event.ply
    return ply <= highest


class Audit:
    """Explain all that changed by the deeds in between, in their order."""

    def __init__(self, before: Snapshot, after: Snapshot, now: datetime) -> None:
        self.before, self.after, self.now = before, after, now
        self.boards = dict(before.boards)
        known = {letter.number for letter in before.letters}
        self.letters = [one for one in after.letters if one.number not in known]
        self.changed: set[tuple[str, int]] = set()
        self.challenges = 0
        self.others = False

    def explain(self, told: Sequence[Told]) -> None:
        """Walk through the deeds.

        Raises:
            AssertionError: Something happened that nobody asked for, or the other way round.
        """
        for one in told:
            self._walk(one)
        for number, board in self.after.boards.items():
            if number not in self.boards:
                assert self.challenges, f"board {number} began of itself"
                continue
            self._compare(self.boards[number], board)
        new = set(self.after.challenges.items()) - set(self.before.challenges.items())
        assert len(new) <= self.challenges, f"{len(new)} challenges changed by {self.challenges}"
        assert self.others or self.after.others == self.before.others, "vacations or notes changed"

    def _compare(self, expected: BoardState, found: BoardState) -> None:
        number = found.number
        assert found.events == expected.events, (
            f"board {number}: nobody asked for {found.events[len(expected.events) :]}"
        )
        assert found.chat == expected.chat, f"board {number}: {found.chat} is not {expected.chat}"
        if ("waiting", number) not in self.changed:
            assert found.waiting == expected.waiting, f"board {number}: {found.waiting}"
        if ("plans", number) not in self.changed:
            assert found.plans == expected.plans, f"board {number}: plans changed"

    def _walk(self, told: Told) -> None:
        deed = told.deed
        if told.verdict == REFUSED:
            self._check_refused(told)
            return
        if deed.what in _CHALLENGES:
            self.challenges += 1
        if deed.what in ("vacation", "note"):
            self.others = True
        if deed.what == "clocks":
            self._walk_clocks()
        if deed.what == "forget" and told.verdict == DONE:
            self._walk_forgetting(deed.by)
        if deed.board is None or deed.board not in self.boards:
            return
        if deed.what in _WAITING:
            self.changed.add(("waiting", deed.board))
        if deed.what == "queue":
            self.changed.add(("plans", deed.board))
        if deed.what == "chat":
            self._say(told)
            return
        if deed.what == "move":
            self._move(told)
        elif deed.what in ("draw", "undo", "resign", "yes", "queue"):
            self._one_event(told)

    def _check_refused(self, told: Told) -> None:
        deed = told.deed
        board = self.boards.get(deed.board or 0)
        if board is None or told.code in ("request-reused", "message-id-reused"):
            return
        if deed.what == "move":
            legal = ruled(board, deed)
            assert not legal, f"{told} was refused ({told.code}), and {legal} is legal"
        if deed.what == "chat" and deed.by in self.after.players:
            assert deed.by not in board.players, f"{told} was refused ({told.code})"

    def _say(self, told: Told) -> None:
        deed, board = told.deed, self.boards[told.deed.board or 0]
        said = (deed.by, deed.text)
        now = self.after.boards[board.number].chat[len(board.chat) :]
        if told.verdict == UNKNOWN and now[:1] != (said,):
            return
        assert deed.by in board.players, f"{told}: not at that board"
        self.boards[board.number] = replace(board, chat=(*board.chat, said))

    def _new(self, board: BoardState) -> tuple[Event, ...]:
        return self.after.boards[board.number].events[len(board.events) :]

    def _move(self, told: Told) -> None:
        deed, board = told.deed, self.boards[told.deed.board or 0]
        legal, new = ruled(board, deed), self._new(board)
        if told.verdict == UNKNOWN and (not new or new[0].text != legal):
            return
        assert legal, f"{told} was taken, and must not be"
        seat = position_of(board).seat
        assert new, f"{told} was acknowledged, and is not stored"
        stored = (new[0].kind, new[0].seat, new[0].text)
        assert stored == ("move", seat, legal), f"{told} became {stored}"
        self._take(told, board, new[0])

    def _one_event(self, told: Told) -> None:
        """Take the one event that such a deed may be."""
        board = self.boards[told.deed.board or 0]
        new = self._new(board)
        kinds = {
            "draw": ("draw",),
            "undo": ("undo",),
            "resign": ("resign",),
            "queue": ("move",),
            "yes": ("move", "resign", "draw", "undo"),
        }[told.deed.what]
        is_asked = told.deed.what in ("draw", "undo", "resign", "queue")
        mine = [seat for seat, key in enumerate(board.players) if key == told.deed.by]
        if new and new[0].kind in kinds and new[0].seat in mine:
            self._take(told, board, new[0])
        else:
            assert is_asked or told.verdict == UNKNOWN, f"{told} was acknowledged, and not done"

    def _take(self, told: Told, board: BoardState, event: Event) -> None:
        """Take an event for done, and the answers that plans gave to it at once."""
        assert not is_over(board), f"{told}: an event after the end"
        board = replace(board, events=(*board.events, event))
        self.changed |= {("waiting", board.number), ("plans", board.number)}
        owners = {key for key, _ in (*board.plans, *self.after.boards[board.number].plans)}
        new = self._new(board)
        while new and not is_over(board):
            mover = board.players[position_of(board).seat]
            if new[0].kind != "move" or mover not in owners or new[0].at != event.at:
                break
            plans = " ".join(text for key, text in self.before.boards[board.number].plans)
            if json.dumps(new[0].text)[1:-1] not in plans and told.deed.what != "queue":
                break
            board = replace(board, events=(*board.events, new[0]))
            new = self._new(board)
        self.boards[board.number] = board
        self._check_notices(told, board)

    def _check_notices(self, told: Told, board: BoardState) -> None:
        """Everybody else at the board is told of it once; of the end, who moved is told, too."""
        last = len(board.events)
        over = is_over(board)
        sent = Counter(
            letter.player
            for letter in self.letters
            if letter.kind in ("board", "forfeit")
            and (letter.board, letter.event) == (board.number, last)
        )
        told_too = {told.deed.by} if over and told.door != "mail" else set()
        wanted = Counter(set(board.players) - ({told.deed.by} - told_too))
        assert sent == wanted, f"{told}: letters {dict(sent)}, and not {dict(wanted)}"

    def _walk_forgetting(self, key: str) -> None:
        """Take their games for given up, and everything else that was theirs for gone."""
        self.challenges, self.others = len(self.after.challenges), True
        for number, board in self.boards.items():
            if key not in board.players:
                continue
            seat = board.players.index(key)
            events, new = board.events, self._new(board)
            if not is_over(board):
                assert (new[0].kind, new[0].seat) == ("resign", seat), f"board {number}: {new}"
                events = (*events, new[0])
            former = self.after.boards[number].players[seat]
            assert former.startswith("former-player-"), f"board {number}: {former}"
            players = tuple(former if one == key else one for one in board.players)
            chat = tuple(line for line in board.chat if line[0] != key)
            self.boards[number] = replace(board, events=events, players=players, chat=chat)
            self.changed |= {("waiting", number), ("plans", number)}
        assert not [one for one in self.after.letters if one.player and "former" in one.player]

    def _walk_clocks(self) -> None:
        for number, board in self.boards.items():
            new = self._new(board)
            if not new or new[0].kind != "forfeit":
                continue
            assert not is_over(board), f"board {number}: lost on time after its end"
            late = board.players[position_of(board).seat]
            self._check_just(board, new[0], late)
            self.boards[number] = replace(board, events=(*board.events, new[0]))
            self.changed |= {("waiting", number), ("plans", number)}
            self._check_notices(Told(Deed("clocks", ""), DONE), self.boards[number])

    def _check_just(self, board: BoardState, forfeit: Event, late: str) -> None:
        """Nobody loses before the time agreed is over, nor without a warning in time."""
        began = board.events[-1].at if board.events else board.started_at
        days = json.loads(board.terms).get("forfeittime") or 21.0
        total = json.loads(board.terms).get("totaltime")
        least = timedelta(days=days) if total is None else timedelta()
        taken = forfeit.at - began
        assert taken >= least, f"board {board.number}: lost on time after {taken}"
        warned = [one for one in self.after.letters if _warns(one, board, late)]
        assert any(one.queued_at + _NOTICE <= forfeit.at for one in warned), (
            f"board {board.number}: lost on time without a warning"
        )


def _warns(letter: LetterRow, board: BoardState, late: str) -> bool:
    about = (letter.board, letter.event) == (board.number, len(board.events))
    return letter.kind == "last-warning" and letter.player == late and about


def check_whole(now: Snapshot) -> None:
    """Check what must be true at any moment, whatever was done."""
    for board in now.boards.values():
        _check_board(board)
        seats = len(board.players)
        assert now.results[board.number] == (seats if is_over(board) else 0), (
            f"board {board.number}: {now.results[board.number]} results"
        )
    public = [one for one in now.boards.values() if is_over(one)]
    assert now.standings == sum(len(one.players) for one in public), "standings do not add up"
    told = Counter(
        (one.kind, one.player, one.address, one.board, one.event)
        for one in now.letters
        if one.kind in ("board", "forfeit", "last-warning")
    )
    twice = [key for key, count in told.items() if count > 1]
    assert not twice, f"told twice: {twice}"
    # What a forgotten player wrote is taken out of letters; those to them are gone.
    chats = Counter(
        (one.player, one.board, one.text) for one in now.letters if one.kind == "chat" and one.text
    )
    said = Counter(
        (other, board.number, text)
        for board in now.boards.values()
        for by, text in board.chat
        for other in set(board.players) - {by}
        if not other.startswith("former-player-")
    )
    assert chats == said, "the letters about chat are not those for what was said"


def _check_board(board: BoardState) -> None:
    numbers = [event.number for event in board.events]
    assert numbers == list(range(1, len(numbers) + 1)), f"board {board.number}: events {numbers}"
    moves = standing(board.events)
    position = position_of(board)
    count, ply, cached, seat, ended, _ = board.cached
    assert (count, ply) == (len(board.events), len(moves)), f"board {board.number}: {board.cached}"
    assert cached == position.write(), (
        f"board {board.number}: its position is not that of its moves"
    )
    assert ended == is_over(board), f"board {board.number}: over or not"
    if not ended:
        assert seat == position.seat, f"board {board.number}: seat {seat} to move"
    total = json.loads(board.terms).get("totaltime")
    for reserve in board.reserves:
        if reserve is not None and total is not None:
            most = timedelta(days=total).total_seconds()
            assert 0 <= reserve <= most, f"board {board.number}: a reserve of {reserve} seconds"
