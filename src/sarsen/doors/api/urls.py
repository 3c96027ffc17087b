"""The addresses of the API door."""

from django.urls import path, re_path
from django.urls.resolvers import URLPattern

from sarsen.doors.api import documents, problems
from sarsen.doors.api.api import api

_operations, _app, _names = api.urls
for _operation in _operations:
    if isinstance(_operation, URLPattern):
        _operation.callback = problems.show_methods(_operation.callback)

urlpatterns = [
    path("openapi.json", problems.show_methods(documents.send_openapi), name="openapi"),
    path("docs", problems.show_methods(documents.show_documents), name="api-docs"),
    path("", (_operations, _app, _names)),
    re_path("", problems.show_missing),
]
