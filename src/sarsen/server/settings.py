"""Django's settings, all from environment variables; see `docs/operating.md`.

Nothing here needs to be set to try the server out.
"""

from __future__ import annotations

from importlib.metadata import distribution
from typing import Any

from sarsen.language import translating
from sarsen.server import environment
from sarsen.server.environment import number, read_secret, switch

DATA = environment.folder("SARSEN_DATA", "data")
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
SARSEN_CONNECTIONS_FROM_ONE_PLACE = number("SARSEN_CONNECTIONS_FROM_ONE_PLACE", 128, least=8)

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
SARSEN_RUN = environment.text("SARSEN_RUN", "")

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
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "sarsen.doors.web.site.monitoring.time_pages",
    "sarsen.doors.web.site.middleware.KeptPolicy",
    "sarsen.server.visitors.BoundVisitors",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "sarsen.doors.web.account.settings.speak_language",
    "sarsen.doors.web.site.middleware.keep_private",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "sarsen.doors.web.site.middleware.bound_pages",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["django.templatetags.i18n"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "sarsen.doors.web.site.context.server",
            ],
        },
    }
]
STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
# The files of ninja's page of operations; as an application it would be loaded by every process.
STATICFILES_DIRS = [str(distribution("django-ninja").locate_file("ninja/static"))]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Not the manifest storage: it finds no file, and so no page, before `collectstatic`.
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
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
        "timeout": 30,
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
DATA_UPLOAD_MAX_NUMBER_FIELDS = 50
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
SESSION_ENGINE = "sarsen.storage.web_sessions"
SESSION_COOKIE_AGE = 60 * 86_400
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
if SARSEN_URL.startswith("https://"):
    CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_SECURE = True
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

# Clocks: days of vacation a year, and after how many minutes of silence the server was away.
SARSEN_VACATION_DAYS = number("SARSEN_VACATION_DAYS", 30, most=366)
SARSEN_AWAY_AFTER = number("SARSEN_AWAY_AFTER", 10, least=1, most=1440)

# Ratings: the plies from which a game counts.
SARSEN_RATED_PLIES = number("SARSEN_RATED_PLIES", 4, least=1, most=1000)

# Notices: how many one message reaches, what one player watches, who watches one thing; and
# the `host:port` that webhooks may reach although they are no public https address.
SARSEN_MESSAGE_RECEIVERS = number("SARSEN_MESSAGE_RECEIVERS", 10, least=1, most=100)
SARSEN_MOST_WATCHED = number("SARSEN_MOST_WATCHED", 200)
SARSEN_MOST_WATCHERS = number("SARSEN_MOST_WATCHERS", 10_000)
SARSEN_WEBHOOK_HOSTS = environment.names("SARSEN_WEBHOOK_HOSTS", "")

# Web Push: the server's key, 32 bytes in base64url as `sarsen push-key` makes them, without
# which no device is offered notices; and whom push services write to when something is wrong.
SARSEN_PUSH_KEY = environment.push_key("SARSEN_PUSH_KEY")
SARSEN_PUSH_CONTACT = environment.text("SARSEN_PUSH_CONTACT", f"mailto:postmaster@{SARSEN_DOMAIN}")

# What a monitor shows to read `/metrics/`; without it there is no such page.
SARSEN_METRICS_TOKEN = environment.text("SARSEN_METRICS_TOKEN", "")

# Letters to log in with: so many a day for one player from one place, and from all places so
# many times that.
LOGIN_PLACES = 10

# How often one player may do a thing in a day, by kind; see `services.limits`.
SARSEN_A_DAY = {
    "challenge": number("SARSEN_CHALLENGES_A_DAY", 60),
    "withdraw": number("SARSEN_WITHDRAWALS_A_DAY", 60),
    "message": number("SARSEN_MESSAGES_A_DAY", 50),
    "broadcast": number("SARSEN_BROADCASTS_A_DAY", 1),
    "chat": number("SARSEN_CHATS_A_DAY", 300),
    "note": number("SARSEN_NOTES_A_DAY", 300),
    "plan": number("SARSEN_PLANS_A_DAY", 500),
    "offer": number("SARSEN_OFFERS_A_DAY", 60),
    "account": number("SARSEN_ACCOUNT_CHANGES_A_DAY", 40),
    "login": LOGIN_PLACES * number("SARSEN_LOGIN_MAILS_A_DAY", 10),
    "review": number("SARSEN_REVIEWS_A_DAY", 20),
    "bots": number("SARSEN_BOT_MATCHES_A_DAY", 3),
}

# How often one place on the net may try to get in, in a day; see `services.attempts`.
SARSEN_A_DAY_FROM_ONE_PLACE = {
    "signup": number("SARSEN_SIGNUPS_FROM_ONE_PLACE", 20),
    "login": number("SARSEN_LOGINS_FROM_ONE_PLACE", 200),
    "guest": number("SARSEN_GUESTS_FROM_ONE_PLACE", 30),
    "letter": number("SARSEN_LOGIN_MAILS_A_DAY", 10),
    "visit": number("SARSEN_VISITORS_FROM_ONE_PLACE", 1000),
    "password": number("SARSEN_WRONG_PASSWORDS_FROM_ONE_SENDER", 20, least=1),
}
# Seconds of the processor that requests of visitors from one place on the net may take within
# five minutes; 0 is any number. See `server.visitors`.
SARSEN_VISITOR_SECONDS = number("SARSEN_VISITOR_SECONDS", 30)
# How many passwords each process checks in a second, which bounds what guessing costs.
SARSEN_PASSWORDS_A_SECOND = number("SARSEN_PASSWORDS_A_SECOND", 10, least=1, most=10_000)

# How much mail may come in an hour; 0 is any amount. See `doors.mail.floods`.
SARSEN_MAILS_FROM_ONE_SENDER = number("SARSEN_MAILS_FROM_ONE_SENDER", 1000)
SARSEN_MAILS_FROM_ONE_DOMAIN = number("SARSEN_MAILS_FROM_ONE_DOMAIN", 0)
SARSEN_MAILS_TO_ONE_BOARD = number("SARSEN_MAILS_TO_ONE_BOARD", 1000)

# Whose word on a sender is taken (RFC 8601): that of the mail server before us, or our own.
SARSEN_AUTHSERV_ID = environment.text("SARSEN_AUTHSERV_ID", "")
SARSEN_CHECK_SENDERS = switch("SARSEN_CHECK_SENDERS", default=False)

# The server's own programs: whether there are any, how many games one person has with them
# at once, how many seconds a move of theirs may take at the most, how many more a thought gets
# to end before its process is started anew, and how many think deeply side by side in the
# process that `serve` starts; with 0 it starts none.
SARSEN_BOTS = switch("SARSEN_BOTS", default=True)
SARSEN_BOT_GAMES = number("SARSEN_BOT_GAMES", 20, least=1)
SARSEN_BOT_SECONDS = number("SARSEN_BOT_SECONDS", 30, least=1, most=600)
SARSEN_BOT_GRACE = number("SARSEN_BOT_GRACE", 15, least=1, most=600)
SARSEN_THINKERS = number("SARSEN_THINKERS", 1, least=0, most=64)

# Seconds of the processor that one move's rules, one letter or one page may take; see
# `services.patience`.
SARSEN_PATIENCE = number("SARSEN_PATIENCE", 10, least=1, most=600)
# Seconds after which a worker that does not get on is ended; 0 waits for ever.
SARSEN_STANDSTILL_SECONDS = number("SARSEN_STANDSTILL_SECONDS", 600, most=86_400)

# Streams of the API: how many are held open at once (each has a thread of its own beside those
# of the pages), how many of one player, and how many seconds one lasts at the most.
SARSEN_STREAMS = environment.streams()
SARSEN_STREAMS_A_PLAYER = number("SARSEN_STREAMS_A_PLAYER", 4, least=1, most=100)
SARSEN_STREAM_SECONDS = number("SARSEN_STREAM_SECONDS", 30, least=1, most=300)

# Reviews of finished games: the seconds of thought for all positions of one together.
SARSEN_REVIEW_SECONDS = number("SARSEN_REVIEW_SECONDS", 90, least=1, most=3600)

# How large one player's variations on one board may be; see `services.plans`.
SARSEN_PLANS = {
    "moves": number("SARSEN_PLAN_MOVES", 400),
    "depth": number("SARSEN_PLAN_DEPTH", 100),
    "text": number("SARSEN_PLAN_TEXT", 4000),
    "comment": number("SARSEN_PLAN_COMMENT", 500),
    "chain": number("SARSEN_PLAN_CHAIN", 50),  # moves played at once, one after another
}

# How many characters the words at a board may have, by kind; see `services.conversations`.
SARSEN_LONGEST = {
    "chat": number("SARSEN_LONGEST_CHAT", 2000),
    "note": number("SARSEN_LONGEST_NOTE", 4000),
}

# The operators' pages: where they are, and how many hours after its log-in a browser sees them.
SARSEN_OPERATOR_PATH = environment.text("SARSEN_OPERATOR_PATH", "operator/").strip("/") + "/"
SARSEN_OPERATOR_HOURS = number("SARSEN_OPERATOR_HOURS", 12, least=1, most=168)

LOGGING_CONFIG = None  # `server.logs` sets structlog up
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
