"""The examples in every game's `help.md` do what the page says.

In a block marked `sarsen` each line is an example: `show GAME [-OPTIONS] --moves "…"` runs,
and ends as it says where ` : V wins` stands behind it;
`refused GAME [-OPTIONS] --moves "…" : CODE` is refused with that code. A block marked `text`
directly below a `show` is the board it prints.
"""

from __future__ import annotations

import shlex

import pytest
from click.testing import CliRunner, Result

from fences import Fence, fences
from sarsen.games import find, help_text
from sarsen.help import find_page
from sarsen.help.pages import read_example, refusal_of
from sarsen.help.rendering import page_text, to_text
from sarsen.language.replies import HelpPage
from sarsen.server.command import main

FEWEST = 3  # examples a game

BLOCKS = [(name, fence) for name in find() for fence in fences(help_text(name))]
EXAMPLES = [
    (name, line) for name, fence in BLOCKS if fence.info == "sarsen" for line in fence.lines
]
BOARDS = [
    (name, fence.before.lines[-1], fence.text)
    for name, fence in BLOCKS
    if fence.info == "text" and fence.before and fence.before.info == "sarsen"
]


def run(line: str) -> Result:
    return CliRunner().invoke(main, shlex.split(line.partition(" : ")[0]))


def test_game_names_in_examples_are_those_of_their_page() -> None:
    for name, line in EXAMPLES:
        assert shlex.split(line)[1] == name


@pytest.mark.parametrize("name", find())
def test_help_page_has_examples(name: str) -> None:
    assert sum(of == name for of, _ in EXAMPLES) >= FEWEST


@pytest.mark.parametrize(("name", "line"), EXAMPLES, ids=lambda text: text)
def test_example_does_what_the_page_says(name: str, line: str) -> None:
    if line.startswith("refused "):
        asked, _, code = line.rpartition(" : ")
        result = run(asked.replace("refused ", "show ", 1))
        assert f"[{code.strip()}]" in result.output
        assert result.exit_code == 2
    else:
        assert line.startswith("show ")
        result = run(line)
        assert result.exit_code == 0, result.output
        _, ends, winner = line.partition(" : ")
        if ends:
            said = "0.5" if winner == "draw" else f"{winner.removesuffix(' wins')} 1"
            assert said in result.output.splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "line", "board"), BOARDS, ids=[f"{line}" for _, line, _ in BOARDS]
)
def test_board_below_an_example_is_what_it_prints(name: str, line: str, board: str) -> None:
    printed = run(line).output
    # Below the board stand an empty line and the sentences about it.
    assert printed.startswith(board + "\n\n")
    assert len(printed[len(board) :].strip().splitlines()) <= 12


def test_a_block_without_a_name_holds_no_example() -> None:
    """An example in a block of another kind would never be run."""
    for _, fence in BLOCKS:
        assert fence.info in ("sarsen", "text", "console", "")
        assert fence.info == "sarsen" or not looks_like_an_example(fence)


def looks_like_an_example(fence: Fence) -> bool:
    return any(line.startswith(("show ", "refused ")) and "--moves" in line for line in fence.lines)


@pytest.mark.parametrize("name", sorted(find()))
def test_printed_help_says_what_is_refused_in_the_words_of_the_rules(name: str) -> None:
    page = page_text(HelpPage("", find_page((name,)).text))
    codes = [
        line.rpartition(" : ")[2] for _, line in EXAMPLES if line.startswith(f"refused {name}")
    ]
    assert codes
    assert [code for code in codes if f"[{code}]" not in page] == []
    assert "```" not in page
    assert "refused " + name not in page


@pytest.mark.parametrize(
    "line",
    [
        *("refused", "refused druid 'a1", "refused chess --moves e4 : x", "refused druid a1 : x"),
        *("show", "show druid a1", "refused druid -size=4 : x"),
    ],
)
def test_an_example_that_is_none_is_passed_over(line: str) -> None:
    assert read_example(line) is None


def test_moves_that_the_rules_allow_are_no_refusal() -> None:
    example = read_example('refused druid --moves "a1 b1" : druid.occupied')
    assert example is not None
    assert refusal_of(example) is None


def test_examples_are_indented_alike_whether_they_are_wrapped_or_not() -> None:
    long = f'sarsen show gyges --moves "{"16-35 " * 20}"'
    shown = to_text(f"```sarsen\n{long}\n```\n\n```sarsen\nsarsen show gyges\n```\n").splitlines()
    begun = [line for line in shown if "sarsen show" in line]
    assert [line.index("sarsen") for line in begun] == [4, 4]
    assert begun[0].endswith("\\")
