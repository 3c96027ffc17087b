"""The answer to a question as a stream: it waits for the search, and ends it when it is closed."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import override

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.doors.web.frame.pictures import advised_moves
from sarsen.doors.web.frame.visitors import actor, with_query
from sarsen.language.learning.analysis import (
    AnalysisShown,
    left_words,
    moves_pointed_out,
    percent,
    proven_words,
    unproven_words,
)
from sarsen.language.translating import current_language, use_language
from sarsen.learning.analysis import Question
from sarsen.services.analysis import questions
from sarsen.services.analysis.questions import Progress
from sarsen.services.events import live_updates
from sarsen.services.events.topics import Reading, Topic, TopicKind
from sarsen.services.request import Actor

MAX_SECONDS = 120.0  # until a stream ends whose question waits behind many others
# Held at once, and of one asker: each takes a place that an open page could have.
MAX_HELD, MAX_OF_ASKER = 200, 16
PAUSE = 0.1  # seconds between two looks of a server that knows no held responses
NOBODYS = Topic(TopicKind.ANALYST, 0)
ToLine = Callable[[Sequence[str]], str]


def answer_facts(found: AnalysisShown, position: AnyPosition, to: ToLine) -> dict[str, object]:
    """Return what the template of an answer shows.

    Args:
        position: The one that was asked about.
        to: Returns the page of the position after some more moves.
    """
    return {
        "found": found,
        "proven": proven_words(found),
        "line_moves": [(move, to(found.line[:at])) for at, move in enumerate(found.line, 1)],
        "likely_moves": [
            (one.move, to((one.move,)), percent(one.chance), round(100 * one.chance))
            for one in found.likely
        ],
        "unproven": unproven_words(found),
        "left": left_words(found),
        "advised": advised_moves(position, moves_pointed_out(found)),
    }


def respond(request: HttpRequest, read: Callable[[], Question]) -> StreamingHttpResponse:
    """Return a stream that asks a question, and sends its answer as a part of the page."""
    page = request.path.removesuffix("answer/")
    begun = [(name, request.GET.get(name, "").strip()) for name in ("options", "position")]

    def to(question: Question) -> ToLine:
        parts = [part for part in begun if part[1]]
        return lambda moves: with_query(
            page, [*parts, ("moves", " ".join((*question.moves, *moves)))]
        )

    # The processor time of the request is over when it is answered; the line is read before.
    asker = replace(actor(request), budget=None)
    stream = AnswerStream(asker, read, to, current_language())
    return HeldAnswer(
        stream,
        content_type="text/event-stream",
        headers={
            "Cache-Control": "private, no-store",
            "X-Accel-Buffering": "no",  # nginx would keep lines back
            "Content-Encoding": "identity",  # so would compression
        },
    )


class HeldAnswer(StreamingHttpResponse):
    """A stream; `sarsen.server.gateway` holds it without a thread."""

    def __init__(self, held: AnswerStream, **words: Any) -> None:
        super().__init__(held, **words)
        self.held = held


@dataclass
class AnswerStream:
    """One question of an open page.

    Attributes:
        ends: By the monotonic clock.
        spend: Charges the processor time of a reading to a visitor; None for a player.
        is_allowed: Whether any of a visitor's time is left; None for a player.
    """

    asker: Actor
    ask: Callable[[], Question]
    to: Callable[[Question], ToLine]
    language: str
    heartbeat: bytes = b":\n\n"
    ends: float = field(default_factory=lambda: time.monotonic() + MAX_SECONDS)
    topic: Topic = NOBODYS
    spend: Callable[[float], None] | None = None
    is_allowed: Callable[[], bool] | None = None
    _progress: Progress | None = None
    _question: Question | None = None
    _place: str = ""
    _is_first: bool = True

    def __post_init__(self) -> None:
        """Ask; a refusal is the answer."""
        self._refusal: UserError | None = None
        try:
            self._question = self.ask()
            row = questions.row_of(self.asker, timezone.now())
            self.topic = Topic(TopicKind.ANALYST, row.pk)
            self._place = PLACES.take(row.key)
        except UserError as refusal:
            self._refusal = refusal

    def has_room(self) -> bool:
        """Return whether any of its caller's time is left; its search has a budget of its own."""
        return self.is_allowed is None or self.is_allowed()

    def read(self) -> Reading:
        """Return the answer, or nothing while it is searched."""
        close_old_connections()
        return self._charged()

    def close(self) -> None:
        """End the question, if it is still searched: nobody waits for it any more."""
        place, self._place = self._place, ""
        if not place:
            return
        PLACES.give_back(place)
        if self._progress is not None and self._progress.number:
            questions.cancel(self.topic.number, self._progress.number, timezone.now())

    def __iter__(self) -> Iterator[bytes]:
        """Yield it to a server that knows no held responses."""
        try:
            while True:
                reading = self._charged()
                if reading.text:
                    yield reading.text
                if reading.is_over or time.monotonic() >= self.ends or not self.has_room():
                    return
                time.sleep(PAUSE)
        finally:
            self.close()

    def _charged(self) -> Reading:
        """Read in the language of the page, and charge the caller."""
        began = time.thread_time()
        try:
            with use_language(self.language), override(self.language):  # of words and templates
                return self._read()
        finally:
            if self.spend is not None:
                self.spend(time.thread_time() - began)

    def _read(self) -> Reading:
        stamp = live_updates.stamps((self.topic,))[self.topic] if self.topic.number else ""
        if self._refusal is not None or self._question is None or not self._place:
            return self._last({"unanswered": self._refusal, "is_full": self._refusal is None})
        number = self._progress.number if self._progress else 0
        try:
            self._progress = questions.ask(self._question, self.asker, timezone.now())
        except UserError as refusal:
            self._progress = None
            return self._last({"unanswered": refusal})
        found = self._progress.shown
        if not found.is_waiting:
            facts = answer_facts(found, self._question.position, self.to(self._question))
            return self._last({**facts, "is_streamed": True})
        # The first piece says that the server has heard it; a stamp from before may be old.
        text, self._is_first = (self.heartbeat if self._is_first else b""), False
        return Reading(text, stamp if self._progress.number == number else "")

    def _last(self, facts: dict[str, object]) -> Reading:
        html = render_to_string("web/learning/analysis_answer.html", facts)
        lines = "".join(f"data: {line.strip()}\n" for line in html.splitlines() if line.strip())
        return Reading(f"event: answer\n{lines}\n".encode(), "over", is_over=True)


@dataclass
class Places:
    """Count the streams of this process, which are bounded."""

    _taken: Counter[str] = field(default_factory=Counter)
    # Page threads take places, and others give them back.
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, asker: str) -> str:
        """Take a place; return the asker, or "" where none is left."""
        with self._lock:
            if self._taken.total() >= MAX_HELD or self._taken[asker] >= MAX_OF_ASKER:
                return ""
            self._taken[asker] += 1
            return asker

    def give_back(self, asker: str) -> None:
        """Release a place."""
        with self._lock:
            self._taken[asker] -= 1
            if not self._taken[asker]:
                del self._taken[asker]


PLACES = Places()
