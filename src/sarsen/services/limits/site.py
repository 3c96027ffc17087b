"""Limits in memory that all hosts of a site share: each tells the others what it has allowed.

Once a second, by the database (`storage.calls`); so two hosts may allow a second's worth more than
one. With SQLite one process of a kind counts alone.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from hashlib import blake2b

from django.db import Error, close_old_connections
from django.utils import timezone

from sarsen.services.limits.rates import Allowances
from sarsen.storage import calls

# Limits of all hosts agree so far; with each request it would be one more transaction.
TELL_SECONDS = 1.0
MAX_NAMES = 100  # of one call: PostgreSQL's NOTIFY takes 8,000 bytes


class SiteAllowances(Allowances):
    """Allowances that count what other hosts have allowed, too.

    Args:
        kind: Tells these allowances from others.
    """

    def __init__(self, kind: str, at_once: float, seconds: float = 3600) -> None:
        super().__init__(at_once, seconds)
        self._kind = kind
        _counted[kind] = super().spend

    def take(self, name: str, now: datetime) -> bool:
        """Use one for a name, if a whole one is left; return whether it was."""
        key = _key(name)
        is_taken = super().take(key, now)
        if is_taken:
            _note(self._kind, key, 1.0)
        return is_taken

    def has_room(self, name: str, now: datetime) -> bool:
        """Return whether anything is left for a name."""
        return super().has_room(_key(name), now)

    def spend(self, name: str, now: datetime, amount: float) -> None:
        """Subtract what a name has used, even if less was left."""
        key = _key(name)
        super().spend(key, now, amount)
        _note(self._kind, key, amount)


def hear(told: str) -> None:
    """Count what another process has allowed; "" when the connection was made."""
    if not told:
        return
    facts = json.loads(told)
    if facts["from"] == _PROCESS:
        return
    now = timezone.now()
    for kind, key, amount in facts["spent"]:
        if kind in _counted:
            _counted[kind](key, now, amount)


def keep_telling() -> None:
    """Report to other hosts what this process allows, from now on, in a thread of its own."""
    if calls.is_heard():
        threading.Thread(target=_tell_again_and_again, name="site-limits", daemon=True).start()


def tell() -> None:
    """Report to other hosts what this process has allowed since the last time."""
    with _lock:
        spent = [[kind, key, round(amount, 3)] for (kind, key), amount in _spent.items()]
        _spent.clear()
    for first in range(0, len(spent), MAX_NAMES):
        part = {"from": _PROCESS, "spent": spent[first : first + MAX_NAMES]}
        calls.send(calls.SPENT, json.dumps(part))


def _tell_again_and_again() -> None:
    while True:
        time.sleep(TELL_SECONDS)  # what is spent meanwhile is told together
        if not _spent:
            continue
        try:
            close_old_connections()
            tell()
        except Error:
            pass  # the database is away: this process counts alone until it is back


def _note(kind: str, key: str, amount: float) -> None:
    if calls.is_heard():
        with _lock:
            _spent[kind, key] += amount


def _key(name: str) -> str:
    """Return what is told in place of a name: no address leaves this process."""
    return blake2b(name.encode("utf-8", "replace"), digest_size=8).hexdigest()


# Of this process: `hear` and `tell` are called by threads that serve all limits at once.
_PROCESS = secrets.token_hex(4)
_counted: dict[str, Callable[[str, datetime, float], None]] = {}
_spent: defaultdict[tuple[str, str], float] = defaultdict(float)
_lock = threading.Lock()  # so that nothing is noted between reading and clearing `_spent`
