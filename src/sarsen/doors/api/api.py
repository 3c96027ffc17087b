"""All operations of the API, and how it refuses."""

from __future__ import annotations

from ninja import NinjaAPI

from sarsen import __version__
from sarsen.doors.api import account, boards, commands, events, games, logins, players
from sarsen.doors.api.problems import explain
from sarsen.doors.api.reading import StrictParser

api = NinjaAPI(
    title="sarsen",
    version=__version__,
    urls_namespace="api",
    parser=StrictParser(),
    # Ours are in `documents`: kept, conditional, and without a script of another server.
    openapi_url=None,
    docs_url=None,
    description=(
        "Play abstract board games by programs. What is public needs no token; everything "
        "else needs `Authorization: Bearer TOKEN`. A POST may carry `Idempotency-Key`: the "
        "same key again gets the same answer, and is done once. Refusals are "
        "`application/problem+json` with the codes and hints of every other door."
    ),
)
explain(api)
for _part in (commands, games, boards, players, events, account, logins):
    api.add_router("", _part.router)
