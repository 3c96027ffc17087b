"""What everybody may see of a player."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    AutoAccept,
    Command,
    History,
    ListBoards,
    Refuse,
    ShowProfile,
    Standings,
)
from sarsen.language.replies import Table, Tables
from sarsen.services.accounts.player_pages import view_player
from sarsen.services.admin import actions
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.matches import matches
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import Match
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
BY_SERVER = Request(NOBODY, NOW, AFTER_EVENTS)


def test_games_lost_on_time_are_told_by_their_last_event_and_not_by_words() -> None:
    world = World()
    forfeited, resumed, resigned = (
        Match.objects.get(pk=world.board(moves="a1 d4 a2 c4", options="-size=4")) for _ in range(3)
    )
    for match in (forfeited, resumed):
        matches.record_forfeit(match, BY_SERVER)  # it was the turn of ann
    actions.undo_forfeit(resumed.pk, "The relay was away.", NOW)
    resumed.refresh_from_db()
    for match in (resumed, resigned):
        matches.record_resignation(match, 0, BY_SERVER)
    Match.objects.filter(pk=forfeited.pk).update(reason="Time forfeit.")
    Match.objects.filter(pk=resigned.pk).update(reason="I ran out of time.")
    ann, bob = view_player("ann", None, NOW), view_player("bob", None, NOW)
    assert (len(ann.ended), ann.late) == (3, 1)
    assert (len(bob.ended), bob.late) == (3, 0)


def test_what_starts_at_once_is_told_of_games_and_never_of_people() -> None:
    world = World()
    bob, _ = world.player("bob"), world.player("ann")
    for names, told in (
        (("ann", "druid", "vasco"), ("druid", "vasco")),
        (("anyone", "druid"), ("anyone",)),
        (("ann",), ()),
    ):
        perform(AutoAccept(("off",)), Actor(bob), "", NOW)
        perform(AutoAccept(names), Actor(bob), "", NOW)
        assert view_player("bob", None, NOW).takes == told
        listed = perform(ListBoards(), NOBODY, "", NOW)
        assert isinstance(listed, Tables)
        rows = [row for one in listed.tables for row in one.rows if row[0] == "bob"]
        assert len(rows) == bool(told)
        assert "ann" not in str(rows)
    perform(AutoAccept(("druid",)), Actor(bob), "", NOW)
    perform(Refuse(("druid",)), Actor(bob), "", NOW)
    assert view_player("bob", None, NOW).takes == ()


def test_the_profile_and_the_list_name_the_games_that_start_at_once() -> None:
    world = World()
    bob, _ = world.player("bob"), world.player("ann")
    perform(AutoAccept(("ann", "druid", "vasco")), Actor(bob), "", NOW)
    profile = perform(ShowProfile("bob"), NOBODY, "", NOW)
    assert isinstance(profile, Table)
    assert ("start at once", "Druid, Vasco, with anyone") in profile.rows
    for games, is_there in (((), True), (("druid",), True), (("gyges",), False)):
        listed = perform(ListBoards(games), NOBODY, "", NOW)
        assert isinstance(listed, Tables)
        titles = [table.title for table in listed.tables]
        assert ("Players who start at once" in titles) == is_there


@pytest.mark.parametrize(
    "command",
    [ShowProfile("a\0n"), History("", ("a\0n", "bob")), Standings("", ("\0", "a\0n"))],
    ids=lambda command: type(command).__name__,
)
def test_a_name_that_no_text_of_a_database_can_be_is_nobodys(command: Command) -> None:
    # As an address of a page may have it.
    World().player("ann")
    with pytest.raises(UserError, match="Nobody here is called"):
        perform(command, NOBODY, "", NOW)
