"""Errors that a person can mend.

Whatever a sender could have written differently is a `UserError`: a text that
says which rule refused what, a stable code for programs, and a hint that would
have worked. Any other exception is a defect of ours.
"""

from typing import Self

from sarsen.core.phrases import Fact, Phrase


class UserError(Exception):
    """Refuse something in words, so that the sender can mend it.

    Attributes:
        text: One or two sentences that name the rule and what it refused, with the facts
            that fill their gaps: `UserError("Board {board} is full.", code="full", board=3)`.
            Without facts the text is finished, and may hold braces.
        code: Stable, lower-case, dotted or dashed; for programs and tests.
        hint: A line that would have worked, or where to look; may be empty. Advice with gaps
            is a `Phrase`.
    """

    def __init__(self, text: str, *, code: str, hint: str = "", **facts: Fact) -> None:
        self.text: str = Phrase(text, **facts)
        super().__init__(str(self.text))
        self.code = code
        self.hint = hint

    def again(self) -> Self:
        """Return the same refusal anew, where one is remembered: whatever catches it may change it.

        A hint that was put right for one reader would be another one's.
        """
        anew = type(self).__new__(type(self), *self.args)
        vars(anew).update(vars(self))
        return anew


class IllegalMove(UserError):
    """Refuse a readable move that a rule of the game forbids.

    The code is `GAME.RULE`, such as `druid.lintel-ends`.
    """


class UnreadableMove(UserError):
    """Refuse a text that is not a move in this game's notation.

    The text quotes the part that could not be read.
    """


class UnreadablePosition(UserError):
    """Refuse a text that is no position of this game."""


class BadOption(UserError):
    """Refuse an option of a game that is unknown or outside its range.

    Attributes:
        word: The option refused, as typed but without its value; "" when it is no single one.
    """

    def __init__(
        self, text: str, *, code: str, hint: str = "", word: str = "", **facts: Fact
    ) -> None:
        super().__init__(text, code=code, hint=hint, **facts)
        self.word = word


class UnknownGame(UserError):
    """Refuse the name of a game that this server does not have."""


class PluginFailure(Exception):
    """The rules or the view of a plug-in raised an exception, or their process ended."""


class PluginTooSlow(PluginFailure):
    """The rules or the view of a plug-in did not answer in time."""


class PluginBusy(PluginFailure):
    """A plug-in was not asked, because others are being asked; the same may be asked later."""
