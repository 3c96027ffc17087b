"""Lines of the announcements and help pages of 2008 work as they are pasted."""

from __future__ import annotations

import pytest
from django.test import Client

from doors.mail.conftest import PostOffice, words_of
from sarsen.core.errors import UserError
from sarsen.services.userids import check_userid
from sarsen.storage.models import Challenge, Match, Player

ANN, CAMB = "ann@ann.example", "camb@camb.example"
NOTE = "Brackets on help pages mark what can be left out or replaced"
# By the seeds: 003, 000, 004, and the usage of all help pages.
PASTED = [
    ("druid challenge you camb", ("ann", "camb"), ""),
    ("druid challenge camb you", ("camb", "ann"), ""),
    ("vasco challenge <you> camb", ("ann", "camb"), ""),
    ("vasco challenge camb <you>", ("camb", "ann"), ""),
    ("visavis challenge yourname camb", ("ann", "camb"), ""),
    ("gyges challenge YOU camb", ("ann", "camb"), ""),
    ("gyges challenge <yourname> <camb>", ("ann", "camb"), ""),
    ("druid challenge [-size=8] [-nogaps] ann camb", ("ann", "camb"), "-nogaps"),
    ("druid challenge [-size=6 -nogaps] [you] {camb}", ("ann", "camb"), "-size=6 -nogaps"),
    ("DRUID CHALLENGE Me Camb", ("ann", "camb"), ""),
]


# As people and their mail programs quote; none of these signs is part of a name.
QUOTES = ("“”", "„“", "””", "»«", "«»", "‚‘", "‘’", "›‹", "‹›", '""', "''", "``")
# Every command that takes names of players, without a speaker and with one that a password proves.
WITH_NAMES = {
    "druid challenge {you} {camb}": "druid challenge {ann} secret-ann {you} {camb}",
    "{druid} challenge {camb} {me}": "{druid} challenge {ann} secret-ann {camb} {me}",
    "refuse {camb}": "refuse {ann} secret-ann {camb}",
    "autoaccept {camb} {druid}": "autoaccept {ann} secret-ann {camb} {druid}",
    "message {camb}: Hello!": "message {ann} secret-ann {camb}: Hello!",
    "subscribe {camb}": "subscribe {ann} secret-ann {camb}",
    "druid games {you} {camb}": "",
    "druid standings {you} {camb}": "",
    "druid history {camb}": "",
    "profile {you}": "",
    "limit 5": "limit {ann} secret-ann 5",
}


def text_of(post: PostOffice, address: str) -> str:
    return words_of(post.last(address))


def seats() -> tuple[str, ...]:
    challenge = Challenge.objects.latest("pk")
    return tuple(seat.player.userid for seat in challenge.seats.order_by("seat") if seat.player)


@pytest.mark.parametrize(("line", "names", "options"), PASTED)
@pytest.mark.parametrize("way", ["signed", "password"])
def test_a_pasted_challenge_names_the_speaker(
    post: PostOffice, way: str, line: str, names: tuple[str, ...], options: str
) -> None:
    post.join("camb")
    welcome = post.join("ann", "secret-ann")
    if way == "signed":
        post.answer(welcome, line)
    else:
        game, challenge, rest = line.split(maxsplit=2)
        words = rest.split()
        first = sum(word.lstrip("[").startswith("-") for word in words)
        words[first:first] = ["ann", "secret-ann"]
        post.send("any@any.example", subject=" ".join([game, challenge, *words]))
    assert seats() == names
    given = Challenge.objects.latest("pk").options
    assert set(options.split()) <= set(given.split())
    told = text_of(post, ANN if way == "signed" else "any@any.example")
    assert (NOTE in told) == any(sign in line for sign in "[<{")


def test_a_stranger_at_a_players_address_is_asked_about_the_pasted_line(post: PostOffice) -> None:
    post.join("camb")
    post.join("ann")
    post.send(ANN, subject="druid challenge you camb")
    assert "asks for a game of Druid: ann v camb" in text_of(post, ANN)
    assert not Match.objects.exists()


def test_a_stranger_who_pastes_a_line_is_told_who_has_to_be_named(post: PostOffice) -> None:
    post.join("camb")
    post.send("eve@eve.example", subject="druid challenge you camb")
    told = text_of(post, "eve@eve.example")
    assert "Nothing was changed" in told
    assert "druid challenge USERID PASSWORD me camb" in told
    assert not Challenge.objects.exists()


@pytest.mark.parametrize("line", ["standings you camb", "profile <you>", "games yourname"])
def test_other_commands_read_the_speaker_as_well(post: PostOffice, line: str) -> None:
    post.join("camb")
    post.answer(post.join("ann"), line)
    told = text_of(post, ANN)
    assert "Nothing was changed" not in told
    assert "Nobody" not in told


@pytest.mark.parametrize(("line", "proved"), WITH_NAMES.items())
def test_quotes_round_names_and_words_for_the_speaker_are_dropped(
    post: PostOffice, line: str, proved: str
) -> None:
    post.join("camb")
    welcome = post.join("ann", "secret-ann")
    for number, (opens, closes) in enumerate(QUOTES):
        names = {name: f"{opens}{name}{closes}" for name in ("you", "me", "ann", "camb", "druid")}
        if number % 2 and proved:
            post.send("any@any.example", proved.format(**names))
            told = text_of(post, "any@any.example")
        else:
            post.answer(welcome, line.format(**names))
            told = text_of(post, ANN)
        assert "Nothing was changed" not in told, (opens, told)
        assert NOTE not in told
        Challenge.objects.all().delete()


@pytest.mark.parametrize(
    "names",
    [
        *("you you", "<you> me", "“you” YOU", "yourname yourname"),
        *("you ann", "ann <you>", "Ann me"),
    ],
)
def test_a_challenge_that_names_only_the_speaker_asks_for_an_opponent(
    post: PostOffice, names: str
) -> None:
    post.answer(post.join("ann"), f"druid challenge -nogaps {names}")
    told = text_of(post, ANN)
    assert "Name an opponent" in told
    assert "druid challenge -nogaps me USERID2" in told
    assert not Challenge.objects.exists()


@pytest.mark.parametrize("option", ["[-size=n]", "[-size=number]", "-size=N", "“-size=n”"])
def test_a_hint_leaves_out_an_option_whose_number_stands_open(
    post: PostOffice, option: str
) -> None:
    post.answer(post.join("ann"), f"vasco challenge {option} userid1 userid2")
    told = text_of(post, ANN)
    assert "leave out options" in told
    assert "vasco challenge ann bob" in told


@pytest.mark.parametrize("line", ["show <1>", "[show] 1", "druid move [1] <c1>", "show [1#0]"])
def test_brackets_are_dropped_from_every_command(post: PostOffice, line: str) -> None:
    post.board()
    post.join("roberta")
    post.send("roberta@roberta.example", subject=line)
    assert "is not a board number" not in text_of(post, "roberta@roberta.example")


def test_brackets_in_words_for_people_stay(post: PostOffice) -> None:
    post.join("camb")
    post.answer(post.join("ann"), "message camb: see [1] and <you>")
    assert "see [1] and <you>" in text_of(post, CAMB)


def test_brackets_are_part_of_a_password(post: PostOffice) -> None:
    post.join("camb")
    post.join("ann", "<secret-ann>")
    post.send("any@any.example", subject="druid challenge ann <secret-ann> you camb")
    assert seats() == ("ann", "camb")


@pytest.mark.parametrize("word", ["you", "You", "yourname", "me", "myself", "yourself", "y0u"])
def test_words_for_the_speaker_are_reserved(word: str) -> None:
    with pytest.raises(UserError, match="is reserved"):
        check_userid(word)


@pytest.mark.django_db
def test_a_player_called_so_before_the_word_was_reserved_keeps_the_name(post: PostOffice) -> None:
    post.join("camb")
    welcome = post.join("ann")
    Player.objects.filter(key="camb").update(key="you", userid="you")
    post.answer(welcome, "druid challenge me you")
    assert seats() == ("ann", "you")


def test_the_command_box_drops_brackets_and_says_so(post: PostOffice, client: Client) -> None:
    post.join("camb")
    post.join("ann", "secret-ann")
    client.force_login(Player.objects.get(key="ann"))
    sent = {"line": "druid challenge [-size=8] <you> camb"}
    page = client.post("/do/", sent, follow=True).content.decode()
    assert seats() == ("ann", "camb")
    assert NOTE in page
