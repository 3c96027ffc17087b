"""The server's settings, for its processes in tests: see `constants_for_tests.with_constants`."""

import json
import os

from sarsen.server.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "constants_for_tests.Constants"]  # noqa: F405
OTHER_CONSTANTS = json.loads(os.environ["OTHER_CONSTANTS"])
