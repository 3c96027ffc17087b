"""The letter about a rating after a period."""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone

from sarsen.doors.mail.composing import Letter
from sarsen.games import load
from sarsen.language.wording.finished import rating_sentence
from sarsen.services import signing
from sarsen.services.outbox import DueLetter
from sarsen.services.ratings.changes import change_of


def rating(due: DueLetter) -> Letter:
    """Tell a player what a closed period did to one rating."""
    assert due.player is not None  # ratings belong to players
    player, game = due.player, due.facts["game"]
    info = load(game).info
    change = change_of(player, game, due.facts["period"])
    games = f"{change.games} game{'' if change.games == 1 else 's'}"
    text = (
        f"{info.title}: a rating period is over, with {games} of yours in it.\n\n"
        f"{rating_sentence(change, player.timezone, timezone.now())}\n\n"
        f"All ratings: {settings.SARSEN_URL}/games/{game}/ratings/\n"
        f"Your games: answer this mail with `{game} history {player.userid}`."
    )
    return Letter(
        f"Your {info.title} rating",
        text,
        reply_to=signing.player_address(player),
        thread=f"rating.{player.pk}.{game}",
    )
