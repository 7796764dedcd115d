"""Models of trees as archives of transducers: `glyphone compile-tree`, and composition."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glyphone
from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.fst.rules.cascade import cascade
from glyphone.fst.transducers.model import TransducerModel
from glyphone.models.trees.compiling import compile as compiling_compile
from glyphone.models.trees.file import save as save_model
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.training import TreeOptions, fit_tree
from tests.glyphone.models.trees.random_trees import answers
from tests.glyphone.support import glyphone as run

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
    assert answers(loaded, words) == expected
    assert loaded("").output == tree("").output == ""
    assert loaded.source.writing == tree.source.writing
    with pytest.raises(GlyphoneError, match="is not in the alphabet"):
        loaded("cz")


def only_best(hypothesis: Any) -> Any:
    assert hypothesis is not None
    return hypothesis


def test_spans_of_staged_archives_are_those_of_the_tree(tree: TreeModel) -> None:
    model = compiling_compile.model_of(tree, compiling_compile.machines_of(tree, stages=True))
    for word in ("cacha", "oxici", "chaoc", "c"):
        assert model(word).output == tree(word).output
        assert model(word).spans == tree(word).spans


def test_a_tree_composes_like_any_other_stage(tree: TreeModel) -> None:
    pytest.importorskip("pynini", reason="compiling a grammar needs pynini")
    louder = cascade(letters=[*tree.target.symbols], phones="a A i o k s tʃ", rules="a -> A")
    (first,) = compiling_compile.machines_of(tree)
    after = TransducerModel.of(louder)
    symbols = [label for _, label in sorted(tree.target.symbols.items())]
    assert [after.source.symbols[s] for s in sorted(tree.target.symbols)] == symbols
    both = TransducerModel((first, *after.machines), tree.source, after.target)
    assert both("cacha").output == tree("cacha").output.replace("a", "A") == "k A tʃ A"


def test_what_is_no_tree_of_letters_is_refused(tree: TreeModel, tmp_path: Path) -> None:
    pairs = [Pair(tuple(word), tuple(phones.split())) for word, phones in LEXICON.items()]
    searching = fit_tree(pairs, TreeOptions(left=1, right=1, previous=1), name="two").model
    with pytest.raises(GlyphoneError, match=r"last 1 chunks written.*--previous 0"):
        compiling_compile.machines_of(searching)
    several = fit_tree(pairs, TreeOptions(left=1, right=1, previous=0, trees=2)).model
    with pytest.raises(GlyphoneError, match="averages 2 trees"):
        compiling_compile.machines_of(several)
    no_tree = glyphone.train(pairs, kind="joint").model
    with pytest.raises(GlyphoneError, match=r"no model of trees.*glyphone distill"):
        compiling_compile.machines_of(no_tree)
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
    (machine,) = compiling_compile.machines_of(tree)
    assert machine.n_states > 100
    model = compiling_compile.model_of(tree, [machine])
    noise = ["".join(random.choice(sorted(tree.source.symbols), n)) for n in range(1, 200)]
    tried = [*words, *(word() for _ in range(500)), *noise]
    expected = [answer.output for answer in map(only_best, tree.apply(tried, jobs=1))]
    assert answers(model, tried) == expected
