"""Trees as transducers: equal to the tree on all short strings, and on random long ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from glyphone.data.errors import GlyphoneError
from glyphone.models.trees.compiling import compile as compiling_compile
from tests.glyphone.models.trees.random_trees import (
    LETTERS,
    SHAPES,
    Labels,
    answers,
    drawn,
    of_tree,
    random_outputs,
    random_tree,
    ready,
    strings,
)


@settings(max_examples=60, deadline=None)
@given(SHAPES)
def test_one_machine_is_equal_to_the_tree_on_all_short_strings(shape: dict[str, int]) -> None:
    tree, outputs, window = drawn(shape)
    n_letters = shape["n_letters"]
    machine = compiling_compile.compile_machine(
        tree, **window, n_letters=n_letters, outputs=outputs
    )
    words = strings(n_letters, 7 - n_letters)
    expected = ["".join(row) for row in of_tree(tree, outputs, words, **window)]
    assert answers(ready([machine]), words) == expected


@settings(max_examples=60, deadline=None)
@given(SHAPES)
def test_stages_are_equal_to_the_tree_on_all_short_strings(shape: dict[str, int]) -> None:
    tree, outputs, window = drawn(shape)
    n_letters = shape["n_letters"]
    machines = compiling_compile.compile_cascade(
        tree, **window, n_letters=n_letters, outputs=outputs
    )
    assert len(machines) == 2 + sum(window.values())
    words = strings(n_letters, 6 - n_letters)
    expected = ["".join(row) for row in of_tree(tree, outputs, words, **window)]
    assert answers(ready(machines), words) == expected


@pytest.mark.parametrize(("left", "right"), [(0, 4), (4, 0), (2, 2), (3, 1)])
def test_long_strings_and_deeper_trees(left: int, right: int) -> None:
    random = np.random.default_rng(10 * left + right)
    window = {"left": left, "right": right}
    tree = random_tree(random, width=5, n_letters=4, n_classes=9, depth=9)
    assert len(tree.nodes) > 100
    outputs = random_outputs(random, 9)
    words = ["".join(random.choice(list(LETTERS[:4]), n)) for n in random.integers(1, 300, 60)]
    expected = ["".join(row) for row in of_tree(tree, outputs, words, **window)]
    options: Any = {**window, "n_letters": 4, "outputs": outputs}
    assert answers(ready([compiling_compile.compile_machine(tree, **options)]), words) == expected
    cascade_ = ready(compiling_compile.compile_cascade(tree, **options))
    assert answers(cascade_, words[:10]) == expected[:10]


def test_spans_of_stages_are_those_of_the_letters() -> None:
    random = np.random.default_rng(3)
    tree = random_tree(random, width=5, n_letters=3, n_classes=6, depth=6)
    outputs: list[Labels] = [(k,) for k in range(1, 7)]
    options: Any = {"left": 2, "right": 2, "n_letters": 3, "outputs": outputs}
    model = ready(compiling_compile.compile_cascade(tree, **options))
    for word in ("abc", "cabbacab"):
        assert model(word).spans == tuple((k, k + 1) for k in range(len(word)))


def test_a_machine_is_deterministic_and_minimal() -> None:
    random = np.random.default_rng(5)
    tree = random_tree(random, width=4, n_letters=3, n_classes=5, depth=7)
    outputs: list[Labels] = [(k,) for k in range(1, 6)]
    machine = compiling_compile.compile_machine(tree, left=2, right=1, n_letters=3, outputs=outputs)
    for state in range(machine.n_states):
        labels = machine.ilabels[machine.offsets[state] : machine.offsets[state + 1]]
        assert len(set(labels.tolist())) == len(labels)
    pynini = pytest.importorskip("pynini", reason="OpenFst has a minimisation of its own")
    from glyphone.fst import backend

    fst = backend.from_transducer(machine)
    fst.minimize(allow_nondet=True)
    assert pynini.Fst.num_states(fst) == machine.n_states


def test_a_budget_says_how_far_it_got() -> None:
    random = np.random.default_rng(8)
    tree = random_tree(random, width=5, n_letters=5, n_classes=5, depth=9)
    outputs: list[Labels] = [(k,) for k in range(1, 6)]
    options: Any = {"left": 2, "right": 2, "n_letters": 5, "outputs": outputs}
    assert len(tree.nodes) > 100
    whole = compiling_compile.compile_machine(tree, **options)
    with pytest.raises(GlyphoneError) as refused:
        compiling_compile.compile_machine(tree, **options, budget=1000)
    message = str(refused.value)
    assert "within 1,000 arcs" in message and "states of 5 arcs, and at most 781 " in message, (
        message
    )
    assert "--stages" in message
    with pytest.raises(GlyphoneError, match=r"things that may be known"):
        compiling_compile.compile_machine(tree, **options, budget=20)
    with pytest.raises(GlyphoneError, match=r"--budget \d+"):
        compiling_compile.compile_cascade(tree, **options, budget=10)
    assert whole.n_arcs > 1000


def test_a_column_that_is_no_letter_and_no_letters_at_all_are_refused() -> None:
    random = np.random.default_rng(1)
    tree = random_tree(random, width=5, n_letters=2, n_classes=2, depth=4)
    options: Any = {"right": 1, "outputs": [(1,), ()]}
    with pytest.raises(GlyphoneError, match="asks for column"):
        compiling_compile.compile_machine(tree, left=1, n_letters=2, **options)
    with pytest.raises(GlyphoneError, match="no letters"):
        compiling_compile.compile_machine(tree, left=3, n_letters=0, **options)
