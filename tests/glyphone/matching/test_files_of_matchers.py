"""Matchers trained, saved, loaded and measured by name, and files that hold none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import glyphone
from glyphone.data.errors import FormatError
from glyphone.fst.storage import container
from glyphone.fst.storage.container import Contents
from glyphone.learners.matching.evidence import FEATURES
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.learners.matching.named import measure
from glyphone.matching import file as matcher_file
from glyphone.models.learners import file as learner_file
from tests.glyphone.matching.names import NAMES, as_tsv, one_name, small_matcher, two_names
from tests.glyphone.support import glyphone as command

PAIRS = [*one_name(), *two_names()]
GOLD = [1] * len(one_name()) + [0] * len(two_names())


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("pairs.tsv").write_text(as_tsv(), encoding="utf-8")
    Path("gold.tsv").write_text(as_tsv() + "A\tB\tdon't know\n", encoding="utf-8")
    words = ("train", "--kind", "matcher", "pairs.tsv", "--dev", "gold.tsv", "-o", "m.glyphone")
    ran = command(*words, "--strength", "1")
    assert ran.code == 0, ran.err
    assert "mean precision" in ran.out and "words  29" in ran.out
    return Path("m.glyphone")


def test_a_matcher_is_trained_loaded_and_measured(trained: Path) -> None:
    matcher = glyphone.load(trained)
    assert matcher.predict_proba(PAIRS) == pytest.approx(small_matcher().predict_proba(PAIRS))
    assert matcher.description_["metrics"]["f1"]["f"] > 0.9
    ran = command("evaluate", trained, "gold.tsv", "--json", "--wrong", "wrong.tsv")
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    assert told["f1"] == matcher.description_["metrics"]["f1"]
    assert (told["pairs"], told["failed"]) == (len(GOLD), 0)
    wrong = Path("wrong.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(wrong) == round((1 - told["accuracy"]) * len(GOLD))
    assert "1 undecided" in command("evaluate", trained, "gold.tsv", "--errors", "3").out


def test_equal_pairs_make_equal_bytes(trained: Path) -> None:
    words = ("train", "--kind", "matcher", "pairs.tsv", "--dev", "gold.tsv", "-o", "again.glyphone")
    assert command(*words, "--strength", "1", "--jobs", "3").code == 0
    assert Path("again.glyphone").read_bytes() == trained.read_bytes()


def test_lines_that_are_no_pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bad = "one\ttwo\nAna\tBo\tperhaps\n\tBo\tyes\n"
    Path("pairs.tsv").write_text(as_tsv() + bad, encoding="utf-8")
    ran = command("train", "--kind", "matcher", "pairs.tsv", "-o", "m.glyphone")
    assert ran.code == 1 and "3 lines were refused; see m.glyphone.errors.tsv" in ran.err
    told = Path("m.glyphone.errors.tsv").read_text(encoding="utf-8")
    assert "'perhaps' is no label" in told and "column 1 is empty" in told
    Path("pairs.tsv").write_text(bad, encoding="utf-8")
    ran = command("train", "--kind", "matcher", "pairs.tsv", "-o", "n.glyphone")
    assert ran.code == 2 and "column 3 is missing" in ran.err and not Path("n.glyphone").exists()
    Path("pairs.tsv").write_text("Ana\tBo\tno\n", encoding="utf-8")
    ran = command("train", "--kind", "matcher", "pairs.tsv", "-o", "n.glyphone")
    assert ran.code == 2 and "no pairs of both labels" in ran.err


def test_verbs_of_other_models_refuse_a_matcher(trained: Path) -> None:
    for words in (("apply", trained, "pairs.tsv"), ("explain", trained, "Ana")):
        ran = command(*words)
        assert ran.code == 2 and "matcher" in ran.err and "Traceback" not in ran.err


def test_a_speller_is_not_saved(tmp_path: Path) -> None:
    matcher = clone(small_matcher()).set_params(speller=lambda words, script, wanted: [])
    matcher.fit(PAIRS, GOLD)
    matcher_file.save(matcher, tmp_path / "x.glyphone")
    assert matcher.speller is not None
    assert matcher_file.load(tmp_path / "x.glyphone").speller is None
    with pytest.raises(FormatError, match=r"speller is a function"):
        learner_file.save(matcher, tmp_path / "y.glyphone")


def changed(name: str, value: Any) -> Callable[[NameMatcher], None]:
    return lambda matcher: vars(matcher).update({name: value})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed("weights_", np.zeros((len(FEATURES), 9))), "its weights have no shape"),
        (changed("ranges_", np.zeros((2, 3))), "its weights have no shape"),
        (changed("ranges_", np.full((2, len(FEATURES)), np.nan)), "or are no numbers"),
        (changed("feature_names_", ("length",)), "other features than this version has"),
        (changed("intercept_", None), "it has no intercept"),
        (changed("counts_", {"ana": -1}), "its words are not counted"),
        (changed("counts_", {"ana": 10**9}), "its words are not counted"),
        (changed("n_names_", "9"), "its words are not counted"),
    ],
)
def test_forged_matchers_are_refused(
    change: Callable[[NameMatcher], None], message: str, tmp_path: Path
) -> None:
    matcher = clone(small_matcher()).fit(PAIRS, GOLD)
    change(matcher)
    matcher_file.save(matcher, tmp_path / "x.glyphone")
    with pytest.raises(FormatError, match=f"is no matcher of names: .*{message}"):
        matcher_file.load(tmp_path / "x.glyphone")


def test_files_that_hold_no_matcher(tmp_path: Path) -> None:
    path = tmp_path / "x.glyphone"
    matcher_file.save(NameMatcher(), path)
    with pytest.raises(FormatError, match="it has learnt nothing"):
        matcher_file.load(path)
    contents = learner_file.to_contents(measure("jaro"))
    container.write(path, Contents("matcher", {**contents.manifest, "description": {}}, {}))
    with pytest.raises(FormatError, match="it is a StringMeasure"):
        matcher_file.load(path)


@pytest.mark.parametrize("name", ["jaro", "tfidf", "ml-extended/contexts", "soft-tfidf/3g"])
def test_measures_are_learners_of_files(name: str, tmp_path: Path) -> None:
    fitted = measure(name).fit(NAMES)
    learner_file.save(fitted, tmp_path / "x.glyphone")
    again = learner_file.load(tmp_path / "x.glyphone")
    assert again.cdist(NAMES[:9]).tolist() == fitted.cdist(NAMES[:9]).tolist()


def test_scikit_learn_searches_and_clones() -> None:
    search = GridSearchCV(NameMatcher(), {"strength": [0.01, 1.0]}, cv=3).fit(PAIRS, GOLD)
    assert search.best_score_ > 0.8 and search.best_estimator_.score(PAIRS, GOLD) > 0.8
    assert clone(search.best_estimator_).get_params() == search.best_estimator_.get_params()


def test_rare_words_may_be_forgotten() -> None:
    counts = NameMatcher(min_count=3).fit(PAIRS, GOLD, ["Ana Paz", "Ana Sol", "Ana Li"]).counts_
    assert counts == {"ana": 3}
