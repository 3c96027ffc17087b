"""Other constants than the server's, in tests and benchmarks."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings


class Constants(AppConfig):
    """Set the constants that the setting `OTHER_CONSTANTS` holds by their paths.

    To a constant that is a dict, items are added.
    """

    name = "constants_for_tests"

    def ready(self) -> None:
        for path, value in settings.OTHER_CONSTANTS.items():
            place, _, name = path.rpartition(".")
            module = import_module(place)
            before = getattr(module, name)
            setattr(module, name, before | value if isinstance(before, dict) else value)


def with_constants(constants: Mapping[str, object], *places: Path) -> dict[str, str]:
    """Return the environment variables of processes of the server that have other constants.

    Args:
        constants: By their paths, such as `sarsen.workers.queue.STANDSTILL_SECONDS`.
        places: Folders of further modules for them.
    """
    paths = [*map(str, places), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    return {
        "DJANGO_SETTINGS_MODULE": "settings_for_processes",
        "OTHER_CONSTANTS": json.dumps(constants),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }
