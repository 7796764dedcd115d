"""Tree models beside their plain twin: every path, every posterior, every rank."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.kernels import jit
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.unknown_symbols import lenient
from glyphone.models.explanation import explain
from glyphone.models.trees.model import TreeModel
from tests.glyphone.models.trees.twins import LEXICON, WORDS, model_of, options_of, outputs, paths

SETTINGS: dict[str, dict[str, Any]] = {
    "alone": {},
    "looks back": {"previous": 2, "backward": False},
    "several": {"trees": 3},
    "several look back": {"trees": 3, "previous": 1, "backward": False, "method": "forest"},
    "unsmoothed": {"smoothing": 0.0, "previous": 1, "backward": False},
    "small": {"confidence": 0.01, "min_leaf": 3.0, "splits": "questions", "left": 0},
}


@cache
def model(name: str) -> TreeModel:
    return model_of(options_of(**SETTINGS[name]))


@pytest.fixture(params=SETTINGS)
def exact(request: pytest.FixtureRequest) -> TreeModel:
    return model(request.param).exact()


def ranking(found: dict[str, tuple[float, float]]) -> list[str]:
    possible = [output for output, (cost, _) in found.items() if cost < math.inf]
    return sorted(possible, key=lambda output: found[output][0])


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_every_answer_has_its_cost_and_posterior(exact: TreeModel, temperature: float) -> None:
    warm = replace(exact, temperature=temperature)
    for word in WORDS:
        expected = outputs(warm, word)
        found = warm.nbest(word, len(expected) + 5)
        assert {one.output for one in found} == {*ranking(expected)}
        costs = [one.cost for one in found]
        assert costs == sorted(costs)
        for one in found:
            cost, posterior = expected[one.output]
            assert one.cost == pytest.approx(cost, abs=1e-5)
            assert one.posterior == pytest.approx(posterior, abs=1e-5)


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_the_best_answer_alone_is_the_first_of_many(exact: TreeModel, temperature: float) -> None:
    warm = replace(exact, temperature=temperature)
    for word in (*WORDS, *LEXICON):
        best, first = warm(word), warm.nbest(word, 3)[0]
        assert (best.output, best.spans) == (first.output, first.spans)
        assert best.cost == pytest.approx(first.cost, abs=1e-5)
        assert best.posterior == pytest.approx(first.posterior, abs=1e-5)
        assert best.cost == pytest.approx(min(c for c, _ in outputs(warm, word).values()), abs=1e-5)


def test_pairs_are_scored_by_all_their_paths(exact: TreeModel) -> None:
    for word in WORDS:
        found = outputs(exact, word)
        for rank, output in enumerate(ranking(found)[:8], 1):
            scored = exact.score(word, output)
            assert -scored.log_probability == pytest.approx(-math.log(found[output][1]), abs=1e-5)
            assert scored.posterior == pytest.approx(found[output][1], abs=1e-5)
            assert scored.rank is not None and abs(scored.rank - rank) <= len(found)
            best = [units for units, p in paths(exact, word) if p > 0]
            best = [units for units in best if written(exact, units) == output]
            costs = {units: p for units, p in paths(exact, word) if units in best}
            units = exact.best_units(word, exact.target.writing.split(output).symbols)
            assert costs[tuple(units)] == pytest.approx(max(costs.values()), rel=1e-4)
            assert exact.alignment(units) == scored.alignment
    assert exact.score("c", "a").log_probability == -math.inf


def written(model: TreeModel, units: tuple[int, ...]) -> str:
    return model.target.join(
        model.target.decode([label for u in units for label in model.units.targets[u]])
    )


def test_the_rank_is_the_place_among_the_best() -> None:
    for name in ("alone", "looks back"):
        one = model(name).exact()
        for word in ("chx", "aci"):
            places = {answer.output: rank for rank, answer in enumerate(one.nbest(word, 100), 1)}
            for output, rank in places.items():
                assert one.score(word, output).rank == rank
        assert one.score("aci", "asi", depth=0).rank is None


def test_posteriors_of_pairs_at_a_temperature() -> None:
    for name in ("alone", "several look back"):
        warm = replace(model(name), temperature=2.0)
        found = outputs(warm, "ixh")
        best = ranking(found)[0]
        scored = warm.score("ixh", best)
        assert scored.posterior == pytest.approx(found[best][1], abs=1e-5)
        assert scored.log_probability == model(name).score("ixh", best).log_probability


def test_a_beam_only_loses(exact: TreeModel) -> None:
    words = [*WORDS, *LEXICON, "occixhacho"]
    costs = [exact(word).cost for word in words]
    for beam in (0.0, 0.5, 2.0):
        near = [replace(exact, beam=beam)(word) for word in words]
        assert all(one.cost >= cost - 1e-6 for one, cost in zip(near, costs, strict=True))
        assert all(one.posterior <= 1 for one in near)
        assert len(replace(exact, beam=beam).nbest("chx", 4)) == len(exact.nbest("chx", 4))


def test_lattices_hold_all_paths(exact: TreeModel) -> None:
    from glyphone.fst.lattices import sum_kernels as lattice_sum_kernels

    for word in WORDS:
        _, masses = lattice_sum_kernels.backward_sums(exact.lattice(word))
        assert masses[0] == pytest.approx(0, abs=1e-5)


def test_both_tiers_answer_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*WORDS, *LEXICON, "?", "occixhacho" * 3]
    for name in SETTINGS:
        for temperature in (1.0, 1.7):
            one = replace(model(name), temperature=temperature)
            for n, spans in ((1, False), (1, True), (4, True)):
                monkeypatch.setattr(jit, "PLAIN_BUDGET", 1 << 60)
                plain = one.answer(texts, n=n, spans=spans)
                monkeypatch.setattr(jit, "PLAIN_BUDGET", -1)
                assert rows(one.answer(texts, n=n, spans=spans)) == rows(plain)
            monkeypatch.setattr(jit, "PLAIN_BUDGET", 1 << 60)
            scored = one.score("aci", "asi")
            monkeypatch.setattr(jit, "PLAIN_BUDGET", -1)
            again = one.score("aci", "asi")
            assert again.log_probability == pytest.approx(scored.log_probability, abs=1e-12)
            assert (again.rank, again.alignment) == (scored.rank, scored.alignment)


def rows(answers: Answers) -> list[Any]:
    found = [
        (h.output, round(h.cost, 9), round(h.posterior, 9), h.spans, h.symbols)
        for item in range(len(answers.firsts) - 1)
        for h in answers.hypotheses(item)
    ]
    return [found, answers.firsts, sorted(answers.failures)]


def test_equally_probable_units_are_told_apart_everywhere() -> None:
    from glyphone.data.records import Pair
    from glyphone.data.writing import Writing
    from glyphone.models.trees.training import fit_tree

    pairs = [Pair(("a",), (phone,)) for phone in "zyx"]
    for changed in ({}, {"previous": 1}, {"trees": 3, "method": "forest"}):
        one = fit_tree(pairs, options_of(**changed), target=Writing()).model
        assert one("aaa").output == one.nbest("aaa", 30)[0].output == "xxx"
        assert one("aaa").posterior == pytest.approx(1 / 27, abs=1e-5)
        assert one.trees[0].decisions[1] == 0


def test_blocks_do_not_depend_on_jobs() -> None:
    words = [*LEXICON] * 30
    for name in ("alone", "looks back"):
        one, two = (
            [h and h.output for h in model(name).apply(words, jobs=jobs)] for jobs in (1, 2)
        )
        assert one == two


def test_long_words_and_unknown_letters() -> None:
    for name in ("alone", "several look back"):
        long = "occixhachox" * 60
        best = model(name)(long)
        assert len(best.symbols) == len(best.spans) > 300
        assert 0 <= best.posterior <= 1 and math.isfinite(best.cost)
        with pytest.raises(ItemError, match=r"'q' U\+0071.*not in the alphabet"):
            model(name)("aqa")
        assert lenient(model(name), "skip")("aqca").output == model(name)("aca").output


def test_trees_have_no_inverse() -> None:
    with pytest.raises(GlyphoneError, match=r"no inverse.*columns exchanged"):
        model("alone").invert()


def test_fingerprints_tell_models_apart() -> None:
    found = {model(name).fingerprint() for name in SETTINGS}
    found |= {replace(model("alone"), temperature=2.0).fingerprint()}
    found |= {model("alone").exact().fingerprint()}
    assert len(found) == len(SETTINGS) + 2


def test_explanations_say_what_was_found_around_each_letter() -> None:
    for name in SETTINGS:
        for explanation in explain(model(name), "chaxi", n=3):
            best = min(
                -math.log(p)
                for units, p in paths(model(name), "chaxi")
                if p > 0 and written(model(name), units) == explanation.hypothesis.output
            )
            assert sum(unit.cost for unit in explanation.units) == pytest.approx(best, abs=1e-4)
            assert [unit.letters for unit in explanation.units] == list("chaxi")
            assert all(unit.because[0].startswith("letter in {") for unit in explanation.units)
    text = str(explain(model("looks back"), "ci")[0])
    assert text.splitlines()[0].startswith("ci → si")
    assert "letter in {i}, left1 in {c}" in text.splitlines()[2]


def test_rules_decide_as_the_tree() -> None:
    from glyphone.learners.trees.rules import match_rules, parse_rule
    from glyphone.models.trees.reasons import columns_of, names_of

    one = model("alone")
    rules = [parse_rule(line) for line in one.export_rules().splitlines()]
    names, columns = names_of(one), columns_of(one)
    for word in WORDS[1:]:
        letters = [one.source.symbols[letter] for letter in word]
        padded = [0] * one.left + letters + [0] * one.right
        phones = ""
        for place in range(len(word)):
            codes = padded[place : place + len(names)]
            row = {
                name: symbols[code]
                for name, symbols, code in zip(names, columns.symbols, codes, strict=True)
            }
            phones += match_rules(rules, row).split(":")[1].replace("∅", "")
        assert phones == one(word).output


def test_nodes_decide_for_the_unit_that_is_answered() -> None:
    for name in ("alone", "small"):
        one = model(name)
        bests, rows = one.cold.bests, one.cold.rows
        assert np.array_equal(one.trees[0].decisions[rows >= 0], bests[rows >= 0])
