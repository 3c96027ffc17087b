"""`sarsen completion bash`, and what may stand next in a line when Tab is pressed."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import click
from click.shell_completion import CompletionItem, get_completion_class

from sarsen.client.logins import StoredLogin
from sarsen.client.transport import Transport
from sarsen.core.errors import UserError
from sarsen.doors.cli.login import chosen, folder
from sarsen.language.commands import (
    BY_WORD,
    COMMANDS,
    Accept,
    Command,
    Decline,
    Help,
    MakeChallenge,
    Withdraw,
)
from sarsen.language.terms import TERMS

SHELLS = ("bash", "zsh", "fish")
_NAME = "sarsen"
FILE = "completion.json"
CACHED_FOR = 20  # seconds: who types a line presses Tab several times
TIMEOUT = 2.0  # seconds that the Tab key may hang: then it completes nothing
MOST = 100  # boards: a longer list helps nobody who types
_PLAYERS = ("me", "anyone")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> None:
    """Print a script with which your shell completes commands, boards and moves.

    \b
        bash    eval "$(sarsen completion bash)"      in ~/.bashrc
        zsh     eval "$(sarsen completion zsh)"       in ~/.zshrc
        fish    sarsen completion fish | source       in ~/.config/fish/config.fish
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None  # SHELLS are click's own
    root = ctx.find_root()
    variable = f"_{_NAME}_COMPLETE".upper()  # as click names it
    click.echo(completion_class(root.command, {}, _NAME, variable).source())


def first_words(incomplete: str) -> list[CompletionItem]:
    """Complete the first word of a line: a game, or a command."""
    return _items([*_games(), *_command_words()], incomplete)


def next_words(words: Sequence[str], incomplete: str) -> list[CompletionItem]:
    """Complete the word after some others of a line."""
    typed = " ".join(words).split()
    if not typed:
        return first_words(incomplete)
    game = typed.pop(0).lower() if typed[0].lower() in _games() else ""
    if not typed:
        return _items(_command_words(game), incomplete)
    verb = typed[0].lower()
    second_words = _second_words(verb)
    if len(typed) == 1 and second_words and verb not in BY_WORD:
        return _items(second_words, incomplete)
    two = " ".join(typed[:2]).lower()
    command = BY_WORD.get(two) or BY_WORD.get(verb)
    arguments = typed[2:] if two in BY_WORD else typed[1:]
    if command is None:
        return []
    return _items(_arguments(command, game, verb, arguments), incomplete)


def games(incomplete: str, *, and_boards: bool) -> list[CompletionItem]:
    """Complete the name of a game, for subcommands that take one; perhaps a board's number."""
    boards = [str(number) for number, _ in _remembered_or_nothing().boards] if and_boards else []
    return _items([*_games(), *boards], incomplete)


def _arguments(
    command: type[Command], game: str, verb: str, arguments: Sequence[str]
) -> Iterable[str]:
    if command is Help:
        return [] if arguments else [*_subjects()]
    if command is MakeChallenge:
        return _challenge_words(game)
    if command in (Accept, Decline, Withdraw):
        return [] if arguments else map(str, _remembered_or_nothing().challenges)
    if command.at_board:
        if not arguments:
            boards = [
                str(number)
                for number, name in _remembered_or_nothing().boards
                if game in ("", name)
            ]
            return [*boards, *_second_words(verb)]
        if command.takes_move and len(arguments) == 1 and verb not in ("pass", "swap"):
            return _remembered_or_nothing().moves(arguments[0])
        return []
    if _second_words(verb):
        return ()
    words = command.usage.replace("|", " ").split()
    return [word for word in words if word in ("on", "off", "all", "mail", "digest", "none")]


def _challenge_words(game: str) -> list[str]:
    from sarsen.games import load, names

    options = load(game).info.options if game in names() else ()
    own = [f"-{option.usage.partition('=')[0].lstrip('-')}" for option in options]
    terms = [f"--{term.usage.partition('=')[0].lstrip('-').partition('|')[0]}" for term in TERMS]
    return [*own, *terms, *_PLAYERS, *_remembered_or_nothing().players]


def _subjects() -> list[str]:
    from sarsen.help.pages import TEXTS

    return ["commands", *TEXTS, *_games(), *_command_words()]


def _games() -> tuple[str, ...]:
    from sarsen.games import names

    return names()


def _command_words(game: str = "") -> list[str]:
    """List the first words of commands: of those that a game's name may stand before, or all."""
    commands = [command for command in COMMANDS if not game or command.usage.startswith("GAME")]
    return list(dict.fromkeys(command.words[0].split()[0] for command in commands))


def _second_words(verb: str) -> list[str]:
    """List what stands after a word to make the names of commands: `password` after `change`."""
    return [name.partition(" ")[2] for name in BY_WORD if name.startswith(f"{verb} ")]


def _remembered_or_nothing() -> CachedNames:
    try:
        return remembered()
    except (UserError, OSError, TypeError, KeyError, AttributeError):
        # A completion shows no errors, whatever they are.
        return CachedNames()


def _items(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    start = incomplete.lower()
    return [CompletionItem(word) for word in words if word.lower().startswith(start)]


@dataclass(frozen=True)
class CachedNames:
    """Boards, challenges and players that may be meant.

    Attributes:
        boards: Numbers of running boards of the speaker's and their games; those that wait first.
        players: Who plays there.
    """

    login: StoredLogin | None = None
    boards: tuple[tuple[int, str], ...] = ()
    challenges: tuple[int, ...] = ()
    players: tuple[str, ...] = ()

    def moves(self, board: str) -> tuple[str, ...]:
        """Return the legal moves of a board, none when that is no number of one."""
        if self.login is None or not board.isdecimal():
            return ()
        try:
            facts = Transport(self.login.url, self.login.token, TIMEOUT).ask(
                "GET", f"boards/{int(board)}"
            )
            return tuple(map(str, facts["legal_moves"]))
        except (UserError, TypeError, KeyError):
            return ()


def remembered() -> CachedNames:
    """Return what is cached, fetched anew when it is older than a moment.

    Raises:
        UserError: Nobody is logged in, or the server is away.
    """
    login = chosen()
    cached = _read_cache(login)
    if cached is None:
        cached = _fetch(login)
        with suppress(OSError):
            _write_cache(cached)
    boards = tuple((int(number), str(game)) for number, game in cached["boards"])
    return CachedNames(login, boards, tuple(cached["challenges"]), tuple(cached["players"]))


def _fetch(login: StoredLogin) -> dict[str, Any]:
    # As plain JSON: the classes of `sarsen.client.Client` take longer to load than this does.
    transport = Transport(login.url, login.token, TIMEOUT)
    account = transport.ask("GET", "account")
    userid = account["userid"]
    query = urlencode({"player": userid, "state": "running", "most": MOST})
    lines = transport.ask("GET", f"boards?{query}")["boards"]
    waiting = set(account["to_move"])
    lines.sort(key=lambda line: line["number"] not in waiting)
    challenges = transport.ask("GET", "challenges")["challenges"]
    return {
        "url": login.url,
        "userid": userid,
        "at": time.time(),
        "boards": [[line["number"], line["game"]] for line in lines],
        "challenges": [
            challenge["number"]
            for challenge in challenges
            if challenge["may_accept"] or challenge["may_withdraw"]
        ],
        "players": sorted({player for line in lines for player in line["players"]} - {userid}),
    }


def _read_cache(login: StoredLogin) -> dict[str, Any] | None:
    try:
        cached: dict[str, Any] = json.loads((folder() / FILE).read_text(encoding="utf-8"))
        is_fresh = 0 <= time.time() - float(cached["at"]) < CACHED_FOR
        is_same = cached["url"] == login.url and login.userid in ("", cached["userid"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return cached if is_fresh and is_same else None


def _write_cache(facts: dict[str, Any]) -> None:
    handle, draft = tempfile.mkstemp(dir=folder(), prefix=f"{FILE}.")
    with open(handle, "w", encoding="utf-8") as file:
        json.dump(facts, file)
    os.replace(draft, folder() / FILE)
