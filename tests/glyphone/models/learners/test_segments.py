"""Semi-Markov fields in files: there and back, and arrays that kernels could not follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import FormatError
from glyphone.learners.semimarkov.estimator import SemiMarkovCRF
from glyphone.learners.semimarkov.model import SegmentModel
from glyphone.models.learners import file as learner_file

SENTENCES = [["Ana", "Paz", "ve", "Lima"], ["ve", "a", "Eva", "Paz"]]
LABELS = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "O", "B-PER", "I-PER"]]


def learner(**options: Any) -> SemiMarkovCRF:
    return SemiMarkovCRF(**{"max_length": 3, "max_iter": 5, **options}).fit(SENTENCES, LABELS)


@pytest.mark.parametrize("options", [{}, {"filter": None}, {"templates": "begin word\nlength"}])
def test_there_and_back(options: dict[str, Any], tmp_path: Path) -> None:
    path, given = tmp_path / "x.glyphone", learner(**options)
    learner_file.save(given, path)
    found = learner_file.load(path)
    assert found.get_params() == given.get_params()
    assert found.segment_probabilities(SENTENCES) == given.segment_probabilities(SENTENCES)


def changed(**parts: Any) -> Callable[[SegmentModel], SegmentModel]:
    """A function that changes arrays of the weights of a model."""
    return lambda model: replace(
        model,
        features=model.features._replace(
            **{name: change(getattr(model.features, name)) for name, change in parts.items()}
        ),
    )


FORGERIES: list[tuple[Callable[[SegmentModel], SegmentModel], str]] = [
    (changed(codes=lambda x: x + 100), "a weight is of a class that there is not"),
    (changed(codes=lambda x: x - 1), "a weight is of a class that there is not"),
    (changed(codes=lambda x: x.astype(float)), "not the types of such arrays"),
    (changed(starts=lambda x: x[::-1].copy()), "weights are not divided among features"),
    (changed(starts=lambda x: x + 1), "weights are not divided among features"),
    (changed(roles=lambda x: (x + 1) % 6), "the number of features differs from that of their"),
    (changed(n_classes=lambda x: x + 1), "the number of kinds, or that of templates, differs"),
    (changed(n_preceding=lambda x: x + 1), "the number of preceding classes differs"),
    (lambda model: replace(model, weights=model.weights[1:]), "weights are not divided"),
    (lambda model: replace(model, weights=model.weights * np.nan), "a weight is not finite"),
    (lambda model: replace(model, known={**model.known, "word": {"x": 7}}), "are not numbered"),
    (
        lambda model: replace(model, candidacy=replace(model.candidacy, max_length=2)),
        "candidates have another bound than features",
    ),
    (
        lambda model: replace(model, candidacy=replace(model.candidacy, max_length=0)),
        "no bound of their length",
    ),
    (
        lambda model: replace(model, tests=replace(model.tests, keys=model.tests.keys[1:])),
        "the number of kinds, or that of templates, differs",
    ),
    (
        lambda model: replace(model, tests=replace(model.tests, chains={})),
        "whole segments have no numbers",
    ),
    (
        lambda model: replace(
            model,
            candidacy=replace(
                model.candidacy, filter=replace(model.candidacy.filter, odds=[np.zeros(1)])
            ),
        ),
        "the odds of a filter have no shape",
    ),
]


@pytest.mark.parametrize(("forge", "message"), FORGERIES)
def test_forgeries_are_refused(forge: Any, message: str, tmp_path: Path) -> None:
    path, given = tmp_path / "x.glyphone", learner()
    given.model_ = forge(given.model_)
    learner_file.save(given, path)
    with pytest.raises(FormatError, match=message):
        learner_file.load(path)
