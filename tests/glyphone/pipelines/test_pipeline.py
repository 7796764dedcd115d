"""Pipelines as Python objects: order, failures, documents, and what stages may not do."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from glyphone.data.errors import GlyphoneError, ItemError, NotInstalled
from glyphone.data.fields import WrongSetting
from glyphone.fst.transducers.model import TransducerModel
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.registry import Item, split_documents
from glyphone.pipelines.stages.deciding import DecodeF, Keep
from glyphone.pipelines.stages.transducing import Transduce
from tests.glyphone.pipelines.support import Refusing, candidates


@dataclass(frozen=True)
class Counting:
    """Tells how many items came together."""

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        return [replace(item, fields={"size": len(items)}) for item in items]


@pytest.mark.parametrize("jobs", [1, 3])
def test_order_and_failures_over_many_blocks(plain: TransducerModel, jobs: int) -> None:
    words = ["cha", "zz", "ña", ""] * 900
    found = list(Pipeline((Transduce(model=plain),)).apply(words, jobs=jobs))
    assert [item.text for item in found] == words
    assert [item.line for item in found] == [*range(1, 3601)]
    values = [item.candidates[0].value if not item.error else None for item in found]
    assert values == ["tʃ a", None, "ɲ a", ""] * 900


def test_apply_is_lazy(plain: TransducerModel) -> None:
    def words() -> object:
        yield from ["cha"] * 10_000
        raise AssertionError("all were read")

    found = Pipeline((Transduce(model=plain),)).apply(words(), jobs=1)  # type: ignore[arg-type]
    assert next(found).candidates[0].value == "tʃ a"


@pytest.mark.parametrize("error", [ItemError, ValueError, KeyError])
def test_only_what_fails_fails(error: type[Exception]) -> None:
    chooser = random.Random(0)
    for _ in range(30):
        bad = {str(chooser.randrange(50)) for _ in range(chooser.randrange(5))}
        pipeline = Pipeline((Refusing(tuple(bad), error), Refusing(())))
        found = list(pipeline.apply(map(str, range(50))))
        assert {item.text for item in found if item.error} == bad
        # Later stages see the others only.
        assert all(len(item.candidates) == 0 if item.error else 2 for item in found)
        assert [item.text for item in found] == [*map(str, range(50))]


def test_an_error_says_what_and_where() -> None:
    (item,) = Pipeline((Refusing(("a",), ValueError),)).apply(["a"])
    assert str(item.error) == "Refusing: ValueError: cannot be done"
    with pytest.raises(ItemError, match="Refusing: cannot be done"):
        Pipeline((Refusing(("a",)),))("a")


def test_what_is_wrong_with_all_ends_the_run() -> None:
    with pytest.raises(NotInstalled):
        Pipeline((Refusing(("a",), NotInstalled),))("a")


@pytest.mark.parametrize("lost", ["first", "all", "swapped"])
def test_a_stage_that_loses_items_is_refused(lost: str) -> None:
    @dataclass(frozen=True)
    class Losing:
        def __call__(self, items: Sequence[Item]) -> list[Item]:
            given = list(items)
            return {"first": given[1:], "all": [], "swapped": given[::-1]}[lost]

    with pytest.raises(GlyphoneError, match=r"Losing: was given 2 items and gave back [012]"):
        list(Pipeline((Losing(),)).apply(["a", "b"]))


def test_a_document_fails_as_a_whole_and_no_other() -> None:
    items = [
        Item(text, document=document, line=line)
        for line, (text, document) in enumerate([("a", "1"), ("x", "1"), ("b", "2"), ("c", "")])
    ]
    found, counts = Pipeline((Refusing(("x",)),)).run_stages(items)
    assert [bool(item.error) for item in found] == [True, True, False, False]
    assert (counts[0].items, counts[0].failed, counts[0].after) == (4, 2, 2)


def test_documents() -> None:
    names = ["", "", "a", "a", "b", "", "a"]
    parts = split_documents([Item(str(k), document=name) for k, name in enumerate(names)])
    assert [[item.text for item in part] for part in parts] == [
        ["0"], ["1"], ["2", "3"], ["4"], ["5"], ["6"],
    ]  # fmt: skip
    assert list(split_documents([])) == []


def test_stages_of_no_items_and_of_no_stages() -> None:
    assert list(Pipeline((DecodeF(),)).apply([])) == []
    assert Pipeline(())("a") == Item("a")


def test_settings_of_python_are_checked_too() -> None:
    with pytest.raises(WrongSetting, match=r"alpha is 1.5 \(it must be a number above 0 and at"):
        Pipeline((DecodeF(alpha=1.5),))
    with pytest.raises(GlyphoneError, match="function is no stage"):
        Pipeline((lambda items: items,))


def test_counts_of_stages() -> None:
    items = [Item("a", candidates(0.9, 0.1), line=1), Item("b", line=2)]
    _, (counts, again) = Pipeline((Keep(least=0.5), Keep(least=0.5))).run_stages(items)
    assert (counts.items, counts.before, counts.after, counts.rejected) == (2, 2, 1, 1)
    assert (again.before, again.after, again.rejected) == (1, 1, 0)
    total = counts + again
    assert (total.items, total.before) == (4, 3)
    assert total.seconds == counts.seconds + again.seconds > 0
