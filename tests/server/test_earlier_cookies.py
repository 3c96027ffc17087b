"""Sessions that began under release 0.4 go on, under the new names of their cookies."""

from __future__ import annotations

import pytest
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory
from pytest_django import Settings

from sarsen.server.earlier_cookies import take_earlier_cookies

NEW, OLD = "__Host-sessionid", "sessionid"


@pytest.fixture(autouse=True)
def names(settings: Settings) -> None:
    """Set the names that a server with https has."""
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = NEW, "__Host-csrftoken"


def asked_with(cookies: str, answer: HttpResponse) -> tuple[dict[str, str], HttpResponseBase]:
    """Return the cookies that a view sees, and its response on the way out."""
    seen: dict[str, str] = {}

    def view(request: HttpRequest) -> HttpResponse:
        seen.update(request.COOKIES)
        return answer

    request = RequestFactory().get("/", HTTP_COOKIE=cookies)
    return seen, take_earlier_cookies(view)(request)


def test_a_session_under_its_earlier_name_goes_on_and_is_renamed() -> None:
    seen, response = asked_with(f"{OLD}=abc; csrftoken=form", HttpResponse())
    assert (seen[NEW], seen["__Host-csrftoken"]) == ("abc", "form")
    made = response.cookies[NEW]
    assert made.value == "abc"
    assert made["secure"]
    assert made["httponly"]
    assert (made["path"], made["domain"]) == ("/", "")  # what the prefix asks for
    assert response.cookies[OLD]["max-age"] == 0


def test_the_new_name_wins_and_what_a_view_sets_stays() -> None:
    seen, response = asked_with(f"{NEW}=new; {OLD}=planted", HttpResponse())
    assert seen[NEW] == "new"
    assert not response.cookies
    logged_in = HttpResponse()
    logged_in.set_cookie(NEW, "fresh")
    _, response = asked_with(f"{OLD}=abc", logged_in)
    assert response.cookies[NEW].value == "fresh"


def test_no_cache_that_others_share_gets_a_session() -> None:
    shared = HttpResponse(headers={"Cache-Control": "public, max-age=60"})
    _, response = asked_with(f"{OLD}=abc", shared)
    assert not response.cookies


def test_a_server_without_https_keeps_the_names(settings: Settings) -> None:
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = OLD, "csrftoken"
    with pytest.raises(MiddlewareNotUsed):
        take_earlier_cookies(lambda request: HttpResponse())
