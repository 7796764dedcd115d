"""CoNLL-U: what is read, what is refused by line, sentence and token, and round trips."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence as Many
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, ItemError
from glyphone.data.treebanks.conllu import format_lines, read_conllu, write_conllu
from glyphone.data.treebanks.dependencies import EmptyNode, MultiwordToken, Sentence, Word


def row(index: str, form: str, head: object = "_", deps: str = "_", misc: str = "_") -> str:
    return "\t".join((index, form, form.lower(), "X", "_", "A=B|C=D", str(head), "x", deps, misc))


# Everything that the format has: comments, a multiword token, empty nodes, spaces in a form.
WHOLE = [
    "# newdoc id = d1",
    "# sent_id = s-1",
    "# text = 20 000 weeks: vámonos",
    "#no space\tand a tab",
    row("0.1", "(I)", "_", "3:nsubj"),
    row("1", "20 000", 2, "2:nummod"),
    row("2", "weeks", 3, "3:obl|2.1:x", "SpaceAfter=No"),
    row("2.1", "e", "_", "3:dep"),
    row("2.2", "f", "_", "3:dep"),
    row("3-4", "vámonos"),
    row("3", "vamos", 0, "0:root"),
    row("4", "nos", 3, "3:obj"),
]


def file_of(folder: Path, lines: Many[str] | bytes, name: str = "x.conllu") -> Path:
    path = folder / name
    path.write_bytes(lines if isinstance(lines, bytes) else "\n".join([*lines, ""]).encode())
    return path


def test_a_sentence_with_everything(tmp_path: Path) -> None:
    path = file_of(tmp_path, [*WHOLE, ""])
    (sentence,) = read_conllu(path)
    assert sentence.id == "s-1"
    assert sentence.comment("newdoc id") == "d1"
    assert [word.form for word in sentence.words] == ["20 000", "weeks", "vamos", "nos"]
    assert sentence.words[1] == Word(
        "weeks", "weeks", "X", "_", "A=B|C=D", 3, "x", "3:obl|2.1:x", "SpaceAfter=No"
    )
    assert [(node.after, node.number) for node in sentence.empty] == [(0, 1), (2, 1), (2, 2)]
    assert [(token.first, token.last) for token in sentence.multiword] == [(3, 4)]
    assert sentence.multiword[0].columns[0] == "vámonos"
    write_conllu([sentence], tmp_path / "y.conllu.gz")
    write_conllu(read_conllu(tmp_path / "y.conllu.gz"), tmp_path / "y.conllu")
    assert (tmp_path / "y.conllu").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        "1\ta" + "\t_" * 4 + "\t0" + "\t_" * 3 + "\n\n1\tb" + "\t_" * 4 + "\t0" + "\t_" * 3,
        "\n\n1\ta" + "\t_" * 4 + "\t0" + "\t_" * 3 + "\r\n \t\r\n\r\n"
        "1\tb" + "\t_" * 4 + "\t0" + "\t_" * 3 + "\r\n",
    ],
)
def test_layouts(tmp_path: Path, text: str) -> None:
    found = list(read_conllu(file_of(tmp_path, text.encode())))
    assert found == [Sentence((Word("a", head=0),)), Sentence((Word("b", head=0),))]
    assert found[0].id == ""


ONE = row("1", "a", 0)


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ([ONE, "2\tb\tc"], 2, r"3 columns, not 10: '2\\tb\\tc'"),
        ([ONE.replace("\t", " ")], 1, "1 columns, not 10"),
        ([ONE + "\t_"], 1, "11 columns, not 10"),
        ([ONE, row("2", "", 1)], 2, "token 2: the column form is empty"),
        ([ONE, row("2", "b", "")], 2, "token 2: the column head is empty"),
        ([row("2", "a", 0)], 1, "the index '2' behind word 0"),
        ([ONE, row("1", "b", 1)], 2, "the index '1' behind word 1"),
        ([ONE, row("02", "b", 1)], 2, "the index '02' behind word 1"),
        ([ONE, row("x", "b", 1)], 2, "the index 'x'"),
        ([ONE, row("3-4", "b")], 2, "the index '3-4' behind word 1"),
        ([row("2-1", "b"), ONE], 1, "the index '2-1' behind word 0"),
        ([row("1-2", "b"), row("1-1", "c"), ONE], 2, "the index '1-1' behind word 0"),
        ([row("1-2", "b"), ONE, row("2-3", "c")], 3, "the index '2-3' behind word 1"),
        ([row("1-2", "b"), row("0.1", "c"), ONE], 2, "the index '0.1' behind word 0"),
        ([row("1-2", "ab"), ONE], 2, "token 1-2 has words that are not there"),
        ([ONE, row("1.2", "e")], 2, "the index '1.2' behind word 1"),
        ([ONE, row("2.1", "e")], 2, "the index '2.1' behind word 1"),
        ([ONE, "# comment"], 2, "a comment inside of a sentence"),
        ([row("1", "a", "0x")], 1, "token 1 'a': its head is '0x', which is no number"),
        ([row("1", "a", "00")], 1, "its head is '00', which is no number"),
        ([row("1", "a", "9" * 5000)], 1, "which is no number"),
        ([row("1", "a", "٣")], 1, "which is no number"),
        ([ONE, row("2", "b")], 2, "token 2 'b': it has no head"),
        ([ONE, row("2", "b", 3)], 2, "token 2 'b': its head is 3, and there are 2 words"),
        ([ONE, row("2", "b", 2)], 2, "token 2 'b': its heads run in a circle: 2 > 2"),
        (
            [ONE, row("2", "b", 4), row("3", "c", 2), row("4", "d", 3)],
            2,
            "token 2 'b': its heads run in a circle: 2 > 4 > 3 > 2",
        ),
        ([row("1", "a", 2), row("2", "b", 1)], 1, "its heads run in a circle: 1 > 2 > 1"),
        ([ONE, row("2", "b", 0)], 2, "token 2 'b': it is a second root beside token 1"),
        (["# text = nothing"], 1, "a sentence without words"),
        ([row("0.1", "e")], 1, "a sentence without words"),
    ],
)
def test_sentences_are_refused(tmp_path: Path, lines: list[str], line: int, message: str) -> None:
    path = file_of(tmp_path, [ONE, "", "# sent_id = bad", *lines, "", ONE])
    with pytest.raises(FormatError, match=message) as refused:
        list(read_conllu(path))
    place = line + 3
    assert (refused.value.path, refused.value.line, refused.value.item) == (str(path), place, "bad")
    assert refused.value.remedy
    errors: list[FormatError] = []
    assert len(list(read_conllu(path, on_error=errors.append))) == 2
    assert [error.line for error in errors] == [place]


def test_a_sentence_without_a_name_is_named_by_its_number(tmp_path: Path) -> None:
    path = file_of(tmp_path, [ONE, "", row("1", "a", 1)])
    with pytest.raises(FormatError, match="line 3: item 'sentence 2': token 1 'a'"):
        list(read_conllu(path))


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    path = file_of(tmp_path, ONE.replace("a", "\xf1").encode("latin-1"))
    with pytest.raises(FormatError, match=r"line 1: .*not UTF-8"):
        list(read_conllu(path))


@pytest.mark.parametrize("lines", [[], ["", " "]])
def test_a_file_without_sentences(tmp_path: Path, lines: list[str]) -> None:
    with pytest.raises(FormatError, match="there is no sentence in it"):
        list(read_conllu(file_of(tmp_path, lines)))


def test_tags_are_read_without_trees(tmp_path: Path) -> None:
    path = file_of(tmp_path, [row("1", "a"), row("2", "b", 9), "", row("1", "c", 1)])
    found = list(read_conllu(path, trees=False))
    assert [[word.head for word in sentence.words] for sentence in found] == [[None, 9], [1]]
    with pytest.raises(FormatError, match="without words"):
        list(read_conllu(file_of(tmp_path, ["# nothing"]), trees=False))


GOOD = Sentence((Word("a", head=0), Word("b", head=1)))
CELLS = ("x", *["_"] * 8)


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence(()),
        Sentence((Word("", head=0),)),
        Sentence((Word("a\tb", head=0),)),
        Sentence((Word("a\nb", head=0),)),
        Sentence((Word("a", head=-1),)),
        Sentence((Word("a", head=0, misc="x\r"),)),
        replace(GOOD, comments=("no comment",)),
        replace(GOOD, comments=("# a\n# b",)),
        replace(GOOD, multiword=(MultiwordToken(2, 3, CELLS),)),
        replace(GOOD, multiword=(MultiwordToken(1, 2, CELLS), MultiwordToken(1, 2, CELLS))),
        replace(GOOD, multiword=(MultiwordToken(1, 2, CELLS[1:]),)),
        replace(GOOD, empty=(EmptyNode(1, 2, CELLS),)),
        replace(GOOD, empty=(EmptyNode(3, 1, CELLS),)),
    ],
)
def test_what_could_not_be_read_is_not_written(tmp_path: Path, sentence: Sentence) -> None:
    with pytest.raises(ItemError) as refused:
        format_lines(sentence)
    assert refused.value.remedy
    with pytest.raises(FormatError, match="item 'sentence 2'"):
        write_conllu([GOOD, sentence], tmp_path / "x.conllu")


TEXT = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), min_size=1)
COMMENTS = st.one_of(TEXT, st.sampled_from([" sent_id = x", ""])).map("#{}".format)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    size = draw(st.integers(1, 4))
    heads = st.none() | st.integers(0, 9)
    words = [
        Word(*draw(st.tuples(*[TEXT] * 5)), draw(heads), *draw(st.tuples(*[TEXT] * 3)))
        for _ in range(size)
    ]
    columns = st.tuples(*[TEXT] * 9)
    multiword, first = [], 1
    while first <= size:
        last = draw(st.integers(first, size))
        if draw(st.booleans()):
            multiword.append(MultiwordToken(first, last, draw(columns)))
        first = last + 1
    empty = [
        EmptyNode(after, number, draw(columns))
        for after in range(size + 1)
        for number in range(1, draw(st.integers(0, 2)) + 1)
    ]
    comments = draw(st.lists(COMMENTS, max_size=2))
    return Sentence(tuple(words), tuple(comments), tuple(multiword), tuple(empty))


@given(st.lists(sentences(), min_size=1, max_size=2), st.sampled_from(["x.conllu", "x.gz"]))
def test_what_is_written_is_read(written: list[Sentence], name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        write_conllu(written, path)
        assert list(read_conllu(path, trees=False)) == written
        write_conllu(read_conllu(path, trees=False), Path(folder, f"again.{name}"))
        assert Path(folder, f"again.{name}").read_bytes() == path.read_bytes()
