"""The web application, for any WSGI server."""

from sarsen.server.application import make_application

application = make_application()
