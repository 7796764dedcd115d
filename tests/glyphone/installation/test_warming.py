"""Kernels compiled ahead of the work: all of them, and none twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from glyphone.data.kernels import cache_folder, jit
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammar_tools import archives
from glyphone.installation import warming
from tests.glyphone.support import glyphone


@pytest.fixture
def other_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache_folder, "kernel_folder", lambda: tmp_path)
    monkeypatch.setattr(jit, "_worked", 0)
    return tmp_path


def test_every_example_runs_with_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "_worked", 0)
    warming.warm_kernels()
    assert jit._worked > jit.PLAIN_BUDGET
    again = warming.warm_kernels({name: warming.EXAMPLES[name] for name in ("rules", "crf")})
    assert again.compiled == 0


@pytest.mark.parametrize("name", ["rules", "cascade"])
def test_every_way_to_answer_by_a_grammar_is_warmed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grammar = {"rules": warming.RULES, "cascade": warming.CASCADE}[name]
    if archives.archive_of(grammar.partition(":")[0]) is None:
        pytest.skip(f"{grammar} is not compiled: make grammars")
    ways: set[object] = set()
    decode, walk = TransducerModel.decode, TransducerModel.decode_by_lookahead

    def note_lattices(*arguments: Any, spans: bool = False) -> Any:
        ways.add(spans)
        return decode(*arguments, spans=spans)

    def note_walk(*arguments: Any) -> Any:
        ways.add("one path")
        return walk(*arguments)

    monkeypatch.setattr(TransducerModel, "decode", note_lattices)
    monkeypatch.setattr(TransducerModel, "decode_by_lookahead", note_walk)
    jit.end_plain_tier()
    warming.EXAMPLES[name](tmp_path)
    assert ways == {"rules": {True, "one path"}, "cascade": {True, False}}[name]


def test_the_cache_is_described(other_cache: Path) -> None:
    assert cache_folder.describe_cache() == f"{other_cache}: 0 kernels, 0.0 MiB"
    (other_cache / f"one{cache_folder.SUFFIX}").write_bytes(bytes(3 * cache_folder.MIB))
    assert cache_folder.describe_cache() == f"{other_cache}: 1 kernels, 3.0 MiB"


def test_without_a_place_to_write_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_folder, "kernel_folder", lambda: None)
    assert "set GLYPHONE_CACHE" in cache_folder.describe_cache()


def test_new_kernels_are_counted(other_cache: Path) -> None:
    def example(folder: Path) -> None:
        assert folder.is_dir()
        (other_cache / f"new{cache_folder.SUFFIX}").touch()

    found = warming.warm_kernels({"example": example})
    assert str(found).startswith("1 kernels compiled in 0.0 s\n")


def test_the_verb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "EXAMPLES", {})
    ran = glyphone("doctor", "--warm")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("0 kernels compiled in ")


def test_what_examples_tell_on_stderr_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    crf = {"crf": warming.EXAMPLES["crf"]}
    monkeypatch.setattr(warming, "EXAMPLES", crf)
    ran = glyphone("doctor", "--warm")
    assert (ran.code, ran.err) == (0, "")
