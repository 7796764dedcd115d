"""Trees that read words from their end: what a forward model of words turned round says, turned."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.data.records import Alignment, Pair
from glyphone.data.writing import Writing
from glyphone.drawing.twigs import twig_of
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.fst.interface import directions as interface_directions
from glyphone.fst.interface.unknown_symbols import lenient
from glyphone.fst.lattices import path_kernels as lattice_path_kernels
from glyphone.fst.lattices.arrays import Lattice
from glyphone.models.explanation import explain
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.reasons import columns_of, rules_of
from glyphone.models.trees.training import fit_tree, train_tree
from tests.glyphone.models.trees.backward_trees import SETTINGS, model
from tests.glyphone.models.trees.twins import LEXICON, WORDS, options_of, outputs, paths

Spans = tuple[tuple[int, int], ...]


def twin_of(model: TreeModel) -> TreeModel:
    """A model with the trees and units of another that reads forward, for words turned round."""
    return replace(model, backward=False, left=model.right, right=model.left)


@pytest.fixture(params=SETTINGS)
def reader(request: pytest.FixtureRequest) -> TreeModel:
    return model(request.param)


def expected(model: TreeModel, word: str) -> dict[str, tuple[float, float]]:
    """All outputs with their costs and posteriors, by brute force on the word turned round."""
    found = outputs(twin_of(model), word[::-1])
    return {output[::-1]: both for output, both in found.items() if both[0] < math.inf}


def best_paths(model: TreeModel, word: str, output: str) -> list[tuple[int, ...]]:
    """The units, in the order of the word, of the best paths to an output, by brute force."""
    found = {
        units[::-1]: p
        for units, p in paths(twin_of(model), word[::-1])
        if p > 0 and "".join("".join(y) for _, y in model.alignment(units[::-1]).units) == output
    }
    return [units for units, p in found.items() if p > max(found.values()) * (1 - 1e-5)]


def spans_of(alignment: Alignment) -> Spans:
    """An output comes from the letter that writes it and the silent ones behind; the first of a
    word also from those before."""
    found: list[list[int]] = []
    for place, (_, written) in enumerate(alignment.units):
        if written:
            found += [[place if found else 0, place + 1]] * len(written)
        elif found:
            found = [[begin, place + 1 if end == place else end] for begin, end in found]
    return tuple((begin, end) for begin, end in found)


def test_the_twin_of_spans_knows_what_it_is_about() -> None:
    units = ((("h",), ()), (("x",), ("k", "s")), (("h",), ()), (("a",), ("a",)), (("h",), ()))
    assert spans_of(Alignment(units)) == ((0, 3), (0, 3), (3, 5))


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_every_answer_is_that_of_the_word_turned_round(
    reader: TreeModel, temperature: float
) -> None:
    warm = replace(reader, temperature=temperature)
    for word in WORDS:
        wanted = expected(warm, word)
        found = warm.nbest(word, len(wanted) + 5)
        assert {one.output for one in found} == set(wanted)
        for one in found:
            assert one.cost == pytest.approx(wanted[one.output][0], abs=1e-5)
            assert one.posterior == pytest.approx(wanted[one.output][1], abs=1e-5)
            assert "".join(one.symbols) == one.output
        best = warm(word)
        assert best.cost == pytest.approx(found[0].cost, abs=1e-5)
        assert (best.output, best.spans) == (found[0].output, found[0].spans)


def test_spans_follow_from_the_best_path_in_both_directions() -> None:
    for name in SETTINGS:
        one = model(name)
        for word in (*WORDS, *LEXICON, "hhxhhaxh", "hh"):
            for answer in (one(word), *one.nbest(word, 4)):
                ways = best_paths(one, word, answer.output)
                assert answer.spans in {spans_of(one.alignment(units)) for units in ways}
    forward = model("one", backward=False)
    for word in LEXICON:
        best = forward(word)
        assert best.spans == spans_of(forward.score(word, best.output).alignment)


def test_pairs_are_scored_by_all_their_paths(reader: TreeModel) -> None:
    for word in WORDS:
        wanted = expected(reader, word)
        places = [answer.output for answer in reader.nbest(word, 100)]
        for output in places[:6]:
            scored = reader.score(word, output)
            assert scored.posterior == pytest.approx(wanted[output][1], abs=1e-5)
            assert scored.log_probability == pytest.approx(math.log(wanted[output][1]), abs=1e-4)
            assert scored.rank == places.index(output) + 1
            units = reader.best_units(word, tuple(output))
            assert tuple(units) in best_paths(reader, word, output)
            assert scored.alignment == reader.alignment(units)
            assert scored.alignment.pair == Pair(tuple(word), tuple(output))
    assert reader.score("c", "a").log_probability == -math.inf


def ways(lattice: Lattice, state: int = 0) -> Iterator[tuple[list[int], float]]:
    """All paths of a lattice from a state on: arcs and costs."""
    if lattice.finals[state] < math.inf:
        yield [], float(lattice.finals[state])
    for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
        for arcs, cost in ways(lattice, int(lattice.targets[arc])):
            yield [arc, *arcs], cost + float(lattice.costs[arc])


def told(lattice: Lattice, n: int, *, turned: bool) -> list[tuple[str, tuple[int, ...], float]]:
    """The output of each path, its length for each letter, and its cost."""
    found = []
    for arcs, cost in ways(lattice):
        reads = [int(place) for place in lattice.begins[arcs] if place >= 0]
        assert reads == list(range(n)), "letters are read in order, each once"
        assert not arcs or lattice.begins[arcs[0]] == 0, "a letter is read before it is written"
        sizes = [0] * n
        for place, label in zip(
            np.maximum.accumulate(lattice.begins[arcs]), lattice.labels[arcs], strict=True
        ):
            sizes[place] += int(label != 0)
        labels = [str(label) for label in lattice.labels[arcs].tolist() if label]
        both = [row[::-1] if turned else row for row in (labels, sizes)]
        found.append((" ".join(map(str, both[0])), tuple(map(int, both[1])), round(cost, 6)))
    return sorted(found)


def test_lattices_are_turned_round(reader: TreeModel) -> None:
    for word in WORDS[:-1]:
        lattice, forward = reader.lattice(word), twin_of(reader).lattice(word[::-1])
        assert told(lattice, len(word), turned=False) == told(forward, len(word), turned=True)
        best = reader(word)
        output = np.array([reader.target.symbols[phone] for phone in best.symbols], np.int32)
        arcs, cost, _ = lattice_path_kernels.trace_output(lattice, output)
        assert cost == pytest.approx(best.cost, abs=1e-5)
        begins, ends = lattice_path_kernels.output_spans(lattice, arcs)
        paths_ = best_paths(reader, word, best.output)
        own = tuple(zip(begins.tolist(), ends.tolist(), strict=True))
        assert own in {spans_of(reader.alignment(units)) for units in paths_}


def test_learning_is_that_of_words_turned_round() -> None:
    alignments = [
        Alignment(units)
        for word, said in LEXICON.items()
        for units in [model("one").score(word, said).alignment.units]
        if units
    ]
    turned = [interface_directions.turn_alignment(one, backward=True) for one in alignments]
    assert [one.pair.source[::-1] for one in turned] == [one.pair.source for one in alignments]
    settings = {"previous": 2, "trees": 2}
    backward = train_tree(alignments, options_of(left=1, right=2, backward=True, **settings))
    forward = train_tree(turned, options_of(left=2, right=1, backward=False, **settings))
    assert backward.units.targets == forward.units.targets
    for one, other in zip(backward.trees, forward.trees, strict=True):
        assert all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))
    assert twin_of(backward).fingerprint() == forward.fingerprint() != backward.fingerprint()


# An a is read by the phone behind it, which the letters around do not tell.
BEHIND = {"ao": ("eu", "ix"), "bao": ("beu", "bix"), "aob": ("eub", "ixb")}


def test_explanations_are_in_the_order_of_the_word() -> None:
    pairs = [Pair(tuple(word), tuple(said)) for word, both in BEHIND.items() for said in both]
    alignment = AlignmentOptions(max_source=1, max_target=1)
    options = options_of(previous=1, smoothing=0.0, widen=False, alignment=alignment)
    one = fit_tree(pairs, options, target=Writing()).model
    first = explain(one, "bao")[0]
    assert [unit.letters for unit in first.units] == list("bao")
    assert first.units[0].phones == "b"
    vowel = {"u": "e", "x": "i"}
    for explanation in explain(one, "bao", n=2):
        said = explanation.hypothesis.output
        assert said[1] == vowel[said[2]]
        assert f"wrote1 in {{{said[2]}}}" in explanation.units[1].because
        total = sum(unit.cost for unit in explanation.units)
        assert total == pytest.approx(explanation.hypothesis.cost, abs=1e-5)
    for name in SETTINGS:
        for explanation in explain(model(name), "chaxi", n=3):
            wanted = expected(model(name), "chaxi")[explanation.hypothesis.output][0]
            assert sum(unit.cost for unit in explanation.units) == pytest.approx(wanted, abs=1e-4)
            assert [unit.letters for unit in explanation.units] == list("chaxi")
            assert all("letter in {" in unit.because[0] for unit in explanation.units)


def test_left_and_right_are_those_of_the_page() -> None:
    """c is s before i, x is S after a; and what x writes is told in the order of the output."""
    words = {"ci": "s i", "ca": "k a", "ax": "a S", "ix": "i ks", "icic": "i s i k", "xo": "ks o"}
    alignments = [
        Alignment(tuple(((x,), tuple(y)) for x, y in zip(word, said.split(), strict=True)))
        for word, said in words.items()
    ]
    options = options_of(left=1, right=1, previous=1, splits="questions", backward=True)
    one = train_tree(alignments, options, target=Writing())
    lines = one.export_rules().splitlines()
    assert "right1 in {i}, letter in {c} -> c:s (2, 0)" in lines
    assert "letter in {x}, left1 in {a} -> x:S (1, 0)" in lines
    assert "letter in {x}, left1 not in {a} -> x:ks (2, 0)" in lines
    assert len(rules_of(one)) == len(lines)
    assert "ks" in columns_of(one).symbols[-1]
    twig = twig_of(one, letter="x")
    assert (twig.text, {below.text for below in twig.below}) == ("left1", {"S", "k s"})
    told = explain(one, "ix")[0].units[1]
    assert (told.phones, told.because) == ("ks", ("letter in {x}", "left1 not in {a}"))


def rows(model: TreeModel, texts: Sequence[str], *, n: int) -> list[Any]:
    found = model.answer(texts, n=n, spans=True)
    return [
        [(h.output, h.symbols, h.spans, round(h.cost, 9), round(h.posterior, 9)) for h in answers]
        for answers in map(found.hypotheses, range(len(texts)))
    ]


def test_both_tiers_answer_alike(reader: TreeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*WORDS, *LEXICON, "?", "occixhacho" * 3]
    found, lattices_ = [], []
    for budget in (1 << 60, -1):
        monkeypatch.setattr(jit, "PLAIN_BUDGET", budget)
        found.append([rows(reader, texts, n=n) for n in (1, 4)])
        lattices_.append(told(reader.lattice("axh"), 3, turned=False))
    assert found[0] == found[1] and lattices_[0] == lattices_[1]


def test_unknown_letters_and_blocks() -> None:
    one = model("one")
    assert lenient(one, "pass")("a?x").symbols == (*one("a").symbols, "?", *one("x").symbols)
    words = [*LEXICON] * 30
    answers = [[h and h.output for h in one.apply(words, jobs=jobs)] for jobs in (1, 2)]
    assert answers[0] == answers[1] == [one(word).output for word in words]
    with pytest.raises(GlyphoneError, match=r"no inverse.*columns exchanged"):
        one.invert()
