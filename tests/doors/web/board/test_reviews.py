"""Pages of reviews: asked for by a button, read by eye and ear, stepped through by links."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html

from sarsen.core.game import AnyPosition
from sarsen.drawing.view import view_of
from sarsen.games import load
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services.matches.openings import store_some
from sarsen.services.reviews.making import work_step
from sarsen.storage.models import Player
from short_sight import ShortSight
from visitor import Visitor

Visit = Callable[..., Visitor]
GAME = "A3 C2 D3 D1 B4"
PROVED = "E3 D4 B2 E2"


def think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return ShortSight(3)(position, seed)


def make_reviews() -> None:
    while work_step(think, Stop(), timezone.now()):
        pass


def over(world: Any, moves: str = GAME, **words: Any) -> int:
    return int(world.board("visavis", moves, options="-size=5", **words))


def reviewed(world: Any, visit: Visit, moves: str = GAME) -> int:
    board = over(world, moves)
    visit("ann").type(f"review {board}")
    make_reviews()
    return board


def test_from_the_board_to_the_review_by_a_link_and_a_button(world: Any, visit: Visit) -> None:
    board = over(world)
    nobody = visit("")
    nobody.go(f"/boards/{board}/")
    [link] = nobody.tree.xpath("//a[text()='Review']/@href")
    assert "No review has been requested yet" in nobody.go(link)
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    said = ann.press("Review")
    assert ann.path == link
    assert "0 of 6 positions are done" in said
    [bar] = ann.tree.xpath("//progress")
    assert (bar.get("value"), bar.get("max")) == ("0", "6")
    assert "You also get a mail." in said
    work_step(think, Stop(), timezone.now())
    ann.go(link)
    assert ann.tree.xpath("//progress/@value") == ["1"]
    work_step(think, Stop(), timezone.now())
    ann.go(link)
    judged = ["".join(row.itertext()).split() for row in ann.tree.xpath("//tbody/tr")]
    assert [row[:2] for row in judged] == [["5", "B4"], ["6", "the"]]  # the last moves first
    [course] = ann.tree.xpath("//path[@class='course']/@d")
    assert course.startswith("M800.0 ")  # of six positions, two
    assert not ann.tree.xpath("//tbody//a")
    make_reviews()
    assert "From move 5 on, ann has a proven win" in nobody.go(link)
    # A review that was asked for before is shown at the next press.
    ann.go(f"/boards/{board}/")
    assert "From move 5 on, ann has a proven win" in ann.press("Review")


def test_a_mail_is_promised_to_those_alone_who_get_one(world: Any, visit: Visit) -> None:
    board = over(world)
    Player.objects.filter(userid="ann").update(is_guest=True)
    Player.objects.filter(userid="bob").update(channels={"review": "none"})
    for userid in ("ann", "bob"):
        player = visit(userid)
        player.go(f"/boards/{board}/")
        assert "mail" not in player.press("Review").replace("by mail", "")
        assert not player.tree.xpath("//button[text()='Notify me']")
    assert "You get a mail" not in visit("bob").type(f"review {board}")
    assert "You get a mail when it is done." in visit("cyd").type(f"review {board}")


def test_ones_mistakes_are_tried_again_one_by_one(world: Any, visit: Visit) -> None:
    board = reviewed(world, visit)
    ann = visit("ann")
    ann.go(f"/boards/{board}/review/")
    [link] = ann.tree.xpath("//a[normalize-space()='Try your mistakes again']/@href")
    text = ann.go(link)
    assert "Move 1, O to move. You could have won from here (proven). How?" in text
    assert "Better was" not in text
    assert "A3" not in "".join(ann.tree.xpath("//main//p//text()"))  # what was played comes later
    text = ann.press("Try", move="A3")
    assert "Not that one. A3 is what was played. Try again." in text
    assert ann.press("Try", move="zz")
    assert ann.status == 422
    text = ann.press("Try", move="b4")
    assert "Right. In the game you played A3. Better was B4" in text
    [following] = ann.tree.xpath("//a[normalize-space()='Next move']/@href")
    assert "Move 3, O to move." in ann.go(following)
    assert "Better was" in ann.press("Show me")
    assert not ann.tree.xpath("//figure/@data-moves")
    ann.go(f"/boards/{board}/review/again/9/")
    assert ann.status == 404
    # A reader who did not play there looks for all of them.
    nobody = visit("")
    assert "ann could have won from here" in nobody.go(link)
    assert "In the game ann played A3." in nobody.press("Try", move="b4")
    # Without a review there is nothing to be tried.
    other = visit("cyd")
    other.go(f"/boards/{over(world)}/review/again/1/")
    assert other.status == 404


def test_review_and_openings_have_the_colours_of_the_board(
    world: Any, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = reviewed(world, visit)
    nobody = visit()
    nobody.go(f"/boards/{board}/review/")
    assert nobody.tree.xpath("//span[contains(@class, 'swatch')]/@class")[1] == "swatch second"
    view = view_of(load("visavis").start())
    monkeypatch.setattr(view, "roles", ("black", "white"), raising=False)
    nobody.go(f"/boards/{board}/review/")
    swatches = nobody.tree.xpath("//span[contains(@class, 'swatch')]/@class")
    assert swatches == ["swatch black", "swatch white"]
    assert nobody.tree.xpath("//section[@class='course black-white']//svg")
    store_some()
    nobody.go("/games/visavis/openings/?options=-size%3D5")
    assert nobody.tree.xpath("//table[@class='list played black-white']")


def test_a_running_game_has_no_review_and_no_button_for_one(world: Any, visit: Visit) -> None:
    board = over(world, "A3 C2")
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    assert "review" not in ann.page.lower().replace("preview", "")
    assert "still being played" in ann.go(f"/boards/{board}/review/")
    assert not ann.tree.xpath("//main//button")
    for path in ("proof/", "1/", "1/1/"):
        ann.go(f"/boards/{board}/review/{path}")
        assert ann.status == 404


def test_a_private_review_is_no_page_for_others(world: Any, visit: Visit) -> None:
    board = over(world, terms=("--private",))
    visit("ann").type(f"review {board}")
    make_reviews()
    for path in ("", "proof/", "1/", "2/1/"):
        for userid in ("", "cyd"):
            other = visit(userid)
            other.go(f"/boards/{board}/review/{path}")
            assert other.status == 404
            assert f"There is no board {board}." in other.text
    assert "has a proven win" in visit("bob").go(f"/boards/{board}/review/")


def test_the_page_names_and_draws_the_move_played_and_the_better_one(
    world: Any, visit: Visit
) -> None:
    board = reviewed(world, visit)
    reader = visit("")
    text = reader.go(f"/boards/{board}/review/")
    assert "Better was B4: it wins within 3 moves (proven); A3 loses (proven)." in text
    articles = reader.tree.xpath("//article")
    assert len(articles) == 4
    for article in articles:
        assert len(article.xpath(".//svg")) == 1
        assert article.xpath(".//details//p")
        assert article.xpath(".//p[@class='plies']//a")  # in a row: `.moves` is a column
    rows = reader.tree.xpath("//table//tbody/tr")
    assert len(rows) == 6
    assert "won (proven)" in rows[0].text_content()


def test_the_graph_has_words_for_ears_and_a_point_for_every_ply(world: Any, visit: Visit) -> None:
    board = reviewed(world, visit)
    reader = visit("")
    reader.go(f"/boards/{board}/review/")
    [graph] = reader.tree.xpath("//svg[@class='chances']")
    assert graph.get("role") == "img"
    assert "chances of ann" in graph.xpath("string(./title)")
    [course] = graph.xpath("./path[@class='course']/@d")
    assert course.count(" ") == 6
    assert course.startswith("M0.0 0.0L")  # ann had a proved win at first
    assert len(graph.xpath("./path[@class='dot']")) == 4


def test_a_line_is_stepped_through_to_its_end_by_links_alone(world: Any, visit: Visit) -> None:
    board = reviewed(world, visit)
    reader = visit("")
    reader.go(f"/boards/{board}/review/")
    reader.go(reader.tree.xpath("//article//h3/a/@href")[0])
    assert "Better was B4 (the ring)" in reader.text
    steps = 0
    while nexts := reader.tree.xpath("//nav[@class='walk']/a[@rel='next']/@href"):
        reader.go(nexts[0])
        assert reader.status == 200
        steps += 1
    assert steps == 3
    assert "joins" in reader.text.lower()
    [start] = reader.tree.xpath("//nav[@class='walk']/a[@rel='first']/@href")
    assert start == f"/boards/{board}/review/1/"
    back = ""
    while previous := reader.tree.xpath("//nav[@class='walk']/a[@rel='prev']/@href"):
        [back] = previous
        reader.go(back)
    assert back == start


def test_a_proof_is_stepped_through_whatever_is_replied(world: Any, visit: Visit) -> None:
    board = reviewed(world, visit, PROVED)
    reader = visit("")
    reader.go(f"/boards/{board}/review/")
    reader.go(reader.tree.xpath("//a[text()='Step through the proof']/@href")[0])
    assert "bob plays D4 (the ring)" in reader.text
    reader.go(reader.tree.xpath("//section//a[@class='button']/@href")[0])
    replies = reader.tree.xpath("//ul[@class='replies']//a/@href")
    assert len(replies) == 7
    assert not reader.tree.xpath("//ul[@class='replies']//span")
    for reply in replies:
        reader.go(reply)
        assert "bob plays" in reader.text
        reader.go(reader.tree.xpath("//section//a[@class='button']/@href")[0])
        assert reader.status == 200


@pytest.mark.parametrize(
    "path",
    ["0/", "7/", "1/99/", "999999999/", "proof/?m=Z9", "proof/?m=A1%0AA1", "proof/?m=" + "x" * 900],
)
def test_nonsense_in_an_address_is_refused_in_words(world: Any, visit: Visit, path: str) -> None:
    board = reviewed(world, visit)
    reader = visit("")
    reader.go(f"/boards/{board}/review/{path}")
    assert reader.status == 404
    assert "Traceback" not in reader.page
    assert reader.tree.xpath("//main//h1")


class Balance(HTMLParser):
    """Count what is opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in {"meta", "link", "br", "img", "input"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


@pytest.mark.ci
def test_every_page_of_a_review_is_well_formed_and_without_scripts_and_styles(
    world: Any, visit: Visit, browser: Client
) -> None:
    board = reviewed(world, visit, PROVED)
    waiting = over(world)
    visit("ann").type(f"review {waiting}")
    paths = [
        f"/boards/{board}/review/{path}" for path in ("", "1/", "2/2/", "proof/", "proof/?m=D4")
    ]
    ann = visit("ann")
    for path in (*paths, f"/boards/{waiting}/review/", f"/boards/{over(world)}/review/"):
        ann.go(path)
        assert ann.status == 200, path
        balance = Balance()
        balance.feed(ann.page)
        assert not balance.faults, path
        assert not balance.open, path
        tree = html.fromstring(ann.page)
        levels = [int(one.tag[1]) for one in tree.xpath("//h1|//h2|//h3|//h4")]
        assert levels.count(1) == 1
        assert all(b <= a + 1 for a, b in zip([0, *levels], levels, strict=False)), path
        assert not tree.xpath("//script[not(@src)]|//style|//*[@style]|//@onclick"), path
        assert all(svg.xpath("./title") for svg in tree.xpath("//svg[not(@aria-hidden)]")), path
        ids = tree.xpath("//@id")
        assert len(ids) == len(set(ids)), path
        assert set(tree.xpath("//@aria-labelledby")) <= set(ids), path
        for link in set(tree.xpath("//main//a/@href")):
            reader = visit("ann")
            reader.go(link)
            assert reader.status == 200, link


def test_every_game_of_mine_is_reviewed_by_a_button_of_my_account(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/play/")
    ann.press("Save", reviews="on")
    board = over(world)
    make_reviews()
    assert "has a proven win" in visit("").go(f"/boards/{board}/review/")
    ann.go("/account/play/")
    ann.press("Save", reviews="")
    assert "No review has been requested" in visit("").go(f"/boards/{over(world)}/review/")


def test_a_caught_review_shows_all_its_pictures(world: Any, visit: Visit, browser: Client) -> None:
    from sarsen.doors.mail.send.sending import send_due
    from sarsen.storage.models import CaughtMail

    reviewed(world, visit)
    while send_due(timezone.now(), 50):
        pass
    number = CaughtMail.objects.filter(letter__kind="review").get().pk
    page = browser.get(f"/mail/{number}/html/").content.decode()
    pictures = html.fromstring(page).xpath("//img/@src")
    assert pictures == [f"/mail/{number}/picture.png"] + [
        f"/mail/{number}/picture-{at}.png" for at in (1, 2, 3)
    ]
    drawn = [browser.get(path) for path in pictures]
    assert all(one["Content-Type"] == "image/png" for one in drawn)
    assert len({one.content for one in drawn}) == 4
    assert browser.get(f"/mail/{number}/picture-4.png").status_code == 404
    shown = browser.get(f"/mail/{number}/").content.decode()
    assert html.fromstring(shown).xpath("//iframe/@src") == [f"/mail/{number}/html/"]
