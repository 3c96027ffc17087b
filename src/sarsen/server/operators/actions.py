"""A page for an admin action: it says what will happen, asks for the reason, and acts once.

What is done and its log entry are written in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.services import operator_log
from sarsen.services.admin.actions import MAX_REASON, clean_reason
from sarsen.storage.models import Player

Row = TypeVar("Row", bound=Model)
MAX_DIGITS = 18  # of a number that every database can hold


@dataclass(frozen=True)
class ActionResult:
    """The result of an admin action.

    Attributes:
        message: In a sentence, for the page and the log.
        details: What the operator asked to see; it is not logged.
    """

    message: str
    details: str = ""


@dataclass(frozen=True)
class AdminAction(Generic[Row]):
    """Something an operator may do to a row.

    Attributes:
        name: Its place in the address.
        title: What is on its button.
        words: What will happen.
        do: Does it: the row, the reason, what was chosen, the time.
        applies: Whether it makes sense for a row now.
        choices: What the operator must choose between, with the words for each; the first is usual.
        is_told: Whether those concerned are told the reason.
    """

    name: str
    title: str
    words: str
    do: Callable[[Row, str, str, datetime], ActionResult]
    applies: Callable[[Row], bool] = lambda row: True
    choices: tuple[tuple[str, str], ...] = ()
    is_told: bool = True


def show_admin_action(
    request: HttpRequest, model_admin: ModelAdmin[Any], admin_action: AdminAction[Any], key: int
) -> HttpResponse:
    """Ask for a reason; with one perform the admin action, log it, and go back to the row."""
    row = get_object_or_404(model_admin.model, pk=key) if key < 10**MAX_DIGITS else None
    if row is None:
        return redirect(_address(model_admin, "changelist"))
    refusal: UserError | None = None
    reason = request.POST.get("reason", "")
    choice = _choice(request, admin_action)
    if request.method == "POST":
        try:
            result = _perform(request, admin_action, row, reason, choice)
            if result.details:
                return _page(request, model_admin, admin_action, row, shown_text=result.details)
            messages.success(request, result.message)
            return redirect(_address(model_admin, "change", row.pk))
        except UserError as refused:
            refusal = refused
    return _page(
        request, model_admin, admin_action, row, reason=reason, choice=choice, refusal=refusal
    )


def log(request: HttpRequest, row: Model | None, message: str) -> None:
    """Write down who did what to which row."""
    assert isinstance(request.user, Player)  # of this site
    operator_log.record(request.user, row, message)


@transaction.atomic
def _perform(
    request: HttpRequest, admin_action: AdminAction[Any], row: Model, reason: str, choice: str
) -> ActionResult:
    cleaned = clean_reason(reason)
    result = admin_action.do(row, cleaned, choice, timezone.now())
    log(request, row, f"{result.message} Reason: {cleaned}")
    return result


def _choice(request: HttpRequest, admin_action: AdminAction[Any]) -> str:
    chosen = request.POST.get("choice", "")
    values = [value for value, _ in admin_action.choices]
    return chosen if chosen in values else "".join(values[:1])


def _page(
    request: HttpRequest,
    model_admin: ModelAdmin[Any],
    admin_action: AdminAction[Any],
    row: Model,
    *,
    reason: str = "",
    choice: str = "",
    refusal: UserError | None = None,
    shown_text: str = "",
) -> HttpResponse:
    facts = {
        **model_admin.admin_site.each_context(request),
        "title": f"{admin_action.title}: {row}",
        "opts": model_admin.opts,
        "admin_action": admin_action,
        "row": row,
        "reason": reason,
        "choice": choice,
        "refusal": refusal,
        "shown_text": shown_text,
        "longest": MAX_REASON,
        "back": _address(model_admin, "change", row.pk),
    }
    status = 422 if refusal else 200
    return TemplateResponse(request, "operators/action.html", facts, status=status)


def _address(model_admin: ModelAdmin[Any], page: str, *arguments: Any) -> str:
    name = f"admin:{model_admin.opts.app_label}_{model_admin.opts.model_name}_{page}"
    return reverse(name, args=arguments)
