"""Leave long tests out unless `--long` asks for them; draw examples alike in every run.

Hypothesis draws the same examples whenever the short tests run, so that a commit passes
or fails on its own merits. `--long` draws new ones each time, and four times as many: that is
where to search.

On PostgreSQL that is left out which asks nothing of it, unless `--long` is given: tests of services
without a database, and those marked `once`.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings as django_settings
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

from clock import NOW
from databases import copy_migrated_file, migrated_database, number_anew
from drawn_examples import USUAL
from starting import StartingTests

COMMITTING = {"transactional_db", "live_server"}
SERVICES = Path(__file__).parent / "services"
WITH_DATABASE = {"db", "transactional_db", "django_db_setup"}
# How long an example takes says how busy the machine is, and fails no test.
ANY_TIME = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", ANY_TIME, derandomize=True, max_examples=USUAL // 4)
settings.register_profile("searching", ANY_TIME, print_blob=True, max_examples=USUAL)
settings.register_profile("shortest", ANY_TIME, derandomize=True, max_examples=USUAL // 20)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests marked slow, too")
    parser.addoption(
        "--quick",
        action="store_true",
        help="with --long: the slow tests alone, each with its first case and as little as it can",
    )
    parser.addoption(
        "--until",
        type=float,
        metavar="SECONDS",
        help="skip the tests that have not begun by this time, in seconds since 1970",
    )
    parser.addoption(
        "--starting", metavar="FILE", help="append the tests that start processes or threads"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: needs a real Chromium")
    os.environ["LC_ALL"] = "C.UTF-8"  # terminals speak English, whatever a developer's does
    long_form = "shortest" if config.getoption("--quick") else "searching"
    settings.load_profile(long_form if config.getoption("--long") else "repeatable")
    if listed := config.getoption("--starting"):
        config.pluginmanager.register(StartingTests(Path(listed)))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    slow = [item for item in items if item.get_closest_marker("slow")]
    left_out = slow
    if os.environ.get("DATABASE_URL") and not config.getoption("--long"):
        left_out = [item for item in items if item in slow or _is_the_same_on_postgresql(item)]
    if config.getoption("--long"):
        first = {item.nodeid.partition("[")[0]: item for item in reversed(slow)}
        is_quick = config.getoption("--quick")
        left_out = [item for item in items if item not in first.values()] if is_quick else []
    # Deselected, not skipped: a skipped test says that something is missing here.
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _is_the_same_on_postgresql(item: pytest.Item) -> bool:
    """Return whether a test has passed on SQLite already, and asks nothing new of a database."""
    if item.get_closest_marker("postgres"):
        return False
    fixtures: list[str] = getattr(item, "fixturenames", [])
    has_database = WITH_DATABASE & {*fixtures} or item.get_closest_marker("django_db")
    is_of_services = item.path.is_relative_to(SERVICES)
    return bool(item.get_closest_marker("once") or (is_of_services and not has_database))


def pytest_collection_finish() -> None:
    """Keep what was imported and collected out of the garbage collector's walks.

    Thousands of tests live until the end; to walk over them again and again took a fifth of
    the processor time of `make test`.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    until = item.config.getoption("--until")
    # CI is ended after 90 minutes, and would say nothing of what ran: see `.ci/run`.
    if until and time.time() > until:
        pytest.skip("NOT RUN: the time of this run is over")


@pytest.fixture(scope="session")
def amount(pytestconfig: pytest.Config) -> Callable[[str, int, int], int]:
    """Return how often a long form does something: as a variable says, or as usual."""

    def chosen(variable: str, usual: int, shortest: int) -> int:
        is_quick = pytestconfig.getoption("--quick")
        return int(os.environ.get(variable) or (shortest if is_quick else usual))

    return chosen


@pytest.fixture(scope="session", autouse=True)
def _logs_of_tests() -> Iterator[None]:
    """Keep commands that run in this process from setting up its logs.

    They would be set up for good, and nothing that a later test logs could be seen by it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sarsen.server.setup.set_up_logs", lambda: None)
        yield


@pytest.fixture(autouse=True)
def _clock(request: pytest.FixtureRequest) -> Iterator[None]:
    """Begin each test that has the database of the tests at one time, from which the clock runs on.

    What `web_world` plays is played at that time: on another day its boards would be late, its
    streams forgotten and its games no longer recent. A browser has a clock of its own, so pages
    that one opens keep the machine's.
    """
    needs_clock = WITH_DATABASE & {*request.fixturenames} or request.node.get_closest_marker(
        "django_db"
    )
    if not needs_clock or "live_server" in request.fixturenames:
        yield
        return
    with time_machine.travel(NOW):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
) -> None:
    """Begin with a copy of a database that is migrated already; Django finds nothing to do."""
    database = django_settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        copy_migrated_file(Path(database["TEST"]["NAME"]))
    else:
        database["TEST"]["TEMPLATE"] = migrated_database(os.environ["DATABASE_URL"])


@pytest.fixture(scope="session", autouse=True)
def _unblocking(django_db_blocker: DjangoDbBlocker) -> DjangoDbBlocker:
    return django_db_blocker


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, None, None]:
    """Let the numbers of boards begin at 1 again after a test whose rows were deleted.

    In the usual order such tests come last; in another, others count on their numbers.
    """
    yield
    if nextitem is None:  # the database of the tests is gone already
        return
    fixtures: dict[str, Any] = item.funcargs  # type: ignore[attr-defined]
    if "_unblocking" not in fixtures:  # skipped before anything was set up, and wrote nothing
        return
    marker = item.get_closest_marker("django_db")
    if (marker and marker.kwargs.get("transaction")) or COMMITTING & {*fixtures}:
        with fixtures["_unblocking"].unblock():
            number_anew()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Return whether Django begins with the file that is there; PostgreSQL copies by itself."""
    return bool(django_settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"))


@pytest.fixture
def no_gyges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the puzzles of one game away, so that there is one without, whichever ship."""
    from sarsen.learning.puzzles import shelf

    known = shelf.has_puzzles
    monkeypatch.setattr(shelf, "has_puzzles", lambda game: game != "gyges" and known(game))
