"""Imputed sentences: order, words, punctuation and comments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from glyphone.data.errors import ItemError
from glyphone.data.treebanks.conllu import format_lines
from glyphone.data.treebanks.dependencies import Sentence
from glyphone.treebank.transfer.imputed import make_sentence
from tests.glyphone.treebank.test_constructions import sentence

GIVEN = replace(
    sentence(
        ("lee", "VERB", 0, "root"), (",", "PUNCT", 1, "punct"), ("Ann", "PROPN", 1, "nsubj"),
        ("libros", "NOUN", 1, "obj"), (".", "PUNCT", 1, "punct"),
    ),
    comments=(
        "# newpar", "# sent_id = s1", "# text = lee, Ann libros.", "# transfer_frequency = 1",
    ),
)  # fmt: skip


def test_order_words_and_comments() -> None:
    found = make_sentence(
        GIVEN, [2, 0, 3], frequency=0.85, forms={0: "reads", 3: "books"}, sides={2: 0.931}
    )
    assert [word.form for word in found.words] == ["Ann", "reads", ",", "books", "."]
    assert [word.head for word in found.words] == [2, 0, 2, 2, 2]
    assert [word.misc for word in found.words] == ["Side=0.93", "_", "_", "_", "_"]
    assert found.comments == (
        "# newpar", "# sent_id = s1", "# text = Ann reads , books .", "# transfer_source = s1",
        "# transfer_frequency = 0.850",
    )  # fmt: skip
    assert format_lines(found)


def test_words_are_left_out_and_samples_have_names() -> None:
    found = make_sentence(GIVEN, [0, 3], frequency=1, name="s1-2")
    assert [word.form for word in found.words] == ["lee", ",", "libros", "."]
    assert found.comments == (
        "# sent_id = s1-2", "# newpar", "# text = lee , libros .", "# transfer_source = s1",
        "# transfer_frequency = 1.000",
    )  # fmt: skip
    assert found.id == "s1-2"


def test_an_imputed_sentence_is_imputed_again() -> None:
    once = make_sentence(GIVEN, [2, 0, 3], frequency=0.5, sides={2: 0.5, 3: 0.75})
    again = make_sentence(once, [1, 0, 3], frequency=0.25, sides={0: 0.25})
    assert [word.misc for word in again.words if word.form in ("Ann", "libros")] == [
        "Side=0.25", "Side=0.75",
    ]  # fmt: skip
    assert [line for line in again.comments if "frequency" in line] == [
        "# transfer_frequency = 0.250"
    ]
    bare = make_sentence(Sentence(GIVEN.words), [2, 0, 3], frequency=0.5)
    assert bare.comments == ("# transfer_frequency = 0.500",)


def test_no_order() -> None:
    with pytest.raises(ItemError, match="is no order"):
        make_sentence(GIVEN, [0, 0, 3], frequency=1)
