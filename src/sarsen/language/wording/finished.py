"""Words about finished games: what they did to ratings."""

from __future__ import annotations

import re

from sarsen.language.finished import FinishedGame, RatingChange
from sarsen.language.marks import marked
from sarsen.language.translating import _, later
from sarsen.language.wording.ratings import change_words

# Why a game does not count; see `services.ratings.counting`.
_UNRATED = (
    *(later("played elsewhere and imported"), later("agreed unrated")),
    *(later("more than two seats"), later("both seats one player's"), later("a guest played")),
)


def rating_sentence(change: RatingChange) -> str:
    """Return what a game did to one rating: `ann: rating 1500? → 1662? (+162)`."""
    name, figures = marked(change.userid, is_program=change.is_bot), change_words(change)
    if not figures:
        return _("{name}: the new rating will be here in a moment.").format(name=name)
    return _("{name}: rating {figures}").format(name=name, figures=figures)


def ratings_text(game: FinishedGame) -> str:
    """Return what a game did to the ratings, a line for each player."""
    if game.unrated:
        return _("It does not count for ratings: {why}.").format(why=_why(game.unrated))
    if not game.changes:
        return _("It does not count for ratings.")
    return "\n".join(map(rating_sentence, game.changes))


def _why(unrated: str) -> str:
    under = re.fullmatch(r"under (\d+) plies", unrated)
    return _("under {plies} plies").format(plies=under[1]) if under else _(unrated)
