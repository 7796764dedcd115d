"""The bench page: what benchmarks print, and one that fails beside others."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import run


def test_a_benchmark_that_fails_takes_no_other_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.py").write_text("import sys\nprint('one', *sys.argv[1:])\n")
    (tmp_path / "two.py").write_text("print('two so far')\nraise SystemExit(3)\n")
    monkeypatch.setattr(run, "HERE", tmp_path)
    page = tmp_path / "build" / "page.md"
    assert run.write_page([["two.py"], ["one.py", "--fast"]], page) == 1
    text = page.read_text(encoding="utf-8")
    head, two, one = text.split("\n## ")
    assert "numpy" in head and "commit" in head
    assert "failed with exit code 3" in two and "two so far" in two
    assert one.startswith("`python benchmarks/one.py --fast`") and "\none --fast\n" in one
    captured = capsys.readouterr()
    assert captured.err == "failed: two.py\n" and captured.out.strip() == text.strip()
    assert run.write_page([["one.py"]], page) == 0
