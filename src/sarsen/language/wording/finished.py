"""Words about finished games: what they did to ratings."""

from __future__ import annotations

import re
from datetime import datetime

from sarsen.language.finished import FinishedGame, RatingChange
from sarsen.language.marks import marked
from sarsen.language.translating import _, later
from sarsen.language.wording.moments import moment
from sarsen.language.wording.ratings import points

# Why a game does not count; see `services.ratings.counting`.
_UNRATED = (
    *(later("played elsewhere and imported"), later("agreed unrated")),
    *(later("more than two seats"), later("both seats one player's")),
)


def rating_sentence(change: RatingChange, zone: str, now: datetime) -> str:
    """Say what the period does to a rating.

    `ann: 1500? before, about 1662? when the rating period ends on Mon 30 Nov 00:00 UTC.`

    Args:
        zone: Where the reader lives; "" for one who has not said so.
    """
    name = marked(change.userid, is_program=change.is_bot)
    before = _("no rating")
    if change.before is not None:
        before = points(change.before, is_provisional=change.was_provisional)
    ends = moment(change.ends_at, zone, now) if change.ends_at else ""
    on = _(" on {ends}").format(ends=ends) if ends else ""
    if change.after is None:
        return _("{name}: {before} before; counted when the rating period ends{on}.").format(
            name=name, before=before, on=on
        )
    facts = {
        "name": name,
        "before": before,
        "after": points(change.after, is_provisional=change.is_provisional),
        "on": on,
    }
    if change.is_final:
        return _("{name}: {before} before, {after} after the rating period that ended{on}.").format(
            **facts
        )
    more = _(", with {games} games in it so far").format(games=change.games)
    return _(
        "{name}: {before} before, about {after} when the rating period ends{on}{more}."
    ).format(**facts, more=more if change.games > 1 else "")


def ratings_text(game: FinishedGame, zone: str, now: datetime) -> str:
    """Say what the game does to ratings, a line a player."""
    if game.unrated:
        return _("It does not count for ratings: {why}.").format(why=_why(game.unrated))
    return "\n".join(rating_sentence(change, zone, now) for change in game.changes)


def _why(unrated: str) -> str:
    under = re.fullmatch(r"under (\d+) plies", unrated)
    return _("under {plies} plies").format(plies=under[1]) if under else _(unrated)
