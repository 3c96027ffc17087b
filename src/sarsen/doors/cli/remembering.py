"""What the server has told of one's boards, kept for a moment: the Tab key asks often."""

from __future__ import annotations

import json
import os
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from sarsen.client.logins import Login
from sarsen.client.transport import Transport
from sarsen.core.errors import UserError
from sarsen.doors.cli.places import chosen, folder

FILE = "completion.json"
KEPT = 20  # seconds
PATIENCE = 2.0  # seconds that the Tab key may hang
MOST = 100  # boards


@dataclass(frozen=True)
class Remembered:
    """Boards, challenges and players that may be meant.

    Attributes:
        boards: Numbers of running boards of the speaker's and their games; those that wait first.
        players: Who plays there.
    """

    login: Login | None = None
    boards: tuple[tuple[int, str], ...] = ()
    challenges: tuple[int, ...] = ()
    players: tuple[str, ...] = ()

    def moves(self, board: str) -> tuple[str, ...]:
        """Return the legal moves of a board, none when that is no number of one."""
        if self.login is None or not board.isdecimal():
            return ()
        try:
            found = Transport(self.login.url, self.login.token, PATIENCE).ask(
                "GET", f"boards/{int(board)}"
            )
            return tuple(map(str, found["legal_moves"]))
        except (UserError, TypeError, KeyError):
            return ()


def remembered() -> Remembered:
    """Return what is known, asked anew when it is older than a moment.

    Raises:
        UserError: Nobody is logged in, or the server is away.
    """
    login = chosen()
    kept = _kept(login)
    if kept is None:
        kept = _asked(login)
        with suppress(OSError):
            _keep(kept)
    boards = tuple((int(number), str(game)) for number, game in kept["boards"])
    return Remembered(login, boards, tuple(kept["challenges"]), tuple(kept["players"]))


def _asked(login: Login) -> dict[str, Any]:
    # As plain JSON: the classes of `sarsen.client.Client` take longer to load than this does.
    transport = Transport(login.url, login.token, PATIENCE)
    account = transport.ask("GET", "account")
    userid = account["userid"]
    asked = urlencode({"player": userid, "state": "running", "most": MOST})
    lines = transport.ask("GET", f"boards?{asked}")["boards"]
    waiting = set(account["to_move"])
    lines.sort(key=lambda line: line["number"] not in waiting)
    challenges = transport.ask("GET", "challenges")["challenges"]
    return {
        "url": login.url,
        "userid": userid,
        "at": time.time(),
        "boards": [[line["number"], line["game"]] for line in lines],
        "challenges": [
            one["number"] for one in challenges if one["may_accept"] or one["may_withdraw"]
        ],
        "players": sorted({one for line in lines for one in line["players"]} - {userid}),
    }


def _kept(login: Login) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads((folder() / FILE).read_text(encoding="utf-8"))
        is_fresh = 0 <= time.time() - float(found["at"]) < KEPT
        is_same = found["url"] == login.url and login.userid in ("", found["userid"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if is_fresh and is_same else None


def _keep(found: dict[str, Any]) -> None:
    handle, draft = tempfile.mkstemp(dir=folder(), prefix=f"{FILE}.")
    with open(handle, "w", encoding="utf-8") as file:
        json.dump(found, file)
    os.replace(draft, folder() / FILE)
