"""Words parted by their relatives among the words that a model learnt from.

A split by word leaves most words of a lexicon of forms with relatives in training: *talked* is
tested where *talker* was learnt. A word that is new to a language comes without, so the error on
words without relatives is nearer to what users see. Relatives begin alike, see
`glyphone.data.lexicons.families`.

>>> relations_to(["talk", "song", *map(str, range(30))], ["talked", "song", "river"])
['relatives', 'itself', 'none']
>>> errors_by_relatives(["talk", *map(str, range(30))], {"talked": False, "river": True})
{'relatives': (1, 0.0), 'none': (1, 1.0)}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from glyphone.data import progress
from glyphone.data.lexicons.families import families_of

# What of a word is among those learnt from.
Relation = Literal["itself", "relatives", "none"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)


@progress.step("looking for relatives in training")
def relations_to(learnt: Iterable[str], words: Sequence[str]) -> list[Relation]:
    """Whether each word was learnt from itself, or words of its family were, or none."""
    known = {*learnt}
    families = families_of((word,) for word in known.union(words))
    of_known = {families[(word,)] for word in known}

    def relation(word: str) -> Relation:
        if word in known:
            return "itself"
        return "relatives" if families[(word,)] in of_known else "none"

    return [relation(word) for word in words]


def errors_by_relatives(
    learnt: Iterable[str], wrong: Mapping[str, bool]
) -> dict[Relation, tuple[int, float]]:
    """The number of words in each relation that there is, and the share of them that are wrong."""
    relations = relations_to(learnt, [*wrong])
    parts: dict[Relation, list[bool]] = {}
    for relation, is_wrong in zip(relations, wrong.values(), strict=True):
        parts.setdefault(relation, []).append(is_wrong)
    return {
        relation: (len(parts[relation]), sum(parts[relation]) / len(parts[relation]))
        for relation in RELATIONS
        if relation in parts
    }
