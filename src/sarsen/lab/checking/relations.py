"""What only a comparison of games shows: options, exchanged sides, ways back, symmetries."""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game, package_of
from sarsen.core.options import Choice, Flag, Number
from sarsen.core.referee import replayed
from sarsen.lab.checking.help_page import ExampleLine, examples_of
from sarsen.lab.checking.laws import board_of
from sarsen.lab.checking.walks import (
    Finding,
    Note,
    Walk,
    begun,
    in_words,
    mixed_options,
    option_texts,
    walk,
)

TRIES = 12  # random games, for a way back to one of their positions
MOST_FIRST, FEW_BACK = 6, 3  # moves that may begin a way back, and end it where no text tells
MOST_ROUNDS = 60  # of a way back, until a rule about repetition ends the game
GAMES = 12  # played with an option and without it
MOST_GAMES = 60  # played with a symmetry, or after a swap
LATEST_SWAP, UNSWAPPED = 6, 3  # plies; games without a swap, until none is expected
_PLACES = re.compile(r"[a-z]+\d+", re.IGNORECASE)


def options_change_something(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Each option, and each word of a choice, changes moves, boards or endings of some game."""
    for option in game.info.options:
        name = f"sarsen show {game.info.name} -{option.name}"
        if isinstance(option, Choice):
            for one, other in combinations(option.words, 2):
                texts = (f"-{option.name}={one}", f"-{option.name}={other}")
                if not _differ(game, texts, deadline, note):
                    said = f"Games with {texts[0]} and with {texts[1]} are the same."
                    yield Finding("idle-option", said, f"{name}={other}")
                    break
            continue
        others = _others(option)
        if others and not any(
            _differ(game, ("", f"-{option.name}{end}"), deadline, note) for end in others
        ):
            said = f"The option -{option.name} changes nothing."
            yield Finding("idle-option", said, f"{name}{others[0]}")


def _others(option: Any) -> list[str]:
    match option:
        case Flag():
            return [""]
        case Number():
            return [f"={end}" for end in (option.low, option.high) if end != option.default]
    return []


def _differ(game: Game, options: tuple[str, str], deadline: float, note: Note) -> bool:
    """Return whether some game differs; True also when the time is up before all were played.

    The examples of help.md show what random games seldom meet, such as a ring.
    """
    return any(_ends_differ(game, options, one) for one in _examples(game)) or any(
        _shown(one) != _shown(other) or time.process_time() > deadline
        for seed in range(GAMES)
        for one, other in _side_by_side(game, options, seed, note)
    )


def _examples(game: Game) -> list[ExampleLine]:
    file = sys.modules[str(package_of(game))].__file__
    page = Path(file or "").parent / "help.md"
    return list(examples_of(page.read_text(encoding="utf-8"))) if page.is_file() else []


def _ends_differ(game: Game, options: tuple[str, str], example: ExampleLine) -> bool:
    """Return whether an example ends differently where one option of it is exchanged."""
    names = [text.partition("=")[0] for text in options if text]
    others = [one for one in example.options.split() if one.partition("=")[0] not in names]
    ends = list[object]()
    for option in options:
        try:
            ends.append(_shown(replayed(game.start(" ".join([*others, option])), example.moves)))
        except UserError as refusal:
            ends.append(refusal.code)
    return ends[0] != ends[1]


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
    # Flags stand last where a game has them, and small boards give short games.
    for options in reversed(option_texts(game)):
        for texts in dict.fromkeys((smallest(game, options), options)):
            found = next(_after_swap(game, texts, deadline, note), None)
            if found is not None:
                yield found
                return


def smallest(game: Game, options: str) -> str:
    """Return an option text with the lowest of each number that it does not name."""
    numbers = [one for one in game.info.options if isinstance(one, Number)]
    lows = [f"-{one.name}={one.low}" for one in numbers if f"-{one.name}=" not in options]
    text = " ".join(filter(None, [options, *lows]))
    with suppress(UserError):
        game.start(text)
        return text
    return options


def _after_swap(game: Game, options: str, deadline: float, note: Note) -> Iterator[Finding]:
    is_without = True
    for seed in range(MOST_GAMES):
        if time.process_time() > deadline or (seed == UNSWAPPED and is_without):
            return
        chance = random.Random(seed)
        swapped, plain, swap = begun(game, options, note), begun(game, options, note), None
        while (legal := swapped.position.legal_moves()) and len(swapped.moves) < 400:
            if swap is None:
                swap = next((one for one in legal if _is_swap(swapped, one)), None)
                if swap is not None:
                    is_without = False
                    swapped = swapped.play(swap)
                    continue
                if len(swapped.moves) > LATEST_SWAP:
                    break
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
    is_tried = in_words(found.position, move) or len(found.moves) <= 1
    return is_tried and bool(found.after(move).sides == sides[::-1] != sides)


def positions_do_not_come_again(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Note when two players can go round for ever.

    A position may have `plies_left()`, a number that falls with every move; then no way back
    is looked for, and that it falls is checked at every ply. A rule that ends a game when a
    position comes again, or after so many moves, is found by going round until it does.
    """
    if hasattr(game.start(), "plies_left"):
        return
    for seed in range(TRIES):
        # Later positions have room to move; the first few moves often cannot be taken back.
        met = list(walk(game, "", seed, 4 + 12 * seed, note))
        for found in met[:: max(1, len(met) // 6)] + met[-1:]:
            back = _way_back(found, random.Random(seed))
            if back is not None and not _ends_going_round(found, back.split()):
                said = (
                    f"After {back} the board is as it was, with the same moves, "
                    f"also after {MOST_ROUNDS} times. What ends the game?"
                )
                line = found.line(*back.split())
                yield Finding("may-not-end", said, line, is_error=False)
                return
            if time.process_time() > deadline:
                return


def _way_back(found: Walk, chance: random.Random) -> str | None:
    """Return four moves after which the same moves are possible; None when none are found.

    The third and fourth take back the first and second where a text tells how, such as
    `b1-a1` after `a1-b1`; otherwise any are tried.
    """
    wanted, board = _typed(found.position), board_of(found.position)
    legal = list(found.position.legal_moves())
    if len(legal) < 2:
        return None
    for one in chance.sample(legal, min(MOST_FIRST, len(legal))):
        first = found.play(one)
        replies = list(first.position.legal_moves())
        for two in chance.sample(replies, min(MOST_FIRST, len(replies))):
            second = first.play(two)
            for third in _takes_back(second, 2):
                for fourth in _takes_back(third, 2):
                    ends = fourth.position
                    if _typed(ends) == wanted and board_of(ends) == board:
                        return " ".join(fourth.texts[len(found.texts) :])
    return None


def _ends_going_round(found: Walk, back: list[str]) -> bool:
    """Return whether the game ends, or the way is refused, when a way back is gone many times."""
    for text in back * MOST_ROUNDS:
        by_text = {found.position.format(move): move for move in found.position.legal_moves()}
        if text not in by_text:
            return True
        found = found.play(by_text[text])
    return found.position.outcome() is not None


def _takes_back(found: Walk, plies: int) -> Iterator[Walk]:
    """Yield games in which the move so many plies ago may be taken back."""
    legal = found.position.legal_moves()
    typed = {found.position.format(move): move for move in legal}
    parts = _PLACES.findall(found.texts[-plies])
    turned = [typed[text] for text in typed if _PLACES.findall(text) == parts[::-1]]
    for move in turned if len(parts) > 1 else list(legal)[:FEW_BACK]:
        yield found.play(move)


def _typed(position: AnyPosition) -> tuple[int, list[str]]:
    return position.seat, sorted(map(position.format, position.legal_moves()))


def symmetries_hold(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """Games mapped by a declared symmetry are legal and end alike.

    A game may have `symmetries`, a mapping of names to functions from move text to move text
    on the board of default options. Every other game has other options, by chance, where the
    function maps the first moves to each other; what fails then may be meant.
    """
    for name, mapped in getattr(game, "symmetries", {}).items():
        for seed in range(MOST_GAMES):
            if time.process_time() > deadline:
                return
            if seed % 2:
                yield from _mirrored_elsewhere(game, name, mapped, seed, note)
                continue
            fault = _mirrored(game, "", name, mapped, seed, note)
            if fault is not None:
                yield fault
                break


def _mirrored_elsewhere(
    game: Game, name: str, mapped: Callable[[str], str], seed: int, note: Note
) -> Iterator[Finding]:
    options = mixed_options(game, random.Random(seed))
    begin = game.start(options)
    fault = None
    with suppress(Exception):  # of a function that knows one size of the board
        if _more_in_image(begin, begin, mapped) is None:
            fault = _mirrored(game, options, name, mapped, seed, note)
    if fault is not None:
        yield Finding("symmetry-with-options", fault.text, fault.line, is_error=False)


def _mirrored(
    game: Game, options: str, name: str, mapped: Callable[[str], str], seed: int, note: Note
) -> Finding | None:
    mirrored = begun(game, options, note)
    for found in walk(game, options, seed, 400, note):
        try:
            if found.moves:
                mirrored = mirrored.play(_image(mirrored.position, mapped, found.texts[-1]))
        except UserError as refusal:
            said = f"The symmetry {name!r} maps a legal move to a refused one: {refusal.text}"
            return Finding("symmetry", said, found.line())
        ends = found.position.outcome(), mirrored.position.outcome()
        scores = [end and end.scores for end in ends]
        if scores[0] != scores[1]:
            return Finding(
                "symmetry", f"A game and its image by {name!r} end differently.", found.line()
            )
        more = _more_in_image(found.position, mirrored.position, mapped)
        if more:
            said = f"{more} is legal, and the symmetry {name!r} maps no legal move to it."
            return Finding("symmetry", said, mirrored.line(more))
    return None


def _image(image: AnyPosition, mapped: Callable[[str], str], text: str) -> Any:
    """Return the move that one is mapped to: a word that a function does not map, to itself."""
    if in_words(image, text):
        with suppress(Exception):
            return image.parse(mapped(text))
        return image.parse(text)
    return image.parse(mapped(text))


def _more_in_image(
    position: AnyPosition, image: AnyPosition, mapped: Callable[[str], str]
) -> str | None:
    """Return a legal move of an image that no legal move of a position is mapped to.

    One that is mapped to a refused move is found when it is played.
    """
    images = set[str]()
    for text in _typed(position)[1]:
        with suppress(UserError):
            # A map may write a move in another way: `b1-a1` for `a1-b1`.
            images.add(image.format(_image(image, mapped, text)))
    return min(set(_typed(image)[1]) - images, default=None)


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
