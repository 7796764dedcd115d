"""Values of fitted learners as JSON and arrays, and back: what a model file holds of them.

JSON has None, truth values, whole numbers, finite floats, text and lists. Anything else is an
object of one key, the type of the value: {"tuple": [...]}, {"array": "3"}, {"object": [type,
state]}. Objects are made without their constructors and given their attributes back; a file cannot
name any other code, and no attribute can take the place of a method. Our own have names of types:
see `glyphone.models.learners.types`. Those of scikit-learn have their full names, of packages whose
predictions are computed by numpy and scipy: compiled code that trusts what it was given could be
led astray by numbers out of a stranger's file.

>>> shelf = Shelf()
>>> shelf.pack_value({"a": (1, np.arange(2))}, "x")
{'dict': [['a', {'tuple': [1, {'array': '0'}]}]]}
>>> unpack_value(_, shelf.arrays)
{'a': (1, array([0, 1]))}
>>> shelf.pack_value(print, "x.func")
Traceback (most recent call last):
glyphone.data.errors.FormatError: x.func is a builtin_function_or_method, ... (save what is ...)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import FormatError
from glyphone.fst.storage.npy import DTYPES
from glyphone.models.learners import types as learner_types
from glyphone.models.learners.types import OURS, SCIKIT_CHECKS, no_kernels

_NUMERIC = (
    "calibration compose discriminant_analysis dummy ensemble._bagging feature_extraction "
    "feature_selection impute kernel_approximation linear_model multiclass multioutput "
    "model_selection._classification_threshold naive_bayes neural_network pipeline preprocessing "
    "random_projection svm._classes.Linear"
)
# Beginnings of the full names of classes of scikit-learn.
ALLOWED = tuple(f"sklearn.{name}" for name in _NUMERIC.split())
SPARSE = ("csr_matrix", "csc_matrix", "csr_array", "csc_array")
# What only fitting needs, and makes anew.
FORGOTTEN = frozenset(["_loss_function_", "_optimizer", "_random_state"])
TYPES = {kind.__name__: kind for kind in (bool, int, float, str, object)}
MOST_NESTED = 100
REMEDY = (
    "save what is made of numbers, text, arrays, lists, dicts, and learners of glyphone or of "
    "scikit-learn whose predictions are numpy's"
)

Array = NDArray[Any]


class Shelf:
    """The arrays of values that were packed, under the numbers of their order."""

    def __init__(self) -> None:
        self.arrays: dict[str, Array] = {}

    def pack_value(self, value: Any, place: str, depth: int = 0) -> Any:
        """A value as JSON; `place` is where it stands in the learner, for errors."""
        if depth > MOST_NESTED:
            raise FormatError(f"{place[:80]}… is nested too deeply, or in itself", remedy=REMEDY)
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": str(value)}

        def inner(part: Any, name: str) -> Any:
            return self.pack_value(part, place + name, depth + 1)

        if type(value) in (list, tuple, set, frozenset):
            parts = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
            nodes = [inner(part, f"[{k}]") for k, part in enumerate(parts)]
            return nodes if type(value) is list else {type(value).__name__: nodes}
        if isinstance(value, np.generic):
            return {"scalar": [value.dtype.str, inner(value.item(), "")]}
        if isinstance(value, np.ndarray):
            return self.array(value, place, inner)
        return self.other(value, place, inner)

    def array(self, value: Array, place: str, inner: Callable[[Any, str], Any]) -> Any:
        if type(value) is np.ndarray and value.dtype.newbyteorder("<").str in DTYPES:
            name = str(len(self.arrays))
            self.arrays[name] = value
            return {"array": name}
        if type(value) is np.ndarray and value.dtype.kind in "UO":
            flat = [inner(part, f"[{k}]") for k, part in enumerate(value.ravel().tolist())]
            return {"objects": [value.dtype.str, list(value.shape), flat]}
        raise refusal_of(value, place, f" of {value.dtype}")

    def other(self, value: Any, place: str, inner: Callable[[Any, str], Any]) -> Any:
        kind: Any = type(value)
        name = f"{kind.__module__}.{kind.__qualname__}"
        if kind is dict:
            pairs = value.items()
            return {"dict": [[inner(k, f"[{k!r}]"), inner(v, f"[{k!r}]")] for k, v in pairs]}
        if kind is slice:
            return {"slice": [inner(x, "") for x in (value.start, value.stop, value.step)]}
        if isinstance(value, np.dtype):
            return {"dtype": value.str}
        if isinstance(value, type) and issubclass(value, np.generic):
            return {"numpy": np.dtype(value).str}
        if isinstance(value, type) and value in TYPES.values():
            return {"type": value.__name__}
        if name.startswith("scipy.sparse") and name.endswith(SPARSE):
            parts = [inner(getattr(value, x), f".{x}") for x in ("data", "indices", "indptr")]
            return {"sparse": [name.rpartition(".")[2], list(value.shape), *parts]}
        if name.startswith(OURS):
            name = stored_name(kind, place)
        elif not name.startswith(ALLOWED):
            raise refusal_of(value, place, "")
        if isinstance(value, tuple):  # a named one
            return {"object": [name, inner(value._asdict(), "")["dict"]]}  # type: ignore[attr-defined]
        if not hasattr(value, "__dict__"):  # compiled
            raise refusal_of(value, place, "")
        state = {k: part for k, part in (value.__getstate__() or {}).items() if k not in FORGOTTEN}
        return {"object": [name, [[k, inner(part, f".{k}")] for k, part in state.items()]]}


def stored_name(kind: type, place: str) -> str:
    """The name that files have for a class of ours."""
    name = learner_types.name_of(kind)
    if name is None:
        message = (
            f"{place} is of {kind.__qualname__}, a class of glyphone that has no name in files"
        )
        raise FormatError(
            message, remedy="give it one, and a check, in glyphone/models/learners/types.py"
        )
    return name


def refusal_of(value: Any, place: str, more: str) -> FormatError:
    article = "an" if type(value).__name__[0] in "aeiouAEIOU" else "a"
    message = f"{place} is {article} {type(value).__name__}{more}, which no model file holds"
    searched = hasattr(value, "best_estimator_")
    return FormatError(message, remedy="save its best_estimator_" if searched else REMEDY)


def unpack_value(node: Any, arrays: Mapping[str, Array], prefix: str = "") -> Any:
    """The value that was packed; ValueError, KeyError or TypeError if it could not have been."""
    if not isinstance(node, dict):
        if isinstance(node, list):
            return [unpack_value(part, arrays, prefix) for part in node]
        return node
    ((what, content),) = node.items()
    if what == "array":
        # Compiled kernels would be compiled again for arrays that cannot be written to.
        return arrays[prefix + content].copy()
    if what in ("float", "dtype", "numpy", "type"):
        return _plain(what, content)
    parts = unpack_value(content, arrays, prefix)
    if what in ("tuple", "set", "frozenset"):
        return {"tuple": tuple, "set": set, "frozenset": frozenset}[what](parts)
    if what == "dict":
        return dict(parts)
    if what == "slice":
        return slice(*parts)
    if what == "scalar":
        return np.array(parts[1], plain_type(parts[0], "biufU"))[()]
    if what == "objects":
        return object_array(*parts)
    if what == "sparse":
        return sparse_matrix(*parts)
    if what == "object":
        return make_object(parts[0], dict(parts[1]))
    raise ValueError(f"it has a {what}, which this version does not know")


def _plain(what: str, content: str) -> Any:
    if what == "float":
        return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[content]
    if what == "type":
        return TYPES[content]
    kind = plain_type(content, "biufUSO")
    return kind if what == "dtype" else kind.type


def plain_type(name: str, kinds: str) -> np.dtype[Any]:
    found = np.dtype(name)
    if found.kind not in kinds:
        raise ValueError(f"it has values of the type {name!r}")
    return found


def object_array(dtype: str, shape: list[int], flat: list[Any]) -> Array:
    """An array of texts, or of anything."""
    found = np.empty(len(flat), plain_type(dtype, "UO"))
    for k, part in enumerate(flat):  # a list in a list must not become a dimension
        found[k] = part
    return found.reshape(shape)


def sparse_matrix(kind: str, shape: list[int], data: Array, indices: Array, indptr: Array) -> Any:
    import scipy.sparse

    if kind not in SPARSE:
        raise ValueError(f"it has a {kind}")
    found = getattr(scipy.sparse, kind)((data, indices, indptr), shape=tuple(shape))
    found.check_format(full_check=True)
    return found


def make_object(name: str, state: dict[str, Any]) -> Any:
    """An object of a type that may be named, with its attributes."""
    if name.startswith(OURS):
        known = learner_types.find_type(name)
        kind, check = known.load(), known.check
    else:
        kind, check = scikit_class(name), SCIKIT_CHECKS.get(name, no_kernels)
    if not all(isinstance(key, str) for key in state):
        raise TypeError(f"a {name} has attributes without a name")
    if any(map(attribute_names(kind).__contains__, state)):
        raise ValueError(f"a {name} has attributes in the place of methods")
    found: Any
    if issubclass(kind, tuple):
        found = kind(**state)
    else:
        if is_dataclass(kind) and not has_fields(kind, state):
            raise ValueError(f"a {name} has other attributes than it should have")
        found = object.__new__(kind)
        # That of scikit-learn warns of versions that differ.
        set_state = getattr(found, "__setstate__", vars(found).update)
        set_state(state)
    problem = check(found)
    if problem:
        raise ValueError(problem)
    return found


def scikit_class(name: str) -> type:
    """A class of scikit-learn, if it is of a package that may be named."""
    module, _, attribute = name.rpartition(".")
    kind = None
    if name.startswith(ALLOWED) and ".tests." not in name:
        with suppress(ImportError):
            kind = getattr(import_module(module), attribute, None)
    if not isinstance(kind, type) or f"{kind.__module__}.{kind.__qualname__}" != name:
        raise ValueError(f"it has an object of {name!r}, which is no class of learners")
    return kind


def has_fields(kind: type, state: Mapping[str, Any]) -> bool:
    """Whether a state has the fields of a dataclass; those that have a default may be missing."""
    known = fields(kind)
    needed = {one.name for one in known if one.default is MISSING}
    return needed <= state.keys() <= {one.name for one in known}


@cache
def attribute_names(kind: type) -> set[str]:
    """The names of methods and properties of a class, which an attribute would hide."""
    if issubclass(kind, tuple):
        return set()
    named = {name: getattr(kind, name, None) for name in dir(kind)}
    return {name for name, value in named.items() if callable(value) or hasattr(value, "__get__")}
