"""What must be true when all is quiet again, asked of the database by the server's own models.

Runs as a process of its own, in the environment of the server, with the books as JSON on
standard input; it prints JSON: what does not balance, and figures.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any


def _main(books: dict[str, Any]) -> None:
    from sarsen.server.setup import set_up

    set_up()
    checks = (_sound, _moves, _mails, _answers, _notices, _letters, _chats, _queue)
    faults = [fault for check in checks for fault in check(books)]
    json.dump({"faults": faults[:50], "count": len(faults), "figures": _figures()}, sys.stdout)


def _sound(books: dict[str, Any]) -> Iterator[str]:
    from django.db import connection

    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for question in ("integrity_check", "foreign_key_check"):
            cursor.execute(f"PRAGMA {question}")
            found = [row[0] for row in cursor.fetchall()]
            if found not in (["ok"], []):
                yield f"{question}: {found[:3]}"


def _moves(books: dict[str, Any]) -> Iterator[str]:
    """Every board holds exactly the moves of the books, and its caches say the same."""
    from sarsen.games import load
    from sarsen.storage.models import Match

    wanted = {int(board): texts for board, texts in books["moves"].items()}
    for match in Match.objects.prefetch_related("events").filter(pk__in=wanted):
        events = list(match.events.all())
        texts = [event.text for event in events if event.kind == "move"]
        if texts != wanted[match.pk]:
            yield f"board {match.pk} holds {texts}, the books {wanted[match.pk]}"
            continue
        if [event.number for event in events] != list(range(1, len(events) + 1)):
            yield f"board {match.pk}: events are not numbered one after another"
        position = load(match.game).start(match.options)
        for text in texts:
            position = position.play(position.parse(text))
        cached = match.position, match.ply, match.event_count, match.ended_at is not None
        truth = position.write(), len(texts), len(events), position.outcome() is not None
        if cached != truth:
            yield f"board {match.pk}: the cache says {cached}, a replay {truth}"


def _mails(books: dict[str, Any]) -> Iterator[str]:
    """Every mail that was answered 250 is stored once, and is answered."""
    from sarsen.storage.models import InboundMail

    stored = Counter(InboundMail.objects.values_list("state", flat=True))
    if stored != Counter(answered=len(books["mails"])):
        yield f"{len(books['mails'])} mails were taken, and stand as {dict(stored)}"
    for note in InboundMail.objects.exclude(note="").values_list("note", flat=True)[:5]:
        yield f"a mail was refused: {note}"
    if InboundMail.objects.exclude(raw=b"").exists():
        yield "the text of an answered mail is still there"


def _answers(books: dict[str, Any]) -> Iterator[str]:
    """Every mail has one answer."""
    from sarsen.storage.models import OutgoingMail

    told = Counter(OutgoingMail.objects.filter(kind="answer").values_list("in_reply_to", flat=True))
    for name in books["mails"]:
        if told[name] != 1:
            yield f"mail {name} has {told[name]} answers"
    yield from (f"an answer to {name}, which nobody sent" for name in told.keys() - books["mails"])


def _notices(books: dict[str, Any]) -> Iterator[str]:
    """Every move was told the other side once."""
    from sarsen.storage.models import OutgoingMail

    letters = OutgoingMail.objects.filter(kind="board").select_related("player")
    told = Counter(
        (letter.match_id, letter.facts["ply"], letter.player.userid)
        for letter in letters
        if letter.player is not None
    )
    for key, times in told.items():
        if times != 1:
            yield f"board, ply and reader {key} were told {times} times"
    boards = Counter((board, ply) for board, ply, _ in told)
    for board, texts in books["moves"].items():
        for ply in range(1, len(texts) + 1):
            if not boards[int(board), ply]:
                yield f"nobody was told of ply {ply} of board {board}"


def _letters(books: dict[str, Any]) -> Iterator[str]:
    """Every letter reached the relay, and the relay took none that is not in the books."""
    from sarsen.storage.models import OutgoingMail

    taken = {name.strip("<>").split(".")[1] for name in books["letters"]}
    stored = dict(OutgoingMail.objects.values_list("pk", "state"))
    for number, state in stored.items():
        if state != "sent" or str(number) not in taken:
            yield f"letter {number} is {state}, and the relay has it: {str(number) in taken}"
    yield from (f"letter {one} is in no book" for one in taken - {str(pk) for pk in stored})


def _chats(books: dict[str, Any]) -> Iterator[str]:
    from sarsen.storage.models import ChatLine

    said = Counter(ChatLine.objects.values_list("match_id", "text"))
    wanted = Counter((board, text) for board, text in books["chats"])
    if said != wanted:
        yield f"chat lines differ: {list((said - wanted) | (wanted - said))[:5]}"


def _queue(books: dict[str, Any]) -> Iterator[str]:
    """Nothing that can be done waits."""
    from django_tasks_db.models import DBTaskResult

    from sarsen.storage.models import InboundMail, Match

    if InboundMail.objects.filter(state="new").exists():
        yield "a mail waits for ever"
    failed = DBTaskResult.objects.failed().count()
    if failed:
        error = DBTaskResult.objects.failed().first()
        yield f"{failed} jobs failed: {error.exception_class_path} {error.traceback[-600:]}"
    waiting = Match.objects.filter(ended_at=None, bot_level__isnull=False).count()
    if waiting:
        yield f"{waiting} boards wait for a program"


def _figures() -> dict[str, int]:
    from django_tasks_db.models import DBTaskResult

    from sarsen.storage.models import InboundMail, MatchEvent, OutgoingMail

    return {
        "mails": InboundMail.objects.count(),
        "events": MatchEvent.objects.count(),
        "letters": OutgoingMail.objects.count(),
        "jobs left running": DBTaskResult.objects.running().count(),
    }


if __name__ == "__main__":
    _main(json.load(sys.stdin))
