"""Colours that somebody chooses: kept without an account and with one, there from the start."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from sarsen.doors.web.frame.colour_choice import ColourChoice
from sarsen.doors.web.frame.style_sheet import style_sheet
from sarsen.doors.web.frame.themes import PICTURES, THEMES
from sarsen.drawing.palette import LIGHT
from sarsen.storage.models import Player
from visitor import Visitor

Visit = Callable[..., Visitor]


def marks(visitor: Visitor) -> dict[str, str]:
    """Return what the page itself says of its colours, before any style sheet or script."""
    return {name: value for name, value in visitor.tree.attrib.items() if name != "lang"}


def choose(visitor: Visitor, mode: str, palette: str, *, striped: bool = False) -> None:
    """Fill the form in as a browser does: a radio button sends the one value that is chosen."""
    visitor.go("/colours/?back=/games/")
    token = visitor.tree.xpath("//main//input[@name='csrfmiddlewaretoken']/@value")[0]
    fields = [("csrfmiddlewaretoken", token), ("back", "/games/"), ("mode", mode)]
    fields += [("palette", palette), *([("striped", "on")] if striped else [])]
    visitor.send("/colours/", fields)


def test_a_visitor_without_account_keeps_chosen_colours_on_every_page(
    db: None, visit: Visit
) -> None:
    nobody = visit()
    nobody.go("/games/")
    assert marks(nobody) == {}
    assert nobody.tree.xpath("//footer//a[text()='Colours']/@href") == ["/colours/?back=/games/"]
    choose(nobody, "dark", "safe", striped=True)
    assert nobody.tree.xpath("//a[text()='Back to where you were']/@href") == ["/games/"]
    for path in ("/colours/", "/games/", "/login/", "/nope/"):
        nobody.go(path)
        assert marks(nobody) == {
            "data-mode": "dark",
            "data-palette": "safe",
            "data-striped": "",
        }, path
    nobody.go("/games/")
    assert nobody.tree.xpath("//meta[@name='color-scheme']/@content") == ["dark"]
    pictures = nobody.tree.xpath("//img/@src|//source/@srcset")
    assert pictures
    assert all("-safe-dark-striped.svg" in one for one in pictures)
    choose(nobody, "", "")
    assert marks(nobody) == {}


def test_an_account_keeps_its_colours_in_every_browser(world: Any, visit: Visit) -> None:
    here, elsewhere = visit("ann"), visit("ann")
    choose(here, "light", "contrast")
    assert Player.objects.get(key="ann").colours == "light.contrast"
    choose(elsewhere, "light", "contrast")
    visitor = visit("ann")
    visitor.go("/my/")
    assert marks(visitor) == {"data-mode": "light", "data-palette": "contrast"}


@pytest.mark.parametrize("cookie", ["x" * 5000, "dark'><script>", "usual.pink", "DARK", ""])
def test_a_cookie_that_is_none_of_ours_is_the_usual(db: None, visit: Visit, cookie: str) -> None:
    nobody = visit()
    nobody.client.cookies["colours"] = cookie
    nobody.go("/colours/")
    assert nobody.status == 200
    assert marks(nobody) == {}


def test_what_a_form_says_wrongly_counts_as_nothing_and_nobody_is_led_elsewhere(
    db: None, visit: Visit
) -> None:
    nobody = visit()
    choose(nobody, "pink", "../../x")
    assert marks(nobody) == {}
    nobody.go("/colours/?back=https://evil.example/")
    assert not nobody.tree.xpath("//main//*[contains(@href | @value, 'evil')]")


def test_what_is_written_is_read_again_and_every_picture_of_it_can_be_drawn() -> None:
    for mode in ("", "light", "dark"):
        for palette in THEMES:
            for striped in (False, True):
                chosen = ColourChoice(mode, palette, striped)
                assert ColourChoice.of(chosen.fields()) == chosen
                assert ColourChoice.read(chosen.write()) == chosen
                sources = list(chosen.sources())
                assert {theme for theme, _ in sources} <= set(PICTURES)
                assert [asked for _, asked in sources].index("") == len(sources) - 1


def test_pictures_are_drawn_in_every_theme(db: None, visit: Visit) -> None:
    nobody = visit()
    for theme, (colours, is_striped) in PICTURES.items():
        nobody.go(f"/games/vasco/picture-{theme}.svg")
        assert nobody.status == 200
        assert colours["first"] in nobody.page
        assert ("url(#stripes)" in nobody.page) is is_striped
    nobody.go("/games/vasco/picture-pink.svg")
    assert nobody.status == 404


def test_white_and_black_stay_so_where_the_system_forces_its_colours() -> None:
    _, _, forced = style_sheet().partition("(forced-colors:active)")
    for white, black in (("white", "black"), ("black-ink", "white-ink")):
        assert f"--{white}:#fff;" in forced
        assert f"--{black}:#000;" in forced
    # Their outlines show on any ground.
    assert "--white-shade:CanvasText;" in forced
    assert "--black-shade:CanvasText;" in forced


def test_style_sheet_gives_every_role_a_colour_wherever_it_gives_any() -> None:
    sheet = style_sheet()
    assert sheet.count("{") == sheet.count("}")
    blocks = [block for block in re.findall(r"\{([^{}]+)\}", sheet) if "--paper:" in block]
    assert len(blocks) == 19  # eighteen of our own, and one of the system's
    for block in blocks:
        assert set(LIGHT) <= set(re.findall(r"--([a-z-]+):", block))
    for role in LIGHT:
        assert f".f-{role}{{fill:var(--{role})}}" in sheet
        assert f".s-{role}{{stroke:var(--{role})}}" in sheet
