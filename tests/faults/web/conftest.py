"""One server for all attacks, started as `sarsen serve` starts it, and a count of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from faults.web.attack import Web
from processes.conftest import Server, running_server


@pytest.fixture(scope="package")
def attacked_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from running_server(tmp_path_factory.mktemp("attacked") / "data")


@pytest.fixture
def web(attacked_server: Server, count: Callable[[str, object], None]) -> Iterator[Web]:
    """Return the web of a server; count what was tried, what held and what broke."""
    attacked = Web(attacked_server.http, count)
    yield attacked
    attacked.close()
