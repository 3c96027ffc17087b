"""Every address of the web door with every kind of visitor, read from the list of addresses.

A new address is tried without being named here, and fails until somebody says who may see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from databases import number_anew, undone
from sarsen.doors.web.learning import analysis_stream
from sarsen.doors.web.urls import urlpatterns
from sarsen.games import names
from sarsen.services.mail.reply_addresses import unsubscribe_token
from sarsen.storage.models import Contest, Match
from web_world import NOW, World

pytestmark = pytest.mark.django_db
# So high that no other figure on a page looks like it.
PRIVATE = 918_273_645
ELSEWHERE = "192.0.2.7"
VISITORS = ("nobody", "eve", "ann")  # ann plays on the private board, eve does not
Statuses = tuple[int, int, int]

EVERYBODY: Statuses = (200, 200, 200)
PLAYERS: Statuses = (302, 200, 200)  # others are sent to log in
AT_THE_BOARD: Statuses = (404, 404, 200)  # of a private one, or of a challenge to somebody
NOBODY: Statuses = (404, 404, 404)  # nothing is published of it, or a secret is missing
POSTED: Statuses = (405, 405, 405)  # only a form leads there

SEEN: dict[Statuses, str] = {
    EVERYBODY: """home games game game-picture game-picture-in colours languages do join login
        challenges challenge-form practice practice-moves practice-reason ratings standings
        history figures programs players watch player player-history records-txt records-jsonl
        game-records-txt game-records-jsonl player-records-txt player-records-jsonl keys help
        help-subject search openings board-style news news-feed wishes contests contest
        contest-calendar contest-dates contest-feed
        lessons lesson-step lesson-moves lesson-reason
        analyses analysis analysis-moves analysis-reason analysis-answer
        solved claim claim-file
        puzzles puzzle-days puzzle puzzle-moves puzzle-reason puzzle-picture puzzle-feed
        puzzle-embed
        classic-picture-in no-invitations manifest worker offline icon-any icon-maskable
        health""",
    PLAYERS: """my account account-play account-notices account-look account-security account-more
        deliveries tokens devices""",
    AT_THE_BOARD: """board board-ply board-text board-ply-text board-picture
        board-picture-in board-moves ply-moves board-reason ply-reason challenge challenge-link
        board-small board-small-in review variations variations-moves
        variations-reason""",
    # Records, feeds and framed boards are for boards that everybody may see; the pages of
    # caught mail are for this machine alone; the others need a secret in the address.
    NOBODY: """record record-json record-sgf embed embed-ply embed-picture embed-picture-ply
        news-item review-proof review-again review-ply review-line board-moves-feed board-deadline
        styles mailbox mail-write mail mail-html mail-raw mail-picture mail-picture-further
        login-link unsubscribe boards-feed deadlines-feed own-contest-dates welcome
        invited metrics""",
    POSTED: """login-code login-passkey login-passkey-question logout export end-token add-passkey
        add-passkey-question remove-passkey take-device renew-device leave-device mark-program
        end-sessions change-variations mail-reply subscribe-again""",
    (302, 302, 302): "next-board join-code favicon lesson puzzle-game puzzle-daily",
    (410, 410, 410): "live",  # a signed key, which has an end
    (503, 503, 503): "due-health",  # no worker runs in these tests
}
EXPECTED = {name: statuses for statuses, listed in SEEN.items() for name in listed.split()}
# A caller that shows a secret needs no form: a mail program unsubscribes with one click, and the
# worker of a browser names the address that its push service gave it before.
WITHOUT_FORM = {"unsubscribe": 404, "renew-device": 404}
# Answered alike whether the secret is one: which addresses were invited is told to nobody.
WITHOUT_FORM |= {"no-invitations": 200}


@dataclass(frozen=True)
class Place:
    """One server with a private board and a caught mail, and its visitors."""

    visitors: dict[str, Client]
    numbers: dict[str, Any]

    def address(self, name: str, wanted: dict[str, Any]) -> str:
        more = {"number": self.numbers["mail"]} if name.startswith("mail") else {}
        more |= {"number": None, "size": 192} if name.startswith("icon") else {}
        more |= {"step": "win"} if name.startswith("lesson") else {}
        more |= {"number": 1} if name.startswith("puzzle") else {}
        more |= {"claim": "druid-3", "name": "druid-3.txt"} if name.startswith("claim") else {}
        return reverse(name, kwargs={one: (self.numbers | more)[one] for one in wanted})


@pytest.fixture(scope="module")
def place(django_db_setup: None, django_db_blocker: Any) -> Iterator[Place]:
    with django_db_blocker.unblock(), transaction.atomic():
        world = World()
        before = _match_before(PRIVATE)
        board = world.board(terms=("--private",), moves="b8 b5")
        assert board == PRIVATE
        before.delete()
        challenge = world.challenge("druid", "ann", "bob").number
        contest = Contest.objects.create(
            pk=challenge,
            format="round-robin",
            game="druid",
            rules_version=1,
            terms={"forfeittime": 14},
            law={"most": 4, "least": 3, "games": 1, "boards": 9, "days": 90},
            name="Four Corners",
            made_at=NOW,
            state="open",
        )
        dates = {"starts_at": NOW.isoformat(), "ends_at": NOW.isoformat()}
        contest.log.create(number=1, kind="opened", at=NOW, due=NOW, facts=dates)
        numbers: dict[str, Any] = {
            **{"board": board, "ply": 1, "name": "druid", "userid": "ann", "number": challenge},
            **{"key": "x" * 20, "token": "t" * 20, "code": "0" * 20, "event": 1, "step": 0},
            **{"theme": "dark", "subject": "move", "at": 1, "mail": world.caught()},
        }
        clients = {who: _client(world, who) for who in VISITORS}
        yield Place(clients, numbers)
        transaction.set_rollback(True)


def _match_before(number: int) -> Match:
    """Make a match, behind which the next one has the number."""
    match = Match.objects.create(
        pk=number - 1, game="druid", rules_version=1, started_at=NOW, moved_at=NOW
    )
    number_anew()
    return match


def _client(world: World, who: str) -> Client:
    client = Client(enforce_csrf_checks=True, SERVER_NAME="sarsen.test", REMOTE_ADDR=ELSEWHERE)
    if who != "nobody":
        client.force_login(world.player(who))
    return client


def test_every_address_has_its_line_and_no_line_is_left_over() -> None:
    assert set(EXPECTED) == {pattern.name for pattern in urlpatterns}


def test_every_address_is_seen_by_those_who_may(place: Place, subtests: pytest.Subtests) -> None:
    for pattern in urlpatterns:
        with subtests.test(pattern.name), undone():
            address = place.address(pattern.name, pattern.pattern.converters)
            answers = [place.visitors[who].get(address) for who in VISITORS]
            assert tuple(answer.status_code for answer in answers) == EXPECTED[pattern.name]
            for answer in answers:
                policy = answer["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert answer["X-Content-Type-Options"] == "nosniff"


def test_nothing_is_taken_without_the_form_of_our_page(
    place: Place, subtests: pytest.Subtests
) -> None:
    for pattern in urlpatterns:
        with subtests.test(pattern.name), undone():
            address = place.address(pattern.name, pattern.pattern.converters)
            for who in VISITORS:
                status = place.visitors[who].post(address).status_code
                expected = WITHOUT_FORM.get(pattern.name)
                assert status in ((expected,) if expected else (403, 405, 422)), who


def test_a_private_board_is_named_on_no_page_of_a_stranger(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_stream, "MAX_SECONDS", 0.0)  # nobody searches here
    addresses = [
        place.address(pattern.name, pattern.pattern.converters)
        for pattern in urlpatterns
        if EXPECTED[pattern.name] in (EVERYBODY, PLAYERS)
    ]
    addresses += [f"/games/{game}/" for game in names()]
    addresses += ["/sitemap.xml", "/players/bob/", "/players/bob/history/", "/do/?line=list"]
    addresses += [
        f"/api/v1/{path}"
        for path in ("boards", "boards?player=ann", "games", "games/druid", "players/ann",
                     "players/ann/boards", "challenges", "players/ann/ratings")
    ]  # fmt: skip
    for who in ("nobody", "eve"):
        for address in addresses:
            answer = place.visitors[who].get(address)
            assert str(PRIVATE) not in body_of(answer), f"{address} tells {who}"
    # The marker can be seen at all: its player finds it.
    assert str(PRIVATE) in body_of(place.visitors["ann"].get("/my/"))


def body_of(answer: Any) -> str:
    parts = answer.streaming_content if answer.streaming else [answer.content]
    return b"".join(parts).decode("utf-8", "replace")


def test_caught_mail_is_shown_to_this_machine_alone(place: Place) -> None:
    here = Client(SERVER_NAME="sarsen.test", REMOTE_ADDR="127.0.0.1")
    assert here.get("/mail/").status_code == 200
    assert place.visitors["ann"].get("/mail/").status_code == 404


def test_a_secret_in_an_address_opens_what_it_is_for(place: Place) -> None:
    ann = World().player("ann")
    assert (
        place.visitors["nobody"].get(f"/unsubscribe/{unsubscribe_token(ann)}/").status_code == 200
    )
