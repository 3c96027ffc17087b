"""The web application as Granian runs it for `sarsen serve`."""

from django.conf import settings

from sarsen.server import environment
from sarsen.server.connections import bound_connections
from sarsen.server.gateway import Gateway
from sarsen.server.wsgi import application as wsgi  # sets Django up
from sarsen.services.accounts.attempts import is_proxy, network_of, place_of

application = Gateway(
    wsgi,
    threads=environment.web_threads(),
    quick=("/live/", "/health/"),
    streams=environment.web_threads() + environment.streams(),
    longest_body=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    place=lambda environ: network_of(place_of(environ)),
)
bound_connections(
    settings.SARSEN_CONNECTIONS_FROM_ONE_PLACE,
    lambda address: "" if is_proxy(address) else network_of(address),
)
