"""What only a comparison of games shows: options, swaps, ways back."""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

from sarsen import drawing
from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition, Game, package_of
from sarsen.core.options import Choice, Flag, Number
from sarsen.core.referee import replay
from sarsen.lab.checking.help_page import ExampleLine, examples_of
from sarsen.lab.checking.laws.positions import board_of
from sarsen.lab.checking.walks import (
    Finding,
    Note,
    Walk,
    begun,
    in_words,
    mixed_options,
    option_texts,
    typed_moves,
    walk,
)

TRIES = 12  # random games, for a way back to one of their positions
MAX_FIRST, MAX_BACK = 6, 3  # moves that may begin a way back, and end it where no text tells
MAX_ROUNDS = 60  # of a way back, until a rule about repetition ends the game
GAMES = 12  # played with an option and without it
MAX_GAMES = 60  # played after a swap; the deadline mostly comes first
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
    return any(_ends_differ(game, options, one, note) for one in examples(game)) or any(
        _shown(one) != _shown(other) or time.process_time() > deadline
        for seed in range(GAMES)
        for one, other in _side_by_side(game, options, seed, note)
    )


def examples(game: Game) -> list[ExampleLine]:
    """Return the examples of the help page of a game."""
    file = sys.modules[str(package_of(game))].__file__
    page = Path(file or "").parent / "help.md"
    return list(examples_of(page.read_text(encoding="utf-8"))) if page.is_file() else []


def _ends_differ(game: Game, options: tuple[str, str], example: ExampleLine, note: Note) -> bool:
    """Return whether an example ends differently where one option of it is exchanged."""
    names = [text.partition("=")[0] for text in options if text]
    others = [one for one in example.options.split() if one.partition("=")[0] not in names]
    ends = list[object]()
    for option in options:
        try:
            found = begun(game, " ".join([*others, option]), note)
            position = found.position
            for ruling in replay(position, example.moves):
                note(found.line(*example.moves))  # each move has its own time
                position = ruling.position
            ends.append(_shown(position))
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
    """Return what an option may change; the reason of an ending may only repeat the option."""
    outcome = position.outcome()
    scores = outcome and outcome.scores
    return typed_moves(position), scores, position.seat, position.sides, drawing.text(position)


def swap_exchanges_the_winner(game: Game, deadline: float, note: Note) -> Iterator[Finding]:
    """After a swap the same further moves are won by the same side, for the other seat.

    Each option text is tried for a swap; those with one are played on with other options, too.
    """
    # Flags stand last where a game has them, and small boards give short games.
    texts = [
        text for named in reversed(option_texts(game)) for text in (smallest(game, named), named)
    ]
    with_swap = set[str]()
    for seed in range(MAX_GAMES):
        is_early = seed < UNSWAPPED
        for options in dict.fromkeys(texts):
            if time.process_time() > deadline:
                return
            if is_early or options in with_swap:
                text = options if is_early else with_others(game, options, seed)
                has_swap, finding = _after_swap(game, text, seed, note)
                with_swap |= {options} if has_swap else set()
                if finding is not None:
                    yield finding
                    return


def with_others(game: Game, options: str, seed: int) -> str:
    """Return an option text with values by chance of the options that it does not name."""
    named = [word.partition("=")[0] for word in options.split()]
    drawn = mixed_options(game, random.Random(seed)).split()
    others = [word for word in drawn if word.partition("=")[0] not in named]
    text = " ".join([*options.split(), *others])
    with suppress(UserError):
        game.start(text)
        return text
    return options


def smallest(game: Game, options: str) -> str:
    """Return an option text with the lowest of each number that it does not name."""
    numbers = [one for one in game.info.options if isinstance(one, Number)]
    lows = [f"-{one.name}={one.low}" for one in numbers if f"-{one.name}=" not in options]
    text = " ".join(filter(None, [options, *lows]))
    with suppress(UserError):
        game.start(text)
        return text
    return options


def _after_swap(game: Game, options: str, seed: int, note: Note) -> tuple[bool, Finding | None]:
    """Play the same moves after a swap and without it.

    Returns whether a swap was possible, and what is wrong.
    """
    chance = random.Random(seed)
    swapped, plain, swap = begun(game, options, note), begun(game, options, note), None
    while (legal := swapped.position.legal_moves()) and len(swapped.moves) < 400:
        if swap is None:
            swap = next((move for move in legal if _is_swap(swapped, move)), None)
            if swap is not None:
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
        return swap is not None, None
    winners = ends[0].winner, ends[1].winner
    if (winners[0] is None) != (winners[1] is None) or winners[0] == winners[1] is not None:
        text = "After a swap the same further moves are won by another side than without it."
        return True, Finding("swap-winner", text, swapped.line())
    return True, None


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
    texts = option_texts(game)
    for seed in range(TRIES):
        for options in dict.fromkeys(("", texts[seed % len(texts)])):
            # Later positions have room to move; the first few moves often cannot be taken back.
            met = list(walk(game, options, seed, 4 + 12 * seed, note))
            for position in met[:: max(1, len(met) // 6)] + met[-1:]:
                back = _way_back(position, random.Random(seed))
                if back is not None and not _ends_going_round(position, back.split()):
                    text = (
                        f"After {back} the board is as it was, with the same moves, "
                        f"also after {MAX_ROUNDS} times. What ends the game?"
                    )
                    line = position.line(*back.split())
                    yield Finding("may-not-end", text, line, is_error=False)
                    return
                if time.process_time() > deadline:
                    return


def _way_back(found: Walk, chance: random.Random) -> str | None:
    """Return four moves after which the same moves are possible; None when none are found.

    The third and fourth take back the first and second where a text tells how, such as
    `b1-a1` after `a1-b1`; otherwise any are tried.
    """
    position = found.position
    wanted = position.seat, typed_moves(position), board_of(position)
    legal = list(found.position.legal_moves())
    if len(legal) < 2:
        return None
    for one in chance.sample(legal, min(MAX_FIRST, len(legal))):
        first = found.play(one)
        replies = list(first.position.legal_moves())
        for two in chance.sample(replies, min(MAX_FIRST, len(replies))):
            second = first.play(two)
            for third in _takes_back(second, 2):
                for fourth in _takes_back(third, 2):
                    ends = fourth.position
                    if (ends.seat, typed_moves(ends), board_of(ends)) == wanted:
                        return " ".join(fourth.texts[len(found.texts) :])
    return None


def _ends_going_round(found: Walk, back: list[str]) -> bool:
    """Return whether the game ends, or the way is refused, when a way back is gone many times."""
    for text in back * MAX_ROUNDS:
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
    for move in turned if len(parts) > 1 else list(legal)[:MAX_BACK]:
        yield found.play(move)
