"""A forgotten player is named in no column of any table, and the games go on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from click.testing import CliRunner
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.test import Client

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.core.records import as_json, prove, text
from sarsen.games import load
from sarsen.language.accounts import SignedOff, SignOffAsked
from sarsen.language.commands import (
    Broadcast,
    Chat,
    ConfirmAccount,
    Decline,
    PlayMove,
    Refuse,
    SendMessage,
    SignOff,
    SignUp,
    Subscribe,
    TakeVacation,
    WriteNote,
)
from sarsen.language.replies import decode, encode, sentence
from sarsen.server.command import main
from sarsen.services.accounts import leaving
from sarsen.services.accounts.forgetting import MENTIONS, renamed
from sarsen.services.accounts.leaving import forget
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.records.collections import Selection, collect
from sarsen.services.records.published_games import published_games
from sarsen.services.request import NOBODY, Actor, Request
from sarsen.storage.models import (
    AnsweredRequest,
    Device,
    InboundMail,
    LessonProgress,
    Match,
    OutgoingMail,
    Passkey,
    Plan,
    Player,
    Question,
    Signup,
    Token,
    WebhookCall,
    WebSession,
)
from web_world import NOW, World

pytestmark = pytest.mark.django_db

NAME, OTHER = "Quentin", "bob"
ADDRESS = "quentin@example.org"
SAID = "zugzwang"  # in every text of this player
WON = "E3 D4 B2 E2"
# Which of a player's own rows are kept: what others' records and ratings stand on.
STAY = {
    "Challenge": "who proposed a game that was played",
    "ChallengeSeat": "the same",
    "Encounter": "counts of games, the other's as well",
    "MatchSeat": "who sat there",
    "Rating": "others' ratings were worked out from it",
    "RatingStep": "the same, until release 0.4",
    "Result": "the other's result as well",
    "Standing": "a count of games",
    "InboundMail": "names nobody but by the address, which goes",
}


@pytest.fixture
def person() -> Player:
    """Return somebody who has left traces in every table."""
    world = World()
    running = world.board(moves="a1 b1", options="-size=6", players=(NAME, OTHER))
    world.board("visavis", WON, options="-size=5", players=(NAME, OTHER))
    private = world.board(moves="a1", players=(OTHER, NAME), terms=("--private",))
    quentin = Player.objects.get(key=NAME.lower())
    bob = Player.objects.get(key=OTHER)
    asked = world.challenge("druid", OTHER, NAME)
    world.challenge("gyges", NAME, OTHER)

    def do(command: Any, player: Player, request: str = "") -> None:
        perform(command, Actor(player), request, NOW)

    do(Decline(asked.number, f"{SAID} {NAME}"), quentin, "mail:1")
    do(Chat("druid", running, SAID), quentin, "mail:2")
    do(WriteNote("druid", running, SAID), quentin)
    do(SendMessage((OTHER,), f"{SAID}!"), quentin, "mail:3")
    do(SendMessage((NAME,), "Will you play on?"), bob, "mail:4")
    do(Refuse(names=(NAME,)), bob)
    do(Refuse(names=(OTHER,)), quentin)
    do(Subscribe((NAME,)), bob, "mail:5")
    do(Subscribe((OTHER, "weekly")), quentin)
    do(TakeVacation("2027-08-01", "2027-08-09"), quentin)
    do(Broadcast(SAID), quentin)
    do(ConfirmAccount("broadcast", agrees=True), quentin, "mail:6")
    do(PlayMove("druid", private, "b1"), quentin, "mail:7")
    leave_more(quentin, bob, running)
    return quentin


def leave_more(quentin: Player, bob: Player, board: int) -> None:
    """Leave what doors and operators would write."""
    match = Match.objects.get(pk=board)
    later = NOW + timedelta(days=9)
    Plan.objects.create(match=match, player=quentin, tree={"note": SAID}, changed_at=NOW)
    Token.objects.create(player=quentin, digest="d", label=f"{NAME}'s bot", made_at=NOW)
    Passkey.objects.create(
        player=quentin, label=NAME, **_required(Passkey, {"player", "label", "id"})
    )
    Device.objects.create(
        player=quentin, endpoint="https://push.example/1", digest="e", label=NAME, made_at=NOW
    )
    WebSession.objects.create(session_key="k", expire_date=later, player=quentin)
    WebhookCall.objects.create(
        player=bob, event="chat", facts={"by": NAME, "text": SAID}, queued_at=NOW, due_at=NOW
    )
    Signup.objects.create(
        userid=NAME,
        key=NAME.lower(),
        password="!",
        address=f"new-{ADDRESS}",
        group="w",
        asked_at=NOW,
    )
    Question.objects.create(player=quentin, kind="signoff", facts={"name": NAME}, asked_at=NOW)
    LessonProgress.objects.create(player=quentin, game="druid", step="win", line=SAID, at=NOW)
    InboundMail.objects.create(
        identity="i", envelope_sender=ADDRESS, recipient="sarsen@x", raw=b"", received_at=NOW,
        state="failed", note=f"From {ADDRESS}",
    )  # fmt: skip
    LogEntry.objects.create(
        user=bob,
        content_type=ContentType.objects.get_for_model(Player),
        object_id=str(quentin.pk),
        object_repr=NAME,
        action_flag=CHANGE,
        change_message=f"ended sessions of {NAME}",
    )
    Player.objects.filter(pk=quentin.pk).update(webhook=f"https://{NAME}.example/", ban_reason=SAID)


def _required(model: type[models.Model], but: set[str]) -> dict[str, Any]:
    """Return something for every field of a table that must have a value."""
    found: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field.name in but or field.null or field.has_default() or field.blank:
            continue
        if isinstance(field, models.DateTimeField):
            found[field.name] = NOW
        elif isinstance(field, models.BinaryField):
            found[field.name] = b"x"
        elif isinstance(field, models.IntegerField):
            found[field.name] = 0
        else:
            found[field.name] = "x"
    return found


def columns() -> Iterator[tuple[str, str, str]]:
    """Yield every text that is stored in any table: where, and what."""
    for model in apps.get_models():
        manager = model._base_manager
        for field in model._meta.concrete_fields:
            if isinstance(field, (models.TextField, models.CharField, models.JSONField)):
                for value in manager.values_list(field.attname, flat=True):
                    yield model.__name__, field.name, str(value)
            elif isinstance(field, models.BinaryField):
                for value in manager.values_list(field.attname, flat=True):
                    yield model.__name__, field.name, bytes(value or b"").decode("latin-1")


def traces() -> list[tuple[str, str, str]]:
    word = re.compile(rf"{NAME}|{SAID}", re.IGNORECASE)
    return [found for found in columns() if word.search(found[2])]


def test_nothing_of_the_person_is_left_in_any_column_of_any_table(person: Player) -> None:
    before = {table for table, _, _ in traces()}
    assert {"Player", "Address", "ChatLine", "Note", "OutgoingMail", "AnsweredRequest"} <= before
    forget(person, NOW, AFTER_EVENTS)
    assert traces() == []


def test_of_a_players_own_rows_those_stay_that_others_stand_on(person: Player) -> None:
    forget(person, NOW, AFTER_EVENTS)
    left = {
        model.__name__
        for model in apps.get_app_config("storage").get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Player and model._base_manager.filter(**{field.name: person})
    }
    assert left <= set(STAY)
    assert {"MatchSeat", "Result"} <= left


def test_every_table_with_facts_is_looked_through() -> None:
    """A new table with a free text about people has to be thought of here."""
    looked = {(model.__name__, field) for model, field in MENTIONS}
    no_people = {
        ("AnalysisResult", "findings"),  # moves
        ("Challenge", "terms"),
        ("Contest", "terms"),
        ("Contest", "law"),
        ("Match", "terms"),
        ("Match", "scores"),
        ("Match", "bots"),
        ("Match", "offer"),
        ("CountedFigures", "figures"),  # numbers alone
        ("Import", "head"),  # by seats
        ("Import", "untimed"),
        ("LessonProgress", "done"),  # ids of steps
        ("LoginLetterRequest", "known"),  # by ids
        ("Measurement", "ratings"),
        ("Player", "refuses"),  # by keys
        ("Player", "accepts"),
        ("Player", "channels"),
        ("Player", "pushed"),
        ("Plan", "tree"),  # others' own words
        ("RatingPeriod", "games_done"),
        ("Review", "findings"),
        ("Token", "scopes"),
    }
    facts = {
        (model.__name__, field.name)
        for model in apps.get_app_config("storage").get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.JSONField)
    }
    assert facts == looked | no_people


def test_his_opponents_records_stay_whole_and_signed_under_a_neutral_name(person: Player) -> None:
    done = forget(person, NOW, AFTER_EVENTS)
    assert done.userid == f"former-player-{person.pk}"
    assert len(done.boards) == 2
    records = [file.record for file in collect(Selection(has_private=True))]
    assert len(records) == 3
    for record in records:
        assert done.userid in record.players
        assert record.signature
        game = load(record.game)
        assert prove(record, game)
        assert text.read(text.write(record, game), load) == record
        assert as_json.read_line(as_json.write_line(record, game), load) == record
    assert {one.userid for game in published_games() for one in game.seats} >= {done.userid}
    verified = CliRunner().invoke(main, ["verify"], catch_exceptions=False)
    assert verified.exit_code == 0, verified.output
    pages = Client()
    for board in Match.objects.exclude(terms__private=True).values_list("pk", flat=True):
        page = pages.get(f"/boards/{board}/")
        assert page.status_code == 200
        assert done.userid in page.content.decode()
    assert pages.get(f"/players/{NAME}/").status_code == 404


def test_the_opponent_is_told_and_their_letters_name_nobody(person: Player) -> None:
    forget(person, NOW, AFTER_EVENTS)
    told = OutgoingMail.objects.filter(player__key=OTHER, state="waiting")
    assert told.filter(kind="board").exists()
    assert all(NAME not in str(letter.facts) for letter in told)
    # Answers that were given stay answers: a repeat is still known.
    assert AnsweredRequest.objects.get(key="mail:5").reply["kind"]


def test_nobody_else_gets_the_userid(person: Player) -> None:
    forget(person, NOW, AFTER_EVENTS)
    for userid in (NAME, NAME.upper()):
        with pytest.raises(UserError) as refused:
            perform(SignUp(userid, "", ("x@y.example",)), NOBODY, "", NOW)
        assert refused.value.code == "userid-taken"


def test_who_has_left_before_is_forgotten_too_and_operators_and_programs_are_not() -> None:
    world = World()
    world.board(moves="a1 b1", players=(NAME, OTHER))
    person = world.player(NAME)
    leaving.leave({}, Request(Actor(person), NOW, AFTER_EVENTS))
    said = CliRunner().invoke(main, ["forget", NAME, "--yes"], catch_exceptions=False)
    assert (said.exit_code, "former-player-" in said.output) == (0, True)
    assert traces() == []
    bob = world.player(OTHER)
    Player.objects.filter(pk=bob.pk).update(is_staff=True)
    with pytest.raises(UserError) as refused:
        forget(bob, NOW, AFTER_EVENTS)
    assert refused.value.code == "cannot-forget"


def test_a_player_is_forgotten_at_their_own_word_after_a_yes(person: Player) -> None:
    asked = perform(SignOff(forgets=True), Actor(person), "mail:8", NOW)
    assert isinstance(asked, SignOffAsked)
    assert "This cannot be undone." in sentence(asked)
    assert traces()
    done = perform(ConfirmAccount("forget"), Actor(person), "mail:9", NOW)
    assert isinstance(done, SignedOff)
    assert f"your games are now under former-player-{person.pk}." in sentence(done)
    assert traces() == []


def test_names_are_taken_out_of_facts_and_words_of_the_server_stay() -> None:
    facts = {"kind": "Ann", "by": "Ann", "text": "Hi", "with": ["bob", "ann"], "n": 3}
    facts |= {"reason": "x", "more": {"by": "bob", "text": "Anna and Ann-2, not ann"}}
    assert renamed(facts, "Ann", "former player 3") == {
        "kind": "Ann",
        "by": "former player 3",
        "text": "",
        "with": ["bob", "former player 3"],
        "n": 3,
        "reason": "",
        "more": {"by": "bob", "text": "Anna and Ann-2, not former player 3"},
    }


def test_name_is_taken_out_of_a_stored_refusal_and_its_template_stays() -> None:
    refusal = Phrase("{player} has left this server.", player="player")
    stored = renamed(encode(refusal, with_templates=True), "player", "former-player-3")
    assert decode(stored) == "former-player-3 has left this server."
