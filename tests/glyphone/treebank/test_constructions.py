"""Orders of constructions: counted by hand, and errors by the formula."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Tree
from glyphone.data.treebanks.dependencies import Sentence, Word
from glyphone.treebank.constructions import (
    order_differences,
    order_error,
    orders_of,
    share_distance,
)
from glyphone.treebank.reading import form_of


def sentence(*rows: tuple[str, str, int, str]) -> Sentence:
    return Sentence(
        tuple(Word(form, upos=tag, head=head, deprel=name) for form, tag, head, name in rows)
    )


GIVEN = sentence(
    ("the", "DET", 3, "det"), ("old", "ADJ", 3, "amod"), ("man", "NOUN", 4, "nsubj:pass"),
    ("seen", "VERB", 0, "root"), ("there", "ADV", 4, "advmod"), (".", "PUNCT", 4, "punct"),
)  # fmt: skip


def test_sides_are_counted_without_roots_and_punctuation() -> None:
    assert orders_of([GIVEN, GIVEN]) == {
        "advmod": Counter(right=2),
        "amod": Counter(left=2),
        "det": Counter(left=2),
        "nsubj(VERB)": Counter(left=2),
    }


def test_constituents_are_counted() -> None:
    one = Tree("S", (Tree("V", (Tree("a"),)), Tree("NP", (Tree("D", (Tree("b"),)), Tree("c")))))
    other = Tree("S", (one.children[1], one.children[0]))
    assert orders_of([one, other, one]) == {
        "NP: D c": Counter({"D c": 3}),
        "S: NP V": Counter({"V NP": 2, "NP V": 1}),
    }


def test_the_error_is_weighted_by_the_first() -> None:
    found = {"a": Counter(left=30, right=10), "b": Counter(left=20), "c": Counter(left=5)}
    target = {"a": Counter(left=50, right=50), "b": Counter(right=400), "d": Counter(left=50)}
    assert order_error(found, target) == pytest.approx((40 * 0.25 + 20 * 1.0) / 60)
    assert order_error(found, target, least=30) == pytest.approx(0.25)
    assert math.isnan(order_error(found, target, least=300))
    assert math.isnan(order_error({}, target))


def test_the_distance_of_several_orders() -> None:
    assert share_distance(Counter(x=1, y=1), Counter(x=2, z=2)) == 0.5
    assert share_distance(Counter(x=1, y=1), Counter(z=1)) == 1.0
    assert share_distance(Counter(x=3, y=1), Counter(x=6, y=2)) == 0.0


def test_differences_are_of_right_sides_and_of_all_orders() -> None:
    found = {"a": Counter(left=20), "S: x y": Counter({"x y": 30, "y x": 10})}
    target = {"a": Counter(left=15, right=5), "S: x y": Counter({"y x": 20})}
    rows = order_differences(found, target)
    assert [(row.construction, row.order) for row in rows] == [
        ("S: x y", "x y"), ("S: x y", "y x"), ("a", "right"),
    ]  # fmt: skip
    assert [(row.share, row.other_share) for row in rows] == [(0.75, 0.0), (0.25, 1.0), (0.0, 0.25)]
    assert (rows[2].total, rows[2].other_total) == (20, 20)
    assert order_differences(found, target, least=21) == []


def test_forms_of_files() -> None:
    assert form_of("x.trees.gz") == form_of("x.ptb") == form_of("-", "brackets") == "brackets"
    assert form_of("x.mrg", "conllu") == "conllu"
    with pytest.raises(GlyphoneError, match="its name has no ending of a treebank"):
        form_of("-")
