"""What holds for every page: well-formed, ours alone, and readable by ear and key."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve
from lxml import html

from sarsen.games import find, names
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.mail.reply_addresses import unsubscribe_token
from visitor import Visitor
from web_world import NOW, World

# A module of ours, with nothing in it.
# The HTML of a mail, as its reader sees it, with a policy of its own.
OWN_FRAME = re.compile(r'<iframe src="/mail/[0-9]+/html/"')
OWN_SCRIPT = re.compile(r'<script type="module" src="/static/\w{12}/web/[a-z-]+\.js"></script>')
# Pages that a game names itself: only a reader who follows such a link leaves this site.
ELSEWHERE = {link.address for game in find().values() for link in game.info.links}
VOID = {"meta", "link", "br", "hr", "img", "input", "source"}


class Balance(HTMLParser):
    """Collect tags that are not closed where they were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")


@pytest.fixture(scope="module")
def pages(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, str]]:
    """Ask once for every kind of page of a server with something on it."""
    with django_db_blocker.unblock(), transaction.atomic():
        browser = Client(SERVER_NAME="sarsen.test", REMOTE_ADDR="127.0.0.1")
        yield every_kind(World(), browser)
        transaction.set_rollback(True)


def every_kind(world: World, browser: Client) -> dict[str, str]:
    """Return the pages, by their paths or what they are."""
    moves = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"
    make_accounts(NOW)
    ended = world.board(moves=moves)
    boards = [world.board(name) for name in names()]
    world.board(moves="b12", options="-size=12 -nogaps")
    world.challenge("druid", "carla", "anyone", options="-size=6")
    number = world.caught(html="<p>x</p><img src='cid:board@sarsen.test'>", picture=b"PNG")
    token = unsubscribe_token(world.player("ann"))
    invited = f"/invited/{world.mail_invitation('ann', 'emil@example.org')}/"
    paths = [
        *(invited, f"{invited}never/", f"/invited/{'0' * 20}/"),
        *("/", "/games/", "/help/", "/help/tutorial/", "/help/options/", "/help/commands/"),
        *(f"/games/{name}/" for name in names()),
        *(
            "/watch/",
            "/players/",
            "/players/?name=a",
            "/figures/",
            "/games/druid/try/?moves=a1&at=0",
            "/games/vasco/try/?partner=on",
        ),
        *(f"/help/{name}/" for name in ("move", "show", *names())),
        *(f"/boards/{board}/" for board in (ended, *boards)),
        *(f"/boards/{ended}/{ply}/" for ply in (0, 12)),
        *(f"/boards/{board}/text/" for board in (ended, *boards)),
        *(f"/boards/{ended}/12/text/", f"/boards/{ended}/variations/?ply=3&try=d3&try=e4"),
        *("/mail/", "/mail/?to=ann%40example.org&after=99", f"/mail/{number}/", "/mail/write/"),
        *(f"/unsubscribe/{token}/", "/nope/", "/boards/99999/", f"/welcome/{'0' * 20}/"),
    ]
    found = {path: browser.get(path).content.decode() for path in paths}
    found |= own_pages(world, boards[0], ended)
    found["far away"] = browser.get("/mail/", REMOTE_ADDR="192.0.2.7").content.decode()
    found["no subscription"] = browser.post(f"/unsubscribe/{token}/").content.decode()
    found["refused name"] = browser.post(invited, {"userid": "<x>"}).content.decode()
    found["no invitations"] = browser.post(f"{invited}never/").content.decode()
    found["refused form"] = browser.post("/mail/write/", {"sender": "<x>"}).content.decode()
    return found


def own_pages(world: World, board: int, ended: int) -> dict[str, str]:
    """Every kind of page as somebody who is logged in sees it, and their refusals."""
    invited = world.challenge("gyges", "bob", "ann").number
    ann = Visitor(world.player("ann"))
    ann.type(f"chat {board}", "Good luck!\nAnd have fun.")
    ann.type(f"notes {board}", "A note.")
    ann.type(f"queue {ended} publish")
    paths = [
        *("/my/", "/do/", "/do/?line=list", "/account/", "/account/deliveries/"),
        *("/account/tokens/", "/account/play/", "/account/mail/", "/account/look/"),
        *("/account/security/", "/account/more/"),
        *("/challenges/", f"/challenges/{invited}/", "/games/druid/challenge/?with=bob"),
        *("/games/druid/ratings/", "/games/druid/standings/", "/games/druid/history/"),
        *("/players/ann/", "/players/bob/", "/players/bob/history/", "/search/"),
        "/games/druid/openings/?moves=b8",
        *("/programs/", "/players/bot3/", "/help/bots/"),
        *(f"/boards/{board}/", f"/boards/{board}/?try=b8", f"/boards/{ended}/"),
        *(f"/boards/{board}/text/?spot=b8", f"/boards/{board}/text/?try=b8"),
        *(f"/boards/{board}/variations/", f"/boards/{board}/variations/?try=b8&try=zz"),
    ]
    pages = {}
    for path in paths:
        ann.go(path)
        pages[f"{path} of ann"] = ann.page
    for line in ("list", "help move", f"move {board} z9", f"resign {board}", "signoff", "export"):
        ann.type(line)
        pages[f"answer to {line}"] = ann.page
    ann.type("multiple", f"show {board}\nlist\nnonsense")
    pages["answers to several"] = ann.page
    nobody = Visitor()
    for path in ("/login/", "/join/", "/colours/", "/do/", "/login/1-00/", "/challenges/"):
        nobody.go(path)
        pages[f"{path} of nobody"] = nobody.page
    nobody.type("account")
    pages["who speaks"] = nobody.page
    nobody.go("/login/")
    nobody.press("Log in", name="ghost")
    pages["code"] = nobody.page
    nobody.go("/join/")
    nobody.press("Join", userid="dora", address="dora@example.org")
    pages["digits"] = nobody.page
    nobody.send("/join/", [("userid", "dora")])
    pages["stale join"] = nobody.page
    nobody.send("/account/tokens/", [("label", "My\nengine")])
    pages["stale label"] = nobody.page
    nobody.send("/do/", [("line", "list"), ("body", "kept")])
    pages["stale form"] = nobody.page
    return pages


def test_every_tag_is_closed_where_it_was_opened(pages: dict[str, str]) -> None:
    for path, page in pages.items():
        balance = Balance()
        balance.feed(page)
        assert not balance.faults, path
        assert not balance.open, path


def test_no_page_holds_scripts_styles_or_anything_from_elsewhere(pages: dict[str, str]) -> None:
    elsewhere = re.compile(
        r"""(?:src|srcset|href|action|content)\s*=\s*["']?\s*(?:[a-z]+:|//)""", re.IGNORECASE
    )
    for path, page in pages.items():
        others = OWN_FRAME.sub("", OWN_SCRIPT.sub("", page))
        shown = page
        for link in ELSEWHERE:
            shown = shown.replace(f'href="{link}"', "")
        assert not re.search(r"<(?:script|style|iframe|object|embed)\b", others), path
        assert not re.search(r"<[^>]+\s(?:style|on[a-z]+)\s*=", page), path
        assert not elsewhere.search(shown), path


def test_every_page_has_its_landmarks_and_one_main_heading(pages: dict[str, str]) -> None:
    for path, page in pages.items():
        tree = html.fromstring(page)
        assert tree.get("lang") == "en", path
        assert tree.xpath("//meta[@name='viewport']"), path
        assert tree.xpath("string(//title)").strip(), path
        assert tree.xpath("//a[@class='skip']/@href") == ["#main"], path
        counts = [len(tree.xpath(f"//{part}")) for part in ("header", "main", "footer", "h1")]
        assert counts == [1, 1, 1, 1], path


def test_headings_leave_out_no_level(pages: dict[str, str]) -> None:
    for path, page in pages.items():
        levels = [int(one.tag[1]) for one in html.fromstring(page).xpath("//h1|//h2|//h3|//h4")]
        steps = zip([0, *levels], levels, strict=False)
        assert all(after <= before + 1 for before, after in steps), (path, levels)


def test_landmarks_of_one_kind_have_names_of_their_own(pages: dict[str, str]) -> None:
    for path, page in pages.items():
        found = list(landmarks_of(html.fromstring(page)))
        assert len(found) == len(set(found)), (path, sorted(found))


def landmarks_of(tree: Any) -> Iterator[tuple[str, str]]:
    """Yield the kind and the name of each part that screen readers jump to."""
    roles = {"section": "region", "form": "form", "nav": "navigation", "aside": "complementary"}
    for one in tree.xpath("//section|//form|//nav|//aside|//*[@role='region']"):
        label = one.get("aria-label", "")
        if key := one.get("aria-labelledby"):
            label = " ".join(tree.get_element_by_id(key).text_content().split())
        if label or one.tag in ("nav", "aside"):  # nameless sections and forms are no landmarks
            yield roles.get(one.tag, "region"), label


def test_every_heading_of_a_table_says_something(pages: dict[str, str]) -> None:
    for path, page in pages.items():
        empty = html.fromstring(page).xpath("//th[not(normalize-space(.) or @aria-label)]")
        assert not empty, path


def test_every_field_has_its_label_and_every_picture_its_words(pages: dict[str, str]) -> None:
    for path, page in pages.items():
        tree = html.fromstring(page)
        fields = tree.xpath("//input[not(@type='hidden')]|//textarea|//select")
        for field in fields:
            assert tree.xpath("//label[@for=$id]", id=field.get("id")), path
        assert not tree.xpath("//img[not(@alt)]"), path
        assert all(svg.xpath("./title") for svg in tree.xpath("//svg[not(@aria-hidden)]")), path


def test_names_of_places_in_a_page_are_used_once(pages: dict[str, str]) -> None:
    for path, page in pages.items():
        tree = html.fromstring(page)
        ids = tree.xpath("//@id")
        assert len(ids) == len(set(ids)), path
        for name in tree.xpath("//@aria-labelledby"):
            assert name in ids, (path, name)
        for link in tree.xpath("//a[starts-with(@href, '#')]/@href"):
            assert link[1:] in ids, (path, link)


@pytest.mark.ci  # hundreds
def test_every_link_between_pages_leads_somewhere(world: World, pages: dict[str, str]) -> None:
    kinds = defaultdict(list)
    for link in sorted(links_of(pages)):
        kinds[kind_of(link)].append(link)
    assert len(kinds) > 200
    # The first and the last of a kind: the others lead to the same page of another ply.
    assert broken(world, {link for links in kinds.values() for link in (links[0], links[-1])}) == {}


def links_of(pages: dict[str, str]) -> set[str]:
    """Return where the links and pictures of pages lead, without the place in a page."""
    return {
        link.partition("#")[0]
        for page in pages.values()
        for link in html.fromstring(page).xpath(
            "//a/@href|//img/@src|//source/@srcset|//link/@href"
        )
        if not link.startswith("#") and link not in ELSEWHERE
    }


def kind_of(link: str) -> object:
    """Return what links have in common that differ by the ply or by what a question says."""
    address = urlsplit(link)
    try:
        found = resolve(address.path)
    except Resolver404:
        return address.path  # a static file; or nothing, which is to be found
    words = {name: str(one) for name, one in found.kwargs.items() if name != "ply"}
    return (found.view_name, *sorted(words.items()), *sorted(parse_qs(address.query)))


def broken(world: World, links: Iterable[str]) -> dict[str, int]:
    """Return the links that lead ann nowhere, or to the log-in."""
    ann = Visitor(world.player("ann"))
    found = {}
    for link in links:
        answer = ann.client.get(link, follow=True)  # some lead to feeds, which are no pages
        is_sent_away = answer.request["PATH_INFO"] == "/login/" and not link.startswith("/login/")
        if answer.status_code != 200 or is_sent_away:
            found[link] = answer.status_code
    return found
