"""The rows of the list of boards and challenges, the most urgent first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from sarsen.client import Client
from sarsen.doors.tui.words import opponents, time_left
from sarsen.language.facts import BoardLine, ChallengeFacts
from sarsen.language.ratings import reason_words
from sarsen.language.translating import _

MOST = 300  # boards: a longer list is not scrolled through; the others are found on the web
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Listing:
    """The lists of a player on the server."""

    boards: tuple[BoardLine, ...] = ()
    challenges: tuple[ChallengeFacts, ...] = ()


@dataclass(frozen=True)
class ListRow:
    """One line of the list: a board or a challenge."""

    key: str
    cells: tuple[str, ...]
    words: str
    board: int | None = None
    challenge: ChallengeFacts | None = None
    is_waiting: bool = False


def listing(client: Client, userid: str, state: str) -> Listing:
    """Ask for a player's boards and challenges."""
    boards = tuple(islice(client.boards(player=userid, state=state), MOST))
    if state != "running":
        return Listing(boards)
    concerned = [
        challenge
        for challenge in client.challenges()
        if challenge.may_accept or challenge.may_withdraw or challenge.may_decline
    ]
    return Listing(boards, tuple(challenge for challenge in concerned if _is_of(challenge, userid)))


def rows(lists: Listing, userid: str, now: datetime) -> tuple[ListRow, ...]:
    """Return the lines: what waits for the player first, the least time above."""
    boards = sorted(lists.boards, key=lambda line: _order(line, userid))
    waiting = [_board_row(line, userid, now) for line in boards if line.to_move == userid]
    others = [_board_row(line, userid, now) for line in boards if line.to_move != userid]
    to_me = [
        _challenge_row(challenge, userid) for challenge in lists.challenges if challenge.may_accept
    ]
    mine = [
        _challenge_row(challenge, userid)
        for challenge in lists.challenges
        if not challenge.may_accept
    ]
    return (*waiting, *to_me, *others, *mine)


def _order(line: BoardLine, userid: str) -> tuple[bool, datetime, int]:
    return line.to_move != userid, line.due_at or NEVER, -line.number


def _is_of(challenge: ChallengeFacts, userid: str) -> bool:
    """Return whether a challenge is to or by somebody, not one that anyone may take."""
    return challenge.challenger == userid or userid in challenge.waiting_for


def _board_row(line: BoardLine, userid: str, now: datetime) -> ListRow:
    is_mine = line.to_move == userid
    left = time_left(line.due_at, now) if line.to_move else reason_words(line.result)
    state = _("your move") if is_mine else _("waiting") if line.to_move else _("ended")
    game = " ".join(filter(None, (line.game.title(), line.options)))
    cells = (state, opponents(line, userid), game, str(line.ply), left, str(line.number))
    return ListRow(f"board {line.number}", cells, game, board=line.number, is_waiting=is_mine)


def _challenge_row(challenge: ChallengeFacts, userid: str) -> ListRow:
    names = ", ".join(name for name in challenge.names if name != userid)
    is_mine = challenge.challenger == userid
    state = _("sent") if is_mine else _("challenge")
    game = " ".join(filter(None, (challenge.game.title(), challenge.options)))
    waited_for = ", ".join(challenge.waiting_for)
    status = (
        _("waiting for {players}").format(players=waited_for) if is_mine else _("accept or decline")
    )
    cells = (state, names, game, "", status, str(challenge.number))
    words = f"{game} {challenge.terms}, {challenge.challenger}: {', '.join(challenge.names)}"
    return ListRow(
        f"challenge {challenge.number}",
        cells,
        words,
        challenge=challenge,
        is_waiting=challenge.may_accept,
    )
