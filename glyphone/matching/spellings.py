"""Names as other scripts write them, by the models of names that are there.

A language writes names in its script by `glyphone models train CODE`, which makes models into it
and out of it. Where several languages of a script have models, all are asked, and their
probabilities are shared. Where none has, letters are put into Latin ones by anyascii, each by
itself.

>>> speller = NameSpeller({})
>>> speller(["Москва"], "Cyrl", "Latn")
[(Spelling(script='Latn', text='moskva', probability=1.0),)]
>>> speller(["ana"], "Latn", "Cyrl")
[()]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from glyphone.learners.matching.evidence import LATIN, Spelling

# So many spellings of a word are compared: many letters of abjads can be read in several ways.
INTO, OUT_OF = 5, 3
# Words that are kept with their spellings.
MOST_KEPT = 1_000_000


class NameSpeller:
    """Spells words of one script in another.

    `models` are names or files of models, or models, by the code of a script: pairs of one into the
    script and one out of it. By default all that are trained are used.
    """

    def __init__(self, models: Mapping[str, Sequence[tuple[Any, Any]]] | None = None):
        self.models = models
        self._kept: dict[tuple[str, str], dict[str, tuple[Spelling, ...]]] = defaultdict(dict)

    def __call__(
        self, words: Sequence[str], script: str, wanted: str
    ) -> list[tuple[Spelling, ...]]:
        """The spellings of words, the likeliest first; none where nothing is known."""
        kept = self._kept[script, wanted]
        if len(kept) > MOST_KEPT:
            kept.clear()
        new = [word for word in dict.fromkeys(words) if word not in kept]
        kept.update(zip(new, self._spelt(new, script, wanted), strict=True))
        return [kept[word] for word in words]

    def _spelt(self, words: list[str], script: str, wanted: str) -> list[tuple[Spelling, ...]]:
        if wanted == LATIN:
            models = [out_of for _, out_of in self.loaded.get(script, ())]
            found = spellings_by(models, words, wanted, OUT_OF)
            return [row or in_latin_letters(word) for row, word in zip(found, words, strict=True)]
        if script == LATIN:
            models = [into for into, _ in self.loaded.get(wanted, ())]
            return spellings_by(models, words, wanted, INTO)
        return [()] * len(words)

    @cached_property
    def loaded(self) -> dict[str, list[tuple[Any, Any]]]:
        """The models of each script."""
        given = default_models() if self.models is None else self.models
        return {
            script: [(loaded_model(into), loaded_model(out_of)) for into, out_of in pairs]
            for script, pairs in given.items()
        }


def loaded_model(model: Any) -> Any:
    """A model, or that of a name or file."""
    from glyphone.catalog import names as catalog_names

    return catalog_names.load(model) if isinstance(model, str) else model


def default_models() -> dict[str, list[tuple[str, str]]]:
    """The names of models that are trained, into each script and out of it."""
    from glyphone.catalog import names as catalog_names
    from glyphone.models.names.languages import find_language, language_codes

    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for code in language_codes():
        names = f"{code}.names", f"{code}.to_latin"
        if all(catalog_names.model_of(name) for name in names):
            found[find_language(code).script].append(names)
    return dict(found)


def spellings_by(
    models: Sequence[Any], words: Sequence[str], script: str, n: int
) -> list[tuple[Spelling, ...]]:
    """The n likeliest answers of models, each of which has the same share of the probability."""
    totals: list[dict[str, float]] = [defaultdict(float) for _ in words]
    for model in models:
        place = 0
        for answers in model.blocks(words, n=n):
            for item in range(len(answers.firsts) - 1):
                if item not in answers.failures:
                    for hypothesis in answers.hypotheses(item):
                        text = hypothesis.output.casefold()
                        totals[place + item][text] += hypothesis.posterior / len(models)
            place += len(answers.firsts) - 1
    return [
        tuple(
            Spelling(script, text, probability)
            for text, probability in sorted(row.items(), key=lambda one: (-one[1], one[0]))[:n]
        )
        for row in totals
    ]


def latin_letters(word: str) -> str:
    """A word in Latin letters, each by itself.

    >>> latin_letters("Ёлка")
    'elka'
    """
    from anyascii import anyascii

    return anyascii(word).casefold().strip()


def in_latin_letters(word: str) -> tuple[Spelling, ...]:
    text = latin_letters(word)
    return (Spelling(LATIN, text),) if text else ()
