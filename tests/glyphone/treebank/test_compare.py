"""Comparison of treebanks from files: pages, TSV and JSON, and refused sentences."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from glyphone.cli.treebank import compare as treebank_compare
from glyphone.data.errors import GlyphoneError
from glyphone.data.treebanks.conllu import write_conllu
from glyphone.data.treebanks.dependencies import Sentence
from glyphone.data.treebanks.reordering import reorder
from glyphone.treebank.compare import CompareJob, compare_files
from tests.glyphone.treebank.test_constructions import sentence

NOUN = sentence(("old", "ADJ", 2, "amod"), ("man", "NOUN", 0, "root"))


def treebank(folder: Path, name: str, orders: str) -> str:
    """Noun phrases, one for each letter: l with the adjective on the left, r on the right."""
    phrases = [
        Sentence((NOUN if order == "l" else reorder(NOUN, [1, 0])).words, (f"# sent_id = {place}",))
        for place, order in enumerate(orders)
    ]
    path = str(folder / f"{name}.conllu")
    write_conllu(phrases, path)
    return path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    parser = argparse.ArgumentParser()
    treebank_compare.add_arguments(parser)
    code = treebank_compare.run(parser.parse_args(words))
    return code, *capsys.readouterr()


def test_json_has_all_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imputed = treebank(tmp_path, "imputed", "lrrr" * 5)
    gold = treebank(tmp_path, "gold", "rrrr" * 5)
    source = treebank(tmp_path, "source", "llll" * 5)
    code, out, err = run(capsys, imputed, gold, "--source", source, "--format", "json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["figures"]["order_error"] == [0.25, 1.0]
    assert found["figures"]["tau"] == [0.5, -1.0]
    assert found["figures"]["heads"] == [1.0, 1.0]
    assert found["figures"]["arcs_with_sides"] == [0.75, 0.0]
    assert found["counts"] == {"sentences": [20] * 3, "in_both": [20] * 2, "same_words": [20] * 2}
    (row,) = found["rows"]
    assert (row["construction"], row["share"], row["other_share"]) == ("amod", 0.75, 1.0)
    assert found["source_shares"] == [0.0]


def test_tsv_has_figures_and_constructions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imputed = treebank(tmp_path, "imputed", "lrrr" * 5)
    gold = treebank(tmp_path, "gold", "rrrr" * 5)
    _, out, _ = run(capsys, imputed, gold, "--format", "tsv")
    header, *rows = [line.split("\t") for line in out.splitlines()]
    assert all(len(row) == len(header) for row in rows)
    assert rows[0] == ["order_error", "", "", "0.250", "", "", "", ""]
    assert rows[-1] == ["order", "amod", "right", "0.750", "1.000", "", "20", "20"]


def test_a_page_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imputed = treebank(tmp_path, "imputed", "lrrr" * 5)
    gold = treebank(tmp_path, "gold", "rrrr" * 4)
    _, out, _ = run(capsys, imputed, gold, "--source", imputed, "--least", "10")
    assert f"second: {gold}, 16 sentences" in out
    assert "16 sentences of the first are in the second, 16 with the same words" in out
    assert line_of(out, "mean error") == ["mean", "error", "of", "shares", "0.250", "0.250"]
    assert out.splitlines()[-1].split() == ["amod", "right", "0.750", "1.000", "0.750", "20", "16"]
    _, out, _ = run(capsys, imputed, gold, "--least", "21")
    assert "amod" not in out
    assert line_of(out, "mean error") == ["mean", "error", "of", "shares"]


def line_of(page: str, start: str) -> list[str]:
    (line,) = (line for line in page.splitlines() if line.startswith(start))
    return line.split()


def test_nothing_to_tell_is_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = treebank(tmp_path, "one", "l")
    _, out, _ = run(capsys, one, one, "--format", "json")
    assert json.loads(out)["figures"]["order_error"] == [None]


def test_constituents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mrg").write_text("(NP (A old) (N man))\n" * 20)
    (tmp_path / "b.txt").write_text("(NP (N man) (A old))\n(NP (A old) (N man))\n" * 10)
    code, out, _ = run(
        capsys, str(tmp_path / "a.mrg"), str(tmp_path / "b.txt"), "--read", "brackets",
        "--format", "json",
    )  # fmt: skip
    found = json.loads(out)
    assert code == 0
    assert found["figures"] == {"order_error": [0.5], "tau": [0.0], "constituents": [1.0]}
    assert [(row["construction"], row["order"]) for row in found["rows"]] == [
        ("NP: A N", "A N"), ("NP: A N", "N A"),
    ]  # fmt: skip


def test_refused_sentences_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = treebank(tmp_path, "good", "lr" * 10)
    text = Path(good).read_text().replace("\t2\tamod", "\t1\tamod", 1)
    (tmp_path / "bad.conllu").write_text(text)
    code, _, err = run(capsys, str(tmp_path / "bad.conllu"), good, "--format", "tsv")
    assert code == 1
    assert "bad.conllu: line 2: item '0': token 1 'old': its heads run in a circle: 1 > 1" in err
    assert "1 sentences left out" in err


def test_unlike_treebanks_are_refused(tmp_path: Path) -> None:
    path = treebank(tmp_path, "x", "l")
    with pytest.raises(GlyphoneError, match="dependencies cannot be compared with constituents"):
        compare_files(CompareJob(path=path, target="x.mrg"))
    with pytest.raises(GlyphoneError, match="treebanks must be different files"):
        compare_files(CompareJob(path="-", target="-", form="conllu"))
    with pytest.raises(GlyphoneError, match="No such file"):
        compare_files(CompareJob(path=path, target="nowhere.conllu"))
