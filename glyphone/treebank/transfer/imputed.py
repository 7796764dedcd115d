"""Sentences of an imputed treebank: source trees in the order and the words of a target.

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = (Word("vient", head=0), Word("Ann", head=1), Word(".", head=1, upos="PUNCT"))
>>> source = Sentence(words, ("# sent_id = 7",))
>>> sentence = make_sentence(source, [1, 0], frequency=0.75, sides={1: 0.8})
>>> [(word.form, word.head, word.misc) for word in sentence.words]
[('Ann', 2, 'Side=0.80'), ('vient', 0, '_'), ('.', 2, '_')]
>>> sentence.comments
('# sent_id = 7', '# transfer_source = 7', '# transfer_frequency = 0.750')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glyphone.data.treebanks.dependencies import NOTHING, Sentence
from glyphone.data.treebanks.punctuation import insert_punctuation
from glyphone.data.treebanks.reordering import reorder

SOURCE, FREQUENCY, SIDE = "transfer_source", "transfer_frequency", "Side"


def make_sentence(
    sentence: Sentence,
    order: Sequence[int],
    *,
    frequency: float,
    forms: Mapping[int, str] | None = None,
    sides: Mapping[int, float] | None = None,
    name: str = "",
) -> Sentence:
    """The words at these positions in this order, with punctuation inserted again.

    `forms` are new words by position; `sides` are posterior probabilities of the new sides of words
    by position, which are written to MISC. `name` is a new `sent_id`.
    """
    forms, sides = forms or {}, sides or {}
    whole = insert_punctuation(sentence, order)
    words = [forms.get(position, sentence.words[position].form) for position in whole]
    reordered = reorder(sentence, whole, forms=words)
    with_sides = [
        replace(word, misc=set_side(word.misc, f"{SIDE}={sides[position]:.2f}"))
        if position in sides
        else word
        for position, word in zip(whole, reordered.words, strict=True)
    ]
    kept = [line for line in reordered.comments if not has_key(line, (SOURCE, FREQUENCY))]
    if name:
        kept = [f"# sent_id = {name}", *(line for line in kept if not has_key(line, ("sent_id",)))]
    added = [f"# {SOURCE} = {sentence.id}"] if sentence.id else []
    comments = (*kept, *added, f"# {FREQUENCY} = {frequency:.3f}")
    return replace(reordered, words=tuple(with_sides), comments=comments)


def set_side(misc: str, part: str) -> str:
    """MISC with a new part in place of the old side."""
    parts = misc.split("|")
    others = [old for old in parts if old != NOTHING and not old.startswith(f"{SIDE}=")]
    return "|".join([*others, part])


def has_key(line: str, keys: Sequence[str]) -> bool:
    """Whether a comment has one of these keys.

    >>> has_key("# sent_id = 7", ["sent_id"]), has_key("# text = sent_id", ["sent_id"])
    (True, False)
    """
    return any(Sentence((), (line,)).comment(key) for key in keys)
