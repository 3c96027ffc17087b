"""Invitations by mail address: one letter to a stranger, and nothing told about who has it."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from typing import Any

import pytest
from django.utils import timezone

from doors.mail.conftest import ANN, PostOffice, text_of, words_of
from sarsen.doors.mail.parse.automatic_mail import take_report
from sarsen.services.accounts import mail_invitations
from sarsen.services.admin.cleanup import tidy_up
from sarsen.services.limits import mail_answers
from sarsen.services.mail.reply_addresses import player_address
from sarsen.services.notices import Event, notify
from sarsen.storage.models import (
    Address,
    CaughtMail,
    Challenge,
    InvitedAddress,
    MailInvitation,
    Match,
    OutgoingMail,
    Player,
    Signup,
)

BOB = "Bob.Smith@stranger.example"
LINE = f"druid challenge -size=4 ann {BOB}"
FIRST = f"druid challenge -size=4 {BOB} ann"


@pytest.fixture
def ann(post: PostOffice) -> EmailMessage:
    """Return a letter that ann can answer."""
    return post.join("ann", "secret-ann")


def invite(post: PostOffice, letter: EmailMessage, line: str = LINE) -> EmailMessage:
    """Invite bob, and return his letter."""
    post.answer(letter, line)
    return post.last(BOB)


def code(refused: EmailMessage) -> str:
    return text_of(refused).partition("[")[2].partition("]")[0]


def bob() -> Player:
    return Player.objects.get(addresses__address=BOB)


def test_the_letter_says_who_invites_to_what_and_how_to_answer(
    post: PostOffice, ann: EmailMessage
) -> None:
    letter = invite(post, ann, f"druid challenge -size=4 --totaltime=30 {BOB} ann")
    assert letter["Subject"] == "ann invites you to a game of Druid"
    text = words_of(letter)
    assert "ann would like to play Druid -size=4" in text
    assert "You move first." in text
    assert "30 days of reserve per player" in text
    assert "called bobsmith here" in text
    assert "ann.example" not in str(letter)
    assert letter["Reply-To"].startswith("friend-")
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["List-Unsubscribe"].endswith("/never/>")
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter.get_body(("html",)) is not None


def test_a_yes_makes_the_account_and_starts_the_game(post: PostOffice, ann: EmailMessage) -> None:
    letter = invite(post, ann)
    assert Player.objects.count() == 1
    post.answer(letter, "accept")
    begun = post.last(BOB)
    assert "Welcome, bobsmith!" in words_of(begun)
    assert "Druid Board" in begun["Subject"]
    assert bob().userid == "bobsmith"
    assert "It is your turn" in words_of(post.last(ANN))
    assert OutgoingMail.objects.filter(address=BOB).count() == 2
    assert not MailInvitation.objects.exists()


def test_a_german_invitation_begins_and_ends_a_german_account(
    post: PostOffice, ann: EmailMessage
) -> None:
    Player.objects.update(language="de")
    letter = invite(post, ann)
    assert letter["Subject"] == "ann lädt dich zu einer Partie Druid ein"
    post.answer(letter, "Wer bist du denn?")
    refused = post.last(BOB)
    assert refused["Reply-To"] == letter["Reply-To"]
    post.answer(refused, "Ja, gerne!")
    assert "Willkommen, bobsmith!" in words_of(post.last(BOB))
    assert bob().language == "de"
    address = player_address(bob())
    post.send(BOB, "signoff", to=address)
    post.answer(post.last(BOB), "Ja")
    assert post.last(BOB)["Subject"] == "Mach’s gut"


@pytest.mark.parametrize("line", ["Leider nein, bis Mai.\nDanach gern!", "Nein danke, keine Zeit"])
def test_a_no_in_own_words_is_a_no(post: PostOffice, ann: EmailMessage, line: str) -> None:
    post.answer(invite(post, ann), line)
    assert not MailInvitation.objects.exists()
    assert Player.objects.count() == 1


def test_a_first_move_says_yes_and_is_played(post: PostOffice, ann: EmailMessage) -> None:
    post.answer(invite(post, ann, FIRST), "I play a2, thanks!")
    assert "bobsmith played a2" in words_of(post.last(ANN))
    assert "Welcome, bobsmith!" in words_of(post.last(BOB))
    assert Match.objects.get().ply == 1
    assert not CaughtMail.objects.filter(address=ANN, letter__event="started").exists()
    assert OutgoingMail.objects.filter(address=BOB).count() == 2


def test_the_game_goes_on_by_replies_like_any_other(post: PostOffice, ann: EmailMessage) -> None:
    post.answer(invite(post, ann), "yes, gladly")
    post.answer(post.last(ANN), "a2")
    post.answer(post.last(BOB), "c3")
    assert Match.objects.get().ply == 2


def test_a_name_can_be_asked_for(post: PostOffice, ann: EmailMessage) -> None:
    letter = invite(post, ann)
    post.answer(letter, "accept ann")
    refused = post.last(BOB)
    assert code(refused) == "userid-taken"
    assert "accept ann2" in text_of(refused)
    post.answer(letter, "accept Bobby")
    assert bob().userid == "Bobby"


def test_derived_names_are_free_and_bounded(post: PostOffice) -> None:
    post.join("bob")
    names = {
        "bob@x.example": "bob2",
        "b@x.example": "player",
        "17-Jörg.Müller+games@x.example": "jorgmuller",
        "an-extremely-long-local-part@x.example": "an-extremely-lo"[:14],
    }
    assert {one: mail_invitations.free_userid(one) for one in names} == names


@pytest.mark.parametrize("word", ["no", "No, thanks!", "decline", "never"])
def test_a_no_is_remembered_and_answered_by_nothing(
    post: PostOffice, ann: EmailMessage, word: str
) -> None:
    post.answer(invite(post, ann), word)
    assert post.box(BOB) == []
    assert Player.objects.count() == 1
    assert not MailInvitation.objects.exists()
    post.answer(ann, LINE)
    assert post.box(BOB) == []


@pytest.mark.parametrize(
    "body",
    ["I am away until Monday, and read no mail.", "Who are you?", "no idea what this is", "z9"],
)
def test_prose_and_what_is_no_move_do_nothing_and_are_answered_once_a_day(
    post: PostOffice, ann: EmailMessage, body: str
) -> None:
    letter = invite(post, ann, FIRST)
    for _ in range(3):
        post.answer(letter, body)
    (refused,) = post.box(BOB)
    assert code(refused) == "invitation-answer"
    assert "accept" in text_of(refused)
    assert Player.objects.count() == 1
    assert MailInvitation.objects.count() == 1


def test_a_vacation_notice_does_nothing(post: PostOffice, ann: EmailMessage) -> None:
    letter = invite(post, ann)
    post.answer(letter, "accept", Auto_Submitted="auto-replied")
    assert post.box(BOB) == []
    assert MailInvitation.objects.exists()


def test_an_empty_answer_does_nothing(post: PostOffice, ann: EmailMessage) -> None:
    letter = invite(post, ann)
    post.send(BOB, "", to=str(letter["Reply-To"]), subject=f"Re: {letter['Subject']}")
    assert MailInvitation.objects.exists()


def test_a_move_out_of_turn_is_refused_and_makes_nothing(
    post: PostOffice, ann: EmailMessage
) -> None:
    post.answer(invite(post, ann), "a2")
    assert code(post.last(BOB)) == "invitation-answer"
    assert Player.objects.count() == 1


def test_a_withdrawn_challenge_makes_no_account(post: PostOffice, ann: EmailMessage) -> None:
    letter = invite(post, ann)
    post.answer(ann, f"withdraw {Challenge.objects.get().pk}")
    post.answer(letter, "accept")
    assert code(post.last(BOB)) == "challenge-over"
    assert Player.objects.count() == 1


def test_a_second_yes_and_one_that_is_too_late_are_refused(
    post: PostOffice, ann: EmailMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    letter = invite(post, ann)
    MailInvitation.objects.update(sent_at=timezone.now() - timedelta(days=15))
    post.answer(letter, "accept")
    assert code(post.last(BOB)) == "invitation-gone"
    MailInvitation.objects.update(sent_at=timezone.now())
    post.answer(letter, "accept")
    post.box(BOB)
    post.answer(letter, "accept")
    assert code(post.last(BOB)) == "invitation-gone"
    assert Player.objects.count() == 2


def test_addresses_of_other_letters_answer_no_invitation(
    post: PostOffice, ann: EmailMessage
) -> None:
    letter = invite(post, ann)
    own = MailInvitation.objects.get().code
    post.send("eve@eve.example", "yes", to=f"welcome-{own}@sarsen.test")
    assert code(post.last("eve@eve.example")) == "signup-gone"
    post.send("carl@carl.example", subject="signup carl")
    other = Signup.objects.get().code
    post.send("eve@eve.example", "accept", to=f"friend-{other}@sarsen.test")
    assert code(post.last("eve@eve.example")) == "invitation-gone"
    post.send("eve@eve.example", "accept", to=f"friend-{'0' * 20}@sarsen.test")
    assert code(post.last("eve@eve.example")) == "invitation-gone"
    assert Player.objects.count() == 1
    assert letter


def test_whoever_answers_the_account_has_the_invited_address(
    post: PostOffice, ann: EmailMessage
) -> None:
    letter = invite(post, ann)
    post.send("other@mailbox.example", "accept", to=str(letter["Reply-To"]))
    assert post.box("other@mailbox.example") == []
    assert "Welcome" in words_of(post.last(BOB))
    assert bob()


def told(post: PostOffice, letter: EmailMessage, address: str) -> str:
    """Invite an address; return what ann is told, without the number and key of the challenge."""
    post.answer(letter, f"druid challenge -size=4 ann {address}")
    text = words_of(post.last(ANN)).replace(address, "ADDRESS")
    challenge = Challenge.objects.latest("pk")
    text = text.replace(f"{challenge.pk}-{challenge.link_key}", "LINK")
    for words in ("Challenge", "withdraw"):
        text = text.replace(f"{words} {challenge.pk}", words)
    return text


def test_the_answer_is_the_same_whoever_has_the_address(
    post: PostOffice, ann: EmailMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(mail_invitations.daily.MAX_A_DAY, "invite", 100)
    post.join("carl")
    post.join("dora")
    Address.objects.filter(player__userid="dora").update(suspended_at=timezone.now())
    post.join("emil")
    Player.objects.filter(userid="emil").update(is_active=False, banned_at=timezone.now())
    post.join("fred")
    Player.objects.filter(userid="fred").update(refuses=["ann"])
    first = told(post, ann, "new@stranger.example")
    assert "If we may write to this address" in first
    never = post.last("new@stranger.example")
    post.answer(never, "never")
    silent = [
        "new@stranger.example",
        "New+again@Stranger.example",
        "dora@dora.example",
        "emil@emil.example",
        "fred@fred.example",
        "postmaster@stranger.example",
        "sarsen@sarsen.test",
        ANN,
    ]
    assert {told(post, ann, address) for address in silent} == {first}
    assert [post.box(address) for address in silent] == [[] for _ in silent]
    assert told(post, ann, "carl@carl.example") == first
    assert told(post, ann, "other@stranger.example") == first
    assert len(post.box("carl@carl.example")) == 1
    pages = {
        tuple(challenge.seats.values_list("player__userid", "has_accepted"))
        for challenge in Challenge.objects.all()
    }
    assert len(pages) == 1


def test_a_player_with_that_address_answers_as_themselves(
    post: PostOffice, ann: EmailMessage
) -> None:
    post.join("carl")
    post.answer(ann, "druid challenge -size=4 ann carl@carl.example")
    letter = post.last("carl@carl.example")
    assert "learns that it is yours" in words_of(letter)
    assert not InvitedAddress.objects.exists()
    line = next(row.strip() for row in text_of(letter).splitlines() if "    accept" in row)
    post.answer(letter, line)
    assert "has started" in words_of(post.last("carl@carl.example"))
    assert set(Match.objects.get().seats.values_list("player__userid", flat=True)) == {
        "ann",
        "carl",
    }


def test_who_has_joined_meanwhile_keeps_the_account(post: PostOffice, ann: EmailMessage) -> None:
    letter = invite(post, ann)
    player = Player.objects.create(key="bob", userid="bob", joined_at=timezone.now())
    Address.objects.create(player=player, address=BOB, confirmed_at=timezone.now())
    post.answer(letter, "accept")
    assert Match.objects.get().seats.filter(player=player).exists()
    assert Player.objects.count() == 2
    assert "Welcome" not in words_of(post.last(BOB))


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("druid challenge carl bob@x.example", "invitation-names"),
        ("druid challenge bob@x.example dora@x.example", "invitation-names"),
        ("druid challenge ann ann@", "address-form"),
        ("druid challenge --pair ann bob@x.example", "invitation-pair"),
        ("druid challenge -size=99 ann bob@x.example", "option-range"),
        ("message bob@x.example: hello", "unknown-player"),
    ],
)
def test_other_forms_are_refused(
    post: PostOffice, ann: EmailMessage, line: str, refusal: str
) -> None:
    post.answer(ann, line)
    assert code(post.last(ANN)) == refusal
    assert not Challenge.objects.exists()
    assert not InvitedAddress.objects.exists()


def test_a_mail_that_proves_nobody_invites_nobody(post: PostOffice, ann: EmailMessage) -> None:
    post.send(ANN, subject=LINE)
    assert code(post.last(ANN)) == "who-speaks"
    assert post.box(BOB) == []
    assert ann


def test_programs_and_players_without_an_address_invite_nobody(
    post: PostOffice, ann: EmailMessage
) -> None:
    Player.objects.update(is_bot=True)
    post.answer(ann, LINE)
    assert code(post.last(ANN)) == "invitation-address"


def test_a_player_invites_three_a_day_and_all_a_domain_a_few(
    post: PostOffice, ann: EmailMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        told(post, ann, f"one{number}@x.example")
    post.answer(ann, "druid challenge ann four@x.example")
    assert code(post.last(ANN)) == "invite-flood"
    monkeypatch.setattr(mail_answers, "MAX_INVITATIONS_OF_A_DOMAIN", 3)
    carl = post.join("carl")
    post.answer(carl, "druid challenge carl five@x.example")
    assert code(post.last("carl@carl.example")) == "invitations-flood"
    assert OutgoingMail.objects.filter(kind="mail-invitation").count() == 3


def test_until_somebody_moves_nothing_else_is_mailed(post: PostOffice, ann: EmailMessage) -> None:
    post.answer(invite(post, ann), "accept")
    post.box(BOB)
    match, now = Match.objects.get(), timezone.now()

    def remind() -> int:
        notify(bob(), Event.REMINDER, "reminder", match.facts, now, match=match)
        return OutgoingMail.objects.filter(address=BOB, kind="reminder").count()

    assert remind() == 0
    post.answer(post.last(ANN), "a2")
    assert remind() == 1


def test_what_is_not_answered_goes_and_its_address_is_not_invited_again(
    post: PostOffice, ann: EmailMessage
) -> None:
    invite(post, ann)
    tidy_up(timezone.now() + mail_invitations.LASTS + timedelta(days=1))
    assert not MailInvitation.objects.exists()
    post.answer(ann, LINE)
    assert post.box(BOB) == []
    stored = InvitedAddress.objects.values_list("digest", flat=True)
    assert not any("bob" in digest for digest in stored)


def test_a_complaint_about_the_letter_is_a_no(post: PostOffice, ann: EmailMessage) -> None:
    letter = invite(post, ann)
    report = MIMEMultipart("report", **{"report-type": "feedback-report"})
    report["From"], report["To"] = "abuse@stranger.example", "bounce@sarsen.test"
    report.attach(MIMEText("A complaint."))
    report.attach(MIMEMessage(letter))
    take_report("bounce", report.as_bytes(), timezone.now())
    assert not MailInvitation.objects.exists()


def test_the_page_of_the_letter_makes_the_account_and_shows_the_board(
    post: PostOffice, ann: EmailMessage, client: Any
) -> None:
    text = text_of(invite(post, ann))
    address = f"/invited/{MailInvitation.objects.get().code}/"
    assert f"http://sarsen.test{address}" in text
    page = client.get(address).content.decode()
    assert "ann invites you to a game of Druid" in page
    assert 'value="bobsmith"' in page
    refused = client.post(address, {"userid": "ann"})
    assert refused.status_code == 422
    assert "is taken" in refused.content.decode()
    begun = client.post(address, {"userid": "Bobby"})
    assert begun["Location"] == f"/boards/{Match.objects.get().pk}/"
    assert "Bobby" in client.get(begun["Location"]).content.decode()
    post.work()
    assert "Welcome, Bobby!" in words_of(post.last(BOB))
    assert client.post(address, {"userid": "Bobby"}).status_code == 404


def test_a_guest_who_accepts_on_the_page_becomes_the_account(
    post: PostOffice, ann: EmailMessage, client: Any
) -> None:
    invite(post, ann)
    fields = {"command": "challenge", "game": "druid", "names": "me", "quick": "friend"}
    client.post("/do/", fields)
    guest = Player.objects.get(is_guest=True)
    address = f"/invited/{MailInvitation.objects.get().code}/"
    begun = client.post(address, {"userid": "Bobby"})
    bobby = Player.objects.get(key="bobby")
    assert (bobby.pk, bobby.is_guest, bobby.refuses) == (guest.pk, False, [])
    assert bobby.addresses.get().address == BOB
    assert Challenge.objects.filter(challenger=bobby).count() == 1  # the link made before
    assert bobby.seats.count() == 1
    assert "Bobby" in client.get(begun["Location"]).content.decode()
    post.work()
    assert "Welcome, Bobby!" in words_of(post.last(BOB))


def test_the_link_of_the_letter_stops_invitations_at_one_press(
    post: PostOffice, ann: EmailMessage, client: Any
) -> None:
    address = str(invite(post, ann)["List-Unsubscribe"]).strip("<>").partition("sarsen.test")[2]
    assert client.get(address).status_code == 200
    assert MailInvitation.objects.exists()
    for _ in range(2):
        done = client.post(address, {"List-Unsubscribe": "One-Click"})
        assert done.status_code == 200
    assert not MailInvitation.objects.exists()
    post.answer(ann, LINE)
    assert post.box(BOB) == []
