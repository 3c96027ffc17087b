"""The addresses of the API door."""

from django.urls import path, re_path

from sarsen.doors.api import documents, problems
from sarsen.doors.api.api import api

urlpatterns = [
    path("openapi.json", documents.send_openapi, name="openapi"),
    path("docs", documents.show_documents, name="api-docs"),
    path("", api.urls),
    re_path("", problems.show_missing),
]
