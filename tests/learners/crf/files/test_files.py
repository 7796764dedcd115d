"""Models of other programs: read, written, and the same weights in the same places."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.records import Sequence
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.crf.files.crfsuite import read_crfsuite, write_crfsuite
from glyphone.learners.crf.files.listed import WeightList
from glyphone.learners.crf.files.wapiti import read_wapiti, write_wapiti

SENTENCES = [["la", "casa", "é"], ["é", "la"], ["casa", "casa", "la"]] * 3
TAGS = [["D", "N", "V"], ["V", "D"], ["N", "A", "D"]] * 3
TEMPLATES = "*:%x[0,0]\nu1:%x[-1,0]\nb"
# As Wapiti writes it: two labels, a test of labels, one of pairs, one of both.
WAPITI = """#mdl#2#4
#rdr#3/0/0
9:u:%x[0,0],
1:b,
9:*:%x[0,0],
#qrk#2
1:N,
2:é,
#qrk#3
3:u:a,
1:b,
4:*:ß,
1=0x1.8p+0
4=-0x1p-1
7=0x1p+0
10=0x1p+1
"""
CRFSUITE = """FILEHEADER = {
  magic: lCRF
}

LABELS = {
      0: X
      1: Y --> Z
}

ATTRIBUTES = {
      0: a:1
      1: c --> d
}

TRANSITIONS = {
  (1) X --> Y --> Z: 0.092337
  (1) Y --> Z --> X: -0.435752
}

STATE_FEATURES = {
  (0) a:1 --> X: 1.018825
  (0) c --> d --> Y --> Z: 2.000000
}


"""


def learner(templates: str = TEMPLATES, **options: float) -> SequenceCRF:
    return SequenceCRF(templates=templates, rho1=0.05, **options).fit(SENTENCES, TAGS)


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "model.txt")


def test_numbers_of_wapiti(path: str) -> None:
    Path(path).write_text(WAPITI, "utf-8")
    found = WeightList.of(read_wapiti(path).model_)
    assert found.labels == ("N", "é")
    assert found.unigrams == [("u:a", "é", 1.5), ("*:ß", "é", 1.0)]
    assert found.bigrams == [("b", "é", "N", -0.5), ("*:ß", "é", "N", 2.0)]


def test_wapiti_there_and_back(path: str) -> None:
    before = learner()
    write_wapiti(before, path)
    after = read_wapiti(path)
    assert after.templates == before.templates
    one, other = WeightList.of(before.model_), WeightList.of(after.model_)
    assert {*one.unigrams} == {*other.unigrams} and {*one.bigrams} == {*other.bigrams}
    for found, wanted in zip(
        after.predict_marginals(SENTENCES), before.predict_marginals(SENTENCES), strict=True
    ):
        assert found == pytest.approx(wanted)


def test_wapiti_of_a_function_has_no_patterns(path: str) -> None:
    def tests(sequence: Sequence) -> list[list[str]]:
        return [[f"u:{token}"] for token in sequence.tokens]

    write_wapiti(learner(tests), path)  # type: ignore[arg-type]
    assert "#rdr#0/0/0" in Path(path).read_text("utf-8")
    with pytest.raises(FormatError, match="has no patterns"):
        read_wapiti(path)
    found = read_wapiti(path, templates=tests)
    assert found.predict([["la", "casa"]]) == [("D", "N")]


def test_wapiti_has_columns_by_number(path: str) -> None:
    sentence = Sequence(("a", "b"), {"pos": ("x", "y")}, ("A", "B"))
    write_wapiti(SequenceCRF(templates="u:%x[0,1]").fit([sentence]), path)
    assert "#rdr#1/1/0" in Path(path).read_text("utf-8")
    with pytest.raises(GlyphoneError, match=r"knows no column 'pos' .*by number"):
        write_wapiti(SequenceCRF(templates="u:%x[0,pos]").fit([sentence]), path)


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("#mdl#2#4", "#mdl#1#4", "no conditional random field"),
        ("#mdl#2#4", "# a CRF", "line 1.*no model of Wapiti"),
        ("2:é,", "1:é,", "line 8.*no text with its length"),
        ("4=-0x1p-1", "4=-0.5", "line 14.*no weight of 12"),
        ("10=0x1p+1", "12=0x1p+1", "line 16.*no weight of 12"),
        ("10=0x1p+1\n", "", "has 3 weights instead of 4"),
        ("#qrk#3\n", "#qrk#30\n", "no text with its length"),
    ],
)
def test_broken_models_of_wapiti(path: str, before: str, after: str, line: str) -> None:
    assert before in WAPITI
    Path(path).write_text(WAPITI.replace(before, after), "utf-8")
    with pytest.raises(FormatError, match=line):
        read_wapiti(path)


def test_arrows_in_labels_of_crfsuite(path: str) -> None:
    Path(path).write_text(CRFSUITE, "utf-8")
    found = WeightList.of(read_crfsuite(path, templates="b").model_)
    assert found.labels == ("X", "Y --> Z")
    assert found.unigrams == [("ua:1", "X", 1.018825), ("uc --> d", "Y --> Z", 2.0)]
    assert found.bigrams == [("b", "X", "Y --> Z", 0.092337), ("b", "Y --> Z", "X", -0.435752)]


def test_crfsuite_there_and_back(path: str) -> None:
    templates = "u:%x[0,0]\nu1:%x[-1,0]\nb"
    before = learner(templates)
    write_crfsuite(before, path)
    after = read_crfsuite(path, templates=templates)
    for found, wanted in zip(
        after.predict_marginals(SENTENCES), before.predict_marginals(SENTENCES), strict=True
    ):
        assert found == pytest.approx(wanted, abs=1e-5)


def test_what_crfsuite_cannot_hold(path: str) -> None:
    with pytest.raises(GlyphoneError, match=r"pairs of labels alone.*write_wapiti"):
        write_crfsuite(learner(), path)


@pytest.mark.parametrize("line", ["  (0) a:1 --> Q: 1.0", "nonsense", "  (1) X --> X: one"])
def test_broken_models_of_crfsuite(path: str, line: str) -> None:
    Path(path).write_text(CRFSUITE.replace("  (0) a:1 --> X: 1.018825", line), "utf-8")
    with pytest.raises(FormatError, match=r"line 21.*no line of a model of CRFsuite"):
        read_crfsuite(path, templates="b")
    Path(path).write_text("", "utf-8")
    with pytest.raises(FormatError, match="is no model of CRFsuite"):
        read_crfsuite(path, templates="b")


def test_weights_told_twice_are_one() -> None:
    listed = WeightList(("A",), [("u", "A", 1.0), ("v", "A", 3.0), ("u", "A", 0.5)], [])
    model = listed.model()
    assert model.weights.tolist() == [1.5, 3.0]
    assert np.array_equal(model.space.unigrams.cells, [0, 0])
