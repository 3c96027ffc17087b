"""All addresses: of the API, of the operators' pages, and of the web door."""

from django.conf import settings
from django.urls import include, path

from sarsen.server.operators.addresses import site

urlpatterns = [
    path("api/v1/", include("sarsen.doors.api.urls")),
    path(settings.SARSEN_OPERATOR_PATH, site.urls),
    path("", include("sarsen.doors.web.urls")),
]

handler400 = "sarsen.server.failing.answer_unreadable"
handler500 = "sarsen.server.failing.answer_failure"
