"""What a command says of itself: the base class of all commands.

A new command is a frozen dataclass below it, in the file of its subject, and a handler in
`services.dispatch`. What mail, API and terminal have to know of it stands in its class.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from sarsen.language.grammar.tokens import Tokens


class Scope(StrEnum):
    """The permissions of a token."""

    READ = "read"
    PLAY = "play"
    CHAT = "chat"
    ACCOUNT = "account"


@dataclass(frozen=True)
class Command:
    """Ask the server for something.

    The flags are false unless a command says otherwise, so a new one begins with the fewest rights.

    Attributes:
        words: Its names in a line, the first of which is shown; each of one word or two.
        usage: Its forms, divided by ` | `.
        summary: One line of help, which is translated.
        details: Further lines of its help page, which are translated; "" for none.
        scope: The permission that a token needs for it. It has no default, and never changes:
            tokens that are out there were made for it.
        is_query: It changes nothing, so a repeat does no harm.
        for_visitors: It needs no token although its scope is not `READ`, as for joining.
        for_guests: Guests may send it. All others write to people, or need an address.
        is_judged_first: Its move is judged before the transaction, so that no writer waits for
            the rules; the ruling is remembered, and found there.
        may_share_a_batch: Several mails with such commands may be written in one transaction,
            since no mail is read, and nobody proved, otherwise because one of these came before it.
        is_of_account: It gives control of the account, so a reply to a letter about a game, which
            may have been passed on, is no proof for it.
        may_close_account: No other command of the speaker may run at the same time.
        sets_password: Its words are about who the speaker is: any of them may be a password.
        at_board: Its first argument is the number of a board.
        takes_move: A move follows the number of the board.
        takes_text: Its text is what people write to people, or plan: it may be long, and goes on in
            the lines below.
        takes_reason: Words for people may stand in its line, but not below it.
    """

    words: ClassVar[tuple[str, ...]]
    usage: ClassVar[str]
    summary: ClassVar[str]
    details: ClassVar[str] = ""
    scope: ClassVar[Scope]
    is_query: ClassVar[bool] = False
    for_visitors: ClassVar[bool] = False
    for_guests: ClassVar[bool] = False
    is_judged_first: ClassVar[bool] = False
    may_share_a_batch: ClassVar[bool] = False
    is_of_account: ClassVar[bool] = False
    may_close_account: ClassVar[bool] = False
    sets_password: ClassVar[bool] = False
    at_board: ClassVar[bool] = False
    takes_move: ClassVar[bool] = False
    takes_text: ClassVar[bool] = False
    takes_reason: ClassVar[bool] = False

    @classmethod
    def read(cls, tokens: Tokens) -> Command:
        """Return the command that the words of a line say, from the word after its name.

        Raises:
            UserError: Something is missing, or cannot be read.
        """
        # No default: each command reads words of its own, and a class without this is a defect.
        raise NotImplementedError
