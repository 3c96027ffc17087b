"""Play on a server with any engine of the protocol, or with one of our bots: `sarsen bot`.

The engine knows nothing of the network: it gets the moves of a board and is asked for one.
Everything that the server keeps is read again from it, so that a bot that was stopped, or lost its
connection, goes on where its boards stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from sarsen.client import Client, Refused
from sarsen.client.event_streams import patiently
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.games import load
from sarsen.lab.contestants import Contestant, EngineFault, EngineMoved, EngineResigned, Kind
from sarsen.language.facts import BoardFacts, ChallengeFacts, StreamEvent

FORBIDDEN = 403
MAX_FAULTS = 3  # of the engine in one position; then the board waits for a person


@dataclass(frozen=True)
class EngineState:
    """The position that the engine holds: a board, and the moves it was told or played there."""

    board: int
    moves: tuple[str, ...]


@dataclass
class ServerBot:
    """Answer invitations and play the boards of one account, one after another.

    Attributes:
        accepted: The games whose invitations are accepted.
        most_boards: Invitations beyond so many running boards are declined.
        report: Called with one line for each thing done.
    """

    client: Client
    player: Contestant
    accepted: frozenset[str]
    most_boards: int
    report: Callable[[str], None]
    userid: str = ""
    _state: EngineState | None = None
    _faults: Counter[tuple[int, int]] = field(default_factory=Counter)

    def run(self) -> None:
        """Play until interrupted; a server that is away is waited for.

        Raises:
            Refused: The server does not accept the token.
            Unreachable: What answers is no server.
        """
        self.userid = self._marked()
        self.report(f"Playing as {self.userid} at {self.client.url}. Press Ctrl-C to stop.")
        for event in self.client.events():
            self.take(event)

    def _marked(self) -> str:
        """Mark the account as a program's, and return its userid."""
        try:
            return self.client.mark_program().userid
        except Refused as refused:
            if refused.status != FORBIDDEN:
                raise
        account = self.client.account()
        if not account.is_program:
            self.report(
                "The token cannot mark this account as a program: mark it in your settings."
            )
        return account.userid

    def take(self, event: StreamEvent) -> None:
        """Answer the invitations and play the boards that an item of the stream names."""
        invitations, boards = _asked_by(event)
        for number in invitations:
            self._retry_while_away(f"Challenge {number}", partial(self._answer_challenge, number))
        for number in boards:
            self._retry_while_away(f"Board {number}", partial(self._play, number))
        if event.kind == "end":
            self.report(f"Board {event.board} is over: {event.facts.get('reason', '')}")

    def _retry_while_away(self, subject: str, step: Callable[[], None]) -> None:
        """Call a step, and retry while the server is away, since its stream may outlast that."""
        try:
            patiently(step, lambda away: self.report(f"{subject}: {away.text} Retrying."))
        except UserError as refused:
            self.report(f"{subject}: {refused.text}")

    def _answer_challenge(self, number: int) -> None:
        challenge = self.client.challenge_facts(number)
        if not challenge.may_accept:
            return
        reason = self._reason_to_decline(challenge)
        if reason:
            self.client.decline(number, reason)
            self.report(f"Challenge {number} by {challenge.challenger} is declined: {reason}")
            return
        self.client.accept(number)
        self.report(f"Challenge {number} by {challenge.challenger} is accepted.")

    def _reason_to_decline(self, challenge: ChallengeFacts) -> str:
        """Return why a challenge is declined; "" when it is accepted."""
        if challenge.game not in self.accepted:
            return f"I play {', '.join(sorted(self.accepted)) or 'no new games at the moment'}."
        running = self.client.boards(player=self.userid, state="running")
        if sum(1 for _ in zip(running, range(self.most_boards), strict=False)) >= self.most_boards:
            return "I am playing as many boards as I can. Please ask again later."
        return ""

    def _play(self, number: int) -> None:
        """Play a board if it waits; start an engine that fails anew, and ask it again."""
        while True:
            board = self.client.board(number)
            if board.own is None or board.to_move not in board.own.seats:
                return
            key = (number, board.event)
            if self._faults[key] >= MAX_FAULTS:
                return
            fault = self._answer(board)
            if fault is None:
                del self._faults[key]
                return
            self._state = None
            self._faults[key] += 1
            is_last = self._faults[key] == MAX_FAULTS
            end = (
                "It will not be asked again in this position."
                if is_last
                else "It will be asked again."
            )
            self.report(f"Board {number}: the engine {fault.text}. {end}")

    def _answer(self, board: BoardFacts) -> EngineFault | None:
        """Let the engine choose a move and play it; return what it did wrong, if anything."""
        position = self._send_moves(board)
        if isinstance(position, EngineFault):
            return position
        choice = self.player.choose(position)
        if isinstance(choice, EngineFault):
            return choice
        if isinstance(choice, EngineResigned):
            self.client.resign(board.number)
            self.report(f"Board {board.number}: resigned.")
            self._state = None
            return None
        return self._send(board, position, choice)

    def _send(
        self, board: BoardFacts, position: AnyPosition, choice: EngineMoved
    ) -> EngineFault | None:
        try:
            text = position.format(position.parse(choice.text))
        except UserError as refused:
            return EngineFault(Kind.ILLEGAL, refused.text)
        self._state = None  # until the server has taken the move
        self.client.answer(board, text)
        self._state = EngineState(board.number, (*_texts(board), text))
        self.report(f"Board {board.number}: {text} as move {board.ply + 1}.")
        return None

    def _send_moves(self, board: BoardFacts) -> AnyPosition | EngineFault:
        """Bring the engine to a board's position; only new moves where it is there already."""
        game = _rules(board)
        position, texts = game.start(board.options), _texts(board)
        state = self._state
        is_known = state is not None and state.board == board.number
        known_plies = len(state.moves) if state and texts[: len(state.moves)] == state.moves else 0
        if not (is_known and known_plies):
            known_plies = 0
            fault = self.player.begin(position, board.number)
            if fault:
                return fault
        self._state = None
        for ply, text in enumerate(texts):
            fault = self.player.watch(position, text) if ply >= known_plies else None
            if fault:
                return fault
            position = position.play(position.parse(text))
        self.player.get_ready(position)
        return position


def _asked_by(event: StreamEvent) -> tuple[list[int], list[int]]:
    """Return the challenges and the boards that an item of the stream asks to look at."""
    if event.kind == "hello":
        return list(event.facts.get("invitations") or ()), list(event.facts.get("to_move") or ())
    invitations = [int(event.facts["challenge"])] if event.kind == "invitation" else []
    boards = [event.board] if event.is_your_turn and event.board is not None else []
    return invitations, boards


def _texts(board: BoardFacts) -> tuple[str, ...]:
    return tuple(move.text for move in board.moves)


def _rules(board: BoardFacts) -> Game:
    """Return the rules of a board's game.

    Raises:
        UserError: They are not installed here, or of another version than the server's.
    """
    game = load(board.game)
    if game.info.rules_version != board.rules_version:
        raise UserError(
            f"The server uses version {board.rules_version} of the rules of {game.info.title}, but "
            f"version {game.info.rules_version} is installed here.",
            code="other-rules",
            hint="Install the release of sarsen that the server runs.",
        )
    return game
