"""What every mapping from strings to strings offers, however it came about.

>>> from glyphone.fst.transducers.model import Model
>>> from glyphone.fst.rules.cascade import cascade
>>> model = Model.of(cascade(letters="c h o", phones="tʃ o k", rules=["c h -> tʃ", "c -> k"]))
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
from glyphone.data.parallel import in_order
from glyphone.data.records import Alignment, Hypothesis
from glyphone.fst.interface.answers import Answers, Origins
from glyphone.fst.interface.codec import EncodedBlock, Side
from glyphone.fst.interface.reasons import Reasons
from glyphone.fst.lattices.block_kernels import TRUNCATED, Block
from glyphone.fst.lattices.kernels import Lattice

# States that the n-best search may look at for one item before it answers with what it has.
BUDGET = 2_000_000
BLOCK = 4096

log = logging.getLogger("glyphone")


@dataclass(frozen=True)
class Scored:
    """What a model thinks of a given pair.

    `rank` is the place of the output among the n best, from 1; None if it is not among as many as
    were looked at, or if none were.
    """

    log_probability: float
    posterior: float
    alignment: Alignment
    rank: int | None = None


IMPOSSIBLE = Scored(-math.inf, 0.0, Alignment(()))


class Answering(ABC):
    """Strings in, ranked hypotheses out; `name` is the stage that errors tell.

    `kind` is that of its file; a model that no file can hold has none.
    """

    kind: ClassVar[str] = ""

    name: str
    source: Side
    target: Side

    @abstractmethod
    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        """Answers for a block of texts at once; items that fail are told in `failures`."""

    @abstractmethod
    def lattice(self, text: str) -> Lattice:
        """All outputs for a text; an ItemError if there are none."""

    def reader_of(self, text: str) -> tuple[Answering, str]:
        """The model whose lattice that is, and the text as this reads it."""
        return self, text

    @abstractmethod
    def score(self, source: str, target: str) -> Scored:
        """The log probability of a pair, summed over its paths, and its best alignment."""

    @abstractmethod
    def invert(self) -> Answering:
        """The same relation from outputs to inputs."""

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
        """Why the answer to a text is as it is, if the model can tell."""
        return Reasons()

    def exact(self) -> Answering:
        """The same without a beam: every best path is proven to be the best."""
        return self

    def forms(self, texts: Sequence[str]) -> Sequence[str]:
        """Texts as a dictionary is looked up: equal words are equal strings, "" is in none."""
        return self.source.words(texts)

    def of_kind(self, kind: str) -> Answering:
        """The model for names that are all of one kind, surname or given."""
        remedy = f"name such a model, or do not ask for {kind!r}"
        message = "only models of Japanese names know kinds of names"
        raise GlyphoneError(message, stage=self.name, remedy=remedy)

    @abstractmethod
    def fingerprint(self) -> str:
        """A checksum of everything that the answers depend on."""

    @abstractmethod
    def failure(self, text: str, status: int) -> ItemError:
        """Why the kernels had no output for a text."""

    def __call__(self, text: str) -> Hypothesis:
        """The best hypothesis; NoOutput if there is none."""
        answers = self.answer([text], spans=True)
        if answers.failures:
            raise answers.failures[0]
        return answers.hypotheses(0)[0]

    def nbest(self, text: str, n: int = 5) -> list[Hypothesis]:
        """The n best distinct outputs in order; an empty list if there is no output.

        A learned model is sure of them within its beam, `exact()` without one.
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
        for _, answers in in_order(
            lambda block: self.answer(block, n=n, spans=spans), blocks, jobs=jobs
        ):
            yield answers

    def answers_of(
        self, texts: Sequence[str], block: EncodedBlock, found: Block, *, spans: bool
    ) -> Answers:
        """The answers of the kernels to the texts that could be encoded, and why others failed."""
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
            self.origins([texts[item] for item in block.items], found) if spans else None,
        )

    def origins(self, texts: Sequence[str], found: Block) -> Origins:
        """The spans of outputs as offsets in the user's own strings."""
        bounds, firsts = found.offsets.tolist(), found.firsts.tolist()
        begins, ends, labels = (row.tolist() for row in (found.begins, found.ends, found.labels))
        symbols, spans = [], []
        for item, text in enumerate(texts):
            encoded = self.source.encode(text)
            # An output of the empty string has no symbol to come from.
            starts, stops = list(encoded.starts) or [0], list(encoded.ends) or [0]
            for k in range(firsts[item], firsts[item + 1]):
                first, last = bounds[k], bounds[k + 1]
                written = labels[first:last]
                symbols.append(self.target.decode(written))
                spans.append(
                    tuple(
                        (starts[begins[first + a]], stops[max(ends[first + b - 1] - 1, 0)])
                        for a, b in pairwise(self.target.cuts(written))
                    )
                )
        return Origins(symbols, spans)


class Learned(Answering):
    """A model that was learnt from pairs; `description` says how, and how right it is."""

    temperature: float
    description: Mapping[str, Any]
