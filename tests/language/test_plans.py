"""The text of a plan is read, written, and refused in words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.core.errors import UserError
from sarsen.help.pages import find_page
from sarsen.language.commands import QueueMoves
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.plans import DEEPEST, PlanLine, PlanText, joined, read_plan, write_plan

# From the notations of all games: signs that divide a plan stand inside moves, too.
MOVES = (
    "d3",
    "a1-c1",
    "34-44-43; 43-53-N",
    "24-(14-15-)25",
    "13x14=44",
    "2,3,1,1,2,3",
    "F4",
    "swap",
    "two words",
)


def _plans() -> st.SearchStrategy[PlanText]:
    moves = st.sampled_from(MOVES)
    answers = st.one_of(st.just(""), moves)

    def lines(
        below: st.SearchStrategy[tuple[PlanLine, ...]],
    ) -> st.SearchStrategy[tuple[PlanLine, ...]]:
        line = st.builds(PlanLine, answers, moves, below)
        return st.lists(line, max_size=3, unique_by=lambda one: one.answer).map(tuple)

    nested = st.recursive(st.just(()), lines, max_leaves=12)
    plans = st.builds(PlanText, st.one_of(st.just(""), moves), nested)
    return plans.filter(lambda plan: bool(plan.first or plan.lines))


@given(_plans())
def test_every_plan_is_read_as_it_was_written(plan: PlanText) -> None:
    assert read_plan(write_plan(plan)) == plan


@given(st.text(alphabet="ift hen any;,()e4-\n", max_size=80))
def test_any_text_is_a_plan_or_refused_in_words(text: str) -> None:
    try:
        plan = read_plan(text)
    except UserError as refusal:
        assert refusal.code == "plan-unreadable"
        assert refusal.hint
    else:
        assert read_plan(write_plan(plan)) == plan


def test_example_of_the_command_table_means_two_answers_to_one_move() -> None:
    plan = read_plan("d3; if e4 then f5; if any then c1")
    assert plan == PlanText("d3", (PlanLine("e4", "f5"), PlanLine("", "c1")))


def test_comma_goes_deeper_and_semicolon_comes_back_to_the_top() -> None:
    plan = read_plan("if e4 then f5, if g6 then h7, if any then a1; if any then c1")
    deepest = PlanLine("g6", "h7", (PlanLine("", "a1"),))
    assert plan == PlanText("", (PlanLine("e4", "f5", (deepest,)), PlanLine("", "c1")))


def test_brackets_hold_several_answers_to_the_move_before_them() -> None:
    plan = read_plan("if e4 then f5 (if g6 then h7; if any then h8); if any then c1")
    below = (PlanLine("g6", "h7"), PlanLine("", "h8"))
    assert plan == PlanText("", (PlanLine("e4", "f5", below), PlanLine("", "c1")))


def test_semicolons_brackets_and_commas_of_moves_divide_nothing() -> None:
    plan = read_plan(
        "34-44-43; 43-53-N; if 24-(14-15-)25 then 34-44-43; 43-53-N, IF Any THEN 11-12."
    )
    below = (PlanLine("", "11-12"),)
    line = PlanLine("24-(14-15-)25", "34-44-43; 43-53-N", below)
    assert plan == PlanText("34-44-43; 43-53-N", (line,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "if",
        "if e4",
        "if e4 f5",
        "if then f5",
        "if e4 then",
        "if e4 then f5 if g6 then h7",
        "d3 if e4 then f5",
        "if e4 then f5 (if g6 then h7",
        "if e4 then f5); if g6 then h7",
        "if e4 then (if g6 then h7)",
        "if e4 then f5 (if g6 then h7), if a1 then b1",
        "if e4 then f5; if e4 then f6",
        "if any then f5; if anything then f6",
    ],
)
def test_unreadable_item_is_quoted_and_a_plan_that_works_is_shown(text: str) -> None:
    with pytest.raises(UserError) as refused:
        read_plan(text)
    assert refused.value.code == "plan-unreadable"
    assert read_plan(refused.value.hint.removeprefix("queue BOARD "))


def test_chain_of_answers_is_bounded() -> None:
    chain = ", ".join(["if any then a1"] * DEEPEST)
    assert read_plan(chain)
    with pytest.raises(UserError, match="50 answers ahead"):
        read_plan(f"{chain}, if any then a1")
    deep = "(".join(["if any then a1 "] * 5000)
    with pytest.raises(UserError):
        read_plan(deep)


def test_lines_a_mail_program_broke_are_joined() -> None:
    body = ("f5; if g6 then", "h7", "if any then c1", "", "Ann")
    text = joined("d3; if e4 then", body)
    assert text == "d3; if e4 then f5; if g6 then h7; if any then c1"


def test_words_below_a_plan_are_not_part_of_it() -> None:
    assert joined("d3; if e4 then f5", ("Good luck!", "if I may say so")) == "d3; if e4 then f5"
    assert joined("off", ("-- ", "Ann")) == "off"


def test_plan_may_stand_below_a_subject_line_an_answer_a_line() -> None:
    body = ("if e4 then f5", "if any then c1", "", "Ann")
    assert joined("", body) == "if e4 then f5; if any then c1"


def test_text_of_a_form_may_have_one_answer_a_line() -> None:
    plan = read_plan("d3 \n\nif e4 then f5;\n if g6 then\nh7\nIf any then c1\n")
    assert write_plan(plan) == "d3; if e4 then f5; if g6 then h7; if any then c1"


def test_queue_reads_its_text_from_line_and_body() -> None:
    context = Context(
        games=("druid",), speaker="ann", board=7, body=("if any then c1", "", "Have fun")
    )
    spoken = read_line("queue d3; if e4 then f5;", context)
    assert spoken.command == QueueMoves("", 7, "d3; if e4 then f5; if any then c1")
    spoken = read_line("druid queue 12 ann secret off", Context(games=("druid",)))
    assert spoken.command == QueueMoves("druid", 12, "off")


def test_no_word_of_the_longest_line_is_lost() -> None:
    line = "queue 12 " + "; ".join(f"if a{n} then b" for n in range(60))
    assert len(line) <= 1000
    spoken = read_line(line, Context(games=("druid",), speaker="ann"))
    assert isinstance(spoken.command, QueueMoves)
    assert len(read_plan(spoken.command.text).lines) == 60


def test_every_example_of_the_help_page_is_a_plan() -> None:
    page = find_page(("plans",)).text
    examples = re.findall(r"^\| `((?:if |d3)[^`]*)` ", page, re.M)
    examples += re.findall(r"^queue 123 (.+)$", page, re.M)
    assert len(examples) == 7
    for example in examples:
        assert write_plan(read_plan(example)) == example
