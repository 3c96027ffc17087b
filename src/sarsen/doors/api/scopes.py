"""Which scope of a token a command needs: by the file of the language it stands in."""

from __future__ import annotations

from sarsen.language import commands
from sarsen.language.commands import Command
from sarsen.services.tokens import Scope

# A command in a file that is not named here needs the most.
_BY_FILE = {
    "asking": Scope.READ,
    "tables": Scope.READ,
    "several": Scope.READ,
    "boards": Scope.PLAY,
    "challenges": Scope.PLAY,
    "reviews": Scope.PLAY,
    "talking": Scope.CHAT,
}
# What changes an account, or speaks to everybody, though it stands with other things.
_OTHERS = {commands.SetReviews: Scope.ACCOUNT, commands.Broadcast: Scope.ACCOUNT}


# Whoever joins has no token yet.
_JOINING = (commands.SignUp, commands.ConfirmSignup)


def is_for_all(command: type[Command]) -> bool:
    """Return whether a command may come without a token."""
    return command in _JOINING or scope_of(command) is Scope.READ


def scope_of(command: type[Command]) -> Scope:
    """Return the scope that a command needs."""
    file = command.__module__.rpartition(".")[2]
    return _OTHERS.get(command, _BY_FILE.get(file, Scope.ACCOUNT))
