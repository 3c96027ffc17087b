"""A server on which every line of `command_lines` works, made once for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from every_command import prepared
from sarsen.storage.models import OutgoingMail
from web_world import World


@pytest.fixture(scope="module")
def words(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, Any]]:
    """Prepare one server for all commands; each test takes back what it did there.

    It takes a second, mostly a whole game of Druid, and each door tries each command.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        words = prepared(World())
        OutgoingMail.objects.all().delete()  # or every test would send all of it again
        yield words
        transaction.set_rollback(True)
