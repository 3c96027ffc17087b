"""Limits in memory count what other hosts have allowed."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from sarsen.services.limits import site
from sarsen.services.limits.site import SiteAllowances
from sarsen.storage import calls
from web_world import NOW

Patch = pytest.MonkeyPatch


class Hosts:
    """Processes that tell each other, without a database: one at a time is this process."""

    def __init__(self, monkeypatch: Patch) -> None:
        self.told: list[str] = []
        self._patch = monkeypatch
        monkeypatch.setattr(calls, "is_heard", lambda: True)
        monkeypatch.setattr(calls, "send", lambda channel, text: self.told.append(text))
        monkeypatch.setattr(site, "timezone", self)

    @staticmethod
    def now() -> datetime:
        return NOW

    def begin(self, name: str) -> None:
        """Be another process."""
        self._patch.setattr(site, "_PROCESS", name)
        self._patch.setattr(site, "_counted", {})
        self._patch.setattr(site, "_spent", type(site._spent)(float))


def test_what_one_host_allows_another_does_not_allow_again(monkeypatch: Patch) -> None:
    hosts = Hosts(monkeypatch)
    hosts.begin("a")
    first = SiteAllowances("senders", 3)
    assert [first.take("ann@x.example", NOW) for _ in range(2)] == [True, True]
    site.tell()
    site.tell()
    hosts.begin("b")
    second = SiteAllowances("senders", 3)
    other = SiteAllowances("boards", 3)
    for told in ("", *hosts.told):
        site.hear(told)
    assert [second.take("ann@x.example", NOW) for _ in range(2)] == [True, False]
    assert second.take("bob@x.example", NOW)
    assert other.take("ann@x.example", NOW)


def test_a_process_counts_its_own_calls_once_and_tells_no_names(monkeypatch: Patch) -> None:
    hosts = Hosts(monkeypatch)
    hosts.begin("a")
    allowances = SiteAllowances("visitors", 30.0, 300.0)
    allowances.spend("192.0.2.7", NOW, 20.0)
    site.tell()
    for told in hosts.told:
        site.hear(told)
    assert allowances.has_room("192.0.2.7", NOW)
    assert "192.0.2" not in "".join(hosts.told)
    hosts.begin("b")
    second = SiteAllowances("visitors", 30.0, 300.0)
    second.spend("192.0.2.7", NOW, 15.0)
    for told in hosts.told:
        site.hear(told)
    assert not second.has_room("192.0.2.7", NOW)


def test_many_names_are_told_in_calls_that_postgresql_takes(monkeypatch: Patch) -> None:
    hosts = Hosts(monkeypatch)
    hosts.begin("a")
    allowances = SiteAllowances("senders", 3)
    for number in range(1000):
        allowances.take(f"{'long' * 60}{number}@x.example", NOW)
    site.tell()
    assert max(len(told.encode()) for told in hosts.told) < 8000
    spent: list[Any] = [one for told in hosts.told for one in json.loads(told)["spent"]]
    assert len({key for _, key, _ in spent}) == 1000
