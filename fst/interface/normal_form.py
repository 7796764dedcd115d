"""The choice of the normal form in which the words of a lexicon are learnt best.

In NFC a Hangul syllable is one symbol, and so is a letter with its tone; in NFD they are several,
each of which is met far more often. The better one depends on the lexicon, and is found by trial:
models of three quarters of the words are tested on the fourth, each in turn, in both forms.

>>> import unicodedata
>>> from glyphone.fst.joint.training import fit_joint
>>> words = ["".join(map(chr, (0xAC00 + 588 * a + 28 * b, 0xAC00 + 588 * b + 28 * a)))
...          for a in range(8) for b in range(8)]
>>> pairs = [Pair(tuple(w), tuple(unicodedata.normalize("NFD", w))) for w in words]
>>> def learn(some, source):
...     return fit_joint(some, source=source).model
>>> writing, cut = choose_normal_form(pairs, learn, source=Writing(), target=Writing("token"))
>>> writing.normal_form, len(pairs[0].source), len(cut[0].source)
('NFD', 2, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicons.splits import point_of_word
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import NormalForm, Writing
from glyphone.fst.interface.model import Model

# Of forms with as many errors the first is kept.
FORMS: tuple[NormalForm, ...] = ("NFC", "NFD")
FOLDS = 4
# More words do not change the choice, and take longer.
MOST_WORDS = 4000

Learn = Callable[[Sequence[Pair], Writing], Model]


def choose_normal_form(
    pairs: Sequence[Pair], learn: Learn, *, source: Writing, target: Writing
) -> tuple[Writing, Sequence[Pair]]:
    """The writing of the source with the fewest errors on held-out words, and the pairs cut so.

    Where all forms cut the words alike, nothing is tried. Of a large lexicon some thousand words
    are tested, with models of as many.
    """
    ways = [replace(source, normal_form=form) for form in FORMS]
    forms = [recut_pairs(pairs, way) for way in ways]
    if all(one.source == other.source for one, other in zip(*forms, strict=True)):
        return source, pairs
    parts = fold_numbers(pairs)
    errors = [
        held_out_errors(form, parts, learn, source=way, target=target)
        for form, way in zip(forms, ways, strict=True)
    ]
    best = errors.index(min(errors))
    return ways[best], forms[best]


def recut_pairs(pairs: Sequence[Pair], source: Writing) -> list[Pair]:
    """The pairs with their sources cut into the symbols of a writing."""
    cut: dict[Symbols, Symbols] = {}
    for pair in pairs:
        if pair.source not in cut:
            cut[pair.source] = source.split(source.join(pair.source)).symbols
    return [replace(pair, source=cut[pair.source]) for pair in pairs]


def fold_numbers(pairs: Sequence[Pair]) -> list[int]:
    """The fold, from 0 on, in which each pair is held out; FOLDS or more for a pair left out."""
    n_words = len({pair.source for pair in pairs})
    share = min(1.0, MOST_WORDS / n_words)
    return [int(point_of_word(pair.source, seed=0) / share * FOLDS) for pair in pairs]


def held_out_errors(
    pairs: Sequence[Pair], parts: Sequence[int], learn: Learn, *, source: Writing, target: Writing
) -> int:
    """The number of words of all folds that models of the other folds get wrong."""
    errors = 0
    for fold in progress.steps(range(FOLDS), f"trying the form {source.normal_form}"):
        rest, answers = list[Pair](), dict[str, set[str]]()
        for pair, part in zip(pairs, parts, strict=True):
            if part == fold:
                text = source.join(pair.source)
                answers.setdefault(text, set()).add(target.join(pair.target))
            elif part < FOLDS:
                rest.append(pair)
        try:
            found = learn(rest, source).answer(list(answers))
        except GlyphoneError:  # in this form no pair can be learnt from
            errors += len(answers)
            continue
        for item, references in enumerate(answers.values()):
            best = found.outputs[found.firsts[item] : found.firsts[item] + 1]
            answered = found.firsts[item] < found.firsts[item + 1]
            errors += not (answered and best[0] in references)
    return errors
