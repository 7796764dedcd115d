"""Three ways to treat an item with a symbol that its model does not know.

`fail`: the item fails, and the error names the symbol. `skip`: the model reads the item without the
symbol. `pass`: as `skip`, and the symbol is copied to its place in the output, after the output of
the letters before it. An answer to such an item lists the unknown symbols. Where skipping would
leave nothing to read, the item fails.

>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> model = TransducerModel.of(cascade(letters="a b", phones="x y", rules=["a -> x", "b -> y"]))
>>> best = lenient(model, "pass")("aßb")
>>> best.output, best.unknown, best.spans
('x ß y', ('ß',), ((0, 1), (1, 2), (2, 3)))
>>> lenient(model, "skip")("aßb").output
'x y'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, get_args

from glyphone.data.errors import GlyphoneError, ItemError, UnknownName
from glyphone.data.records import Symbols
from glyphone.fst.interface.answers import Answers, Origins, Span, merge_answers
from glyphone.fst.interface.codec import Encoded, EncodedBlock, Side
from glyphone.fst.interface.model import Model
from glyphone.fst.interface.wrapper import ModelWrapper

Unknown = Literal["fail", "pass", "skip"]


def lenient(model: Model, unknown: Unknown) -> Model:
    """The model with one of the three ways to treat unknown symbols."""
    if unknown not in get_args(Unknown):
        raise UnknownName("way with unknown symbols", str(unknown), get_args(Unknown))
    if isinstance(model, LenientModel):
        return lenient(model.model, unknown)
    if isinstance(model, ModelWrapper):  # a lexicon before a model: it holds words, not symbols
        return replace(model, model=lenient(model.model, unknown))
    if unknown == "fail":
        return model
    if not any(row.name == "source" and row.init for row in fields(model)):  # type: ignore[arg-type]
        remedy = "leave out --unknown: ensembles have none, and models of names respell symbols"
        raise GlyphoneError(f"cannot {unknown} symbols", stage=model.name, remedy=remedy)
    return LenientModel(model, unknown == "pass")


@dataclass(frozen=True)
class SkippingSide(Side):
    """A side that leaves out unknown symbols when it encodes."""

    def encode(self, text: str) -> Encoded:
        split = self.writing.split(text)
        places = [k for k, symbol in enumerate(split.symbols) if symbol in self.symbols]
        return Encoded(
            [self.symbols[split.symbols[k]] for k in places],
            [split.starts[k] for k in places],
            [split.ends[k] for k in places],
        )

    def encode_all(self, texts: Sequence[str], *, offsets: bool = False) -> EncodedBlock:
        return self.encode_each(texts)


@dataclass(frozen=True)
class UnknownSymbols:
    """The unknown symbols of a text, and their spans in it."""

    symbols: Symbols
    spans: tuple[Span, ...]


@dataclass(frozen=True, eq=False)
class LenientModel(ModelWrapper):
    """A model that answers without the symbols that it does not know, or with copies of them.

    `score` and `lattice` are those of the model, and fail: unknown symbols have no probability.
    """

    copies: bool = False

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        answers = self.model.answer(texts, n=n, spans=spans)
        found = {item: self.find_unknown(texts[item]) for item in answers.failures}
        strange = {item: seen for item, seen in found.items() if seen is not None}
        if not strange:
            return answers
        others = [texts[item] for item in strange]
        again = self.skipping.answer(others, n=n, spans=spans or self.copies)
        seen = list(strange.values())
        if self.copies:
            again = self.insert_copies(again, seen)
        again = replace(
            again,
            origins=again.origins if spans else None,
            unknown={k: tuple(dict.fromkeys(item.symbols)) for k, item in enumerate(seen)},
        )
        return merge_answers(len(texts), [(range(len(texts)), answers), (list(strange), again)])

    @cached_property
    def skipping(self) -> Model:
        side = {f.name: getattr(self.source, f.name) for f in fields(Side)}
        model: Any = self.model
        skipping: Model = replace(model, source=SkippingSide(**side))
        return skipping

    def find_unknown(self, text: str) -> UnknownSymbols | None:
        """The unknown symbols of a text that failed; None if it failed for another reason."""
        if not self.source.symbols:  # bytes
            return None
        try:
            split = self.source.writing.split(text)
        except ItemError:
            return None
        places = [k for k, symbol in enumerate(split.symbols) if symbol not in self.source.symbols]
        if not places or (len(places) == len(split.symbols) and not self.copies):
            return None
        return UnknownSymbols(
            tuple(split.symbols[k] for k in places),
            tuple((split.starts[k], split.ends[k]) for k in places),
        )

    def insert_copies(self, answers: Answers, strange: Sequence[UnknownSymbols]) -> Answers:
        """Answers with copies of the unknown symbols of their items, at their places."""
        assert answers.origins is not None
        origins, symbols, spans = answers.origins, list[Symbols](), list[tuple[Span, ...]]()
        for item, seen in enumerate(strange):
            for k in range(answers.firsts[item], answers.firsts[item + 1]):
                own = list(zip(origins.symbols[k], origins.spans[k], strict=True))
                both = with_copies(own, list(zip(seen.symbols, seen.spans, strict=True)))
                symbols.append(tuple(symbol for symbol, _ in both))
                spans.append(tuple(span for _, span in both))
        outputs = list(map(self.target.join, symbols))
        return replace(answers, outputs=outputs, origins=Origins(symbols, spans))

    def settings(self) -> object:
        return "pass" if self.copies else "skip"


def with_copies(
    own: Sequence[tuple[str, Span]], copies: Sequence[tuple[str, Span]]
) -> list[tuple[str, Span]]:
    """Output symbols with copies among them, each before the first that begins after it.

    >>> with_copies([("ʃ", (0, 3)), ("a", (3, 4))], [("-", (1, 2)), ("!", (4, 5))])
    [('ʃ', (0, 3)), ('-', (1, 2)), ('a', (3, 4)), ('!', (4, 5))]
    """
    result, waiting = list[tuple[str, Span]](), list(copies)
    for symbol, span in own:
        while waiting and waiting[0][1][0] < span[0]:
            result.append(waiting.pop(0))
        result.append((symbol, span))
    return result + waiting
