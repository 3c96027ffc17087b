"""What the rows of release 0.1 need beside new columns; migration 0002 calls it.

Written with the models as that migration knows them, never with those of today.
"""

from __future__ import annotations

from typing import Any

from django.utils import timezone


def carry_mail_choice(apps: Any, schema_editor: Any) -> None:
    """Keep who wanted no mails of boards: of turns and moves none, of all else as usual."""
    players = apps.get_model("storage", "Player").objects.filter(mail_boards=False)
    players.update(channels={"turn": "none", "moved": "none"})


def start_clocks(apps: Any, schema_editor: Any) -> None:
    """Start the clocks of the boards that are played, as if each turn began now.

    The sweep looks at once, and works out by when each move must come.
    """
    now = timezone.now()
    running = apps.get_model("storage", "Match").objects.filter(ended_at=None)
    running.update(turn_began_at=now, look_at=now)
