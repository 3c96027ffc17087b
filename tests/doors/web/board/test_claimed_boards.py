"""Claims on the page of a board, in letters, in the API and in the record."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from claim_world import LOST, OPEN, WON, ClaimWorld
from sarsen.core.answers import check
from sarsen.core.records import text
from sarsen.doors.mail.letters import write_letter
from sarsen.games import load
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.matches import claims
from sarsen.services.matches.matches import position_of
from sarsen.services.records.recording import view_record
from sarsen.storage.models import Claim, Match, OutgoingMail
from visitor import Visitor

pytestmark = pytest.mark.django_db
Visit = Callable[..., Visitor]


@pytest.fixture
def world() -> ClaimWorld:
    return ClaimWorld()


def letters() -> dict[str, str]:
    """Return the letters of answers, by reader, as they are worded."""
    found = {}
    for row in OutgoingMail.objects.filter(kind=claims.ANSWER).select_related("player"):
        due = DueLetter(
            *(row.pk, row.kind, row.facts, row.address, row.player, "", row.queued_at, 1),
            event=row.event,
        )
        found[str(row.player)] = write_letter(due).text
    return found


def claims_read(page: Visitor) -> list[str]:
    return [one.text_content().strip() for one in page.tree.xpath("//ul[@aria-label='Claims']/li")]


def test_a_claim_is_made_after_a_question_and_answered_in_two_words(world: ClaimWorld) -> None:
    board = world.at(LOST)
    ann, bob = Visitor(world.player("ann")), Visitor(world.player("bob"))
    ann.go(f"/boards/{board}/")
    assert ann.tree.xpath("//dialog[@id='claim']//h2/text()") == ["Claim the result?"]
    ann.go(f"/boards/{board}/text/")  # in words, too
    assert ann.tree.xpath("//dialog[@id='claim']//h2/text()") == ["Claim the result?"]
    ann.press("Claim a win")
    Claim.objects.update(asked_at=world.now, due_at=world.now + claims.ANSWER_AFTER)
    ann.go(f"/boards/{board}/")
    assert claims_read(ann) == ["Your claim is being checked."]
    assert not ann.tree.xpath("//dialog[@id='claim']")
    bob.go(f"/boards/{board}/")
    assert claims_read(bob) == []
    world.answer()
    for visitor, words in (
        (ann, "Not proven."),
        (bob, "ann claimed a win; it was not proven."),
        (Visitor(), "ann claimed a win; it was not proven."),
    ):
        visitor.go(f"/boards/{board}/")
        assert claims_read(visitor) == [words]
    told = letters()
    assert told["ann"].splitlines()[0] == "Not proven."
    assert told["bob"].splitlines()[0] == "ann claimed a win; it was not proven."


def test_the_page_of_who_may_not_claim_has_no_button_for_it(world: ClaimWorld) -> None:
    for board, userid in (
        (world.at(LOST), "bob"),
        (world.board(LOST.game, LOST.moves, options=LOST.options), "ann"),
    ):
        page = Visitor(world.player(userid))
        page.go(f"/boards/{board}/")
        assert not page.tree.xpath("//*[@popovertarget='claim'] | //dialog[@id='claim']")


def test_the_proof_of_a_finished_game_is_played_move_by_move(world: ClaimWorld) -> None:
    board = world.at(WON)
    world.claim(board)
    world.answer()
    page = Visitor(world.player("bob"))
    page.go(f"/boards/{board}/")
    assert "O wins by proof." in page.text
    links = page.tree.xpath("//section[@aria-labelledby='proof']/p[2]/a/@href")
    assert len(links) > 1
    page.go(links[-1])
    assert page.status == 200
    assert page.tree.xpath("//code")
    whole = Client().get(f"/api/v1/boards/{board}/proof")
    match = Match.objects.get(pk=board)
    assert check(position_of(match), whole.content.decode().rstrip("\n")).winner == 0
    record = view_record(board, None)
    assert "\nend: claim\n" in record.text
    assert text.read(record.text, load) == record.record


def test_the_api_shows_a_claim_that_waits_to_its_player_alone(world: ClaimWorld) -> None:
    board = world.at(LOST)
    world.claim(board)
    assert Client().get(f"/api/v1/boards/{board}").json()["claims"] == []
    world.answer()
    made = {"by": "ann", "ply": 10, "what": "win", "answer": "not-proven"}
    assert Client().get(f"/api/v1/boards/{board}").json()["claims"] == [made]
    assert Client().get(f"/api/v1/boards/{board}/proof").json()["code"] == "no-proof"


def test_the_record_tells_of_claims_that_were_not_proven(world: ClaimWorld) -> None:
    world.prove = lambda *_: ""
    board = world.at(OPEN)
    world.claim(board, draw=True)
    world.answer()
    match = Match.objects.get(pk=board)
    Match.objects.filter(pk=board).update(ended_at=world.now, scores=[1.0, 0.0], reason="x")
    record = view_record(match.pk, None)
    assert "\nclaims: V 8 draw\n" in record.text
    assert text.read(record.text, load) == record.record
