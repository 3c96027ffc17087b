"""Texts of people on pages are shown line by line as written."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from sarsen.storage.models import ChatLine, Note, OutgoingMail
from visitor import Visitor
from web_world import World
from written_words import changed, each_text, in_parts, lines_of_html, text_named


@each_text
def test_chat_and_notes_change_no_line(
    world: World, visit: Callable[..., Visitor], name: str
) -> None:
    board = world.board()
    ann = visit("ann")
    for part in in_parts(text_named(name), 1900):
        ann.go(f"/boards/{board}/")
        ann.press("Send", say=part)
        assert changed(part, ChatLine.objects.latest("pk").text) == []
        ann.press("Save", note=part)
        assert changed(part, Note.objects.latest("pk").text) == []
    page = ann.client.get(f"/boards/{board}/").content.decode()
    notes, chat = page.index('id="notes"'), page.index('id="chat"')
    first, second = sorted((notes, chat))
    assert changed(text_named(name), lines_of_html(page[first:second])) == []
    assert changed(text_named(name), lines_of_html(page[second:])) == []


@each_text
def test_the_preview_of_a_broadcast_changes_no_line(
    visit: Callable[..., Visitor], name: str
) -> None:
    ann = visit("ann")
    ann.type("broadcast", text_named(name))
    assert changed(text_named(name), lines_of_html(ann.page)) == []
    assert ann.page.count("Everyone who wants broadcasts would get this:") == 1


def test_a_drawing_stands_in_a_fixed_width_face_and_prose_does_not(
    world: World, visit: Callable[..., Visitor]
) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    ann.press("Send", say="Look here.  It is this:\n\n  A B\n1 . x\n\n2 x  x\n\n<b>`Nice`</b>")
    bubble = ann.tree.xpath("//div[@class='bubble']")[0]
    assert [pre.text for pre in bubble.xpath("pre")] == ["  A B\n1 . x\n\n2 x  x"]
    prose = [paragraph.text_content() for paragraph in bubble.xpath("p")]
    assert prose == ["Look here.\xa0 It is this:", "<b>`Nice`</b>"]


def test_messages_by_form_and_by_line_keep_their_blanks(
    world: World, visit: Callable[..., Visitor]
) -> None:
    world.player("bob")
    ann = visit("ann")
    ann.type("message bob:  “One  two”  –", "  three\n\tfour")
    assert "on its way" in ann.text
    text = OutgoingMail.objects.get(player__userid="bob", kind="message").facts["text"]
    assert text == "“One  two”  –\n  three\n        four"


@each_text
def test_the_news_their_feed_and_their_answer_change_no_line(
    world: World, visit: Callable[..., Visitor], name: str
) -> None:
    number, somebody = world.news("ann", text_named(name)), visit()
    somebody.go(f"/news/{number}/")
    assert changed(text_named(name), lines_of_html(somebody.page)) == []
    somebody.type(f"news {number}")
    assert changed(text_named(name), lines_of_html(somebody.page)) == []
    feed = ElementTree.fromstring(somebody.client.get("/news/feed.atom").content)
    summary = feed.findtext(".//{http://www.w3.org/2005/Atom}summary") or ""
    assert changed(text_named(name), lines_of_html(summary)) == []
