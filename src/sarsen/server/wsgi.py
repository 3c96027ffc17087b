"""The web application, for any WSGI server."""

from django.core.wsgi import get_wsgi_application

from sarsen.server import environment
from sarsen.server.collecting import collect_rarely
from sarsen.server.few_at_once import few_at_once
from sarsen.server.lifeline import end_with_parent
from sarsen.server.releases import require_own_tables
from sarsen.server.setup import set_up

set_up()
end_with_parent()
require_own_tables()
from sarsen.doors.web.live import answered_first  # noqa: E402  Models need Django set up.
from sarsen.server.short_way import programs_first  # noqa: E402
from sarsen.services.attempts import network_of, place_of  # noqa: E402

pages = few_at_once(
    programs_first(get_wsgi_application()),
    environment.web_threads(),
    unsent=max((environment.web_threads() + environment.streams()) // 2, 1),
    place=lambda environ: network_of(place_of(environ)),
)
application = answered_first(pages)
collect_rarely()
