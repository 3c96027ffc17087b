"""A table as operators see it: read-only, with a page for each admin action."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.admin import ModelAdmin, display
from django.contrib.admin.models import LogEntry
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from sarsen.server.operators.actions import AdminAction, show_admin_action


class ReadOnlyAdmin(ModelAdmin[Any]):
    """Show rows; what can be done to one stands in `admin_actions`."""

    admin_actions: ClassVar[tuple[AdminAction[Any], ...]] = ()
    actions = None
    list_per_page = 50
    show_full_result_count = False
    change_form_template = "operators/row.html"

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let every operator on this site look."""
        return True

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Let every operator on this site look."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Add nothing."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Edit nothing: admin actions are functions of services."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Delete nothing."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """Return the list, the row, its history, and a page for each admin action."""
        usual = [one for one in super().get_urls() if _only_shows(one)]
        name = self.opts.model_name
        admin_actions = [
            path(
                f"<int:key>/{admin_action.name}/",
                self.admin_site.admin_view(self._admin_action_view(admin_action)),
                name=f"{self.opts.app_label}_{name}_{admin_action.name}",
            )
            for admin_action in self.admin_actions
        ]
        return [*admin_actions, *usual]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *arguments: Any, **named: Any
    ) -> HttpResponse:
        """Show a row with the admin actions that make sense for it now."""
        row = named.get("obj")
        context["admin_actions"] = [
            admin_action for admin_action in self.admin_actions if row and admin_action.applies(row)
        ]
        return super().render_change_form(request, context, *arguments, **named)

    def _admin_action_view(self, admin_action: AdminAction[Any]) -> Any:
        def view(request: HttpRequest, key: int) -> HttpResponse:
            return show_admin_action(request, self, admin_action, key)

        return view


def _only_shows(address: URLPattern) -> bool:
    name = address.name or ""
    return not name.endswith(("_add", "_delete"))


def masked(address: str) -> str:
    """Hide the middle of a mail address: `a…@example.org`."""
    local, at, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}" if at else f"{address[:1]}…"


def kind_of(recipient: str) -> str:
    """Return the kind of an address of ours: a signed one would let its reader speak for others."""
    local = recipient.partition("@")[0].lower()
    kind, dash, _ = local.partition("-")
    return f"{kind}-…" if dash else local


class ShownLog(ReadOnlyAdmin):
    """The log: only ever added to."""

    list_display = ("action_time", "user", "about", "change_message")
    list_filter = ("user",)
    list_select_related = ("user", "content_type")
    search_fields = ("object_repr", "change_message", "user__key")
    search_help_text = "words of it"
    ordering = ("-pk",)
    fields = ("action_time", "user", "about", "change_message")

    @display(description="about")
    def about(self, entry: LogEntry) -> str:
        """Return a text that says what it was done to."""
        return entry.object_repr
