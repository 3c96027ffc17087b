"""Words about finished games: the record as text, and what happened to ratings."""

from __future__ import annotations

from datetime import UTC, datetime

from sarsen.language.finished import FinishedGame, RatingChange
from sarsen.language.wording.moments import moment
from sarsen.language.wording.ratings import points


def result_sentence(game: FinishedGame) -> str:
    """Say who won, and why: `bob wins. V resigned.`"""
    return f"{f'{game.winner} wins.' if game.winner else 'A draw.'} {game.reason}"


def rating_sentence(change: RatingChange, zone: str, now: datetime) -> str:
    """Say what the period does to a rating.

    `ann: 1500? before, about 1662? when the rating period ends on Mon 30 Nov 00:00 UTC.`

    Args:
        zone: Where the reader lives; "" for one who has not said so.
    """
    name = f"{change.userid} (bot)" if change.is_bot else change.userid
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


def record_text(game: FinishedGame) -> str:
    """Write the whole record in plain text, times in UTC."""
    agreed = f" ({game.agreed})" if game.agreed else ""
    seats = ", ".join(f"{side}: {player}" for side, player in game.seats)
    lines = [
        f"{game.title}{agreed}",
        seats,
        f"Began {_time(game.started_at)}, ended {_time(game.ended_at)} (UTC)",
        f"Result: {result_sentence(game)}",
    ]
    if game.moves:
        width = max(len(move.text) for move in game.moves)
        lines.append("")
        lines += [
            f"{move.ply:>4}. {move.text.ljust(width)}  {_time(move.at)}  {move.player}"
            for move in game.moves
        ]
    return "\n".join(lines)


def _on(ends: str) -> str:
    return f" on {ends}" if ends else ""


def _time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"
