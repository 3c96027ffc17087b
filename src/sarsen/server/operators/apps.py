"""The operators' pages as Django finds them."""

from django.apps import AppConfig


class OperatorsConfig(AppConfig):
    """Bring templates and style; nothing is registered with Django's own admin site."""

    name = "sarsen.server.operators"
    label = "operators"
