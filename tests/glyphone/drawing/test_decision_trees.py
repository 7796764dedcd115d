"""Pictures of trees: what is drawn, that nothing lies on anything else, and what is too large."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.records import Pair
from glyphone.drawing.decision_trees import picture_of_tree, to_svg
from glyphone.drawing.twigs import LISTED, OTHER, Twig, twig_of
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.learners.trees.arrays import LEAF
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.training import TreeOptions, fit_tree
from tests.glyphone.support import glyphone

NAMESPACE = "{http://www.w3.org/2000/svg}"
WORDS = [a + b + c for a in "abcdefgh" for b in ["", *"abcdefgh"] for c in ["", *"aei&<"]]


def said(word: str) -> tuple[str, ...]:
    """c is s before e and i, h is silent, and a b doubled is written once."""
    phones = []
    for place, letter in enumerate(word):
        after = word[place + 1 : place + 2]
        if letter == "c":
            phones.append("s" if after and after in "ei" else "k")
        elif letter != "h" and not (letter == after == "b"):
            phones.append(letter)
    return tuple(phones)


def fitted(trees: int = 1, previous: int = 0) -> TreeModel:
    pairs = [Pair(tuple(word), said(word)) for word in WORDS if said(word)]
    one_each = AlignmentOptions(max_source=1, max_target=1)
    options = TreeOptions(
        left=2, right=2, previous=previous, trees=trees, widen=False, alignment=one_each
    )
    return fit_tree(pairs, options, name="toy").model


@pytest.fixture(scope="module")
def model() -> TreeModel:
    return fitted()


def twigs(twig: Twig) -> list[Twig]:
    return [twig, *(one for below in twig.below for one in twigs(below))]


def test_all_nodes_are_drawn_or_counted(model: TreeModel) -> None:
    tree = model.trees[0]
    whole = twig_of(model)
    assert whole.size == len(twigs(whole)) == len(tree.nodes)
    assert sum(not twig.below for twig in twigs(whole)) == int((tree.nodes[:, 0] == LEAF).sum())
    for depth in range(5):
        part = twig_of(model, depth=depth)
        assert part.size + sum(twig.hidden for twig in twigs(part)) == len(tree.nodes)
    letters = [twig_of(model, letter=letter) for letter in model.source.symbols]
    assert 1 + sum(letter.size for letter in letters) == len(tree.nodes)


def test_what_is_asked(model: TreeModel) -> None:
    asked = twig_of(model, letter="c")
    ends = {twig.text: twig for twig in twigs(asked) if not twig.below}
    assert {"s", "k"} <= ends.keys()
    assert asked.text == "right1"
    to_s = {letter for twig in twigs(asked) if twig.text == "s" for letter in twig.label.split()}
    assert to_s == {"e", "i"}
    assert OTHER in {twig.label for twig in twigs(asked)}
    (silent,) = twigs(twig_of(model, letter="h"))
    assert (silent.text, silent.hidden) == ("∅", 0)
    for twig in twigs(twig_of(model)):
        assert len(twig.label.split()) <= LISTED + 1
        below = [one.label for one in twig.below]
        assert len(set(below)) == len(below) and all(below)


def test_chunks_written_before_have_names() -> None:
    texts = {twig.text for twig in twigs(twig_of(fitted(previous=1)))}
    assert texts <= {
        "letter", "left1", "left2", "right1", "right2", "wrote1", *"abcdefghisk&<", "∅",
    }  # fmt: skip


@pytest.mark.parametrize(("letter", "depth"), [(None, None), ("c", None), (None, 1), ("b", 0)])
def test_nothing_lies_on_anything_else(
    model: TreeModel, letter: str | None, depth: int | None
) -> None:
    twig = twig_of(model, letter=letter, depth=depth)
    root = ElementTree.fromstring(to_svg(twig, title="c & <d>"))
    groups = root.findall(f"{NAMESPACE}g")
    assert len(groups) == twig.size
    assert len(root.findall(f"{NAMESPACE}path")) == twig.size - 1
    assert root.findtext(f"{NAMESPACE}title") == "c & <d>"
    boxes = []
    for group in groups:
        (rect,) = group.findall(f"{NAMESPACE}rect")
        x, y, width, height = (float(rect.attrib[key]) for key in ("x", "y", "width", "height"))
        assert x >= 0 and x + width <= float(root.attrib["width"])
        assert y >= 0 and y + height <= float(root.attrib["height"])
        boxes.append((x, y, x + width, y + height))
    for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
        assert c <= e or g <= a or d <= f or h <= b


def test_too_large(model: TreeModel) -> None:
    size = twig_of(model).size
    with pytest.raises(GlyphoneError, match=f"{size} nodes are too much for a picture") as caught:
        picture_of_tree(model, "svg", max_nodes=size - 1)
    assert "--letter" in str(caught.value) and f"--max-states {size}" in str(caught.value)
    assert picture_of_tree(model, "svg", max_nodes=size).startswith(b"<svg")


def test_names_that_are_none(model: TreeModel) -> None:
    for letter in ("x", "ab", ""):
        with pytest.raises(UnknownName, match="no letter of the tree named"):
            twig_of(model, letter=letter)
    with pytest.raises(UnknownName, match="no tree named '2'"):
        twig_of(model, stage=2)
    with pytest.raises(UnknownName, match="no kind of picture of a tree named 'dot'"):
        picture_of_tree(model, "dot")
    several = fitted(trees=2)
    assert twig_of(several, stage=2) != twig_of(several, stage=1)


def test_the_command(model: TreeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from glyphone.models.trees import file as tree_file

    monkeypatch.chdir(tmp_path)
    tree_file.save(model, "m.glyphone")
    ran = glyphone("draw", "m.glyphone", "--tree", "--letter", "c", "--depth", "0", "-o", "c.svg")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    shown = Path("c.svg").read_text(encoding="utf-8")
    assert ">toy: c<" in shown and ">k<" in shown
    assert re.search(r">\d+, \d+ wrong, \d+ nodes below<", shown)
    for words, message in (
        (["--letter", "c"], "--letter and --depth go with --tree"),
        (["--tree", "--item", "c"], "not allowed with argument"),
        (["--tree", "--max-states", "3"], "nodes are too much for a picture"),
        (["--tree", "-o", "c.dot"], "no kind of picture of a tree named 'dot'"),
    ):
        ran = glyphone("draw", "m.glyphone", *words)
        assert ran.code == 2
        assert message in ran.err


def test_a_model_without_a_tree(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text("ca\tk a\nci\ts i\nco\tk o\n")
    assert glyphone("train", path, "--kind", "joint", "-o", tmp_path / "m.glyphone").code == 0
    ran = glyphone("draw", tmp_path / "m.glyphone", "--tree")
    assert ran.code == 2
    assert "holds no decision tree (train one with --kind tree, or" in ran.err
