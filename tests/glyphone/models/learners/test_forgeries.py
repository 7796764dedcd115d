"""Files of learners that were cut, edited or forged, or that a later version wrote."""

from __future__ import annotations

import json
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from glyphone.data.errors import FormatError
from glyphone.data.version import VERSION
from glyphone.fst.storage import container as storage_container
from glyphone.learners.entities.tagger import MarkovTagger
from glyphone.learners.trees.estimator import SymbolicTree
from glyphone.models.learners import file as learner_file

SYMBOLS = [[a, b] for a in "abc" for b in "xyz"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "tree.glyphone"
    learner_file.save(SymbolicTree(min_leaf=1).fit(SYMBOLS, [b for _, b in SYMBOLS]), path)
    return path


def test_cut_edited_and_repacked_files_are_refused(tree: Path) -> None:
    content = tree.read_bytes()
    middle = len(content) // 2
    changed = bytes([content[middle] ^ 1])
    for damaged in (
        content[:-1],
        content[:middle],
        content[:middle] + changed + content[middle + 1 :],
    ):
        tree.write_bytes(damaged)
        with pytest.raises(FormatError, match=r"tree\.glyphone: is cut off or"):
            learner_file.load(tree)
    tree.write_bytes(content)
    with zipfile.ZipFile(tree) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tree, "w") as archive:
        for name, body in entries.items():
            archive.writestr(name, body)
    with pytest.raises(FormatError, match="packed again by another program"):
        learner_file.load(tree)


def forged(path: Path, change: Any) -> Any:
    """Loads a file in which something was changed by someone who knows how it is sealed."""
    contents = storage_container.read(path)
    manifest, arrays = json.loads(json.dumps(contents.manifest)), dict(contents.arrays)
    change(manifest, arrays)
    forgery = storage_container.Contents(contents.kind, manifest, arrays)
    storage_container.write(path, forgery)
    return learner_file.load(path)


def test_a_later_format(tree: Path) -> None:
    with pytest.raises(FormatError) as caught:
        forged(tree, lambda manifest, _: manifest.update(format=3, glyphone="9.0"))
    assert str(caught.value).endswith(
        f"that glyphone 9.0 wrote, in format 3; this version, {VERSION}, reads formats up to 2 "
        "(upgrade glyphone)"
    )


@pytest.mark.parametrize(
    "name",
    ["glyphone.later.v1", "glyphone.symbolic-tree.v2", "glyphone.learners.trees.estimator.np",
     "glyphone.learners.trees.estimator.SymbolicClassifier", "glyphone.learners.nothing.X"],
)  # fmt: skip
def test_types_that_this_version_does_not_know(tree: Path, name: str) -> None:
    def renamed(manifest: Any, _: Any) -> None:
        assert manifest["learner"]["object"][0] == "glyphone.symbolic-tree.v1"
        manifest["learner"]["object"][0] = name
        manifest["glyphone"] = "9.0"

    with pytest.raises(FormatError) as caught:
        forged(tree, renamed)
    assert str(caught.value) == (
        f"{tree}: holds a {name}, which glyphone 9.0 wrote; this version, {VERSION}, does not "
        "know what that is (upgrade glyphone)"
    )


def test_attributes_cannot_take_the_place_of_methods(tree: Path) -> None:
    """Codes in a file would come to kernels as they are."""

    def hidden(manifest: Any, _: Any) -> None:
        (columns,) = (row for name, row in manifest["learner"]["object"][1] if name == "columns_")
        columns["object"][1].append(["codes_of_rows", {"numpy": "<i8"}])

    with pytest.raises(FormatError, match="has attributes in the place of methods"):
        forged(tree, hidden)


def test_trees_that_are_not_those_of_their_columns(tree: Path) -> None:
    """Codes of more symbols than a tree knows would lead behind the end of its tables."""

    def more_symbols(manifest: Any, _: Any) -> None:
        text = json.dumps(manifest)
        assert text.count('["x", "y", "z"]') > 0
        manifest["learner"] = json.loads(
            text.replace('"tuple": ["x", "y", "z"]', '"tuple": ["x", "y", "z", "w"]')
        )["learner"]

    with pytest.raises(FormatError, match="its trees ask about other columns than it has"):
        forged(tree, more_symbols)


FORGERIES: list[tuple[Any, str]] = [
    ({"object": ["os.system", []]}, "'os.system', which is no class of learners"),
    ({"object": ["sklearn.utils._bunch.Bunch", []]}, "which is no class of learners"),
    ({"object": ["sklearn.linear_model.np", []]}, "which is no class of learners"),
    ({"object": ["sklearn.pipeline.make_pipeline", []]}, "which is no class of learners"),
    ({"object": ["sklearn.linear_model.nothing.X", []]}, "which is no class of learners"),
    (
        {"object": ["sklearn.linear_model.tests.test_base.LinearRegression", []]},
        "which is no class of learners",
    ),
    ({"object": ["glyphone.symbolic-tree.v1", [[1, 2]]]}, "without a name"),
    ({"object": ["glyphone.symbol-columns.v1", [["symbols", {"tuple": []}]]]}, "it is a Columns"),
    ({"object": ["glyphone.symbol-columns.v1", []]}, "has other attributes than it should have"),
    ({"object": ["glyphone.decision-tree.v1", []]}, "missing 11 required"),
    ({"code": "1 + 1"}, "it has a code, which this version does not know"),
    ({"array": "900"}, "KeyError"),
    ({"dtype": "V8"}, "it has values of the type 'V8'"),
    ({"objects": ["<U1", [3], ["a"]]}, "cannot reshape"),
    ({"list": 1, "tuple": 2}, "too many values"),
    ({"dict": [[[1], 2]]}, "unhashable"),
    ([1, 2], "it is a list"),
    (None, "it is a NoneType"),
]


@pytest.mark.parametrize(("node", "message"), FORGERIES)
def test_forgeries_are_refused(tree: Path, node: Any, message: str) -> None:
    with pytest.raises(FormatError, match=f"is no learner: .*{message}"):
        forged(tree, lambda manifest, _: manifest.update(learner=node))


def test_a_forgery_nested_deeply(tree: Path) -> None:
    node: Any = 1
    for _ in range(600):
        node = [node]
    with pytest.raises(FormatError, match=r"nested too deeply|it is a list"):
        forged(tree, lambda manifest, _: manifest.update(learner=node))


WORDS = [["a", "b", "c"], ["b", "c"], ["c"]] * 2
LEARNERS = {
    "tree": (SymbolicTree(min_leaf=1), SYMBOLS, [b for _, b in SYMBOLS]),
    "tagger": (MarkovTagger(scheme=None, cv=0), WORDS, [[x.upper() for x in row] for row in WORDS]),
}


@pytest.mark.parametrize("kind", LEARNERS)
@pytest.mark.parametrize(
    "change", [lambda x: x + 1, lambda x: x - 1, lambda x: x[:-1], lambda x: x[0], lambda x: x * 0]
)
def test_arrays_cannot_lead_kernels_astray(
    kind: str, change: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every array, changed in several ways, is refused, or kernels find their way all the same."""
    monkeypatch.setattr(
        "glyphone.data.kernels.jit.PLAIN_BUDGET", 10**12
    )  # plain Python looks at indices
    learner, X, y = LEARNERS[kind]
    path = tmp_path / "x.glyphone"
    learner_file.save(clone(learner).fit(X, y), path)
    content, refused = path.read_bytes(), 0
    for name in storage_container.read(path).arrays:
        path.write_bytes(content)
        try:
            loaded = forged(
                path, lambda _, arrays, name=name: arrays.update({name: change(arrays[name])})
            )
        except FormatError:
            refused += 1
            continue
        with np.errstate(all="ignore"):
            assert len(loaded.predict(X)) == len(X)
    assert refused >= 2


def test_another_version_of_scikit_learn_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.glyphone"
    learner_file.save(LogisticRegression().fit([[0.0], [1.0]], [0, 1]), path)

    def older(manifest: Any, _: Any) -> None:
        rows = manifest["learner"]["object"][1]
        assert ["_sklearn_version", sklearn.__version__] in rows
        rows[:] = [
            ["_sklearn_version", "1.0"] if k == "_sklearn_version" else [k, v] for k, v in rows
        ]

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        forged(path, older)
    assert "InconsistentVersionWarning" in [w.category.__name__ for w in caught]
