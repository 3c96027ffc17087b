"""Lessons: the command that shows a step and takes a try, and what comes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Self

from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import LessonContext, Tokens
from sarsen.language.schema.fields import (
    AnyCase,
    AtMost,
    Example,
    GameName,
    MaxItems,
    MayLack,
    Moves,
)
from sarsen.language.translating import N_, _, sentence, translated, typed_next

MAX_MOVES = 60  # own moves of a step: the whole game on the smallest board is shorter


class LessonWord(StrEnum):
    """The words that may stand in place of a move.

    Attributes:
        HINT: Where to look.
        SHOW: The move itself, which may still be played.
        SKIP, BACK: To the next step, or to the one before.
        STOP: No step more for now.
        NO_THANKS: The lesson of this game is not offered again.
    """

    HINT = "hint"
    SHOW = "show"
    SKIP = "skip"
    BACK = "back"
    STOP = "stop"
    NO_THANKS = "no-thanks"


WORDS = frozenset(LessonWord)
MAX_TRIES = 99
PLAY = "play"  # in the place of a step; a reply to the end of a lesson begins a game so
# What people say in German; answers are the same.
_GERMAN = {
    **dict.fromkeys(("tipp", "hinweis"), LessonWord.HINT),
    **dict.fromkeys(("zeig", "zeige", "zeigen"), LessonWord.SHOW),
    **dict.fromkeys(("weiter", "überspringen"), LessonWord.SKIP),
    **dict.fromkeys(("zurück", "zurueck"), LessonWord.BACK),
    **dict.fromkeys(("stopp", "aufhören"), LessonWord.STOP),
}
_POLITE = ("please", "thanks", "bitte", "danke")
# What is said to learners; a translation may name other words that `word_of` knows.
OFFERED_WORDS = N_("hint, show, skip, back, stop")


def word_of(text: str) -> LessonWord | None:
    """Return the word that somebody has typed in place of a move; None for anything else."""
    said = [word for word in re.findall(r"[\w-]+", text.lower()) if word not in _POLITE]
    if len(said) != 1:
        return None
    return LessonWord(said[0]) if said[0] in WORDS else _GERMAN.get(said[0])


@dataclass(frozen=True)
class TakeLesson(Command):
    """Show a step of a game's lesson, or try a move at it.

    Attributes:
        step: Its number from 1 on, or its id; "" for the first that is not done yet.
        moves: The learner's own moves of the step so far, and the new one or a `LessonWord` last.
        tries: Wrong tries at the step so far, of a speaker without an account; ignored of others,
            whose number is stored.
    """

    words = ("lesson", "lessons", "learn")
    usage = "lesson GAME [STEP [MOVE …|hint|show|skip|back|stop]]"
    summary = N_("Learn a game in three minutes: a step, and your tries at it.")
    details = N_(
        "In place of a move you can say:\n\n"
        "- `hint`: where to look\n"
        "- `show`: the move, which you can then play\n"
        "- `skip`: on to the next step\n"
        "- `back`: back to the step before\n"
        "- `stop`: enough for now; `lesson GAME` goes on where you were\n\n"
        "In a reply to a mail of a lesson the move or the word is enough."
    )
    # As for playing a game; what is stored of it is the speaker's own.
    scope = Scope.PLAY
    for_visitors = True
    for_guests = True

    game: GameName
    step: Annotated[str, AnyCase(), MayLack(), Example("1")] = ""
    moves: Annotated[Moves, MaxItems(MAX_MOVES), MayLack()] = ()
    tries: Annotated[int, AtMost(MAX_TRIES), MayLack()] = 0

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the game, the step, and moves or a word; a reply to a step knows the first two."""
        known = tokens.context.lesson
        game = tokens.game
        if not game and tokens.peek().lower() in tokens.context.games:
            game = tokens.take().lower()
        if not game and known is not None:
            game = known.game
        if not game:
            game = tokens.take().lower()  # what has no lesson is refused with those that have one
        step, *moves = tokens.rest_words() or ("",)
        if word_of(step):  # of the step that comes now
            moves = [step, *moves]
            step = known.step if known is not None and known.game == game else ""
        # Subjects of letters have `3/8`.
        step = step.lower().partition("/")[0]
        return cls(game, step, tuple(word_of(move) or move for move in moves))

    @classmethod
    def reply(cls, text: str, step: LessonContext) -> Self:
        """Return what a line of a reply to the letter of a step means: a move of it, or a word."""
        said = text.rstrip(" .,!")  # what people end a line with
        words = tuple(word_of(word) or word for word in said.split())
        if (word := word_of(said)) is not None:
            words = (word,)
        elif not words or words[0] not in WORDS:  # a move, which may have blanks
            words = (said,)
        return cls(step.game, step.step, (*step.line, *words), step.tries)


@dataclass(frozen=True)
class LessonShown:
    """A step of a lesson, after a try at it or at the one before.

    Attributes:
        game, title: The name and the title of the game.
        step, at, count: The id of the step shown, its place from 1 on, and how many there are.
        task: Of the step shown.
        options, moves: The position shown, as its options and all moves of the line.
        own: The learner's own moves of the step that stand.
        marks, arrows: Places and ways that the task points out.
        verdict: Of the try: `solved`, `right` or `wrong`; "" where none was made.
        refusal: What the rules said to a move that was to be refused; "" for any other.
        said: What the step says of the try.
        tried, answer: A wrong move, and how the other side meets it; a right one's answer.
        hint: Where to look, as asked for.
        shown: The move, as asked for or after too many tries.
        tries: Wrong tries at this step so far, since its last right move.
        is_finished: There is no step left.
        play: The line that begins a game then; "" before.
        is_stopped: The learner does not want another one now.
    """

    game: str
    title: str
    step: str
    at: int
    count: int
    task: str
    options: str
    moves: tuple[str, ...]
    own: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    verdict: str = ""
    refusal: str = ""
    said: str = ""
    tried: str = ""
    answer: str = ""
    hint: str = ""
    shown: str = ""
    tries: int = 0
    is_finished: bool = False
    play: str = ""
    is_stopped: bool = False


LessonReply = LessonShown


@dataclass(frozen=True)
class StepFacts:
    """A step as programs read it, without what solves it.

    Attributes:
        success: `win`, `safe`, `accept`, `refused` or `play`.
        within: Own moves in which to win.
        options, moves: The position, as its options and the line before it.
        position, side: The same as it is written, and who is to move.
        marks, arrows: Places and ways that the task points out.
        tries: After so many wrong ones the move is shown.
    """

    id: str
    number: int
    task: str
    success: str
    within: int
    options: str
    moves: tuple[str, ...]
    position: str
    side: str
    marks: tuple[str, ...]
    arrows: tuple[str, ...]
    tries: int


@dataclass(frozen=True)
class LessonFacts:
    """A game's lesson: its steps, in order."""

    game: str
    title: str
    steps: tuple[StepFacts, ...]


@dataclass(frozen=True)
class LessonLine:
    """A game that has a lesson; `count` is the number of its steps."""

    game: str
    title: str
    count: int


@dataclass(frozen=True)
class LessonList:
    """The games that have a lesson."""

    lessons: tuple[LessonLine, ...]


def verdict_words(reply: LessonShown) -> str:
    """Return the first words of an answer to a try, in the language in force.

    They are not the same in every letter, although scripts might like that: a German letter that
    begins in English reads as a mistake. Scripts have the subject, which is the same in all
    languages and names the step that comes now, and `LessonShown.verdict` of the API.
    """
    if reply.verdict == "wrong":
        return _("Not yet.")
    if reply.refusal:
        return _("Refused, as meant.")
    return _("Right.") if reply.verdict else ""


@sentence.register
def _lesson_shown(reply: LessonShown) -> str:
    """Return what came of the try, and what is asked next."""
    return "\n\n".join(filter(None, (news_words(reply), task_words(reply))))


def news_words(reply: LessonShown) -> str:
    """Return what came of a try or a word; "" where a step was only asked for."""
    if reply.is_stopped:
        return _("The lesson of {title} waits for you at step {at} of {count}.").format(
            title=reply.title, at=reply.at, count=reply.count
        )
    parts = [verdict_words(reply)]
    if reply.answer and reply.verdict == "right":
        parts.append(_("{move} is played.").format(move=reply.answer))
    parts += [translated(reply.refusal), translated(reply.said)]
    if reply.answer and reply.verdict == "wrong" and reply.answer not in reply.said:
        parts.append(
            _("After {move} comes {answer}.").format(move=reply.tried, answer=reply.answer)
        )
    if reply.shown:
        parts.append(_("The move is {move}: play it and see.").format(move=reply.shown))
    parts.append(translated(reply.hint))
    said = " ".join(filter(None, parts))
    if reply.is_finished:
        return " ".join((_("Lesson finished."), said)) if said else _("Lesson finished.")
    return said


def task_words(reply: LessonShown) -> str:
    """Return what the step asks for; "" where none comes now."""
    if reply.is_finished or reply.is_stopped:
        return ""
    return _("Step {at} of {count}: {task}").format(
        at=reply.at, count=reply.count, task=translated(reply.task)
    )


def pointed_words(reply: LessonShown) -> str:
    """Return the places and ways that the task points out, in words; "" for none."""
    marks, arrows = ", ".join(reply.marks), ", ".join(reply.arrows)
    return "\n".join(
        [
            *([_("Marked: {places}").format(places=marks)] if marks else []),
            *([_("Arrow: {ways}").format(ways=arrows)] if arrows else []),
        ]
    )


@typed_next.register
def _after_lesson_shown(reply: LessonShown) -> str:
    """Return what may be typed: a move of the step, or what comes after the last one."""
    if reply.is_finished:
        return _("Play it now: {line}").format(line=reply.play)
    if reply.is_stopped:
        return _("To go on: lesson {game}").format(game=reply.game)
    line = " ".join(("lesson", reply.game, str(reply.at), *reply.own))
    return _("To try a move: {line} MOVE. Other words: {words}.").format(
        line=line, words=_(OFFERED_WORDS)
    )
