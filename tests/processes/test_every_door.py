"""One game of each kind, by another door at every ply: one game, and the same everywhere."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from email.message import EmailMessage
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError

import pytest
from lxml import html

from processes.conftest import Server, one_line, text_of
from processes.test_whole_games import MAX_PLIES, pick
from sarsen import drawing
from sarsen.client import Client, Refused
from sarsen.core.game import AnyPosition
from sarsen.games import load

pytestmark = pytest.mark.ci


class Browser:
    """A browser without script: it opens pages and sends their forms."""

    def __init__(self, url: str) -> None:
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(cookies)
        self._url = url

    def open(self, path: str, fields: dict[str, str] | None = None) -> str:
        """Return a page as it is sent, refusals too."""
        sent = None if fields is None else urllib.parse.urlencode(fields).encode()
        try:
            with self._opener.open(self._url + path, sent) as answer:
                return str(answer.read().decode())
        except HTTPError as refused:
            return refused.read().decode()

    def fill(self, path: str, **filled: str) -> str:
        """Open a page, fill in the form that has these fields, and send it."""
        for form in html.fromstring(self.open(path)).xpath("//main//form"):
            fields = {
                field.get("name"): field.get("value") or ""
                for field in form.xpath(".//input[@name]|.//textarea[@name]")
            }
            if set(filled) <= set(fields):
                return self.open(form.get("action") or path, fields | filled)
        raise AssertionError(f"no form with {sorted(filled)} at {path}")


class Player:
    """One person, who has a mail program, a browser, a terminal and a program of their own."""

    def __init__(self, server: Server, userid: str, home: Path) -> None:
        self.userid, self._server = userid, server
        self.letter = server.join(userid)
        self.address = str(self.letter["To"])
        url = f"http://127.0.0.1:{server.http}"
        self.api = Client(url)
        self.api.ask_code(userid)
        code = re.search(r"\b(\d{8})\b", text_of(server.next_letter(self.address)))
        assert code
        scopes = ("read", "play", "chat", "account")
        token = self.api.use_code(userid, code[1], "tests", scopes).token
        self.browser = Browser(url)
        page = self.browser.fill("/login/", name=userid, password=f"secret-{userid}")
        assert "Log out" in page
        self._environment = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home)}
        self.type("login", url, "--token", typed=token)

    def type(self, *words: str, typed: str = "") -> str:
        """Return what a command at the terminal prints."""
        done = subprocess.run(
            [sys.executable, "-m", "sarsen", *words],
            input=typed,
            env=self._environment,
            capture_output=True,
            text=True,
        )
        return done.stdout + done.stderr

    def say(self, door: str, game: str, board: int, text: str) -> str:
        """Play a move by a door; give what that answers, where it answers at once."""
        match door:
            case "mail":
                self._server.answer(self.letter, text)
                return text_of(self._server.next_letter(self.address))
            case "web":
                page = self.browser.fill("/do/", line=f"{game} move {board} {text}")
                return " ".join([words(page), *html.fromstring(page).xpath("//@data-code")])
            case "terminal":
                return self.type(game, "move", str(board), text)
            case _:
                try:
                    return self.api.move(board, text).text
                except Refused as refusal:
                    return f"{refusal.text} {refusal.hint} [{refusal.code}]"

    def look(self, door: str, board: int) -> str:
        """Return what a door shows of a board."""
        match door:
            case "mail":
                return text_of(self.letter)
            case "web":
                return str(html.fromstring(self.browser.open(f"/boards/{board}/")).text_content())
            case "terminal":
                return self.type("show", str(board))
            case _:
                return self.api.board(board).text


DOORS = ("mail", "web", "terminal", "API")


def words(page: str) -> str:
    return " ".join(str(html.fromstring(page).xpath("string(//main)")).split())


def lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield line.strip()


def shows(said: str, position: AnyPosition) -> bool:
    """Return whether a text has the board of a position in it, line by line."""
    board = [line for line in lines(drawing.text(position)) if line]
    seen = [line for line in lines(said) if line]
    return any(seen[at : at + len(board)] == board for at in range(len(seen)))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("visavis", "-size=7"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (("druid", "-size=4"), ("gyges", ""), ("vasco", "-size=20"))
        ),
    ],
)
def test_whole_game_by_another_door_at_every_ply(
    shared_server: Server, tmp_path: Path, name: str, options: str
) -> None:
    players = [
        Player(shared_server, f"{name}{number}", tmp_path / str(number)) for number in (1, 2)
    ]
    first, second = players
    first.api.challenge(name, "me", second.userid, options=options)
    shared_server.answer(next_letter(shared_server, second, "invitation"), "accept")
    first.letter = next_letter(shared_server, first, "board")
    board = int(str(first.letter["Reply-To"]).split("-")[1])
    position, dice, played = load(name).start(options), random.Random(name), []
    for ply in range(1, MAX_PLIES):
        mover, other = players[position.seat], players[1 - position.seat]
        door = DOORS[(ply + ply // 4) % 4]  # so that both come by every door
        if ply == 3:
            refusals_are_the_same(mover, name, board)
        text = pick(position, dice)
        assert f"(move {ply})" in mover.say(door, name, board, text), (door, text)
        position = position.play(position.parse(text))
        played.append(text)
        other.letter = next_letter(shared_server, other, "board")
        looking = DOORS[(ply + 1) % 4]
        assert shows(other.look(looking, board), position), (looking, ply)
        if position.outcome() is not None:
            break
    outcome = position.outcome()
    assert outcome is not None
    for door in ("web", "terminal"):
        assert outcome.reason in " ".join(first.look(door, board).split())
    assert outcome.reason in one_line(other.letter)
    assert first.api.board(board).scores == outcome.scores
    assert [move.text for move in first.api.board(board).moves] == played


def refusals_are_the_same(player: Player, game: str, board: int) -> None:
    """Make the same slip at every door, and hear the same rule and the same hint."""
    with pytest.raises(Refused) as refused:
        player.api.move(board, "zz99")
    for door in DOORS:
        said = player.say(door, game, board, "zz99")
        for part in (refused.value.text, refused.value.hint, refused.value.code):
            assert unmarked(part) in unmarked(said), (door, part, said)


def unmarked(text: str) -> str:
    """Leave out what a page shows as another script, and how lines are broken."""
    return " ".join(text.replace("`", "").split())


def next_letter(server: Server, player: Player, kind: str) -> EmailMessage:
    """Return the next letter of a kind; others, such as news of the account, are passed over."""
    while True:
        letter = server.next_letter(player.address)
        if letter["X-Sarsen"] == kind:
            return letter
