"""Spellings by models of names: those of several languages, letter by letter, and kept ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from glyphone.learners.matching.evidence import Spelling
from glyphone.matching import spellings
from glyphone.matching.spellings import NameSpeller, default_models


@dataclass
class Model:
    """Answers from a table, in blocks of two; it fails for words that are not there."""

    table: dict[str, list[tuple[str, float]]]
    asked: list[str] = field(default_factory=list)

    def blocks(self, words: Sequence[str], n: int) -> Iterator[Any]:
        self.asked += words
        for begin in range(0, len(words), 2):
            part = words[begin : begin + 2]
            rows = [self.table.get(word, [])[:n] for word in part]
            yield SimpleNamespace(
                firsts=[0] * (len(part) + 1),
                failures={item for item, row in enumerate(rows) if not row},
                hypotheses=lambda item, rows=rows: [
                    SimpleNamespace(output=text, posterior=posterior)
                    for text, posterior in rows[item]
                ],
            )


def test_models_share_the_probability() -> None:
    russian = Model({"иван": [("Ivan", 0.9), ("Iwan", 0.1)], "пётр": [("Pyotr", 1.0)]})
    serbian = Model({"иван": [("ivan", 0.5), ("jivan", 0.5)]})
    speller = NameSpeller({"Cyrl": [(Model({}), russian), (Model({}), serbian)]})
    ivan, petr, none = speller(["иван", "пётр", "оля"], "Cyrl", "Latn")
    assert [one.text for one in ivan] == ["ivan", "jivan", "iwan"]
    assert [one.probability for one in ivan] == pytest.approx([0.7, 0.25, 0.05])
    assert petr == (Spelling("Latn", "pyotr", 0.5),)
    assert [one.text for one in none] == ["olya"]  # letter by letter


def test_into_a_script() -> None:
    into = Model({"ivan": [("Иван", 0.8), ("Айвен", 0.2)]})
    speller = NameSpeller({"Cyrl": [(into, Model({}))]})
    assert [one.text for one in speller(["ivan", "bo"], "Latn", "Cyrl")[0]] == ["иван", "айвен"]
    assert speller(["ivan", "bo"], "Latn", "Cyrl")[1] == ()
    assert speller(["ivan"], "Latn", "Hebr") == [()] and speller(["иван"], "Cyrl", "Hebr") == [()]


def test_words_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    into = Model({"ivan": [("иван", 1.0)]})
    speller = NameSpeller({"Cyrl": [(into, Model({}))]})
    speller(["ivan", "ivan", "bo"], "Latn", "Cyrl")
    assert speller(["bo", "ivan"], "Latn", "Cyrl") == [(), (Spelling("Cyrl", "иван"),)]
    assert into.asked == ["ivan", "bo"]
    monkeypatch.setattr(spellings, "MOST_KEPT", 1)
    assert speller(["ivan"], "Latn", "Cyrl")[0][0].text == "иван"
    assert into.asked == ["ivan", "bo", "ivan"]


def test_models_that_are_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"rus.names", "rus.to_latin", "ukr.names", "heb.names", "heb.to_latin"}
    monkeypatch.setattr(
        "glyphone.catalog.names.model_of", lambda name: Path(name) if name in there else None
    )
    assert default_models() == {
        "Cyrl": [("rus.names", "rus.to_latin")],
        "Hebr": [("heb.names", "heb.to_latin")],
    }
    monkeypatch.setattr("glyphone.catalog.names.load", lambda name: Model({"a": [(name, 1.0)]}))
    speller = NameSpeller()
    assert speller(["a"], "Latn", "Hebr")[0][0].text == "heb.names"
    assert speller(["a"], "Hebr", "Latn")[0][0].text == "heb.to_latin"
