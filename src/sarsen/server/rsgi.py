"""The web application as Granian runs it for `sarsen serve`."""

from django.conf import settings

from sarsen.server.gateway import Gateway
from sarsen.server.web import bound_connections
from sarsen.server.wsgi import application as wsgi  # sets Django up
from sarsen.services.accounts.attempts import is_proxy, network_of, place_of
from sarsen.services.notices.streams import STREAMS

WEB_THREADS = 4  # that work on pages and requests
application = Gateway(
    wsgi,
    threads=WEB_THREADS,
    quick=("/live/", "/health/"),
    streams=WEB_THREADS + STREAMS,
    longest_body=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    place=lambda environ: network_of(place_of(environ)),
)
bound_connections(lambda address: "" if is_proxy(address) else network_of(address))
