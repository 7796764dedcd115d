"""Trees from lexicons: what is learnt, from whatever is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import glyphone
from glyphone.cli import main
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.training import TreeOptions, fit_tree
from glyphone.training.train import train
from tests.glyphone.models.trees.twins import LEXICON, PAIRS, options_of

ENOUGH = 3


def file_of(model: glyphone.Model, path: Path) -> bytes:
    from glyphone.models.trees.file import save

    save(model, path)  # type: ignore[arg-type]
    return path.read_bytes()


@pytest.mark.parametrize("method", ["boosting", "forest"])
def test_the_same_seed_gives_the_same_bytes_with_any_jobs(tmp_path: Path, method: str) -> None:
    found = set()
    for seed, jobs in ((0, 1), (0, 2), (0, 1)):
        options = options_of(trees=3, previous=1, seed=seed, method=method)
        model = fit_tree(PAIRS, options, target=Writing(), jobs=jobs).model
        found.add(file_of(model, tmp_path / "a"))
    assert len(found) == 1
    other = fit_tree(
        PAIRS, options_of(trees=3, previous=1, seed=9, method=method), target=Writing()
    )
    assert file_of(other.model, tmp_path / "b") not in found


def test_a_tree_knows_its_lexicon() -> None:
    model = fit_tree(PAIRS, options_of(left=4, right=4, smoothing=0.0), target=Writing()).model
    assert {word: model(word).output for word in LEXICON} == LEXICON


def test_one_pair_and_one_class() -> None:
    assert fit_tree([Pair(("a",), ("x",))]).model("aaa").output == "x x x"
    same = [Pair(tuple("a" * n), ("x",) * n) for n in range(1, 9)]
    model = fit_tree(same).model
    assert model("aa").posterior == pytest.approx(1)
    assert len(model.trees[0].nodes) == 2
    silent = fit_tree([Pair(("a",), ()), Pair(("a", "a"), ())]).model
    assert silent("aaa").output == "" and silent("aaa").symbols == ()


@pytest.mark.parametrize("size", [0, 20])
@pytest.mark.parametrize("trees", [1, 2])
def test_windows_of_any_size(size: int, trees: int) -> None:
    for previous in (0, 2):
        options = options_of(left=size, right=size, previous=previous, trees=trees)
        model = fit_tree(PAIRS, options, target=Writing()).model
        assert len(model("occixha").spans) == len(model("occixha").symbols) > 0


def test_words_of_six_hundred_letters() -> None:
    long = Pair(tuple("cha" * 200), tuple("Sa" * 200))
    model = fit_tree([*PAIRS, long], options_of(previous=1), target=Writing()).model
    assert model("cha" * 200).output == "Sa" * 200


def test_contradictory_examples_share_their_posterior() -> None:
    pairs = [Pair(("a",), ("x",)), Pair(("a",), ("y",), 3.0)]
    found = fit_tree(pairs, options_of(smoothing=0.0), target=Writing()).model.nbest("a")
    assert [(one.output, round(one.posterior, 4)) for one in found] == [("y", 0.75), ("x", 0.25)]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"left": -1}, "left is -1"), ({"right": 101}, "take 0 to 100"),
        ({"previous": 9}, "previous is 9"), ({"trees": 0}, "trees is 0"),
        ({"emphasis": -1.0}, "emphasis"), ({"confidence": 2.0}, "confidence"),
        ({"smoothing": -1.0}, "smoothing"),
    ],
)  # fmt: skip
def test_options_that_make_no_sense(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        fit_tree(PAIRS, options_of(**changed))


def test_names_that_nothing_answers_to() -> None:
    with pytest.raises(UnknownName, match=r"boosting"):
        TreeOptions(method="boostin")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match=r"option of a tree.*previous"):
        train(PAIRS, kind="tree", previos=2)
    with pytest.raises(GlyphoneError, match=r"one letter each.*joint model"):
        train(PAIRS, kind="tree", max_source=2)


def test_too_many_states_are_refused() -> None:
    pairs = [Pair((chr(0x4E00 + k),), (chr(0x61 + k),)) for k in range(60)]
    with pytest.raises(GlyphoneError, match=r"6 of 60 different chunks.*previous to 5"):
        fit_tree(pairs, options_of(previous=6))


def test_what_cannot_be_aligned_is_told() -> None:
    fitted = fit_tree([*PAIRS, Pair(("c",), tuple("kakaka"))], target=Writing())
    assert [refusal.index for refusal in fitted.refusals] == [len(PAIRS)]


def test_the_normal_form_is_chosen_if_asked() -> None:
    import unicodedata

    words = [chr(0xAC00 + 588 * a + 28 * b) for a in range(8) for b in range(8)]
    pairs = [Pair((w,), tuple(unicodedata.normalize("NFD", w))) for w in words]
    trained = train(pairs, kind="tree", best_form=True, previous=0, left=1, right=1)
    assert trained.model.source.writing.normal_form == "NFD"


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words, dev = tmp_path / "words.tsv", tmp_path / "dev.tsv"
    rows = [f"{word}\t{' '.join(phones)}\n" for word, phones in LEXICON.items()]
    words.write_text("".join(rows * ENOUGH), encoding="utf-8")
    dev.write_text("cica\ts i k a\noco\to k o\n", encoding="utf-8")
    model = tmp_path / "tree.glyphone"
    command = ["train", str(words), "--kind", "tree", "--dev", str(dev), "-o", str(model)]
    assert main(command) == 0
    assert "tree model tree" in capsys.readouterr().out
    loaded = glyphone.load(str(model))
    assert isinstance(loaded, TreeModel)
    training = loaded.description["training"]
    assert (training["kind"], training["previous"]) == ("tree", 3)
    assert {"nodes", "leaves", "trees"} <= loaded.description["lexicon"].keys()
    assert main(["explain", str(model), "cica"]) == 0
    assert "letter in {c}" in capsys.readouterr().out
    assert main(["evaluate", str(model), str(dev)]) == 0
    picture = tmp_path / "word.svg"
    assert main(["draw", str(model), "--item", "ca", "-o", str(picture)]) == 0
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert main(["score", str(model), str(dev), "-o", str(tmp_path / "s.tsv")]) == 0
