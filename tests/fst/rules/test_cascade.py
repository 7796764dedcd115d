"""Cascades as data: declarations, lists, and the way through a manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from glyphone.data.errors import RuleError
from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import (
    Cascade,
    Respelling,
    Table,
    cascade,
    inventory,
    respelling,
    table,
)
from tests.fst.support import cascades

LISTS = (
    "a -> b ; first",
    Table(((("a", "b"), ("c",)), (("b",), ()))),
    Respelling(((("a",), ("b", "b")),)),
)


def returned(original: Cascade) -> Cascade:
    return Cascade.from_dict(json.loads(json.dumps(original.as_dict())))


def test_a_manifest_gives_an_equal_cascade() -> None:
    original = cascade(
        letters="a b",
        phones="b c",
        marks=[" "],
        rules=LISTS,
        source=Writing(case="lower"),
        ambiguous=True,
        partial=True,
    )
    for kept in (original, original.inverse()):
        assert returned(kept) == kept
        assert returned(kept).steps == kept.steps


@settings(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(cascades())
def test_random_cascades_return_from_their_manifests(original: Cascade) -> None:
    assert returned(original) == original


def test_lists_are_read_from_files_whose_place_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text("ab\tb\n", encoding="utf-8")
    read = cascade(letters="a b", phones="b", rules=(respelling(path), table(path)))
    assert list_paths(read) == [path, path]
    assert returned(read) == read
    assert list_paths(returned(read)) == [None, None]


def list_paths(made: Cascade) -> list[Path | None]:
    return [text.path for text in made.texts if not isinstance(text, str)]


def test_inversion_swaps_both_sides() -> None:
    original = cascade(letters="a", phones="b c", rules="")
    inverse = original.inverse()
    assert inverse.input_symbols == original.output_symbols
    assert inverse.input_writing == original.output_writing
    assert inverse.output_symbols == original.input_symbols
    assert inverse.output_writing == original.input_writing
    assert inverse.inverse() == original


def test_symbols_have_one_order_without_repetitions() -> None:
    made = cascade(letters="b a", phones="c a", marks="d", rules="")
    assert made.alphabet == ("b", "a", "c", "d")


def test_the_names_of_the_inventories_are_known() -> None:
    (rule,) = cascade(letters="a b", phones="c", rules="LETTER -> c / PHONE _ ANY*").rules()
    assert len(rule.pairs) == 1


def test_a_symbol_declared_twice_is_refused() -> None:
    with pytest.raises(RuleError, match=r"declared twice: a \(declare it once\)"):
        inventory("a b a")


@pytest.mark.parametrize("kind", [Table, Respelling])
def test_an_unknown_symbol_in_a_list_is_refused(kind: type[Table] | type[Respelling]) -> None:
    entry = kind(((("a",), ("ß",)),), Path("words.tsv"))
    with pytest.raises(RuleError) as caught:
        _ = cascade(letters="a", phones="a", rules=entry).steps
    for part in ("words.tsv", "item 'a'", "'ß' U+00DF", "declare it"):
        assert part in str(caught.value)


def test_an_optional_rule_does_not_go_with_probabilities() -> None:
    rules = "a -> b <0.5> | a <0.5>\nb -> a [optional]"
    with pytest.raises(RuleError, match=r"says nothing of its probability.*write: t -> ") as caught:
        _ = cascade(letters="a b", phones="a b", rules=rules).steps
    assert caught.value.line == 2
