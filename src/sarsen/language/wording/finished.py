"""Words about finished games: what they did to ratings."""

from __future__ import annotations

from datetime import datetime

from sarsen.language.finished import FinishedGame, RatingChange
from sarsen.language.marks import marked
from sarsen.language.wording.moments import moment
from sarsen.language.wording.ratings import points


def rating_sentence(change: RatingChange, zone: str, now: datetime) -> str:
    """Say what the period does to a rating.

    `ann: 1500? before, about 1662? when the rating period ends on Mon 30 Nov 00:00 UTC.`

    Args:
        zone: Where the reader lives; "" for one who has not said so.
    """
    name = marked(change.userid, is_program=change.is_bot)
    before = "no rating"
    if change.before is not None:
        before = points(change.before, is_provisional=change.was_provisional)
    ends = moment(change.ends_at, zone, now) if change.ends_at else ""
    if change.after is None:
        return f"{name}: {before} before; counted when the rating period ends{_on(ends)}."
    after = points(change.after, is_provisional=change.is_provisional)
    if change.is_final:
        return f"{name}: {before} before, {after} after the rating period that ended{_on(ends)}."
    more = f", with {change.games} games in it so far" if change.games > 1 else ""
    return f"{name}: {before} before, about {after} when the rating period ends{_on(ends)}{more}."


def ratings_text(game: FinishedGame, zone: str, now: datetime) -> str:
    """Say what the game does to ratings, a line a player."""
    if game.unrated:
        return f"It does not count for ratings: {game.unrated}."
    return "\n".join(rating_sentence(change, zone, now) for change in game.changes)


def _on(ends: str) -> str:
    return f" on {ends}" if ends else ""
