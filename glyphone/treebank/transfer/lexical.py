"""Translations of words: by a dictionary, else by a model of cognates, else the word itself.

>>> lexicon = BilingualLexicon({"casa": (("case", 0.25), ("maison", 0.75))})
>>> lexicon.targets("Casa"), lexicon.targets("Ana"), lexicon.best_target("casa")
((('Maison', 0.75), ('Case', 0.25)), (('Ana', 1.0),), 'maison')

A model is any model that writes words, such as a joint model of pairs of cognates. Of its best
answers the words of a vocabulary are kept, usually of a text in the target language; the best
answer is kept if none is in the vocabulary. Names, punctuation, words with a digit and words that
the model refuses stay as they are unless the dictionary has them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from glyphone.catalog import names as catalog_names
from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.lines import Source, read_lines
from glyphone.fst.interface.model import Model

Targets = tuple[tuple[str, float], ...]

KEPT = frozenset(("PROPN", "PUNCT", "SYM", "X"))
ANSWERS = 10


@dataclass(frozen=True)
class BilingualLexicon:
    """Translations with weights, a model for other words, and a vocabulary to prefer."""

    entries: Mapping[str, Targets]
    model: Model | None = None
    vocabulary: frozenset[str] = frozenset()
    remembered: dict[str, Targets] = field(default_factory=dict, repr=False, compare=False)

    def targets(self, form: str, tag: str = "") -> Targets:
        """Translations of a word with probabilities, the likeliest first."""
        targets = self.entries.get(form)
        if targets is not None:
            return normalise_weights(targets)
        small = form.lower()
        targets = self.entries.get(small)
        if targets is None and tag not in KEPT and not any(map(str.isdigit, form)):
            targets = self.model_answers(small)
        if not targets:
            return ((form, 1.0),)
        return normalise_weights((in_case(form, word), weight) for word, weight in targets)

    def best_target(self, form: str, tag: str = "") -> str:
        return self.targets(form, tag)[0][0]

    def model_answers(self, word: str) -> Targets:
        """Answers of the model that are in the vocabulary, else its best answer, if any."""
        if self.model is None:
            return ()
        if word not in self.remembered:
            try:
                answers = [(one.output, one.posterior) for one in self.model.nbest(word, n=ANSWERS)]
            except ItemError:
                answers = []
            words = [(output, share) for output, share in answers if output in self.vocabulary]
            self.remembered[word] = tuple(words or answers[:1])
        return self.remembered[word]


def normalise_weights(targets: Iterable[tuple[str, float]]) -> Targets:
    """Words with probabilities, the likeliest first; weights of equal words add up."""
    summed: dict[str, float] = {}
    for word, weight in targets:
        summed[word] = summed.get(word, 0.0) + weight
    total = math.fsum(summed.values())
    ranked = sorted(summed.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple((word, weight / total) for word, weight in ranked)


def in_case(form: str, word: str) -> str:
    """A word with capital letters as in a form: all, the first, or its own.

    >>> in_case("Casa", "maison"), in_case("CASA", "maison"), in_case("casa", "Maison")
    ('Maison', 'MAISON', 'Maison')
    """
    if len(form) > 1 and form.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if form[:1].isupper() else word


def read_dictionary(path: Source) -> dict[str, Targets]:
    """Translations by word, from lines of a word, a translation and perhaps a weight.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/words.tsv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("casa\\tmaison\\t3\\ncasa\\tcase\\nola\\tvague\\n")
    >>> read_dictionary(path)
    {'casa': (('maison', 3.0), ('case', 1.0)), 'ola': (('vague', 1.0),)}
    """
    entries: dict[str, Targets] = {}
    for number, line in read_lines(path):
        if not line.strip():
            continue
        cells = line.split("\t")
        word, target, weight = (*cells, "1")[:3] if len(cells) in (2, 3) else ("", "", "")
        try:
            value = float(weight)
        except ValueError:
            value = math.nan
        if not word.strip() or not target.strip() or not 0 < value < math.inf:
            remedy = "write WORD<TAB>TRANSLATION, and perhaps <TAB> and a weight above 0"
            raise FormatError("no entry", path=path, line=number, item=line, remedy=remedy)
        entries[word] = (*entries.get(word, ()), (target, value))
    if not entries:
        raise FormatError("there is no entry in it", path=path, remedy="check the name")
    return entries


def lexicon_of(
    dictionary: Source | None = None,
    model: str | None = None,
    *,
    vocabulary: Iterable[str] = (),
) -> BilingualLexicon:
    """A lexicon from the files of a dictionary and a model; `vocabulary` has words to prefer."""
    loaded = None if model is None else catalog_names.load(model)
    if loaded is not None and loaded.target.writing.unit == "token":
        remedy = "train one with --target-unit codepoint on pairs of words"
        raise GlyphoneError("writes sounds, not words", path=model, remedy=remedy)
    entries = {} if dictionary is None else read_dictionary(dictionary)
    return BilingualLexicon(entries, loaded, frozenset(word.lower() for word in vocabulary))
