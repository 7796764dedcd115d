"""Ensembles on disk, in the container of `glyphone.fst.storage.container`.

Each member is packed as `glyphone.fst.joint.file` does it, under `members/0/` and so on, each model
of histories under `histories/0/`, each judge under `judges/0/` as its kind does it. Weights of the
reranker are stored with their slots.

>>> import tempfile
>>> from glyphone.data.records import Alignment
>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.joint.training import train_joint
>>> phi = Alignment(((("p", "h"), ("f",)), (("i",), ("i",))))
>>> member = Member(train_joint([phi], source=Writing(), target=Writing(), order=2))
>>> model = EnsembleModel.of([member, member])
>>> path = tempfile.mkdtemp() + "/phi.glyphone"
>>> save(model, path)
>>> load(path)("phi").output, load(path).fingerprint() == model.fingerprint()
('fi', True)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.fst.context.histories import LEAST_BITS, MOST_BITS, HistoryModel
from glyphone.fst.context.window_kernels import MOST_CANDIDATES
from glyphone.fst.ensembles.early_answers import NEVER
from glyphone.fst.ensembles.jury import DEFAULT_REACH
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.ensembles.panel import MARGIN, Member
from glyphone.fst.ensembles.reranking import fitting
from glyphone.fst.ensembles.reranking.feature_kernels import ALL, NOTHING
from glyphone.fst.ensembles.reranking.model import Reranker
from glyphone.fst.ensembles.reranking.posteriors import MISSING
from glyphone.fst.joint import file as joint_file
from glyphone.fst.joint.model import JointModel
from glyphone.fst.storage import registry as storage_registry
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import (
    Packing,
    problem_of_settings,
    smallest_unsigned,
    unsigned_column,
)

KIND = "ensemble"
MOST_MEMBERS, MOST_DEPTH = 100, 10_000
# Models that may judge.
JUDGES = ("crf", "tree", "spelling")
# No share and no weight that was fitted is beyond this.
GREATEST = 1e3

Array = NDArray[Any]


def to_contents(model: EnsembleModel, prefix: str = "") -> Contents:
    """The contents of a file for a model, its arrays under a prefix."""
    arrays: dict[str, Array] = {}
    members = []
    for number, member in enumerate(model.members):
        contents = joint_file.to_contents(member.model, f"{prefix}members/{number}/")
        row = {"backward": member.backward, "joint": dict(contents.manifest)}
        members.append(row if member.proposes else {**row, "proposes": False})
        arrays |= contents.arrays
    for number, histories in enumerate(model.histories):
        arrays |= histories_arrays(histories, f"{prefix}histories/{number}/")
    judges = []
    for number, judge in enumerate(model.judges):
        contents = storage_registry.to_contents(judge, f"{prefix}judges/{number}/")
        judges.append(storage_registry.part_to_dict(contents))
        arrays |= contents.arrays
    slots = np.flatnonzero(model.reranker.weights)
    arrays |= {
        f"{prefix}reranker/shares": model.reranker.shares,
        f"{prefix}reranker/slots": smallest_unsigned(slots),
        f"{prefix}reranker/weights": model.reranker.weights[slots].astype(np.float16),
    }
    manifest = {
        "name": model.name,
        "members": members,
        "histories": [{"bits": h.bits, "backward": h.backward} for h in model.histories],
        "reranker": {"level": model.reranker.level, "size": len(model.reranker.weights)},
        "vowels": sorted(model.vowels),
        "temperature": model.temperature,
        "missing": model.missing,
        "depth": model.depth,
        "description": dict(model.description),
    }
    # Settings that older versions do not know are written only where they are not the default.
    if judges:
        manifest["judges"] = judges
    if model.sure <= 1:
        manifest["sure"] = model.sure
    if model.reach != DEFAULT_REACH:
        manifest["reach"] = None if math.isinf(model.reach) else model.reach
    if model.margin != MARGIN:
        manifest["margin"] = model.margin
    return Contents(KIND, manifest, arrays)


def histories_arrays(histories: HistoryModel, prefix: str) -> dict[str, Array]:
    return {
        # Steps from slot to slot are smaller numbers than slots, and in order by nature.
        f"{prefix}slots": smallest_unsigned(np.diff(histories.slots, prepend=-1)),
        f"{prefix}counts": histories.counts,
        f"{prefix}candidates": histories.candidates,
        f"{prefix}weights": histories.weights.astype(np.float16),
        f"{prefix}places": smallest_unsigned(histories.places + 1),
        f"{prefix}vowels": histories.vowels.astype(np.uint8),
    }


def ensemble_of(contents: Contents, prefix: str, path: FilePath | None) -> EnsembleModel:
    manifest, arrays = contents.manifest, contents.arrays
    rows, reach = manifest["members"], manifest.get("reach", DEFAULT_REACH)
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_MEMBERS:
        raise ValueError("it has no members, or too many")
    members = [
        member_of(row, arrays, f"{prefix}members/{number}/", path)
        for number, row in enumerate(rows)
    ]
    histories = [
        histories_of(row, arrays, f"{prefix}histories/{number}/", members[0].model)
        for number, row in enumerate(manifest["histories"])
    ]
    return EnsembleModel(
        tuple(members),
        tuple(histories),
        reranker_of(manifest["reranker"], arrays, f"{prefix}reranker/"),
        frozenset(manifest["vowels"]),
        manifest["name"],
        manifest["temperature"],
        manifest["depth"],
        manifest["description"],
        tuple(
            storage_registry.load_part(
                row, arrays, f"{prefix}judges/{number}/", what="judge", kinds=JUDGES, path=path
            )
            for number, row in enumerate(manifest.get("judges", ()))
        ),
        manifest.get("sure", NEVER),
        manifest.get("missing", MISSING),
        math.inf if reach is None else reach,
        manifest.get("margin", MARGIN),
    )


def member_of(
    row: Mapping[str, Any], arrays: Mapping[str, Array], prefix: str, path: FilePath | None
) -> Member:
    joint = Contents(joint_file.KIND, row["joint"], arrays)
    proposes = row.get("proposes", True)
    if type(row["backward"]) is not bool or type(proposes) is not bool:
        raise TypeError("a member reads neither forward nor backward, or may propose or not")
    return Member(joint_file.from_contents(joint, prefix, path=path), row["backward"], proposes)


def histories_of(
    row: Mapping[str, Any], arrays: Mapping[str, Array], prefix: str, first: JointModel
) -> HistoryModel:
    units = first.units
    steps, counts = (
        unsigned_column(arrays, f"{prefix}slots"),
        unsigned_column(arrays, f"{prefix}counts"),
    )
    candidates, weights = unsigned_column(arrays, f"{prefix}candidates"), arrays[f"{prefix}weights"]
    places = unsigned_column(arrays, f"{prefix}places").astype(np.int64) - 1
    vowels = unsigned_column(arrays, f"{prefix}vowels")
    bits, backward = row["bits"], row["backward"]
    if type(bits) is not int or not LEAST_BITS <= bits <= MOST_BITS or type(backward) is not bool:
        raise ValueError(f"histories have {bits!r} bits, backward {backward!r}")
    slots = np.cumsum(steps, dtype=np.int64) - 1
    if len(steps) and (not steps.all() or slots[-1] >= 1 << bits):
        raise ValueError("the slots of histories are not in order, or beyond their end")
    if any(column.dtype != np.uint8 for column in (counts, candidates, vowels)):
        raise ValueError("rows of histories are not of bytes")
    if len(slots) != len(counts) or not len(candidates) == len(weights) == int(counts.sum()):
        raise ValueError("the rows of histories do not divide their weights")
    if weights.dtype != np.float16 or not np.isfinite(weights).all():
        raise ValueError("a weight of histories is not a number")
    if any(len(source) != 1 for source in units.sources) or len(places) != len(units):
        raise ValueError("histories are for units that read one letter")
    if len(vowels) != units.n_labels or vowels.max(initial=0) > 1:
        raise ValueError("histories do not say which letters are vowels")
    if max(places.max(initial=0), candidates.max(initial=0), int(counts.max(initial=1)) - 1) >= (
        MOST_CANDIDATES
    ):
        raise ValueError("histories have too many candidates")
    return HistoryModel(
        units,
        bits,
        slots.astype(np.int32),
        np.array(counts),
        np.array(candidates),
        weights.astype(np.float32),
        places,
        vowels.astype(np.bool_),
        backward,
    )


def reranker_of(row: Mapping[str, Any], arrays: Mapping[str, Array], prefix: str) -> Reranker:
    level, size = row["level"], row["size"]
    shares, weights = arrays[f"{prefix}shares"], arrays[f"{prefix}weights"]
    slots = unsigned_column(arrays, f"{prefix}slots").astype(np.int64)
    if type(level) is not int or not NOTHING <= level <= ALL:
        raise ValueError(f"the reranker has level {level!r}")
    if type(size) is not int or size not in {1 << k for k in range(fitting.MOST_BITS + 1)}:
        raise ValueError(f"the reranker has {size!r} weights")
    if shares.dtype != np.float64 or weights.dtype != np.float16 or shares.ndim != 1:
        raise ValueError(f"the reranker has weights of type {weights.dtype}")
    if len(slots) != len(weights) or (np.diff(slots) <= 0).any() or slots.max(initial=0) >= size:
        raise ValueError("the slots of the reranker are not in order, or beyond their end")
    if not (np.abs(shares) < GREATEST).all() or not (np.abs(weights) < GREATEST).all():
        raise ValueError("a weight of the reranker is not a number, or too great")
    table = np.zeros(size, np.float32)
    table[slots] = weights
    return Reranker(np.array(shares), table, level)


def problem_of(model: EnsembleModel) -> str | None:
    """The reason why valid parts make no valid model, if there is one."""
    problem = problem_of_settings(model, {"temperature": (1e-3, 1e3)})
    if problem:
        return problem
    if type(model.sure) is not float or not model.sure > 0:
        return f"its first member is sure from {model.sure!r} on"
    if type(model.reach) is not float or not model.reach > 0:
        return f"its judges reach {model.reach!r} nats"
    if type(model.margin) is not float or not 0 < model.margin < math.inf:
        return f"its members propose outputs within {model.margin!r} nats"
    if type(model.missing) is not float or not 0 <= model.missing < 1:
        return f"its share of missing outputs is {model.missing!r}"
    if type(model.depth) is not int or not 1 <= model.depth <= MOST_DEPTH:
        return f"its depth is {model.depth!r}"
    if not all(isinstance(vowel, str) for vowel in model.vowels):
        return "a vowel is not a string"
    n_models = len(model.members) + len(model.histories) + len(model.judges)
    if len(model.reranker.shares) != n_models:
        return "it has not one share for each of its models"
    if model.members[0].backward or not model.members[0].proposes:
        return "its first member reads backward, or proposes nothing"
    if any(set(judge.target.symbols) - set(model.first.target.symbols) for judge in model.judges):
        return "a judge writes symbols that its first member does not know"
    return None


PACKING = Packing(
    kind=KIND, what="ensemble", pack=to_contents, unpack=ensemble_of, problem_of=problem_of
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
