"""Trees in brackets: layouts that are read, what is refused by line and tree, round trips."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, ItemError
from glyphone.data.records import Tree
from glyphone.data.treebanks.brackets import (
    escape,
    format_tree,
    read_trees,
    unescape,
    words_of,
    write_trees,
)

ANN = Tree("S", (Tree("NP", (Tree("Ann"),)), Tree("VP", (Tree("runs"),))))
RAIN = Tree("S", (Tree("NP", (Tree("rain"),)), Tree("stops")))


def file_of(folder: Path, text: str | bytes) -> Path:
    path = folder / "x.mrg"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "(S (NP Ann) (VP runs))\n(S (NP rain) stops)\n",
        "(S (NP Ann) (VP runs))(S (NP rain) stops)",
        "\n\n(S\n  (NP Ann)\n\n  (VP\n runs))\n(S (NP rain)\tstops\n)",
        "( S(NP Ann)(VP runs) )(S(NP rain)stops)\r\n",
    ],
)
def test_layouts(tmp_path: Path, text: str) -> None:
    assert list(read_trees(file_of(tmp_path, text))) == [ANN, RAIN]


def test_the_root_may_have_no_label(tmp_path: Path) -> None:
    path = file_of(tmp_path, "( (S (NP Ann) (VP runs)) )\n((S (NP rain) stops) .)\n")
    assert list(read_trees(path)) == [Tree("", (ANN,)), Tree("", (RAIN, Tree(".")))]


def test_what_the_penn_treebank_escapes(tmp_path: Path) -> None:
    text = r"(NP (-LRB- -LRB-) (CD 1\/2) (X *T*-1) (Y \*) (-RRB- -RRB-))" + "\n"
    (tree,) = read_trees(file_of(tmp_path, text))
    assert words_of(tree) == ("(", r"1\/2", "*T*-1", r"\*", ")")
    assert [child.label for child in tree.children] == ["(", "CD", "X", "Y", ")"]
    assert format_tree(tree) + "\n" == text


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(S (NP Ann)\n(VP runs)\n", 1, "tree 1 begins here and does not end"),
        ("(S a)\n(S (NP Ann) (VP))\n", 2, r"tree 2 has a constituent without words: \(VP\)"),
        ("(S a) ()", 1, r"tree 2 has a constituent without words: \(\)"),
        ("(S a))\n", 1, r"'\)' stands behind tree 1, outside of any"),
        ("(S a) b\n", 1, "'b' stands behind tree 1"),
        ("Ann runs\n", 1, "'Ann' stands behind tree 0"),
        (b"(S a)\n\n(S ni\xf1o)\n", 3, "not UTF-8"),
    ],
)
def test_what_is_no_tree(tmp_path: Path, text: str | bytes, line: int, message: str) -> None:
    path = file_of(tmp_path, text)
    with pytest.raises(FormatError, match=message) as refused:
        list(read_trees(path))
    assert (refused.value.path, refused.value.line) == (str(path), line)
    assert refused.value.remedy


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_file_without_trees(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError, match="there is no tree in it"):
        list(read_trees(file_of(tmp_path, text)))


def test_a_broken_tree_does_not_stop_the_others(tmp_path: Path) -> None:
    path = file_of(tmp_path, "(S (NP Ann) (VP runs))\n(S\n (VP) (NP\n a))\n(S (NP rain) stops)\n(S")
    refused: list[FormatError] = []
    assert list(read_trees(path, on_error=refused.append)) == [ANN, RAIN]
    assert [error.line for error in refused] == [3, 6]
    refused.clear()
    assert list(read_trees(file_of(tmp_path, "Ann\n"), on_error=refused.append)) == []
    assert [error.line for error in refused] == [1]


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (Tree("Ann"), "a word is no tree"),
        (Tree(""), "without words"),
        (Tree("S", (Tree(""),)), "a leaf is without a word"),
        (Tree("S", (Tree("", (Tree("Ann"), Tree("b"))),)), "begins with a word"),
    ],
)
def test_what_could_not_be_read_is_not_written(tmp_path: Path, tree: Tree, message: str) -> None:
    with pytest.raises(ItemError, match=message) as refused:
        format_tree(tree)
    assert refused.value.remedy
    with pytest.raises(FormatError, match=f"tree 2: .*{message}"):
        write_trees([ANN, tree], tmp_path / "x.mrg")


def test_depth_is_no_limit(tmp_path: Path) -> None:
    path = file_of(tmp_path, "(S " * 20000 + "a" + ")" * 20000 + "\n")
    (tree,) = read_trees(path)
    assert words_of(tree) == ("a",)
    write_trees([tree], tmp_path / "y.mrg")
    assert (tmp_path / "y.mrg").read_text() == path.read_text()


# Much of what the escapes are about, and anything else.
LABELS = st.one_of(
    st.lists(
        st.sampled_from([*"()\\ \t\n\rx2890adLRB-/", "-LRB-", "-RRB-", "x28", "\\x2d"]), min_size=1
    ).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
)


def with_children(tree: Tree) -> Tree:
    return tree if tree.children else Tree("X", (tree,))


TREES = st.recursive(
    st.builds(Tree, LABELS),
    lambda below: st.one_of(
        st.builds(Tree, LABELS, st.lists(below, min_size=1, max_size=3).map(tuple)),
        st.builds(
            lambda first, rest: Tree("", (first, *rest)),
            below.map(with_children),
            st.lists(below, max_size=2),
        ),
    ),
    max_leaves=8,
).map(with_children)


@given(LABELS)
def test_words_are_escaped_and_back(word: str) -> None:
    written = escape(word)
    assert unescape(written) == word
    assert written and not set(written) & set("() \t\n\r")


@given(st.text("\\x2890adLRB-/a", min_size=1))
def test_what_others_wrote_is_written_the_same_but_for_needless_marks(written: str) -> None:
    again = escape(unescape(written))
    assert unescape(again) == unescape(written)
    if "x2" not in written and "x0" not in written:
        assert again == written


@settings(max_examples=40)
@given(st.lists(TREES, min_size=1, max_size=3), st.sampled_from(["x.mrg", "x.mrg.gz"]))
def test_what_is_written_is_read(trees: list[Tree], name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write_trees(trees, path)
        assert list(read_trees(path)) == trees
