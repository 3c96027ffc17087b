"""What operators do: bars, forfeits undone, letters tried again, announcements."""

from __future__ import annotations

from datetime import timedelta

import pytest

from sarsen.core.errors import UserError
from sarsen.doors.mail.letters import write_letter
from sarsen.language.commands import ConfirmSignup, MakeChallenge, PlayMove, QueueMoves, SignUp
from sarsen.language.grammar.tokens import Credentials
from sarsen.services.accounts import tokens
from sarsen.services.accounts.passwords import prove
from sarsen.services.admin import actions, overview, roles, stored_mails
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.mail import outgoing
from sarsen.services.mail.reply_addresses import player_address, read_signed_address
from sarsen.services.matches import matches
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import (
    Address,
    Announcement,
    Match,
    MatchEvent,
    OutgoingMail,
    Player,
    Result,
    Review,
    Signup,
    Standing,
    Token,
)
from web_world import NOW, World

pytestmark = pytest.mark.django_db
WHY = "Three accounts at once."


@pytest.fixture
def world() -> World:
    return World()


def texts(kind: str) -> dict[str, str]:
    """Return what the waiting letters of a kind say, by their readers' userids."""
    found = [one for one in outgoing.claim_due(NOW + timedelta(days=2), 1000) if one.kind == kind]
    return {str(one.player): " ".join(write_letter(one).text.split()) for one in found}


def lost_on_time(world: World) -> Match:
    match = Match.objects.get(pk=world.board(moves="a1 d4 a2 c4", options="-size=4"))
    matches.record_forfeit(match, Request(NOBODY, NOW, AFTER_EVENTS))
    return match


def test_a_barred_player_speaks_at_no_door_and_is_found_by_nobody(world: World) -> None:
    ann = world.player("ann")
    ann.set_password("secret word")
    ann.save()
    secret = tokens.make(ann, "bot", ["play"], NOW).secret
    local_part = player_address(ann).partition("@")[0]
    assert read_signed_address(local_part)
    actions.ban(ann, WHY, NOW, resigns=True)
    assert read_signed_address(local_part) is None
    with pytest.raises(UserError) as unknown:
        tokens.prove(secret, NOW)
    with pytest.raises(UserError) as closed:
        prove(Credentials("ann", "secret word"), NOW)
    with pytest.raises(UserError) as wrong:
        prove(Credentials("ann", "another"), NOW)
    challenge = MakeChallenge("druid", "", (), ("bob", "ann"))
    with pytest.raises(UserError) as nobody:
        perform(challenge, Actor(world.player("bob")), "", NOW)
    codes = [one.value.code for one in (unknown, closed, wrong, nobody)]
    assert codes == ["unknown-token", "barred", "wrong-password", "unknown-player"]
    assert WHY in closed.value.text
    assert WHY in texts("barred")["ann"]


def test_his_boards_are_resigned_and_the_others_told(world: World) -> None:
    board = world.board(moves="a1", options="-size=4")
    asked = world.challenge("gyges", "ann", "anyone")
    done = actions.ban(world.player("ann"), WHY, NOW, resigns=True)
    match = Match.objects.get(pk=board)
    assert (done.resigned, match.scores) == ((board,), [0.0, 1.0])
    told = texts("barred-here")
    assert list(told) == ["bob"]
    assert "The account of ann was suspended, and the game counts as resigned" in told["bob"]
    assert asked.number not in [one.pk for one in match.rematches.all()]


def test_clocks_of_a_barred_player_may_run_on_and_nothing_queued_is_played(world: World) -> None:
    board = world.board(moves="a1", options="-size=4")
    perform(QueueMoves("", board, "if d4 then a2"), Actor(world.player("ann")), "", NOW)
    done = actions.ban(world.player("ann"), WHY, NOW, resigns=False)
    assert (done.running, done.resigned) == ((board,), ())
    assert "can no longer move. The clock runs on" in texts("barred-here")["bob"]
    perform(PlayMove("", board, "d4"), Actor(world.player("bob")), "", NOW)
    match = Match.objects.get(pk=board)
    assert (match.ply, match.ended_at, match.seat_to_move) == (2, None, 0)


def test_address_of_who_is_barred_opens_no_second_account(world: World) -> None:
    actions.ban(world.player("ann"), WHY, NOW, resigns=True)
    perform(SignUp("ann2", "", ("ann@example.org",)), NOBODY, "", NOW)
    with pytest.raises(UserError) as closed:
        perform(ConfirmSignup(Signup.objects.get().code), NOBODY, "", NOW)
    assert closed.value.code == "barred"


def test_who_is_let_in_again_plays_as_before(world: World) -> None:
    ann = world.player("ann")
    actions.ban(ann, WHY, NOW, resigns=True)
    actions.unban(Player.objects.get(key="ann"), "A mistake of mine.", NOW)
    assert read_signed_address(player_address(ann).partition("@")[0])
    assert "A mistake of mine." in texts("let-in")["ann"]
    with pytest.raises(UserError):
        actions.unban(Player.objects.get(key="ann"), "Again.", NOW)


def test_operators_programs_and_who_has_left_are_not_barred(world: World) -> None:
    world.player("ann")
    roles.add_operator("ann", NOW)
    with pytest.raises(UserError, match="is an operator of this server"):
        actions.ban(Player.objects.get(key="ann"), WHY, NOW, resigns=True)


def test_undone_forfeit_goes_on_and_counts_nowhere(world: World) -> None:
    match = lost_on_time(world)
    assert Standing.objects.filter(won=1).count() == 1
    Review.objects.create(match=match, asked_at=NOW, due_at=NOW)
    actions.undo_forfeit(match.pk, "The relay was away.", NOW)
    match.refresh_from_db()
    assert (match.ended_at, match.scores, match.reason, match.ply) == (None, None, "", 4)
    assert match.due_at is not None
    assert match.turn_began_at == NOW
    assert not Result.objects.exists()
    assert not Review.objects.exists()
    assert not Standing.objects.exclude(won=0, lost=0, drawn=0).exists()
    assert [event.kind for event in match.events.all()][-2:] == ["forfeit", "resume"]
    told = texts("resumed")
    assert set(told) == {"ann", "bob"}
    assert "It is your turn, with a fresh clock." in told["ann"]
    assert "The relay was away." in told["bob"]


def test_game_that_goes_on_is_played_and_counted_once(world: World) -> None:
    match = lost_on_time(world)
    actions.undo_forfeit(match.pk, WHY, NOW)
    perform(PlayMove("", match.pk, "c1"), Actor(world.player("ann")), "", NOW)
    match.refresh_from_db()
    matches.record_resignation(match, 1, Request(NOBODY, NOW, AFTER_EVENTS))
    assert list(Result.objects.order_by("seat").values_list("score", flat=True)) == [1.0, 0.0]
    assert MatchEvent.objects.filter(match=match, kind="move").count() == 5


def test_only_a_game_lost_on_time_is_taken_up_again(world: World) -> None:
    match = Match.objects.get(pk=world.board(options="-size=4"))
    with pytest.raises(UserError, match="was not lost on time"):
        actions.undo_forfeit(match.pk, WHY, NOW)
    matches.record_resignation(match, 0, Request(NOBODY, NOW, AFTER_EVENTS))
    with pytest.raises(UserError, match="was not lost on time"):
        actions.undo_forfeit(match.pk, WHY, NOW)


def test_letter_is_tried_again_at_once_or_given_up(world: World) -> None:
    outgoing.queue(outgoing.NewLetter("ann@example.org", "sorry", {}), NOW)
    row = OutgoingMail.objects.get()
    due = outgoing.claim_due(NOW, 1)[0]
    outgoing.mark_refused(due, "451 later", NOW, for_good=False)
    assert not outgoing.claim_due(NOW, 1)
    stored_mails.retry(row.pk, NOW)
    assert outgoing.claim_due(NOW, 1)[0].attempts == 0
    stored_mails.give_up(row.pk)
    row.refresh_from_db()
    assert (row.state, row.error) == ("failed", "given up by an operator: 451 later")
    with pytest.raises(UserError):
        stored_mails.give_up(row.pk)
    stored_mails.retry(row.pk, NOW)
    outgoing.mark_sent([row.pk], NOW)
    with pytest.raises(UserError):
        stored_mails.retry(row.pk, NOW)


def test_same_words_go_to_everybody_once(world: World) -> None:
    ann = world.player("ann")
    world.player("bob")
    actions.announce(ann, "Tomorrow at noon the server moves.", NOW)
    with pytest.raises(UserError) as again:
        actions.announce(ann, "Tomorrow at noon the server moves.", NOW)
    assert again.value.code == "announced-already"
    assert Announcement.objects.count() == 1


def test_sessions_and_tokens_end_and_their_player_is_told(world: World) -> None:
    ann = world.player("ann")
    tokens.make(ann, "bot", ["play"], NOW)
    ended = actions.end_access(ann, WHY, NOW)
    assert (ended.tokens, Token.objects.count()) == (1, 0)
    assert WHY in texts("access-ended")["ann"]


def test_overview_counts_what_fails(world: World) -> None:
    lost_on_time(world)
    outgoing.queue(outgoing.NewLetter("ann@example.org", "sorry", {}), NOW)
    letter = OutgoingMail.objects.order_by("-pk")[0]
    OutgoingMail.objects.filter(pk=letter.pk).update(attempts=3)
    found = overview.overview(NOW)
    assert (found.failing, found.forfeits, found.running, found.players) == (1, 1, 0, 2)
    assert 0 < found.free <= found.size


def test_operator_is_told_and_named(world: World) -> None:
    world.player("Ann")
    roles.add_operator("ann", NOW)
    assert roles.operators() == ("Ann",)
    assert "/operator/" in texts("operator")["Ann"]
    roles.remove_operator("ann", NOW)
    assert roles.operators() == ()
    assert Address.objects.count() == 1
