"""Self-training by agreement: words without answers that all models of an ensemble answer alike.

A word is taken with its best answer y if no member, model of histories or judge that counts for
more than nothing prefers another of the outputs that are proposed, and the share of y among these,
which is calibrated on held-out words, is high enough. Members are trained again on the lexicon and
such words; their shares stay those of held-out words of the lexicon (Blum and Mitchell 1998,
co-training).

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.ensembles.panel import Member
>>> from glyphone.fst.joint.training import train_joint
>>> rows = [Alignment(((("p",), ("f",)), (("i",), (phone,)))) for phone in "iiiiiiiij"]
>>> one, other = (train_joint(rows, source=Writing(), target=Writing(), order=n) for n in (1, 2))
>>> model = EnsembleModel.of([Member(one), Member(other)])
>>> agreed_pairs(model, ["pp", "pi", "x"], least=0.95)
[Pair(source=('p', 'p'), target=('f', 'f'), weight=1.0, kind='')]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any

import numpy as np

from glyphone.data import progress
from glyphone.data.lines import first_column, read_lines
from glyphone.data.parallel import map_in_order
from glyphone.data.records import Pair
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.ensembles.panel import ScoredOutputs

# The least posterior of the best answer.
SURE = 0.9
BLOCK = 1024

Array = Any


def read_words(path: str | None) -> list[str]:
    """The words of a file, in its first column; none of no file."""
    return [first_column(line) for _, line in read_lines(path) if line] if path else []


def agreed_pairs(
    model: EnsembleModel, words: Sequence[str], *, least: float = SURE, jobs: int = 1
) -> list[Pair]:
    """Words with answers that all models agree on; words that cannot be read are left out."""
    distinct = dict.fromkeys(words)
    waiting = iter(distinct)
    blocks = iter(lambda: list(islice(waiting, BLOCK)), [])
    parts = map_in_order(
        lambda block: list(agreed_in_block(model, block, least)), blocks, jobs=jobs
    )
    with progress.step("answering words without answers", len(distinct)) as answering:
        agreed = list[Pair]()
        for block, part in parts:
            agreed += part
            answering.advance(len(block))
    return agreed


def agreed_in_block(model: EnsembleModel, texts: Sequence[str], least: float) -> Iterator[Pair]:
    block = model.source.encode_all(texts)
    scored = model.score_proposals(block.labels, block.bounds)
    _, posteriors = model.costs_and_posteriors(scored)
    alike = unanimous_outputs(scored, model.reranker.shares)
    cuts = list(pairwise(scored.offsets.tolist()))
    for row, (first, last) in enumerate(pairwise(scored.lists.firsts.tolist())):
        if first == last:
            continue
        best = first + int(np.argmax(posteriors[first:last]))
        if alike[best] and posteriors[best] >= least * (1 - model.missing):
            begin, end = cuts[best]
            word = model.source.writing.split(texts[block.items[row]]).symbols
            if word and begin < end:
                yield Pair(word, model.target.decode(scored.outputs[begin:end]))


def unanimous_outputs(scored: ScoredOutputs, shares: Array) -> Array:
    """Whether each output is the best of its list by every model with a share above 0.

    Scores are distances from the best of a list, so that the best has 0.
    """
    return (scored.lists.scores[:, shares > 0] >= 0).all(1)
