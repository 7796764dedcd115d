"""Pictures of alignments: any alignment, the entries of a word, lattices, and `glyphone draw`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError, ItemError, UnknownName
from glyphone.data.records import Alignment
from glyphone.drawing.alignments import CERTAIN, WIDEST, AlignmentRow, lines_of, to_svg, unit_width
from glyphone.drawing.words import picture_of_aligned, picture_of_word
from tests.glyphone.alignments.support import LEXICON, cuts, run
from tests.glyphone.support import glyphone


def elements(svg: str, tag: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{tag}")


@given(cuts, st.text(max_size=5))
def test_any_alignment_can_be_drawn(alignment: Alignment, caption: str) -> None:
    svg = to_svg([AlignmentRow(alignment, caption)], title=caption)
    root = ElementTree.fromstring(svg)
    assert svg.count('<g class="unit">') == len(alignment.units)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for text in elements(svg, "text"):
        assert 0 < float(text.attrib["x"]) < width and 0 < float(text.attrib["y"]) < height
    for rect in list(elements(svg, "rect"))[1:]:
        assert float(rect.attrib["x"]) > 0
        assert float(rect.attrib["x"]) + float(rect.attrib["width"]) < width + 0.1
        assert float(rect.attrib["y"]) + float(rect.attrib["height"]) < height


def test_a_long_word_goes_on_in_a_new_line() -> None:
    row = AlignmentRow(Alignment(((("a",), ("b",)),) * 200), "ab" * 500)
    lines = list(lines_of(row))
    assert len(lines) > 5 and sum(map(len, lines)) == 200
    assert all(sum(unit_width(unit) for unit, _ in line) <= WIDEST for line in lines)
    (root,) = elements(to_svg([row]), "svg")
    assert float(root.attrib["width"]) < WIDEST + 100


def test_posteriors_stand_below_units_that_are_not_certain() -> None:
    alignment = Alignment(((("a",), ("x",)), (("b",), ())))
    svg = to_svg([AlignmentRow(alignment, "", (CERTAIN, 0.5))])
    texts = ["".join(text.itertext()) for text in elements(svg, "text")]
    assert texts == ["a", "x", "b", "ε", "0.5"]
    assert svg.count("stroke-dasharray") == 2


def test_drawing_the_entries_of_a_word(lexicon_folder: Path) -> None:
    Path("two.tsv").write_text(LEXICON + "phi\tf i\nphi\tf i\nlast\n", encoding="utf-8")
    svg = picture_of_word("two.tsv", "phi", "svg").decode()
    titles = ["".join(title.itertext()) for title in elements(svg, "title")]
    assert [title.split(",")[0] for title in titles] == ["ph:f", "i:aɪ", "ph:f", "i:i"]
    one = picture_of_word("two.tsv", "phi", "svg", target="f i", title="φ").decode()
    assert one.count('class="unit"') == 2 and one.count(">φ<") == 2
    with pytest.raises(UnknownName, match=r"no entry named 'fhi' \(did you mean hi or phi"):
        picture_of_word("two.tsv", "fhi", "svg")
    with pytest.raises(ItemError, match="cannot give 7 target symbols"):
        picture_of_word("two.tsv", "phi", "svg", target="f i f i f i f")
    with pytest.raises(UnknownName, match="no kind of picture of an alignment named 'dot'"):
        picture_of_word("two.tsv", "phi", "dot")


def test_drawing_a_lattice(lexicon_folder: Path) -> None:
    wide, narrow = (
        picture_of_word("lex.tsv", "fine", "dot", beam=beam).decode() for beam in (1e4, 0.0)
    )
    assert 'label="fine → f aɪ n"' in wide
    # Three units are three arcs; the others are in the wide one only.
    assert narrow.count(" -> ") == narrow.count("\\n1") == 3 < wide.count(" -> ")
    with pytest.raises(GlyphoneError, match="take a lower --beam"):
        picture_of_word("lex.tsv", "graph", "svg", beam=1e4, max_arcs=4)
    Path("two.tsv").write_text(LEXICON + "phi\tf i\n", encoding="utf-8")
    with pytest.raises(GlyphoneError, match="choose one by --target: 'f aɪ', 'f i'"):
        picture_of_word("two.tsv", "phi", "svg", beam=5)


def test_drawing_what_was_aligned(lexicon_folder: Path) -> None:
    assert run("lex.tsv", "-o", "out.tsv", "--nbest", "2").code == 0
    svg = picture_of_aligned("out.tsv", "phone", "svg").decode()
    assert svg.count("phone → f oʊ n") == 2
    assert picture_of_aligned("out.tsv", "phone", "svg", target="f oʊ n").decode() == svg
    with pytest.raises(UnknownName, match="no entry named 'phony'"):
        picture_of_aligned("out.tsv", "phony", "svg")
    with pytest.raises(UnknownName, match="no pronunciation of 'phone' named 'f o n'"):
        picture_of_aligned("out.tsv", "phone", "svg", target="f o n")


def test_the_verb_draw(lexicon_folder: Path) -> None:
    ran = glyphone("draw", "lex.tsv", "--align", "phi", "-o", "phi.svg")
    assert (ran.code, ran.err) == (0, "")
    assert Path("phi.svg").read_bytes() == picture_of_word("lex.tsv", "phi", "svg")
    assert run("lex.tsv", "-o", "out.tsv").code == 0
    ran = glyphone("draw", "out.tsv", "--aligned", "phi")
    assert ran.out.encode() == picture_of_aligned("out.tsv", "phi", "svg")
    ran = glyphone("draw", "lex.tsv", "--align", "phi", "--beam", "9", "--kind", "dot")
    assert ran.out.startswith("digraph")
    for wrong in ("--beam x", "--beam -1", "--beam nan", "--item phi", "--aligned phi"):
        assert glyphone("draw", "lex.tsv", "--align", "phi", *wrong.split()).code == 2
    for wrong in ("--aligned phi --beam 3", "--item phi --target f"):
        ran = glyphone("draw", "out.tsv", *wrong.split())
        assert ran.code == 2 and "--align" in ran.err


def test_png(lexicon_folder: Path) -> None:
    pytest.importorskip("resvg_py")
    assert picture_of_word("lex.tsv", "phi", "png").startswith(b"\x89PNG")
