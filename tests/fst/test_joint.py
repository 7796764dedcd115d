"""A joint model against every sequence of units that there is."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError, ItemError, NoOutput
from glyphone.data.records import Alignment, Hypothesis
from glyphone.data.writing import Writing
from glyphone.fst.joint import BEAM, INSERTIONS, JointModel, train_joint

from .joint_twins import (
    READ,
    WRITTEN,
    Labels,
    Relation,
    best_costs,
    costs_with,
    labels_of,
    log_domain,
    models,
    random_model,
    relation,
    shares,
    strings,
    text_of,
)
from .support import lattice_paths, mass

outputs = st.lists(st.integers(1, 2), max_size=5).map(tuple)
temperatures = st.sampled_from([0.5, 1.0, 1.0, 1.7])


def near(value: float) -> object:
    """As near as probabilities of 32 bits allow."""
    return pytest.approx(value, rel=1e-5, abs=1e-5)


def text(string: Labels) -> str:
    return text_of(READ, string)


def check_ranking(answers: list[Hypothesis], every: Relation, n: int) -> None:
    """The n least costs, each with an output that has it."""
    assert [answer.cost for answer in answers] == near(best_costs(every)[:n])
    written = [labels_of(WRITTEN, answer.output) for answer in answers]
    assert len(set(written)) == len(written)
    assert [min(every[output]) for output in written] == near(best_costs(every)[:n])


@settings(max_examples=100)
@given(models, strings, temperatures)
def test_the_best_output(model: JointModel, string: Labels, temperature: float) -> None:
    every = relation(model, string)
    model = replace(model, temperature=temperature)
    if not every:
        with pytest.raises(NoOutput, match="no units read them in this order"):
            model(text(string))
        return
    best = model(text(string))
    check_ranking([best], every, 1)
    expected = shares(every, temperature)[labels_of(WRITTEN, best.output)]
    assert best.posterior == near(expected)
    assert best.symbols == tuple(best.output)


@settings(max_examples=100)
@given(models, strings, st.integers(1, 8), temperatures)
def test_the_n_best_outputs(model: JointModel, string: Labels, n: int, temperature: float) -> None:
    every = relation(model, string)
    answers = replace(model, temperature=temperature).nbest(text(string), n)
    check_ranking(answers, every, n)
    posteriors = shares(every, temperature)
    for answer in answers:
        assert answer.posterior == near(posteriors[labels_of(WRITTEN, answer.output)])


@settings(max_examples=100)
@given(models, strings, outputs, temperatures)
def test_score(model: JointModel, string: Labels, output: Labels, temperature: float) -> None:
    every = relation(model, string)
    posteriors = shares(every, temperature)
    model = replace(model, temperature=temperature)
    for written in {output, *list(every)[:3]}:
        found = model.score(text(string), text_of(WRITTEN, written))
        if written not in every:
            assert found.log_probability == -math.inf
            assert (found.posterior, found.rank, found.alignment) == (0, None, Alignment(()))
            continue
        assert -found.log_probability == near(mass(every[written]))
        assert found.posterior == near(posteriors[written])
        read, wrote = found.alignment.pair.source, found.alignment.pair.target
        assert ("".join(read), "".join(wrote)) == (text(string), text_of(WRITTEN, written))
        units = [
            model.units.numbers[labels_of(READ, "".join(x)), labels_of(WRITTEN, "".join(y))]
            for x, y in found.alignment.units
        ]
        assert costs_with(model.ngrams)(units) == near(min(every[written]))
        assert found.rank is not None
        assert best_costs(every)[found.rank - 1] == near(min(every[written]))


@settings(max_examples=80)
@given(models, strings)
def test_the_lattice_has_every_path(model: JointModel, string: Labels) -> None:
    every = relation(model, string)
    if not every:
        with pytest.raises(NoOutput):
            model.lattice(text(string))
        return
    found: Relation = {}
    for output, cost, _ in lattice_paths(model.lattice(text(string))):
        found.setdefault(output, []).append(cost)
    assert {output: len(costs) for output, costs in found.items()} == {
        output: len(costs) for output, costs in every.items()
    }
    for output, costs in found.items():
        assert sorted(costs) == near(sorted(every[output]))


@settings(max_examples=80)
@given(models, outputs.map(lambda output: output[:3]))
def test_the_inverse_is_the_same_relation(model: JointModel, output: Labels) -> None:
    inverse = model.invert()
    silent = () in model.units.targets
    assert inverse.insertions == (INSERTIONS if silent else 0)
    flipped = relation(inverse, output)
    answers = inverse.nbest(text_of(WRITTEN, output), 5)
    assert [answer.cost for answer in answers] == near(best_costs(flipped)[:5])
    for string, costs in list(flipped.items())[:4]:
        back = inverse.score(text_of(WRITTEN, output), text(string))
        assert -back.log_probability == near(mass(costs))
        if not silent and model.insertions == 0:
            forth = model.score(text(string), text_of(WRITTEN, output))
            assert back.log_probability == near(forth.log_probability)


@settings(max_examples=60)
@given(models, strings, st.integers(1, 4))
def test_twice_inverted(model: JointModel, string: Labels, n: int) -> None:
    if model.insertions:
        model = replace(model, insertions=INSERTIONS)
    twice = model.invert().invert()
    if () not in model.units.sources:
        model = replace(model, insertions=0)
    assert twice.units.sources == model.units.sources
    assert np.array_equal(twice.ngrams.tokens, model.ngrams.tokens)
    assert np.array_equal(twice.ngrams.targets, model.ngrams.targets)
    assert twice.nbest(text(string), n) == model.nbest(text(string), n)


@settings(max_examples=80)
@example(random_model(1_238_064_803), (), 0.5, 2)  # pruned here, and found again behind
@given(models, strings, st.sampled_from([0.0, 0.5, 3.0, BEAM]), st.integers(1, 3))
def test_a_beam_only_loses(model: JointModel, string: Labels, beam: float, n: int) -> None:
    every = relation(model, string)
    narrow = replace(model, beam=beam)
    answers = narrow.nbest(text(string), n)
    assert len(answers) == min(n, len(every))
    for place, answer in enumerate(answers):
        assert answer.cost >= best_costs(every)[place] - 1e-5
        assert answer.cost >= min(every[labels_of(WRITTEN, answer.output)]) - 1e-5
        assert 0 < answer.posterior <= 1


words = st.lists(strings, min_size=1, max_size=6)


@settings(max_examples=60)
@given(models, words, st.integers(1, 3), st.sampled_from([2.0, BEAM, math.inf]))
def test_a_block_is_its_words(model: JointModel, block: list[Labels], n: int, beam: float) -> None:
    model = replace(model, beam=beam)
    answers = model.answer([text(string) for string in block], n=n, spans=True)
    for item, string in enumerate(block):
        assert answers.hypotheses(item) == model.nbest(text(string), n)
        assert (item in answers.failures) == (not answers.hypotheses(item))


@settings(max_examples=80)
@example(random_model(7804), (1, 3), 2.0)
@given(models, strings, st.sampled_from([2.0, BEAM, math.inf]))
def test_one_answer_is_the_first_of_several(model: JointModel, string: Labels, beam: float) -> None:
    """Also where several outputs, or several alignments of one, are exactly as good."""
    model = replace(model, beam=beam)
    one, (first, *_) = model.nbest(text(string), 1), [*model.nbest(text(string), 2), None]
    if first is None:
        assert one == []
    elif beam == math.inf:
        assert (one[0].output, one[0].spans) == (first.output, first.spans)
        assert (one[0].cost, one[0].posterior) == (near(first.cost), near(first.posterior))
    else:  # a beam that loses outputs is made wider for n of them
        assert first.cost <= one[0].cost + 1e-9


def even_model(pairs: dict[str, str], *, order: int = 1) -> JointModel:
    """A model in which all units are as frequent as each other."""
    rows = [Alignment(((tuple(x), tuple(y)),)) for x, ys in pairs.items() for y in ys.split(",")]
    model = train_joint(rows, source=Writing(), target=Writing(), order=order)
    return replace(model, beam=math.inf)


@pytest.mark.parametrize("order", [1, 2])
def test_equal_costs_are_ordered_by_labels(order: int) -> None:
    # With one state for all, ways meet in it; with several, they stay apart until the end.
    model = even_model({"a": "z,xy,yx", "b": "w,vw"}, order=order)
    for string, first in {"a": "xy", "ab": "xyvw", "bab": "vwxyvw", "aaa": "xyxyxy"}.items():
        assert model.nbest(string, 2)[0].output == first
        assert model(string).output == first
        assert [found.output for found in model.apply([string]) if found] == [first]
    answers = model.nbest("ab", 6)
    outputs = ["xyvw", "xyw", "yxvw", "yxw", "zvw", "zw"]
    assert [answer.output for answer in answers] == outputs
    assert [answer.cost for answer in answers] == [answers[0].cost] * 6


def test_equal_alignments_have_the_same_spans() -> None:
    # ab -> xy as (a:x)(b:y) or as (a:)(b:xy) costs the same.
    model = even_model({"a": "x,", "b": "y,xy"})
    best = model("ab")
    same = next(a for a in model.nbest("ab", 9) if a.output == best.output)
    assert best == same
    twice = next(a for a in model.nbest("ab", 9) if a.output == "xy")
    assert twice.posterior > 1.9 * min(a.posterior for a in model.nbest("ab", 9))


def long_word(length: int) -> Labels:
    return tuple(1 + (place * place // 7) % 2 for place in range(length))


@pytest.mark.parametrize("insertions", [0, 1])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_word_of_2000_symbols(insertions: int, jobs: int) -> None:
    # Every letter has three sounds, so that there are more ways than a number can count.
    rows = [Alignment(((("a",), (y,)), (("b",), (y,)))) for y in "xyz" for _ in range(2)]
    if insertions:
        rows.append(Alignment((((), ("x",)), (("a",), ("y",)), (("b",), ()))))
    model = train_joint(rows, source=Writing(), target=Writing(), order=2, insertions=insertions)
    model = replace(model, beam=math.inf)
    string = long_word(2000)
    spelt = "".join(" ab"[label] for label in string)
    cost, total = log_domain(model, string)
    (best,) = model.apply([spelt], jobs=jobs)
    assert best is not None
    assert best.cost == pytest.approx(cost, rel=1e-5)
    written = tuple(model.target.symbols[symbol] for symbol in best.output)
    own_cost, own = log_domain(model, string, written)
    assert own_cost == pytest.approx(cost, rel=1e-5)
    assert best.posterior == pytest.approx(math.exp(total - own), rel=1e-2)
    assert len(best.spans) == len(best.output)
    (scored,) = model.judged([(string, written)])
    assert -scored.log_probability == pytest.approx(own, rel=1e-5)
    assert math.isfinite(scored.log_probability)


def test_no_units_read_the_string() -> None:
    model = even_model({"a": "x", "ab": "y"})
    assert model("aab").output == "xy"
    for string in ("b", "abb", "ba"):
        with pytest.raises(NoOutput, match=r"joint: no output .*no units read them"):
            model(string)
        assert model.nbest(string, 3) == []
        with pytest.raises(NoOutput):
            model.lattice(string)
        assert model.score(string, "x").log_probability == -math.inf
    failed: list[tuple[int, ItemError]] = []
    found = list(model.apply(["a", "b", "q", "a"], on_error=lambda *row: failed.append(row)))
    assert [answer and answer.output for answer in found] == ["x", None, None, "x"]
    assert [(item, type(error)) for item, error in failed] == [(1, NoOutput), (2, ItemError)]
    with pytest.raises(ItemError, match=r"at 1: 'q' U\+0071 \(LATIN SMALL LETTER Q\)"):
        model("aq")
    with pytest.raises(ItemError, match="'q'"):
        model.score("a", "q")


def test_the_empty_string() -> None:
    model = even_model({"a": "x", "ab": "y"})
    best = model("")
    assert (best.output, best.symbols, best.spans) == ("", (), ())
    assert best.cost == near(-model.ngrams.score([]))
    assert best.posterior == 1
    assert model.nbest("", 4) == [best]
    assert model.score("", "").alignment == Alignment(())
    assert model.score("", "x").log_probability == -math.inf


def test_nothing_to_train_on() -> None:
    with pytest.raises(GlyphoneError, match=r"nothing to train on .give one pair"):
        train_joint([], source=Writing(), target=Writing())


def test_a_spent_budget_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.fst.joint_search.BUDGET", 0)
    model = even_model({"a": "z,y,x", "b": "v,w"})
    answers = model.nbest("abab", 3)
    assert len(answers) == 1
    assert answers[0].truncated
    assert answers[0].cost == near(log_domain(model, (1, 2, 1, 2))[0])
    assert 0 < answers[0].posterior < 1


def test_the_end_may_turn_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """What falls out of the beam at the last symbol can still be the best of all that end."""
    # Were arcs ranked, x would be too late to be looked at.
    monkeypatch.setattr("glyphone.fst.joint_search.RANKED_LENGTH", -1)
    rows = [Alignment(((("a",), ("x",)),))] * 4
    rows += [Alignment(((("a",), ("y",)), (("b",), ("z",))))] * 8
    model = train_joint(rows, source=Writing(), target=Writing(), order=2)
    start = [model.ngrams.begin]
    x, y = (model.units.numbers[(1,), (model.target.symbols[name],)] for name in "xy")
    assert model.ngrams.log_prob(start, x) < model.ngrams.log_prob(start, y) - 0.5
    best, exact = replace(model, beam=0.5)("a"), replace(model, beam=math.inf)("a")
    assert best.output == exact.output == "x"
    assert best.posterior >= exact.posterior > 0.5


def test_a_beam_that_ends_in_nothing_is_made_wider() -> None:
    """What is best after one letter may lead nowhere at the next."""
    rows = [Alignment(((("a",), ("x",)),))] * 8
    rows += [Alignment(((("a",), ("y",)), (("b",), ("z",))))]
    model = train_joint(rows, source=Writing(), target=Writing(), order=2)
    ngrams = model.ngrams
    backoffs = ngrams.backoffs.copy()
    backoffs[ngrams.state_of([ngrams.begin, model.units.numbers[(1,), (1,)]])] = -np.inf
    shut = replace(model, ngrams=replace(ngrams, backoffs=backoffs))
    exact = replace(shut, beam=math.inf)
    for beam in (0.0, 0.5):
        narrow = replace(shut, beam=beam)
        assert narrow("ab") == exact("ab")
        assert narrow.nbest("ab", 1)[0].output == narrow.nbest("ab", 3)[0].output == "yz"
        assert narrow.lattice("ab").n_states > 0


def test_many_threads_on_one_model() -> None:
    """The first use makes what all later ones share."""
    model = random_model(11)
    block = [text(string) for string in product((1, 2, 3), repeat=4)]
    expected = [replace(model).nbest(string, 3) for string in block]
    assert any(expected)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            fresh = replace(model)
            found = pool.map(lambda string, fresh=fresh: fresh.nbest(string, 3), block)
            assert list(found) == expected


def test_answers_do_not_depend_on_the_number_of_jobs() -> None:
    model = random_model(11)
    block = ["".join(word) for word in product("abc", repeat=4)] * 3
    rows = [
        [
            (answers.outputs, answers.costs, answers.posteriors, answers.firsts)
            for answers in model.blocks(block, n=2, jobs=jobs)
        ]
        for jobs in (1, 2, 5)
    ]
    assert len(rows[0]) > 2
    assert rows[0] == rows[1] == rows[2]


@given(models, strings)
def test_exact_is_without_a_beam(model: JointModel, string: Labels) -> None:
    every = relation(model, string)
    if every:
        narrow = replace(model, beam=0.1)
        assert narrow.exact()(text(string)).cost == near(best_costs(every)[0])
