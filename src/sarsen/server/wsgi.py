"""The web application, for any WSGI server."""

from django.core.wsgi import get_wsgi_application

from sarsen.server.setup import set_up

set_up()
application = get_wsgi_application()
