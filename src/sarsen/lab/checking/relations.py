"""What only a comparison shows: moves that are not listed, options, exchanged sides, processes."""

from __future__ import annotations

import dataclasses
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game
from sarsen.core.options import Choice, Flag, Number
from sarsen.lab.checking.walks import Fault, Finding, Note, Walk, begun, walk

MOST_NEAR = 150  # moves near the listed ones, of one position
MOST_CHANGED = 30  # listed moves that these are made of
TRIES = 12  # random positions, for a way back to one
MOST_BACK = 40  # moves of a position that may be on the way back
LONGEST_REPLAY = 60.0  # seconds of a process that replays one game
GAMES = 12  # played with an option and without it
_PART = re.compile(r"[0-9]+|[a-z]", re.IGNORECASE)


def unlisted_moves_are_refused(found: Walk) -> Iterator[Fault]:
    """What `legal_moves` does not list is refused: moves near the listed ones, and earlier ones."""
    position = found.position
    legal = list(position.legal_moves())
    if not legal:
        return
    chance = random.Random(len(found.moves))
    for move in _candidates(found, legal, chance):
        try:
            accepted = None if move in legal else found.after(move)
        except UserError:
            continue
        except (TypeError, ValueError, IndexError, KeyError, AttributeError):
            continue  # no move at all: nobody can type it
        # Several texts may be one move: another way to the same position.
        if accepted and accepted.write() not in {found.after(one).write() for one in legal}:
            text = position.format(move)
            said = f"`play` accepts {text}, which `legal_moves` does not list."
            yield Fault("unlisted-move", said, text)
            return


def _candidates(found: Walk, legal: list[Any], chance: random.Random) -> Iterator[Any]:
    """Yield moves that are not listed and can be typed: earlier ones, and near the listed ones."""
    position = found.position
    yield from found.moves[-40:]
    some = legal if len(legal) < MOST_CHANGED else chance.sample(legal, MOST_CHANGED)
    made = dict.fromkeys(one for move in some for one in _changed(move))
    for move in list(made)[:MOST_NEAR]:
        with suppress(Exception):  # what is no move cannot be written
            if position.parse(position.format(move)) == move:
                yield move
    texts = dict.fromkeys(text for move in some for text in changed_texts(position.format(move)))
    for text in list(texts)[:MOST_NEAR]:
        found.note(found.line(text))
        with suppress(UserError):
            yield position.parse(text)


def _changed(move: Any) -> Iterator[Any]:
    """Yield values like a move in which one number, text or flag differs."""
    if isinstance(move, bool):
        yield not move
    elif isinstance(move, int):
        yield from (move + 1, move - 1, move + 2, move - 2)
    elif isinstance(move, str):
        yield from changed_texts(move)
    elif isinstance(move, tuple) and hasattr(move, "_replace"):
        named: Any = move
        for name, value in named._asdict().items():
            yield from (named._replace(**{name: other}) for other in _changed(value))
    elif isinstance(move, tuple):
        for at, value in enumerate(move):
            yield from ((*move[:at], other, *move[at + 1 :]) for other in _changed(value))
        yield move[::-1]
    elif dataclasses.is_dataclass(move):
        for one in dataclasses.fields(move):
            for other in _changed(getattr(move, one.name)):
                yield dataclasses.replace(move, **{one.name: other})  # type: ignore[type-var]


def changed_texts(text: str) -> Iterator[str]:
    """Yield a text with one letter or number of it one higher or lower, or its signs exchanged."""
    for part in _PART.finditer(text):
        word = part[0]
        if word.isdigit():
            others = [str(int(word) + step) for step in (1, -1, 2) if int(word) + step >= 0]
        else:
            others = [chr(ord(word) + step) for step in (1, -1)]
        yield from (text[: part.start()] + other + text[part.end() :] for other in others)
    if "-" in text:
        yield text.replace("-", "x", 1)
        head, _, tail = text.partition("-")
        yield f"{tail}-{head}"
    if "x" in text:
        yield text.replace("x", "-", 1)


def options_change_something(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Each option changes moves, boards or endings of some game."""
    for option in game.info.options:
        others = _others(option)
        if others and not any(
            _differs(game, f"-{option.name}{end}", deadline, note) for end in others
        ):
            line = f"sarsen show {game.info.name} -{option.name}{others[0]}"
            yield Finding("idle-option", f"The option -{option.name} changes nothing.", line)


def _others(option: Any) -> list[str]:
    match option:
        case Flag():
            return [""]
        case Number():
            return [f"={end}" for end in (option.low, option.high) if end != option.default]
        case Choice():
            return [f"={word}" for word in option.words if word != option.default]
    return []


def _differs(game: Game, options: str, deadline: float, note: Note) -> bool:
    """Return whether some game differs; True also when the time is up before all were played."""
    return any(
        _shown(one) != _shown(other) or time.process_time() > deadline
        for seed in range(GAMES)
        for one, other in _side_by_side(game, ("", options), seed, note)
    )


def _side_by_side(
    game: Game, options: tuple[str, str], seed: int, note: Note
) -> Iterator[tuple[AnyPosition, AnyPosition]]:
    """Play the same moves with two sets of options, as long as both allow them."""
    other = begun(game, options[1], note)
    for found in walk(game, options[0], seed, 400, note):
        if found.moves:
            if found.moves[-1] not in other.position.legal_moves():
                return
            other = other.play(found.moves[-1])
        yield found.position, other.position


def _shown(position: AnyPosition) -> object:
    moves = sorted(map(position.format, position.legal_moves()))
    return moves, position.outcome(), position.seat, position.sides, drawing.text(position)


def swap_exchanges_the_winner(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """After a swap the same further moves are won by the same side, for the other seat."""
    for option in game.info.options:
        if isinstance(option, Flag):
            yield from _after_swap(game, f"-{option.name}", deadline, note)


def _after_swap(game: Game, options: str, deadline: float, note: Note) -> Iterator[Finding]:
    for seed in range(GAMES):
        if time.process_time() > deadline:
            return
        chance = random.Random(seed)
        swapped, plain, swap = begun(game, options, note), begun(game, "", note), None
        while (legal := swapped.position.legal_moves()) and len(swapped.moves) < 400:
            if swap is None:
                swap = next((one for one in legal if _is_swap(swapped, one)), None)
                if swap is not None:
                    swapped = swapped.play(swap)
                    continue
            known = set(plain.position.legal_moves())
            common = [move for move in legal if move in known]
            if not common:
                break
            move = chance.choice(common)
            swapped, plain = swapped.play(move), plain.play(move)
        ends = swapped.position.outcome(), plain.position.outcome()
        if swap is None or ends[0] is None or ends[1] is None:
            continue
        winners = ends[0].winner, ends[1].winner
        if (winners[0] is None) != (winners[1] is None) or winners[0] == winners[1] is not None:
            text = "After a swap the same further moves are won by another side than without it."
            yield Finding("swap-winner", text, swapped.line())
            return


def _is_swap(found: Walk, move: Any) -> bool:
    sides = found.position.sides
    return bool(found.after(move).sides == sides[::-1] != sides)


_REPLAY = """
import sys
from sarsen.lab.checking.loading import load_game
game = load_game(sys.argv[1])
position = game.start(sys.argv[2])
for text in sys.argv[3].split():
    position = position.play(position.parse(text))
print(position.write(), position.outcome(), [position.format(m) for m in position.legal_moves()])
"""


def fresh_process_agrees(found: Walk, source: str) -> Iterator[Finding]:
    """A process of its own reaches the same position, outcome and moves.

    Args:
        source: What the game was loaded from: its name or folder.
    """
    position = found.position
    moves = [position.format(move) for move in position.legal_moves()]
    expected = f"{position.write()} {position.outcome()} {moves}"
    words = [sys.executable, "-c", _REPLAY, source, found.options, " ".join(found.texts)]
    ran = subprocess.run(  # noqa: S603 (ours)
        words, capture_output=True, text=True, check=False, timeout=LONGEST_REPLAY
    )
    if ran.stdout.strip() != expected:
        text = "A fresh process comes to another position or outcome by the same moves."
        yield Finding("hidden-state", text, found.line())


def positions_do_not_come_again(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Note when two players can go back to a position: something else must end the game.

    A position may have `plies_left()`, a number that falls with every move; then it is not
    looked for, and that it falls is checked at every ply.
    """
    if hasattr(game.start(), "plies_left"):
        return
    for seed in range(TRIES):
        # Later positions have room to move; the first few moves often cannot be taken back.
        *_, found = walk(game, "", seed, 2 + 3 * seed, note)
        back = _way_back(found, random.Random(seed))
        if back is not None:
            text = f"After {back} the board is as it was, with the same moves. What ends the game?"
            yield Finding("may-not-end", text, found.line(*back.split()), is_error=False)
            return
        if time.process_time() > deadline:
            return


def _way_back(found: Walk, chance: random.Random) -> str | None:
    """Return four moves after which the same moves are possible; None when none are found."""
    wanted, board = _typed(found.position), _seen(found.position)
    if len(wanted[1]) < 2:
        return None
    there = found
    for _ in range(2):
        legal = there.position.legal_moves()
        if not legal:
            return None
        there = there.play(chance.choice(legal))
    legal = there.position.legal_moves()
    for three in chance.sample(list(legal), min(MOST_BACK, len(legal))):
        third = there.play(three)
        for four in third.position.legal_moves()[:MOST_BACK]:
            fourth = third.play(four)
            if _typed(fourth.position) == wanted and _seen(fourth.position) == board:
                return " ".join(fourth.texts[len(found.texts) :])
    return None


def _typed(position: AnyPosition) -> tuple[int, list[str]]:
    return position.seat, sorted(map(position.format, position.legal_moves()))


def _seen(position: AnyPosition) -> str:
    """Return the text board but for the brackets round the last move."""
    board = drawing.text(position).replace("(", " ").replace(")", " ")
    return "\n".join(map(str.rstrip, board.split("\n")))


def symmetries_hold(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Games mapped by a declared symmetry are legal and end alike.

    A game may have `symmetries`, a mapping of names to functions from move text to move text
    on the board of default options.
    """
    declared = getattr(game, "symmetries", {})
    for name, mapped in declared.items():
        if time.process_time() > deadline:
            return
        mirrored = begun(game, "", note)
        for found in walk(game, "", 1, 400, note):
            try:
                if found.moves:
                    image = mirrored.position.parse(mapped(found.texts[-1]))
                    mirrored = mirrored.play(image)
            except UserError as refusal:
                text = f"The symmetry {name!r} maps a legal move to a refused one: {refusal.text}"
                yield Finding("symmetry", text, found.line())
                break
            ends = found.position.outcome(), mirrored.position.outcome()
            scores = [end and end.scores for end in ends]
            if scores[0] != scores[1]:
                text = f"A game and its image by {name!r} end differently."
                yield Finding("symmetry", text, found.line())
                break


def exchanges_hold(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Games mapped by a declared exchange of the sides are legal, and won by the other seat.

    A game may have `exchanges`, a mapping as `symmetries`, which also exchange the sides. The
    first side still begins, so each two plies are played in the other order.
    """
    for name, mapped in getattr(game, "exchanges", {}).items():
        for seed in range(GAMES):
            if time.process_time() > deadline:
                return
            fault = _exchanged(game, name, mapped, random.Random(seed), note)
            if fault is not None:
                yield fault
                break


def _exchanged(
    game: Game, name: str, mapped: Callable[[str], str], chance: random.Random, note: Note
) -> Finding | None:
    found, image = begun(game, "", note), begun(game, "", note)
    while (legal := found.position.legal_moves()) and len(found.moves) < 400:
        firsts = [found.play(move) for move in chance.sample(list(legal), min(3, len(legal)))]
        # What may be answered to each of these does not depend on the first move.
        answers = set.intersection(*(set(one.position.legal_moves()) for one in firsts))
        if not answers:
            return None
        found = firsts[0].play(chance.choice(sorted(answers, key=repr)))
        first, answer = map(mapped, found.texts[-2:])
        try:
            image = image.play(image.position.parse(answer))
        except UserError as refusal:
            text = f"The exchange {name!r} maps a legal move to a refused one: {refusal.text}"
            return Finding("exchange", text, image.line(answer))
        if image.position.outcome() is None:
            try:
                image = image.play(image.position.parse(first))
            except UserError:  # the answer stands in its way
                return None
        ends = [found.position.outcome(), image.position.outcome()]
        scores = [end and end.scores for end in ends]
        if scores[0] != (scores[1] and scores[1][::-1]):
            text = f"A game and its image by {name!r} are not won by one seat and by the other."
            return Finding("exchange", text, found.line())
    return None
