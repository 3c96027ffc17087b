"""Claims of a win or a draw by proof: the command, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.language.grammar.tokens import Tokens
from sarsen.language.schema.fields import BoardNumber, GameName
from sarsen.language.translating import N_, _, sentence

WIN, DRAW = "win", "draw"
CLAIM = "claim"  # how a game ended


@dataclass(frozen=True)
class ClaimResult(Command):
    """Claim a win, or a draw, that a program may prove.

    Attributes:
        draw: A draw is claimed, not a win.
    """

    words = ("claim",)
    usage = "GAME claim BOARD [USERID PASSWORD] [win|draw]"
    summary = N_("Claim a win, or a draw: if a program can prove it, the game ends.")
    details = N_(
        "On boards with `--claims=on` the player to move may claim a win, or with `draw` a draw. A "
        "program then searches for five seconds. If it proves the claim, and the rules confirm it "
        "against every reply, the game ends with that result, and both of you see the proof.\n\n"
        'If not, the answer is "Not proven." and nothing else. It takes equally long whatever was '
        "found, so it does not tell you who stands better. Your opponent is told that you claimed. "
        "Neither clock stops, and the game goes on.\n\n"
        "You have three claims a game, from move 8 on, at least four moves apart. In a contest "
        "both players may claim on its last day, whoever is to move; what still runs at the end is "
        "tried without a claim."
    )
    scope = Scope.PLAY
    for_guests = True
    at_board = True

    game: GameName
    board: BoardNumber
    draw: bool = False

    @classmethod
    def read(cls, tokens: Tokens) -> Self:
        """Read the board, then `win` or `draw`."""
        board, _ply = tokens.board(f"{tokens.game or 'druid'} claim 123 USERID PASSWORD")
        if tokens.peek().lower() not in (WIN, DRAW):
            tokens.speaker()
        word = tokens.take().lower() if tokens.left else WIN
        if word not in (WIN, DRAW):
            raise UserError(
                "You can claim a win or a draw.",
                code="claim-what",
                hint=f"{tokens.game or 'druid'} claim {board} draw",
            )
        return cls(tokens.game, board, word == DRAW)


@dataclass(frozen=True)
class ClaimMade:
    """A claim waits for its answer; `draw` says that a draw is claimed."""

    board: int
    draw: bool = False


ClaimReply = ClaimMade


@sentence.register
def _claim_made(reply: ClaimMade) -> str:
    template = (
        _("You claim a draw on board {board}. The answer comes in a moment; the clocks run on.")
        if reply.draw
        else _("You claim a win on board {board}. The answer comes in a moment; the clocks run on.")
    )
    return template.format(board=reply.board)


def waiting_words() -> str:
    """Return what a player reads of a claim of theirs that waits."""
    return _("Your claim is being checked.")


def not_proven() -> str:
    """Return the answer to every claim that is not proven: nothing else is said (decision 0081)."""
    return _("Not proven.")


def claim_words(by: str, *, draw: bool) -> str:
    """Return what everybody but its player is told of a claim that was not proven."""
    template = (
        _("{player} claimed a draw; it was not proven.")
        if draw
        else _("{player} claimed a win; it was not proven.")
    )
    return template.format(player=by)
