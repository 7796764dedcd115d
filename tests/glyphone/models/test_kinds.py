"""Every kind of model is one entry of the registry, and a new kind needs no more than one."""

from __future__ import annotations

import argparse
import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import glyphone
from glyphone.catalog import names as catalog_names
from glyphone.cli import evaluate as verb_evaluate
from glyphone.cli import train as verb
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage import registry as storage_registry
from glyphone.models import kinds
from glyphone.models.explanation import explain
from glyphone.models.kinds import AUTO, KINDS, Kind, resolve_name
from glyphone.pipelines import pipeline
from glyphone.training.train import train
from tests.glyphone.models import toy_kind
from tests.glyphone.support import glyphone as command

LEXICON = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag", "gap": "gap"}
HINDI = {"rana": "राना", "nara": "नारा", "naran": "नारान"}
JAPANESE = {"山田": "やまだ", "山川": "やまかわ", "田山": "たやま", "大川": "おおかわ"}
# Pairs, options and a word for each kind that learns from pairs.
EXAMPLES: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "joint": (LEXICON, {"order": 3}, "graphi"),
    "ensemble": (LEXICON, {"order": 3, "members": 2}, "graphi"),
    "names": (HINDI, {"language": "hin"}, "ranara"),
    "channel": (JAPANESE, {}, "Ôyama"),
    "tree": (LEXICON, {"left": 2}, "graphi"),
    "crf": (LEXICON, {"templates": "3-grm"}, "graphi"),
}
GENERAL = {"lexicon", "output", "kind", "dev", "case", "jobs", "seed", "help", "dependencies"}
LEARNING = [name for name, kind in KINDS.items() if kind.learn]


@pytest.fixture
def echo() -> Iterator[Kind]:
    kinds.register(toy_kind.ECHO)
    yield toy_kind.ECHO
    del KINDS["echo"], storage_registry._MODULES["echo"]


def parser_of_train() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="glyphone train", add_help=False)
    verb.add_arguments(parser)
    return parser


def options_in(page: str) -> set[str]:
    """The options that a page of help explains."""
    explained, _, _ = page.partition("kinds:")
    return {word.strip(",") for word in explained.split() if word.startswith("--")}


def pairs_of(name: str) -> list[Pair]:
    return [Pair(tuple(x), tuple(y)) for x, y in EXAMPLES[name][0].items()]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_names_of_functions_are_those_of_functions(kind: Kind) -> None:
    functions = [kind.learn, kind.train_file, kind.arguments, kind.load, kind.explain, kind.draw]
    for name in filter(None, [*functions, kind.measure]):
        assert callable(resolve_name(name)), name
    if kind.distilled:
        assert isinstance(resolve_name(kind.distilled), dict)
    if kind.contents:
        module = import_module(kind.contents)
        assert kind.name == module.KIND
        assert callable(module.to_contents) and callable(module.from_contents)
        assert kind.part or callable(module.save)
    elif kind.name not in (AUTO, "clusters"):
        assert KINDS[kind.file].contents
    assert kind.trainable == bool(kind.summary)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_everything_that_has_a_file_can_be_measured(kind: Kind) -> None:
    assert bool(kind.measure) == (kind.name not in (AUTO, "spelling", "clusters"))
    if kind.measure:
        taken = inspect.signature(resolve_name(kind.measure)).parameters
        assert {"name", "failures", "jobs", "seed"} <= {*taken}
        if kind.measured_with != kinds.OF_WORDS:
            assert {*kind.measured_with} <= {*taken}
    if kind.file:
        assert kind.measure == KINDS[kind.file].measure
    kind.check_measuring(kind.measured_with)


def test_options_of_evaluate_are_those_of_the_registry() -> None:
    parser = argparse.ArgumentParser(prog="glyphone evaluate", add_help=False)
    verb_evaluate.add_arguments(parser)
    general = {"model", "test", "json", "errors", "wrong", "failures", "jobs", "seed"}
    actions = {action.dest for action in parser._actions}
    assert actions == general | {one for kind in KINDS.values() for one in kind.measured_with}
    for action in parser._actions:
        assert action.dest in general or action.default is None
    with pytest.raises(GlyphoneError, match=r"--nbest does not go .* voicemail \(.* for joint, "):
        KINDS["voicemail"].check_measuring(["nbest"])


@pytest.mark.parametrize("name", LEARNING)
def test_trained_saved_loaded_and_explained(name: str, tmp_path: Path) -> None:
    pairs, (_, options, word) = pairs_of(name), EXAMPLES[name]
    trained = train(pairs, kind=name, source=Writing(), target=Writing(), jobs=1, **options)
    assert trained.kind == trained.model.kind == name and trained.sizes
    trained.save(tmp_path / "model")
    assert catalog_names.kind_of(tmp_path / "model").name == name
    for loaded in (kinds.load(tmp_path / "model"), glyphone.load(tmp_path / "model")):
        assert loaded.fingerprint() == trained.model.fingerprint()
        assert loaded.kind == name
    best = trained.model(word)
    (told,) = resolve_name(KINDS[name].explain)(loaded, word)
    assert str(told).startswith(f"{word} → {best.output}")
    parts = storage_registry.to_contents(trained.model, "x/")
    assert parts.kind == name
    assert storage_registry.from_contents(parts, "x/").fingerprint() == trained.model.fingerprint()


@pytest.mark.parametrize("name", LEARNING)
def test_models_of_words_are_measured(name: str, tmp_path: Path) -> None:
    lexicon, options, _ = EXAMPLES[name]
    model, gold = tmp_path / "model", tmp_path / "gold.tsv"
    writing = {"source": Writing(), "target": Writing()}
    train(pairs_of(name), kind=name, jobs=1, **writing, **options).save(model)
    gold.write_text("".join(f"{x}\t{y}\n" for x, y in lexicon.items()), encoding="utf-8")
    side = tmp_path / "wrong.tsv"
    ran = command("evaluate", model, gold, "--json", "--wrong", side)
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    wrong = side.read_text(encoding="utf-8").splitlines()[1:]
    assert found["items"] == len(lexicon)
    assert len(wrong) == round(found["wer"] * found["items"])


@pytest.mark.parametrize(
    ("name", "options"),
    [("tagger", {"patterns": ["patterns"], "rho1": 0.1}), ("entities", {"scheme": "iob1"})],
)
def test_learners_are_trained_by_their_entries(
    name: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "El DET O\nPaz PROPN I-PER\nve VERB O\n\nLima PROPN I-LOC\nes VERB O\n\n"
    Path("train.conll").write_text(rows * 4, encoding="utf-8")
    Path("patterns").write_text("U1:%x[0,0]\nB\n", encoding="utf-8")
    kind = kinds.find_kind(name)
    assert kind.train("train.conll", "learner", seed=1, jobs=1, options=options) == 0
    found = catalog_names.kind_of("learner")
    assert found.name == kind.file == "learner"
    assert resolve_name(found.load)("learner").predict
    with pytest.raises(FormatError, match="holds a model of the kind 'learner', expected channel"):
        kinds.load("learner")


def test_a_new_kind_is_one_entry(
    echo: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is trained, saved, loaded, applied, explained, drawn, measured and put into pipelines."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{x}\t{y}\n" for x, y in LEXICON.items())
    Path("lex.tsv").write_text(rows, encoding="utf-8")
    units = ("--target-unit", "codepoint")
    ran = command("train", "lex.tsv", "--kind", "echo", "--loudness", "4", "-o", "e.bin", *units)
    assert ran.code == 0, ran.err
    assert "echo model" in ran.out and ["walls", "4"] in map(str.split, ran.out.splitlines())
    model = glyphone.load("e.bin")
    assert isinstance(model, toy_kind.Echo) and model("graphi").output == "grafi"
    assert command("apply", "e.bin", stdin=b"graphi\n").out.startswith("graphi\tgrafi")
    assert "an echo" in command("explain", "e.bin", "graphi").out
    assert command("evaluate", "e.bin", "lex.tsv").code == 0
    assert command("draw", "e.bin", "--item", "phi").out.startswith("<svg")
    assert "too large to draw" in command("draw", "e.bin").err
    Path("p.toml").write_text(
        '[[stages]]\nuse = "glyphone.transduce.v1"\nmodel = "e.bin"\n', encoding="utf-8"
    )
    pipeline.load("p.toml").save("p.glyphone")
    assert "\tgraphi\tgrafi\t" in command("run", "p.glyphone", stdin=b"graphi\n").out
    assert "--loudness" in command("train", "--help", "echo").out
    ran = command("train", "lex.tsv", "--kind", "joint", "--loudness", "4", "-o", "j")
    assert ran.code == 2 and "(leave it out, or choose a kind that has it: echo)" in ran.err
    assert "echo" in kinds.answering_kinds() and "echo" in kinds.trainable_kinds()


def test_kinds_that_are_not_known(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no kind of model named 'echo' \("):
        kinds.find_kind("echo")
    with pytest.raises(UnknownName, match=r"no kind of model named 'spelling' \("):
        kinds.find_kind("spelling")
    with pytest.raises(UnknownName, match="no kind of model named 'voicemail'"):
        train(pairs_of("joint"), kind="voicemail")
    with pytest.raises(UnknownName, match="no kind of model named 'echo'"):
        storage_registry.module_of("echo")
    assert catalog_names.kind_of(tmp_path).name == "transducer"
    path = tmp_path / "x.glyphone"
    for damaged in (b"PK\x03\x04", b"", b"glyphone"):
        path.write_bytes(damaged)
        assert storage_container.kind_of(path) is None
    assert storage_container.kind_of(tmp_path / "none") is None


def test_options_of_the_command_line_are_those_of_the_registry() -> None:
    actions = {action.dest for action in parser_of_train()._actions}
    registered = {option for kind in KINDS.values() for option in kind.options}
    assert actions == registered | GENERAL
    for kind in KINDS.values():
        if kind.arguments:
            own = argparse.ArgumentParser(add_help=False)
            resolve_name(kind.arguments)(own.add_argument_group(kind.name))
            assert {action.dest for action in own._actions} <= {*kind.options}, kind.name
        for replaced in filter(None, [kind.in_place_of]):
            assert set(kind.marks) <= set(kind.options) - set(KINDS[replaced].options)


def test_help_shows_what_matters_first() -> None:
    ran = command("train", "--help")
    assert (ran.code, ran.err) == (0, "")
    assert options_in(ran.out) == {
        "--output", "--kind", "--dev", "--case", "--jobs", "--seed", "--help", "--debug",
        "--dependencies",
    }  # fmt: skip
    assert "train --help KIND shows the options of one kind" in ran.out
    for name in kinds.trainable_kinds():
        assert f"\n  {name} " in ran.out
    assert command("train", "-h").out == ran.out


@pytest.mark.parametrize("name", kinds.trainable_kinds())
def test_help_on_a_kind_shows_its_options(name: str) -> None:
    ran = command("train", "--help", name)
    assert (ran.code, ran.err) == (0, "")
    for action in parser_of_train()._actions:
        strings = {option for option in action.option_strings if option.startswith("--")}
        if action.dest in GENERAL | {*KINDS[name].options}:
            assert strings <= options_in(ran.out)
        else:
            assert strings.isdisjoint(options_in(ran.out))


def test_help_on_no_kind() -> None:
    ran = command("train", "--help", "jiont")
    assert (ran.code, ran.out) == (2, "")
    assert "no kind of model named 'jiont' (did you mean joint?)" in ran.err


@pytest.mark.parametrize("name", kinds.trainable_kinds())
def test_options_of_other_kinds_are_refused(name: str) -> None:
    kind = KINDS[name]
    kind.check(kind.options)
    for option in {option for one in KINDS.values() for option in one.options} - {*kind.options}:
        having = [
            one for one in kinds.trainable_kinds() if option in KINDS[one].options and one != AUTO
        ]
        told = f"no option of {name} named '{option}' .*: {', '.join(having)}"
        with pytest.raises(GlyphoneError, match=told):
            kind.check([option])


def test_options_that_put_one_kind_in_place_of_another() -> None:
    assert kinds.choose_kind(AUTO, ["order"]).name == AUTO
    assert kinds.choose_kind(AUTO, ["language"]).name == "names"
    assert kinds.choose_kind("tree", ["language"]).name == "tree"
    assert kinds.choose_kind("crf", ["resume"]).name == "tagger"


def test_explanations_of_what_cannot_tell() -> None:
    """A model that has no reasons shows its alignment."""
    trained = train(pairs_of("ensemble"), kind="ensemble", members=1, judges="none", order=2)
    (told,) = explain(trained.model, "phi")
    assert not told.units and told.fired is None
    assert len(str(told).splitlines()) == 1 + len(told.hypothesis.symbols)


def test_the_registry_is_read_without_what_is_in_it() -> None:
    code = "import sys, glyphone.models.kinds; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in ran.stdout.split() if name.startswith(("glyphone.", "numpy"))}
    assert loaded <= {
        *("glyphone.data", "glyphone.data.errors", "glyphone.fst", "glyphone.fst.storage"),
        *("glyphone.fst.storage.registry", "glyphone.models", "glyphone.models.kinds"),
    }
