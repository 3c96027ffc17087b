"""All addresses: of the API, and of the web door."""

from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("sarsen.doors.api.urls")),
    path("", include("sarsen.doors.web.urls")),
]
