"""What a command says of itself is what lists elsewhere say of it; the lists go one by one."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from sarsen.doors.cli import completion
from sarsen.doors.mail.reply import extraction
from sarsen.language import commands
from sarsen.language.commands import COMMANDS, Command
from sarsen.language.grammar import password_places
from sarsen.services import dispatch


def _with(*names: str) -> set[type[Command]]:
    return {one for one in COMMANDS if any(getattr(one, name) for name in names)}


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        (["takes_text"], commands.TEXTS),
        (["takes_text", "takes_reason"], password_places._WITH_PROSE),
        (["is_judged_first"], dispatch.PREPARED),
        (["may_close_account"], dispatch._CLOSING),
        (["is_of_account"], extraction._OF_ACCOUNT),
        (["at_board"], completion._AT_BOARDS),
        (["takes_move"], completion._WITH_MOVES),
    ],
    ids=str,
)
def test_a_command_says_what_lists_say(names: list[str], listed: Collection[type[Command]]) -> None:
    assert _with(*names) == set(listed)
