"""Exact look-up before a model: the model answers only for words that the lexicon does not have.

Words are compared as the model reads them, in its normal form and case. A lexicon's answers come by
falling weight, else in the order of the lexicon; with w their weights and k the word's answers,

    posterior(i) = w(i) / (w(1) + ... + w(k)),   cost(i) = -ln posterior(i)

so that equal weights give each 1 / k. A lexicon does not align letters and phones, so every span is
the whole word. Scores and lattices are those of the model alone.

The source of an answer is "lexicon" or "model". Where an entry has a provenance, such as the list
and the key that a mined pair is from, it is "lexicon: " with that; of several answers to a word,
with the provenance of each in the order of the answers, "; " between them.

>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> model = TransducerModel.of(cascade(letters="a b", phones="x y", rules=["a -> x", "b -> y"]))
>>> first = LexiconFirst.of(model, [Pair(("a", "b"), ("y", "y"))])
>>> [(best.output, best.source) for best in map(first, ["ab", "ba"])]
[('y y', 'lexicon'), ('y x', 'model')]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from glyphone.data.errors import ItemError
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import describe_symbol, suggest_symbol
from glyphone.fst.interface.answers import Answers, Origins, merge_answers
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.model import Model
from glyphone.fst.interface.wrapper import ModelWrapper

LEXICON, MODEL = "lexicon", "model"
# The separator of the provenances of several answers, and the mark of an unknown one.
BETWEEN, UNKNOWN = "; ", "?"

OnError = Literal["raise"] | Callable[[int, ItemError], None]


@dataclass(frozen=True, eq=False)
class LexiconFirst(ModelWrapper):
    """A lexicon, and a model for what is not in it; `entries` are the answers to each word.

    Words are written as the model reads them, with their answers and the weights of these in order.
    `provenances` has the origin of entries, by word and answer, where it is known.
    """

    entries: Mapping[str, tuple[tuple[Symbols, float], ...]] = field(
        default_factory=dict, repr=False
    )
    provenances: Mapping[tuple[str, Symbols], str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        model: Model,
        pairs: Iterable[Pair],
        *,
        provenances: Sequence[str] = (),
        on_error: OnError = "raise",
    ) -> LexiconFirst:
        """The lexicon of some pairs before a model.

        A pair that the model's sides cannot write raises ItemError, or is left out and its error
        goes to `on_error` with the number of the pair, from 0. Equal pairs count once, with the
        greatest weight and its provenance. `provenances` has one entry for each pair, "" where it
        is unknown.
        """
        found: dict[str, dict[Symbols, float]] = {}
        origins: dict[tuple[str, Symbols], str] = {}
        for number, pair in enumerate(pairs):
            text = model.source.writing.join(pair.source)
            try:
                word, symbols = (
                    lookup_form(text, model.source),
                    output_symbols(pair, text, model.target),
                )
                if not word or not symbols:
                    remedy = "fill it in or remove the entry"
                    raise ItemError("one side is empty", item=text, stage=LEXICON, remedy=remedy)
                if not 0 < pair.weight < math.inf:
                    remedy = "a weight is a positive finite number such as a count"
                    message = f"the weight is {pair.weight}"
                    raise ItemError(message, item=text, stage=LEXICON, remedy=remedy)
            except ItemError as error:
                if on_error == "raise":
                    raise
                on_error(number, error)
                continue
            answers = found.setdefault(word, {})
            heavier = pair.weight > answers.get(symbols, 0.0)
            if provenances and provenances[number] and (heavier or (word, symbols) not in origins):
                origins[word, symbols] = provenances[number]
            answers[symbols] = max(pair.weight, answers.get(symbols, 0.0))
        entries = {word: sort_by_weight(answers) for word, answers in found.items()}
        return cls(model, entries, origins)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        # A text that cannot be converted is left to the model, whose error says why; no word is
        # empty.
        words = self.source.as_read(texts)
        known = [item for item, word in enumerate(words) if word in self.entries]
        if not known:
            rest = self.model.answer(texts, n=n, spans=spans)
            return replace(rest, sources=[MODEL] * len(texts))
        inside = set(known)
        others = [item for item in range(len(texts)) if item not in inside]
        parts = [(known, self.look_up([texts[item] for item in known], n=n, spans=spans))]
        if others:
            rest = self.model.answer([texts[item] for item in others], n=n, spans=spans)
            parts.append((others, replace(rest, sources=[MODEL] * len(others))))
        return merge_answers(len(texts), parts)

    def look_up(self, texts: Sequence[str], *, n: int, spans: bool) -> Answers:
        """The answers of the lexicon to texts whose words it holds."""
        symbols, posteriors, places, firsts = list[Symbols](), list[float](), list[int](), [0]
        sources = []
        for item, text in enumerate(texts):
            word = lookup_form(text, self.source)
            answers = self.entries[word]
            sources.append(self.source_of(word, [output for output, _ in answers[:n]]))
            total = sum(weight for _, weight in answers)
            for output, weight in answers[:n]:
                symbols.append(output)
                posteriors.append(weight / total)
                places.append(item)
            firsts.append(len(symbols))
        whole = [((0, len(texts[k])),) * len(row) for k, row in zip(places, symbols, strict=True)]
        return Answers(
            list(map(self.target.join, symbols)),
            [abs(math.log(posterior)) for posterior in posteriors],
            posteriors,
            firsts,
            frozenset(),
            {},
            Origins(symbols, whole) if spans else None,
            sources,
        )

    def source_of(self, word: str, outputs: Sequence[Symbols]) -> str:
        """The source of the answers to a word, with their provenances if some are known."""
        origins = [self.provenances.get((word, output), "") for output in outputs]
        if not any(origins):
            return LEXICON
        return f"{LEXICON}: {BETWEEN.join(provenance or UNKNOWN for provenance in origins)}"

    def invert(self) -> LexiconFirst:
        """The inverse of the lexicon before the inverse of the model."""
        split = self.source.writing.split
        entries = [
            (word, output, weight)
            for word, answers in self.entries.items()
            for output, weight in answers
        ]
        return LexiconFirst.of(
            self.model.invert(),
            (Pair(output, split(word).symbols, weight) for word, output, weight in entries),
            provenances=[self.provenances.get((word, output), "") for word, output, _ in entries],
            on_error=lambda number, error: None,  # letters that the model does not know
        )

    def settings(self) -> object:
        entries = sorted(self.entries.items())
        return (entries, sorted(self.provenances.items())) if self.provenances else entries


def lookup_form(text: str, source: Side) -> str:
    """A text in the normal form, case and spacing of a side: equal words are equal strings."""
    return source.normalise_spaces(source.writing.convert(text))


def output_symbols(pair: Pair, text: str, target: Side) -> Symbols:
    """The output of a pair in the symbols of the target side; ItemError for any other symbol."""
    split = target.writing.split(target.writing.join(pair.target))
    for symbol, start in zip(split.symbols, split.starts, strict=True):
        if target.symbols and symbol not in target.symbols:
            near = suggest_symbol(symbol, target.symbols)
            raise ItemError(
                f"({describe_symbol(symbol).split(' ', 2)[-1]}) is no symbol that "
                f"{target.stage or 'the model'} writes",
                item=text,
                stage=LEXICON,
                symbol=symbol,
                offset=start,
                remedy=near or "respell the entry with the model's symbols, or leave it out",
            )
    return split.symbols


def sort_by_weight(answers: Mapping[Symbols, float]) -> tuple[tuple[Symbols, float], ...]:
    return tuple(sorted(answers.items(), key=lambda entry: -entry[1]))
