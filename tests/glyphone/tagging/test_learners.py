"""`glyphone train --kind tagger` with each learner; two compared; training drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.cli import main
from tests.glyphone.tagging.test_columns import PATTERNS, TRAIN

LEARNERS = ("crf", "latent", "semi-markov", "markov")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.conll").write_text(TRAIN * 4, encoding="utf-8")
    (tmp_path / "dev.conll").write_text(TRAIN * 4, encoding="utf-8")
    (tmp_path / "patterns").write_text(PATTERNS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def learn(name: str, *more: str) -> int:
    options = ["--kind", "tagger", "--learner", name, "--jobs", "1"]
    return main(["train", "train.conll", *options, "-o", f"{name}.glyphone", *more])


@pytest.mark.parametrize("name", LEARNERS)
def test_each_learner_trains_and_tags(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn(name, "--dev", "dev.conll") == 0
    page = capsys.readouterr().out
    assert ["tokens", "28", "100.00", "%"] in [line.split()[:4] for line in page.splitlines()]
    assert ("state" in page) == (name == "latent")
    (folder / "in.conll").write_text("Ana PROPN\nve VERB\nla DET\n", encoding="utf-8")
    assert main(["tag", f"{name}.glyphone", "in.conll"]) == 0
    assert capsys.readouterr().out == "Ana\tPROPN\tB-NP\nve\tVERB\tO\nla\tDET\tB-NP\n\n"


@pytest.mark.parametrize("name", LEARNERS)
def test_classes_of_words_are_looked_at(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two words that were not learnt from, each is of a class with words that were."""
    (folder / "classes").write_text("00\tcasa\t9\n00\tluna\t1\n1\tve\t9\n1\toye\t1\n")
    train = "casa B-NP\nve O\n\nve O\ncasa B-NP\n\n"
    (folder / "train.conll").write_text(train * 5, encoding="utf-8")
    # Of so little text a filter would leave out all that segments could be told from.
    more = ["--filter", "0"] if name == "semi-markov" else []
    assert learn(name, "--clusters", "classes", *more) == 0
    (folder / "in.conll").write_text("luna\noye\n\noye\nluna\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["tag", f"{name}.glyphone", "in.conll"]) == 0
    assert capsys.readouterr().out == "luna\tB-NP\noye\tO\n\noye\tO\nluna\tB-NP\n\n"


def test_options_of_latent_states(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--states", "2", "--order", "2", "--starts", "1", "--decoder", "marginals"]
    assert learn("latent", "--patterns", "patterns", *options, "--iterations", "5") == 0
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert [row for row in rows if row and row[0] == "B-NP"] in (
        [["B-NP", "1"], ["B-NP", "2"]],
        [["B-NP", "2"], ["B-NP", "1"]],
    )


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("markov", ["--states", "2"], "a markov tagger has no option states (leave it out; it is"),
        ("latent", ["--polish", "2"], "a latent tagger has no option polish"),
        ("latent", ["--resume", "x.glyphone"], "a latent tagger has no option resume"),
        ("markov", ["--patterns", "patterns"], "a markov tagger has no option patterns"),
        ("neural", [], "no learner of labels named 'neural' (there are: crf, latent, markov"),
        ("latent", ["--order", "3"], "order is 3"),
    ],
)
def test_what_cannot_be(
    folder: Path, name: str, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn(name, *more) == 2
    assert message in capsys.readouterr().err
    assert not (folder / f"{name}.glyphone").exists()


def test_two_taggers_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert learn("crf") == learn("markov") == 0
    (folder / "gold.conll").write_text("Ana X B-NP\nve X B-NP\n\nla X B-NP\n\n", encoding="utf-8")
    capsys.readouterr()
    asked = ["evaluate", "crf.glyphone", "gold.conll", "--against", "markov.glyphone"]
    assert main([*asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    right = found["shares"]["tokens"]["right"]
    against = found["against"]
    assert against["other"] == "markov.glyphone" and 0 < against["p_value"] <= 1
    assert main(["evaluate", "markov.glyphone", "gold.conll", "--json"]) == 0
    theirs = json.loads(capsys.readouterr().out)["shares"]["tokens"]["right"]
    assert against["this_only"] - against["other_only"] == right - theirs
    assert main(asked) == 0
    assert "only this right" in capsys.readouterr().out
    assert main([*asked[:-1], "gold.conll"]) == 2
    assert "gold.conll" in capsys.readouterr().err


def test_training_is_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert learn("latent", "--iterations", "9", "--dev", "dev.conll") == 0
    assert main(["draw", "latent.glyphone", "-o", "curve.svg"]) == 0
    picture = (folder / "curve.svg").read_text(encoding="utf-8")
    assert picture.count("<polyline") == 2 and "wrong labels, dev" in picture
    assert learn("markov") == 0
    capsys.readouterr()
    assert main(["draw", "markov.glyphone", "-o", "x.svg"]) == 2
    assert "no iterations of training" in capsys.readouterr().err


def test_running_text_is_tagged(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = "Ana B-PER\nPaz I-PER\nve O\nLima B-LOC\n. O\n\nEva B-PER\nve O\n. O\n\n"
    (folder / "train.conll").write_text(train * 5, encoding="utf-8")
    given = ["train", "train.conll", "--kind", "entities", "-o", "ner.glyphone"]
    assert main(given) == 0
    text = "Eva ve Lima. Ana Paz ve.\n\nEva  ve \udcff.\n".encode("utf-8", "surrogateescape")
    (folder / "news.txt").write_bytes(text)
    capsys.readouterr()
    asked = ["tag", "ner.glyphone", "news.txt", "--language", "spa"]
    assert main(asked) == 1
    out, err = capsys.readouterr()
    labels = [line.split("\t") for line in out.splitlines()]
    assert labels[:5] == [["Eva", "B-PER"], ["ve", "O"], ["Lima", "B-LOC"], [".", "O"], [""]]
    assert labels[5:7] == [["Ana", "B-PER"], ["Paz", "I-PER"]] and "not UTF-8" in err
    assert main([*asked, "--format", "jsonl"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["line"] for row in rows] == [1, 1]
    assert rows[1]["tokens"][0] == "Ana" and rows[1]["spans"][0] == [13, 16]
    assert main([*asked[:-1], "Spanish"]) == 2
    assert "ISO 639-3" in capsys.readouterr().err
    assert main([*asked, "--format", "parquet", "-o", "x.parquet"]) == 2
    assert "not for Parquet" in capsys.readouterr().err
