"""Composed models: what is refused, what is written alike, spans, budgets, cycles, bad priors."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from glyphone.data.errors import CycleError, GlyphoneError, ItemError, NoOutput
from glyphone.data.writing import Writing
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.composed import model as composed_model
from glyphone.fst.composed.letters import train_letters
from glyphone.fst.composed.model import ComposedModel
from glyphone.fst.composed.vocabulary import vocabulary_of
from glyphone.fst.interface.codec import Side
from glyphone.fst.joint.kernels import lattices
from glyphone.fst.rules.cascade import cascade
from glyphone.fst.transducers.model import TransducerModel
from tests.fst.joint.examples import even_model, near

XYZ = Side(Writing(), {"x": 1, "y": 2, "z": 3})


def loop(pairs: str, *, cost: float = 0.0) -> TransducerModel:
    """A transducer with one state, which writes q for x if `pairs` has xq."""
    read = [XYZ.symbols[pair[0]] for pair in pairs.split()]
    written = {"p": 1, "q": 2}
    wrote = [written[pair[1]] for pair in pairs.split()]
    none, costs = [0] * len(read), [cost] * len(read)
    machine = Transducer.from_arcs(0, [0.0], none, read, wrote, costs, none)
    return TransducerModel((machine,), XYZ, Side(Writing(), written), "loop")


def test_what_the_grammar_refuses_is_no_output_and_has_no_share() -> None:
    joint = even_model({"a": "x,y,z"})
    model = ComposedModel(joint, loop("xp zq"))
    assert [(one.output, one.posterior) for one in model.nbest("a", 5)] == [
        ("p", near(0.5)),
        ("q", near(0.5)),
    ]
    nothing = ComposedModel(even_model({"a": "y"}), loop("xp"))
    with pytest.raises(NoOutput, match=r"composed: no output .* joint model is well-formed"):
        nothing("a")
    assert nothing.nbest("a") == []
    assert nothing.score("a", "p").log_probability == -math.inf
    alone = ComposedModel(even_model({"ab": "y"}))
    with pytest.raises(NoOutput, match="no units read them in this order"):
        alone("b" * 2)


def test_outputs_that_are_written_alike_are_one() -> None:
    model = ComposedModel(even_model({"a": "x,y,z"}), loop("xp yp zq"))
    best, other = model.nbest("a", 5)
    assert (best.output, best.posterior) == ("p", near(2 / 3))
    assert (other.output, other.posterior) == ("q", near(1 / 3))
    assert best.cost == near(other.cost)
    answers = model.answer(["a"])
    assert (answers.outputs, answers.posteriors) == (["p"], [near(2 / 3)])


def test_spans_are_of_the_letters_that_were_read() -> None:
    joint = even_model({"ab": "x", "c": "yz"})
    script = cascade(letters="x y z", phones="p q", rules=["x -> p q", "y z -> p"], partial=True)
    model = ComposedModel(joint, TransducerModel.of(script))
    best = model("abc")
    assert (best.output, best.spans) == ("p q p", ((0, 2), (0, 2), (2, 3)))
    unit = ((("a", "b"), ("p", "q")), (("c",), ("p",)))
    assert model.score("abc", "p q p").alignment.units == unit


def test_a_symbol_that_the_model_does_not_know() -> None:
    model = ComposedModel(even_model({"a": "x"}), loop("xp"), "names")
    with pytest.raises(ItemError, match=r"names: at 1: 'q' U\+0071 .* is not in the alphabet"):
        model("aq")
    answers = model.answer(["a", "q", "a"])
    assert (answers.outputs, list(answers.failures)) == (["p", "p"], [1])
    with pytest.raises(ItemError, match="'x'"):
        model.score("a", "x")


def test_weights_of_transducers_are_tempered_with_the_joint_model() -> None:
    joint = replace(even_model({"a": "x,y"}), temperature=2.0)
    free, dear = loop("xp"), loop("yq", cost=3.0)
    (one,), (other,) = free.machines, dear.machines
    columns = [[0, 0], [1, 2], [1, 2], [0.0, 3.0], [0, 0]]
    both = replace(free, machines=(Transducer.from_arcs(0, [0.0], *columns),))
    assert one.n_arcs == other.n_arcs == 1
    best, worse = ComposedModel(joint, both).nbest("a", 2)
    assert worse.cost - best.cost == near(3.0)
    assert math.log(best.posterior / worse.posterior) == near(1.5)
    assert ComposedModel(joint, both).score("a", "q").posterior == near(worse.posterior)


def test_what_is_written_for_ever_is_named() -> None:
    arcs = [[0, 0], [1, 0], [1, 2], [0.0, 1.0], [0, 0]]
    machine = Transducer.from_arcs(0, [0.0], *arcs)
    model = ComposedModel(even_model({"a": "x"}), replace(loop("xp"), machines=(machine,)))
    with pytest.raises(CycleError, match="nothing is read while q is written again and again"):
        model("a")
    with pytest.raises(CycleError):
        model.lattice("a")
    assert isinstance(model.answer(["a"]).failures[0], CycleError)


def test_a_spent_budget_leaves_the_best_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(composed_model, "BUDGET", 0)
    model = ComposedModel(even_model({"a": "x,z"}), loop("xp zq"))
    answers = model.answer(["aaaa"], n=3)
    assert (answers.truncated, len(answers.outputs)) == (frozenset([0]), 1)
    assert answers.posteriors == [near(1 / 16)]


def test_equal_outputs_are_ordered_by_their_labels() -> None:
    model = ComposedModel(even_model({"a": "x,z"}), loop("xq zp"))
    answers = model.answer(["aa"])
    assert (answers.outputs, answers.posteriors) == (["pp"], [near(0.25)])


def test_a_vocabulary_moves_what_it_lists_to_the_front() -> None:
    joint = even_model({"a": "x,y,z"})
    side = joint.target
    words = vocabulary_of([("yz", 0.09)], side, share=0.5, floor=1e-4)
    found = ComposedModel(joint, prior=words).nbest("aa", 9)
    assert len(found) == 9
    assert found[0].output == "yz"
    assert found[0].posterior == near((0.3 + 0.01) / (0.3 + 9 * 0.01))
    assert found[1].posterior == near(0.01 / (0.3 + 9 * 0.01))


def test_a_letter_model_must_know_what_is_written() -> None:
    joint = even_model({"a": "x,y"})
    letters = train_letters([("x", 1.0)], Side(Writing(), {"x": 1}), order=2)
    with pytest.raises(GlyphoneError, match=r"'y' U\+0079 is not known to the letter model"):
        ComposedModel(joint, prior=letters)("a")


def test_fingerprints_tell_priors_apart() -> None:
    joint = even_model({"a": "x,y"})
    words = vocabulary_of([("x", 0.5)], joint.target)
    letters = train_letters([("x", 1.0)], joint.target, order=2)
    priors = [None, words, replace(words, share=0.25), letters, replace(letters, share=0.25)]
    prints = {ComposedModel(joint, prior=prior).fingerprint() for prior in priors}
    assert len(prints) == len(priors)
    assert ComposedModel(joint).fingerprint() == ComposedModel(joint).fingerprint()


def test_little_room_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    letters = train_letters([("p", 3.0), ("q", 1.0)], loop("xp").target, order=2)
    model = ComposedModel(even_model({"a": "x,y"}), loop("xp yq"), prior=letters)
    words = ["a", "aaaa", "a" * 40, "aa"]
    found = model.answer(words)
    monkeypatch.setattr(lattices, "ROOM", 4)
    again = model.answer(words)
    assert again.outputs == found.outputs
    assert [len(output) for output in found.outputs] == [len(word) for word in words]
    assert (again.costs, again.posteriors) == (found.costs, found.posteriors)


def test_a_long_word() -> None:
    model = ComposedModel(even_model({"a": "x,y"}), loop("xp yp"))
    (best,) = model.apply(["a" * 2000], jobs=1)
    assert best is not None
    assert best.output == "p" * 2000
    assert best.posterior == pytest.approx(1.0, rel=1e-6)
    assert np.isfinite(best.cost)
