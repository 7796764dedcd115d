"""The stage of named entities, beside the recogniser itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from glyphone.data.fields import WrongSetting
from glyphone.data.treebanks.chunks import phrases_of
from glyphone.learners.entities.recognizer import EntityRecognizer
from glyphone.learners.entities.tagger import MarkovTagger
from glyphone.learners.semimarkov.estimator import SemiMarkovCRF
from glyphone.models.learners import file as learner_file
from glyphone.pipelines import pipeline
from glyphone.pipelines.registry import Item
from glyphone.pipelines.stages.entities import Entities

SENTENCES = [
    "El señor Paz vive en Lima",
    "Ana viaja a Quito",
    "La señora Luz Vega trabaja en San Juan",
    "Nadie viaja en invierno",
]
LABELS = [
    "O O B-PER O O B-LOC",
    "B-PER O O B-LOC",
    "O O B-PER I-PER O O B-LOC I-LOC",
    "O O O O",
]
TEXTS = ["Eva  vive en\tSan Juan", "", " ", "señor Paz Vega", "¡¿ 1 2", "Quito"]


@pytest.fixture(scope="module")
def recognizer() -> Any:
    words, labels = ([line.split() for line in lines] for lines in (SENTENCES * 3, LABELS * 3))
    return EntityRecognizer(tagger=MarkovTagger(cv=0)).fit(words, labels)


def test_the_phrases_of_the_recogniser(recognizer: Any) -> None:
    found = Entities(model=recognizer)([*map(Item, TEXTS)])
    labels = recognizer.predict([text.split() for text in TEXTS])
    assert sum(len(item.candidates) for item in found) >= 3
    for text, item, given in zip(TEXTS, found, labels, strict=True):
        expected = [(text.split()[p.begin : p.end], p.kind) for p in phrases_of(given)]
        assert [(c.text.split(), c.value) for c in item.candidates] == expected
        for candidate in item.candidates:
            assert candidate.text == text[slice(*candidate.span)]
            assert 0.5 < candidate.score <= 1
    assert Entities(model=recognizer)([]) == []


def test_from_a_file(recognizer: Any, tmp_path: Path) -> None:
    learner_file.save(recognizer, tmp_path / "ner.glyphone")
    text = '[[stages]]\nuse = "glyphone.entities.v1"\nmodel = "ner.glyphone"\n'
    (tmp_path / "ner.toml").write_text(text, encoding="utf-8")
    made = pipeline.load(tmp_path / "ner.toml")
    expected = pipeline.Pipeline((Entities(model=recognizer),))
    assert [*made.apply(TEXTS)] == [*expected.apply(TEXTS)]
    made.save(tmp_path / "ner.pipeline")
    assert [*pipeline.load(tmp_path / "ner.pipeline").apply(TEXTS)] == [*made.apply(TEXTS)]


def test_segments_of_a_semi_markov_field(tmp_path: Path) -> None:
    words, labels = ([line.split() for line in lines] for lines in (SENTENCES * 3, LABELS * 3))
    learner = SemiMarkovCRF(max_length=3, rho2=0.1).fit(words, labels)
    found = Entities(model=learner)([*map(Item, TEXTS)])
    for text, item, row in zip(
        TEXTS, found, learner.scored_phrases(map(str.split, TEXTS)), strict=True
    ):
        assert [(c.text.split(), c.value, c.score) for c in item.candidates] == [
            (text.split()[p.begin : p.end], p.kind, share) for p, share in row
        ]
    values = [c.value for c in found[0].candidates]
    assert values[-1:] == ["LOC"] and 0 < found[0].candidates[-1].score < 1
    learner_file.save(learner, tmp_path / "ner.glyphone")
    text = '[[stages]]\nuse = "glyphone.entities.v1"\nmodel = "ner.glyphone"\n'
    (tmp_path / "ner.toml").write_text(text, encoding="utf-8")
    expected = pipeline.Pipeline((Entities(model=learner),))
    assert [*pipeline.load(tmp_path / "ner.toml").apply(TEXTS)] == [*expected.apply(TEXTS)]
    with pytest.raises(WrongSetting, match="model is no fitted recogniser of entities: SemiMark"):
        Entities(model=SemiMarkovCRF())


def test_other_learners() -> None:
    with pytest.raises(
        WrongSetting, match="model is no fitted recogniser of entities: MarkovTagger"
    ):
        Entities(model=MarkovTagger())
    with pytest.raises(WrongSetting, match="model is no fitted recogniser of entities: EntityRec"):
        Entities(model=EntityRecognizer())
