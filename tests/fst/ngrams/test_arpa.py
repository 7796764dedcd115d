"""ARPA files: round trips, other readers, other writers, damage."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.fst.ngrams.arpa import LN_10, read_arpa, write_arpa
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.model import NgramModel
from glyphone.fst.ngrams.pruning import prune
from glyphone.fst.ngrams.smoothing import train
from tests.fst.ngrams.test_smoothing import METHODS
from tests.fst.ngrams.twins import plain_log_prob, random_corpus, read_arpa_plainly

CORPUS = random_corpus(31, n=300, n_words=6)
WORDS = ["a", "b|x", "ʃ", "漢字", "e}f", "<unk>"]
MODELS = [train(*flatten(CORPUS), n_words=6, order=4, smoothing=method) for method in METHODS]
MODELS += [prune(MODELS[0], size=60), train(*flatten(CORPUS), n_words=6, order=1)]
MODELS += [train(*flatten(CORPUS), n_words=6, order=2, floor=False)]
CASES = range(len(MODELS))


def names(tokens: list[int]) -> tuple[str, ...]:
    return tuple([*WORDS, "</s>", "<s>"][token] for token in tokens)


def random_histories(model: NgramModel, n: int) -> list[list[int]]:
    random = np.random.default_rng(7)
    drawn = [random.integers(0, 6, random.integers(0, 5)).tolist() for _ in range(n)]
    return [[model.begin, *history] if k % 3 == 0 else history for k, history in enumerate(drawn)]


@pytest.mark.parametrize("case", CASES)
def test_round_trip(case: int, tmp_path: Path) -> None:
    model, first, second = MODELS[case], tmp_path / "one.arpa", tmp_path / "two.arpa.gz"
    write_arpa(model, WORDS, first)
    again, words = read_arpa(first)
    again.check()
    assert list(words) == WORDS
    assert (again.start, again.n_words) == (model.start, model.n_words)
    for name in ("offsets", "tokens", "targets", "backoff_states", "levels"):
        assert np.array_equal(getattr(again, name), getattr(model, name)), name
    assert np.allclose(again.log_probs, model.log_probs, rtol=1e-8)
    assert np.allclose(again.backoffs, model.backoffs, rtol=1e-8, atol=1e-9)
    write_arpa(again, words, second)
    third, _ = read_arpa(second)
    assert np.array_equal(third.log_probs, again.log_probs)
    assert np.array_equal(third.backoffs, again.backoffs)


@pytest.mark.parametrize("case", CASES)
def test_a_plain_reader_agrees(case: int, tmp_path: Path) -> None:
    model, path = MODELS[case], tmp_path / "model.arpa"
    write_arpa(model, WORDS, path)
    arpa = read_arpa_plainly(path.read_text("utf-8"))
    for history in random_histories(model, 60):
        for token in range(model.vocabulary_size):
            longest = names(history)[-(model.order - 1) :] if model.order > 1 else ()
            expected = plain_log_prob(arpa, longest, names([token])[0])
            found = model.log_prob(history, token) / LN_10
            assert max(found, -99) == pytest.approx(max(expected, -99), abs=1e-7)


@pytest.mark.parametrize("case", CASES)
def test_kenlm_agrees(case: int, tmp_path: Path) -> None:
    kenlm = pytest.importorskip("kenlm")
    model, path = MODELS[case], tmp_path / "model.arpa"
    if model.order == 1:
        pytest.skip("KenLM reads no unigram models")
    write_arpa(model, WORDS, path)
    peer = kenlm.Model(str(path))
    for sequence in CORPUS[:50] + random_histories(model, 50):
        sequence = [token for token in sequence if token < 6]
        # The name <unk> is KenLM's for every word that it does not know.
        scores = [row[0] for row in peer.full_scores(" ".join(names(sequence)))]
        padded = [model.begin, *sequence, model.end]
        found = [model.log_prob(padded[:i], padded[i]) / LN_10 for i in range(1, len(padded))]
        assert np.maximum(found, -99) == pytest.approx(np.maximum(scores, -99), abs=1e-5)
        assert sum(scores) == pytest.approx(max(model.score(sequence) / LN_10, -1e9), abs=1e-4) or (
            not math.isfinite(model.score(sequence))
        )


def test_another_reader_agrees(tmp_path: Path) -> None:
    peers = pytest.importorskip("arpa")
    path = tmp_path / "model.arpa"
    write_arpa(MODELS[0], WORDS, path)
    (peer,) = peers.loadf(str(path))
    for history in random_histories(MODELS[0], 60):
        for token in range(7):
            ngram = (*names(history), *names([token]))[-4:]
            found = MODELS[0].log_prob(history, token) / LN_10
            assert peer.log_p(ngram) == pytest.approx(found, abs=1e-7)


FOREIGN = """A preface, as SRILM allows.
\\data\\
ngram 1=5
ngram 2=3
ngram 3=2

\\1-grams:
-1.5 <unk>
0\t<s>\t-0.5
-0.4\t</s>
-0.6 a -0.25

-0.7\tb\t-99


\\2-grams:
-0.2\t<s> a\t-0.125
-0.3 a b
-9 b <s>
\\3-grams:
-0.1\t<s> a b
-0.05\tb a b

\\end\\
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_what_others_write(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "foreign.arpa"
    path.write_bytes(FOREIGN.replace("\n", ending).encode())
    model, words = read_arpa(path)
    model.check()
    assert words == ("<unk>", "a", "b")
    a, b = 1, 2

    def log10(history: list[int], token: int) -> float:
        return model.log_prob(history, token) / LN_10

    assert log10([model.begin], a) == pytest.approx(-0.2)
    assert log10([model.begin], b) == pytest.approx(-0.5 - 0.7)
    assert log10([model.begin, a], b) == pytest.approx(-0.1)
    assert log10([model.begin, a], a) == pytest.approx(-0.125 - 0.25 - 0.6)
    assert log10([b], b) == -math.inf
    # "b a" is not in the file: its probability is what backing off gives, here 0, and it has no
    # backoff weight of its own.
    assert log10([b], a) == -math.inf
    assert log10([b, a], b) == pytest.approx(-0.05)
    assert log10([b, a], a) == pytest.approx(-0.25 - 0.6)
    assert model.n_ngrams == 4 + 3 + 2


def test_missing_end_of_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bare.arpa"
    path.write_text("\\data\\\nngram 1=1\n\n\\1-grams:\n-0.0 a\n\n\\end\\\n")
    model, words = read_arpa(path)
    assert words == ("a",)
    assert model.score([0]) == -math.inf


GOOD = (
    "\\data\\\nngram 1=2\nngram 2=1\n\n"
    "\\1-grams:\n-1\ta\t-0.1\n-1\t</s>\n\n\\2-grams:\n-1\ta a\n\n\\end\\\n"
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\\n", "", r"line 11: there is no \\data\\ line"),
        ("ngram 1=2\nngram 2=1\n", "", "line 4: there is no 'ngram 1=...'|line"),
        ("ngram 2=1", "ngram 3=1", r"line 3: item 'ngram 3=1': expected 'ngram 2=...'"),
        ("ngram 1=2", "ngram 1=3", r"line 5: the section has 2 n-grams, \\data\\ says 3"),
        ("\\2-grams:", "\\3-grams:", r"line 9: item .*: expected \\2-grams:"),
        ("-1\ta a", "-1\ta c", "line 10: item 'c': is not among the unigrams"),
        ("-1\ta a", "-1\ta", "line 10: item .*: expected a number, 2 tokens"),
        ("-1\ta a", "-1\ta a\t-1", "line 10: item .*: expected a number, 2 tokens"),
        ("-1\ta a", "x\ta a", "line 10: item 'x': is not a number"),
        ("-1\ta a", "nan\ta a", "line 10: item 'nan': is not a logarithm"),
        ("-1\ta\t-0.1", "-1\ta\ta", "line 6: item 'a': is not a number"),
        ("-1\t</s>", "-1\ta", "line 7: the same n-gram is in line 6"),
        ("\\end\\\n", "", r"line 11: the file is cut short: expected \\end\\"),
    ],
)
def test_damaged_files(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.arpa"
    path.write_text(GOOD)
    read_arpa(path)
    assert GOOD.replace(old, new) != GOOD
    path.write_text(GOOD.replace(old, new))
    with pytest.raises(FormatError, match=message):
        read_arpa(path)


def test_names_that_no_file_can_hold(tmp_path: Path) -> None:
    model, path = train([0, 1], [0, 2], n_words=2, order=2), tmp_path / "x.arpa"
    for words, message in [
        (["a", "b c"], r"item 'b c': at 1: ' ' U\+0020 separates tokens .* cannot be in one"),
        (["a", "b\u3000"], r"U\+3000 separates"),
        (["a", "a"], "item 'a': two words have one name"),
        (["a", "<s>"], "cannot be the name"),
        (["a", ""], "cannot be the name"),
        (["a"], "1 names for a model of 2 words"),
    ]:
        with pytest.raises(GlyphoneError, match=message):
            write_arpa(model, words, path)
    assert not path.exists()
