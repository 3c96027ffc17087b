"""All addresses: of the API, of the operators' pages, and of the web door."""

from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from sarsen.server.operators.site import site
from sarsen.services.admin.roles import OPERATOR_PATH

urlpatterns = [
    path("api/v1/", include("sarsen.doors.api.urls")),
    # Without this Django's own redirect would tell everybody that there is a page.
    path(OPERATOR_PATH.rstrip("/"), csrf_exempt(site.to_index)),
    path(OPERATOR_PATH, site.urls),
    path("", include("sarsen.doors.web.urls")),
]

handler400 = "sarsen.server.visitors.answer_unreadable"
handler500 = "sarsen.server.visitors.answer_failure"
