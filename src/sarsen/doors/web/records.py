"""Records to take along: of one board, of a game, of a player, of everything; and the keys."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from sarsen.doors.web.pictures import FOR_A_WHILE, PRIVATE
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import speaker
from sarsen.services.record_collections import Selection, page
from sarsen.services.record_keys import public_keys
from sarsen.services.recording import RecordFile, view_record

TEXT = "text/plain; charset=utf-8"
JSON_LINES = "application/jsonl"
SGF = "application/x-go-sgf; charset=utf-8"
_NUMBER = re.compile("[0-9]{1,9}")


@require_safe
@explains_refusals
def send_text(request: HttpRequest, board: int) -> HttpResponse:
    """Send the record of a finished game in the text form."""
    file = view_record(board, speaker(request))
    return _one(file, file.text, TEXT)


@require_safe
@explains_refusals
def send_json(request: HttpRequest, board: int) -> HttpResponse:
    """Send the record of a finished game in the JSON form."""
    file = view_record(board, speaker(request))
    return _one(file, file.json_line + "\n", "application/json")


@require_safe
@explains_refusals
def send_sgf(request: HttpRequest, board: int) -> HttpResponse:
    """Send the record of a finished game as SGF."""
    file = view_record(board, speaker(request))
    response = _one(file, file.sgf, SGF)
    name = f"{file.record.game}-{file.board}.sgf"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@explains_refusals
def send_collection(
    request: HttpRequest, *, form: str, name: str = "", userid: str = ""
) -> HttpResponse:
    """Send the finished public games of a game, of a player, or all, a page at a time."""
    after = request.GET.get("after", "")
    asked = int(after) if _NUMBER.fullmatch(after) else None
    found = page(Selection(game=name, userid=userid, after=asked))
    further = ""
    if found.further is not None:
        further = f"{settings.SARSEN_URL}{request.path}?after={found.further}"
    if form == "jsonl":
        lines = "".join(f"{file.json_line}\n" for file in found.files)
        response = HttpResponse(lines, JSON_LINES)
    else:
        records = [file.text for file in found.files]
        if further:
            records.append(f"# Further games: {further}\n")
        response = HttpResponse("\n".join(records) or "# No game yet.\n", TEXT)
    if further:
        response["Link"] = f'<{further}>; rel="next"'
    if form == "jsonl" or further:
        saved = "-".join(filter(None, ("records", name or userid, after and f"after-{asked}")))
        response["Content-Disposition"] = f'attachment; filename="{saved}.{form}"'
    response["Cache-Control"] = FOR_A_WHILE
    return response


@require_safe
@explains_refusals
def send_keys(request: HttpRequest) -> HttpResponse:
    """Send the public keys that records of this server are signed with, the present one first."""
    keys = [
        {"name": key.name, "kind": "Ed25519", "public": key.public}
        | {name: at for name, at in (("since", key.since), ("until", key.until)) if at}
        for key in public_keys()
    ]
    headers = {"Cache-Control": FOR_A_WHILE, "Access-Control-Allow-Origin": "*"}
    return JsonResponse({"sarsen-keys": 1, "keys": keys}, headers=headers)


def _one(file: RecordFile, content: str, kind: str) -> HttpResponse:
    keep = PRIVATE if file.is_private else FOR_A_WHILE
    return HttpResponse(content, kind, headers={"Cache-Control": keep})
