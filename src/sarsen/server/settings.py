"""Django's settings, all from environment variables; see `docs/operating.md`.

Nothing here needs to be set to try the server out.
"""

from __future__ import annotations

import os
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import django

from sarsen.client.data_folder import data_folder
from sarsen.language import translating
from sarsen.server import environment
from sarsen.server.environment import number, switch
from sarsen.server.secret_key import read_secret

DATA = data_folder(os.environ).absolute()
SECRET_KEY = environment.text("SARSEN_SECRET_KEY", "") or read_secret(DATA)
# Keys of before: what they signed holds, and nothing new is signed with them.
SECRET_KEY_FALLBACKS = environment.words("SARSEN_SECRET_KEY_FALLBACKS")
DEBUG = False

# Where people reach the server.
SARSEN_DOMAIN = environment.domain("SARSEN_DOMAIN", "sarsen.localhost")
SARSEN_URL = environment.web_address("SARSEN_URL", "http://127.0.0.1:8000")
ALLOWED_HOSTS = environment.names("SARSEN_HOSTS", "*")
# The proxies whose word on a visitor's address is taken: a server with https has one.
SARSEN_PROXIES = environment.networks(
    "SARSEN_PROXIES", environment.NEAR if SARSEN_URL.startswith("https://") else ""
)

# Mail out.
SARSEN_SMTP_URL = environment.relay("SARSEN_SMTP_URL")
SARSEN_MAIL_PICTURES = switch("SARSEN_MAIL_PICTURES", default=True)

# Whether caught mail is shown at the machine of the server. It speaks for everybody, and a proxy
# that adds no header looks like somebody who sits there.
SARSEN_SHOW_MAIL = switch("SARSEN_SHOW_MAIL", default=environment.is_local(SARSEN_URL))

# Signs letters (DKIM): a private key, and what names its record in the DNS.
SARSEN_DKIM_KEY = environment.signing_key("SARSEN_DKIM_KEY")
SARSEN_DKIM_SELECTOR = environment.selector("SARSEN_DKIM_SELECTOR", "sarsen")

# Signs records in place of the key in the data folder: 32 bytes in base64.
SARSEN_SIGNING_KEY = environment.text("SARSEN_SIGNING_KEY", "")

# Which run of `sarsen serve` a process belongs to; see `server.processes`.
SARSEN_RUN = environment.text("SARSEN_RUN", "").partition(":")[0]

ROOT_URLCONF = "sarsen.server.urls"
WSGI_APPLICATION = "sarsen.server.wsgi.application"
AUTH_USER_MODEL = "storage.Player"
PASSWORD_HASHERS = ["sarsen.services.accounts.passwords.MailPasswordHasher"]
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = translating.ENGLISH
LANGUAGES = list(translating.LANGUAGES.items())
LOCALE_PATHS = [translating.FOLDER]
USE_I18N = True

INSTALLED_APPS = [
    "sarsen.server.operators",  # before the admin, whose frame it replaces
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_tasks",
    "django_tasks_db",
    "sarsen.storage",
    "sarsen.doors.mail",
    "sarsen.doors.web",
    "sarsen.doors.api",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "sarsen.server.application.serve_static_files",
    "sarsen.doors.web.frame.middleware.time_pages",
    "sarsen.doors.web.frame.middleware.FixedPolicyMiddleware",
    "sarsen.server.earlier_cookies.take_earlier_cookies",
    "sarsen.server.visitors.BoundVisitors",
    "django.middleware.gzip.GZipMiddleware",
    "sarsen.doors.web.frame.middleware.compress_pages",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "sarsen.doors.web.frame.middleware.speak_language",
    "sarsen.doors.web.frame.middleware.keep_private",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "django.templatetags.i18n",
                "sarsen.doors.web.frame.templatetags.constants",
            ],
            "libraries": {"markup": "sarsen.doors.web.frame.templatetags.markup"},
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "sarsen.doors.web.frame.context.server",
            ],
        },
    }
]
NINJA = distribution("django-ninja")


def static_version() -> str:
    """Return a name of all static files as they are now: another one when any of them changes."""
    package = Path(__file__).parents[1]
    digest = sha256(f"{django.__version__} {NINJA.version}".encode())
    for file in sorted(filter(Path.is_file, package.glob("*/*/static/**/*"))):
        digest.update(f"{file.relative_to(package)} {file.stat().st_size}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


# A browser keeps what lies in a folder of this name for ever, and asks for the next one's.
STATIC_VERSION = static_version()
STATIC_URL = f"static/{STATIC_VERSION}/"
STATIC_ROOT = DATA / "static" / STATIC_VERSION
WHITENOISE_IMMUTABLE_FILE_TEST = f"/{STATIC_URL}"
# The files of ninja's page of operations; as an application it would be loaded by every process.
STATICFILES_DIRS = [str(NINJA.locate_file("ninja/static"))]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Not the manifest storage: it finds no file, and so no page, before `collectstatic`, and it
    # would have to write new addresses into the imports of every script.
    "staticfiles": {"BACKEND": "sarsen.server.static_files.MinifiedStaticFilesStorage"},
}
# Without a `collectstatic` run (tests, a first look) files come from the packages.
WHITENOISE_USE_FINDERS = True


def with_options(database: dict[str, Any]) -> dict[str, Any]:
    """Add what every connection to a database of its kind needs."""
    if database["ENGINE"] != environment.SQLITE:
        return database | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    options = {
        # Readers go on while one writes, a commit is on the disk when it returns, a
        # write never begins as a read, and what is deleted is overwritten: an
        # answered mail may have held a password.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,  # seconds that a write waits for others, as requests do; then 503
        # Django reads every column by its field; the driver need not look at its type, too.
        "detect_types": 0,
        "init_command": (
            "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA secure_delete=ON;"
            # What a long reader has made grow shrinks again behind it.
            "PRAGMA journal_size_limit=67108864;"
        ),
    }
    return database | {"CONN_MAX_AGE": None, "OPTIONS": options}


DATABASES = {"default": with_options(environment.database("DATABASE_URL", DATA))}

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

# Bounds of what a request may bring; the largest form holds one mail.
DATA_UPLOAD_MAX_MEMORY_SIZE = 300_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 50  # no form has more; each is parsed
# Nothing that is sent becomes a temporary file.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "sarsen.server.visitors.answer_forged"

# Log-in at the web door. A session ends with the password it began under.
LOGIN_URL = "login"
AUTHENTICATION_BACKENDS = [
    "sarsen.services.accounts.login_methods.PlayerBackend",
    "django.contrib.auth.backends.ModelBackend",  # of sessions that began under release 0.4
]
SESSION_ENGINE = "sarsen.services.accounts.sessions"
# Seconds: who plays by mail comes rarely; who stays away for longer logs in again.
SESSION_COOKIE_AGE = 60 * 86_400
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# In a signed cookie, if it is short: in the session each would take two commits.
MESSAGE_STORAGE = "django.contrib.messages.storage.fallback.FallbackStorage"
if SARSEN_URL.startswith("https://"):
    CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_SECURE = True
    # A browser takes such a cookie from this host only, not from another one of the domain.
    CSRF_COOKIE_NAME, SESSION_COOKIE_NAME = "__Host-csrftoken", "__Host-sessionid"
    CSRF_TRUSTED_ORIGINS = [SARSEN_URL]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "img-src": ["'self'"],
        "style-src": ["'self'"],
        "script-src": ["'self'"],
        "connect-src": ["'self'"],
        "worker-src": ["'self'"],
        "manifest-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# What no page here uses, nor a page that frames one of ours on its behalf.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "browsing-topics", "camera", "display-capture", "geolocation"),
        *("gyroscope", "magnetometer", "microphone", "midi", "payment", "usb"),
    )
)

# The `host:port` that webhooks may reach although they are no public https address.
SARSEN_WEBHOOK_HOSTS = environment.names("SARSEN_WEBHOOK_HOSTS", "")

# Web Push: the server's key, 32 bytes in base64url as `sarsen push-key` makes them; without it
# no device is offered notices.
SARSEN_PUSH_KEY = environment.push_key("SARSEN_PUSH_KEY")

# What a monitor shows to read `/metrics/`; without it there is no such page.
SARSEN_METRICS_TOKEN = environment.text("SARSEN_METRICS_TOKEN", "")

# Senders are checked (RFC 8601) by the mail server before us, named here, or by this server.
SARSEN_AUTHSERV_ID = environment.text("SARSEN_AUTHSERV_ID", "")
SARSEN_CHECK_SENDERS = switch("SARSEN_CHECK_SENDERS", default=False)

# The server's own programs: whether there are any, and how many think deeply side by side in the
# process that `serve` starts; with 0 it starts none.
SARSEN_BOTS = switch("SARSEN_BOTS", default=True)
# Whether the server opens contests by itself.
SARSEN_CONTESTS = switch("SARSEN_CONTESTS", default=True)
# Opponents wait meanwhile; above a year it would be no vacation.
SARSEN_VACATION_DAYS = number("SARSEN_VACATION_DAYS", 30, least=1, most=366)
# Each thinks with a core of its own.
SARSEN_THINKERS = number("SARSEN_THINKERS", 1, least=0, most=64)

LOGGING_CONFIG = None  # `server.setup` configures structlog
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
