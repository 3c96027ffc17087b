"""Where lessons are offered on pages, No thanks, and what a browser keeps of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.doors.web.learning.kept_progress import MAX_COOKIE, KeptProgress
from sarsen.language.commands import Resign
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.dispatch import perform
from sarsen.services.learning.progress import Progress, carry_over
from sarsen.services.request import Actor
from sarsen.storage.models import LessonProgress, Player
from visitor import Visitor
from web_world import NOW, World

Visit = Callable[..., Visitor]
OFFER = "Learn in 3 minutes"
needs_database = pytest.mark.django_db


@needs_database
def test_home_offers_the_lesson_of_each_game_to_strangers_alone(world: World, visit: Visit) -> None:
    links = "//ul[@class='games']//a[contains(., 'Learn in 3 minutes')]/@href"
    nobody = visit()
    nobody.go("/")
    assert nobody.tree.xpath(links) == [
        f"/learn/{name}/" for name in ("druid", "gyges", "vasco", "visavis")
    ]
    assert OFFER not in visit("ann").go("/")


@needs_database
@pytest.mark.parametrize("path", ["/games/", "/games/druid/", "/help/druid/"])
def test_pages_about_a_game_lead_to_its_lesson(visit: Visit, path: str) -> None:
    nobody = visit()
    nobody.go(path)
    assert "/learn/druid/" in nobody.tree.xpath("//main//a/@href")


@needs_database
def test_the_first_board_of_a_game_offers_its_lesson_until_no_thanks(
    world: World, visit: Visit
) -> None:
    first, ann = world.board(moves="b8"), visit("ann")
    for path in (f"/boards/{first}/", f"/boards/{first}/text/"):
        assert OFFER in ann.go(path)
    ann.go(f"/boards/{first}/")
    assert OFFER not in visit("cyd").go(f"/boards/{first}/")
    ann.press("No thanks")
    assert ann.path == f"/boards/{first}/"
    assert OFFER not in ann.text
    assert LessonProgress.objects.get().is_declined
    # Of another game it is still said; of the second board of a game never.
    assert OFFER in ann.go(f"/boards/{world.board('gyges')}/")
    again = world.board("gyges")
    assert OFFER not in ann.go(f"/boards/{again}/")


@needs_database
def test_a_lesson_that_was_begun_and_a_game_under_way_offer_nothing(
    world: World, visit: Visit
) -> None:
    under_way = world.board(moves="b8 b5 b4 a5")
    ann = visit("ann")
    assert OFFER not in ann.go(f"/boards/{under_way}/")
    ann.go("/learn/vasco/win/")
    ann.press("Try", move="d4")
    assert OFFER not in ann.go(f"/boards/{world.board('vasco')}/")


@needs_database
@pytest.mark.parametrize(("program", "is_offered"), [("bot1", True), ("bot3", False)])
def test_after_a_lost_first_game_against_the_weakest_program_the_lesson_is_offered(
    world: World, visit: Visit, program: str, is_offered: bool
) -> None:
    make_accounts(NOW)
    board = world.challenge("druid", "ann", program).board
    assert board is not None
    perform(Resign("druid", board, confirmed=True), Actor(world.player("ann")), "", NOW)
    assert (OFFER in visit("ann").go(f"/boards/{board}/")) == is_offered


@needs_database
def test_what_a_visitor_has_done_is_carried_over_to_the_guest(world: World, visit: Visit) -> None:
    make_accounts(NOW)
    nobody = visit()
    nobody.go("/learn/druid/win/")
    nobody.press("Try", move="b4")
    nobody.go("/")
    nobody.press("Play Druid")
    row = LessonProgress.objects.get()
    assert row.player.is_guest
    assert (row.game, row.done) == ("druid", ["win"])
    assert "1 of 8 steps" in nobody.go("/learn/")
    nobody.go("/learn/druid/")
    assert nobody.path == "/learn/druid/own-ground/"


@needs_database
def test_a_visitor_who_declines_is_remembered_and_logging_out_forgets(
    world: World, visit: Visit
) -> None:
    nobody = visit()
    nobody.go("/learn/druid/win/")
    token = nobody.tree.xpath("//input[@name='csrfmiddlewaretoken']/@value")[0]
    nobody.send("/learn/druid/", [("csrfmiddlewaretoken", token), ("back", "/help/druid/")])
    assert nobody.path == "/help/druid/"
    assert nobody.client.cookies["lessons"].value == "druid!"
    ann = visit("ann")
    ann.client.cookies["lessons"] = "druid.win"
    ann.go("/")
    ann.press("Log out")
    assert ann.client.cookies["lessons"].value == ""


@needs_database
def test_carrying_over_twice_changes_nothing_and_keeps_what_was_there(world: World) -> None:
    ann = world.player("ann")
    LessonProgress.objects.create(player=ann, game="druid", step="win", done=["block"], at=NOW)
    kept = {"druid": Progress(("win", "block", "gone"), is_declined=True), "chess": Progress()}
    for _ in range(2):
        carry_over(ann, kept, NOW)
        row = LessonProgress.objects.get()
        assert (row.done, row.is_declined, row.step) == (["block", "win"], True, "win")
    assert Player.objects.get(pk=ann.pk) == ann


GAMES = st.from_regex(r"[a-z][a-z0-9]{0,9}", fullmatch=True)
STEPS = st.lists(st.from_regex(r"[a-z][a-z0-9-]{0,9}", fullmatch=True), max_size=9, unique=True)


@given(
    st.dictionaries(GAMES, st.tuples(STEPS, st.booleans()), max_size=9),
    st.integers(min_value=0, max_value=99),
)
def test_what_a_browser_keeps_is_read_as_it_was_written(
    games: dict[str, tuple[list[str], bool]], tries: int
) -> None:
    kept = KeptProgress()
    for game, (done, is_declined) in games.items():
        kept = kept.with_game(game, Progress(tuple(done), is_declined=is_declined))
    for game in list(games)[-1:]:
        step = "win" if tries else ""
        progress = Progress(kept.of(game).done, step, tries, kept.of(game).is_declined)
        kept = kept.with_game(game, progress)
    written = kept.write()
    assert len(written) <= MAX_COOKIE
    assert KeptProgress.read(written) == kept


@given(st.text(max_size=3 * MAX_COOKIE))
def test_any_text_is_read_and_the_cookie_stays_small(text: str) -> None:
    kept = KeptProgress.read(text)
    assert len(kept.with_game("druid", Progress(("win",))).write()) <= MAX_COOKIE


def test_of_too_much_the_games_played_first_fall_out() -> None:
    kept = KeptProgress()
    for at in range(100):
        kept = kept.with_game(f"game{at}", Progress(("win", "own-ground", "lintel")))
    names = list(KeptProgress.read(kept.write()).games)
    assert names[-1] == "game99"
    assert 40 < len(names) < 60
