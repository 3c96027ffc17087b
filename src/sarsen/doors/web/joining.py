"""A form to join; what it says is the command `signup`."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def show_join(request: HttpRequest) -> HttpResponse:
    """Show the form."""
    return render(request, "web/join.html")
