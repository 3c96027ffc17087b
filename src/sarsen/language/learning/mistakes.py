"""One's own turning points, tried again: what `review BOARD again` answers, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sarsen.language.learning.puzzles import PuzzleWord, word_of
from sarsen.language.reviews import AGAIN, TurningPoint, better_sentence
from sarsen.language.translating import _, sentence, translated, typed_next


class Better(StrEnum):
    """What a turning point asks for.

    Attributes:
        WIN, DRAW: The player could have won, or drawn, and that is proved.
        CHANCE: Another move has better chances; nothing is proved.
    """

    WIN = "win"
    DRAW = "draw"
    CHANCE = "chance"


class MistakeResult(StrEnum):
    """The kinds of answers to a try.

    Attributes:
        RIGHT: It is proved to keep what was there.
        WRONG: It is proved not to.
        NOT_PROVED: Of this move nothing is proved; of another one it is.
        CHANCE: Nothing is proved at all, so that nothing is right or wrong.
    """

    RIGHT = "right"
    WRONG = "wrong"
    NOT_PROVED = "not-proved"
    CHANCE = "chance"


@dataclass(frozen=True)
class MistakeShown:
    """A turning point of a reviewed game, after a try at it.

    Attributes:
        title: `Druid Board 123`.
        number, count: Which of the turning points it is, and how many there are.
        ply: Of the move that was played, counted from 1.
        player: Who played it.
        is_own: That is the reader, who sees the own ones alone.
        side: The player's side, who is to move.
        options, moves: The position, as its options and all moves before it.
        better: What it asks for, one of `Better`.
        result: Of the try, one of `MistakeResult`; "" where none was made.
        tried: The move tried, in full form.
        is_best, is_repeated: It is the one that the review found, or the one that was played.
        turn: What was played and what was better, once it is over; None before.
    """

    board: int
    game: str
    title: str
    number: int
    count: int
    ply: int
    player: str
    is_own: bool
    side: str
    options: str
    moves: tuple[str, ...]
    better: str
    result: str = ""
    tried: str = ""
    is_best: bool = False
    is_repeated: bool = False
    turn: TurningPoint | None = None

    @property
    def is_finished(self) -> bool:
        """Whether nothing more is asked."""
        return self.turn is not None


def is_show(text: str) -> bool:
    """Return whether a text typed in place of a move asks for the better one."""
    return word_of(text) is PuzzleWord.SHOW


def mistake_verdict(reply: MistakeShown) -> str:
    """Return the first words of an answer to a try; see `puzzles.result_words`."""
    match reply.result:
        case "right":
            return _("Right.")
        case "wrong":
            return _("Not that one.")
        case "not-proved":
            return _("Not proven to win.") if reply.better == "win" else _("Not proven to draw.")
        case "chance":
            return _("No right or wrong here: nothing is proven of this move.")
    return ""


def mistake_news(reply: MistakeShown) -> str:
    """Return what came of a try; "" where none was made."""
    parts = [mistake_verdict(reply), _of_try(reply)]
    if reply.turn is not None:
        played = (
            _("In the game you played {move}.")
            if reply.is_own
            else _("In the game {player} played {move}.")
        )
        if not reply.is_repeated:
            parts.append(played.format(player=reply.player, move=reply.turn.played))
        parts.append(better_sentence(reply.turn))
    elif reply.result:
        parts.append(_("Try again."))
    return " ".join(filter(None, parts))


def _of_try(reply: MistakeShown) -> str:
    """Return what is said of the move tried itself."""
    if reply.is_repeated and reply.result:
        return _("{move} is what was played.").format(move=reply.tried)
    match reply.result:
        case "right" if not reply.is_best:
            return _("{move} does it as well (proven).").format(move=reply.tried)
        case "wrong":
            if reply.better == "win":
                return _("{move} gives the win away (proven).").format(move=reply.tried)
            return _("{move} loses (proven).").format(move=reply.tried)
        case "chance" if reply.is_best:
            return _("The review prefers {move}, too.").format(move=reply.tried)
        case "chance":
            return _("The review has no number for {move}.").format(move=reply.tried)
    return ""


def mistake_task(reply: MistakeShown) -> str:
    """Return what is asked, a text in the language in force; "" once it is over."""
    if reply.is_finished:
        return ""
    place = _("Move {ply}, {side} to move.").format(ply=reply.ply, side=translated(reply.side))
    match reply.better, reply.is_own:
        case "win", True:
            asked = _("You could have won from here (proven). How?")
        case "win", False:
            asked = _("{player} could have won from here (proven). How?")
        case "draw", True:
            asked = _("You could have held a draw here (proven). How?")
        case "draw", False:
            asked = _("{player} could have held a draw here (proven). How?")
        case _, True:
            asked = _("There was a move with better chances than yours. Which?")
        case _:
            asked = _("There was a move with better chances than {player}'s. Which?")
    return f"{place} {asked.format(player=reply.player)}"


@sentence.register
def _mistake_shown(reply: MistakeShown) -> str:
    """Return what came of the try, and what is asked."""
    where = _("{number} of {count}.").format(number=reply.number, count=reply.count)
    task = mistake_task(reply)
    return "\n\n".join(filter(None, (mistake_news(reply), task and f"{where} {task}")))


@typed_next.register
def _after_mistake_shown(reply: MistakeShown) -> str:
    """Return how it is tried, or the next one."""
    line = f"review {reply.board} {AGAIN} {reply.number}"
    if not reply.is_finished:
        return _("To try a move: {line} MOVE. To see a better one: {line} show.").format(line=line)
    if reply.number < reply.count:
        return _("The next one: {line}").format(
            line=f"review {reply.board} {AGAIN} {reply.number + 1}"
        )
    return ""
