"""The tree of variations: pure, so whole random trees are compared with slow models."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sarsen.language.plans import PlanLine, PlanText, read_plan, write_plan
from sarsen.services.plans import tree as trees
from sarsen.services.plans.queueing import Owner, add_lines
from sarsen.services.plans.tree import ROOT, VariationTree

paths = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5).map(tuple)
marked = st.lists(st.tuples(paths, st.booleans()), max_size=12)


def _grown(lines: list[tuple[tuple[str, ...], bool]]) -> VariationTree:
    """A tree with these lines; every second move is the owner's own, some lines planned."""
    tree = VariationTree()
    for path, is_plan in lines:
        tree, at = trees.add_path(tree, path, (ply % 2 == 1 for ply in range(len(path))))
        if is_plan:
            tree = trees.mark(tree, ROOT, at)
    return tree


def _all_paths(tree: VariationTree) -> set[tuple[str, ...]]:
    return {tree.path(at) for at in range(len(tree.nodes))}


def _planned(text: str) -> VariationTree:
    """A plan after no moves, whose moves nobody can judge."""
    owner = Owner((1,), has_all=False)
    return add_lines(VariationTree(), ROOT, read_plan(text).lines, None, owner)


@given(marked)
def test_tree_holds_every_beginning_of_its_lines_once(lines: list) -> None:
    tree = _grown(lines)
    wanted = {path[:length] for path, _ in lines for length in range(len(path) + 1)} | {()}
    assert _all_paths(tree) == wanted
    assert len(tree.nodes) == len(wanted)
    for at in range(len(tree.nodes)):
        assert tree.find(tree.path(at)) == at


@given(marked)
def test_stored_tree_is_read_back_as_it_was(lines: list) -> None:
    tree = _grown(lines)
    assert trees.decode(trees.encode(tree)) == tree
    assert trees.decode({}) == VariationTree()


@given(marked, paths)
def test_cutting_takes_what_is_below_and_nothing_else(lines: list, path: tuple) -> None:
    tree = _grown(lines)
    at = tree.find(path)
    left = _all_paths(trees.cut(tree, at)) if at is not None else _all_paths(tree)
    assert left == {one for one in _all_paths(tree) if one[: len(path)] != path}


@given(marked)
def test_at_most_one_move_of_the_owners_own_is_planned_at_a_place(lines: list) -> None:
    tree = _grown(lines)
    for at in range(len(tree.nodes)):
        mine = [
            one for one in tree.children(at) if tree.nodes[one].is_mine and tree.nodes[one].is_plan
        ]
        assert len(mine) <= 1
        assert trees.planned_reply(tree, at) == next(iter(mine), None)
    for node in tree.nodes[1:]:
        # Planned lines hang together: no planned move comes after one that is not.
        assert not node.is_plan or node.parent == ROOT or tree.nodes[node.parent].is_plan


@given(marked)
def test_forgetting_keeps_the_variations(lines: list) -> None:
    tree = _grown(lines)
    forgotten = trees.unmark(tree, ROOT)
    assert _all_paths(forgotten) == _all_paths(tree)
    assert not trees.has_plan(forgotten, ROOT)


_moves = st.sampled_from(["a", "b", "c"])
_answers = st.sampled_from(["a", "b", "c", ""])
_lines = st.recursive(
    st.just(()),
    lambda below: st.lists(
        st.builds(PlanLine, _answers, _moves, below), max_size=3, unique_by=lambda one: one.answer
    ).map(tuple),
    max_leaves=15,
)


@given(_lines)
def test_what_is_planned_is_written_as_it_was_laid(lines: tuple[PlanLine, ...]) -> None:
    tree = add_lines(VariationTree(), ROOT, lines, None, Owner((1,), has_all=False))

    def any_last(some: tuple[PlanLine, ...]) -> tuple[PlanLine, ...]:
        sorted_ones = sorted(some, key=lambda one: one.answer == "")
        return tuple(PlanLine(one.answer, one.reply, any_last(one.then)) for one in sorted_ones)

    assert trees.planned_text(tree, ROOT) == PlanText("", any_last(lines))


def _naive(lines: tuple[PlanLine, ...], answers: list[str]) -> list[str]:
    """What a plan plays against these answers, found by walking its text."""
    played = []
    for answer in answers:
        exact = next((line for line in lines if line.answer == answer), None)
        line = exact or next((line for line in lines if line.answer == ""), None)
        if line is None:
            break
        played.append(line.reply)
        lines = line.then
    return played


@given(_lines, st.lists(st.sampled_from("abcd"), max_size=6), st.integers(1, 60))
def test_following_agrees_with_a_naive_walk(
    lines: tuple[PlanLine, ...], answers: list[str], most: int
) -> None:
    tree = add_lines(VariationTree(), ROOT, lines, None, Owner((1,), has_all=False))
    at: int | None = ROOT
    played = []
    for answer in answers:
        assert at is not None
        # With room for a copy of what hangs on `any`, and without.
        tree, at = trees.follow(tree, at, answer, most=most)
        reply = None if at is None else trees.planned_reply(tree, at)
        if reply is None:
            break
        played.append(tree.nodes[reply].text)
        at = reply
    assert played == _naive(lines, answers)
    assert len(tree.nodes) <= max(
        most, len(add_lines(VariationTree(), ROOT, lines, None, Owner((1,), False)).nodes)
    )


def test_any_stays_for_a_game_that_is_taken_back() -> None:
    tree = _planned("if any then c, if any then d")
    tree, at = trees.follow(tree, ROOT, "x", most=400)
    assert at is not None
    assert write_plan(trees.planned_text(tree, at)) == "c; if any then d"
    assert (
        write_plan(trees.planned_text(tree, ROOT))
        == "if x then c, if any then d; if any then c, if any then d"
    )


def test_without_room_for_a_copy_any_becomes_what_was_played() -> None:
    tree = _planned("if any then c")
    tree, at = trees.follow(tree, ROOT, "x", most=3)
    assert _all_paths(tree) == {(), ("x",), ("x", "c")}
    assert at == tree.find(("x",))


def test_loose_text_becomes_part_of_the_same_move_in_full_form() -> None:
    tree = _planned("if e4 then f5; if any then c1")
    tree, at = trees.add(tree, ROOT, "E4", is_mine=False)
    tree = trees.change(tree, at, comment="the main line")
    loose = tree.find(("e4",))
    assert loose is not None
    tree = trees.with_full_text(tree, loose, "E4")
    assert write_plan(trees.planned_text(tree, ROOT)) == "if E4 then f5; if any then c1"
    found = tree.find(("E4",))
    assert found is not None
    assert tree.nodes[found].comment == "the main line"
    assert tree.find(("e4",)) is None


def test_variations_are_counted_without_the_moves_that_were_played() -> None:
    tree = _grown([(("a", "b", "c"), False), (("a", "d"), False)])
    assert trees.count_variations(tree, ("a", "b")) == 2
    assert trees.count_variations(tree, ("x", "b")) == 4


def test_line_with_an_answer_of_its_own_takes_nothing_from_any() -> None:
    tree = _planned("if a then b; if any then b, if any then c")
    tree, at = trees.follow(tree, ROOT, "a", most=400)
    assert at is not None
    assert write_plan(trees.planned_text(tree, at)) == "b"
