"""A sentence of an imputed treebank: a source tree in the order, and the words, of a target.

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = (Word("vient", head=0), Word("Ann", head=1), Word(".", head=1, upos="PUNCT"))
>>> found = imputed(Sentence(words, ("# sent_id = 7",)), [1, 0], frequency=0.75, sides={1: 0.8})
>>> [(word.form, word.head, word.misc) for word in found.words]
[('Ann', 2, 'Side=0.80'), ('vient', 0, '_'), ('.', 2, '_')]
>>> found.comments
('# sent_id = 7', '# transfer_source = 7', '# transfer_frequency = 0.750')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glyphone.data.treebanks.dependencies import NOTHING, Sentence
from glyphone.data.treebanks.punctuation import insert_punctuation
from glyphone.data.treebanks.reordering import reorder

SOURCE, FREQUENCY, SIDE = "transfer_source", "transfer_frequency", "Side"


def imputed(
    sentence: Sentence,
    order: Sequence[int],
    *,
    frequency: float,
    forms: Mapping[int, str] | None = None,
    sides: Mapping[int, float] | None = None,
    name: str = "",
) -> Sentence:
    """The words at these positions in this order, with punctuation put back.

    `forms` are new words by position; `sides` are the posterior probabilities that words stand on
    that side of their heads on which they now do, which MISC tells. `name` is a new `sent_id`.
    """
    forms, sides = forms or {}, sides or {}
    whole = insert_punctuation(sentence, order)
    words = [forms.get(position, sentence.words[position].form) for position in whole]
    found = reorder(sentence, whole, forms=words)
    told = [
        replace(word, misc=_with(word.misc, f"{SIDE}={sides[position]:.2f}"))
        if position in sides
        else word
        for position, word in zip(whole, found.words, strict=True)
    ]
    kept = [line for line in found.comments if not _is_of(line, (SOURCE, FREQUENCY))]
    if name:
        kept = [f"# sent_id = {name}", *(line for line in kept if not _is_of(line, ("sent_id",)))]
    added = [f"# {SOURCE} = {sentence.id}"] if sentence.id else []
    comments = (*kept, *added, f"# {FREQUENCY} = {frequency:.3f}")
    return replace(found, words=tuple(told), comments=comments)


def _with(misc: str, part: str) -> str:
    others = [one for one in misc.split("|") if one != NOTHING and not one.startswith(f"{SIDE}=")]
    return "|".join([*others, part])


def _is_of(line: str, keys: Sequence[str]) -> bool:
    """Whether a comment has one of these keys.

    >>> _is_of("# sent_id = 7", ["sent_id"]), _is_of("# text = sent_id", ["sent_id"])
    (True, False)
    """
    return any(Sentence((), (line,)).comment(key) for key in keys)
