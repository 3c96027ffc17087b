"""The weekly letter about contests, and those about seats, as their readers get them."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime

import pytest

from contest_world import DAY, ContestWorld
from ladder_world import LadderWorld
from sarsen.doors.mail.letters import write_letter
from sarsen.games import load
from sarsen.language.commands import (
    ChangeNotices,
    CloseContest,
    CorrectContest,
    JoinContest,
    LeaveContest,
    MakeContest,
    Resign,
    Subscribe,
    WithdrawFromContest,
)
from sarsen.language.translating import sentence
from sarsen.services.admin.roles import add_operator
from sarsen.services.contests.views import weekly
from sarsen.services.mail.outgoing import DueLetter
from sarsen.services.notices import weekly as server_weekly
from sarsen.storage.models import Contest, Downtime, Match, OutgoingMail, Vacation

pytestmark = pytest.mark.django_db
START = datetime(2027, 3, 2, 12, tzinfo=UTC)  # a Tuesday


def written(kind: str, userid: str, language: str = "") -> str:
    """Return the text of a player's newest letter of a kind."""
    mail = OutgoingMail.objects.filter(kind=kind, player__key=userid).latest("pk")
    assert mail.player is not None
    mail.player.language = language
    due = DueLetter(
        mail.pk,
        mail.kind,
        mail.facts,
        mail.address,
        mail.player,
        "",
        mail.queued_at,
        0,
        mail.event,
    )
    return write_letter(due).text


def played() -> ContestWorld:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", "dora", game="druid", options="-size=8")
    world.now += DAY
    for one, others in (("ann", ("bob", "cid", "dora")), ("bob", ("cid", "dora"))):
        for other in others:
            world.win(one, other)
    return world


def in_letters(world: ContestWorld, text: str) -> str:
    """Return a text with the numbers that this contest and its boards have here."""
    first = Match.objects.filter(contest_board__contest=world.number).earliest("pk").pk
    shifted = [(f"[{number}]", str(first + number - 1)) for number in range(1, 7)]
    for name, number in [("[contest]", str(world.number)), *shifted]:
        text = text.replace(name, number)
    return text


ENGLISH = """\
This is how your contests stand after the week from Mon 1 Mar:

Contest [contest], Druid round robin, running until Mon 14 Jun (forecast: 21
May). Boards over: 5 of 6.

  rank  player  1  2  3  4  points  SB    can end
  ----  ------  -  -  -  -  ------  ----  --------
  1     ann     .  1  1  1  3.0     2.00  1st
  2     bob     0  .  1  1  2.0     0.00  2nd
  3-4   cid     0  0  .  *  0.0     0.00  3rd, 4th
  3-4   dora    0  0  *  .  0.0     0.00  3rd, 4th

Board [4] may settle the places: dora v cid.

Your games

  board  opponent  result   address
  -----  --------  -------  ----------------------------
  [1]      ann       lost
  [4]      cid       running  http://sarsen.test/boards/[4]/
  [6]      bob       lost

http://sarsen.test/contests/[contest]/
"""
GERMAN = """\
So stehen deine Wettbewerbe nach der Woche ab Mo 1. Mär:

Wettbewerb [contest], Druid-Rundenturnier, läuft bis Mo 14. Jun (voraussichtlich
21. Mai). Beendete Bretter: 5 von 6.

  Rang  Spieler  1  2  3  4  Punkte  SB    möglich
  ----  -------  -  -  -  -  ------  ----  -------
  1     ann      .  1  1  1  3,0     2,00  1.
  2     bob      0  .  1  1  2,0     0,00  2.
  3-4   cid      0  0  .  *  0,0     0,00  3., 4.
  3-4   dora     0  0  *  .  0,0     0,00  3., 4.

Brett [4] kann über die Plätze entscheiden: dora gegen cid.

Deine Partien

  Brett  Gegner  Ergebnis  Adresse
  -----  ------  --------  ----------------------------
  [1]      ann     verloren
  [4]      cid     läuft     http://sarsen.test/boards/[4]/
  [6]      bob     verloren

http://sarsen.test/contests/[contest]/
"""


@pytest.mark.parametrize(("language", "text"), [("", ENGLISH), ("de", GERMAN)])
def test_letter_2_shows_the_table_the_own_games_and_which_board_decides(
    language: str, text: str
) -> None:
    world = played()
    assert weekly.sweep(START + 6 * DAY) == 4
    letter, _, ending = written("contest-week", "dora", language).rstrip().rpartition("\n\n")
    assert letter == in_letters(world, text).rstrip()
    assert "http://sarsen.test/unsubscribe/" in ending


def test_letter_2_says_what_is_settled_and_how_long_the_server_was_away() -> None:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", "dora", "eva", game="druid", options="-size=8")
    Downtime.objects.create(starts_at=START, ends_at=START + 1.5 * DAY)
    world.now += 2 * DAY
    for one, others in (("ann", "bob cid dora eva"), ("bob", "cid dora eva"), ("cid", "dora eva")):
        for other in others.split():
            world.win(one, other)
    weekly.sweep(START + 6 * DAY)
    text = " ".join(written("contest-week", "eva").split())
    assert "Settled: no open game can change the places that matter." in text
    assert "The server was away: the end date moved by 2 days." in text


def test_the_weekly_letter_of_the_server_has_the_contests_of_its_reader() -> None:
    world = ContestWorld(START)
    world.world.player("ann")
    world.say("ann", Subscribe(("weekly",)))
    world.make("ann", "bob", "cid", game="druid", options="-size=8")
    world.move(world.board("ann", "bob").pk)
    world.win("ann", "bob")
    server_weekly.sweep_weekly(START + 6 * DAY)
    text = written("weekly", "ann")
    assert "Your games" in text
    assert text.index("Your games") < text.index("game ended here")


def test_letters_about_a_seat_speak_to_each_reader() -> None:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", game="druid", options="-size=8")
    for match in Match.objects.order_by("pk"):
        if match.seat_rows[0].player.userid != "ann":
            world.move(match.pk)
    for match in Match.objects.filter(ply=1):
        if match.seat_rows[1].player.userid != "ann":
            world.move(match.pk)
    world.say("eva", JoinContest(world.number, waits=True))
    world.wait(10 * DAY)
    reminder = " ".join(written("contest-reminded", "ann").split())
    assert "If you make none by Fri 12 Mar" in reminder
    letters = {
        name: " ".join(written("contest-substituted", name).split())
        for name in ("ann", "bob", "eva")
    }
    assert "eva plays in your place now" in letters["ann"]
    assert "eva has taken the seat of ann" in letters["bob"]
    assert "from now on, in the place of ann" in letters["eva"]
    assert "your seat goes to the first player on the waiting list" in letters["eva"]


def kinds_by_player() -> dict[str, list[str]]:
    """Return the kinds of all letters that wait, by their readers."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for mail in OutgoingMail.objects.exclude(player=None).order_by("pk"):
        assert mail.player is not None
        kinds[mail.player.userid].append(mail.kind)
    return dict(kinds)


def test_one_letter_tells_each_opponent_that_somebody_has_left() -> None:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", game="druid", options="-size=8", terms=("--games=2",))
    OutgoingMail.objects.all().delete()
    world.say("cid", ChangeNotices("contest", "none"))
    world.say("ann", LeaveContest(world.number, confirmed=True))
    # A player without letters of contests still has those of the boards.
    assert kinds_by_player() == {"bob": ["contest-withdrawn"], "cid": ["board", "board"]}
    boards = Match.objects.filter(seats__player__key="ann").filter(seats__player__key="bob")
    first, second = sorted(boards.values_list("pk", flat=True))
    text = " ".join(written("contest-withdrawn", "bob").split())
    assert f"ann is out of contest {world.number}, Druid round robin. Boards {first}, " in text
    assert f"Boards {first}, {second} are closed. Fewer than half of the games" in text
    text = " ".join(written("contest-withdrawn", "bob", "de").split())
    assert f"Bretter {first}, {second} sind geschlossen." in text


def test_one_letter_tells_of_a_seat_that_changes_hands() -> None:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", game="druid", options="-size=8")
    for match in Match.objects.order_by("pk"):
        if match.seat_rows[0].player.userid != "ann":
            world.move(match.pk)
    for match in Match.objects.filter(ply=1):
        if match.seat_rows[1].player.userid != "ann":
            world.move(match.pk)
    world.say("eva", JoinContest(world.number, waits=True))
    world.wait(9 * DAY)
    OutgoingMail.objects.all().delete()
    world.wait(DAY)
    told = [kind for kind in kinds_by_player()["ann"] if kind != "forfeit"]
    assert told == ["contest-substituted"]
    assert kinds_by_player()["cid"].count("contest-substituted") == 1
    over = OutgoingMail.objects.filter(kind="board", facts__is_over=True)
    assert not over.exists()


def test_the_final_table_tells_how_the_law_has_decided_the_boards_of_its_reader() -> None:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", game="druid", options="-size=8", terms=("--days=20",))
    ends_at = Contest.objects.get().ends_at
    assert ends_at is not None
    world.skip_to(ends_at - DAY)
    world.sweep()
    OutgoingMail.objects.all().delete()
    world.skip_to(ends_at)
    world.sweep()
    assert kinds_by_player() == {name: ["contest-ended"] for name in ("ann", "bob", "cid")}
    match = world.board("ann", "bob")
    side = load("druid").read(match.position).sides[0]
    winner = match.seat_rows[1].player.userid
    loser = match.seat_rows[0].player.userid
    text = " ".join(written("contest-ended", loser).split())
    assert (
        f"Board {match.pk}, against {winner}, was decided: lost. {side} had not made a first move "
        "by the end date." in text
    )
    text = " ".join(written("contest-ended", loser, "de").split())
    assert f"Brett {match.pk}, gegen {winner}, wurde entschieden: verloren." in text


def test_the_final_table_names_who_is_first() -> None:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", game="druid", options="-size=8")
    for one, other in (("ann", "bob"), ("ann", "cid"), ("bob", "cid")):
        world.win(one, other)
    text = " ".join(written("contest-ended", "cid").split())
    assert "This is the final table. The winner is ann." in text
    assert "Gewonnen hat ann." in " ".join(written("contest-ended", "cid", "de").split())
    world.make("ann", "bob", "cid", game="druid", options="-size=8")
    for one, other in (("ann", "bob"), ("bob", "cid"), ("cid", "ann")):
        world.win(one, other)
    text = " ".join(written("contest-ended", "cid").split())
    assert "First place is shared by ann, bob, cid." in text
    world.say("ann", MakeContest("druid", "match", "-size=4"))
    world.say("bob", JoinContest(Contest.objects.latest("pk").pk))
    world.sweep()
    for match, loser in zip(Match.objects.filter(ended_at=None), ("ann", "bob"), strict=True):
        world.say(loser, Resign("druid", match.pk, confirmed=True))
    world.sweep()
    assert "The match is drawn." in " ".join(written("contest-ended", "ann").split())


def test_players_of_a_closed_ladder_read_its_last_places() -> None:
    world = LadderWorld("ann", "bob", "cid")
    world.climb("cid", "bob")
    world.say("ann", CloseContest(world.number, "too quiet", confirmed=True))
    text = " ".join(written("contest-closed", "cid").split())
    assert "is closed. These are its last places. The reason: too quiet. Games" in text
    assert "1 ann 2 bob 3 cid" in text
    assert "ist geschlossen. Das sind die letzten Plätze." in " ".join(
        written("contest-closed", "cid", "de").split()
    )


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("too quiet", "too quiet."),
        ("too quiet.", "too quiet."),
        ("we are done!", "we are done!"),
        ("who plays here?", "who plays here?"),
        ('"it was fun."', '"it was fun."'),
        ("well…", "well…"),
    ],
)
def test_a_reason_ends_like_a_sentence_in_all_that_is_said(reason: str, said: str) -> None:
    world = LadderWorld("ann", "bob", "cid", "dora")
    world.climb("cid", "bob")
    world.now += 8 * DAY
    gone = sentence(world.say("ann", WithdrawFromContest(world.number, "dora", reason)))
    assert gone == f"dora is taken off the Druid ladder: {said}"
    letters = [written("contest-withdrawn", "dora")]
    world.say("ann", CloseContest(world.number, reason, confirmed=True))
    letters.append(written("contest-closed", "cid"))
    world.world.player("olga")
    add_operator("olga", world.now)
    world.make("ann", "bob", "cid", game="druid", options="-size=8")
    board = world.board("ann", "bob").pk
    fixed = sentence(world.say("olga", CorrectContest(world.number, board, "1-0", reason)))
    assert f": {said} Both" in fixed
    letters.append(written("contest-corrected", "ann"))
    world.now += 8 * DAY
    gone = sentence(world.say("ann", WithdrawFromContest(world.number, "cid", reason)))
    assert f"{world.number}: {said} Games finished" in gone
    letters.append(written("contest-ended", "bob"))  # it is over with that
    world.make("ann", "bob", most=3)
    world.say("ann", CloseContest(world.number, reason))
    letters.append(written("contest-closed", "bob"))
    for letter in letters:
        assert f"The reason: {said}" in " ".join(letter.split())
        assert f"{said}." not in letter


@pytest.mark.parametrize(
    ("language", "line", "told"),
    [
        ("", "To decline, reply with this line:", "bob declines your invitation"),
        ("de", "Zum Ablehnen antworte mit dieser Zeile:", "bob lehnt deine Einladung ab"),
    ],
)
def test_an_invitation_says_how_to_decline_and_the_host_reads_of_it(
    language: str, line: str, told: str
) -> None:
    world = ContestWorld(START)
    world.world.player("bob")
    world.say("ann", MakeContest("druid", "match", "-size=4", ("--with=bob",)))
    number = Contest.objects.get().pk
    text = written("contest-invited", "bob", language)
    assert f"{line}\n\n    contest decline {number}\n" in text
    world.say("bob", LeaveContest(number, reason="Sorry, no time"))
    text = written("contest-closed", "ann", language)
    assert told in text
    assert ": Sorry, no time.\n" in text


def test_e3_the_letter_says_until_when_a_vacation_stops_the_clocks() -> None:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", game="druid", options="-size=8", terms=("--vacation=2",))
    Vacation.objects.create(
        player=world.world.player("bob"),
        starts_at=START,
        ends_at=START + 5 * DAY,
        first_day=START.date(),
        last_day=(START + 4 * DAY).date(),
    )
    world.wait(DAY)
    text = " ".join(written("contest-vacation", "bob").split())
    assert "up to 2 days of vacation stop the clocks there. Yours do so until Thu 4 Mar" in text
