"""The accounts of the server's own programs."""

from __future__ import annotations

import pytest
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.commands import Ratings, SignUp
from sarsen.language.grammar.tokens import Credentials
from sarsen.language.ratings import LEVELS
from sarsen.language.replies import Table
from sarsen.services.accounts import login_letters
from sarsen.services.accounts.passwords import prove
from sarsen.services.bots.accounts import list_programs, make_accounts
from sarsen.services.dispatch import perform
from sarsen.services.request import NOBODY
from sarsen.storage.models import OutgoingMail, Player, Rating
from web_world import NOW, World

pytestmark = pytest.mark.django_db


def test_a_program_a_level_is_made_once_however_often_the_server_starts() -> None:
    assert make_accounts(NOW) == len(LEVELS)
    assert make_accounts(NOW) == 0
    programs = Player.objects.order_by("level").values_list("userid", "level", "is_bot")
    assert list(programs) == [(f"bot{level}", level, True) for level in LEVELS]
    assert not Rating.objects.exists()


def test_programs_have_no_rating_until_they_have_finished_a_game() -> None:
    make_accounts(NOW)
    table = perform(Ratings("druid"), NOBODY, "", NOW)
    assert isinstance(table, Table)
    assert table.rows == ()
    assert {one.ratings for one in list_programs(with_ratings=True)} == {("",) * len(names())}


def test_rating_of_a_program_shows_once_enough_games_were_rated() -> None:
    make_accounts(NOW)
    bot8 = Player.objects.get(userid="bot8")
    druid = names().index("druid")
    now = timezone.now()
    rating = Rating.objects.create(
        player=bot8, game="druid", rating=2000, deviation=200, volatility=0.06, rated_at=now
    )
    assert list_programs(with_ratings=True)[-1].ratings[druid] == ""
    rating.deviation = 60
    rating.save()
    assert list_programs(with_ratings=True)[-1].ratings[druid] == "2000"


def test_userid_that_a_person_has_had_for_long_stays_theirs_and_the_program_gets_another() -> None:
    person = World().player("Bot5")
    Player.objects.create(key="robot6", userid="robot6", joined_at=NOW)
    World().player("bot6")
    make_accounts(NOW)
    person.refresh_from_db()
    assert (person.userid, person.level) == ("Bot5", None)
    assert Player.objects.get(level=5).userid == "robot5"
    assert Player.objects.get(level=6).userid == "bot6-0"


@pytest.mark.parametrize(
    "userid", ["bot1", "Bot9", "bot12", "robot3", "bot-5", "bot", "bots", "me"]
)
def test_nobody_signs_up_under_the_name_of_a_program(userid: str) -> None:
    with pytest.raises(UserError) as refused:
        perform(SignUp(userid, "", ("ann@example.org",)), NOBODY, "", NOW)
    assert refused.value.code == "userid-reserved"
    line = refused.value.hint.split()
    perform(SignUp(line[1], "", ("ann@example.org",)), NOBODY, "", NOW)


def test_names_that_only_begin_like_a_programs_are_free() -> None:
    perform(SignUp("bottom", "", ("ann@example.org",)), NOBODY, "", NOW)
    perform(SignUp("robotics", "", ("ann@example.org",)), NOBODY, "", NOW)


def test_nobody_speaks_or_logs_in_for_a_program_and_no_mail_goes_to_it() -> None:
    make_accounts(NOW)
    for password in ("", "bot5", "!"):
        with pytest.raises(UserError):
            prove(Credentials("bot5", password), NOW)
    login_letters.ask("bot5", "", "192.0.2.1", NOW)
    login_letters.send_asked()
    assert not OutgoingMail.objects.exists()
