"""Dependency trees as constituents: around each word its dependents, nearest first.

The dependents of a word are taken from the nearest to the farthest, those on its right first and
then those on its left, and each makes a constituent of two with what stands already: these are the
spine of the word. So a verb has its object nearer than its subject, and in a constituent each of
the two may come first; every dependent keeps its rank, whichever side it is on.

>>> order = [("Ann", "NOUN", 2, "nsubj"), ("sees", "VERB", 0, "root"), ("rain", "NOUN", 2, "obj")]
>>> words = (Word(form, upos=tag, head=head, deprel=name) for form, tag, head, name in order)
>>> sentence = Sentence(tuple(words))
>>> ranked_dependents(sentence)
[[], [2, 0], []]
>>> tree = constituents_of(sentence)
>>> print(tree)
(root (nsubj>VERB (NOUN Ann) (VERB<obj (VERB sees) (NOUN rain))))
>>> sentence_from_constituents(tree) == sentence
True

The label of a constituent has the relation and the tag of the head, with an arrow to that side on
which the head is. What goes back has form, tag, head and relation; the other columns are not in a
tree, nor is an order with crossing arcs, which becomes the nearest one without.
"""

from __future__ import annotations

from collections.abc import Sequence

from glyphone.data.errors import ItemError
from glyphone.data.records import Tree
from glyphone.data.treebanks.dependencies import Sentence, Word, dependents_of, root_of

RIGHT, LEFT = ">", "<"


def ranked_dependents(sentence: Sentence) -> list[list[int]]:
    """The dependents of each word of a tree in the order of their rank; positions count from 0."""
    return [
        [
            position - 1
            for position in (*right_dependents(number, found), *left_dependents(number, found))
        ]
        for number, found in enumerate(dependents_of(sentence)[1:], 1)
    ]


def right_dependents(number: int, dependents: Sequence[int]) -> list[int]:
    """The dependents on the right, from the nearest to the farthest."""
    return [dependent for dependent in dependents if dependent > number]


def left_dependents(number: int, dependents: Sequence[int]) -> list[int]:
    """The dependents on the left, from the nearest to the farthest."""
    return [dependent for dependent in reversed(dependents) if dependent < number]


def projective_order(sentence: Sentence) -> list[int]:
    """The positions of the words of a tree, with every dependent's words together.

    It is the order of the sentence unless arcs cross.
    """
    dependents = dependents_of(sentence)
    agenda, found = [(root_of(sentence), False)], []
    while agenda:
        number, opened = agenda.pop()
        if opened:
            found.append(number - 1)
            continue
        below = dependents[number]
        inside = (
            [(d, False) for d in below if d < number],
            [(d, False) for d in below if d > number],
        )
        agenda.extend(reversed([*inside[0], (number, True), *inside[1]]))
    return found


def constituents_of(sentence: Sentence) -> Tree:
    """The constituents of a dependency tree, two in each, under one with the relation of the root.

    A word is a leaf under its tag.
    """
    ranks, built = ranked_dependents(sentence), dict[int, Tree]()
    for position in positions_bottom_up(sentence):
        word = sentence.words[position]
        spine = Tree(_without_arrows(word.upos), (Tree(word.form),))
        for dependent in ranks[position]:
            relation, below = (
                _without_arrows(sentence.words[dependent].deprel),
                built.pop(dependent),
            )
            if dependent > position:
                spine = Tree(f"{word.upos}{LEFT}{relation}", (spine, below))
            else:
                spine = Tree(f"{relation}{RIGHT}{word.upos}", (below, spine))
        built[position] = spine
    ((root, spine),) = built.items()
    return Tree(sentence.words[root].deprel, (spine,))


def positions_bottom_up(sentence: Sentence) -> list[int]:
    """The positions of words, each behind its dependents."""
    dependents, found = dependents_of(sentence), [root_of(sentence)]
    for number in found:
        found.extend(dependents[number])
    return [number - 1 for number in reversed(found)]


def _without_arrows(label: str) -> str:
    if RIGHT in label or LEFT in label:
        remedy = "rename it: an arrow marks the side of the head"
        raise ItemError(f"{label!r} has an arrow", item=label, remedy=remedy)
    return label


def sentence_from_constituents(tree: Tree) -> Sentence:
    """The dependency tree of constituents such as `constituents_of` gives."""
    words: list[tuple[str, str]] = []
    arcs: dict[int, tuple[int, str]] = {}
    heads: list[int] = []
    agenda: list[Tree | str] = [*reversed(tree.children)]
    while agenda:
        node = agenda.pop()
        if isinstance(node, str):
            right, left = heads.pop(), heads.pop()
            before, arrow, behind = node.partition(RIGHT if RIGHT in node else LEFT)
            if arrow == RIGHT:
                arcs[left] = right, before
            else:
                arcs[right] = left, behind
            heads.append(right if arrow == RIGHT else left)
        elif len(node.children) == 1 and not node.children[0].children:
            heads.append(len(words))
            words.append((node.children[0].label, node.label))
        elif len(node.children) == 2 and (RIGHT in node.label) != (LEFT in node.label):
            agenda.extend((node.label, *reversed(node.children)))
        else:
            remedy = "give what glyphone makes of dependencies: (nsubj>VERB (NOUN Ann) (VERB runs))"
            message = f"the constituent {node.label!r} is not of a relation and a head"
            raise ItemError(message, item=node.label, remedy=remedy)
    if len(heads) != 1:
        message = f"the root {tree.label!r} has {len(heads)} heads"
        raise ItemError(message, item=tree.label, remedy="put one constituent under it")
    arcs[heads[0]] = -1, tree.label
    return Sentence(
        tuple(
            Word(form, upos=tag, head=arcs[position][0] + 1, deprel=arcs[position][1])
            for position, (form, tag) in enumerate(words)
        )
    )
