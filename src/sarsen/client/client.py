"""Everything a program can ask of a server and do there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

from sarsen.client.event_streams import events_of, patiently
from sarsen.client.transport import PATIENCE, ServerReply, Transport, new_key, read_reply, speak
from sarsen.core.phrases import Phrase
from sarsen.language.commands import (
    Accept,
    Chat,
    Command,
    Decline,
    MakeChallenge,
    PlayMove,
    Resign,
)
from sarsen.language.facts import (
    AccountFacts,
    BoardFacts,
    BoardLine,
    BoardList,
    ChallengeFacts,
    ChallengeList,
    GameFacts,
    GameList,
    NewTokenFacts,
    PlayerFacts,
    RatingLine,
    RatingList,
    StandingLine,
    StandingList,
    StreamEvent,
)
from sarsen.language.replies import (
    ChallengeEnded,
    ChallengeStands,
    ChatSaid,
    Moved,
    Reply,
    Resigned,
    decode,
)

Facts = TypeVar("Facts")
Kind = TypeVar("Kind", bound=Reply)


@dataclass(frozen=True)
class CommandResult(Generic[Kind]):
    """The result of a command.

    Attributes:
        text: In words; of a typed line and of a question, with the boards it shows.
        reply: As facts: `language.replies`.
    """

    text: str
    reply: Kind


Answer = CommandResult  # its name until version 0.4


class Client:
    """A server, as the holder of the token sees it; without one, as everybody does.

    Every request that changes something has a key of its own, and is sent once more when
    no answer came: it is done once all the same.
    """

    def __init__(self, url: str, token: str = "", *, patience: float = PATIENCE) -> None:
        """Talk to the server at an address.

        Args:
            patience: Seconds without a byte after which it counts as away.
        """
        self._transport = Transport(url.rstrip("/"), token, patience)

    @property
    def url(self) -> str:
        """Where the server is."""
        return self._transport.url

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._transport.close()

    # Callers without a token.

    def ask_code(self, userid: str) -> str:
        """Ask the server to mail a login code to a player; return its answer."""
        answer = self._transport.ask("POST", "login", {"userid": userid})
        if not isinstance(answer, dict):
            raise self._transport.unreachable(Phrase("it is not a sarsen server"))
        return str(answer.get("text", ""))

    def use_code(
        self, userid: str, code: str, label: str = "program", scopes: tuple[str, ...] = ()
    ) -> NewTokenFacts:
        """Get a token for the code of the letter, and speak by it from now on."""
        request: dict[str, Any] = {"userid": userid, "code": code, "label": label}
        request |= {"scopes": list(scopes)} if scopes else {}
        answer = self._transport.ask("POST", "login/code", request)
        token = self._transport.read(NewTokenFacts, answer)
        self._transport.token = token.token
        return token

    # Commands.

    def line(
        self, line: str, body: str = "", *, board: int | None = None, matter: str = ""
    ) -> CommandResult[Reply]:
        """Perform a line as typed at any door: `druid move 123 c3`.

        Args:
            body: The lines below it.
            board, matter: What it answers, when it is a bare `yes` or a bare move.
        """
        reply = speak(self._transport, line, body, board=board, matter=matter)
        return self._read(reply)

    def perform(self, command: Command) -> CommandResult[Reply]:
        """Perform any command of the language."""
        name = command.words[0].replace(" ", "-")
        # What has its default is left out: an empty `level` is no level that the server knows.
        arguments = {
            attribute.name: value
            for attribute in fields(command)
            if (value := getattr(command, attribute.name)) != attribute.default
        }
        key = "" if command.is_query else new_key()
        answer = self._transport.ask("POST", f"commands/{name}", arguments, key)
        return self._read(read_reply(self._transport, answer))

    def move(
        self, board: int, text: str, *, ply: int | None = None, event: int | None = None
    ) -> CommandResult[Moved]:
        """Play a move; with `ply`, counted from 1, only if that ply is due.

        Args:
            event: Beside `ply`: only if the match has had so many events.
        """
        return _expect(Moved, self.perform(PlayMove("", board, text, ply, event)))

    def answer(self, board: BoardFacts, text: str) -> CommandResult[Moved]:
        """Play a move on a board as it was read; refused if it has moved on meanwhile."""
        return self.move(board.number, text, ply=board.ply + 1, event=board.event)

    def resign(self, board: int) -> CommandResult[Resigned]:
        """Resign a game at once."""
        return _expect(Resigned, self.perform(Resign("", board, confirmed=True)))

    def chat(self, board: int, text: str) -> CommandResult[ChatSaid]:
        """Send a chat line at a board."""
        return _expect(ChatSaid, self.perform(Chat("", board, text)))

    def challenge(
        self, game: str, *names: str, options: str = "", terms: tuple[str, ...] = ()
    ) -> CommandResult[ChallengeStands]:
        """Propose a game to players by seat; `me` is the caller, `anyone` leaves a seat open."""
        return _expect(ChallengeStands, self.perform(MakeChallenge(game, options, terms, names)))

    def accept(self, number: int) -> CommandResult[ChallengeStands]:
        """Accept a challenge."""
        return _expect(ChallengeStands, self.perform(Accept(number)))

    def decline(self, number: int, reason: str = "") -> CommandResult[ChallengeEnded]:
        """Decline a challenge."""
        return _expect(ChallengeEnded, self.perform(Decline(number, reason)))

    # What there is to read.

    def games(self) -> tuple[GameFacts, ...]:
        """List the games of the server."""
        return self._get(GameList, "games").games

    def game(self, name: str) -> GameFacts:
        """Return the description of a game."""
        return self._get(GameFacts, f"games/{quote(name, safe='')}")

    def board(self, number: int, ply: int | None = None) -> BoardFacts:
        """Return a board as it is now, or after so many plies."""
        after = "" if ply is None else f"/plies/{ply}"
        return self._get(BoardFacts, f"boards/{number}{after}")

    def boards(
        self, *, game: str = "", player: str = "", state: str = "all"
    ) -> Iterator[BoardLine]:
        """Yield boards, the newest first, page after page. States: running, ended, all."""
        query: dict[str, Any] = {"game": game, "player": player, "state": state, "most": 100}
        while True:
            page = self._get(BoardList, f"boards?{urlencode(query)}")
            yield from page.boards
            if page.further is None:
                return
            query["before"] = page.further

    def record(self, number: int) -> dict[str, Any]:
        """Return the signed record of a finished game; `core.records.as_json` reads it."""
        record: dict[str, Any] = self._transport.ask("GET", f"boards/{number}/record")
        return record

    def player(self, userid: str) -> PlayerFacts:
        """Return what is public of a player."""
        return self._get(PlayerFacts, f"players/{quote(userid, safe='')}")

    def ratings(self, game: str) -> tuple[RatingLine, ...]:
        """List the players of a game by strength."""
        return self._get(RatingList, f"games/{quote(game, safe='')}/ratings").ratings

    def standings(self, game: str) -> tuple[StandingLine, ...]:
        """List the wins, losses and draws of each player."""
        return self._get(StandingList, f"games/{quote(game, safe='')}/standings").standings

    def challenges(self, game: str = "") -> tuple[ChallengeFacts, ...]:
        """List challenges that anyone may take, and those that concern the caller."""
        return self._get(ChallengeList, f"challenges?{urlencode({'game': game})}").challenges

    def challenge_facts(self, number: int) -> ChallengeFacts:
        """Return a challenge, and what the caller may do about it."""
        return self._get(ChallengeFacts, f"challenges/{number}")

    def account(self) -> AccountFacts:
        """Return who the token speaks for, and what waits."""
        return self._get(AccountFacts, "account")

    def mark_program(self, is_program: bool = True) -> AccountFacts:
        """Mark whether a program plays for this account."""
        answer = self._transport.ask("PATCH", "account", {"is_program": is_program})
        return self._transport.read(AccountFacts, answer)

    def revoke(self, number: int) -> None:
        """End a token of the caller's at once."""
        self._transport.ask("DELETE", f"account/tokens/{number}")

    def export(self) -> Iterator[str]:
        """Yield all that the server keeps of the caller, as lines of JSON."""
        yield from self._transport.lines("account/export", "application/jsonl")

    # What happens.

    def events(self, since: int | None = None) -> Iterator[StreamEvent]:
        """Yield what happens at the caller's boards, for ever; connections that end are renewed.

        Args:
            since: The id of the last item that is known; None begins now.
        """
        return events_of(self._transport, "events", since)

    def board_events(self, board: int, since: int | None = None) -> Iterator[StreamEvent]:
        """Yield the board as it stands, then what happens there, until its game is over.

        Args:
            since: The id of the last item that is known; None begins now, 0 with the first move.
        """
        is_all_told = since is None
        for event in events_of(self._transport, f"events/boards/{board}", since):
            yield event
            if event.kind == "hello":
                if event.facts["scores"] is not None and is_all_told:
                    return
                is_all_told = True  # as the next one says, where nothing came between
            elif event.kind == "end":
                return

    def public_events(self, since: int | None = None) -> Iterator[StreamEvent]:
        """Yield the moves and ends of all public games, for ever."""
        return events_of(self._transport, "events/boards", since)

    def turns(self, board: int | None = None) -> Iterator[BoardFacts]:
        """Yield every board that waits for the caller's move, as soon as it does.

        One that still waits comes again when the connection was renewed.

        Args:
            board: Only this one, until its game is over.
        """
        reported: dict[int, int] = {}
        for event in self.events():
            waiting: list[int] = []
            if event.kind == "hello":
                reported.clear()
                waiting = list(event.facts.get("to_move") or ())
            if event.is_your_turn and event.board is not None:
                waiting = [event.board]
            for number in waiting:
                if board not in (None, number):
                    continue
                facts = patiently(partial(self.board, number))
                is_mine = facts.own is not None and facts.to_move in facts.own.seats
                if is_mine and reported.get(number) != facts.event:
                    reported[number] = facts.event
                    yield facts
            ended = event.kind == "end" and event.board == board
            if board is not None and (ended or (event.kind == "hello" and self._is_over(board))):
                return

    def _is_over(self, board: int) -> bool:
        return patiently(partial(self.board, board)).is_over

    def _get(self, kind: type[Facts], path: str) -> Facts:
        return self._transport.read(kind, self._transport.ask("GET", path))

    def _read(self, reply: ServerReply) -> CommandResult[Reply]:
        try:
            return CommandResult(reply.text, decode(reply.facts))
        except (TypeError, KeyError, AttributeError):
            raise self._transport.unreachable(
                Phrase("this release does not understand its response")
            ) from None


def _expect(kind: type[Kind], answer: CommandResult[Reply]) -> CommandResult[Kind]:
    """Return an answer whose reply is of the one kind that its command has."""
    assert isinstance(answer.reply, kind)  # the server's handler of the command gives no other
    return CommandResult(answer.text, answer.reply)
