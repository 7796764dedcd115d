"""A model of names is scored and drawn as every other model is."""

from __future__ import annotations

import math

import pytest

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.fst.around import Around
from glyphone.graphs import graph_of_item
from glyphone.kanji.mixtures import KanjiOptions
from glyphone.scoring import Judged, scored

from .names import japanese, pair


def test_pairs_are_scored_in_both_directions() -> None:
    pairs = [pair("Yamada Tarō", "山田 太郎"), pair("山田", "やまだ"), pair("yamada", "小川")]
    restored, read, impossible = scored(japanese(), pairs)
    assert isinstance(restored, Judged)
    assert (restored.rank, restored.best) == (1, "山田 太郎")
    assert isinstance(read, Judged)
    assert [*map("".join, (y for _, y in read.alignment.units))] == ["やま", "だ"]
    assert read.posterior == pytest.approx(japanese()("山田").posterior, rel=1e-4)
    assert isinstance(impossible, Judged)
    assert impossible.log_probability == -math.inf


def test_a_pair_that_is_none_fails_alone() -> None:
    found = list(scored(japanese(), [pair("Zhang", "張"), pair("Yamada", "山田")]))
    assert [isinstance(one, Judged) for one in found] == [False, True]


@pytest.mark.parametrize("around", [False, True])
def test_what_a_name_may_be_is_drawn(around: bool) -> None:
    model = japanese().exact()
    graph = graph_of_item(Around(model) if around else model, "Ōkawa", max_arcs=1000)
    texts = {label for edge in graph.edges for label in edge.label}
    assert any("大" in text for text in texts)
    with pytest.raises(ItemError, match="pinyin"):
        graph_of_item(model, "Zhang")


def test_a_name_without_kanji_for_it_is_told_so() -> None:
    answers = japanese().answer(["Gaga"])
    assert "no names that the model knows" in str(answers.failures[0])


@pytest.mark.parametrize("share", [-0.1, 2.0, math.nan])
def test_a_share_is_from_0_to_1(share: float) -> None:
    with pytest.raises(GlyphoneError, match="ask for one from 0 to 1"):
        KanjiOptions(channel_share=share)
