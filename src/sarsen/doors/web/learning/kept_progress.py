"""The cookie of a visitor without a player: the progress in lessons, in a few letters.

A game, the ids of its steps that are done, the game of a declined lesson with `!`; last the step
with wrong tries and their number: `druid.win.lintel|gyges!|:druid.block.2`.
It is no secret and decides nothing: whoever changes it sees other steps marked as done.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from sarsen.doors.web.frame.visitors import keep_preference, speaker
from sarsen.services.learning.progress import Progress, all_stored_progress, stored_progress

COOKIE = "lessons"
MAX_COOKIE = 1500  # characters: some hundred steps; games played last stay
_GAME = re.compile(r"[a-z0-9_-]{1,40}!?(?:\.[a-z0-9-]{1,40})*")
_TRIES = re.compile(r":([a-z0-9_-]{1,40})\.([a-z0-9-]{1,40})\.([0-9]{1,2})")


@dataclass(frozen=True)
class KeptProgress:
    """The progress in lessons that a browser keeps, by game, the one played last at the end."""

    games: Mapping[str, Progress] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Self:
        """Read the text of `write`; anything else is left out."""
        games: dict[str, Progress] = {}
        for part in text[:MAX_COOKIE].split("|"):
            if found := _TRIES.fullmatch(part):
                game, step, tries = found.groups()
                games[game] = replace(games.get(game, Progress()), step=step, tries=int(tries))
            elif _GAME.fullmatch(part):
                name, *done = part.split(".")
                game, is_declined = name.rstrip("!"), name.endswith("!")
                games[game] = Progress(tuple(done), is_declined=is_declined)
        return cls(games)

    def write(self) -> str:
        """Write it in letters that a cookie can hold; the games played first fall out."""
        parts = [
            ".".join((game + "!" * one.is_declined, *one.done)) for game, one in self.games.items()
        ]
        last = next(reversed([*self.games]), "")
        if last and (at := self.games[last]).tries:
            parts.append(f":{last}.{at.step}.{min(at.tries, 99)}")
        while len("|".join(parts)) > MAX_COOKIE:
            parts.pop(0)
        return "|".join(parts)

    def of(self, game: str) -> Progress:
        """Return how far the visitor is in the lesson of a game."""
        return self.games.get(game, Progress())

    def with_game(self, game: str, progress: Progress) -> Self:
        """Return it with the progress in one game, which is then the one played last."""
        others = {name: one for name, one in self.games.items() if name != game}
        return replace(self, games=others | {game: progress})


def kept_in(request: HttpRequest) -> KeptProgress:
    """Return what the browser of a request keeps."""
    return KeptProgress.read(request.COOKIES.get(COOKIE, ""))


def progress_in(request: HttpRequest, game: str) -> Progress:
    """Return how far a visitor is in a game's lesson: stored for players, else kept."""
    player = speaker(request)
    return stored_progress(player, game) if player else kept_in(request).of(game)


def all_progress(request: HttpRequest) -> Mapping[str, Progress]:
    """Return how far a visitor is in every lesson begun, by game."""
    player = speaker(request)
    return all_stored_progress(player) if player else kept_in(request).games


def keep_progress(
    request: HttpRequest, response: HttpResponseBase, game: str, progress: Progress
) -> None:
    """Have the browser of a visitor keep how far it is in a game's lesson."""
    kept = kept_in(request).with_game(game, progress)
    keep_preference(request, response, COOKIE, kept.write())
