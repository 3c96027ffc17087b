"""Django's settings, all from environment variables; see `docs/operating.md`.

Nothing here needs to be set to try the server out.
"""

from __future__ import annotations

from pathlib import Path

import environ

from sarsen.server.secret import read_secret

env = environ.Env()

DATA = Path(env.str("SARSEN_DATA", default="data")).absolute()
SECRET_KEY = env.str("SARSEN_SECRET_KEY", default="") or read_secret(DATA)
DEBUG = False

# Where people reach the server.
SARSEN_DOMAIN = env.str("SARSEN_DOMAIN", default="sarsen.localhost")
SARSEN_URL = env.str("SARSEN_URL", default="http://127.0.0.1:8000").rstrip("/")
SARSEN_SMTP_URL = env.str("SARSEN_SMTP_URL", default="")
SARSEN_MAIL_PICTURES = env.bool("SARSEN_MAIL_PICTURES", default=True)
ALLOWED_HOSTS = env.list("SARSEN_HOSTS", default=["*"])

ROOT_URLCONF = "sarsen.server.urls"
WSGI_APPLICATION = "sarsen.server.wsgi.application"
AUTH_USER_MODEL = "storage.Player"
PASSWORD_HASHERS = ["sarsen.services.hashing.MailPasswordHasher"]
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = True

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.staticfiles",
    "django_tasks",
    "django_tasks_db",
    "sarsen.storage",
    "sarsen.doors.mail",
    "sarsen.doors.web",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "sarsen.doors.web.context.server",
            ]
        },
    }
]
STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Not the manifest storage: it finds no file, and so no page, before `collectstatic`.
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
# Without a `collectstatic` run (tests, a first look) files come from the packages.
WHITENOISE_USE_FINDERS = True

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA / 'sarsen.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["CONN_MAX_AGE"] = None
    DATABASES["default"]["OPTIONS"] = {
        # Readers go on while one writes, a commit is on the disk when it returns, a
        # write never begins as a read, and what is deleted is overwritten: an
        # answered mail may have held a password.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": (
            "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA secure_delete=ON;"
        ),
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

# Bounds of what a request may bring; the largest form holds one mail.
DATA_UPLOAD_MAX_MEMORY_SIZE = 300_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 50

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
if SARSEN_URL.startswith("https://"):
    CSRF_COOKIE_SECURE = True
    CSRF_TRUSTED_ORIGINS = [SARSEN_URL]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "img-src": ["'self'"],
        "style-src": ["'self'"],
        "script-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# How often one player may do a thing in a day, by kind; see `services.limits`.
SARSEN_A_DAY = {
    "challenge": env.int("SARSEN_CHALLENGES_A_DAY", default=60),
    "withdraw": env.int("SARSEN_WITHDRAWALS_A_DAY", default=60),
    "message": env.int("SARSEN_MESSAGES_A_DAY", default=50),
    "broadcast": env.int("SARSEN_BROADCASTS_A_DAY", default=1),
    "chat": env.int("SARSEN_CHATS_A_DAY", default=300),
    "note": env.int("SARSEN_NOTES_A_DAY", default=300),
    "plan": env.int("SARSEN_PLANS_A_DAY", default=500),
    "offer": env.int("SARSEN_OFFERS_A_DAY", default=60),
    "account": env.int("SARSEN_ACCOUNT_CHANGES_A_DAY", default=40),
}

LOGGING_CONFIG = None  # `server.logs` sets structlog up
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
