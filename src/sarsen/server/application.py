"""The web application, and how a program's request comes to the API: past what only browsers need.

Sessions, forms and languages cost each request more than the store does, and a client that shows a
token has none of them. `tests/server/test_short_way.py` compares the two ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string
from whitenoise.middleware import WhiteNoiseMiddleware

from sarsen.games import isolate_plugins
from sarsen.isolation.allowance import Allowance, plugins_within
from sarsen.server.releases import require_own_tables
from sarsen.server.setup import collect_rarely, set_up
from sarsen.server.static_files import earlier_versions

API = "/api/v1/"
GetResponse = Callable[[HttpRequest], HttpResponseBase]
PAGES = (f"{API}docs",)  # for people, though they stand among the operations
_FOR_BROWSERS = {
    "sarsen.server.visitors.BoundVisitors",
    "sarsen.server.earlier_cookies.take_earlier_cookies",
    "sarsen.server.application.serve_static_files",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "sarsen.doors.web.frame.middleware.compress_pages",
    "sarsen.doors.web.frame.middleware.speak_language",
    "sarsen.doors.web.frame.middleware.keep_private",
}


def make_application() -> WSGIApplication:
    """Set Django up, and return the web application."""
    set_up()
    require_own_tables()
    isolate_plugins()
    # Not before: models need Django set up.
    from sarsen.doors.web.frame.live_updates import with_long_polls

    application = with_long_polls(programs_first(get_wsgi_application()))
    collect_rarely()
    return application


def serve_static_files(further: GetResponse) -> GetResponse:
    """Serve static files as `collectstatic` compressed them, and others from their packages."""
    served = WhiteNoiseMiddleware(further)
    # It has just found them in their packages, too: what was added last is served.
    served.add_files(settings.STATIC_ROOT, prefix=served.static_prefix)
    prefix = served.static_prefix.rstrip("/").rpartition("/")[0]
    for folder in earlier_versions(settings.STATIC_ROOT):
        served.add_files(str(folder), prefix=f"{prefix}/{folder.name}/")
    answering: GetResponse = served
    return answering


class ShortWay(WSGIHandler):
    """Django's handler, with as much of the middleware as programs have a use for."""

    def load_middleware(self, is_async: bool = False) -> None:
        """Wrap the views in the middleware; none of what is left has other hooks."""
        self._view_middleware: list[Any] = []
        self._template_response_middleware: list[Any] = []
        self._exception_middleware: list[Any] = []
        handler: Any = self  # what its types do not tell of
        answer = convert_exception_to_response(handler._get_response)
        for name in reversed(settings.MIDDLEWARE):
            if name not in _FOR_BROWSERS:
                answer = convert_exception_to_response(import_string(name)(answer))
        self._middleware_chain = answer


def programs_first(application: WSGIApplication) -> WSGIApplication:
    """Route the requests of programs the short way, and all others through the application."""
    short: WSGIApplication = ShortWay()

    def choosing(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if not _is_of_program(environ):
            return application(environ, start)
        with plugins_within(Allowance()):
            return short(environ, start)

    return choosing


def _is_of_program(environ: WSGIEnvironment) -> bool:
    path: str = environ.get("PATH_INFO", "")
    if not path.startswith(API) or path.startswith(PAGES):
        return False
    authorization: str = environ.get("HTTP_AUTHORIZATION", "")
    return authorization[:7].lower() == "bearer "
