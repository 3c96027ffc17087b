"""A contest of each format by mail, at the terminal and by programs, to its final table."""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import time_machine
from click.testing import CliRunner
from django.utils import timezone

from clock import NOW
from contest_stories import PLAYERS, STORIES, Door, Row, Time, read_board, read_columns, read_rows
from doors.mail.conftest import PostOffice, text_of, words_of
from network import Connection
from program import Program
from sarsen.client.logins import Logins, StoredLogin, write_logins
from sarsen.doors.cli.login import SCOPES
from sarsen.language.commands import MakeContest
from sarsen.server.command import main
from sarsen.services.accounts import tokens
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from web_world import World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.ci]
SERVER = "http://sarsen.test"


def line_of(asked: MakeContest) -> str:
    words = ["contest new", asked.game, asked.format, asked.options, *asked.terms, asked.name]
    return " ".join(word for word in words if word)


class ProgramDoor:
    """Programs, each with the token of a player."""

    def __init__(self) -> None:
        players = [World(timezone.now()).player(userid) for userid in PLAYERS]
        scopes = ["read", "play", "chat", "account"]
        self._programs = {player.userid: Program(player, scopes) for player in players}

    def _do(self, userid: str, name: str, facts: Mapping[str, Any]) -> Any:
        program = self._programs[userid]
        answer = program.post(f"commands/{name}", dict(facts))
        assert program.status == 200, answer
        return answer["reply"]

    def _contest(self, userid: str, number: int) -> Any:
        return self._programs[userid].get(f"contests/{number}")

    def make(self, userid: str, asked: MakeContest) -> int:
        return int(self._do(userid, "contest-new", asdict(asked))["number"])

    def join(self, userid: str, number: int, *, once: bool = False) -> None:
        self._do(userid, "contest-join", {"number": number, "once": once})

    def join_ladder(self, userid: str, game: str) -> None:
        self._do(userid, "ladder-join", {"game": game})

    def climb(self, userid: str, other: str, number: int) -> int:
        game = self._contest(userid, number)["game"]
        return int(self._do(userid, "climb", {"game": game, "userid": other})["boards"][0])

    def board(self, userid: str, other: str, number: int, game: int = 1) -> int:
        boards = self._contest(userid, number)["boards"]
        found = [one["board"] for one in boards if set(one["players"]) == {userid, other}]
        return int(found[game - 1])

    def move(self, userid: str, board: int, move: str) -> None:
        self._do(userid, "move", {"board": board, "text": move})

    def resign(self, userid: str, board: int) -> None:
        self._do(userid, "resign", {"board": board, "confirmed": True})

    def draw(self, userid: str, board: int) -> None:
        self._do(userid, "draw", {"board": board})

    def table(self, userid: str, number: int, *, is_final: bool = True) -> list[Row]:
        contest = self._contest(userid, number)
        assert contest["state"] == ("ended" if is_final else "running")
        is_match = contest["format"] == "match"
        return [
            Row(
                str(row["place"])
                if row["place"] == row["shared_to"]
                else f"{row['place']}-{row['shared_to']}",
                row["userid"],
                tuple("".join(row["games"]).replace(".", "")) if is_match else tuple(row["games"]),
                f"{row['points']:.1f}",
                "" if is_match else f"{row['sb']:.2f}",
            )
            for row in contest["table"]
        ]

    def order(self, userid: str, number: int) -> list[str]:
        return [row["userid"] for row in self._contest(userid, number)["table"]]


class TerminalDoor:
    """Shells, in each of which a player has logged in."""

    def __init__(self, folder: Path) -> None:
        self._folder, now = folder, timezone.now()
        for userid in PLAYERS:
            made = tokens.make(World(now).player(userid), "terminal", SCOPES, now)
            login = StoredLogin(SERVER, userid, made.secret, made.listed.number)
            write_logins(folder / userid / "sarsen", Logins((login,)))

    def type(self, userid: str, line: str) -> str:
        environment = {"XDG_CONFIG_HOME": str(self._folder / userid)}
        result = CliRunner().invoke(main, line.split(), env=environment)
        assert result.exit_code == 0, result.output
        return str(result.stdout)

    def make(self, userid: str, asked: MakeContest) -> int:
        return number_in(self.type(userid, line_of(asked)), "Contest")

    def join(self, userid: str, number: int, *, once: bool = False) -> None:
        self.type(userid, f"contest join {number}{' once' if once else ''}")

    def join_ladder(self, userid: str, game: str) -> None:
        self.type(userid, f"{game} ladder join")

    def climb(self, userid: str, other: str, number: int) -> int:
        return number_in(self.type(userid, f"druid climb {other}"), "board")

    def board(self, userid: str, other: str, number: int, game: int = 1) -> int:
        return read_board(self.type(userid, f"contest {number} boards"), userid, other, game)

    def move(self, userid: str, board: int, move: str) -> None:
        self.type(userid, f"move {board} {move}")

    def resign(self, userid: str, board: int) -> None:
        self.type(userid, f"resign {board} --yes")

    def draw(self, userid: str, board: int) -> None:
        self.type(userid, f"draw {board}")

    def table(self, userid: str, number: int, *, is_final: bool = True) -> list[Row]:
        shown = self.type(userid, f"contest {number}")
        assert ("Final table." in shown) == is_final
        return read_rows(shown)

    def order(self, userid: str, number: int) -> list[str]:
        return [row["player"] for row in read_columns(self.type(userid, "druid ladder"))]


class MailDoor:
    """Letters: lines in answers to the letter of welcome, moves in answers to those of boards."""

    def __init__(self) -> None:
        self.post = PostOffice()
        self._letters = {userid: [self.post.join(userid)] for userid in PLAYERS}

    def letters(self, userid: str) -> list[EmailMessage]:
        """Return all letters that somebody has got."""
        self.post.work()
        self._letters[userid] += self.post.box(f"{userid}@{userid}.example")
        return self._letters[userid]

    def write(self, userid: str, line: str) -> EmailMessage:
        """Send a line, and return the answer."""
        self.post.answer(self.letters(userid)[0], line)
        return self.letters(userid)[-1]

    def make(self, userid: str, asked: MakeContest) -> int:
        return number_in(words_of(self.write(userid, line_of(asked))), "Contest")

    def join(self, userid: str, number: int, *, once: bool = False) -> None:
        answer = self.write(userid, f"contest join {number}{' once' if once else ''}")
        assert "You are in contest" in words_of(answer)

    def join_ladder(self, userid: str, game: str) -> None:
        assert "You are on the" in words_of(self.write(userid, f"{game} ladder join"))

    def climb(self, userid: str, other: str, number: int) -> int:
        return number_in(words_of(self.write(userid, f"druid climb {other}")), "board")

    def board(self, userid: str, other: str, number: int, game: int = 1) -> int:
        answer = self.write(userid, f"contest {number} boards")
        return read_board(text_of(answer), userid, other, game)

    def move(self, userid: str, board: int, move: str) -> None:
        of_board = [
            one
            for one in self.letters(userid)
            if str(one["Reply-To"]).startswith(f"board-{board}-")
        ]
        self.post.answer(of_board[-1], move)

    def resign(self, userid: str, board: int) -> None:
        asked = self.write(userid, f"resign {board}")
        assert "Do you really want to resign" in words_of(asked)
        self.post.answer(asked, "yes")
        assert "resigned" in words_of(self.letters(userid)[-1])

    def draw(self, userid: str, board: int) -> None:
        assert "draw" in words_of(self.write(userid, f"draw {board}"))

    def table(self, userid: str, number: int, *, is_final: bool = True) -> list[Row]:
        if not is_final:
            return read_rows(text_of(self.write(userid, f"contest {number}")))
        ends = [one for one in self.letters(userid) if "This is the final table." in words_of(one)]
        assert len(ends) == 1
        return read_rows(text_of(ends[0]))

    def order(self, userid: str, number: int) -> list[str]:
        answer = self.write(userid, "druid ladder")
        return [row["player"] for row in read_columns(text_of(answer))]


def number_in(text: str, before: str) -> int:
    """Return the number that follows a word."""
    found = re.search(rf"\b{before} (\d+)", text)
    assert found, text
    return int(found[1])


@pytest.fixture
def time() -> Iterator[Time]:
    with time_machine.travel(NOW) as traveller:
        yield Time(traveller)


@pytest.fixture(params=["program", "terminal", "mail"])
def door(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: Any, time: Time) -> Door:
    if request.param == "program":
        return ProgramDoor()
    if request.param == "terminal":
        monkeypatch.setattr(http.client, "HTTPConnection", Connection)
        return TerminalDoor(tmp_path)
    return MailDoor()


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_a_contest_is_made_joined_and_played_to_its_final_table(
    door: Door, time: Time, story: Callable[[Door, Time], None]
) -> None:
    story(door, time)
    assert not [str(one) for one in verify(VerifyReport(), lambda: None)]
