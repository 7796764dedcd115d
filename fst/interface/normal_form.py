"""The normal form in which the words of a lexicon are learnt best.

In NFC a Hangul syllable is one symbol, and so is a letter with its tone; in NFD they are several,
each of which is met far more often. Which is better depends on the lexicon, and is found out from
it: models of three quarters of the words are tried on the fourth, each in turn, in both forms.

>>> import unicodedata
>>> from glyphone.fst.joint.training import fit_joint
>>> words = ["".join(map(chr, (0xAC00 + 588 * a + 28 * b, 0xAC00 + 588 * b + 28 * a)))
...          for a in range(8) for b in range(8)]
>>> pairs = [Pair(tuple(w), tuple(unicodedata.normalize("NFD", w))) for w in words]
>>> def learn(some, source):
...     return fit_joint(some, source=source).model
>>> writing, cut = chosen(pairs, learn, source=Writing(), target=Writing("token"))
>>> writing.normal_form, len(pairs[0].source), len(cut[0].source)
('NFD', 2, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicons.splits import place_of
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import NormalForm, Writing
from glyphone.fst.interface.model import Answering

# Of forms that are as good the first is kept.
FORMS: tuple[NormalForm, ...] = ("NFC", "NFD")
FOLDS = 4
# More words tell no more, and take longer.
MOST_WORDS = 4000

Learn = Callable[[Sequence[Pair], Writing], Answering]


def chosen(
    pairs: Sequence[Pair], learn: Learn, *, source: Writing, target: Writing
) -> tuple[Writing, Sequence[Pair]]:
    """How the source is written best, and the pairs cut so.

    Where all forms cut the words alike, nothing is tried. Of a large lexicon some thousand words
    are judged, by models of as many.
    """
    ways = [replace(source, normal_form=form) for form in FORMS]
    forms = [recut(pairs, way) for way in ways]
    if all(one.source == other.source for one, other in zip(*forms, strict=True)):
        return source, pairs
    parts = parts_of(pairs)
    errors = [
        held_out_errors(form, parts, learn, source=way, target=target)
        for form, way in zip(forms, ways, strict=True)
    ]
    best = errors.index(min(errors))
    return ways[best], forms[best]


def recut(pairs: Sequence[Pair], source: Writing) -> list[Pair]:
    """Pairs whose words are cut as a way of writing says."""
    cut: dict[Symbols, Symbols] = {}
    for pair in pairs:
        if pair.source not in cut:
            cut[pair.source] = source.split(source.join(pair.source)).symbols
    return [replace(pair, source=cut[pair.source]) for pair in pairs]


def parts_of(pairs: Sequence[Pair]) -> list[int]:
    """The part, from 0 on, that each pair is held out in, and FOLDS or more for one too many."""
    n_words = len({pair.source for pair in pairs})
    share = min(1.0, MOST_WORDS / n_words)
    return [int(place_of(pair.source, seed=0) / share * FOLDS) for pair in pairs]


def held_out_errors(
    pairs: Sequence[Pair], parts: Sequence[int], learn: Learn, *, source: Writing, target: Writing
) -> int:
    """How many words models of other parts get wrong."""
    errors = 0
    for fold in range(FOLDS):
        rest, answers = list[Pair](), dict[str, set[str]]()
        for pair, part in zip(pairs, parts, strict=True):
            if part == fold:
                text = source.join(pair.source)
                answers.setdefault(text, set()).add(target.join(pair.target))
            elif part < FOLDS:
                rest.append(pair)
        try:
            found = learn(rest, source).answer(list(answers))
        except GlyphoneError:  # there is nothing in this form that could be learnt from
            errors += len(answers)
            continue
        for item, references in enumerate(answers.values()):
            best = found.outputs[found.firsts[item] : found.firsts[item] + 1]
            answered = found.firsts[item] < found.firsts[item + 1]
            errors += not (answered and best[0] in references)
    return errors
