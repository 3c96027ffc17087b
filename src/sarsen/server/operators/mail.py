"""Letters and mails as operators see them: how it goes, never what they say."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.contrib.admin import SimpleListFilter, display
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from sarsen.server.operators.actions import ActionResult, AdminAction
from sarsen.server.operators.tables import ChoiceFilter, ReadOnlyAdmin, kind_of, masked
from sarsen.services.admin import stored_mails
from sarsen.storage.models import InboundMail, OutgoingMail


def _retry(letter: OutgoingMail, reason: str, choice: str, now: datetime) -> ActionResult:
    stored_mails.retry(letter.pk, now)
    return ActionResult(f"Mail {letter.pk} is being sent again now.")


def _give_up(letter: OutgoingMail, reason: str, choice: str, now: datetime) -> ActionResult:
    stored_mails.give_up(letter.pk)
    return ActionResult(f"Gave up mail {letter.pk}.")


def _show_raw(mail: InboundMail, reason: str, choice: str, now: datetime) -> ActionResult:
    return ActionResult(f"Viewed the text of mail {mail.pk}.", stored_mails.raw_text(mail.pk))


class FailingFilter(ChoiceFilter):
    """Choose letters that were refused."""

    title, parameter_name = "attempts", "failing"
    conditions: ClassVar = {"yes": ("refused at least once", Q(attempts__gt=0))}


class ReasonFilter(ChoiceFilter):
    """Choose mails that were refused, ignored or set aside."""

    title = parameter_name = "reason"
    conditions: ClassVar = {"some": ("refused, ignored or failed", ~Q(note=""))}


class KindFilter(SimpleListFilter):
    """Choose letters by their kind, of those that there are: not by looking at all letters."""

    title = parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the kinds."""
        from sarsen.doors.mail.letters import KINDS  # all that words letters: for operators only

        return [(kind, kind) for kind in sorted(KINDS)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return what is chosen."""
        return queryset.filter(kind=self.value()) if self.value() else queryset


class ShownLetters(ReadOnlyAdmin):
    """Mail out. The content of a letter is not shown: it may log its reader in."""

    list_display = (
        "number",
        "kind",
        "to",
        "player",
        "match",
        "state",
        "attempts",
        "due_at",
        "error",
    )
    list_filter = ("state", FailingFilter, KindFilter)
    list_select_related = ("player", "match")
    search_fields = ("=id", "player__key", "address", "error")
    search_help_text = "Search by number, userid, address or error"
    ordering = ("-pk",)
    fields = (
        "number",
        "kind",
        "to",
        "player",
        "match",
        "state",
        "attempts",
        "queued_at",
        "due_at",
        "sent_at",
        "error",
    )
    admin_actions = (
        AdminAction(
            "retry",
            "Try it again now",
            "The mail is sent with the next run, and gets all its attempts again.",
            _retry,
            lambda letter: letter.state != OutgoingMail.State.SENT,
            is_told=False,
        ),
        AdminAction(
            "give-up",
            "Give it up",
            "There will be no further attempts to send this mail.",
            _give_up,
            lambda letter: letter.state == OutgoingMail.State.WAITING,
            is_told=False,
        ),
    )

    @display(description="letter", ordering="pk")
    def number(self, letter: OutgoingMail) -> int:
        """Return its number."""
        return letter.pk

    @display(description="to")
    def to(self, letter: OutgoingMail) -> str:
        """Show where it goes, about."""
        return masked(letter.address)


class ShownMails(ReadOnlyAdmin):
    """Mail in. Its text is deleted when it is answered."""

    list_display = ("number", "received_at", "sender", "to", "state", "attempts", "note")
    list_filter = ("state", ReasonFilter)
    search_fields = ("=id", "envelope_sender", "note")
    search_help_text = "Search by number, address or reason"
    ordering = ("-pk",)
    fields = ("number", "received_at", "sender", "to", "state", "attempts", "note", "is_kept")
    admin_actions = (
        AdminAction(
            "text",
            "Show its text",
            "The mail is shown to you as it arrived. It may contain a password. This action is "
            "logged.",
            _show_raw,
            lambda mail: bool(mail.raw),
            is_told=False,
        ),
    )

    @display(description="mail", ordering="pk")
    def number(self, mail: InboundMail) -> int:
        """Return its number."""
        return mail.pk

    @display(description="from")
    def sender(self, mail: InboundMail) -> str:
        """Show where it came from, about."""
        return masked(mail.envelope_sender) if mail.envelope_sender else "nobody"

    @display(description="to")
    def to(self, mail: InboundMail) -> str:
        """Show to which of our addresses it went, about."""
        return kind_of(mail.recipient)

    @display(description="text kept", boolean=True)
    def is_kept(self, mail: InboundMail) -> bool:
        """Return whether its text is still there."""
        return bool(mail.raw)
