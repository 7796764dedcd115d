"""A model held against words whose answers are known.

All pairs with the same source word are one item with several references, all of them right. The
model reads words in its own case and normal form; references are brought into those of its other
side and compared with answers symbol by symbol. How figures come out of that is in
`glyphone.evaluation.measures`. Where references carry stress, word and phone error are given
without it too: those of the best answers against the references, both bare of it. Slices of the
words have figures of their own, see `glyphone.evaluation.slices`.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> rules = ["c h -> tʃ", "c -> k"]
>>> model = TransducerModel.of(cascade(letters="c h o", phones="tʃ o k", rules=rules))
>>> pairs = [Pair(tuple("cho"), ("tʃ", "o")), Pair(tuple("co"), ("s", "o"))]
>>> evaluation = evaluate(model, pairs)
>>> evaluation.items, evaluation.wer, evaluation.per, evaluation.unknown
(2, 0.5, 0.25, {'s': 1})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Pair
from glyphone.data.writing import Unit, Writing
from glyphone.evaluation import measures
from glyphone.evaluation.measures import Bin
from glyphone.evaluation.relatives import Relation, relations_to
from glyphone.evaluation.slices import Slice, check_origins, outcomes_of, slices_of
from glyphone.evaluation.verdicts import (
    Answer,
    Item,
    Verdict,
    answer_items,
    gather_items,
    judge_answers,
    judge_without_stress,
)
from glyphone.evaluation.wrong import WrongItem
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.lexicon import LEXICON, LexiconFirst
from glyphone.fst.interface.model import Model
from glyphone.fst.interface.promotion import DICTIONARY, Promotion

# As many as the NEWS shared tasks look at.
NBEST = 10
# The figures that are reported with intervals.
BOUNDED = ("wer", "per", "accuracy", "mean_f", "mrr", "map_ref", "calibration_error")
# Figures that are given without stress too, if references carry any; their names end in BARE.
STRESSED = ("wer", "per")
BARE = "_without_stress"
# Fields about single words, which are left out of JSON.
WORDS = ("repeated", "verdicts", "alone", "origins", "relations", "lines")
_TOPS = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The figures, all shares; `intervals` has 95 % bootstrap intervals of some of them."""

    model: str
    items: int
    references: int
    failed: int
    truncated: int
    wer: float
    per: float
    accuracy: float
    mean_f: float
    mrr: float
    map_ref: float
    calibration_error: float
    brier: float
    # None where no reference carries stress.
    wer_without_stress: float | None = None
    per_without_stress: float | None = None
    intervals: dict[str, tuple[float, float]]
    top_n: dict[int, float]
    reliability: tuple[Bin, ...]
    nbest: int
    seed: int
    # The units that count as symbols on either side.
    source_unit: Unit
    target_unit: Unit
    # Symbols of references that the model cannot write, and in how many places.
    unknown: dict[str, int]
    # (pair, the earlier pair that it repeats)
    repeated: tuple[tuple[int, int], ...] = field(repr=False)
    verdicts: tuple[Verdict, ...] = field(repr=False)
    # Answers of the model alone, where a lexicon stands before it.
    alone: tuple[Verdict, ...] = field(default=(), repr=False)
    # The origin of each pair's word, if known.
    origins: tuple[str, ...] = field(default=(), repr=False)
    # The relation of each verdict's word to words learnt from, if these are known.
    relations: tuple[Relation, ...] = field(default=(), repr=False)
    # The line of each pair, if they come from a file.
    lines: tuple[int, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.page()

    def page(self, *, errors: int = 0) -> str:
        """The evaluation for people, with as many of the worst errors as asked for."""
        from glyphone.evaluation.page import evaluation_page

        return evaluation_page(self, errors=errors)

    @cached_property
    def slices(self) -> tuple[Slice, ...]:
        """Figures by length of the words, origin, relatives in training, and what answered them."""
        return slices_of(
            self.verdicts,
            self.alone,
            unit=self.source_unit,
            origins=self.origins,
            relations=self.relations,
            seed=self.seed,
        )

    def as_dict(self, *, errors: int = 0) -> dict[str, Any]:
        """The figures without the words, fit for JSON; with `errors`, as many of the worst too."""
        content: dict[str, Any] = {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if f.name not in WORDS and not (f.name.endswith(BARE) and getattr(self, f.name) is None)
        }
        content["intervals"] = {name: list(ends) for name, ends in self.intervals.items()}
        content["top_n"] = {str(n): share for n, share in self.top_n.items()}
        content["reliability"] = [asdict(row) for row in self.reliability]
        content["repeated"] = len(self.repeated)
        content["slices"] = [row.as_dict() for row in self.slices]
        if errors:
            content["errors"] = [
                {
                    "input": verdict.item.text,
                    "reference": verdict.nearest,
                    "output": verdict.answer.output,
                    "edits": verdict.edits,
                    "posterior": verdict.answer.posterior,
                }
                for verdict in self.worst(errors)
            ]
        return content

    def failures(self) -> list[tuple[Item, ItemError]]:
        """The words without an answer, and why."""
        errors = [(verdict.item, verdict.answer.error) for verdict in self.verdicts]
        return [(item, error) for item, error in errors if error is not None]

    def worst(self, n: int) -> list[Verdict]:
        """Wrong answers: most edits first, then the surest of them, then the first."""
        wrong = [verdict for verdict in self.verdicts if verdict.edits]
        answered = [verdict for verdict in wrong if verdict.answer.error is None]
        return sorted(answered, key=lambda v: (-v.edits, -v.answer.posterior))[:n]

    def wrong_items(self) -> list[WrongItem]:
        """Answers that equal no reference, each with the nearest one, in order."""
        join = " ".join
        return [
            WrongItem(
                self.lines[verdict.item.pairs[0]] if self.lines else verdict.item.pairs[0] + 1,
                *(verdict.item.text, "word", join(verdict.nearest)),
                join(verdict.answer.output or ()),
            )
            for verdict in self.verdicts
            if verdict.answer.rank != 1 and verdict.answer.error is None
        ]

    def confusions(self) -> list[tuple[tuple[str, str], int]]:
        """(reference symbol, output symbol) with their counts, most frequent first; "" is none."""
        counts: Counter[tuple[str, str]] = Counter()
        for verdict in self.worst(self.items):
            output = verdict.answer.output or ()
            if len(verdict.nearest) * len(output) <= measures.MOST_CELLS:
                pairs = measures.alignment(verdict.nearest, output)
                counts.update(pair for pair in pairs if pair[0] != pair[1])
        return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def evaluate(
    model: Model,
    pairs: Iterable[Pair],
    *,
    nbest: int = NBEST,
    jobs: int | None = None,
    seed: int = 0,
    name: str | None = None,
    origins: Sequence[str] = (),
    lines: Sequence[int] = (),
    learnt: Iterable[str] = (),
) -> Evaluation:
    """Figures for a model over pairs of source words and references; weights are not looked at.

    The sides of a pair are joined and cut again as the model does it, so they may have been cut
    into other units. `origins` are those of the words of pairs, "" if unknown; `lines` are those of
    pairs in their file. With words that were `learnt` from, words are parted by their relatives.
    """
    if nbest < 1:
        raise GlyphoneError(f"{nbest} best answers", remedy="ask for one or more")
    check_origins(origins)
    items, repeated = gather_items(pairs, model.source.writing, model.target.writing)
    if not items:
        raise GlyphoneError("there is nothing to evaluate", remedy="give one pair or more")
    answers = list(answer_items(model, items, nbest, jobs))
    with progress.step("comparing answers with references"):
        verdicts = judge_answers(items, answers)
    outcomes = outcomes_of(verdicts)
    bounds = measures.intervals(outcomes, seed=seed)
    values = {name: float(value) for name, value in measures.figures(outcomes.sums()).items()}
    intervals = {name: bounds[name] for name in BOUNDED}
    bare = judge_without_stress(items, answers)
    if bare:
        outcomes_of_bare = outcomes_of(bare)
        bounds = measures.intervals(outcomes_of_bare, seed=seed)
        bare_figures = measures.figures(outcomes_of_bare.sums())
        for figure in STRESSED:
            values[figure + BARE] = float(bare_figures[figure])
            intervals[figure + BARE] = bounds[figure]
    alone = without_lexicon(model, items, answers, nbest, jobs)
    relations = relations_of_items(items, learnt, model.source.writing)
    return Evaluation(
        model=name or model.name,
        items=len(items),
        references=sum(len(item.references) for item in items),
        failed=sum(answer.error is not None for answer in answers),
        truncated=sum(answer.truncated for answer in answers),
        **values,
        intervals=intervals,
        top_n={n: measures.top_n(outcomes.ranks, n) for n in top_ranks(nbest)},
        reliability=measures.reliability(outcomes),
        nbest=nbest,
        seed=seed,
        source_unit=model.source.writing.unit,
        target_unit=model.target.writing.unit,
        unknown=unknown_symbols(items, model.target),
        repeated=tuple(repeated),
        verdicts=tuple(verdicts),
        alone=tuple(judge_answers(items, alone)) if alone else (),
        origins=tuple(origins),
        relations=tuple(relations),
        lines=tuple(lines),
    )


def relations_of_items(
    items: Sequence[Item], learnt: Iterable[str], source: Writing
) -> list[Relation]:
    """The relation of each item to words learnt from, all as a model reads them; none of none."""

    def read(text: str) -> str:
        try:
            return source.convert(text)
        except ItemError:  # told as a failure of the item
            return text

    known = {*map(read, learnt)}
    return relations_to(known, [read(item.text) for item in items]) if known else []


def without_lexicon(
    model: Model, items: Sequence[Item], answers: Sequence[Answer], nbest: int, jobs: int | None
) -> list[Answer]:
    """The answers of a model without the lexicon before it and the dictionary behind it;
    nothing if none was."""
    if not isinstance(model, LexiconFirst | Promotion):
        return []
    listed = (LEXICON, DICTIONARY)
    known = [number for number, answer in enumerate(answers) if answer.source in listed]
    bare = model.model
    while isinstance(bare, LexiconFirst | Promotion):
        bare = bare.model
    again = answer_items(bare, [items[number] for number in known], nbest, jobs)
    instead = dict(zip(known, again, strict=True))
    return [instead.get(number, answer) for number, answer in enumerate(answers)]


def top_ranks(nbest: int) -> list[int]:
    return [n for n in _TOPS if n < nbest] + [nbest]


def unknown_symbols(items: Sequence[Item], target: Side) -> dict[str, int]:
    """Symbols of references that are not in the model's alphabet, most frequent first."""
    if not target.symbols:  # bytes, which write everything
        return {}
    counts = Counter(
        symbol
        for item in items
        for reference in item.references
        for symbol in reference
        if symbol not in target.symbols
    )
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
