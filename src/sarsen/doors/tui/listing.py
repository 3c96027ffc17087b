"""Boards and challenges in the order in which they want to be looked at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from sarsen.client import Client
from sarsen.doors.tui.words import opponents, time_left
from sarsen.language.facts import BoardLine, ChallengeFacts

MOST = 300  # boards; whoever has more finds them on the web
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Listing:
    """What the server has for a player."""

    boards: tuple[BoardLine, ...] = ()
    challenges: tuple[ChallengeFacts, ...] = ()


@dataclass(frozen=True)
class Row:
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
        one for one in client.challenges() if one.may_accept or one.may_withdraw or one.may_decline
    ]
    return Listing(boards, tuple(one for one in concerned if _is_of(one, userid)))


def rows(found: Listing, userid: str, now: datetime) -> tuple[Row, ...]:
    """Return the lines: what waits for the player first, the least time above."""
    boards = sorted(found.boards, key=lambda one: _order(one, userid))
    waiting = [_board_row(one, userid, now) for one in boards if one.to_move == userid]
    others = [_board_row(one, userid, now) for one in boards if one.to_move != userid]
    to_me = [_challenge_row(one, userid) for one in found.challenges if one.may_accept]
    mine = [_challenge_row(one, userid) for one in found.challenges if not one.may_accept]
    return (*waiting, *to_me, *others, *mine)


def _order(line: BoardLine, userid: str) -> tuple[bool, datetime, int]:
    return line.to_move != userid, line.due_at or NEVER, -line.number


def _is_of(challenge: ChallengeFacts, userid: str) -> bool:
    """Return whether a challenge is to or by somebody, not one that anyone may take."""
    return challenge.challenger == userid or userid in challenge.waiting_for


def _board_row(line: BoardLine, userid: str, now: datetime) -> Row:
    is_mine = line.to_move == userid
    left = time_left(line.due_at, now) if line.to_move else line.result
    state = "you move" if is_mine else "waits" if line.to_move else "ended"
    game = " ".join(filter(None, (line.game.title(), line.options)))
    cells = (state, opponents(line, userid), game, str(line.ply), left, str(line.number))
    return Row(f"board {line.number}", cells, game, board=line.number, is_waiting=is_mine)


def _challenge_row(challenge: ChallengeFacts, userid: str) -> Row:
    names = ", ".join(one for one in challenge.names if one != userid)
    is_mine = challenge.challenger == userid
    state = "asked" if is_mine else "challenge"
    game = " ".join(filter(None, (challenge.game.title(), challenge.options)))
    said = "waits for " + ", ".join(challenge.waiting_for) if is_mine else "accept or decline"
    cells = (state, names, game, "", said, str(challenge.number))
    words = f"{game} {challenge.terms}, {challenge.challenger} asks {', '.join(challenge.names)}"
    return Row(
        f"challenge {challenge.number}",
        cells,
        words,
        challenge=challenge,
        is_waiting=challenge.may_accept,
    )
