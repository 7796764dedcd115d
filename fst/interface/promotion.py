"""Answers of a model with those that a dictionary lists first (Jansche and Sproat 2009, 7).

A listed answer among the ten best goes first. Several keep the order of the model, and so do all
others. The dictionary adds no answer, so it may hold names of other kinds and answers that are
right only elsewhere. Costs and posteriors are those of the model: they need not be in order.

The source of answers is "dictionary" if the first is listed, else "model".

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.training import fit_joint
>>> pairs = [Pair(("a",), (phone,), weight) for phone, weight in [("x", 3.0), ("y", 1.0)]]
>>> model = fit_joint(pairs).model
>>> promoting = Promotion(LexiconFirst.of(model, [Pair(("a",), ("y",))]))
>>> for best in promoting.nbest("a"):
...     print(best.output, round(best.posterior, 2), best.source)
y 0.36 dictionary
x 0.64 dictionary
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from glyphone.fst.interface.answers import Answers, Origins, merge_answers
from glyphone.fst.interface.lexicon import MODEL, LexiconFirst
from glyphone.fst.interface.wrapper import ModelWrapper

DICTIONARY = "dictionary"
# A listed answer has to be among so many answers of the model.
BEST = 10


@dataclass(frozen=True, eq=False)
class Promotion(ModelWrapper):
    """The model and the entries of a `LexiconFirst`, whose weights are not used.

    Words are compared by the `forms` of the model.
    """

    model: LexiconFirst

    @cached_property
    def words(self) -> dict[str, str]:
        """The form of each word of the dictionary."""
        words = list(self.model.entries)
        return dict(zip(words, self.lookup_forms(words), strict=True))

    @cached_property
    def listed(self) -> dict[str, set[str]]:
        """The outputs that the dictionary has for each form."""
        listed: dict[str, set[str]] = {}
        for word, form in self.words.items():
            if form:
                outputs = (self.target.join(symbols) for symbols, _ in self.model.entries[word])
                listed.setdefault(form, set()).update(outputs)
        return listed

    @property
    def unreadable(self) -> list[str]:
        """Words of the dictionary that the model cannot read, so that no text matches them."""
        return [word for word, form in self.words.items() if not form]

    def lookup_forms(self, texts: Sequence[str]) -> Sequence[str]:
        """The form of each text, by which the dictionary is looked up."""
        return self.model.model.forms(texts)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        alone, forms = self.model.model, self.lookup_forms(texts)
        known = [item for item, form in enumerate(forms) if form in self.listed]
        if not known:
            return with_sources(alone.answer(texts, n=n, spans=spans))
        found = alone.answer([texts[item] for item in known], n=max(n, BEST), spans=spans)
        parts = [(known, promote_listed(found, [self.listed[forms[item]] for item in known], n=n))]
        others = sorted(set(range(len(texts))).difference(known))
        if others:
            rest = alone.answer([texts[item] for item in others], n=n, spans=spans)
            parts.append((others, with_sources(rest)))
        return merge_answers(len(texts), parts)

    def settings(self) -> object:
        return DICTIONARY


def with_sources(answers: Answers) -> Answers:
    """Answers with their sources; the source is the model where none is named."""
    return replace(answers, sources=answers.sources or [MODEL] * (len(answers.firsts) - 1))


def promote_listed(answers: Answers, listed: Sequence[set[str]], *, n: int) -> Answers:
    """The n best answers of each item, those of the BEST that are listed first."""
    answers = with_sources(answers)
    order, firsts, sources = list[int](), [0], list(answers.sources or ())
    for item, outputs in enumerate(listed):
        places = range(answers.firsts[item], answers.firsts[item + 1])
        first = [place for place in places[:BEST] if answers.outputs[place] in outputs]
        order += [*first, *(place for place in places if place not in first)][:n]
        firsts.append(len(order))
        if first:
            sources[item] = DICTIONARY
    origins = answers.origins
    if origins is not None:
        origins = Origins(
            [origins.symbols[place] for place in order], [origins.spans[place] for place in order]
        )
    return replace(
        answers,
        outputs=[answers.outputs[place] for place in order],
        costs=[answers.costs[place] for place in order],
        posteriors=[answers.posteriors[place] for place in order],
        firsts=firsts,
        origins=origins,
        sources=sources,
    )
