"""Judges of ensembles that know what a joint model does not: fields over letters, trees, spelling.

A joint model knows the units before a letter, and little of the letters behind it. A field looks at
both sides, and decides all letters together; boosted trees ask about letters far off. And one judge
goes the other way, from sounds to letters: see `glyphone.fst.ensembles.spelling`. For what judges
do, see `glyphone.fst.ensembles.judges`.

>>> from glyphone.data.writing import Writing
>>> letters, phones = (Side(Writing(), {"a": 1, "b": 2}) for _ in range(2))
>>> rows = [Alignment(((("a",), ("a",)), (("b",), ("b",))))] * 3
>>> teach_crf(CrfOptions(templates="3-grm"), rows, letters, phones, 1).kind
'crf'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.records import Alignment, Pair
from glyphone.fst.alignment.training import AlignmentOptions
from glyphone.fst.alignment.widening import align_widening
from glyphone.fst.ensembles.judges import Teacher
from glyphone.fst.ensembles.spelling import Spelling, spelling_of
from glyphone.fst.interface.codec import Side
from glyphone.fst.joint.training import JointOptions
from glyphone.learners.optimization.loop import STOPPED
from glyphone.models.crf.model import CrfModel
from glyphone.models.crf.training import CrfOptions, train_crf
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.training import TreeOptions, train_tree

JUDGES, NONE = ("crf", "trees", "spelling"), "none"
# In so large a lexicon, windows that were seen once are left out: there are too many.
MANY = 10_000
# There, trees see so many letters on either side; where words are few, those far off mislead them.
FAR = 9
# Boosted ones, of the judges that are trees, or have some.
TREES = 20


def teach_crf(
    options: CrfOptions, alignments: Sequence[Alignment], source: Side, target: Side, jobs: int
) -> CrfModel:
    """A field of what another model aligned."""
    if len(alignments) > MANY:
        options = replace(options, min_count=2)
    found = train_crf(alignments, options, source=source.writing, target=target.writing, jobs=jobs)
    # A field alone is usable when it is stopped; here all the rest would go on.
    if found.ended == STOPPED:
        raise KeyboardInterrupt
    return found.model


def teach_trees(
    options: TreeOptions, alignments: Sequence[Alignment], source: Side, target: Side, jobs: int
) -> TreeModel:
    """Boosted trees of the same."""
    if len(alignments) > MANY:
        options = replace(options, left=FAR, right=FAR)
    return train_tree(alignments, options, source=source.writing, target=target.writing, jobs=jobs)


def teach_spelling(
    options: TreeOptions, alignments: Sequence[Alignment], source: Side, target: Side, jobs: int
) -> Spelling | None:
    """How likely sounds are, and boosted trees that write letters for them."""
    turned = [Pair(pair.target, pair.source) for pair in (one.pair for one in alignments)]
    rows = [
        row
        for row in align_widening(turned, JointOptions().alignment, jobs=jobs)[0]
        if row and row.units
    ]
    if not rows:
        return None
    speller = teach_trees(options, rows, target, source, jobs)
    return spelling_of(speller, [row.pair.source for row in rows])


def select_judges(
    names: str | Sequence[str] | None, alignment: AlignmentOptions, n_words: int = 0
) -> list[str]:
    """The judges of a list, or of a text in which commas divide them; "none" is none.

    By default these are all that can learn from such units: fields need units that read something,
    the others need units that read one letter. Where there are many words, spelling is left out
    unless it is named, for answers take longer with it.

    >>> wide = AlignmentOptions(max_source=2)
    >>> select_judges("crf,trees", AlignmentOptions(max_source=1))
    ['crf', 'trees']
    >>> select_judges("none", wide), select_judges(None, wide)
    ([], ['crf'])
    """
    possible = [*JUDGES[: 0 if alignment.insertions else 1 if alignment.max_source > 1 else 3]]
    if names is None:
        return possible[:2] if n_words > MANY else possible
    found = names.split(",") if isinstance(names, str) else [*names]
    if found == [NONE]:
        return []
    for name in found:
        if name not in JUDGES:
            raise UnknownName("judge", name, (*JUDGES, NONE))
        if name not in possible:
            remedy = "leave it out, or leave out max_source and insertions"
            raise GlyphoneError(f"the judge {name} cannot learn from such units", remedy=remedy)
    if len({*found}) < len(found):
        raise GlyphoneError(f"a judge is asked for twice: {','.join(found)}", remedy="name it once")
    return found


def teachers_of(names: Sequence[str], *, seed: int = 0) -> tuple[Teacher, ...]:
    """The functions that train the judges of these names."""
    trees = replace(TreeOptions.of(trees=TREES), seed=seed)
    made: dict[str, Teacher] = {
        "crf": partial(teach_crf, CrfOptions(seed=seed)),
        "trees": partial(teach_trees, trees),
        "spelling": partial(teach_spelling, trees),
    }
    return tuple(made[name] for name in names)
