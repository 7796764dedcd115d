"""Words of one language in another: by a dictionary, else by a model of cognates, else themselves.

>>> lexicon = Lexicon({"casa": (("case", 0.25), ("maison", 0.75))})
>>> lexicon.targets("Casa"), lexicon.targets("Ana"), lexicon.best("casa")
((('Maison', 0.75), ('Case', 0.25)), (('Ana', 1.0),), 'maison')

A model is any that writes words, such as a joint model of pairs of cognates; of its best answers
those count that are words of a vocabulary, if any are: the words of a text in the target language.
Names, punctuation, and what has a digit or is refused by the model stay as they are unless the
dictionary has them.
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
class Lexicon:
    """Translations with weights, a model for other words, and words to prefer."""

    entries: Mapping[str, Targets]
    model: Model | None = None
    vocabulary: frozenset[str] = frozenset()
    remembered: dict[str, Targets] = field(default_factory=dict, repr=False, compare=False)

    def targets(self, form: str, tag: str = "") -> Targets:
        """What a word may become, with probabilities, the likeliest first."""
        found = self.entries.get(form)
        if found is not None:
            return normalised(found)
        small = form.lower()
        found = self.entries.get(small)
        if found is None and tag not in KEPT and not any(map(str.isdigit, form)):
            found = self.answers(small)
        if not found:
            return ((form, 1.0),)
        return normalised((in_case(form, word), weight) for word, weight in found)

    def best(self, form: str, tag: str = "") -> str:
        return self.targets(form, tag)[0][0]

    def answers(self, word: str) -> Targets:
        """The model's, of words of the vocabulary if there are any, else its best."""
        if self.model is None:
            return ()
        if word not in self.remembered:
            try:
                given = [(one.output, one.posterior) for one in self.model.nbest(word, n=ANSWERS)]
            except ItemError:
                given = []
            words = [(output, share) for output, share in given if output in self.vocabulary]
            self.remembered[word] = tuple(words or given[:1])
        return self.remembered[word]


def normalised(targets: Iterable[tuple[str, float]]) -> Targets:
    """The same with probabilities, words that are equal together."""
    summed: dict[str, float] = {}
    for word, weight in targets:
        summed[word] = summed.get(word, 0.0) + weight
    total = math.fsum(summed.values())
    found = sorted(summed.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple((word, weight / total) for word, weight in found)


def in_case(form: str, word: str) -> str:
    """A word with capitals as another has them: all, the first, or none.

    >>> in_case("Casa", "maison"), in_case("CASA", "maison"), in_case("casa", "Maison")
    ('Maison', 'MAISON', 'Maison')
    """
    if len(form) > 1 and form.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if form[:1].isupper() else word


def read_dictionary(path: Source) -> dict[str, Targets]:
    """Lines of a word, its translation and perhaps a weight, between tabs; several lines a word.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/words.tsv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("casa\\tmaison\\t3\\ncasa\\tcase\\nola\\tvague\\n")
    >>> read_dictionary(path)
    {'casa': (('maison', 3.0), ('case', 1.0)), 'ola': (('vague', 1.0),)}
    """
    found: dict[str, Targets] = {}
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
        found[word] = (*found.get(word, ()), (target, value))
    if not found:
        raise FormatError("there is no entry in it", path=path, remedy="check the name")
    return found


def lexicon_of(
    dictionary: Source | None = None,
    model: str | None = None,
    *,
    vocabulary: Iterable[str] = (),
) -> Lexicon:
    """A lexicon from files; the words of the vocabulary are those of a text in the target."""
    loaded = None if model is None else catalog_names.load(model)
    if loaded is not None and loaded.target.writing.unit == "token":
        remedy = "train one with --target-unit codepoint on pairs of words"
        raise GlyphoneError("writes sounds, not words", path=model, remedy=remedy)
    entries = {} if dictionary is None else read_dictionary(dictionary)
    return Lexicon(entries, loaded, frozenset(word.lower() for word in vocabulary))
