"""A model of names is scored and drawn as every other model is."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from glyphone.cli import main
from glyphone.data.errors import GlyphoneError, ItemError, UnknownName
from glyphone.drawing.graphs import graph_of_item
from glyphone.evaluation.scoring import ScoredPair, score_pairs
from glyphone.fst.interface.wrapper import ModelWrapper
from glyphone.models.kanji.file import save
from glyphone.models.kanji.mixtures import KanjiOptions
from glyphone.models.kanji.training import fit_kanji
from tests.glyphone.models.kanji.names import japanese, pair


def test_pairs_are_scored_in_both_directions() -> None:
    pairs = [pair("Yamada Tarō", "山田 太郎"), pair("山田", "やまだ"), pair("yamada", "小川")]
    restored, read, impossible = score_pairs(japanese(), pairs)
    assert isinstance(restored, ScoredPair)
    assert (restored.rank, restored.best) == (1, "山田 太郎")
    assert isinstance(read, ScoredPair)
    assert [*map("".join, (y for _, y in read.alignment.units))] == ["やま", "だ"]
    assert read.posterior == pytest.approx(japanese()("山田").posterior, rel=1e-4)
    assert isinstance(impossible, ScoredPair)
    assert impossible.log_probability == -math.inf


def test_a_pair_that_is_none_fails_alone() -> None:
    found = list(score_pairs(japanese(), [pair("Zhang", "張"), pair("Yamada", "山田")]))
    assert [isinstance(one, ScoredPair) for one in found] == [False, True]


@pytest.mark.parametrize("around", [False, True])
def test_what_a_name_may_be_is_drawn(around: bool) -> None:
    model = japanese().exact()
    graph = graph_of_item(ModelWrapper(model) if around else model, "Ōkawa", max_arcs=1000)
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


def test_names_of_one_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    heard = [
        ("東", "あずま", "surname"),
        ("東山", "ひがしやま", "surname"),
        ("東", "とう", "given"),
    ]
    heard += [("山", "やま", "surname"), ("東子", "とうこ", "given"), ("山子", "さんこ", "given")]
    model = fit_kanji([pair(*one) for one in heard]).model
    found = {kind: model.of_kind(kind) for kind in ("surname", "given")}
    assert found["surname"]("東").output == "あずま"
    assert found["given"]("東").output == "とう"
    assert found["given"]("山").output == "さん"
    assert found["given"]("Tou").output == "東"
    outputs = [one.output for one in found["given"].nbest("東", n=9)]
    assert "あずま" not in outputs
    assert found["given"].fingerprint() != model.fingerprint()
    path, names = str(tmp_path / "x.glyphone"), tmp_path / "names.txt"
    save(model, path)
    names.write_text("東\n山\n", encoding="utf-8")
    assert main(["apply", path, str(names), "--names-are", "given"]) == 0
    assert [line.split("\t")[1] for line in capsys.readouterr().out.splitlines()] == [
        "とう",
        "さん",
    ]
    with pytest.raises(UnknownName, match="'place'"):
        model.of_kind("place")
    test = tmp_path / "test.tsv"
    test.write_text("東\tあずま\n", encoding="utf-8")
    for kind, error in ("surname", 0.0), ("given", 1.0):
        words = ["evaluate", path, str(test), "--names-are", kind, "--json"]
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out)["wer"] == error
    assert main(["apply", "jpn.romaji:ROMAJI_TO_KATAKANA", str(names), "--names-are", "given"]) == 2
    assert "know kinds of names" in capsys.readouterr().err
