"""What the streams of players tell of their contests."""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.services.contests.state import Entrant, Kind, Logged, State
from sarsen.services.notices import streams
from sarsen.storage.models import Player

STREAMED = (
    *(Kind.STARTED, Kind.WITHDRAWN, Kind.DECIDED, Kind.CORRECTED),
    *(Kind.CLOSED, Kind.ENDED),
)


def record(contest: int, event: Logged, state: State) -> None:
    """Store an event of a contest for those of its players whose programs listen.

    Args:
        state: After the event.
    """
    if event.kind not in STREAMED:
        return
    concerned = [entrant.player for entrant in _concerned(event, state)]
    players = list(Player.objects.filter(pk__in=concerned, has_stream=True, is_active=True))
    if not players:
        return
    game = next((game for game in state.boards if game.key == event.facts.get("key")), None)
    about = event.facts.get("player")
    facts = {
        "contest": contest,
        "event": event.number,
        "what": str(event.kind),
        "board": game.board if game else None,
        "player": Player.everyone.values_list("userid", flat=True).get(pk=about) if about else "",
    }
    streams.record_for_players(players, "contest", facts, event.at)


def _concerned(event: Logged, state: State) -> Iterator[Entrant]:
    """Yield the players of a board, the tier of somebody who is out, or else all entrants.

    A league of a thousand decides hundreds of boards at once: nobody is told of all.
    """
    if key := event.facts.get("key"):
        numbers = {number for game in state.boards if game.key == key for number in game.numbers}
        yield from (state.by_number[number] for number in numbers)
        return
    gone = state.entrant_of(event.facts["player"]) if "player" in event.facts else None
    for entrant in state.entrants:
        if gone is None or entrant is gone or (entrant.tier == gone.tier and not entrant.is_out):
            yield entrant
