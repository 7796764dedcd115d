"""Sentences of Universal Dependencies: words with heads, multiword tokens and empty nodes.

Words count from 1, and a head of 0 is that of the root. A multiword token says how some words in a
row are written together; an empty node, 3.1, is a word that is not said, behind word 3.

>>> sentence = Sentence((Word("Ann", head=2, deprel="nsubj"), Word("runs", head=0, deprel="root")))
>>> check_tree(sentence)
>>> root_of(sentence), crossing_words(sentence)
(2, [])
>>> check_tree(Sentence((Word("a", head=2), Word("b", head=3), Word("c", head=2))))
Traceback (most recent call last):
glyphone.data.errors.ItemError: at 2: token 2 'b': its heads run in a circle: 2 > 3 > 2 (mend ...)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from glyphone.data.errors import ItemError
from glyphone.data.records import Symbols

NOTHING = "_"
# The columns of a word, of a multiword token or an empty node behind its index.
COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
PUNCTUATION = "PUNCT"


@dataclass(frozen=True)
class Word:
    """One word; a column that says nothing is `_`, or None if it is that of the head."""

    form: str
    lemma: str = NOTHING
    upos: str = NOTHING
    xpos: str = NOTHING
    feats: str = NOTHING
    head: int | None = None
    deprel: str = NOTHING
    deps: str = NOTHING
    misc: str = NOTHING


@dataclass(frozen=True)
class MultiwordToken:
    """Words `first` to `last`, and the columns of their line."""

    first: int
    last: int
    columns: Symbols


@dataclass(frozen=True)
class EmptyNode:
    """The `number`th node behind word `after`, which may be 0, and the columns of its line."""

    after: int
    number: int
    columns: Symbols


@dataclass(frozen=True)
class Sentence:
    """A sentence with its comments, which are whole lines, and all annotations of its words."""

    words: tuple[Word, ...]
    comments: Symbols = ()
    multiword: tuple[MultiwordToken, ...] = ()
    empty: tuple[EmptyNode, ...] = ()

    @property
    def id(self) -> str:
        """The value of the comment `sent_id`, or ""."""
        return self.comment("sent_id")

    def comment(self, key: str) -> str:
        """The value of a comment `# key = value`, or "".

        >>> Sentence((), ("# text = Ann runs.",)).comment("text")
        'Ann runs.'
        """
        for line in self.comments:
            name, equals, value = line.removeprefix("#").partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return ""


def check_tree(sentence: Sentence) -> None:
    """ItemError unless the heads make one tree; its offset is the number of the token at fault."""
    words = sentence.words
    if not words:
        raise ItemError("a sentence without words", remedy="remove it, or give it a word")
    for number, word in enumerate(words, 1):
        if word.head is None:
            remedy = "give every word one; the head of the root is 0"
            raise _token_error(number, word, "it has no head", remedy)
        if not 0 <= word.head <= len(words):
            message = f"its head is {word.head}, and there are {len(words)} words"
            raise _token_error(
                number, word, message, "heads are numbers of words, or 0 for the root"
            )
    heads = [word.head or 0 for word in words]
    cycle = _find_cycle(heads)
    if cycle:
        shown = " > ".join(map(str, [*cycle, cycle[0]]))
        message = f"its heads run in a circle: {shown}"
        raise _token_error(cycle[0], words[cycle[0] - 1], message, "mend one of these heads")
    roots = [number for number, head in enumerate(heads, 1) if head == 0]
    if len(roots) > 1:
        message = f"it is a second root beside token {roots[0]}"
        remedy = "make one of them depend on the other"
        raise _token_error(roots[1], words[roots[1] - 1], message, remedy)


def _token_error(number: int, word: Word, message: str, remedy: str) -> ItemError:
    return ItemError(f"token {number} {word.form!r}: {message}", offset=number, remedy=remedy)


def _find_cycle(heads: Sequence[int]) -> list[int]:
    """The words of a cycle of heads, the lowest first; [] if there is none."""
    done = [False] * (len(heads) + 1)
    done[0] = True
    for start in range(1, len(heads) + 1):
        path: list[int] = []
        on_path: set[int] = set()
        word = start
        while not done[word]:
            if word in on_path:
                found = path[path.index(word) :]
                lowest = found.index(min(found))
                return found[lowest:] + found[:lowest]
            path.append(word)
            on_path.add(word)
            word = heads[word - 1]
        for word in path:
            done[word] = True
    return []


def root_of(sentence: Sentence) -> int:
    """The word whose head is 0, in a tree."""
    return next(number for number, word in enumerate(sentence.words, 1) if word.head == 0)


def dependents_of(sentence: Sentence) -> list[list[int]]:
    """The dependents of each word, in their order; those of 0 are the roots."""
    found: list[list[int]] = [[] for _ in range(len(sentence.words) + 1)]
    for number, word in enumerate(sentence.words, 1):
        if word.head is not None:
            found[word.head].append(number)
    return found


def crossing_words(sentence: Sentence) -> list[int]:
    """The words of a tree with a word between them and their heads that no such head dominates.

    >>> forms_and_heads = [("a", 3), ("b", 0), ("c", 2), ("d", 1)]
    >>> crossing_words(Sentence(tuple(Word(form, head=head) for form, head in forms_and_heads)))
    [1, 4]
    """
    heads = [0, *(word.head or 0 for word in sentence.words)]
    found = []
    for number, head in enumerate(heads[1:], 1):
        if head == 0:
            continue
        low, high = sorted((number, head))
        below = {head}
        for between in range(low + 1, high):
            path, word = [], between
            while word and word not in below:
                path.append(word)
                word = heads[word]
            if not word:
                found.append(number)
                break
            below.update(path)
    return found
