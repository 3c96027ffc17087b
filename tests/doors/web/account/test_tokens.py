"""The page of tokens: made and shown once, listed, revoked; and that a program plays."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.test import Client

from sarsen.storage.models import OutgoingMail, Player, Token
from visitor import Visitor

Visit = Callable[..., Visitor]


def make(ann: Visitor, label: str = "my bot") -> str:
    """Create a token by the form; give it."""
    ann.go("/account/tokens/")
    ann.press("Create token", label=label)
    found = re.search(r"sarsen_[\w-]{32}", ann.page)
    assert found, ann.text
    return found[0]


def test_a_token_is_shown_once_and_speaks_for_its_owner(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    secret = make(ann)
    found = Client().get("/api/v1/account", headers={"Authorization": f"Bearer {secret}"}).json()
    assert (found["userid"], found["scopes"]) == ("ann", ["read", "play", "chat"])
    ann.go("/account/tokens/")
    assert "my bot" in ann.text
    assert secret not in ann.page
    assert OutgoingMail.objects.filter(kind="account-changed").count() == 1


def test_a_revoked_token_is_gone_from_the_page_and_holds_no_more(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    secret = make(ann)
    ann.go("/account/tokens/")
    ann.press("Revoke my bot")
    assert "You have none." in ann.text
    refused = Client().get("/api/v1/account", headers={"Authorization": f"Bearer {secret}"})
    assert refused.status_code == 401


def test_a_token_needs_a_name_and_a_scope(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/tokens/")
    fields = ann._fields(ann._form_of("Create token")[0], {})
    token = [pair for pair in fields if pair[0] == "csrfmiddlewaretoken"]
    for more in (
        [("label", "x")],
        [("label", ""), ("scope", "read")],
        [("label", "x"), ("scope", "read"), ("days", "many")],
    ):
        ann.send("/account/tokens/", [*token, *more])
        assert ann.status == 422
    assert not Token.objects.exists()


def test_the_page_of_tokens_is_for_who_is_logged_in(world: Any, visit: Visit) -> None:
    nobody = visit()
    nobody.go("/account/tokens/")
    assert nobody.path == "/login/"


def test_a_player_who_lets_a_program_play_says_so_on_the_page(world: Any, visit: Visit) -> None:
    ann = visit("ann")
    ann.go("/account/tokens/")
    ann.press("A program plays")
    assert Player.objects.get(key="ann").is_bot
    ann.press("I play myself")
    assert not Player.objects.get(key="ann").is_bot
