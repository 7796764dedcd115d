"""The page of figures: what benchmarks print, and one that fails beside others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks import run

FACTS = ("2026-01-02", "2 cores, x86_64", "Python 3.11.9, numpy 2.0", "peers: none", "commit abc")


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two benchmarks, the second of which fails."""
    (tmp_path / "one.py").write_text("import sys\nprint('one', *sys.argv[1:])\n")
    (tmp_path / "two.py").write_text("print('two so far')\nraise SystemExit(3)\n")
    monkeypatch.setattr(run, "HERE", tmp_path)
    return tmp_path


def test_a_benchmark_that_fails_takes_no_other_along(
    scripts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = scripts / "build" / "page.md"
    assert run.write_page([["two.py"], ["one.py", "--fast"]], page, facts=FACTS) == 1
    text = page.read_text(encoding="utf-8")
    head, two, one = text.split("\n## ")
    assert head.endswith(f"\n\n{'; '.join(FACTS)}\n")
    assert "minutes; failed with exit code 3\n" in two and "two so far" in two
    assert one.startswith("`python benchmarks/one.py --fast`") and "\none --fast\n" in one
    captured = capsys.readouterr()
    assert captured.err == "failed: two.py\n"
    assert [line for line in text.splitlines() if line] == [
        line for line in captured.out.splitlines() if line
    ]
    assert run.write_page([["one.py"]], page, facts=FACTS) == 0


def test_benchmarks_run_beside_each_other_but_for_some(
    scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`left.py` and `right.py` wait for each other; `one.py` has ended before they begin."""
    monkeypatch.setattr(run, "ALONE", {"one.py"})
    (scripts / "one.py").write_text("open('one', 'w').close()\n")
    (scripts / "left.py").write_text("assert open('one')\nprint(open('pipe', 'w').write('left'))\n")
    (scripts / "right.py").write_text("assert open('one')\nprint('saw', open('pipe').read())\n")
    os.mkfifo(scripts / "pipe")  # whoever opens an end waits for the other
    monkeypatch.chdir(scripts)
    page = scripts / "page.md"
    assert run.write_page([["left.py"], ["right.py"], ["one.py"]], page, facts=FACTS, jobs=2) == 0
    found = run.Page.read(page.read_text(encoding="utf-8")).sections
    assert [section.script for section in found] == ["left.py", "right.py", "one.py"]
    assert "\n4\n" in found[0].text and "saw left" in found[1].text


def test_one_script_is_run_again(scripts: Path) -> None:
    page, every = scripts / "page.md", [["one.py", "a"], ["two.py"], ["one.py", "b"]]
    run.write_page(every, page, facts=FACTS)
    before = page.read_text(encoding="utf-8")
    (scripts / "two.py").write_text("print('two at last')\n")
    later = ("2026-02-03", *FACTS[1:-1], "commit def")
    assert run.write_page(every, page, facts=later, only=["two.py"]) == 0
    old, new = (run.Page.read(text) for text in (before, page.read_text(encoding="utf-8")))
    assert new.facts == old.facts == FACTS
    assert [section.script for section in new.sections] == ["one.py", "two.py", "one.py"]
    assert (new.sections[0], new.sections[2]) == (old.sections[0], old.sections[2])
    changed = new.sections[1].text
    assert "minutes; 2026-02-03; commit def\n" in changed and "two at last" in changed
    assert "2026" not in old.sections[1].text
    run.write_page(every, page, facts=FACTS, only=["two.py"])
    assert "2026" not in run.Page.read(page.read_text(encoding="utf-8")).sections[1].text


def test_a_section_that_was_not_there_is_put_in_its_place(scripts: Path) -> None:
    page = scripts / "page.md"
    run.write_page([["one.py", "b"]], page, facts=FACTS)
    every = [["two.py"], ["one.py", "b"]]
    run.write_page(every, page, facts=FACTS, only=["two.py"])
    sections = run.Page.read(page.read_text(encoding="utf-8")).sections
    assert [section.script for section in sections] == ["two.py", "one.py"]


def test_a_script_that_the_page_has_not(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run.main(["--only", "beam.py,gone.py"])
    assert "--only gone.py: the page has no such script" in capsys.readouterr().err


def test_facts_of_a_run() -> None:
    day, machine, versions, peers, commit = run.facts_of_this_run(None)
    assert day.startswith("20") and "cores" in machine and "numpy " in versions
    assert peers.startswith("peers: ") and commit.startswith("commit ")
