"""What letters about leagues say of seasons: tiers, ups and downs, and the next one."""

from __future__ import annotations

from sarsen.language.translating import _, translated
from sarsen.services.contests.views.season_view import SeasonView


def season_begins(season: SeasonView) -> str:
    """Return in which tier a player is, and that the next season is open already."""
    tier = _("You are in tier {tier} of {tiers}.").format(tier=season.tier, tiers=season.tiers)
    if season.following is None or not season.is_in:
        return tier
    stays = _(
        "The next season is contest {following}, and you are in it, too. If you want to stop after "
        "this one, reply with `contest leave {following}`."
    ).format(following=season.following)
    return f"{tier} {stays}"


def season_is_over(season: SeasonView) -> str:
    """Return who goes up and down, and when the next season starts."""
    return "\n\n".join(filter(None, [_own_way(season), _ways(season), _next(season)]))


def _own_way(season: SeasonView) -> str:
    if season.wish is None:
        return ""
    if season.wish < season.tier:
        return _("Well done: you go up to tier {tier}.").format(tier=season.wish)
    if season.wish > season.tier:
        return _("You go down to tier {tier}.").format(tier=season.wish)
    return _("You stay in tier {tier}.").format(tier=season.tier)


def _ways(season: SeasonView) -> str:
    """Name those of the reader's tier who go up and down."""
    up = _("Up go: {players}.").format(players=", ".join(season.ups)) if season.ups else ""
    down = _("Down go: {players}.").format(players=", ".join(season.downs)) if season.downs else ""
    return " ".join(filter(None, [up, down]))


def _next(season: SeasonView) -> str:
    if season.following is None:
        return _("There is no next season.")
    facts = {"following": season.following, "day": translated(season.first_day)}
    if season.is_in:
        return _(
            "The next season, contest {following}, starts on {day}, and you are in it. To leave "
            "it, reply with `contest leave {following}`."
        ).format(**facts)
    return _(
        "The next season, contest {following}, starts on {day}. To join it, reply with "
        "`contest join {following}`."
    ).format(**facts)
