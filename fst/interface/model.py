"""The interface of every model from strings to strings, written by people or learnt.

>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> rules = ["c h -> tʃ", "c -> k"]
>>> model = TransducerModel.of(cascade(letters="c h o", phones="tʃ o k", rules=rules))
>>> [hypothesis.output for hypothesis in model.apply(["cho", "co"])]
['tʃ o', 'k o']
"""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, ClassVar

import numpy as np

from glyphone.data.errors import GlyphoneError, ItemError, NoOutput
from glyphone.data.parallel import map_in_order
from glyphone.data.records import Alignment, Hypothesis
from glyphone.fst.interface.answers import Answers, Origins
from glyphone.fst.interface.codec import EncodedBlock, Side
from glyphone.fst.interface.reasons import Reasons
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.block_kernels import TRUNCATED, Block

# States that the n-best search may look at for one item before it answers with what it has.
BUDGET = 2_000_000
BLOCK = 4096

log = logging.getLogger("glyphone")


@dataclass(frozen=True)
class Scored:
    """The score of a given pair under a model.

    `rank` is the place of the output among the n best, from 1; None if it is not among those that
    were searched, or if no search was asked for.
    """

    log_probability: float
    posterior: float
    alignment: Alignment
    rank: int | None = None


IMPOSSIBLE = Scored(-math.inf, 0.0, Alignment(()))


def rank_of(wanted: Sequence[int], block: Block) -> int | None:
    """The place of an output, as labels, among the n best of a block of one text, from 1; None if
    it is not among them.
    """
    labels = block.labels.tolist()
    outputs = [labels[first:last] for first, last in pairwise(block.offsets.tolist())]
    return outputs.index(list(wanted)) + 1 if list(wanted) in outputs else None


class Model(ABC):
    """Strings in, ranked hypotheses out; `name` stands in errors as the stage.

    `kind` is the kind of its file, empty for a model that no file can hold.
    """

    kind: ClassVar[str] = ""

    name: str
    source: Side
    target: Side

    @abstractmethod
    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts, n for each, with the errors of items that fail."""

    @abstractmethod
    def lattice(self, text: str) -> Lattice:
        """The lattice of all outputs for a text; ItemError if there are none."""

    def reader_of(self, text: str) -> tuple[Model, str]:
        """The model that makes the lattice of a text, and the text as that model reads it."""
        return self, text

    @abstractmethod
    def score(self, source: str, target: str) -> Scored:
        """The log probability of a pair, summed over its paths, and its best alignment."""

    @abstractmethod
    def invert(self) -> Model:
        """The model of the inverse relation, from outputs to inputs."""

    def score_pairs(
        self, pairs: Sequence[tuple[str, str]], *, aligned: bool = False
    ) -> list[Scored | ItemError]:
        """ln P and posterior of pairs, and their best alignments if asked for; no ranks."""
        scores: list[Scored | ItemError] = []
        for source, target in pairs:
            try:
                scores.append(self.score(source, target))
            except ItemError as error:
                scores.append(error)
        return scores

    def reasons(self, text: str, hypothesis: Hypothesis) -> Reasons:
        """The units or rules behind an answer; empty if the model has none to show."""
        return Reasons()

    def exact(self) -> Model:
        """The model without a beam: every best path is proven to be the best."""
        return self

    def forms(self, texts: Sequence[str]) -> Sequence[str]:
        """The forms by which texts are looked up in a dictionary: equal for equal words, or ""."""
        return self.source.as_read(texts)

    def of_kind(self, kind: str) -> Model:
        """The model for names that are all of one kind, surname or given."""
        remedy = f"name such a model, or do not ask for {kind!r}"
        message = "only models of Japanese names know kinds of names"
        raise GlyphoneError(message, stage=self.name, remedy=remedy)

    @abstractmethod
    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""

    @abstractmethod
    def failure(self, text: str, status: int) -> ItemError:
        """The error of a text for which the kernels returned this status."""

    def __call__(self, text: str) -> Hypothesis:
        """The best hypothesis; NoOutput if there is none."""
        answers = self.answer([text], spans=True)
        if answers.failures:
            raise answers.failures[0]
        return answers.hypotheses(0)[0]

    def nbest(self, text: str, n: int = 5) -> list[Hypothesis]:
        """The n best distinct outputs in order; an empty list if there is no output.

        The order is exact within the beam of a learned model, and in general with `exact()`.
        """
        answers = self.answer([text], n=n, spans=True)
        if answers.failures and not isinstance(answers.failures[0], NoOutput):
            raise answers.failures[0]
        return answers.hypotheses(0)

    def apply(
        self,
        texts: Iterable[str],
        *,
        jobs: int | None = None,
        on_error: Callable[[int, ItemError], None] | None = None,
    ) -> Iterator[Hypothesis | None]:
        """The best hypothesis of each text, lazily, in input order, on all cores.

        A text that fails gives None; its error goes to `on_error` with the number of the text
        (from 0), or to the log.
        """
        number = 0
        for answers in self.blocks(texts, spans=True, jobs=jobs):
            for item in range(len(answers.firsts) - 1):
                error = answers.failures.get(item)
                if error is not None and on_error is not None:
                    on_error(number, error)
                elif error is not None:
                    log.warning("%s", error)
                yield None if error else answers.hypotheses(item)[0]
                number += 1

    def blocks(
        self, texts: Iterable[str], *, n: int = 1, spans: bool = False, jobs: int | None = None
    ) -> Iterator[Answers]:
        """Answers for blocks of texts in input order; the first blocks are small."""
        source = iter(texts)
        sizes = iter([16, 64, 256, 1024])
        blocks = iter(lambda: list(islice(source, next(sizes, BLOCK))), [])
        for _, answers in map_in_order(
            lambda block: self.answer(block, n=n, spans=spans), blocks, jobs=jobs
        ):
            yield answers

    def answers_of(
        self, texts: Sequence[str], block: EncodedBlock, found: Block, *, spans: bool
    ) -> Answers:
        """The answers to the texts that could be encoded, and the errors of the others."""
        failures = dict(block.failures)
        truncated = set()
        for row in np.flatnonzero(found.statuses).tolist():
            item, status = int(block.items[row]), int(found.statuses[row])
            if status == TRUNCATED:
                truncated.add(item)
            else:
                failures[item] = self.failure(texts[item], status)
        firsts = np.zeros(len(texts) + 1, np.int64)
        firsts[block.items + 1] = np.diff(found.firsts)
        return Answers(
            self.target.decode_all(found.labels, found.offsets),
            found.costs.tolist(),
            found.posteriors.tolist(),
            np.cumsum(firsts).tolist(),
            frozenset(truncated),
            failures,
            self.origins(block, found) if spans else None,
        )

    def origins(self, block: EncodedBlock, found: Block) -> Origins:
        """The symbols of outputs and their spans in the user's own strings.

        The block must have been encoded with offsets.
        """
        assert block.starts is not None and block.ends is not None
        bounds, firsts = found.offsets.tolist(), found.firsts.tolist()
        begins, ends, labels = (row.tolist() for row in (found.begins, found.ends, found.labels))
        symbols, spans = [], []
        for item, (low, high) in enumerate(pairwise(block.bounds.tolist())):
            # An output of the empty string has no symbol to come from.
            starts, stops = block.starts[low:high] or [0], block.ends[low:high] or [0]
            for k in range(firsts[item], firsts[item + 1]):
                first, last = bounds[k], bounds[k + 1]
                written = labels[first:last]
                symbols.append(self.target.decode(written))
                spans.append(
                    tuple(
                        (starts[begins[first + a]], stops[max(ends[first + b - 1] - 1, 0)])
                        for a, b in pairwise(self.target.symbol_cuts(written))
                    )
                )
        return Origins(symbols, spans)


class Learned(Model):
    """A model learnt from pairs; `description` holds its training options and its figures."""

    temperature: float
    description: Mapping[str, Any]
