"""Forms and commands: each command is made of the fields of a form, or a field is refused."""

from __future__ import annotations

import pytest

from command_lines import LINES, as_form
from sarsen.games import names
from sarsen.language.commands import (
    COMMANDS,
    ChangeAbout,
    Limit,
    Multiple,
    PlayMove,
    Refuse,
    SetReviews,
)
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.schema.schemas import FieldRefused, command_from_form

WORDS = {
    **{"board": 1, "ended": 2, "invitation": 3, "own": 4, "news": 1, "code": "0" * 20},
    "friend_code": "0" * 20,
    **{"contest": 1, "own_contest": 2, "running_contest": 3, "contest_board": 4, "claim_board": 5},
    **{"password": "open-sesame-now", "first_day": "2027-02-01", "last_day": "2027-02-05"},
}


@pytest.mark.parametrize(
    "command", [one for one in COMMANDS if one is not Multiple], ids=lambda one: one.__name__
)
def test_the_fields_of_a_form_make_the_command_that_its_line_makes(command: type) -> None:
    line = LINES[command]
    below = tuple(line.body.split("\n")) if line.body else ()
    context = Context(names(), speaker="ann", body=below)
    parsed = read_line(line.text.format(**WORDS), context).command
    form = as_form(line.text.format(**WORDS), line.body)
    assert command_from_form(command, form, "ann") == parsed


def test_a_field_that_is_not_sent_has_its_default() -> None:
    form = {"board": "7", "text": "b4."}
    assert command_from_form(PlayMove, form, "ann") == PlayMove("", 7, "b4", None, None)


def test_words_of_a_list_may_stand_in_one_text() -> None:
    assert command_from_form(Refuse, {"names": ["bob  carl"]}, "ann") == Refuse(("bob", "carl"))


def test_a_box_that_is_not_ticked_says_no() -> None:
    assert command_from_form(SetReviews, {"are_on": ""}, "ann") == SetReviews(False)
    assert command_from_form(SetReviews, {"are_on": "on"}, "ann") == SetReviews(True)


@pytest.mark.parametrize(
    ("command", "form", "field"),
    [
        (Limit, {"most": "many"}, "most"),
        (Limit, {"most": "9999999999"}, "most"),
        (PlayMove, {"board": "7"}, "text"),
        (PlayMove, {"text": "b4"}, "board"),
        (ChangeAbout, {"text": "x" * 20_001}, "text"),
        (Refuse, {"names": "-bob"}, "names"),
    ],
)
def test_a_refusal_names_its_field(command: type, form: dict[str, str], field: str) -> None:
    with pytest.raises(FieldRefused) as refused:
        command_from_form(command, form, "ann")
    assert refused.value.field == field
