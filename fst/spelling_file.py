"""Judges that spell on disk, as parts of ensembles: see `glyphone.fst.ensemble_file`.

>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.spelling import spelling_of
>>> from glyphone.models import kinds  # which says how trees are packed
>>> from glyphone.tree_training import train_tree
>>> row = Alignment(((("f",), ("p", "h")), (("i",), ("i",))))
>>> judge = spelling_of(train_tree([row], source=Writing(), target=Writing()), [["f", "i"]])
>>> from_contents(to_contents(judge)).fingerprint() == judge.fingerprint()
True
"""

from __future__ import annotations

from glyphone.fst import models
from glyphone.fst.model_file import Contents, FilePath
from glyphone.fst.ngrams.file import ngrams_of, ngrams_to_arrays
from glyphone.fst.packing import Packing
from glyphone.fst.spelling import Spelling

KIND = "spelling"
# Models that may spell.
SPELLERS = ("crf", "tree")


def to_contents(model: Spelling, prefix: str = "") -> Contents:
    """A model, its arrays under a prefix."""
    speller = models.to_contents(model.speller, f"{prefix}speller/")
    manifest = {"start": model.sounds.start, "speller": models.part_to_dict(speller)}
    arrays = {**speller.arrays, **ngrams_to_arrays(model.sounds, f"{prefix}sounds/")}
    return Contents(KIND, manifest, arrays)


def unpacked(contents: Contents, prefix: str, path: FilePath | None) -> Spelling:
    manifest, arrays = contents.manifest, contents.arrays
    speller = models.part_of(
        manifest["speller"], arrays, f"{prefix}speller/", what="speller", kinds=SPELLERS, path=path
    )
    n_words = len(speller.source.symbols)
    sounds = ngrams_of(arrays, f"{prefix}sounds/", manifest["start"], n_words)
    sounds.check(path=path)
    return Spelling(sounds, speller)


PACKING = Packing(
    kind=KIND,
    what="judge that spells",
    pack=to_contents,
    unpack=unpacked,
    problem_of=lambda model: None,
)
from_contents = PACKING.from_contents
