"""Composed models against a twin that enumerates everything."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import NoOutput
from glyphone.data.kernels import jit
from glyphone.fst.composed import decoding_kernels as composed_decoding_kernels
from glyphone.fst.composed.model import ComposedModel
from glyphone.fst.joint.search import scratch_for
from tests.fst.composed.twins import composed_models, composed_relation, random_composed
from tests.fst.joint.examples import near, text
from tests.fst.joint.twins import Labels, best_costs, labels_of, shares, strings
from tests.fst.support import lattice_paths, mass


def outputs_of(model: ComposedModel, answers: list[str]) -> list[Labels]:
    return [labels_of(dict(model.target.symbols), answer) for answer in answers]


@settings(max_examples=80, deadline=None)
@given(composed_models, strings, st.integers(1, 4))
def test_the_n_best_are_those_of_the_twin(model: ComposedModel, string: Labels, n: int) -> None:
    expected = composed_relation(model, string)
    found = model.nbest(text(string), n)
    assert [one.cost for one in found] == near_all(best_costs(expected)[:n])
    posteriors = shares(expected, model.joint.temperature)
    for one, output in zip(found, outputs_of(model, [one.output for one in found]), strict=True):
        assert one.cost == near(min(expected[output]))
        assert one.posterior == pytest.approx(posteriors[output], rel=1e-4, abs=1e-6)
        assert all(0 <= a <= b <= len(string) for a, b in one.spans)


def near_all(values: list[float]) -> object:
    return pytest.approx(values, rel=1e-5, abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(composed_models, strings)
def test_one_answer_without_spans_is_the_first_of_several(
    model: ComposedModel, string: Labels
) -> None:
    answers = model.answer([text(string)])
    if not composed_relation(model, string):
        assert isinstance(answers.failures[0], NoOutput)
        return
    best = model.nbest(text(string), 2)[0]
    assert answers.outputs == [best.output]
    assert answers.costs == near_all([best.cost])
    assert answers.posteriors == pytest.approx([best.posterior], rel=1e-5, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(composed_models, strings)
def test_the_lattice_is_the_relation(model: ComposedModel, string: Labels) -> None:
    expected = composed_relation(model, string)
    if not expected:
        with pytest.raises(NoOutput):
            model.lattice(text(string))
        return
    found: dict[Labels, list[float]] = {}
    for output, cost, _ in lattice_paths(model.lattice(text(string))):
        found.setdefault(output, []).append(cost)
    found = {output: costs for output, costs in found.items() if min(costs) < math.inf}
    assert found.keys() == expected.keys()
    for output, costs in expected.items():
        assert mass(found[output]) == near(mass(costs))
        assert min(found[output]) == near(min(costs))


@settings(max_examples=60, deadline=None)
@given(composed_models, strings)
def test_scores(model: ComposedModel, string: Labels) -> None:
    expected = composed_relation(model, string)
    posteriors = shares(expected, model.joint.temperature)
    names = model.target.names
    for output in [*sorted(expected)[:3], (1, 2, 1, 2, 1, 2, 1)]:
        scored = model.score(text(string), "".join(names[label] for label in output))
        assert scored.log_probability == near(-mass(expected.get(output, [])))
        share = posteriors.get(output, 0.0)
        assert scored.posterior == pytest.approx(share, rel=1e-4, abs=1e-6)


@settings(max_examples=20, deadline=None)
@given(composed_models, st.lists(strings, min_size=1, max_size=4), st.integers(1, 3))
def test_both_tiers_agree(model: ComposedModel, block: list[Labels], n: int) -> None:
    encoded = model.source.encode_all([text(string) for string in block])
    arrays = (encoded.labels, encoded.bounds)
    joint = model.joint.warm_joint
    for spans in (False, True):
        plain, fast = (
            kernels.decode(
                joint,
                model.warm_behind,
                *arrays,
                n,
                model.beam_for(n=n),
                10_000,
                spans,
                scratch_for(joint),
            )
            for kernels in (composed_decoding_kernels, jit.compiled(composed_decoding_kernels))
        )
        for one, other in zip(plain, fast, strict=True):
            assert one.tolist() == pytest.approx(other.tolist(), rel=1e-9, abs=1e-12)


def test_a_block_is_its_words_on_any_number_of_threads() -> None:
    model = next(m for m in map(random_composed, range(99)) if m.then and m.prior and m.nbest("ab"))
    block = ["ab", "q", "b", "ba", "aab"] * 300
    expected = [answer for word in block[:5] for answer in [replace(model).answer([word])]]
    for jobs in (1, 2, 5):
        rows = list(replace(model).blocks(block, jobs=jobs))
        assert len(rows) > 2
        outputs = [output for row in rows for output in row.outputs]
        assert outputs == [output for answer in expected for output in answer.outputs] * 300
        posteriors = [share for row in rows for share in row.posteriors]
        assert posteriors == [p for answer in expected for p in answer.posteriors] * 300
