"""Forms send the fields of commands; what is refused stands in its field again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sarsen.doors.web
from sarsen.storage.models import Match
from visitor import Visitor

Visit = Callable[..., Visitor]
TEMPLATES = Path(sarsen.doors.web.__file__).parent / "templates"
# A line is typed into the first two; the third holds what was typed there before a log-in.
WITH_A_LINE = {
    "web/site/command_form.html",
    "web/board/participant.html",
    "web/site/kept_form.html",
}
_LINE = re.compile(r"""name="(?:line|rest|body)"|with line=(?!"")|about=""")


def test_only_where_a_line_is_typed_a_form_sends_one() -> None:
    with_a_line = {
        str(path.relative_to(TEMPLATES))
        for path in TEMPLATES.rglob("*.html")
        if _LINE.search(path.read_text(encoding="utf-8")) and path.name != "post_fields.html"
    }
    assert with_a_line == WITH_A_LINE


def test_refused_text_stands_in_its_field_again(world: Any, visit: Visit) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    ann.press("Send", say="much to say " * 300)
    assert ann.status == 422
    (field,) = ann.tree.xpath("//textarea[@name='text']")
    assert field.text.count("much to say") == 300
    ann.press("Send", **{field.get("id").replace("-", "_"): "little to say"})
    assert Match.objects.get(pk=board).chat.get().text == "little to say"
    assert ann.path == f"/boards/{board}/"


def test_refusal_of_a_field_stands_beside_it(world: Any, visit: Visit) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    ann.press("Send", say="x" * 25_000)
    assert ann.status == 422
    (field,) = ann.tree.xpath("//textarea[@aria-invalid='true']")
    (beside,) = ann.tree.xpath(f"//p[@id='{field.get('aria-describedby')}']")
    assert beside.text_content().strip().startswith("This field takes at most")


def test_plan_of_several_lines_is_read_as_by_mail(world: Any, visit: Visit) -> None:
    board = world.board()
    bob = visit("bob")
    bob.go(f"/boards/{board}/")
    bob.press("Save plan", queue="if a4 then c5\r\nif any then c1")
    by_form = bob.tree.xpath("string(//textarea[@id='queue'])")
    bob.type(f"queue {board} off")
    bob.type(f"queue {board}", "if a4 then c5\nif any then c1")
    bob.go(f"/boards/{board}/")
    assert by_form == bob.tree.xpath("string(//textarea[@id='queue'])") != ""


def test_password_with_a_blank_is_refused_and_never_shown(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/security/")
    before = world.player("ann").password
    ann.press("Change password", new="open sesame now")
    assert ann.status == 422
    assert "sesame" not in ann.page
    assert world.player("ann").password == before


@pytest.mark.parametrize(
    ("filled", "is_done"),
    [
        ({"line": "chat {board}", "body": "from an old page"}, lambda match: match.chat.count()),
        ({"line": "draw {board}"}, lambda match: bool(match.offer)),
        ({"line": "druid move {board}#1", "rest": "a4"}, lambda match: match.ply),
    ],
    ids=["chat", "draw", "move"],
)
def test_form_of_a_page_from_before_sends_its_line(
    world: Any, visit: Visit, filled: dict[str, str], is_done: Callable[[Any], int]
) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    path, fields = ann.filled("Send", say="")
    old = [one for one in fields if one[0] not in ("command", "board", "text")]
    ann.send(path, [*old, *((name, text.format(board=board)) for name, text in filled.items())])
    assert ann.path == f"/boards/{board}/"
    assert is_done(Match.objects.get(pk=board)) == 1


def test_fields_of_a_form_wait_for_a_log_in(world: Any, visit: Visit) -> None:
    board = world.board()
    player = world.player("ann")
    player.set_password("open-sesame")
    player.save()
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    path, fields = ann.filled("Send", say="words that wait")
    nobody = visit()
    nobody.go("/do/")
    token = nobody.tree.xpath("//input[@name='csrfmiddlewaretoken']/@value")[0]
    sent = [(n, {"csrfmiddlewaretoken": token, "as": ""}.get(n, v)) for n, v in fields]
    nobody.send(path, sent)
    assert nobody.status == 422
    assert Match.objects.get(pk=board).chat.count() == 0
    nobody.go("/login/")
    nobody.press("Log in", name="ann", password="open-sesame")
    nobody.go("/do/")
    nobody.press("Run it now")
    assert Match.objects.get(pk=board).chat.get().text == "words that wait"
