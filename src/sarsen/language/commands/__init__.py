"""Every command there is: one frozen dataclass each, in files by subject.

A command says its words, its usage and one line of help, and reads itself from
a sentence. Its one handler is in `services`. `BY_WORD` finds it by any alias.
"""

from __future__ import annotations

from sarsen.language.commands.account import ConfirmSignup, SignUp
from sarsen.language.commands.asking import AllShow, Games, Help, ListBoards, Preview, Show
from sarsen.language.commands.boards import Confirm, PlayMove, Resign
from sarsen.language.commands.challenges import Accept, Decline, MakeChallenge, Withdraw
from sarsen.language.commands.several import Multiple

Command = (
    Help
    | SignUp
    | ConfirmSignup
    | ListBoards
    | AllShow
    | MakeChallenge
    | Accept
    | Decline
    | Withdraw
    | PlayMove
    | Resign
    | Confirm
    | Show
    | Games
    | Preview
    | Multiple
)

COMMANDS: tuple[type[Command], ...] = (
    Help,
    SignUp,
    ConfirmSignup,
    MakeChallenge,
    Accept,
    Decline,
    Withdraw,
    PlayMove,
    Resign,
    Confirm,
    Show,
    Preview,
    Games,
    ListBoards,
    AllShow,
    Multiple,
)

BY_WORD: dict[str, type[Command]] = {
    word: command for command in COMMANDS for word in command.words
}

__all__ = [
    "BY_WORD",
    "COMMANDS",
    "Accept",
    "AllShow",
    "Command",
    "Confirm",
    "ConfirmSignup",
    "Decline",
    "Games",
    "Help",
    "ListBoards",
    "MakeChallenge",
    "Multiple",
    "PlayMove",
    "Preview",
    "Resign",
    "Show",
    "SignUp",
    "Withdraw",
]
