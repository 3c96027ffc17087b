"""What happened in a contest, in sentences: its log, and the results of its boards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest
from operator import itemgetter

from sarsen.core.phrases import Phrase
from sarsen.language.grammar.dates import day_phrase
from sarsen.services.contests.log import Held
from sarsen.services.contests.state import ContestGame, Kind, Logged, Phase
from sarsen.services.contests.views.tables import KINDS
from sarsen.services.contests.views.wording import last_day, with_reason
from sarsen.storage.models import Player

RESULT = "result"  # a board ended; its result is not in the log
NEWS = (
    *(Kind.STARTED, Kind.WITHDRAWN, Kind.DECIDED, Kind.CORRECTED, Kind.CLOSED, Kind.ENDED),
    RESULT,
)
# The table shows which boards have started.
SHOWN = (*(kind for kind in Kind if kind is not Kind.BOARD), RESULT)
_SCORES = {1.0: "1-0", 0.5: "½-½", 0.0: "0-1"}


@dataclass(frozen=True)
class Happening:
    """Something that happened.

    Attributes:
        name: Unique in the contest, and never changes.
        kind: Of the event, or `result`.
        board: Of the server; None where it is about no board, or one that never began.
        at: When it was written, or when the board ended.
    """

    name: str
    kind: str
    words: Phrase | str
    board: int | None
    at: datetime


def happenings(
    held: Held, now: datetime, most: int, kinds: Collection[str]
) -> tuple[Happening, ...]:
    """Return what happened in a contest, the newest first.

    Args:
        most: How many at the most.
        kinds: Only of these.
    """
    # Of what happened at the same instant, results stand before all but the end.
    found: list[tuple[datetime, tuple[int, int], Logged | ContestGame]] = [
        (event.at, (2 * (event.kind == Kind.ENDED), event.number), event)
        for event in held.log
        if event.kind in kinds
    ]
    if RESULT in kinds:
        found += [
            (result.ended_at, (1, game.board or 0), game)
            for game in held.state.boards
            for result in [held.results.get(game.board or 0)]
            if result is not None and result.ended_at is not None and result.scores is not None
        ]
    newest = nlargest(most, found, key=itemgetter(0, 1))
    told = _Told(held, now, _userids(held, [what for _, _, what in newest]))
    return tuple(told.happening(at, what) for at, _, what in newest)


def _userids(held: Held, found: Collection[Logged | ContestGame]) -> Mapping[int, str]:
    """Return the userids of all who are named, also of players who have left."""
    games = {game.key: game for game in held.state.boards}
    keys: set[int] = set()
    for one in found:
        game = games.get(one.facts.get("key", "")) if isinstance(one, Logged) else one
        if game is not None:
            keys |= {held.state.by_number[number].player for number in game.numbers}
        if isinstance(one, Logged) and one.facts.get("player"):
            keys.add(one.facts["player"])
    return dict(Player.everyone.filter(pk__in=keys).values_list("pk", "userid"))


@dataclass(frozen=True)
class _Told:
    held: Held
    now: datetime
    userids: Mapping[int, str]

    def happening(self, at: datetime, what: Logged | ContestGame) -> Happening:
        if isinstance(what, ContestGame):
            result = self.held.results[what.board or 0]
            assert result.scores is not None  # only those are told
            words = Phrase(
                "{players}: {result}.",
                players=self._players(what),
                result=_SCORES.get(result.scores[0], f"{result.scores[0]:g}"),
            )
            return Happening(f"board-{what.board}", RESULT, words, what.board, at)
        key = what.facts.get("key")
        game = next((game for game in self.held.state.boards if game.key == key), None)
        if game is not None:
            words = self._about_board(what, game)
            return Happening(str(what.number), what.kind, words, game.board, at)
        return Happening(str(what.number), what.kind, self._about_all(what), None, at)

    def _players(self, game: ContestGame) -> Phrase:
        first, second = (
            self.userids[self.held.state.by_number[number].player] for number in game.numbers
        )
        return Phrase("{first} v {second}", first=first, second=second)

    def _about_board(self, event: Logged, game: ContestGame) -> Phrase:
        players = self._players(game)
        scores = event.facts.get("scores")
        result = _SCORES.get(scores[0], f"{scores[0]:g}") if scores else ""
        match event.kind:
            case Kind.BOARD:
                return Phrase("{players}: the game has started.", players=players)
            case Kind.DECIDED:
                return Phrase("{players}: decided {result}.", players=players, result=result)
            case Kind.CORRECTED:
                corrected = "{players}: corrected to {result}."
                return with_reason(event, Phrase(corrected, players=players, result=result))
            case Kind.CLOSED:
                return with_reason(event, Phrase("{players}: it does not count.", players=players))
        return Phrase("{players}: {what}.", players=players, what=self._kind(event))

    def _about_all(self, event: Logged) -> Phrase | str:
        player = self.userids.get(event.facts.get("player") or 0, "")
        match event.kind:
            case Kind.MADE:
                return Phrase("The contest was made.")
            case Kind.OPENED:
                day = last_day(self._open_until(event))
                return Phrase("Open until {day}.", day=day_phrase(day, self.now.date()))
            case Kind.ENTERED if "waits" in event.facts:
                return Phrase("{player} waits for a seat.", player=player)
            case Kind.ENTERED:
                return Phrase("{player} has joined.", player=player)
            case Kind.LEFT if self._has_started(event):
                return Phrase("{player} no longer waits for a seat.", player=player)
            case Kind.LEFT:
                return Phrase("{player} has left.", player=player)
            case Kind.STARTED:
                return Phrase("The contest has started.")
            case Kind.PAIRED:
                return Phrase("The first games are there, and everybody has been told.")
            case Kind.WARNED:
                return Phrase("{player} was warned.", player=player)
            case Kind.WITHDRAWN:
                return with_reason(event, Phrase("{player} is out of the contest.", player=player))
            case Kind.CLOSED if player:
                return Phrase("{player} has declined.", player=player)
            case Kind.CLOSED:
                closed = Phrase("The contest was closed before it started.")
                return with_reason(event, closed)
            case Kind.ENDED if "freed" in event.facts:
                return with_reason(event, Phrase("The ladder was closed."))
            case Kind.ENDED:
                return Phrase("The contest has ended.")
        if player:
            return Phrase("{player}: {what}.", player=player, what=self._kind(event))
        return self._kind(event)

    def _open_until(self, event: Logged) -> datetime:
        """Return when entry ends: as it was opened last, also before its day where it is filled."""
        said, state = datetime.fromisoformat(event.facts["starts_at"]), self.held.state
        is_newest = state.phase is Phase.OPEN and said == state.starts_at
        return state.entry_ends_at or said if is_newest else said

    def _has_started(self, event: Logged) -> bool:
        """Return whether an event came after the start, when only a waiting list is left."""
        started_at = self.held.state.started_at
        return started_at is not None and event.at >= started_at

    @staticmethod
    def _kind(event: Logged) -> Phrase | str:
        """Return the word for a kind of event without a sentence here."""
        return KINDS.get(event.kind, event.kind)
