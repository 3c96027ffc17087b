"""The account's page, and the form of a challenge: what they show, and what they send."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from visitor import Visitor

Visit = Callable[..., Visitor]


def test_planned_vacations_and_what_is_watched_stand_on_the_account_page(visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/")
    assert "Nothing yet. The weekly letter of finished games does not come to you." in ann.text
    assert "see: notices" not in ann.text
    first = datetime.now(UTC).date() + timedelta(days=30)
    last = first + timedelta(days=3)
    ann.type(f"vacation {first} {last}")
    ann.type("subscribe weekly")
    ann.go("/account/")
    assert f"Vacation {first.day} {first:%B %Y} to {last.day} {last:%B %Y}" in ann.text
    assert "The weekly letter of finished games comes to you." in ann.text
    assert "In this browser" in ann.text


def test_challenge_form_has_labels_without_backticks_and_ticks_send_off(
    world: Any, visit: Visit
) -> None:
    world.player("bob")
    ann = visit("ann")
    ann.go("/games/druid/challenge/?with=bob")
    assert "`" not in ann.text
    (tick,) = ann.tree.xpath("//input[@name='--weekends']")
    assert (tick.get("type"), tick.get("value")) == ("checkbox", "off")
    form, _ = ann._form_of("Challenge")
    ann.send(
        form.get("action") or ann.path,
        [*ann._fields(form, {}), (tick.get("name"), tick.get("value"))],
    )
    assert "Saturdays and Sundays do not count" in ann.text
