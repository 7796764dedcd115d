"""Exact look-up before a model: what a lexicon says of a word goes before what a model thinks.

Words are compared as the model reads them, in its normal form and case. A lexicon's answers come by
falling weight, else in the order of the lexicon; with w their weights and k the word's answers,

    posterior(i) = w(i) / (w(1) + ... + w(k)),   cost(i) = -ln posterior(i)

so that equal weights give each 1 / k. A lexicon does not say which letters a phone comes from, so
every span is the whole word. Scores and lattices are those of the model alone.

The source of an answer is "lexicon" or "model". Where an entry has a provenance, such as the list
and the key that a mined pair is from, it is "lexicon: " with that; of several answers to a word,
with the provenance of each in the order of the answers, "; " between them.

>>> from glyphone.fst.transducers.model import Model
>>> from glyphone.fst.rules.cascade import cascade
>>> model = Model.of(cascade(letters="a b", phones="x y", rules=["a -> x", "b -> y"]))
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
from glyphone.data.writing import describe, suggest
from glyphone.fst.interface.answers import Answers, Origins, merged
from glyphone.fst.interface.codec import Side
from glyphone.fst.interface.model import Answering
from glyphone.fst.interface.wrapper import Around

LEXICON, MODEL = "lexicon", "model"
# Between the provenances of several answers, and what stands for one that is not told.
BETWEEN, UNTOLD = "; ", "?"

OnError = Literal["raise"] | Callable[[int, ItemError], None]


@dataclass(frozen=True, eq=False)
class LexiconFirst(Around):
    """A lexicon, and a model for what is not in it; `entries` are the answers to each word.

    Words are written as the model reads them, with their answers and the weights of these in order.
    `provenances` say of words with an answer where that entry is from, if anything does.
    """

    entries: Mapping[str, tuple[tuple[Symbols, float], ...]] = field(
        default_factory=dict, repr=False
    )
    provenances: Mapping[tuple[str, Symbols], str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        model: Answering,
        pairs: Iterable[Pair],
        *,
        provenances: Sequence[str] = (),
        on_error: OnError = "raise",
    ) -> LexiconFirst:
        """Of a model and pairs; one that the model's sides cannot write is an ItemError.

        It is raised, or goes to `on_error` with the number of the pair, from 0, and is left out. A
        pair that is there twice counts once, with the greater weight and what is known of that.
        `provenances` say of each pair where it is from, "" where that is not known.
        """
        found: dict[str, dict[Symbols, float]] = {}
        told: dict[tuple[str, Symbols], str] = {}
        for number, pair in enumerate(pairs):
            text = model.source.writing.join(pair.source)
            try:
                word, symbols = word_of(text, model.source), written(pair, text, model.target)
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
            if provenances and provenances[number] and (heavier or (word, symbols) not in told):
                told[word, symbols] = provenances[number]
            answers[symbols] = max(pair.weight, answers.get(symbols, 0.0))
        entries = {word: in_order_of_weight(answers) for word, answers in found.items()}
        return cls(model, entries, told)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        # A text that is no text is left to the model, which says why; no word is empty.
        words = self.source.words(texts)
        known = [item for item, word in enumerate(words) if word in self.entries]
        if not known:
            rest = self.model.answer(texts, n=n, spans=spans)
            return replace(rest, sources=[MODEL] * len(texts))
        inside = set(known)
        others = [item for item in range(len(texts)) if item not in inside]
        parts = [(known, self.looked_up([texts[item] for item in known], n=n, spans=spans))]
        if others:
            rest = self.model.answer([texts[item] for item in others], n=n, spans=spans)
            parts.append((others, replace(rest, sources=[MODEL] * len(others))))
        return merged(len(texts), parts)

    def looked_up(self, texts: Sequence[str], *, n: int, spans: bool) -> Answers:
        """The answers of the lexicon to texts that it has."""
        symbols, posteriors, places, firsts = list[Symbols](), list[float](), list[int](), [0]
        sources = []
        for item, text in enumerate(texts):
            word = word_of(text, self.source)
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
        """What is said of the source of the answers to a word."""
        told = [self.provenances.get((word, output), "") for output in outputs]
        if not any(told):
            return LEXICON
        return f"{LEXICON}: {BETWEEN.join(provenance or UNTOLD for provenance in told)}"

    def invert(self) -> LexiconFirst:
        """The same lexicon and model from outputs to inputs."""
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


def word_of(text: str, source: Side) -> str:
    """A text as the model reads it, so that equal words are equal strings."""
    return source.spaced(source.writing.convert(text))


def written(pair: Pair, text: str, target: Side) -> Symbols:
    """The output of a pair as the model writes it; ItemError for a symbol that it does not."""
    split = target.writing.split(target.writing.join(pair.target))
    for symbol, start in zip(split.symbols, split.starts, strict=True):
        if target.symbols and symbol not in target.symbols:
            near = suggest(symbol, target.symbols)
            raise ItemError(
                f"({describe(symbol).split(' ', 2)[-1]}) is no symbol that "
                f"{target.stage or 'the model'} writes",
                item=text,
                stage=LEXICON,
                symbol=symbol,
                offset=start,
                remedy=near or "respell the entry with the model's symbols, or leave it out",
            )
    return split.symbols


def in_order_of_weight(answers: Mapping[Symbols, float]) -> tuple[tuple[Symbols, float], ...]:
    return tuple(sorted(answers.items(), key=lambda entry: -entry[1]))
