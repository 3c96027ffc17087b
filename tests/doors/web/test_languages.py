"""In which language pages and letters speak, and what a language leaves as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeGuard

import polib
import pytest
from django.http import HttpResponse
from django.template import Context, Engine, engines
from django.test import Client
from django.utils import timezone, translation
from lxml import html

from filled_world import own_paths, paths
from sarsen.doors import web
from sarsen.doors.mail.letters import write_letter
from sarsen.games import names
from sarsen.language.translating import use_language
from sarsen.services.accounts import login_letters
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.mail import outgoing
from sarsen.storage.models import Player, Signup
from translations import catalogue
from visitor import Visitor
from web_world import NOW

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "fr-CA, de-AT;q=0.9, en;q=0.1"}
# What scripts, forms and pictures live by; numbers in it have points, whatever the language.
KEPT = {"name", "action", "method", "type", "id", "for", "x", "y", "cx", "cy", "r", "width"}
KEPT |= {"height", "viewbox", "points", "transform", "data-spot", "maxlength", "min", "max"}
# What is heard of an element beside its text.
SPOKEN = {"aria-label", "title", "placeholder", "alt"}
GAPS = re.compile(r"%\(\w+\)s|{\w*}|<[^>]*>|`[^`]+`")
# Words that German does not have.
ENGLISH = re.compile(
    r"\b(?:the|you|your|of|and|with|this|are|is|has|to|board(?!-)|ply|plies|most|day|program)\b"
    r"|\w (?-i:v) \w",
    re.IGNORECASE,
)


def language_of(page: HttpResponse) -> str:
    return str(html.fromstring(page.content).get("lang"))


def test_constants_of_templates_are_kept_for_each_language_apart() -> None:
    shown = engines["django"].from_string(
        "{% translate 'Games' %} {% url 'games' %} {% translate name %} {% url 'game' name %}"
    )

    def said(language: str, name: str) -> str:
        with use_language(language), translation.override(language):
            return shown.render({"name": name})

    assert said("de", "Help") == "Spiele /games/ Hilfe /games/Help/"
    assert said("en", "Help") == "Games /games/ Help /games/Help/"
    assert said("de", "Games") == "Spiele /games/ Spiele /games/Games/"
    assert said("en", "Games") == "Games /games/ Games /games/Games/"


def test_addresses_and_dates_that_are_kept_are_those_that_django_writes() -> None:
    shown = (
        "{% url 'live' name %} {% url 'live' name as there %}{{ there }} "
        "{% autoescape off %}{% url 'live' name %}{% endautoescape %}|"
        "{% url 'board' number %}|{% url 'nowhere' number as none %}{{ none }}|"
        "{% load tz %}{{ at|timezone:zone|date:'j F Y, H:i T' }} {{ at|date:'c' }}"
        "{{ at|date:'D, H:i U' }}"
    )
    ours = engines["django"].from_string(shown)
    django = Engine(libraries={"tz": "django.templatetags.tz"}).from_string(shown)
    at = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    # The same hour of the clock twice, and the same moment in two zones.
    for moment in (at, at + timedelta(hours=1)):
        for name, number, zone in (("a&b", 1, "Europe/Berlin"), ("ann", 10, "UTC")):
            facts = {"name": name, "number": number, "zone": zone, "at": moment}
            for language in ("de", "en"):
                here = timezone.override(zone)
                with use_language(language), translation.override(language), here:
                    assert ours.render(facts) == django.render(Context(facts))


def test_account_is_heard_before_a_cookie_and_a_cookie_before_the_browser(world: Any) -> None:
    visitor = Client(**GERMAN)
    assert language_of(visitor.get("/login/")) == "de"
    visitor.cookies["language"] = "en"
    assert language_of(visitor.get("/login/")) == "en"
    ann = world.player("ann")
    Player.objects.filter(pk=ann.pk).update(language="de")
    visitor.force_login(ann)
    page = visitor.get("/my/")
    assert language_of(page) == "de"
    assert page["Content-Language"] == "de"
    assert {"Cookie", "Accept-Language"} <= set(page["Vary"].split(", "))


@pytest.mark.parametrize("asked", ["", "xx", "de" * 400, "*", "de;q=x", "\x00"])
def test_who_asks_for_no_language_of_ours_is_spoken_to_in_english(world: Any, asked: str) -> None:
    visitor = Client(HTTP_ACCEPT_LANGUAGE=asked)
    visitor.cookies["language"] = "klingon"
    assert language_of(visitor.get("/login/")) == "en"


def test_language_is_chosen_on_a_page_for_browser_and_account(
    visit: Callable[..., Visitor],
) -> None:
    ann = visit("ann")
    ann.go("/language/?back=/account/")
    ann.press("Deutsch")
    assert (ann.path, ann.status) == ("/account/", 200)
    assert "Zeitzone" in ann.text
    assert Player.objects.get(key="ann").language == "de"
    assert ann.client.cookies["language"].value == "de"
    stranger = visit()
    stranger.go("/language/?back=//evil.example/")
    stranger.press("Deutsch")
    assert stranger.path == "/"


def test_letters_come_in_the_language_of_the_account(world: Any) -> None:
    Player.objects.filter(pk=world.player("bob").pk).update(language="de")
    world.board(moves="a1", options="-size=4")
    due = [one for one in outgoing.claim_due(NOW, 100) if one.kind == "board"]
    letters = {str(one.player): write_letter(one) for one in due if one.facts["ply"] == 1}
    text = letters["bob"].text
    assert "ann hat a1 gespielt. Du bist am Zug." in text
    assert "bob muss bis " in text
    assert "nach 1 Zug: bob (H) ist am Zug." in text
    assert "Um zu ziehen, antworte auf diese Mail" in text
    assert letters["bob"].subject.startswith("Druid Brett ")
    assert text.count("Druid Brett ") == 1
    assert '<html lang="de">' in letters["bob"].html


def test_who_joins_on_a_german_page_gets_german_mail_from_the_first_one(
    visit: Callable[..., Visitor],
) -> None:
    dora = visit()
    dora.client.cookies["language"] = "de"
    dora.go("/join/")
    dora.press("Mitmachen", userid="dora", address="dora@example.org")
    assert newest_letter("signup").startswith("Bitte bestätige, dass du hier als dora")
    dora.go(f"/welcome/{Signup.objects.get().code}/")
    dora.press("Ja, ich bin dora")
    assert Player.objects.get(key="dora").language == "de"
    assert newest_letter("welcome").startswith("Dein Konto dora ist bereit.")


def test_an_account_without_a_language_is_mailed_a_login_in_that_of_the_page(
    world: Any, visit: Callable[..., Visitor]
) -> None:
    world.player("ann")
    nobody = visit()
    nobody.client.cookies["language"] = "de"
    nobody.go("/login/")
    nobody.press("Anmelden", name="ann")
    login_letters.send_asked()
    assert newest_letter("login").startswith("Um dich als ann anzumelden")
    assert Player.objects.get(key="ann").language == ""


@pytest.mark.parametrize(("chosen", "kept"), [("", "de"), ("en", "en")])
def test_logging_in_on_a_german_page_keeps_german_where_no_language_was_chosen(
    world: Any, visit: Callable[..., Visitor], chosen: str, kept: str
) -> None:
    ann = world.player("ann")
    ann.language = chosen
    ann.set_password("open-sesame")
    ann.save()
    nobody = visit()
    nobody.client.cookies["language"] = "de"
    nobody.go("/login/")
    nobody.press("Anmelden", name="ann", password="open-sesame")
    assert Player.objects.get(key="ann").language == kept
    world.board(moves="a1", options="-size=4", players=("bob", "ann"))
    assert ("Du bist am Zug." in newest_letter("board")) == (kept == "de")


def test_logging_in_on_an_english_page_leaves_the_language_to_the_browser(
    world: Any, visit: Callable[..., Visitor]
) -> None:
    ann = world.player("ann")
    ann.set_password("open-sesame")
    ann.save()
    nobody = visit()
    nobody.go("/login/")
    nobody.press("Log in", name="ann", password="open-sesame")
    assert Player.objects.get(key="ann").language == ""


def test_the_language_that_the_settings_show_is_saved_also_where_it_came_from_the_browser(
    visit: Callable[..., Visitor],
) -> None:
    ann = visit("ann")
    ann.client.cookies["language"] = "de"
    ann.go("/account/look/")
    ann.press("Speichern")
    assert Player.objects.get(key="ann").language == "de"


def newest_letter(kind: str) -> str:
    due = [one for one in outgoing.claim_due(timezone.now(), 100) if one.kind == kind]
    return write_letter(due[-1]).text


def test_programs_are_answered_in_english(world: Any) -> None:
    answer = Client(**GERMAN).get("/api/v1/nothing-here")
    assert "Content-Language" not in answer


def test_refusals_are_said_in_the_language_of_the_page(world: Any) -> None:
    board = world.board()
    bob = Visitor(world.player("bob"))
    assert "It is not your turn on board" in bob.type(f"druid move {board} a1")
    Player.objects.filter(pk=world.player("bob").pk).update(language="de")
    bob.send("/do/", [*bob.last[1]])
    assert bob.status == 422
    assert (
        f"Es wurde nichts geändert: Auf Brett {board} bist du nicht am Zug, sondern ann."
        in bob.text
    )
    assert f"druid show {board}" in bob.text
    assert "not-your-turn" in bob.page


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("mvoo 3 a1", "'mvoo' ist kein Befehl."),
        ("druid show 9999", "Ein Brett 9999 gibt es nicht."),
        ("chess challenge me bob", "Ein Spiel namens 'chess' gibt es hier nicht."),
        ("druid challenge me bobb", "Hier heißt niemand 'bobb'. Meintest du 'bob'?"),
        ("druid challenge -size=99 me bob", "99 passt nicht. Es gibt: -size="),
        ("druid challenge --foo me bob", "Die Option --foo gibt es hier nicht. Es gibt: --"),
        ("change password abc", "Ein Passwort hat "),
        ("vacation tomorrow 2026-11-01", "noch vor seinem Anfang."),
        ("accept 9999", "Eine Herausforderung 9999 gibt es nicht."),
        ("confirm", "Welches Brett?"),
    ],
)
def test_what_is_refused_most_is_said_in_german(world: Any, line: str, refused: str) -> None:
    world.player("ann")
    Player.objects.filter(pk=world.player("bob").pk).update(language="de")
    bob = Visitor(world.player("bob"))
    bob.go("/do/")
    bob.press("Ausführen", line=line)
    assert bob.status == 422
    assert refused in bob.text
    assert "Es wurde nichts geändert:" in bob.text


def test_what_is_refused_to_programs_is_english(world: Any) -> None:
    told = Client(**GERMAN).get("/api/v1/boards/9999").json()
    assert "There is no board 9999." in str(told)


def test_headings_and_labels_are_german_too(world: Any) -> None:
    board = world.board("vasco")
    ann = Visitor(world.player("ann"))
    ann.client.cookies["language"] = "de"
    assert f"Vasco Brett {board} in Worten" in ann.go(f"/boards/{board}/text/")
    assert f"Vasco Brett {board} ausprobieren" in ann.go(f"/boards/{board}/variations/")
    ann.go("/do/")
    assert ann.tree.xpath("string(//label[@for='line'])") == "Befehl"


@pytest.mark.ci
def test_pages_in_german_hold_no_english_sentence_and_the_same_facts(world: Any) -> None:
    make_accounts(NOW)
    world.board(moves="a1", options="-size=4", players=("bob", "cara"))
    Player.objects.filter(userid="cara").update(is_bot=True)
    board = world.board(moves="a1 d4", options="-size=4")
    number = world.challenge("druid", "bob", "ann").number
    addresses = [
        *paths(world),
        *own_paths(world),
        *("/login/", "/join/", "/colours/", "/language/", "/offline/", "/watch/", "/players/"),
        *("/account/tokens/", "/account/devices/", "/account/mail/", "/account/look/"),
        *("/account/security/", "/account/more/", "/games/visavis/challenge/"),
        *(f"/boards/{board}/1/", f"/boards/{board}/?try=b2", f"/boards/{board}/review/"),
        *(f"/challenges/{number}/", "/players/bob/history/"),
        *("/search/", "/search/?game=druid&result=drawn", "/search/?game=chess"),
        *(f"/games/{name}/openings/" for name in names()),
    ]
    said = english_sentences()
    german, other = Visitor(world.player("ann")), Visitor(world.player("ann"))
    german.client.cookies["language"] = "de"
    left: dict[str, list[str]] = {}
    for path in addresses:
        german.go(path)
        other.go(path)
        assert german.tree.get("lang") == "de", path
        told = [one for one in words_of(german.tree) if not one.startswith("http")]
        left[path] = [one for one in told if ENGLISH.search(one)]
        left[path] += [one for one in said if one in " ".join(told)]
        assert list(facts(german.tree)) == list(facts(other.tree)), path
    assert {path: words for path, words in left.items() if words} == {}


def english_sentences() -> list[str]:
    """Return the longest parts between gaps of what the catalogue says in other words."""
    found = polib.pofile(str(catalogue("de")))
    texts = [one.msgid for one in found if one.msgid not in (one.msgstr, "")]
    parts = [max(map(str.strip, GAPS.split(text)), key=len) for text in texts]
    return [part for part in parts if part.count(" ") > 1]


def words_of(tree: Any) -> Iterator[str]:
    """Yield what is read on a page, but what is typed, is marked English, or was written."""
    for element in tree.iter():
        if not is_left_as_it_is(element):
            names = (SPOKEN & set(element.attrib)) if isinstance(element.tag, str) else ()
            texts = [element.text or "", *(element.get(name) for name in names)]
            yield from (" ".join(text.split()) for text in texts)
        if element.tail and not is_left_as_it_is(element.getparent()):
            yield " ".join(element.tail.split())


def is_left_as_it_is(element: Any) -> bool:
    """Return whether its words are no page's: commands, English parts, mails and boards of text."""
    for one in (element, *element.iterancestors()):
        if not isinstance(one.tag, str) or one.tag in ("code", "pre", "textarea", "script"):
            return True
        if one.get("lang"):
            return bool(one.get("lang") == "en")
    return False


def facts(tree: Any) -> Iterator[tuple[str, str, str]]:
    """Yield what must not change with the language: places, sizes, names of fields."""
    for element in tree.iter():
        for name, value in element.attrib.items():
            if name in KEPT:
                yield str(element.tag), name, value


def test_messages_and_errors_of_forms_are_translated() -> None:
    literals = []
    for path in sorted(Path(web.__file__).parent.rglob("*.py")):
        for call in (node for node in ast.walk(ast.parse(path.read_text())) if is_spoken(node)):
            literals += [f"{path.name}: {ast.unparse(call)}"] * any(map(is_text, call.args))
    assert not literals


def is_spoken(node: ast.AST) -> TypeGuard[ast.Call]:
    """Return whether a call shows a text to a player on the next page or beside a field."""
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    return name == "ValidationError" or name.startswith("messages.")


def is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )
