"""The web application, for any WSGI server."""

from django.core.wsgi import get_wsgi_application

from sarsen.server.lifeline import end_with_parent
from sarsen.server.setup import set_up

set_up()
end_with_parent()
from sarsen.doors.web.live import answered_first  # noqa: E402  Models need Django set up.

application = answered_first(get_wsgi_application())
