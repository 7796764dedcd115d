"""Blocks of words, threads and jobs: joint models answer as they do word by word."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.fst.joint.model import BEAM, JointModel
from tests.fst.joint.examples import text
from tests.fst.joint.twins import Labels, models, random_model, strings

words = st.lists(strings, min_size=1, max_size=6)


@settings(max_examples=60)
@given(models, words, st.integers(1, 3), st.sampled_from([2.0, BEAM, math.inf]))
def test_a_block_is_its_words(model: JointModel, block: list[Labels], n: int, beam: float) -> None:
    model = replace(model, beam=beam)
    answers = model.answer([text(string) for string in block], n=n, spans=True)
    for item, string in enumerate(block):
        assert answers.hypotheses(item) == model.nbest(text(string), n)
        assert (item in answers.failures) == (not answers.hypotheses(item))


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
