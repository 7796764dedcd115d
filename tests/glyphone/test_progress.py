"""Every verb that works long names its steps: what is under way, and what is left."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

import glyphone
from glyphone.cli import VERBS
from glyphone.data import progress
from glyphone.distillation import files as distillation_files
from glyphone.installation.warming import example_pairs
from glyphone.models.kinds import trainable_kinds
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.records.messages import format_message
from tests.glyphone.support import TOY
from tests.glyphone.support import glyphone as run

ROOT = Path(glyphone.__path__[0]).parent
SENTENCES = "El O\nseñor O\nPaz B-PER\n\nAna B-PER\nve O\nLima B-LOC\n\n" * 5
HINDI = "rana\tराना\nnara\tनारा\nmana\tमाना\nrama\tरामा\n"
JAPANESE = "中田\tnakata\tsurname\n山田\tyamada\tsurname\n山中\tyamanaka\tsurname\n"
# By kind: the training file, options, and the steps that take long where there are many words.
TRAINED: dict[str, tuple[str, Sequence[str], Sequence[str]]] = {
    "auto": ("words.tsv", [], ["aligning", "estimating n-grams"]),
    "joint": (
        "words.tsv",
        ["--dev", "dev.tsv", "--normal-form", "auto"],
        [
            "reading words.tsv", "aligning", "estimating n-grams", "learning windows of letters",
            "fitting a temperature", "asking joint", "comparing answers with references",
            "drawing samples for intervals",
        ],
    ),
    "ensemble": (
        "words.tsv",
        ["--members", "2"],
        ["training members", "training without a part", "fitting shares of members",
         "trying features of outputs"],
    ),
    "tree": ("words.tsv", [], ["growing trees of letters", "growing trees"]),
    "crf": ("words.tsv", ["--iterations", "2"], ["fitting weights, iterations at most"]),
    "matcher": ("pairs.tsv", [], ["comparing names"]),
    "names": ("names.tsv", ["--language", "hin"], ["aligning", "estimating n-grams"]),
    "channel": (
        "japanese.tsv",
        ["--kind-column", "3"],
        ["reading the parts of names", "learning kinds of names", "cutting readings",
         "joining models of kinds"],
    ),
    "tagger": (
        "train.conll",
        ["--patterns", "patterns", "--iterations", "2"],
        ["reading train.conll", "fitting weights, iterations at most"],
    ),
    "clusters": (
        "train.conll",
        ["--min-count", "1"],
        ["moving words between classes, passes at most"],
    ),
    "entities": ("train.conll", [], ["reading train.conll"]),
    "voicemail": (
        "messages.jsonl",
        [],
        ["reading messages.jsonl", "fitting cuts, iterations at most",
         "fitting weights, iterations at most", "proposing numbers",
         "fitting weights of numbers, iterations at most"],
    ),
}  # fmt: skip


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of all steps that a display would show."""
    names = set[str]()
    monkeypatch.setattr(progress, "redraw", lambda: names.update(x.name for x in progress._steps))
    return names


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a little to learn from."""
    rows = ["".join(pair.source) + "\t" + " ".join(pair.target) for pair in example_pairs(100)]
    texts = {
        "toy.py": TOY,
        "words.tsv": "\n".join(rows[:80]),
        "dev.tsv": "\n".join(rows[80:]),
        "words.txt": "\n".join(row.partition("\t")[0] for row in rows),
        "names.tsv": HINDI,
        "pairs.tsv": "Ana Paz\tPaz, Ana\tyes\nAna Paz\tBo Li\tno\n",
        "japanese.tsv": JAPANESE,
        "train.conll": SENTENCES,
        "patterns": "u:%x[0,0]\nb\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_kind_is_looked_at() -> None:
    assert sorted(TRAINED) == trainable_kinds()


@pytest.mark.parametrize("kind", TRAINED)
def test_training_names_its_steps(kind: str, told: set[str], folder: Path) -> None:
    path, options, steps = TRAINED[kind]
    if kind == "voicemail":
        rows = map(format_message, generate(60, seed=1))
        (folder / path).write_text("\n".join(rows), encoding="utf-8")
    asked = [] if kind in ("auto", "names") else ["--kind", "crf" if kind == "tagger" else kind]
    ran = run("train", path, "-o", "x.glyphone", *asked, *options)
    assert ran.code == 0, ran.err
    assert {*steps} <= told


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("apply x.glyphone words.txt -o out.tsv", ["x.glyphone"]),
        ("score x.glyphone dev.tsv -o out.tsv", ["x.glyphone"]),
        ("evaluate x.glyphone dev.tsv", ["asking joint", "drawing samples for intervals"]),
        ("align dev.tsv -o out.tsv", ["aligning", "writing dev.tsv"]),
        ("compile toy.py -o x.far", ["MANY", "compiling rules"]),
        ("check toy.py", ["checking grammars", "toy.py:MANY", "compiling rules"]),
        ("voicemail generate -n 3 -o out.jsonl", ["generating messages"]),
        (
            "distill x.glyphone --words words.txt -o y.glyphone",
            ["asking joint", "inventing words", "growing trees of letters", "placing differences",
             "measuring speed"],
        ),
    ],
    ids=lambda given: given.split()[0] if isinstance(given, str) else "",
)  # fmt: skip
def test_verbs_name_their_steps(
    words: str, steps: Sequence[str], told: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distillation_files, "SECONDS", 0.01)
    verb, *rest = words.split()
    if verb in ("check", "compile"):
        pytest.importorskip("pynini")
    assert run("train", "words.tsv", "-o", "x.glyphone", "--kind", "joint").code == 0
    told.clear()
    ran = run(verb, *rest)
    assert ran.code == 0, ran.err
    assert {*steps} <= told


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_is_silent_beyond_the_patience_of_people(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list[str]()
    real = progress.shown
    monkeypatch.setattr(progress, "shown", lambda name: (shown.append(name), real(name))[1])
    assert run(verb, "--help").code == 0
    assert shown == [verb]


def test_optimisers_of_others_tell_their_iterations() -> None:
    """Likelihoods of single words, which take no time, are left out."""
    paths = [
        path
        for room in ("data", "fst", "glyphone", "learners")
        for path in (ROOT / room).rglob("*.py")
        if path != ROOT / "learners/counts/fitting.py"
    ]
    calls = [
        (path.name, call)
        for path in paths
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) in ("minimize", "optimize.minimize")
    ]
    assert len(calls) >= 4
    assert [
        f"{name}:{call.lineno}"
        for name, call in calls
        if "callback" not in {keyword.arg for keyword in call.keywords}
    ] == []
