"""The server's settings with a data folder of their own, and nothing of the machine's."""

import atexit
import copy
import os
import shutil
import tempfile

os.environ["SARSEN_DATA"] = os.environ.get("SARSEN_TEST_DATA") or tempfile.mkdtemp(
    prefix="sarsen-test-"
)
os.environ["SARSEN_SECRET_KEY"] = "only for tests"
os.environ["SARSEN_DOMAIN"] = "sarsen.test"
os.environ["SARSEN_URL"] = "http://sarsen.test"
os.environ.pop("SARSEN_SMTP_URL", None)
os.environ.pop("SARSEN_SIGNING_KEY", None)

from sarsen.server.settings import *  # noqa: F403
from sarsen.server.setup import set_up_logs

set_up_logs()


def _remove_data(owner: int) -> None:
    if os.getpid() == owner:  # and not a fork, of which tests make some
        shutil.rmtree(DATA, ignore_errors=True)  # noqa: F405


if not os.environ.get("SARSEN_TEST_DATA"):
    atexit.register(_remove_data, os.getpid())
# A hash of the server's takes a tenth of a second; those of old releases are still read.
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher",
    *PASSWORD_HASHERS,  # noqa: F405
]
DATABASES = copy.deepcopy(DATABASES)  # noqa: F405
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in life: a database in memory knows neither WAL nor two writers.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA / "test.sqlite3")}  # noqa: F405
    # What survives a power cut is for the tests in processes, which have the server's settings.
    options = DATABASES["default"]["OPTIONS"]
    options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    DATA.mkdir(parents=True, exist_ok=True)  # noqa: F405
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405
# Else each browser of a test would look at every static file before its first page.
WHITENOISE_AUTOREFRESH = True
SARSEN_CONTESTS = False  # those that a test does not make
SARSEN_SHOW_MAIL = True  # at a public address
INSTALLED_APPS = [*INSTALLED_APPS, "constants_for_tests.Constants"]  # noqa: F405
OTHER_CONSTANTS = {
    # Tests give in a second the passwords of a day.
    "sarsen.services.accounts.passwords.CHECKS_A_SECOND": 10_000,
    # Tests ask as visitors, from one place, far more than people do.
    "sarsen.server.visitors.PROCESSOR_SECONDS": 0,
}
