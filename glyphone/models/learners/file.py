"""Fitted learners on disk, in the container of `glyphone.fst.storage.container`: no pickle.

A learner is any scikit-learn estimator of `glyphone.learners`, or one of scikit-learn itself, that
keeps its parameters and fitted attributes as plain values: see `glyphone.models.learners.values`.
The manifest holds it as JSON, the arrays are numbered. One that comes back from a file predicts as
the one that was saved, and can be fitted again; what is scikit-learn's own is sure to be read by
the version that it was saved by, and another one warns.

>>> import tempfile
>>> from glyphone.learners.trees.estimator import SymbolicTree
>>> tree = SymbolicTree(min_leaf=1).fit([["a"], ["b"]], ["x", "y"])
>>> path = tempfile.mkdtemp() + "/tree.glyphone"
>>> save(tree, path)
>>> load(path).predict([["b"], ["a"]]).tolist()
['y', 'x']
"""

from __future__ import annotations

from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.version import VERSION
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing
from glyphone.models.learners.types import UnknownType
from glyphone.models.learners.values import Shelf, unpack_value

KIND = "learner"
# The format of values; the container has a format of its own. In 1 types were paths of classes.
FORMAT = 2


def is_learner(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def to_contents(learner: Any, prefix: str = "") -> Contents:
    """A learner, its arrays under a prefix."""
    if not is_learner(learner):
        raise GlyphoneError(f"{learner!r} is no learner", remedy="give a scikit-learn estimator")
    shelf = Shelf()
    node = shelf.pack_value(learner, type(learner).__name__)
    arrays = {prefix + number: array for number, array in shelf.arrays.items()}
    return Contents(KIND, {"format": FORMAT, "glyphone": VERSION, "learner": node}, arrays)


def unpack_learner(contents: Contents, prefix: str, path: FilePath | None) -> Any:
    version = contents.manifest["format"]
    if type(version) is not int or version > FORMAT:
        raise FormatError(
            f"holds a learner that glyphone {contents.manifest['glyphone']} wrote, in format "
            f"{version!r}; this version, {VERSION}, reads formats up to {FORMAT}",
            path=path,
            remedy="upgrade glyphone",
        )
    try:
        return unpack_value(contents.manifest["learner"], contents.arrays, prefix)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnknownType as error:
        raise FormatError(
            f"holds a {error}, which glyphone {contents.manifest['glyphone']} wrote; this version, "
            f"{VERSION}, does not know what that is",
            path=path,
            remedy="upgrade glyphone",
        ) from None


PACKING = Packing(
    kind=KIND,
    what="learner",
    pack=to_contents,
    unpack=unpack_learner,
    problem_of=lambda learner: None if is_learner(learner) else f"it is a {type(learner).__name__}",
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
