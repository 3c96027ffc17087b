"""Write and answer mail in the browser, as if a mail program had sent it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from sarsen.doors.web.site.caught_mail import CaughtLetter, nearby_only, read_letter, show_letter
from sarsen.doors.web.site.context import main_address
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.mail_forms import (
    LONGEST_SUBJECT,
    Draft,
    MailForm,
    ReplyForm,
    new_token,
    write_mail,
)
from sarsen.services.mail.catcher import find_caught, newest_caught
from sarsen.services.mail.incoming import Delivery, store


@nearby_only
def write_new_mail(request: HttpRequest) -> HttpResponse:
    """Show a form for a mail; a POST hands the mail in."""
    form = MailForm(request.POST) if request.method == "POST" else _fresh_form(request)
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        draft = Draft(
            token=fields["token"],
            sender=fields["sender"],
            to=fields["to"],
            subject=fields["subject"],
            text=fields["text"],
        )
        return _hand_in(draft)
    return render(
        request, "web/site/write_mail.html", {"form": form}, status=400 if form.errors else 200
    )


@require_POST
@nearby_only
@explains_refusals
def reply_to_mail(request: HttpRequest, number: int) -> HttpResponse:
    """Answer a caught mail as its recipient."""
    caught = find_caught(number)
    form = ReplyForm(request.POST)
    if not form.is_valid():
        return show_letter(request, caught, form, status=400)
    letter = read_letter(caught.raw)
    fields = form.cleaned_data
    return _hand_in(_answer(letter, caught.address, fields["token"], fields["text"]))


def _answer(letter: CaughtLetter, sender: str, token: str, text: str) -> Draft:
    subject = letter.subject
    return Draft(
        token=token,
        sender=sender,
        to=letter.answer_to,
        subject=subject if subject.lower().startswith("re:") else f"Re: {subject}",
        text=text,
        in_reply_to=letter.message_id,
        references=letter.references,
    )


def _fresh_form(request: HttpRequest) -> MailForm:
    initial = {
        "token": new_token(timezone.now()),
        "sender": request.GET.get("from", "")[:254],
        "to": main_address(),
        "subject": request.GET.get("subject", "")[:LONGEST_SUBJECT],
    }
    return MailForm(initial=initial)


def _hand_in(draft: Draft) -> HttpResponse:
    """Store a mail as the SMTP door would, and go where its answer will appear."""
    newest = newest_caught(draft.sender)
    store([Delivery(draft.sender, draft.to, write_mail(draft))], timezone.now())
    query = urlencode({"to": draft.sender, "after": str(newest)})
    return redirect(f"{reverse('mailbox')}?{query}")
