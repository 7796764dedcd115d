"""The surface of a model: answers, scores, spans, laziness, threads."""

from __future__ import annotations

import itertools
import logging
import math
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from glyphone.data.errors import ItemError, NoOutput
from glyphone.data.kernels import jit
from glyphone.data.parallel import map_in_order
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.interface.model import BLOCK
from glyphone.fst.rules.cascade import cascade
from glyphone.fst.transducers import model as module
from glyphone.fst.transducers.model import TransducerModel
from tests.fst.support import cascade_paths, costs_of, machine, machines, mass

TABLE = SymbolTable.of(["a", "b"])
strings = st.text(st.sampled_from("ab"), max_size=4)
models = st.lists(machines, min_size=1, max_size=2).map(lambda stages: model(*stages))


def model(*stages: Transducer) -> TransducerModel:
    """A model over a and b."""
    return TransducerModel.from_machines([with_table(stage) for stage in stages], name="M")


def with_table(stage: Transducer) -> Transducer:
    columns = (stage.ilabels, stage.olabels, stage.weights, stage.targets)
    return Transducer.from_arcs(0, stage.finals, stage.sources(), *columns, TABLE, TABLE)


def brute(model: TransducerModel, text: str) -> list[tuple[str, float]]:
    """Every path: its output and its cost."""
    labels = tuple(model.source.encode(text).labels)
    paths = cascade_paths(model.machines, labels)
    return [(model.target.join(model.target.decode(output)), cost) for output, cost in paths]


@settings(deadline=None, max_examples=150)
@given(models, strings, st.integers(1, 4))
def test_nbest(model: TransducerModel, text: str, n: int) -> None:
    paths = brute(model, text)
    best = {output: min(c for o, c in paths if o == output) for output, _ in paths}
    total = mass([cost for _, cost in paths])
    found = model.nbest(text, n)
    expected = sorted(best, key=lambda output: (best[output], output))[:n]
    assert [h.output for h in found] == expected
    assert [h.cost for h in found] == [best[output] for output in expected]
    for h in found:
        assert h.posterior == pytest.approx(
            math.exp(total - mass([cost for output, cost in paths if output == h.output]))
        )
        assert "".join(h.symbols) == h.output
        assert len(h.spans) == len(h.symbols)
        covered = {place for begin, end in h.spans for place in range(begin, end)}
        assert covered == (set(range(len(text))) if h.output else set())
    if found:
        assert model(text) == found[0]
    else:
        with pytest.raises(NoOutput, match=f"item {text!r}: M: no output"):
            model(text)


@settings(deadline=None, max_examples=150)
@given(models, strings, strings)
def test_score(model: TransducerModel, text: str, other: str) -> None:
    paths = brute(model, text)
    total = mass([cost for _, cost in paths])
    for output in {output for output, _ in paths} | {other}:
        costs = [cost for found, cost in paths if found == output]
        scored = model.score(text, output)
        assert -scored.log_probability == pytest.approx(mass(costs))
        if costs:
            assert scored.posterior == pytest.approx(math.exp(total - mass(costs)))
            assert scored.alignment.pair == Pair(tuple(text), tuple(output))
            assert ((), ()) not in scored.alignment.units
        else:
            assert (scored.posterior, scored.alignment.units) == (0.0, ())


def test_a_pair_of_unknown_symbols_is_refused() -> None:
    with pytest.raises(ItemError, match=r"'c' U\+0063 .* is not in the alphabet"):
        model(machine(1)).score("a", "c")


@settings(deadline=None, max_examples=100)
@given(models, strings)
def test_the_inverse_of_the_inverse(model: TransducerModel, text: str) -> None:
    twice = model.invert().invert()
    assert all(a.equals(b) for a, b in zip(twice.machines, model.machines, strict=True))
    assert (twice.source, twice.target) == (model.source, model.target)
    assert twice.nbest(text, 3) == model.nbest(text, 3)


def test_an_inverse_reads_what_was_written() -> None:
    # a to b, b to ab: written in one arc and an arc that reads nothing.
    arcs = [(0, 0, 1, 2, 0.5), (0, 1, 2, 1, 0.25), (1, 0, 0, 2, 0.0)]
    sources, targets, ilabels, olabels, weights = zip(*arcs, strict=True)
    stage = Transducer.from_arcs(
        0, [0.0, math.inf], sources, ilabels, olabels, weights, targets, TABLE, TABLE
    )
    there = model(stage)
    (back,) = there.invert().nbest("abb")
    assert (there("ba").output, back.output, back.cost) == ("abb", "ba", 0.75)


# ñ to ny and the reverse, in bytes and in code points.
def bytewise(source: str, target: str) -> TransducerModel:
    arcs = list(itertools.zip_longest(source.encode(), target.encode(), fillvalue=0))
    finals = [math.inf] * len(arcs) + [0.0]
    ilabels, olabels = zip(*arcs, strict=True)
    places = range(len(arcs))
    stage = Transducer.from_arcs(
        0, finals, list(places), ilabels, olabels, [0.0] * len(arcs), [p + 1 for p in places]
    )
    return TransducerModel.from_machines([stage], name="BYTES")


@pytest.mark.parametrize(("source", "target"), [("ñu", "nyu"), ("nyu", "ñu"), ("añ", "ña")])
def test_bytes_are_told_in_characters(source: str, target: str) -> None:
    model = bytewise(source, target)
    best = model(source)
    assert (best.output, "".join(best.symbols)) == (target, target)
    assert len(best.symbols) == len(best.spans) == len(target)
    assert {p for begin, end in best.spans for p in range(begin, end)} == set(range(len(source)))
    assert model.score(source, target).alignment.pair == Pair(tuple(source), tuple(target))


def test_spans_are_offsets_in_the_users_string() -> None:
    pytest.importorskip("pynini")
    rules = "c h -> tʃ\nc -> k\nñ -> ɲ"
    lower = Writing(case="lower")
    spanish = TransducerModel.of(
        cascade(letters="c h ñ a", phones="tʃ k ɲ a", rules=rules, source=lower)
    )
    best = spanish("CHAN\u0303A")
    assert (best.output, best.spans) == ("tʃ a ɲ a", ((0, 2), (2, 3), (3, 5), (5, 6)))
    scored = spanish.score("CHAN\u0303A", "tʃ a ɲ a")
    assert scored.alignment.units[0] == (("c", "h"), ("tʃ",))
    assert spanish.invert()("tʃ a").output == "cha"


def test_a_grammar_that_can_write_nothing() -> None:
    pytest.importorskip("pynini")
    nothing = TransducerModel.of(cascade(letters="a", phones="b", rules="∅ -> a / _ #"))
    with pytest.raises(NoOutput):
        nothing("")
    assert nothing.nbest("a") == []


def test_a_spent_budget_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUDGET", 0)
    stage = Transducer.from_arcs(0, [0.0], [0, 0], [1, 1], [1, 2], [0.5, 1.0], [0, 0])
    best = model(stage)("aaaa")
    assert (best.output, best.cost, best.truncated) == ("aaaa", 2.0, True)
    assert 0 < best.posterior < 1
    assert best.spans == ((0, 1), (1, 2), (2, 3), (3, 4))
    assert [h.truncated for h in model(stage).apply(["aa", ""], jobs=1)] == [True, False]  # type: ignore[union-attr]


def test_as_many_answers_as_one_likes() -> None:
    stage = Transducer.from_arcs(0, [0.0], [0, 0], [1, 1], [1, 2], [0.5, 1.0], [0, 0])
    assert len(model(stage).nbest("aaa", 10**12)) == 8
    assert model(stage).nbest("aaa", 0) == []


WORDS = ["".join(word) for n in range(6) for word in itertools.product("abc", repeat=n)]


@settings(deadline=None, max_examples=5, suppress_health_check=list(HealthCheck))
@given(models)
def test_apply_does_not_depend_on_jobs(model: TransducerModel) -> None:
    failed: dict[int, list[tuple[int, str]]] = {}
    results = []
    for jobs in (1, 2, 5, None):
        errors = failed.setdefault(jobs or 0, [])
        note = lambda number, error, errors=errors: errors.append((number, str(error)))  # noqa: E731
        results.append(list(model.apply(WORDS, jobs=jobs, on_error=note)))
    assert all(result == results[0] for result in results)
    assert all(errors == failed[1] for errors in failed.values())
    assert [number for number, _ in failed[1]] == [
        number for number, best in enumerate(results[0]) if best is None
    ]
    for word, best in zip(WORDS[::7], results[0][::7], strict=True):
        assert best == next(iter(model.nbest(word, 1)) if "c" not in word else iter([None]), None)


def test_failures_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "glyphone"):
        assert list(model(machine(1)).apply(["c"])) == [None]
    assert "'c' U+0063 (LATIN SMALL LETTER C) is not in the alphabet" in caplog.text


class Endless:
    """Items without end, that counts how many were asked for."""

    def __init__(self) -> None:
        self.taken = 0

    def __iter__(self) -> Iterator[str]:
        while True:
            self.taken += 1
            yield "ab"


@pytest.mark.parametrize("jobs", [1, 2])
def test_apply_is_lazy(jobs: int) -> None:
    copy = model(Transducer.from_arcs(0, [0.0], [0, 0], [1, 2], [2, 1], [0.0, 0.0], [0, 0]))
    source = Endless()
    before = threading.active_count()
    answers = copy.apply(source, jobs=jobs)
    assert source.taken == 0
    for number, best in enumerate(answers, 1):
        assert best is not None
        assert best.output == "ba"
        assert source.taken - number <= (jobs + 2) * BLOCK
        if number == 6 * BLOCK:
            break
    answers.close()  # type: ignore[attr-defined]
    taken = source.taken
    assert threading.active_count() == before
    assert list(itertools.islice(answers, 1)) == []
    assert source.taken == taken


def test_an_error_of_the_source_comes_through() -> None:
    def broken() -> Iterator[str]:
        yield "a"
        raise OSError("the disk is gone")

    for jobs in (1, 3):
        with pytest.raises(OSError, match="the disk is gone"):
            list(model(machine(1)).apply(broken(), jobs=jobs))


def test_results_come_in_order_and_errors_are_raised() -> None:
    assert [r for _, r in map_in_order(lambda x: x * x, iter(range(50)), jobs=4)] == [
        x * x for x in range(50)
    ]
    with pytest.raises(ZeroDivisionError):
        list(map_in_order(lambda x: 1 // x, iter([1, 0, 1]), jobs=2))


def test_many_threads_get_the_answers_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads share a new model, so that they also meet while it is being prepared."""
    monkeypatch.setattr(jit, "_worked", jit.PLAIN_BUDGET)
    expected = [model(machine(210)).nbest(word, 3) for word in WORDS if "c" not in word]
    shared = model(machine(210))
    words = [word for word in WORDS if "c" not in word]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            lists = [pool.submit(lambda: [shared.nbest(word, 3) for word in words])]
            lists += [pool.submit(lambda: [shared.nbest(w, 3) for w in words]) for _ in range(7)]
            blocks = [pool.submit(lambda: shared.answer(words).outputs) for _ in range(4)]
            applied = [pool.submit(lambda: list(shared.apply(words, jobs=2))) for _ in range(4)]
        assert all(done.result() == expected for done in lists)
        firsts = [next(iter(best), None) for best in expected]
        outputs = [best.output for best in firsts if best is not None]
        assert all(done.result() == outputs for done in blocks)
        assert all(done.result() == firsts for done in applied)
    finally:
        sys.setswitchinterval(interval)


def test_costs_of_is_what_it_says() -> None:
    assert costs_of([((1,), 2.0), ((1,), 1.0), ((), 3.0)]) == {(1,): 1.0, (): 3.0}
