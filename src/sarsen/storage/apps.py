from django.apps import AppConfig


class StorageConfig(AppConfig):
    """Name the one Django application whose tables are the server's store."""

    name = "sarsen.storage"
    label = "storage"
    default_auto_field = "django.db.models.BigAutoField"
