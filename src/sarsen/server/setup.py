"""Start Django in a process, once."""

import os

import django

from sarsen.server.logs import set_up_logs


def set_up() -> None:
    """Name the settings, set the logs up and start Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sarsen.server.settings")
    set_up_logs()
    django.setup()
