"""Go on with sessions whose cookies have the names of release 0.4."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest
from django.http.response import HttpResponseBase

SESSION, FORM = "sessionid", "csrftoken"
Answering = Callable[[HttpRequest], HttpResponseBase]


def take_earlier_cookies(answer: Answering) -> Answering:
    """Read a cookie under its earlier name once, and replace it. A middleware.

    Under https the names begin with `__Host-`, so that no other host of the domain can set them.
    An attacker who plants a cookie under the old name can log a browser in to an account of their
    own, as before; so this goes with the release after 0.5, when every open session has the new
    name.

    Raises:
        MiddlewareNotUsed: The names have not changed: this server has no https.
    """
    renamed = {settings.SESSION_COOKIE_NAME: SESSION, settings.CSRF_COOKIE_NAME: FORM}
    renamed = {name: earlier for name, earlier in renamed.items() if name != earlier}
    if not renamed:
        raise MiddlewareNotUsed
    ages = {
        settings.SESSION_COOKIE_NAME: settings.SESSION_COOKIE_AGE,
        settings.CSRF_COOKIE_NAME: settings.CSRF_COOKIE_AGE,
    }

    def answering(request: HttpRequest) -> HttpResponseBase:
        cookies = request.COOKIES
        taken = [name for name in renamed if renamed[name] in cookies and name not in cookies]
        for name in taken:
            cookies[name] = cookies[renamed[name]]
        response = answer(request)
        if "public" in response.get("Cache-Control", ""):
            return response  # a shared cache would give the cookie to everybody
        for name in taken:
            if name not in response.cookies:
                response.set_cookie(
                    name, cookies[name], ages[name], secure=True, httponly=True, samesite="Lax"
                )
            response.delete_cookie(renamed[name], samesite="Lax")
        return response

    return answering
