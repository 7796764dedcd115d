"""Pictures of sentences and forests: all is there, in the picture, and nothing lies on a word."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.cli import main
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.records import Tree
from glyphone.data.treebanks.brackets import words_of
from glyphone.data.treebanks.conllu import write_conllu
from glyphone.data.treebanks.dependencies import MultiwordToken, Sentence, Word
from glyphone.drawing.svg import LETTER, text_width
from glyphone.fst.forests.forest import Choice, Forest, ForestBuilder
from glyphone.treebank.pictures import constituents as pictures_constituents
from glyphone.treebank.pictures import dependencies as pictures_dependencies
from glyphone.treebank.pictures import forest as pictures_forest
from glyphone.treebank.pictures.dependencies import levels_of
from glyphone.treebank.pictures.sentence import picture_of_forest, picture_of_sentence
from tests.glyphone.treebank.test_constructions import sentence

NAMESPACE = "{http://www.w3.org/2000/svg}"
ANN = sentence(
    ("Ann", "PROPN", 2, "nsubj"), ("sees", "VERB", 0, "root"), ("the", "DET", 4, "det"),
    ("<rain>", "NOUN", 2, "obj"), (".", "PUNCT", 2, "punct"),
)  # fmt: skip


def texts(svg: str) -> list[tuple[str, float, float, float]]:
    """Texts with their middles and half their widths; all must be in the picture."""
    root = ElementTree.fromstring(svg)
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    found = []
    for element in root.iter(f"{NAMESPACE}text"):
        shown = element.text or ""
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        half = text_width(shown) * float(element.attrib.get("font-size", LETTER)) / LETTER / 2
        if element.attrib.get("font-weight") != "bold":
            assert left <= x - half + 0.1
            assert x + half <= left + width + 0.1
            found.append((shown, x, y, half))
        assert top < y < top + height
    return found


def apart(svg: str) -> list[str]:
    """The texts of a picture, of which no two may touch."""
    found = texts(svg)
    for (one, x, y, half), (other, there, below, wide) in combinations(found, 2):
        assert abs(y - below) > 9 or abs(x - there) >= half + wide - 0.2, (one, other)
    return [shown for shown, *_ in found]


def paths(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [path.attrib["d"] for path in root.iter(f"{NAMESPACE}path") if "stroke" in path.attrib]


LABELS = st.text("aBc<&\u0301ب", max_size=9)
TREES = st.recursive(
    st.builds(Tree, LABELS.map("w{}".format)),
    lambda below: st.builds(Tree, LABELS, st.lists(below, min_size=1, max_size=3).map(tuple)),
    max_leaves=8,
)


@settings(max_examples=25)
@given(TREES)
def test_constituents(tree: Tree) -> None:
    svg = pictures_constituents.to_svg(tree, title="title")
    shown = apart(svg)
    assert len(shown) == pictures_constituents.count_nodes(tree) == len(paths(svg)) + 1
    below = [text for text in shown if text.startswith("w")]
    assert len(below) == len(words_of(tree))


@settings(max_examples=25)
@given(st.data(), st.integers(1, 6))
def test_dependencies(data: st.DataObject, size: int) -> None:
    names = data.draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for place in range(1, size):
        heads[names[place] - 1] = names[data.draw(st.integers(0, place - 1))]
    given = Sentence(
        tuple(
            Word("w" + data.draw(LABELS), upos="TAG", head=head, deprel=data.draw(LABELS) or "x")
            for head in heads
        )
    )
    svg = pictures_dependencies.to_svg(given)
    assert len(paths(svg)) == size
    shown = texts(svg)
    assert len(shown) == 3 * size
    row = [(x, half) for text, x, _, half in shown if text.startswith("w")]
    assert len(row) == size
    for (x, half), (there, wide) in pairwise(row):
        assert there - wide > x + half
    arcs = [(min(n, h), max(n, h)) for n, h in enumerate(heads, 1) if h]
    levels = levels_of(arcs)
    for (one, other), level in levels.items():
        for (begin, end), below in levels.items():
            overlap = begin < other and one < end
            assert (one, other) == (begin, end) or not overlap or level != below
            assert not (one <= begin and end <= other) or below <= level


def test_a_sentence_with_all_that_is_drawn() -> None:
    multiword = MultiwordToken(3, 4, ("therain", *["_"] * 8))
    svg = pictures_dependencies.to_svg(Sentence(ANN.words, (), (multiword,)), title="Ann & rain")
    assert [text for text, *_ in texts(svg)] == [
        "punct", "obj", "nsubj", "det", "root",
        *(cell for word in ANN.words for cell in (word.form, word.upos)), "therain",
    ]  # fmt: skip
    # An arc to each word, and a bracket under a multiword token.
    assert len(paths(svg)) == 6
    assert "<title>4 &lt;rain&gt; NOUN</title>" in svg


def forest(*, orders: int = 2) -> Forest:
    builder = ForestBuilder()
    leaves = [
        builder.add_leaf(0, label="A", word="old"),
        builder.add_leaf(1, label="N", word="man"),
    ]
    choices = [Choice(tuple(leaves), 0), Choice(tuple(reversed(leaves)), 1, -0.5), Choice(())]
    phrase = builder.add_node(choices[:orders], label="NP")
    hidden = builder.add_node([Choice((phrase,))], label="")
    return builder.build(builder.add_node([Choice((hidden, leaves[1]))], label="S"))


def test_forests() -> None:
    drawn = forest(orders=3)
    svg = pictures_forest.to_svg(drawn, parameters={0: "an"}, title="old man")
    shown = apart(svg)
    assert sorted(shown) == sorted(
        ["S", "#3 N man", "#3", "NP", "NP", "A old N man", "N man A old", "∅", "A old", "N man",
         "an", "#1 ln -0.5"]
    )  # fmt: skip
    # One line from each node to each of its choices, one from these to each node that they name.
    assert len(paths(svg)) == drawn.n_choices + len(drawn.children)
    with pytest.raises(GlyphoneError, match="5 nodes and 5 choices are too much") as refused:
        pictures_forest.to_svg(drawn, max_nodes=9)
    assert "--max-states 10" in str(refused.value)


@pytest.fixture
def treebank(tmp_path: Path) -> str:
    path = str(tmp_path / "x.conllu")
    named = [
        Sentence(ANN.words, (f"# sent_id = {name}", "# text = Ann")) for name in ("a", "3", "b")
    ]
    write_conllu(named, path)
    return path


def test_a_sentence_is_found_by_name_or_number(treebank: str) -> None:
    assert b"<title>a: Ann</title>" in picture_of_sentence(treebank, "1", "svg")
    assert b"<title>3: Ann</title>" in picture_of_sentence(treebank, "3", "svg")
    assert b"<title>b: Ann</title>" in picture_of_sentence(treebank, "b", "svg")
    constituents = picture_of_sentence(treebank, "b", "svg", constituents=True)
    assert b"<title>b: Ann</title>" in constituents
    assert b">nsubj&gt;VERB<" in constituents
    with pytest.raises(UnknownName, match="no sentence named 'c'"):
        picture_of_sentence(treebank, "c", "svg")
    with pytest.raises(UnknownName, match="no kind of picture of a sentence named 'dot'"):
        picture_of_sentence(treebank, "a", "dot")
    with pytest.raises(GlyphoneError, match="5 words are too much for a picture, which holds 4"):
        picture_of_sentence(treebank, "a", "svg", max_nodes=4)
    with pytest.raises(GlyphoneError, match="15 nodes are too much"):
        picture_of_sentence(treebank, "a", "svg", max_nodes=14, constituents=True)


def test_a_sentence_that_is_refused(treebank: str) -> None:
    text = Path(treebank).read_text()
    Path(treebank).write_text(text.replace("\t2\tnsubj", "\t1\tnsubj", 1))
    with pytest.raises(FormatError, match="token 1 'Ann': its heads run in a circle"):
        picture_of_sentence(treebank, "a", "svg")
    assert b"<title>3: Ann</title>" in picture_of_sentence(treebank, "2", "svg")


def test_the_command_line(
    treebank: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = str(tmp_path / "x.svg")
    assert main(["draw", treebank, "--sentence", "b", "-o", output]) == 0
    assert "<title>b: Ann</title>" in Path(output).read_text()
    other = tmp_path / "x.txt"
    other.write_text("(S (NP Ann) (VP sees))\n")
    words = ["draw", str(other), "--sentence", "1", "-o", output]
    assert main(words) == 2
    assert main([*words, "--read", "brackets", "--title", "Ann"]) == 0
    assert "<title>Ann</title>" in Path(output).read_text()
    assert main(["draw", treebank, "--constituents"]) == 2
    assert main(["draw", treebank, "--forest", "x.toml"]) == 2
    assert "go with --sentence NAME" in capsys.readouterr().err


def test_the_forest_of_a_sentence(treebank: str, tmp_path: Path) -> None:
    words, transfer = tmp_path / "words.tsv", tmp_path / "x.toml"
    words.write_text("sees\tve\nthe\tel\t3\nthe\tla\n<rain>\tمطر\n")
    transfer.write_text('kind = "dependencies"\ndictionary = "words.tsv"\nfixed = ["det"]\n')
    svg = picture_of_forest(treebank, "b", str(transfer), "svg").decode()
    shown = apart(svg)
    assert "<title>16 derivations of b: Ann</title>" in svg
    assert {"ve", "el", "la", "Ann", "the", "nsubj(VERB) left crosses", "ln -0.288"} <= set(shown)
    # The words of a choice stand from left to right whatever their script.
    assert "the \u200eمطر\u200e" in shown
    output = str(tmp_path / "f.svg")
    words_ = ["draw", treebank, "--sentence", "b", "--forest", str(transfer), "-o", output]
    assert main(words_) == 0
    assert Path(output).read_text() == svg
    assert main([*words_, "--max-states", "5"]) == 2
    with pytest.raises(UnknownName, match="no kind of picture of a forest"):
        picture_of_forest(treebank, "b", str(transfer), "dot")


def test_the_forest_of_a_tree(tmp_path: Path) -> None:
    """The source clause of Jansche (2005), with an object of one word."""
    (tmp_path / "a.trees").write_text("(C (S (a old) (n men)) (v see) (O (n rain)))\n")
    (tmp_path / "x.toml").write_text(
        'kind = "constituents"\n[[orders]]\nlabels = ["C"]\n'
        'orders = ["S v O", "S O v", "v S O"]\n'
        '[[orders]]\nlabels = ["S", "O"]\norders = ["a n", "n a"]\n'
    )
    path, transfer = str(tmp_path / "a.trees"), str(tmp_path / "x.toml")
    svg = picture_of_forest(path, "1", transfer, "svg").decode()
    assert "6 derivations of 1: old men see rain" in svg
    assert svg.count("S v O | C: ") == 3
    output = str(tmp_path / "forest.svg")
    words_ = ["draw", path, "--sentence", "1", "--forest", transfer, "-o", output]
    assert main(words_) == 0
    assert Path(output).read_bytes() == svg.encode()
