"""Incremental training: specific tests, where the more general tests above them are active
(Lavergne, Cappé and Yvon 2010, section 5.2).

Templates come in stages. A pattern of a later stage looks at more than some pattern of an earlier
one, its parent: of several the one that looks at most, of these the last. Its test at a token has
weights if its parent's there has some that are not zero after the earlier stages. A pattern without
a parent stands for itself.

>>> texts = ["u0:%x[0,0]\\nb", "u1:%x[-1,0]%x[0,0]", "u2:%x[-1,0]%x[0,0]%x[1,0]"]
>>> patterns, stages = stage_patterns(texts)
>>> stages, parents_of(patterns, stages)
([0, 0, 1, 2], [-1, -1, 0, 2])
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from collections.abc import Sequence as Many
from dataclasses import replace

import numpy as np

from glyphone.data.records import Sequence
from glyphone.learners.sequences.observations import (
    Function,
    ObservedTests,
    observe_tests,
    patterns_of,
)
from glyphone.learners.sequences.patterns import Pattern

Templates = str | Function | Many[str]
Looked = Function | list[Pattern]
# The tests of a stage, by the active tests of the stages before.
Seen = Callable[[Collection[str]], ObservedTests]


def all_patterns(templates: Templates) -> Looked:
    """The patterns of all stages, or the function that gives tests."""
    if callable(templates):
        return templates
    return stage_patterns([templates] if isinstance(templates, str) else templates)[0]


def stages_of(templates: Templates, sequences: Many[Sequence]) -> Iterator[Seen]:
    """For each stage a function of the active tests; only several texts make several stages."""
    seen = observe_tests(sequences, all_patterns(templates))
    if callable(templates) or isinstance(templates, str):
        yield lambda active: seen
        return
    patterns, stages = stage_patterns(templates)
    parents = parents_of(patterns, stages)
    for stage in range(len(templates)):
        n = sum(some <= stage for some in stages)

        def admit(active: Collection[str], n: int = n) -> ObservedTests:
            return admit_tests(seen, parents[:n], active)

        yield admit


def stage_patterns(texts: Many[str]) -> tuple[list[Pattern], list[int]]:
    """The patterns of all stages, and the stage of each."""
    found = [(pattern, stage) for stage, text in enumerate(texts) for pattern in patterns_of(text)]
    return [pattern for pattern, _ in found], [stage for _, stage in found]


def parents_of(patterns: Many[Pattern], stages: Many[int]) -> list[int]:
    """The number of each pattern's parent, -1 for none.

    A pattern that looks at nothing is no parent: its test is true everywhere.
    """
    parents = []
    for pattern, stage in zip(patterns, stages, strict=True):
        wider = [
            (len(other.part_set), number)
            for number, (other, before) in enumerate(zip(patterns, stages, strict=True))
            if before < stage and other.part_set and other.part_set < pattern.part_set
        ]
        parents.append(max(wider)[1] if wider else -1)
    return parents


def admit_tests(seen: ObservedTests, parents: Many[int], active: Collection[str]) -> ObservedTests:
    """The tests of the first patterns, without those whose parents are not active."""
    rows = seen.rows[:, : len(parents)].copy()
    alive = np.array([*(text in active for text in seen.texts), False])
    for k, parent in enumerate(parents):
        if parent >= 0:
            rows[~alive[seen.rows[:, parent]], k] = -1
    return replace(seen, rows=rows)
