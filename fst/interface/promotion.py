"""What a dictionary knows goes to the top of what a model finds (Jansche and Sproat 2009, 7).

A listed answer that is among the ten best goes first. Several keep the model's order, and so do all
others. The dictionary adds nothing, so that it may be of other names than those that are asked for,
and full of answers that are possible only elsewhere. Costs and posteriors stay what the model says:
they need not fall from one answer to the next.

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

from glyphone.fst.interface.answers import Answers, Origins, merged
from glyphone.fst.interface.lexicon import MODEL, LexiconFirst
from glyphone.fst.interface.wrapper import Around

DICTIONARY = "dictionary"
# A listed answer has to be among so many of the model's.
BEST = 10


@dataclass(frozen=True, eq=False)
class Promotion(Around):
    """The model and the entries are those of a `LexiconFirst`; their weights are not asked for.

    Words are compared by the `forms` of the model.
    """

    model: LexiconFirst

    @cached_property
    def words(self) -> dict[str, str]:
        """Each word of the dictionary with its form."""
        words = list(self.model.entries)
        return dict(zip(words, self.looked_up(words), strict=True))

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
        """Words that will never be found."""
        return [word for word, form in self.words.items() if not form]

    def looked_up(self, texts: Sequence[str]) -> Sequence[str]:
        """Each text as it stands in the dictionary, if it does."""
        return self.model.model.forms(texts)

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        alone, forms = self.model.model, self.looked_up(texts)
        known = [item for item, form in enumerate(forms) if form in self.listed]
        if not known:
            return told(alone.answer(texts, n=n, spans=spans))
        found = alone.answer([texts[item] for item in known], n=max(n, BEST), spans=spans)
        parts = [(known, promoted(found, [self.listed[forms[item]] for item in known], n=n))]
        others = sorted(set(range(len(texts))).difference(known))
        if others:
            rest = alone.answer([texts[item] for item in others], n=n, spans=spans)
            parts.append((others, told(rest)))
        return merged(len(texts), parts)

    def settings(self) -> object:
        return DICTIONARY


def told(answers: Answers) -> Answers:
    """Answers of the model, as which they count where it does not say itself whose they are."""
    return replace(answers, sources=answers.sources or [MODEL] * (len(answers.firsts) - 1))


def promoted(answers: Answers, listed: Sequence[set[str]], *, n: int) -> Answers:
    """The n best of each item, after those outputs of the BEST that are listed have gone first."""
    answers = told(answers)
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
