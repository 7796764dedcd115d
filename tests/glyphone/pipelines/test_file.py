"""Pipelines as one file: what comes back, and what is refused."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import glyphone
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.records import Pair
from glyphone.fst.interface.unknown_symbols import lenient
from glyphone.fst.storage import container as storage_container
from glyphone.fst.transducers.model import TransducerModel
from glyphone.pipelines import pipeline
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.reading import Reading
from glyphone.pipelines.registry import Item
from glyphone.pipelines.stages.classifying import Classify
from glyphone.pipelines.stages.deciding import DecodeF, Keep
from glyphone.pipelines.stages.reranking import Rerank
from glyphone.pipelines.stages.transducing import Find, Score, Transduce
from tests.glyphone.pipelines.support import phone_learner

PAIRS = [Pair(tuple(word), tuple(word.upper())) for word in ("ab", "ba", "aab", "bab", "abba")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.pipeline"


def test_all_stages_of_ours(plain: TransducerModel, path: Path) -> None:
    made = Pipeline(
        (
            Find(model=plain, longest=3, runs="all"),
            Classify(model=phone_learner(), label="number", feature="phone"),
            Score(model=plain, feature="again"),
            Rerank(weights={"again": 0.5, "phone": 1.0}),
            DecodeF(alpha=0.7),
            Keep(most=2),
        ),
        Reading(text="said", window=3),
    )
    made.save(path)
    content = path.read_bytes()
    again = pipeline.load(path)
    assert again.reading == made.reading
    assert again.names == made.names
    text = "cha na ch1 ña"
    assert again(text) == made(text) != Item(text)
    again.save(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "options", [{"kind": "joint"}, {"kind": "tree", "left": 1, "right": 1, "previous": 0}]
)
def test_learned_models(options: Any, path: Path) -> None:
    model = glyphone.train(PAIRS, **options).model
    made = Pipeline((Transduce(model=model, n=3), Score(model=model, feature="again")))
    made.save(path)
    assert pipeline.load(path)("abab") == made("abab")


def test_a_grammar_keeps_how_it_is_written(plain: TransducerModel, path: Path) -> None:
    """PLAIN reads capitals as small letters, which is no business of its transducer."""
    Pipeline((Transduce(model=plain),)).save(path)
    loaded: Any = pipeline.load(path).stages[0]
    assert loaded.model("ÑACHA").output == "ɲ a tʃ a"
    assert loaded.model.fingerprint() == plain.fingerprint()
    assert [name for name in zipfile.ZipFile(path).namelist() if name.endswith(".fst")]


@dataclass(frozen=True)
class Nameless:
    def __call__(self, items: Sequence[Item]) -> list[Item]:
        return list(items)


def test_what_cannot_be_saved(plain: TransducerModel, path: Path) -> None:
    for stage, message in (
        (Nameless(), "Nameless: a stage without a versioned name (give it one under the entry"),
        (Transduce(model=lenient(plain, "skip")), "a LenientModel cannot be put into a file"),
    ):
        with pytest.raises(GlyphoneError) as caught:
            Pipeline((stage,)).save(path)
        assert message in str(caught.value)
        assert not path.exists()


def test_other_models_are_no_pipelines(path: Path) -> None:
    glyphone.train(PAIRS, kind="joint").save(path)
    with pytest.raises(FormatError, match="holds a model of the kind 'joint', expected pipeline"):
        pipeline.load(path)
    Pipeline((Keep(),)).save(path)
    with pytest.raises(FormatError, match="holds a model of the kind 'pipeline', expected"):
        glyphone.load(path)


def changed(path: Path, change: Any) -> Pipeline:
    contents = storage_container.read(path)
    manifest = json.loads(json.dumps(contents.manifest))
    change(manifest)
    forgery = storage_container.Contents(contents.kind, manifest, contents.arrays, contents.blobs)
    storage_container.write(path, forgery)
    return pipeline.load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(format=2, glyphone="9"), "was written by glyphone 9, in format 2;"),
        (lambda m: m.update(format=True), "was written by glyphone"),
        (lambda m: m["stages"][0].update(use="glyphone.find.v7"), "no stage named 'glyphone.find"),
        (lambda m: m["stages"][0]["settings"].update(n=0), "is no pipeline: n is 0"),
        (lambda m: m["stages"][0]["settings"].update(more=0), "no setting named 'more'"),
        (lambda m: m["stages"][0]["settings"].pop("model"), "is no pipeline: model is missing"),
        (lambda m: m["stages"][0]["settings"]["model"].update(kind="x"), "holds a 'x', no model"),
        (
            lambda m: m["stages"][0]["settings"]["model"]["manifest"].update(machines=5),
            "is no pipeline: KeyError",
        ),
        (lambda m: m["input"].update(window=0), "is no pipeline: window is 0"),
        (lambda m: m.pop("stages"), "is no pipeline: KeyError: 'stages'"),
    ],
)
def test_forgeries(plain: TransducerModel, path: Path, change: Any, message: str) -> None:
    Pipeline((Transduce(model=plain),)).save(path)
    with pytest.raises(FormatError) as caught:
        changed(path, change)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_cut_files(plain: TransducerModel, path: Path) -> None:
    Pipeline((Transduce(model=plain),)).save(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(FormatError, match="is cut off or"):
        pipeline.load(path)
