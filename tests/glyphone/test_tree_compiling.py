"""Trees as transducers: equal to the tree on all short strings, and on random long ones."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glyphone
from glyphone import tree_compiling
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.fst.codec import bounds_of
from glyphone.fst.machine import SymbolTable, Transducer
from glyphone.fst.model import Model
from glyphone.fst.rules import cascade
from glyphone.learners.tree_arrays import Tree, ends
from glyphone.learners.windows import letter_windows
from glyphone.tree_file import save as save_model
from glyphone.tree_model import TreeModel
from glyphone.tree_training import TreeOptions, fit_tree

from .support import glyphone as run

LETTERS, SOUNDS = "abcdefgh", "ABCDEFGH"
Labels = tuple[int, ...]


def random_tree(
    random: np.random.Generator, *, width: int, n_letters: int, n_classes: int, depth: int
) -> Tree:
    """A tree that asks for anything, some of it twice or in vain, and has values without branch."""
    nodes, tables, parents, size = [], [], [-1], 0
    waiting = deque([0])
    while waiting:
        below = waiting.popleft()
        if below == depth or (below > 2 and random.random() < 0.15):
            nodes.append((-1, 0, 0))
            continue
        branches = random.integers(0, int(random.integers(2, 5)) + 1, n_letters + 2)
        kinds = np.unique(branches[branches > 0])
        branches = np.where(branches > 0, np.searchsorted(kinds, branches) + 1, 0)
        nodes.append((int(random.integers(width)), size, len(parents) - 1))
        tables.append(branches)
        size += len(branches)
        parents += [len(nodes) - 1] * len(kinds)
        waiting += [below + 1] * len(kinds)
    n = len(nodes)
    return Tree(
        np.array(nodes, np.int32), random.integers(0, n_classes, n).astype(np.int32),
        np.array(parents, np.int32), np.concatenate([*tables, [0]]).astype(np.uint8),
        np.full(width, n_letters + 2), np.ones(n), np.arange(n + 1), np.zeros(n, np.int32),
        np.ones(n), n_classes, 0.0,
    )  # fmt: skip


def random_outputs(random: np.random.Generator, n_classes: int) -> list[Labels]:
    return [
        tuple(random.integers(1, len(SOUNDS) + 1, random.integers(0, 4)).tolist())
        for _ in range(n_classes)
    ]


def strings(n_letters: int, longest: int) -> list[str]:
    return ["".join(s) for n in range(longest + 1) for s in product(LETTERS[:n_letters], repeat=n)]


def of_tree(
    tree: Tree, outputs: list[Labels], words: list[str], *, left: int, right: int
) -> list[list[str]]:
    """What a tree writes for each letter of words, by its windows."""
    labels = np.array([1 + LETTERS.index(letter) for word in words for letter in word], np.int32)
    bounds = bounds_of(np.array([*map(len, words)]))
    rows = letter_windows(labels, bounds, left=left, right=right)
    chunks = [
        "".join(SOUNDS[label - 1] for label in outputs[decision])
        for decision in tree.decisions[ends(tree, rows)].tolist()
    ]
    return [chunks[a:b] for a, b in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]


def ready(machines: list[Transducer]) -> Model:
    """Machines with letters for labels, to be asked."""
    first = replace(machines[0], isymbols=SymbolTable.of(LETTERS))
    machines = [first, *machines[1:]]
    machines[-1] = replace(machines[-1], osymbols=SymbolTable.of(SOUNDS))
    return Model.from_machines(machines, name="tree")


def answers(model: Model, words: list[str]) -> list[str | None]:
    found = [answer.output for answer in map(only, model.apply(words, jobs=1))]
    return [*found]


def only(hypothesis: Any) -> Any:
    assert hypothesis is not None and hypothesis.posterior == 1.0
    return hypothesis


SHAPES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**32 - 1),
        "left": st.integers(0, 2),
        "right": st.integers(0, 2),
        "n_letters": st.integers(1, 3),
        "depth": st.integers(0, 5),
        "n_classes": st.integers(1, 5),
    }
)


def drawn(shape: dict[str, int]) -> tuple[Tree, list[Labels], dict[str, int]]:
    random = np.random.default_rng(shape["seed"])
    window = {key: shape[key] for key in ("left", "right")}
    n = {key: shape[key] for key in ("n_letters", "n_classes", "depth")}
    tree = random_tree(random, width=1 + sum(window.values()), **n)
    return tree, random_outputs(random, shape["n_classes"]), window


@settings(max_examples=150, deadline=None)
@given(SHAPES)
def test_one_machine_is_equal_to_the_tree_on_all_short_strings(shape: dict[str, int]) -> None:
    tree, outputs, window = drawn(shape)
    n_letters = shape["n_letters"]
    machine = tree_compiling.compiled(tree, **window, n_letters=n_letters, outputs=outputs)
    words = strings(n_letters, 7 - n_letters)
    expected = ["".join(row) for row in of_tree(tree, outputs, words, **window)]
    assert answers(ready([machine]), words) == expected


@settings(max_examples=80, deadline=None)
@given(SHAPES)
def test_stages_are_equal_to_the_tree_on_all_short_strings(shape: dict[str, int]) -> None:
    tree, outputs, window = drawn(shape)
    n_letters = shape["n_letters"]
    machines = tree_compiling.staged(tree, **window, n_letters=n_letters, outputs=outputs)
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
    assert answers(ready([tree_compiling.compiled(tree, **options)]), words) == expected
    cascade_ = ready(tree_compiling.staged(tree, **options))
    assert answers(cascade_, words[:10]) == expected[:10]


def test_spans_of_stages_are_those_of_the_letters() -> None:
    random = np.random.default_rng(3)
    tree = random_tree(random, width=5, n_letters=3, n_classes=6, depth=6)
    outputs: list[Labels] = [(k,) for k in range(1, 7)]
    options: Any = {"left": 2, "right": 2, "n_letters": 3, "outputs": outputs}
    model = ready(tree_compiling.staged(tree, **options))
    for word in ("abc", "cabbacab"):
        assert model(word).spans == tuple((k, k + 1) for k in range(len(word)))


def test_a_machine_is_deterministic_and_minimal() -> None:
    random = np.random.default_rng(5)
    tree = random_tree(random, width=4, n_letters=3, n_classes=5, depth=7)
    outputs: list[Labels] = [(k,) for k in range(1, 6)]
    machine = tree_compiling.compiled(tree, left=2, right=1, n_letters=3, outputs=outputs)
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
    whole = tree_compiling.compiled(tree, **options)
    with pytest.raises(GlyphoneError) as refused:
        tree_compiling.compiled(tree, **options, budget=1000)
    message = str(refused.value)
    assert "within 1,000 arcs" in message and "states of 5 arcs, and at most 781 " in message, (
        message
    )
    assert "--stages" in message
    with pytest.raises(GlyphoneError, match=r"things that may be known"):
        tree_compiling.compiled(tree, **options, budget=20)
    with pytest.raises(GlyphoneError, match=r"--budget \d+"):
        tree_compiling.staged(tree, **options, budget=10)
    assert whole.n_arcs > 1000


LEXICON = {
    "ca": "k a", "ci": "s i", "co": "k o", "ici": "i s i", "aca": "a k a", "cha": "tʃ a",
    "oxo": "o k s o", "acho": "a tʃ o", "x": "k s", "ox": "o k s",
}  # fmt: skip


@pytest.fixture(scope="module")
def tree() -> TreeModel:
    pairs = [Pair(tuple(word), tuple(phones.split())) for word, phones in LEXICON.items()]
    return fit_tree(pairs, TreeOptions(left=2, right=2, previous=0), name="toy").model


@pytest.mark.parametrize("stages", [False, True])
def test_an_archive_answers_like_its_tree(tree: TreeModel, tmp_path: Path, stages: bool) -> None:
    save_model(tree, tmp_path / "toy.glyphone")
    words = ["".join(s) for n in range(1, 6) for s in product("achx", repeat=n)]
    more = ["--stages"] if stages else []
    for name in ("one.far", "two.far"):
        ran = run("compile-tree", tmp_path / "toy.glyphone", "-o", tmp_path / name, *more)
        assert (ran.code, ran.out) == (0, ""), ran.err
        assert (" in 6 stages" if stages else " states, ") in ran.err
    assert (tmp_path / "one.far").read_bytes() == (tmp_path / "two.far").read_bytes()
    loaded = glyphone.load(f"{tmp_path}/one.far:TREE")
    expected = [answer.output for answer in map(only_best, tree.apply(words, jobs=1))]
    assert [answer.output for answer in map(only, loaded.apply(words, jobs=1))] == expected
    assert loaded("").output == tree("").output == ""
    assert loaded.source.writing == tree.source.writing
    with pytest.raises(GlyphoneError, match="is not in the alphabet"):
        loaded("cz")


def only_best(hypothesis: Any) -> Any:
    assert hypothesis is not None
    return hypothesis


def test_spans_of_staged_archives_are_those_of_the_tree(tree: TreeModel) -> None:
    model = tree_compiling.model_of(tree, tree_compiling.machines_of(tree, stages=True))
    for word in ("cacha", "oxici", "chaoc", "c"):
        assert model(word).output == tree(word).output
        assert model(word).spans == tree(word).spans


def test_a_tree_composes_like_any_other_stage(tree: TreeModel) -> None:
    pytest.importorskip("pynini", reason="compiling a grammar needs pynini")
    louder = cascade(letters=[*tree.target.symbols], phones="a A i o k s tʃ", rules="a -> A")
    (first,) = tree_compiling.machines_of(tree)
    after = Model.of(louder)
    symbols = [label for _, label in sorted(tree.target.symbols.items())]
    assert [after.source.symbols[s] for s in sorted(tree.target.symbols)] == symbols
    both = Model((first, *after.machines), tree.source, after.target)
    assert both("cacha").output == tree("cacha").output.replace("a", "A") == "k A tʃ A"


def test_what_is_no_tree_of_letters_is_refused(tree: TreeModel, tmp_path: Path) -> None:
    pairs = [Pair(tuple(word), tuple(phones.split())) for word, phones in LEXICON.items()]
    searching = fit_tree(pairs, TreeOptions(left=1, right=1, previous=1), name="two").model
    with pytest.raises(GlyphoneError, match=r"last 1 chunks written.*--previous 0"):
        tree_compiling.machines_of(searching)
    several = fit_tree(pairs, TreeOptions(left=1, right=1, previous=0, trees=2)).model
    with pytest.raises(GlyphoneError, match="averages 2 trees"):
        tree_compiling.machines_of(several)
    no_tree = glyphone.train(pairs, kind="joint").model
    with pytest.raises(GlyphoneError, match=r"no model of trees.*glyphone distill"):
        tree_compiling.machines_of(no_tree)
    save_model(tree, tmp_path / "toy.glyphone")
    ran = run("compile-tree", tmp_path / "toy.glyphone", "-o", tmp_path / "x.far", "--budget", "9")
    assert ran.code == 2 and "within 9 arcs" in ran.err
    assert not (tmp_path / "x.far").exists()


def test_a_tree_of_the_spanish_rules() -> None:
    try:
        teacher = glyphone.load("spa.letter_to_sound:CASTILIAN")
    except GlyphoneError as error:
        pytest.skip(str(error))
    random = np.random.default_rng(0)
    onsets, nuclei, codas = (
        "b c ch d f g gu h j l ll m n ñ p qu r s t v y z br tr".split(), [*"aeiouáéíóú", "ue"],
        ["", "", "", "n", "s", "r", "l"],
    )  # fmt: skip

    def word() -> str:
        parts = range(random.integers(1, 5))
        return "".join(str(random.choice(x)) for _ in parts for x in (onsets, nuclei, codas))

    words = sorted({word() for _ in range(3000)})
    pairs = [
        Pair(tuple(word), tuple(answer.output.split()))
        for word, answer in zip(words, teacher.apply(words, jobs=1), strict=True)
        if answer is not None
    ]
    options = TreeOptions(left=1, right=2, previous=0, min_leaf=3)
    tree = fit_tree(pairs, options).model
    (machine,) = tree_compiling.machines_of(tree)
    assert machine.n_states > 100
    model = tree_compiling.model_of(tree, [machine])
    noise = ["".join(random.choice(sorted(tree.source.symbols), n)) for n in range(1, 200)]
    tried = [*words, *(word() for _ in range(500)), *noise]
    expected = [answer.output for answer in map(only_best, tree.apply(tried, jobs=1))]
    assert [answer.output for answer in map(only, model.apply(tried, jobs=1))] == expected


def test_a_column_that_is_no_letter_and_no_letters_at_all_are_refused() -> None:
    random = np.random.default_rng(1)
    tree = random_tree(random, width=5, n_letters=2, n_classes=2, depth=4)
    options: Any = {"right": 1, "outputs": [(1,), ()]}
    with pytest.raises(GlyphoneError, match="asks for column"):
        tree_compiling.compiled(tree, left=1, n_letters=2, **options)
    with pytest.raises(GlyphoneError, match="no letters"):
        tree_compiling.compiled(tree, left=3, n_letters=0, **options)
