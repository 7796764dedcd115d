"""Rows and classes that `expected_f.py` learns from: made, or read from ../shared/data.

- sentences: in the manner of Jansche's summaries of broadcast news, of 28 numbers, some with long
  tails, and one yes or no. Sentences are of six kinds (a lead, a report, a quotation ...), each
  with features and a share of good sentences of its own: no line parts them.
- clusters: scikit-learn's `make_classification`, three clusters a class, 10 % positive.
- logistic: labels drawn from logistic regression itself, 10 % positive; nothing is to be won there.
- silent: which letters of NETtalk's words are silent, by the letter and three on either side. What
  silences a letter is several of them together, and sums of single ones fit what most letters do.
- newsgroups: messages of one group among those of twenty, another group for each seed, by the
  logarithms of the counts of the 300 words that are most frequent.
- projects: the pages of projects among four kinds of pages (WebKB), by words as before.
- excerpts: CLEAR corpus, the easiest 10 or 25 % of excerpts, by seven shallow features.
- reviews: sentences that strongly judge a product (Hu and Liu's reviews), by 15 shallow features.
- names: capitalised words at which a MISC of the Spanish CoNLL-2002 begins, by 15 shallow features.

Each seed of the first three is another sample, and each of `silent` has words that no other has. Of
the rest, seeds part the same rows anew, so that their splits are not independent of each other.
"""

from __future__ import annotations

import gzip
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from count_models import newsgroups, pages
from scipy import special
from sklearn.datasets import make_classification
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import OneHotEncoder

Array = Any
Drawn = tuple[Array, Array]
TRAIN, TEST = 3535, 4000
CELLS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
DENIALS = ("not", "no", "never", "nothing", "n't")
DEGREES = ("very", "so", "really", "too", "extremely", "absolutely", "highly")
ARTICLES = ("el", "la", "los", "las")
PREPOSITIONS = ("de", "del", "en", "a", "por", "con")


@dataclass(frozen=True)
class Task:
    """A draw with a seed: rows to learn from and rows to test, each with their classes."""

    name: str
    draw: Callable[[int], tuple[Drawn, Drawn]]


def parted(
    draw: Callable[[int], Drawn], rows: int, test: int = TEST
) -> Callable[[int], tuple[Drawn, Drawn]]:
    """So many rows to test, at random, and as many as there are, or `TRAIN`, to learn from.

    Of fewer `rows` than both the parts are as large in proportion.
    """
    share = rows / (TRAIN + TEST)

    def parts(seed: int) -> tuple[Drawn, Drawn]:
        X, y = draw(seed)
        tested = round(share * test)
        X, new_X, y, new_y = train_test_split(
            X,
            y,
            train_size=min(round(share * TRAIN), len(y) - tested),
            test_size=tested,
            random_state=seed,
            stratify=y,
        )
        return (X, y), (new_X, new_y)

    return parts


def sentences(seed: int) -> Drawn:
    """Candidates for a summary, of several kinds."""
    random, n, numbers = np.random.default_rng(seed), TRAIN + TEST, 28
    kinds = random.choice(6, n, p=[0.08, 0.3, 0.22, 0.15, 0.15, 0.1])
    lead = random.random(n) < np.where(kinds == 0, 0.9, 0.05)
    around = random.normal(size=(n, numbers))
    centres = random.normal(size=(6, numbers))
    tells = random.normal(size=(6, numbers)) / np.sqrt(numbers)
    worth = np.array([1.5, -0.5, -2.5, -3.5, -4.0, -1.0])[kinds] + (around * tells[kinds]).sum(1)
    features = centres[kinds] + around
    features[:, :10] = np.exp(0.7 * features[:, :10])  # lengths and counts
    return np.column_stack([lead, features]), random.random(n) < special.expit(worth)


def clusters(seed: int) -> Drawn:
    X, y = make_classification(
        TRAIN + TEST, 20, n_informative=6, n_redundant=4, n_clusters_per_class=3, weights=[0.9],
        flip_y=0.02, random_state=seed,
    )  # fmt: skip
    return X, y == 1


def logistic(seed: int) -> Drawn:
    random, n = np.random.default_rng(seed), TRAIN + TEST
    X = random.normal(size=(n, 20))
    return X, random.random(n) < special.expit(X @ random.normal(size=20) / 3 - 3)


def silent(path: Path, splits: int) -> Callable[[int], tuple[Drawn, Drawn]]:
    """Letters of words; no two splits, and no two parts of one, have a word in common."""
    lines = path.read_text(encoding="utf-8").splitlines()
    entries = [line.split("\t")[:2] for line in lines]
    random = np.random.default_rng(0)
    words = np.array_split(random.permutation(len(entries)), 2 * splits)
    columns = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns.fit(windows(entries))

    def draw(seed: int) -> tuple[Drawn, Drawn]:
        halves = [[entries[k] for k in words[2 * seed + half]] for half in (0, 1)]
        learn, test = ((columns.transform(windows(part)), is_silent(part)) for part in halves)
        return learn, test

    return draw


def windows(entries: Sequence[Sequence[str]]) -> list[list[str]]:
    """The seven letters around each."""
    padded = [f"###{word}###" for word, _ in entries]
    return [list(word[k : k + 7]) for word in padded for k in range(len(word) - 6)]


def is_silent(entries: Sequence[Sequence[str]]) -> Array:
    return np.array([phone == "-" for _, phones in entries for phone in phones])


def one_label(texts: Sequence[str], names: Array, wanted: Sequence[str]) -> Callable[[int], Drawn]:
    """Texts with one of some labels, in turn."""
    counts = CountVectorizer(token_pattern="[a-z]+", max_features=300, dtype=np.float64)
    X = np.log1p(counts.fit_transform(texts).toarray())

    def draw(seed: int) -> Drawn:
        rows = np.random.default_rng(seed).permutation(len(names))[: TRAIN + TEST]
        return X[rows], names[rows] == wanted[seed % len(wanted)]

    return draw


def excerpts(path: Path) -> tuple[Array, Array]:
    """Features of the CLEAR corpus's excerpts, and how easy these are to read."""
    with zipfile.ZipFile(path) as book:
        strings = [
            "".join(part.text or "" for part in item.iter(f"{CELLS}t"))
            for item in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
        ]
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    head, *rows = [dict(cells(row, strings)) for row in sheet.iter(f"{CELLS}row")]
    column = {name: letters for letters, name in head.items()}
    features = [shallow(row[column["Excerpt"]]) for row in rows]
    return np.array(features), np.array([float(row[column["BT_easiness"]]) for row in rows])


def cells(row: Any, strings: list[str]) -> Iterator[tuple[str, str]]:
    """The letters of each column, and the text in it."""
    for cell in row:
        value = cell.find(f"{CELLS}v")
        if value is not None:
            text = strings[int(value.text)] if cell.get("t") == "s" else value.text
            yield cell.get("r").rstrip("0123456789"), text


def shallow(text: str) -> list[float]:
    """Words in a sentence, letters and syllables in a word, long words, different words, commas."""
    words = re.findall(r"[A-Za-z']+", text)
    sentences = max(1, sum(bool(part.strip()) for part in re.split(r"[.!?]+\s", text)))
    letters = np.array([len(word) for word in words])
    syllables = np.array([max(1, len(re.findall("[aeiouy]+", word.lower()))) for word in words])
    return [
        len(words) / sentences, letters.mean(), syllables.mean(), (letters > 6).mean(),
        (syllables > 2).mean(), len({word.lower() for word in words}) / len(words),
        text.count(",") / sentences,
    ]  # fmt: skip


def reviews(folder: Path) -> Drawn:
    """Sentences of reviews, and whether they praise or blame as strongly as can be."""
    good, bad = (opinions(folder, kind) for kind in ("positive", "negative"))
    rows, strong = [], []
    for part in (1, 2):
        with zipfile.ZipFile(folder / f"product_reviews_{part}.zip") as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".txt") and "README" not in name:
                    for place, marks, words in sentences_of(archive.read(name).decode("latin-1")):
                        rows.append(of_review(place, words, good, bad))
                        strong.append(bool(re.search(r"\[[+-]3\]", marks)))
    return np.array(rows), np.array(strong)


def opinions(folder: Path, kind: str) -> set[str]:
    with zipfile.ZipFile(folder / "opinion_lexicon.zip") as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(f"{kind}-words.txt"))
        lines = archive.read(name).decode("latin-1").splitlines()
    return {line.strip() for line in lines if not line.startswith(";")}


def sentences_of(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """The place of each sentence in its review, what it is marked with, and its words."""
    place = 0
    for line in text.splitlines():
        marks, parted, words = line.partition("##")
        place = place + 1 if parted else 0
        if parted:
            yield place, marks, words.lower().split()


def of_review(place: int, words: list[str], good: set[str], bad: set[str]) -> list[float]:
    found = Counter(words)
    length = len(words) + 1
    praise, blame = (sum(found[word] for word in found if word in some) for some in (good, bad))
    return [
        np.log(length), place, place == 1, praise, blame, praise / length, blame / length,
        found["!"], found["?"], found[","], found["but"], found["i"], found["it"],
        sum(found[word] for word in DENIALS), sum(found[word] for word in DEGREES),
    ]  # fmt: skip


def names(path: Path) -> Drawn:
    """Capitalised words, and whether a name of the kind MISC begins there."""
    with gzip.open(path, "rt", encoding="latin-1") as file:
        parts = [part.splitlines() for part in file.read().strip().split("\n\n")]
    tokens = [
        [("", "")] + [tuple(line.split()[::2]) for line in part] + [("", "")] for part in parts
    ]
    seen = Counter(word for part in tokens for word, _ in part)
    rows, begins = [], []
    for part in tokens:
        for k, (word, label) in enumerate(part[:-1]):
            if word[:1].isupper():
                rows.append(of_name(k, part[k - 1][0], word, part[k + 1][0], seen))
                begins.append(label == "B-MISC")
    return np.array(rows), np.array(begins)


def of_name(place: int, before: str, word: str, after: str, seen: Counter[str]) -> list[float]:
    return [
        place == 1, place, len(word), word.isupper(), any(map(str.isdigit, word)), "-" in word,
        np.log(seen[word]), np.log1p(seen[word.lower()]), before[:1].isupper(),
        after[:1].isupper(), before in ('"', "("), after in ('"', ")"),
        before.lower() in ARTICLES, before in PREPOSITIONS, after in PREPOSITIONS,
    ]  # fmt: skip


def tasks(shared: Path, seeds: int, rows: int) -> Iterator[Task]:
    """All of them for which there are data, of so many rows; absent ones are reported."""
    yield Task("sentences", parted(sentences, rows))
    yield Task("clusters", parted(clusters, rows))
    yield Task("logistic", parted(logistic, rows))
    path = shared / "nettalk" / "nettalk.train.tsv"
    if present(path):
        yield Task("silent", silent(path, seeds))
    path = shared / "20news" / "20news-bydate-train.tar.xz"
    if present(path) and (messages := newsgroups(shared)):
        yield Task("newsgroups", parted(one_label(*messages, np.unique(messages[1])), rows))
    path = shared / "webkb" / "webkb-train-stemmed.txt.gz"
    if present(path) and (web := pages(shared)):
        yield Task("projects", parted(one_label(*web, ["project"]), rows, 1000))
    path = shared / "clear_corpus" / "CLEAR_corpus_final.xlsx"
    if present(path):
        X, easiness = excerpts(path)
        for share in (0.10, 0.25):
            judged = X, easiness >= np.quantile(easiness, 1 - share)
            yield Task(f"excerpts {share:.0%}", parted(lambda _, one=judged: one, rows, 1189))
    if present(shared / "sentiment_ccby"):
        judgements = reviews(shared / "sentiment_ccby")
        yield Task("reviews", parted(lambda _: judgements, rows))
    path = shared / "conll2002" / "esp.train.gz"
    if present(path):
        words = names(path)
        yield Task("names", parted(lambda _: words, rows))


def present(path: Path) -> bool:
    if not path.exists():
        print(f"{path.name}: skipped, it is absent")
    return path.exists()
