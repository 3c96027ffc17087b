"""The wish list: each vote is a row, and votes for the same name in any spelling are one wish."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.db.models import Count, Min, QuerySet

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, Typed
from sarsen.games import load, names
from sarsen.language.grammar.typography import QUOTES, one_line
from sarsen.language.publishing.wishes import (
    MAX_WISH,
    WISH_EXAMPLE,
    ShowWishes,
    Wish,
    WishStands,
)
from sarsen.language.ratings import Table
from sarsen.services.limits import daily
from sarsen.services.request import Player, Request
from sarsen.storage.models import GameWish

MAX_STANDING = 10  # votes of one player: with more, they would no longer tell games apart
MAX_LISTED = 100
COLUMNS = ("wish", "votes")


@dataclass(frozen=True)
class ListedWish:
    """A game that is wished for; `is_own` where the viewer has voted for it."""

    name: str
    votes: int
    is_own: bool


def wish(command: Wish, request: Request) -> WishStands:
    """Store the speaker's vote, which counts once, or delete it."""
    player = request.player(WISH_EXAMPLE)
    first, _, others = command.name.partition(" ")
    # Usage lines show USERID, so players whose mail proves them may type theirs, too.
    name, key = _name_and_key(others if others and first.lower() == player.key else command.name)
    if command.withdraws:
        return _withdraw(player, name, key)
    _check_absent(key)
    votes = GameWish.objects.filter(player=player)
    if not votes.filter(key=key).exists():
        if votes.count() >= MAX_STANDING:
            raise UserError(
                "You have voted for {most} games, as many as one can.",
                code="too-many-wishes",
                hint=Typed(f"wish {votes.earliest('pk').name} off"),
                most=MAX_STANDING,
            )
        daily.check(player, "wish", request.now)
        GameWish.objects.get_or_create(
            player=player, key=key, defaults={"name": name, "at": request.now}
        )
    return WishStands(_first_name(key, name), _votes(key))


def show_wishes(command: ShowWishes, request: Request) -> Table:
    """Return the wishes as a table."""
    rows = tuple((one.name, str(one.votes)) for one in wished(request.actor.player))
    return Table(Phrase("Games that players wish for"), COLUMNS, rows)


def wished(viewer: Player | None) -> list[ListedWish]:
    """Return what is wished for: most votes first, then the oldest."""
    counted = _standing().values("key").annotate(votes=Count("pk"), first=Min("pk"))
    groups = list(counted.order_by("-votes", "first")[:MAX_LISTED])
    first_names = dict(
        GameWish.objects.filter(pk__in=[group["first"] for group in groups]).values_list(
            "pk", "name"
        )
    )
    own: set[str] = set()
    if viewer is not None:
        own = set(GameWish.objects.filter(player=viewer).values_list("key", flat=True))
    return [
        ListedWish(first_names[group["first"]], group["votes"], group["key"] in own)
        for group in groups
    ]


def remove(row: GameWish) -> None:
    """Delete a wish with all its votes."""
    GameWish.objects.filter(key=row.key).delete()


def _withdraw(player: Player, name: str, key: str) -> WishStands:
    first = _first_name(key, name)
    deleted, _ = GameWish.objects.filter(player=player, key=key).delete()
    if not deleted:
        raise UserError(
            "You have no vote for {name}.", code="no-wish", hint="wishes", name=Typed(name)
        )
    return WishStands(first, _votes(key), is_withdrawn=True)


def _name_and_key(typed: str) -> tuple[str, str]:
    name = one_line(typed).strip(f"<>[]{{}} {QUOTES}“”„‘’«»")
    key = re.sub(r"[\W_]+", "", name.casefold())
    if len(name) > MAX_WISH:
        raise UserError(
            "The name of a game has at most {most} characters here; this one has {count}.",
            code="wish-too-long",
            hint=WISH_EXAMPLE,
            most=MAX_WISH,
            count=len(name),
        )
    if not re.search(r"[^\W\d_]", key) or key in ("name", "game"):  # as help pages write it
        raise UserError("The name of a game has letters.", code="wish-missing", hint=WISH_EXAMPLE)
    return name, key


def _check_absent(key: str) -> None:
    """Refuse a vote for a game that is here."""
    for name in names():
        if key in (name, re.sub(r"[\W_]+", "", load(name).info.title.casefold())):
            raise UserError(
                "{game} is played here already.",
                code="game-is-here",
                hint=f"help {name}",
                game=load(name).info.title,
            )


def _standing() -> QuerySet[GameWish]:
    """Return the votes that count."""
    return GameWish.objects.filter(player__is_active=True, player__banned_at=None)


def _votes(key: str) -> int:
    return int(_standing().filter(key=key).count())


def _first_name(key: str, name: str) -> str:
    first = GameWish.objects.filter(key=key).order_by("pk").first()
    return first.name if first is not None else name
