"""glyphone train: what is learnt, what is refused, and that the same files give the same bytes."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from glyphone import cli
from glyphone.catalog import names as catalog_names
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.lexicons.tsv import read_lexicon
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.evaluation.evaluate import evaluate
from glyphone.fst.alignment.refusals import NothingLearnt
from glyphone.fst.ensembles.model import EnsembleModel
from glyphone.fst.joint.model import JointModel
from glyphone.training.train import digest_of_pairs, train
from tests.glyphone.support import Ran, glyphone

LEXICON = (
    "phone\tf oʊ n\ngraph\tɡ ɹ æ f\nphi\tf aɪ\nhi\th aɪ\nrag\tɹ æ ɡ\none\tw ʌ n\nfine\tf aɪ n\n"
    "read\tɹ iː d\nread\tɹ ɛ d\nhi\th aɪ\n"
)
DEV = "phine\tf aɪ n\ngrag\tɡ ɹ æ q\nhin\th aɪ n\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "VERBS", tuple({*cli.VERBS, "train"}))
    Path("lex.tsv").write_text(LEXICON, encoding="utf-8")
    Path("dev.tsv").write_text(DEV, encoding="utf-8")
    return tmp_path


def run(*words: str, stdin: str = "") -> Ran:
    return glyphone("train", *words, stdin=stdin.encode())


def loaded(path: str = "m.glyphone") -> JointModel:
    model = catalog_names.load(path)
    assert isinstance(model, JointModel)
    return model


def figures(report: str) -> dict[str, str]:
    rows = (line.rsplit("  ", 1) for line in report.splitlines() if "  " in line)
    return {row[0].strip(): row[1].strip() for row in rows}


def generated(n: int) -> str:
    chooser = random.Random(n)
    words = ("".join(chooser.choices("abcdef", k=chooser.randint(1, 6))) for _ in range(n))
    return "".join(
        f"{word}\t{' '.join(letter + chooser.choice('12') for letter in word)}\n" for word in words
    )


def test_a_model_and_a_report() -> None:
    ran = run("lex.tsv", "-o", "m.glyphone")
    assert (ran.code, ran.err.count("\n")) == (0, 1)  # what it cost
    assert loaded()("graph").output == "ɡ ɹ æ f"
    found = figures(ran.out)
    assert (found["pairs"], found["words"]) == ("10", "8")
    assert (found["refused"], found["repeated pairs"]) == ("0", "1")
    assert found["with several pronunciations"] == "1"
    assert found["bytes"] == str(Path("m.glyphone").stat().st_size)
    assert found["units"] == str(len(loaded().units))


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_from_files_and_streams(ending: str) -> None:
    with (gzip.open if ending else open)(f"x{ending}", "wt", encoding="utf-8") as file:
        file.write(LEXICON)
    assert run(f"x{ending}", "-o", "one").code == 0
    assert run("-", "-o", "two", stdin=LEXICON).code == 0
    assert Path("one").read_bytes() == Path("two").read_bytes()


def test_refused_entries_are_listed() -> None:
    Path("lex.tsv").write_text(LEXICON + "x\ta b c d\n\nbad\n\tf\nx\0\ty\n", encoding="utf-8")
    ran = run("lex.tsv", "-o", "m.glyphone")
    assert ran.code == 1
    assert "4 entries were refused; see m.glyphone.errors.tsv" in ran.err
    header, *rows = [
        line.split("\t") for line in Path("m.glyphone.errors.tsv").read_text().splitlines()
    ]
    assert header[0] == "line"
    assert [(row[0], row[1], row[2]) for row in rows] == [
        ("11", "x", "alignment"), ("13", "bad", "reading"), ("14", "\\tf", "reading"),
        ("15", "x\\x00\\ty", "reading"),
    ]  # fmt: skip
    assert rows[0][6:] == [
        "1 source symbols cannot give 4 target symbols: at most 2",
        "allow more by --max-target 4, or correct the entry",
    ]
    assert figures(ran.out)["refused"] == "4"
    assert loaded()("phi").output == "f aɪ"
    ran = run("lex.tsv", "-o", "m.glyphone", "--errors", "bad", "--max-target", "4")
    assert figures(ran.out)["refused"] == "3"
    assert loaded()("x").output == "a b c d"
    assert len(Path("bad").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("lexicon", "message"),
    [
        ("", "lex.tsv: holds no entries"),
        ("bad\n\nworse\n", "line 1: item 'bad': column 2 is missing: 1 column found; none of 2"),
        ("x\ta b c d\n", "line 1: item 'x': 1 source symbols cannot give 4 target symbols"),
    ],
)
def test_nothing_to_train_on(lexicon: str, message: str) -> None:
    Path("lex.tsv").write_text(lexicon)
    ran = run("lex.tsv", "-o", "m.glyphone")
    assert ran.code == 2
    assert message in ran.err
    assert not Path("m.glyphone").exists()
    with pytest.raises(GlyphoneError, match="nothing to train on"):
        train([])
    with pytest.raises(NothingLearnt, match="the first of 1 because 1 source symbols") as caught:
        train([Pair(("x",), ("a",) * 4)])
    assert caught.value.refusals[0].index == 0


def test_one_pair_is_enough() -> None:
    Path("lex.tsv").write_text("hi\th aɪ\n", encoding="utf-8")
    assert run("lex.tsv", "-o", "m.glyphone").code == 0
    assert loaded()("hi").output == "h aɪ"


def test_long_words_and_mixed_scripts() -> None:
    word, phones = "ab" * 300, "x y " * 300
    Path("lex.tsv").write_text(f"{word}\t{phones}\nabшик한\tx y ʂ i k h\n", encoding="utf-8")
    assert run("lex.tsv", "-o", "m.glyphone").code == 0
    assert loaded()(word).output == phones.strip()
    assert loaded()("abшик한").output == "x y ʂ i k h"


def test_dev_words() -> None:
    ran = run("lex.tsv", "-o", "m.glyphone", "--dev", "dev.tsv")
    assert ran.code == 0
    assert "joint cannot write 'q' U+0071" in ran.err
    assert "dev.tsv: 3 words, 0 failed" in ran.out
    model = loaded()
    metrics = model.description["metrics"]
    again = evaluate(model, read_lexicon("dev.tsv"))
    assert metrics["words"] == again.items == 3
    assert {name: metrics[name] for name in ("wer", "per", "mrr", "calibration_error")} == {
        name: getattr(again, name) for name in ("wer", "per", "mrr", "calibration_error")
    }
    assert f"temperature {model.temperature:.3f}" in ran.out
    assert model.temperature == metrics["calibration"]["temperature"] != 1
    assert metrics["calibration_error"] == pytest.approx(metrics["calibration"]["error"], abs=1e-6)
    ran = run("lex.tsv", "-o", "cold", "--dev", "dev.tsv", "--no-calibrate")
    assert "temperature" not in ran.out and "calibration error" in ran.out
    assert loaded("cold").temperature == 1
    assert "calibration" not in loaded("cold").description["metrics"]


def test_bad_dev_files() -> None:
    Path("none").write_text("")
    Path("bad").write_text("x\n")
    Path("some").write_text("x\n" + DEV, encoding="utf-8")
    for name, message in (("none", "none: holds no entries"), ("bad", "bad: line 1: item 'x'")):
        ran = run("lex.tsv", "-o", "m.glyphone", "--dev", name)
        assert (ran.code, Path("m.glyphone").exists()) == (2, False)
        assert message in ran.err
    ran = run("lex.tsv", "-o", "m.glyphone", "--dev", "some")
    assert (ran.code, loaded().description["dev"]["pairs"]) == (1, 3)
    assert "1 lines of dev words were refused" in ran.err
    ran = run("lex.tsv", "-o", "m.glyphone", "--calibrate")
    assert (ran.code, "without dev words" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("lex.tsv -o lex.tsv", "must be different files"),
        ("lex.tsv -o m --errors lex.tsv", "must be different files"),
        ("- -o m --dev -", "must be different files"),
        ("lex.tsv -o -", "cannot be written to a stream"),
        ("lex.tsv -o .", "is a folder"),
        ("lex.tsv -o no/m", "lies in no folder that exists"),
        ("lex.tsv -o m --kind jiont", "no kind of model named 'jiont' (did you mean joint?)"),
        ("no.tsv -o m", "no.tsv: No such file"),
    ],
)
def test_refused_at_once(words: str, message: str) -> None:
    before = sorted(path.name for path in Path().iterdir())
    ran = run(*words.split())
    assert ran.code == 2
    assert message in ran.err
    assert Path("lex.tsv").read_text(encoding="utf-8") == LEXICON
    left = {path.name for path in Path().iterdir()} - {*before}
    assert left <= {"m.errors.tsv"}


def test_columns_units_case_and_weights() -> None:
    Path("x").write_text("2\ta b\tÑo\n7\tc d\tÑo\n1\te\tx\n", encoding="utf-8")
    columns = "--source-column 3 --target-column 2 --weight-column 1 --case lower --normal-form NFD"
    ran = run("x", "-o", "m.glyphone", "--order", "2", "--name", "odd", *columns.split())
    assert ran.code == 0
    model = loaded()
    assert model.source.writing == Writing("codepoint", "NFD", "lower")
    assert (model.name, model("ño").output) == ("odd", "c d")
    assert model.description["training"]["order"] == 2
    assert run("x", "-o", "t", "--target-unit", "codepoint", "--target-column", "3").code == 0
    assert loaded("t")("7").symbols == ("Ñ", "o")


def test_the_same_bytes_for_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.fst.alignment.corpus.SMALLEST_PART", 10)
    Path("lex.tsv").write_text(generated(150))
    Path("dev.tsv").write_text(generated(100))
    for jobs in ("1", "2", "3"):
        options = ["--jobs", jobs, "--seed", "5", "--dev", "dev.tsv", "--order", "4"]
        options += ["--kind", "ensemble", "--members", "2"]
        assert run("lex.tsv", "-o", f"m{jobs}", *options).code == 0
    one, two, three = (Path(f"m{jobs}").read_bytes() for jobs in "123")
    assert one == two == three
    assert json.dumps("jobs") not in one.decode("latin-1")


def test_paths_and_pairs_give_the_same_model() -> None:
    pairs = [
        Pair(tuple(word), tuple(phones.split()))
        for word, phones in (line.split("\t") for line in LEXICON.splitlines())
    ]
    by_path, by_pairs = train("lex.tsv", order=3), train(pairs, order=3)
    by_path.save("one")
    by_pairs.save(Path("two"))
    assert Path("one").read_bytes() == Path("two").read_bytes()
    assert (
        digest_of_pairs(pairs)
        == by_path.model.description["lexicon"]["digest"]
        == digest_of_pairs(pairs[::-1])
    )
    assert digest_of_pairs(pairs) != digest_of_pairs(pairs[1:]) != digest_of_pairs(pairs[:-1])
    decomposed = Writing(normal_form="NFD")
    assert train([Pair(("ñ",), ("n",))], source=decomposed).model("ñ").symbols == ("n",)


def test_unknown_options() -> None:
    with pytest.raises(UnknownName, match=r"'ordr'.*did you mean order"):
        train("lex.tsv", ordr=3)
    with pytest.raises(UnknownName, match="kind of model"):
        train("lex.tsv", kind="forest")
    Path("x").write_text("x\n")
    with pytest.raises(FormatError, match="line 1: item 'x'"):
        train("x")


def test_an_ensemble() -> None:
    Path("many.tsv").write_text(generated(60), encoding="utf-8")
    ran = run("many.tsv", "-o", "one", "--kind", "ensemble", "--members", "2", "--jobs", "1")
    assert ran.code == 0 and "ensemble model ensemble" in ran.out
    model = catalog_names.load("one")
    assert isinstance(model, EnsembleModel)
    assert len(model.members) == 2
    assert model.description["training"]["members"] == 2
    assert model.description["training"]["lists"] > 0
    again = run("many.tsv", "-o", "two", "--kind", "ensemble", "--members", "2", "--jobs", "2")
    assert again.code == 0 and Path("one").read_bytes() == Path("two").read_bytes()
    options = ("--kind", "ensemble", "--reranker", "--margin", "3", "--dev", "dev.tsv")
    ran = run("many.tsv", "-o", "three", *options)
    forced = catalog_names.load("three")
    assert isinstance(forced, EnsembleModel) and forced.reranker.level > 0
    assert (model.margin, forced.margin) == (6.0, 3.0)
    ran = run("many.tsv", "-o", "four", "--kind", "ensemble", "--margin", "0")
    assert ran.code == 2 and "more than 0 nats" in ran.err
    # Its temperature is from parts of the lexicon, not from dev words.
    assert forced.temperature == forced.description["training"]["temperature"]
    assert "calibration" not in forced.description["metrics"]


def test_options_of_an_ensemble() -> None:
    with pytest.raises(
        UnknownName, match=r"option of an ensemble named 'membres' \(did you mean members\?\)"
    ):
        train([Pair(("a",), ("b",))], kind="ensemble", membres=3)
    with pytest.raises(NothingLearnt):
        train([Pair(("a",), ("b",) * 30)], kind="ensemble")


def test_the_kind_is_left_to_the_number_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [Pair((x, y), (x.upper(), y.upper())) for x in "abcdef" for y in "abcdef"]
    assert train(pairs).kind == "joint"
    monkeypatch.setattr("glyphone.training.train.ENSEMBLE_WORDS", (36, 40))
    assert train(pairs).kind == "ensemble"
    assert train(pairs[1:]).kind == "joint"
    assert train(pairs, kind="joint").kind == "joint"


def test_an_ensemble_that_was_not_asked_for_is_told_with_the_flag_for_the_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("glyphone.training.train.ENSEMBLE_WORDS", (36, 40))
    monkeypatch.chdir(tmp_path)
    lines = [f"{x}{y}\t{x.upper()} {y.upper()}\n" for x in "abcdef" for y in "abcdef"]
    Path("lexicon.tsv").write_text("".join(lines), encoding="utf-8")
    train_verb = ("train", "lexicon.tsv", "-o", "model.glyphone")
    assert (
        "slower to train and to answer than one model (--kind joint)" in glyphone(*train_verb).err
    )
    for kind in ("ensemble", "joint"):
        assert "--kind joint" not in glyphone(*train_verb, "--kind", kind).err
