"""Types of objects in files of learners: all have names, and what is damaged of them is refused."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import MultiLabelBinarizer, OneHotEncoder

import glyphone.learners
from glyphone.data.errors import FormatError
from glyphone.data.kernels import jit
from glyphone.fst.storage import container as storage_container
from glyphone.learners.trees.estimator import SymbolicTree
from glyphone.models.learners import file as learner_file
from glyphone.models.learners.types import OLD_NAMES, TYPES, find_type, name_of, no_kernels
from glyphone.models.learners.values import ALLOWED
from glyphone.pipelines.registry import NAME

MODELS = Path(__file__).parents[3] / "models"
FILES = sorted(MODELS.glob("*/learner_*.glyphone"))
# Arrays of whole numbers that are no indices: any number will do.
COUNTS = {
    "glyphone.markov-contexts.v1.keys",
    "glyphone.segment-features.v1.keys",
    "glyphone.span-filter.v1.keys",
}
# Of these types no file of the folder has an array.
WITHOUT_ARRAYS = {
    "glyphone.symbol-columns.v1",
    "glyphone.crf-features.v1",
    "glyphone.latent-shape.v1",
    "glyphone.known-words.v1",
    "glyphone.word-clusters.v1",
    "glyphone.segment-candidacy.v1",
}


# Ends of names that came after files of format 1.


def learner_classes() -> Iterator[type]:
    """All classes in the modules of learners."""
    for module in pkgutil.walk_packages(glyphone.learners.__path__, "glyphone.learners."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, type) and value.__module__ == module.name:
                yield value


CLASSES = {*learner_classes()}


def parts_of(kind: type) -> set[type]:
    """The classes of learners that the attributes of one are told to be of."""
    hints = get_type_hints(kind).values()
    todo, found = [hint for hint in hints if get_origin(hint) is not ClassVar], set()
    while todo:
        hint = todo.pop()
        todo += hint if isinstance(hint, list) else get_args(hint)
        if isinstance(hint, type) and hint in CLASSES:
            found.add(hint)
    return found


def is_abstract(kind: type) -> bool:
    return any(issubclass(other, kind) and other is not kind for other in CLASSES)


def test_every_class_that_a_learner_may_have_is_in_the_table() -> None:
    todo = [kind for kind in CLASSES if issubclass(kind, BaseEstimator) and not is_abstract(kind)]
    seen: set[type] = set()
    while todo:
        kind = todo.pop()
        if kind not in seen:
            seen.add(kind)
            todo += parts_of(kind)
    assert {name_of(kind) for kind in seen} == {*TYPES}


@pytest.mark.parametrize("name", TYPES)
def test_names_are_those_of_classes_that_there_are(name: str) -> None:
    kind = TYPES[name].load()
    assert name_of(kind) == name
    assert NAME.fullmatch(name)
    assert find_type(name) is TYPES[name]


def test_old_names_are_read() -> None:
    assert {*OLD_NAMES.values()} < {*TYPES}
    old = "glyphone.learners" + ".trees.SymbolicTree"
    assert find_type(old).load() is SymbolicTree
    for path in sorted((MODELS / "written_at_87eee11").glob("learner_*.glyphone")):
        names = {name for name, _ in objects(storage_container.read(path).manifest["learner"])}
        assert all(name.startswith(ALLOWED) or name in OLD_NAMES for name in names)


def test_no_path_of_a_class_is_written(tmp_path: Path) -> None:
    for path in FILES:
        learner_file.save(learner_file.load(path), tmp_path / path.name)
        text = json.dumps(storage_container.read(tmp_path / path.name).manifest, ensure_ascii=False)
        assert '"glyphone.learners' not in text


def test_an_attribute_that_has_a_default_may_be_missing(tmp_path: Path) -> None:
    """So a type can get one more, and older files are read."""
    told = MODELS / "learners_of_format_2" / "learner_crf.glyphone"
    contents = storage_container.read(told)
    for name, state in objects(contents.manifest["learner"]):
        if name == "glyphone.crf-chain.v1":
            state[:] = [row for row in state if row[0] != "choices"]
    storage_container.write(tmp_path / "x.glyphone", contents)
    row = json.loads(told.with_suffix(".json").read_text(encoding="utf-8"))
    one, other = (learner_file.load(path) for path in (told, tmp_path / "x.glyphone"))
    assert other.model_.choices is None
    assert one.predict(row["asked"]) == other.predict(row["asked"])


class OneOfOurs:
    """Pretends to be a class of glyphone that nobody has named."""


def test_a_class_without_a_name_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OneOfOurs, "__module__", "glyphone.learners.trees.estimator")
    learner = SymbolicTree(random_state=OneOfOurs())
    with pytest.raises(FormatError) as caught:
        learner_file.save(learner, tmp_path / "x.glyphone")
    assert str(caught.value) == (
        "SymbolicTree.random_state is of OneOfOurs, a class of glyphone that has no name in files "
        "(give it one, and a check, in glyphone/models/learners/types.py)"
    )


def objects(node: Any) -> Iterator[tuple[str, Any]]:
    """The objects in a manifest: names of types, and states."""
    if isinstance(node, list):
        for part in node:
            yield from objects(part)
    elif isinstance(node, dict):
        if "object" in node:
            yield node["object"][0], node["object"][1]
        yield from objects([*node.values()])


def arrays_of(name: str) -> list[tuple[Path, str, str]]:
    """Every array that an object of a type has itself: files, attributes, numbers in the files."""
    found: dict[str, tuple[Path, str, str]] = {}
    for path in FILES:
        for told, state in objects(storage_container.read(path).manifest["learner"]):
            if told == name:
                for attribute, value in state:
                    values = value if isinstance(value, list) else [value]
                    for one in values:
                        if isinstance(one, dict) and "array" in one:
                            found.setdefault(attribute, (path, attribute, one["array"]))
    return [*found.values()]


def inside(value: Any) -> Iterator[Any]:
    """A value, and all that is in it."""
    yield value
    if isinstance(value, dict):
        parts = [*value.values()]
    elif isinstance(value, list | tuple):
        parts = [*value]
    else:
        parts = [*getattr(value, "__dict__", {}).values()]
    for part in parts:
        yield from inside(part)


class Spy:
    """A module of kernels that remembers the arrays that they are given."""

    def __init__(self, module: Any, seen: list[Any]) -> None:
        self.module, self.seen = module, seen

    def __getattr__(self, name: str) -> Any:
        def called(*args: Any) -> Any:
            self.seen.extend(one for one in inside(args) if isinstance(one, np.ndarray))
            return getattr(self.module, name)(*args)

        return called


def test_what_comes_to_kernels_has_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all learners that there are files of, asked as they are in the tests of files."""
    reached: set[str] = set()
    for path in FILES:
        row = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        seen: list[Any] = []
        learner = learner_file.load(path)
        with monkeypatch.context() as patch:
            patch.setattr(jit, "tier", lambda module, _, seen=seen: Spy(module, seen))
            learner.predict(row["asked"])
            if hasattr(learner, "predict_marginals"):
                learner.predict_marginals(row["asked"])
        for part in inside(learner):
            name = name_of(type(part))
            own = [*part] if isinstance(part, tuple) else [*getattr(part, "__dict__", {}).values()]
            arrays = [one for one in own if isinstance(one, np.ndarray)]
            if name and any(np.shares_memory(one, other) for one in arrays for other in seen):
                reached.add(name)
    assert reached >= {
        "glyphone.decision-tree.v1", "glyphone.crf-chain.v1", "glyphone.crf-weight-space.v1",
        "glyphone.crf-weight-family.v1", "glyphone.crf-label-choices.v1",
        "glyphone.markov-model.v1", "glyphone.markov-counts.v1",
    }  # fmt: skip
    assert not [name for name in reached if TYPES[name].check is no_kernels]


CHECKED = [name for name, kind in TYPES.items() if kind.check is not no_kernels]
ARRAYS = [(name, *row) for name in CHECKED for row in arrays_of(name)]


def test_every_type_that_kernels_follow_is_damaged_below() -> None:
    # An estimator has its arrays in the parts that it has.
    estimators = {
        name for name in CHECKED if issubclass(TYPES[name].load(), BaseEstimator)
    } - {"glyphone.phrase-features.v1"}  # fmt: skip
    assert {row[0] for row in ARRAYS} >= {*CHECKED} - estimators - WITHOUT_ARRAYS


def outside(array: Any) -> Any:
    found = array.copy()
    found[last_of_first(array)] = 2**31 - 1 if array.dtype.itemsize > 1 else 255
    return found


def below(array: Any) -> Any:
    found = array.astype(np.int32 if array.dtype.kind == "u" else array.dtype)
    found[last_of_first(array)] = -7
    return found


def last_of_first(array: Any) -> tuple[int, ...]:
    """Where the last number of the first row is: that of the last node of a tree means nothing."""
    return (0,) * (array.ndim - 1) + (-1,)


DAMAGE = {
    "outside": outside,
    "below": below,
    "other type": lambda x: np.zeros(x.shape, np.int64 if x.dtype.kind == "f" else np.float64),
    "other size of numbers": lambda x: x.astype(np.float32 if x.dtype.kind == "f" else np.int16),
    "more dimensions": lambda x: x[None],
    "fewer dimensions": lambda x: x.ravel()[0],
    "too short": lambda x: x[:-1],
    "empty": lambda x: x[:0],
}


def does_damage(damage: str, name: str, path: Path, attribute: str, number: str) -> bool:
    """Whether there is something to damage, and what is done to it does any."""
    array = storage_container.read(path).arrays[number]
    of = f"{name}.{attribute}"
    if damage == "outside" and of == "glyphone.markov-counts.v1.counts":
        return False  # a count may be as high as any
    indices = array.dtype.kind in "iu" and of not in COUNTS
    return len(array) > 0 and (indices or damage not in ("outside", "below"))


CASES = [(damage, *row) for row in ARRAYS for damage in DAMAGE if does_damage(damage, *row)]


@pytest.mark.parametrize(
    ("damage", "name", "path", "attribute", "number"),
    CASES,
    ids=[f"{name}.{attribute}: {damage}" for damage, name, _, attribute, _ in CASES],
)
def test_damaged_arrays_are_refused(
    damage: str, name: str, path: Path, attribute: str, number: str, tmp_path: Path
) -> None:
    contents = storage_container.read(path)
    array = np.array(contents.arrays[number])
    changed = {**contents.arrays, number: DAMAGE[damage](array)}
    copy = tmp_path / "x.glyphone"
    storage_container.write(
        copy, storage_container.Contents(contents.kind, contents.manifest, changed)
    )
    with pytest.raises(FormatError, match=r"x\.glyphone: is no learner: "):
        learner_file.load(copy)


WORDS = [{"word": "a", "next": "b"}, {"word": "c"}]
ROWS = [["a", 1], ["b", 2], ["a", 3], ["c", 3]]
SCIKIT: list[tuple[Any, Any]] = [
    (DictVectorizer(), WORDS),
    (CountVectorizer(analyzer="char"), ["abc", "cd"]),
    (OneHotEncoder(), ROWS),
    (OneHotEncoder(drop="first"), ROWS),
    (OneHotEncoder(drop="if_binary", handle_unknown="ignore"), [["a", 1], ["b", 2], ["b", 3]]),
    (OneHotEncoder(min_frequency=2, handle_unknown="infrequent_if_exist"), ROWS),
    (OneHotEncoder(max_categories=2, drop="first"), ROWS),
    (MultiLabelBinarizer(), [["a"], ["b", "a"]]),
]


@pytest.mark.parametrize(("learner", "X"), SCIKIT, ids=lambda x: type(x).__name__)
def test_numbers_of_columns_that_scipy_follows(learner: Any, X: Any, tmp_path: Path) -> None:
    learner = clone(learner).fit(X)
    path = tmp_path / "x.glyphone"
    learner_file.save(learner, path)
    found = learner_file.load(path)
    assert np.array_equal(dense(found.transform(X)), dense(learner.transform(X)))
    for changed in misnumbered(learner):
        learner_file.save(changed, path)
        with pytest.raises(FormatError, match="is no learner"):
            learner_file.load(path)


def dense(found: Any) -> Any:
    return found.toarray() if hasattr(found, "toarray") else found


def misnumbered(learner: Any) -> Iterator[Any]:
    """Learners whose columns are not those that there are."""
    changes: dict[str, Any] = {}
    if hasattr(learner, "vocabulary_"):
        first = next(iter(learner.vocabulary_))
        changes["vocabulary_"] = {**learner.vocabulary_, first: 10**9}
    elif hasattr(learner, "categories_"):
        first, *rest = learner._n_features_outs
        changes["_n_features_outs"] = [first - 1, *rest]
        changes["categories_"] = learner.categories_[1:]
        if learner._infrequent_enabled:
            rows = learner._default_to_infrequent_mappings
            changes["_default_to_infrequent_mappings"] = [
                row if row is None else row + 100 for row in rows
            ]
        if learner._drop_idx_after_grouping is not None:
            changes["_drop_idx_after_grouping"] = np.array([100, 100], dtype=object)
    else:
        changes["_cached_dict"] = {"a": 10**9}
    for name, value in changes.items():
        vars(learner)[name], before = value, vars(learner).get(name)
        yield learner
        vars(learner)[name] = before
