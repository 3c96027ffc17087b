"""All addresses of the web door."""

from django.urls import include, path

urlpatterns = [path("", include("sarsen.doors.web.urls"))]
