"""Pages of players, of games and of the server's figures: what they tell, and at what cost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sarsen.doors.web.frame.charts import bar_chart, line_chart
from sarsen.services.admin.monitoring import measure
from sarsen.services.admin.overview import overview
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.events.statistics import DAYS, HOLD, count, figures, sweep_figures
from sarsen.services.matches.matches import record_forfeit
from sarsen.services.request import NOBODY, Request
from sarsen.storage.models import CountedFigures, Match, Player, Rating, RatingStep
from visitor import Visitor
from web_world import NOW

Visit = Callable[..., Visitor]
ENDED = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"


def queries(browser: Client, path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as found:
        assert browser.get(path).status_code == 200
    return len(found)


def test_pages_cost_no_more_with_more_on_them(world: Any, browser: Client) -> None:
    pages = ("/", "/games/druid/", "/players/ann/", "/challenges/", "/programs/")
    pages += ("/watch/", "/players/")
    for _ in range(2):
        world.board(moves="b8 b5")
        world.challenge("druid", "ann", "anyone")
    world.board(moves=ENDED)
    for path in pages:
        browser.get(path)
    once = {path: queries(browser, path) for path in pages}  # all caches are warm
    for other in ("carla", "dora", "emil"):
        world.board(moves="b8 b5", players=("ann", other))
        world.board("gyges", players=(other, "ann"))
        world.challenge("vasco", other, "anyone")
    world.board(moves=ENDED, players=("bob", "ann"))
    again = {path: queries(browser, path) for path in pages}
    assert again == once
    assert max(once.values()) <= 30, once


def test_home_lobby_and_lists_need_few_queries(world: Any, browser: Client) -> None:
    make_accounts(NOW)
    for other in ("bob", "carla", "dora", "emil"):
        world.board(moves=ENDED, players=("ann", other))
        world.board(moves="b8 b5 b4 a5", players=("ann", other))
        world.challenge("druid", other, "anyone")
        world.challenge("druid", other, "ann")
    sweep_figures(NOW + timedelta(hours=1))
    pages = {"/": 11, "/challenges/": 4, "/watch/": 4, "/players/?name=a": 12}
    player = Client(SERVER_NAME="sarsen.test", REMOTE_ADDR="127.0.0.1")
    player.force_login(world.player("ann"))
    own = {"/": 19, "/challenges/": 10, "/watch/": 7, "/players/?name=a": 15}
    for client, bounds in ((browser, pages), (player, own)):
        for path in bounds:
            client.get(path)
        assert {path: queries(client, path) for path in bounds} == bounds


def test_players_are_found_by_the_beginning_of_their_names(world: Any, visit: Visit) -> None:
    world.board(moves=ENDED, players=("Anna", "bob"))
    world.player("annika")
    Player.objects.filter(userid="bob").update(is_bot=True)
    gone = world.player("ansgar")
    gone.is_active = False
    gone.save()
    nobody = visit()
    found = "//ul[contains(@class, 'people')]//strong/text()"
    for asked, names in (
        *(("an", ["Anna", "annika"]), ("ANNI", ["annika"]), ("nn", []), ("", [])),
        *(("%25", []), ("a_", []), ("%00", [])),
    ):
        nobody.go(f"/players/?name={asked}")
        assert nobody.tree.xpath(found) == names, asked
    # Programs have a list of their own.
    best = [" ".join(one.text_content().split()) for one in nobody.tree.xpath("//ol/li")]
    assert best == ["Anna 1662?"]


def test_a_player_page_tells_games_course_and_what_was_between_us(world: Any, visit: Visit) -> None:
    world.board(moves=ENDED)
    world.board(moves="b8")
    world.board("gyges", terms=("--private",))
    for step, rating in enumerate((1500, 1600), start=1):
        RatingStep.objects.create(
            player=world.player("bob"),
            game="druid",
            period=step,
            at=NOW - timedelta(days=28 * step),
            rating=rating,
            deviation=90,
            volatility=0.06,
            matches=2,
        )
    world.board(moves=ENDED, players=("bob", "carla"))
    ann = visit("ann")
    ann.go("/players/bob/")
    assert "You have won 1, lost 0" in ann.text
    (tile,) = ann.tree.xpath("//ul[@class='tiles']/li")
    words = " ".join(tile.text_content().split())
    assert words.startswith("Druid 1502? +164 provisional")
    assert "1 won 0 drawn 1 lost 1 in play" in words
    form = [(one.text_content().split(), one.get("href")) for one in ann.tree.xpath("//ol//a")]
    assert form == [
        (["1", "won", "Druid", "v", "carla"], "/boards/4/"),
        (["0", "lost", "Druid", "v", "ann"], "/boards/1/"),
    ]
    assert "on time in every recent game" in ann.text
    assert "First win, Druid" in ann.text
    assert ann.tree.xpath("//a[starts-with(., 'Druid, ')]/@href") == ["/boards/4/"]
    assert "Strongest program" not in ann.text
    assert not ann.tree.xpath("//svg[@class='chart']")  # two points are no curve
    nobody = visit()
    nobody.go("/players/bob/")
    assert "You have won" not in nobody.text
    assert "Gyges 1" not in nobody.text
    world.board(moves=ENDED, players=("bob", "carla"))
    ann.go("/players/bob/")
    assert len(ann.tree.xpath("//svg[@class='chart']/circle")) == 3
    Player.objects.filter(userid="carla").update(level=3)
    assert "Strongest program beaten: carla, Druid" in ann.go("/players/bob/")


def test_a_player_page_counts_what_was_lost_on_time(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")  # bob is to move
    world.board(moves=ENDED)
    request = Request(NOBODY, NOW + timedelta(hours=1), AFTER_EVENTS)
    record_forfeit(Match.objects.get(pk=board), request)
    nobody = visit()
    assert "lost 1 of the last 2 games on time" in nobody.go("/players/bob/")
    assert "on time in every recent game" in nobody.go("/players/ann/")


def test_figures_count_people_programs_boards_and_moves_by_day(world: Any, visit: Visit) -> None:
    world.board(moves=ENDED)
    world.board("vasco", moves="e1")
    found = count(NOW + timedelta(hours=1))
    assert (found.players, found.running, found.ended, found.busy) == (2, 1, 1, 2)
    assert [one.game.name for one in found.boards] == ["druid", "vasco"]
    assert len(found.moves) == DAYS
    assert found.moves[-1] == (NOW.date(), 26)
    assert found.moved == 26
    nobody = visit()
    assert "This server in figures" in nobody.go("/figures/")
    assert len(nobody.tree.xpath("//svg[@class='chart']")) == 1


def test_figures_are_shown_as_they_were_counted_last(world: Any, visit: Visit) -> None:
    world.board(moves=ENDED)
    now = NOW + timedelta(hours=1)
    assert sweep_figures(now)
    shown = count(now)
    world.board("vasco", moves="e1")
    assert count(now) != shown
    assert not sweep_figures(now + HOLD - timedelta(seconds=1))
    assert figures(now) == figures(now + timedelta(days=1)) == shown
    assert measure(now).running_boards == overview(now).running == 0
    assert "vasco" not in visit().go("/figures/").lower()
    assert sweep_figures(now + HOLD)
    assert figures(now) == count(now + HOLD)
    assert measure(now).running_boards == overview(now).running == 1
    # Of games that are here no more there is nothing to show.
    row = CountedFigures.objects.get()
    row.figures["boards"]["chess"] = [1, 2]
    row.save()
    assert [one.game.name for one in figures(now).boards] == ["druid", "vasco"]


def test_charts_draw_nothing_as_well_as_much() -> None:
    today = NOW.date()
    assert "busiest day: 0" in bar_chart([(today, 0)], "none")
    assert bar_chart([(today, 0), (today, 7)], "<b>").count("<rect") == 1
    assert "<b>" not in bar_chart([(today, 1)], "<b>")
    assert line_chart([(NOW, 1500.0)], "one").count("<circle") == 1


def test_figures_of_another_release_are_counted_anew_and_games_keep_their_order(world: Any) -> None:
    for game in ("druid", "gyges"):
        world.board(game)
    sweep_figures(NOW)
    row = CountedFigures.objects.get()
    # PostgreSQL returns the names sorted by their lengths, for example.
    row.figures["boards"] = dict(reversed(row.figures["boards"].items()))
    row.save()
    assert [one.game.name for one in figures(NOW).boards] == ["druid", "gyges"]
    row.figures = {"people": 7}
    row.save()
    assert figures(NOW).players == 2


def test_players_lists_the_programs_and_how_strong_they_are(world: Any, visit: Visit) -> None:
    make_accounts(NOW)
    nobody = visit()
    nobody.go("/players/")
    rows = nobody.tree.xpath("//section[h2/@id='programs']//tbody/tr")
    assert len(rows) == 8
    # Nothing was measured here: these are the figures of docs/strength.md.
    assert " ".join(rows[2].text_content().split()) == (
        "bot3 program, casual player +270 +364 +335 +333"
    )
    nobody.go("/games/druid/")
    marked = nobody.tree.xpath("//p[@class='levels']/button/@data-strength")
    assert marked[:3] == ["+0", "+161", "+270"]
    nobody.go("/")
    easy, medium, _ = nobody.tree.xpath("//label[starts-with(@for, 'level-')]")
    assert not easy.get("data-s1")
    assert [medium.get("data-s1"), medium.get("data-s2")] == ["+270", "+364"]
    Rating.objects.create(
        player=Player.objects.get(level=3),
        **{"game": "druid", "rating": 1444, "deviation": 40, "volatility": 0.06},
        **{"matches": 30, "rated_at": timezone.now()},
    )
    assert nobody.go("/players/").count("1444") == 1
    chosen = visit("ann")
    chosen.go("/games/druid/challenge/?with=bot3")
    options = [
        " ".join(one.split()) for one in chosen.tree.xpath("//select[@id='program']/option/text()")
    ]
    assert options[1:3] == ["bot2, novice · +161", "bot3, casual player · 1444"]
