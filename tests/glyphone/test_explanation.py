"""Explanations end where the transducer ends, or say only what is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone import catalog
from glyphone.data.errors import CycleError, ItemError, NoOutput
from glyphone.explanation import explain
from glyphone.fst.model import Model


def model(toy: Path, rule: str) -> Model:
    return catalog.load(f"{toy}:{rule}")


def test_each_rule_that_fired_and_the_string_after_it(toy: Path) -> None:
    (found,) = explain(model(toy, "PLAIN"), "Chac hña")
    assert str(found).splitlines() == [
        "Chac hña → tʃ a k | ɲ a",
        "  c h a c   h ñ a",
        "  tʃ a c   h ñ a     1: c h -> tʃ  at 0-2  ; a digraph",
        "  tʃ a k   h ñ a     2: c -> k  at 2",
        "  tʃ a k   ñ a       3: h -> ∅  at 4  ; silent",
        "  tʃ a k   ɲ a       4: ñ -> ɲ  at 4",
        "  tʃ a k | ɲ a       5: \\ -> \\|  at 3",
    ]


def test_every_answer_has_its_own_way(toy: Path) -> None:
    found = explain(model(toy, "MANY"), "bab", n=9)
    assert [explanation.hypothesis.output for explanation in found] == [
        "b a b", "b a c", "c a b", "c a c",
    ]  # fmt: skip
    for explanation in found:
        assert explanation.fired is not None
        assert explanation.fired[-1].after == explanation.hypothesis.symbols
    assert [str(e).split("   posterior ")[1].split("\n")[0] for e in found] == [
        "0.562", "0.188", "0.188", "0.0625",
    ]  # fmt: skip


def test_a_word_that_no_rule_touches(toy: Path) -> None:
    assert str(explain(model(toy, "MANY"), "a")[0]) == "a → a\n  a"
    assert str(explain(model(toy, "MANY"), "")[0]).split("\n")[0] == " → "


def test_an_inverted_model_shows_its_rules_from_the_answer_to_the_text(toy: Path) -> None:
    found = explain(model(toy, "MANY").invert(), "c a", n=2)
    assert {explanation.hypothesis.output for explanation in found} == {"ba", "ca"}
    from_b = next(e for e in found if e.hypothesis.output == "ba")
    assert str(from_b).splitlines()[1:] == [
        "  the rules, from the answer to the text:",
        "  b a",
        "  c a    1: b -> b <0.75> | c <0.25>  at 0",
    ]


def test_a_transducer_that_does_not_know_its_rules_shows_its_alignment(tmp_path: Path) -> None:
    pynini = pytest.importorskip("pynini")
    path = tmp_path / "bytes.far"
    with pynini.Far(str(path), "w") as far:
        far["X"] = pynini.cross("ñ", "nj") + pynini.accep("o")
    foreign = catalog.load(f"{path}:X")
    assert str(explain(foreign, "ño")[0]).splitlines()[0] == "ño → njo"
    assert explain(foreign, "ño")[0].fired is None
    assert str(explain(foreign.invert(), "njo")[0]).splitlines()[0] == "njo → ño"


def test_words_that_have_no_answer(toy: Path) -> None:
    with pytest.raises(ItemError, match=r"'q' U\+0071 .LATIN SMALL LETTER Q. is not"):
        explain(model(toy, "PLAIN"), "aq")
    with pytest.raises(NoOutput, match="every symbol is known"):
        explain(model(toy, "PARTIAL"), "b")
    with pytest.raises(CycleError, match="while h is written again"):
        explain(model(toy, "PLAIN").invert(), "a")
