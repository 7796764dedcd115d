"""A sentence in another order of words, with all its columns.

Words get new numbers, and with them heads, enhanced dependencies, multiword tokens and empty nodes.

>>> words = (Word("Ann", head=2), Word("sees", head=0), Word("rain", head=2))
>>> sentence = Sentence(words, ("# text = Ann sees rain",))
>>> found = reorder(sentence, [1, 0, 2])
>>> [(word.form, word.head) for word in found.words], found.comment("text")
([('sees', 0), ('Ann', 1), ('rain', 1)], 'sees Ann rain')

A multiword token stays if its words do, in their order and with their forms. An empty node goes
with the word that it stands behind. Spaces and text are made anew, see
`glyphone.data.treebanks.spacing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glyphone.data.errors import ItemError
from glyphone.data.records import Symbols
from glyphone.data.treebanks.dependencies import (
    COLUMNS,
    NOTHING,
    EmptyNode,
    MultiwordToken,
    Sentence,
    Word,
    check_tree,
    root_of,
)
from glyphone.data.treebanks.spacing import spaces_of, with_spaces, with_text

_DEPS = COLUMNS.index("deps")

# Old numbers to new ones, of words and empty nodes: (3, 0) is word 3, (3, 1) is 3.1.
Numbers = Mapping[tuple[int, int], tuple[int, int]]


def reorder(
    sentence: Sentence, order: Sequence[int], *, forms: Sequence[str] | None = None
) -> Sentence:
    """The words of a tree at these positions, from 0, in this order, perhaps with new forms.

    Dependents of a word that is left out depend on its head.
    """
    check_tree(sentence)
    size = len(sentence.words)
    if not order or len(set(order)) < len(order) or not all(0 <= p < size for p in order):
        remedy = "give positions of words, each once"
        raise ItemError(f"{order!r:.60} is no order of {size} words", remedy=remedy)
    if forms is not None and len(forms) != len(order):
        raise ItemError(f"{len(forms)} forms for {len(order)} words", remedy="give one for each")
    if forms is None and list(order) == list(range(size)):
        return sentence
    new = {0: 0} | {position + 1: number for number, position in enumerate(order, 1)}
    empty, numbers = _empty_nodes(sentence, new)
    words = [
        replace(
            sentence.words[position],
            form=sentence.words[position].form if forms is None else forms[place],
            head=_nearest_head(sentence, position, new),
            deps=_renumber_deps(sentence.words[position].deps, numbers),
        )
        for place, position in enumerate(order)
    ]
    multiword = _kept_multiword_tokens(sentence, words, new)
    found = Sentence(_with_one_root(sentence, words), sentence.comments, multiword, empty)
    return with_text(with_spaces(found, spaces_of(sentence, order)))


def _nearest_head(sentence: Sentence, position: int, new: Mapping[int, int]) -> int:
    """The new number of the nearest word above that is not left out."""
    head = sentence.words[position].head or 0
    while head not in new:
        head = sentence.words[head - 1].head or 0
    return new[head]


def _with_one_root(sentence: Sentence, words: Sequence[Word]) -> tuple[Word, ...]:
    """The words; one under a root that was left out takes the relation of that root."""
    roots = [place for place, word in enumerate(words) if word.head == 0]
    if len(roots) > 1:
        shown = ", ".join(words[place].form for place in roots)
        message = f"the root is left out, and several words depend on it: {shown}"
        raise ItemError(message, item=sentence.id, remedy="keep it, or leave out the sentence")
    (root,) = roots
    relation = sentence.words[root_of(sentence) - 1].deprel
    return (*words[:root], replace(words[root], deprel=relation), *words[root + 1 :])


def _empty_nodes(
    sentence: Sentence, new: Mapping[int, int]
) -> tuple[tuple[EmptyNode, ...], Numbers]:
    """Empty nodes behind their words, or behind the nearest one before that is not left out."""
    numbers = {(old, 0): (number, 0) for old, number in new.items()}
    placed = []
    for node in sentence.empty:
        before = node.after
        while before not in new:
            before -= 1
        placed.append((new[before], node))
    found, last = [], (-1, 0)
    for after, node in sorted(placed, key=lambda pair: pair[0]):
        last = after, last[1] + 1 if last[0] == after else 1
        numbers[node.after, node.number] = last
        found.append(EmptyNode(*last, node.columns))
    return tuple(
        replace(node, columns=_renumber_columns(node.columns, numbers)) for node in found
    ), numbers


def _renumber_columns(columns: Symbols, numbers: Numbers) -> Symbols:
    deps = _renumber_deps(columns[_DEPS], numbers)
    return (*columns[:_DEPS], deps, *columns[_DEPS + 1 :])


def _renumber_deps(deps: str, numbers: Numbers) -> str:
    """Enhanced dependencies with new numbers, by number, without those on words left out.

    >>> numbers = {(0, 0): (0, 0), (1, 0): (3, 0), (2, 0): (1, 0), (2, 1): (1, 1)}
    >>> _renumber_deps("1:nsubj|2.1:obj|4:obl", numbers), _renumber_deps("4:obl", numbers)
    ('1.1:obj|3:nsubj', '_')
    """
    found = []
    for part in deps.split("|"):
        head, colon, relation = part.partition(":")
        word, _, behind = head.partition(".")
        if not colon or not (word + (behind or "0")).isdecimal():
            return deps
        number = numbers.get((int(word), int(behind or 0)))
        if number is not None:
            found.append((number, relation))
    shown = [
        f"{word}.{behind}:{relation}" if behind else f"{word}:{relation}"
        for (word, behind), relation in sorted(found, key=lambda pair: pair[0])
    ]
    return "|".join(shown) or NOTHING


def _kept_multiword_tokens(
    sentence: Sentence, words: Sequence[Word], new: Mapping[int, int]
) -> tuple[MultiwordToken, ...]:
    """The multiword tokens whose words stand in a row as before, with their forms."""
    found = []
    for token in sentence.multiword:
        old = range(token.first, token.last + 1)
        first = new.get(token.first, 0)
        if [new.get(number) for number in old] == [*range(first, first + len(old))] and all(
            sentence.words[number - 1].form == words[new[number] - 1].form for number in old
        ):
            found.append(MultiwordToken(first, first + len(old) - 1, token.columns))
    return tuple(sorted(found, key=lambda token: token.first))
