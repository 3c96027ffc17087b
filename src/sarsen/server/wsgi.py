"""The web application, for any WSGI server."""

from django.core.wsgi import get_wsgi_application

from sarsen.games import isolate_plugins
from sarsen.server.processes import end_with_parent
from sarsen.server.releases import require_own_tables
from sarsen.server.setup import collect_rarely, set_up

set_up()
end_with_parent()
require_own_tables()
isolate_plugins()
from sarsen.doors.web.board.live_updates import answered_first  # noqa: E402  Models need Django set up.
from sarsen.server.short_way import programs_first  # noqa: E402

application = answered_first(programs_first(get_wsgi_application()))
collect_rarely()
