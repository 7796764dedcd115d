"""Transfer of constituents from the command line: files, messages and errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.cli import main
from glyphone.treebank.sampling import checkpoint
from glyphone.treebank.sampling.bigrams import Bigrams

RULES = """kind = "constituents"
[[orders]]
labels = ["S"]
orders = ["a n", "n a"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.trees").write_text("(S (a old) (n dogs))\n" * 6)
    (tmp_path / "a.txt").write_text("n a\n" * 9)
    (tmp_path / "x.toml").write_text(RULES)
    return tmp_path


def run(folder: Path, *more: str, verb: str = "transfer") -> int:
    return main([
        "treebank", verb, str(folder / "a.trees"), "--text", str(folder / "a.txt"),
        "--model", str(folder / "x.toml"), "-o", str(folder / "b.trees"), "--seed", "1", *more,
    ])  # fmt: skip


def rows_of(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text().splitlines()]


def test_trees_are_imputed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.trees").write_text(
        "(S (a old) (n dogs))\n(S (a))\n(Y (a old) (n dogs))\n(S (n dogs))\n"
    )
    assert run(folder, "--iterations", "100") == 1
    out, err = capsys.readouterr()
    assert "2 trees" in out
    assert "tree 3" in err and "does not know the label 'Y'" in err
    assert "2 trees left out" in err
    assert (folder / "b.trees").read_text() == "(S (n dogs) (a old))\n(S (n dogs))\n"
    rows = rows_of(folder / "b.trees.parameters.tsv")
    assert rows[0] == ["multinomial", "outcome", "mean", "low", "high", "rhat", "effective"]
    assert [row[:2] for row in rows[1:3]] == [["S: a n", "a n"], ["S: a n", "n a"]]
    assert len(rows) == 5
    rows = rows_of(folder / "b.trees.frequencies.tsv")
    assert [row[:2] for row in rows] == [["tree", "source"], ["1", "1"], ["2", "4"]]
    assert 0.5 < float(rows[1][2]) <= 1 == float(rows[2][2])


@pytest.mark.parametrize("verb", ["sample", "best"])
def test_several_trees_for_each(folder: Path, verb: str) -> None:
    assert run(folder, "-n", "2", verb=verb) == 0
    rows = rows_of(folder / "b.trees.frequencies.tsv")[1:]
    assert [row[1] for row in rows] == [str(n) for n in range(1, 7) for _ in range(2)]
    trees = (folder / "b.trees").read_text().splitlines()
    assert len(trees) == 12
    if verb == "best":
        assert trees[:2] == ["(S (n dogs) (a old))", "(S (a old) (n dogs))"]
        assert float(rows[0][2]) + float(rows[1][2]) == pytest.approx(1, abs=0.002)


def test_a_file_without_trees(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, message in (
        ("", "there is no tree in it"),
        ("(S (a\n", "tree 1 begins here and does not end"),
    ):
        (folder / "a.trees").write_text(text)
        assert run(folder) == 2
        assert message in capsys.readouterr().err
    assert not [*folder.glob("b.trees*")]


def test_words_of_a_dictionary(folder: Path) -> None:
    (folder / "words.tsv").write_text("old\talt\ndogs\thunde\n")
    (folder / "a.txt").write_text("hunde alt\nkatzen alt\n" * 9)
    (folder / "x.toml").write_text(f'reads = "words"\ndictionary = "words.tsv"\n{RULES}')
    assert run(folder) == 0
    assert (folder / "b.trees").read_text().splitlines()[0] == "(S (n hunde) (a alt))"


def test_the_language_model_may_be_refined_or_longer(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.trees").write_text("(X (S (a old) (n dogs)) (S (a wet) (n nights)))\n" * 6)
    (folder / "a.txt").write_text("n a a n\nn a n a\na n n\n" * 9)
    drawn = []
    draw = Bigrams.draw_model

    def counted(self: Bigrams, random: object, yields: list[list[int]]) -> object:
        drawn.append(len(yields))
        return draw(self, random, yields)  # type: ignore[arg-type]

    monkeypatch.setattr(Bigrams, "draw_model", counted)
    found = []
    for line in ("", "order = 3\n", "refined = true\n"):
        (folder / "x.toml").write_text(f'keep = ["X"]\n{line}{RULES}')
        assert run(folder, "--jobs", "1", "--iterations", "6") == 0
        found.append((folder / "b.trees.parameters.tsv").read_text())
    assert len(set(found)) == 3
    assert drawn == [6] * 10


def test_stopped_and_resumed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)
    (folder / "x.toml").write_text("refined = true\n" + RULES)
    assert run(folder, "--iterations", "8") == 0
    whole = {path.name: path.read_bytes() for path in folder.glob("b.trees*")}
    assert len(whole) == 3
    draw, left = Bigrams.draw_model, [11]

    def interrupted(self: Bigrams, random: object, yields: list[list[int]]) -> object:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return draw(self, random, yields)  # type: ignore[arg-type]

    monkeypatch.setattr(Bigrams, "draw_model", interrupted)
    for path in folder.glob("b.trees*"):
        path.unlink()
    assert run(folder, "--iterations", "8") == 130
    assert [path.name for path in folder.glob("b.trees*") if "checkpoint" not in path.name] == []
    monkeypatch.setattr(Bigrams, "draw_model", draw)
    assert run(folder, "--iterations", "9", "--resume") == 2  # other options
    assert run(folder, "--iterations", "8", "--resume") == 0
    assert {path.name: path.read_bytes() for path in folder.glob("b.trees*")} == whole


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("order = 0", "order is 0"),
        ("refined = true\norder = 3", "only bigrams can be refined"),
        ("dictionary = 3", "name a file in quotes"),
        ('fixed = ["S"]', "no key of a transfer file for constituents named 'fixed'"),
    ],
)
def test_transfer_files_that_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    (folder / "x.toml").write_text(f"{line}\n{RULES}")
    assert run(folder) == 2
    assert message in capsys.readouterr().err
