"""Transfer from the command line: files, messages and errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import glyphone.data
from glyphone.cli import main
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.treebanks.conllu import read_conllu
from glyphone.treebank.sampling.chains import SamplingOptions
from glyphone.treebank.transfer.files import TransferJob, read_text, transfer_files
from glyphone.treebank.transfer.settings import read_dependency_settings

SAMPLES = Path(glyphone.data.__path__[0]) / "samples"
SOURCE, TEXT = "standard-arabic.conllu", "levantine.txt"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (SOURCE, TEXT, "standard-to-levantine.tsv"):
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    (tmp_path / "x.toml").write_text(
        'kind = "dependencies"\ndictionary = "standard-to-levantine.tsv"\n'
    )
    return tmp_path


def run(folder: Path, *more: str, source: str = SOURCE, verb: str = "transfer") -> int:
    return main([
        "treebank", verb, str(folder / source), "--text", str(folder / TEXT),
        "--model", str(folder / "x.toml"), "-o", str(folder / "out.conllu"), *more,
    ])  # fmt: skip


def test_a_treebank_is_imputed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "--seed", "1", "--iterations", "20") == 0
    out, err = capsys.readouterr()
    assert "out.conllu: 16 sentences, 68 words without punctuation" in out
    assert "0 moved because arcs cross" in out
    assert err == ""
    found = list(read_conllu(folder / "out.conllu"))
    assert found[0].comment("text") == "الولد بده كتاب جديد."
    assert [word.head for word in found[0].words] == [2, 0, 2, 3, 2]
    assert found[0].comment("transfer_source") == "standard-1"
    assert 0 < float(found[0].comment("transfer_frequency")) <= 1
    rows = (folder / "out.conllu.parameters.tsv").read_text().splitlines()
    assert rows[0].split("\t") == [
        "class", "count", "source", "mean", "low", "high", "rhat", "effective",
    ]  # fmt: skip
    cells = dict(zip(rows[0].split("\t"), rows[1].split("\t"), strict=True))
    assert (cells["class"], cells["count"], cells["source"]) == ("nsubj(VERB)", "16", "1.0000")
    assert float(cells["low"]) <= float(cells["mean"]) <= float(cells["high"]) < 0.5
    assert 1 <= float(cells["effective"]) <= 20
    again = (folder / "out.conllu").read_bytes()
    assert run(folder, "--seed", "1", "--iterations", "20") == 0
    assert (folder / "out.conllu").read_bytes() == again


def test_chains_at_once_and_sweeps_left_out(folder: Path) -> None:
    found = {}
    for name, options in (
        ("one", ("--jobs", "1")), ("three", ("--jobs", "3")),
        ("thinned", ("--jobs", "3", "--thin", "2", "--burn-in", "4")),
    ):  # fmt: skip
        assert run(folder, "--chains", "3", "--iterations", "10", "--seed", "3", *options) == 0
        paths = ("out.conllu", "out.conllu.parameters.tsv")
        found[name] = [(folder / path).read_text() for path in paths]
    assert found["one"] == found["three"] != found["thinned"]
    draws = [
        float(row.split("\t")[-1]) for row in found["thinned"][1].splitlines()[1:]
    ]  # fmt: skip
    assert max(draws) == 9.0  # three sweeps of three chains
    assert run(folder, "--thin", "30") == 2


def test_stopped_and_resumed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by Ctrl-C in the middle, with a forest beyond the budget among the others."""
    from glyphone.treebank.sampling import chains as sampling_chains
    from glyphone.treebank.sampling import checkpoint

    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)
    options = SamplingOptions(iterations=12, budget=100)
    job = TransferJob(
        source=str(folder / SOURCE), text=str(folder / TEXT), model=str(folder / "x.toml"),
        output=str(folder / "out.conllu"), options=options, jobs=2,
    )  # fmt: skip
    refused = transfer_files(job)
    assert 0 < refused < 16
    whole = (folder / "out.conllu").read_bytes()
    (folder / "out.conllu").unlink()
    swept, left = sampling_chains.draw_trees, [15]

    def interrupted(*arguments: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return swept(*arguments)

    monkeypatch.setattr(sampling_chains, "draw_trees", interrupted)
    with pytest.raises(KeyboardInterrupt):
        transfer_files(job)
    monkeypatch.setattr(sampling_chains, "draw_trees", swept)
    assert not (folder / "out.conllu").exists()
    assert len([*folder.glob("out.conllu.checkpoint.*")]) == 2
    assert transfer_files(replace(job, resume=True, jobs=1)) == refused
    assert (folder / "out.conllu").read_bytes() == whole
    assert [*folder.glob("*checkpoint*")] == []


def test_tags_are_read_from_a_treebank(folder: Path) -> None:
    (folder / TEXT).write_text("NOUN VERB NOUN ADJ\nNOUN VERB ADP NOUN PUNCT\n" * 20)
    (folder / "x.toml").write_text('kind = "dependencies"\nreads = "tags"\nstrength = 1\n')
    assert run(folder) == 0
    first = next(read_conllu(folder / "out.conllu"))
    assert [word.form for word in first.words] == ["الولد", "يريد", "كتابا", "جديدا", "."]
    levantine = str(SAMPLES / "levantine.conllu")
    assert read_text(levantine, "tags")[1][0] == ["NOUN", "VERB", "NOUN", "ADJ"]
    assert read_text(levantine, "words")[1][0] == ["الولد", "بده", "سيارة", "جديدة"]


def test_trees_are_sampled(folder: Path) -> None:
    assert run(folder, "-n", "3", verb="sample") == 0
    found = list(read_conllu(folder / "out.conllu"))
    assert [sentence.id for sentence in found[:4]] == [
        "standard-1-1", "standard-1-2", "standard-1-3", "standard-2-1",
    ]  # fmt: skip
    assert len(found) == 48
    assert {sentence.comment("transfer_source") for sentence in found[:3]} == {"standard-1"}
    again = (folder / "out.conllu").read_bytes()
    assert run(folder, "-n", "3", verb="sample") == 0
    assert (folder / "out.conllu").read_bytes() == again


def test_the_best_trees_have_their_probabilities(folder: Path) -> None:
    assert run(folder, "-n", "4", verb="best") == 0
    found = [one for one in read_conllu(folder / "out.conllu") if one.id.startswith("standard-4-")]
    texts = [one.comment("text") for one in found]
    assert len(set(texts)) == 4
    shares = [float(one.comment("transfer_frequency")) for one in found]
    assert shares == sorted(shares, reverse=True)
    assert 0.5 < sum(shares) <= 1.001


def test_the_language_model_may_be_refined(folder: Path) -> None:
    assert run(folder) == 0
    plain = (folder / "out.conllu").read_text()
    with (folder / "x.toml").open("a") as file:
        file.write("refined = true\n")
    assert run(folder) == 0
    refined = (folder / "out.conllu").read_text()
    assert refined != plain
    assert refined.count("# transfer_source") == 16


def test_refused_sentences_are_reported_and_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (folder / SOURCE).read_text().replace("\t1\tnsubj", "\t2\tnsubj", 1)
    dots = "# sent_id = dots\n1\t.\t_\tPUNCT\t_\t_\t0\troot\t_\t_\n\n"
    (folder / SOURCE).write_text(dots + text)
    assert run(folder, "--iterations", "2") == 1
    err = capsys.readouterr().err
    assert "item 'standard-1': token 2 'الولد': its heads run in a circle: 2 > 2" in err
    assert "item 'dots': a sentence of punctuation alone" in err
    assert "2 sentences left out" in err
    assert len(list(read_conllu(folder / "out.conllu"))) == 15
    (folder / "dots.conllu").write_text(dots)
    assert run(folder, source="dots.conllu") == 2
    assert "a sentence of punctuation alone" in capsys.readouterr().err


def test_chains_that_differ_are_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (folder / SOURCE).read_text()
    (folder / SOURCE).write_text(text * 2)
    (folder / "x.toml").write_text('kind = "dependencies"\ngiven = "target"\nstrength = 1\n')
    assert run(folder, "--iterations", "4", "--chains", "3") == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[3].split()[-2:] == ["R-hat", "draws"]
    assert "take more --iterations" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no kind of transfer named 'None'"),
        ('kind = "phrases"', "no kind of transfer named 'phrases'"),
        ('kind = "constituents"', "the transfer file is for constituents"),
        ('kind = "dependencies"\nread = "tags"', "no key of a transfer file named 'read'"),
        ('kind = "dependencies"\nreads = "tag"', "reads is 'tag'"),
        ('kind = "dependencies"\nfixed = "det"', "fixed is 'det'"),
        ('kind = "dependencies"\ndropped = "det"', "dropped is 'det'"),
        ('kind = "dependencies"\ndropped = ["det"]\ngiven = "target"', "nothing is dropped"),
        ('kind = "dependencies"\ngiven = "text"', "given is 'text'"),
        ('kind = "dependencies"\nstrength = 0', "strength is 0"),
        ('kind = "dependencies"\norder = true', "order is True"),
        ('kind = "dependencies"\ndictionary = 1', "dictionary is 1"),
        ('kind = "dependencies"\ncognates = []', r"cognates is \[\]"),
        ('kind = "dependencies"\nrefined = 1', "refined is 1"),
        ('kind = "dependencies"\nrefined = true\norder = 3', "order is not 2"),
        ("kind = ", "no TOML"),
    ],
)
def test_transfer_files_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises((FormatError, UnknownName), match=message) as refused:
        read_dependency_settings(str(path))
    assert refused.value.path == str(path)
    assert refused.value.remedy


def test_classes_that_the_source_lacks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for key in ("fixed", "dropped"):
        (folder / "x.toml").write_text(f'kind = "dependencies"\n{key} = ["nsubj"]\n')
        assert run(folder) == 2
    assert "no class of dependents in the source named 'nsubj' (did you mean nsubj(VERB)?)" in (
        capsys.readouterr().err
    )


def test_other_files_that_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / TEXT).write_text("...\n\n")
    assert run(folder) == 2
    assert "there is no text in it" in capsys.readouterr().err
    (folder / "x.mrg").write_text("(S (N a))\n")
    assert run(folder, source="x.mrg") == 2
    assert "the transfer file is for dependencies" in capsys.readouterr().err
    (folder / "y.conllu").write_text("a sentence, and no columns\n\nanother\n")
    assert run(folder, source="y.conllu") == 2
    assert "item 'sentence 1': 1 columns, not 10" in capsys.readouterr().err
    assert not (folder / "out.conllu").exists()
    with pytest.raises(GlyphoneError, match="No such file"):
        read_text(str(folder / "nowhere"), "words")


def test_treebanks_are_compared_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(SAMPLES / name) for name in (SOURCE, "levantine.conllu")]
    assert main(["treebank", "compare", *paths, "--least", "5"]) == 0
    assert "nsubj(VERB)" in capsys.readouterr().out
