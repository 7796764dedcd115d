"""Explanations end where the transducer ends, or say only what is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.data.errors import CycleError, ItemError, NoOutput
from glyphone.data.records import Alignment, Pair
from glyphone.data.writing import Writing
from glyphone.fst.interface.model import Model
from glyphone.fst.joint.training import fit_joint, train_joint
from glyphone.models.explanation import explain


def model(toy: Path, rule: str) -> Model:
    return catalog_names.load(f"{toy}:{rule}")


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
    foreign = catalog_names.load(f"{path}:X")
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


def test_a_learned_model_shows_its_units_and_what_each_costs() -> None:
    words = [(("ph", "f"), ("i", "i")), (("p", "p"), ("i", "i")), (("h", ""), ("i", "i j"))]
    rows = [Alignment(tuple((tuple(x), tuple(y.split())) for x, y in word)) for word in words]
    learned = train_joint(rows, source=Writing(), target=Writing("token"), order=3)
    found = explain(learned, "phi", n=9)
    assert [str(unit) for unit in found[0].units] == ["ph : f", "i : i", "end"]
    assert str(found[0]).splitlines()[0].startswith("phi → f i   posterior 0.")
    assert len({explanation.hypothesis.output for explanation in found}) == 4
    for explanation in found:
        costs = sum(unit.cost for unit in explanation.units)
        assert costs == pytest.approx(explanation.hypothesis.cost, abs=1e-5)
        assert "".join(unit.letters for unit in explanation.units) == "phi"
        phones = " ".join(unit.phones for unit in explanation.units if unit.phones)
        assert phones == explanation.hypothesis.output
    first, second = found[0].units[:2]
    assert -learned.ngrams.log_prob([learned.ngrams.begin], 3) == pytest.approx(first.cost)
    rows_shown = str(found[0]).splitlines()[1:]
    assert rows_shown[0] == f"  ph : f  {first.cost:6.3f}"
    assert rows_shown[1] == f"  i : i   {second.cost:6.3f}"
    silent = next(e for e in found if any(not u.phones for u in e.units[:-1]))
    assert "  h : ∅ " in str(silent)
    inverted = explain(learned.invert(), "f i")
    assert str(inverted[0].units[0]) == "f : ph"
    with pytest.raises(ItemError, match="'q'"):
        explain(learned, "q")
    with pytest.raises(NoOutput):
        explain(learned.invert(), "j j j")


def test_with_windows_the_costs_of_units_are_that_of_the_answer() -> None:
    lexicon = {"phi": "f i", "hi": "h i", "pi": "p i", "hip": "h i p", "pip": "p i p"}
    pairs = [Pair(tuple(word), tuple(phones.split())) for word, phones in lexicon.items()] * 4
    learned = fit_joint(pairs).model
    assert learned.windows is not None
    for explanation in explain(learned, "phip", n=3):
        costs = sum(unit.cost for unit in explanation.units)
        assert costs == pytest.approx(explanation.hypothesis.cost, abs=1e-4)
