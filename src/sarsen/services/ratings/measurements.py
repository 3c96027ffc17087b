"""How strong the server's programs are at plug-in games, measured by games between them.

`sarsen measure` plays these games. Until they are done, programs begin where `glicko` puts a
level of any game, too uncertain to be shown. Then all results of the game are rated anew, so
that ratings follow from the results and from where programs begin, and from nothing else.
See decision 0068.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F

from sarsen.games import names
from sarsen.services.ratings.rating import rate_anew
from sarsen.storage import transactions
from sarsen.storage.models import Measurement


def is_due(game: str, version: str) -> bool:
    """Return whether a version of a game is still to be measured, and was not given up."""
    decided = Measurement.objects.exclude(state=Measurement.State.RUNNING)
    return not decided.filter(game=game, version=version).exists()


def begin(game: str, version: str, *, played: int, games: int) -> None:
    """Note that programs are being measured; their ratings of an earlier version stay.

    Args:
        played: In earlier runs.
        games: To play in all.
    """
    state = Measurement.State.RUNNING
    Measurement.objects.update_or_create(
        game=game,
        defaults={"version": version, "state": state, "played": played, "games": games},
    )


def note_played(game: str, played: int) -> None:
    """Note how many games have been played."""
    Measurement.objects.filter(game=game).update(played=played)


def give_up(game: str) -> None:
    """Note that this version cannot be measured."""
    Measurement.objects.filter(game=game).update(state=Measurement.State.GIVEN_UP)


def finish(game: str, ratings: Sequence[float]) -> None:
    """Start programs at the ratings measured, by level from 1 on, and rate the game anew."""

    def store() -> None:
        done = {"state": Measurement.State.DONE, "ratings": list(ratings), "played": F("games")}
        Measurement.objects.filter(game=game).update(**done)
        rate_anew(game)

    transactions.in_transaction(store)


def measurements() -> tuple[Measurement, ...]:
    """Return the measurements of the games that are installed, by name."""
    return tuple(Measurement.objects.filter(game__in=names()).order_by("game"))


def running_measurement(game: str) -> Measurement | None:
    """Return the measurement of a game while it goes on."""
    return Measurement.objects.filter(game=game, state=Measurement.State.RUNNING).first()
