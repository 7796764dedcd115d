"""Named entities in two phases, on the data of CoNLL-2002 and on historical newspapers.

    python benchmarks/named_entities.py [--shared ../shared/data]

CoNLL-2002: train on train, report testa; F of phrases without kinds, the share of gold phrases
whose kind is found, F of phrases with their kinds; beside them what Jansche (2002) printed. Words
are all that is looked at; one row has the part-of-speech columns too, one classes of words of
train. Contexts and features were chosen by cross-validation within train, but testa was in view:
these are development figures.

Newspapers (Europeana, OCR): sentences end at .!? or after 50 tokens; the last fifth of each file is
for testing. CoNLL-2000: chunks, and part-of-speech tags, by the same tagger; the last fifth of
train is for testing. Seconds are of CPU; tokens per second are those of the second of two runs
over the test part, both phases, in one process.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from collections.abc import Sequence as Many
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from glyphone.data.lines import read_lines
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import (
    PhraseScore,
    bio_of_iob1,
    phrases_of,
    score_phrases,
)
from glyphone.data.treebanks.conll import read_conll
from glyphone.learners.clusters.estimator import WordClasses
from glyphone.learners.entities.phrases import PhraseFeatures
from glyphone.learners.entities.recognizer import EntityRecognizer
from glyphone.learners.entities.tagger import CHAINS, MarkovTagger
from glyphone.tagging.measuring import kind_share

ROOT = Path(__file__).resolve().parents[1]
PAPER = {"esp": (87.23, 82.17, 72.04), "ned": (85.19, 76.39, 65.92)}
# Words at the ends of a phrase, and on each side of it, that the paper looks at.
WINDOWS = {"esp": (6, 1), "ned": (3, 2)}
ONE_CHAIN = ("word word-1", "word case-1", "word", "shape word-1", "shape case-1", "case", "")
POS = (("word pos", "suffix3 pos", "known pos", "pos", ""),
       ("known pos-1 pos pos+1", "pos-1 pos pos+1", "pos pos+1", "pos", ""))  # fmt: skip
EUROPEANA = {"DE.lft": "German", "FR.bnf": "French", "NL.kb": "Dutch"}
LONGEST = 50


@dataclass(frozen=True)
class Result:
    """The scores of one setting on sentences that it has not seen."""

    extraction: PhraseScore
    classification: float
    kinds: dict[str, PhraseScore]
    fit_seconds: float
    tokens_per_second: float


def result_of(recognizer: Any, train: list[Sequence], test: list[Sequence]) -> Result:
    began = time.process_time()
    recognizer.fit(train)
    fitted = time.process_time()
    recognizer.predict(test)
    ready = time.process_time()
    given = recognizer.predict(test)
    seconds = time.process_time() - ready
    gold = [sentence.labels for sentence in test]
    phrases = [phrases_of(labels) for labels in gold]
    tokens = sum(len(sentence.tokens) for sentence in test)
    return Result(
        score_phrases(gold, given, kinds=False)[""],
        kind_share(phrases, recognizer.classify(test, phrases)).f,
        score_phrases(gold, given),
        fitted - began, tokens / seconds,
    )  # fmt: skip


def recognizer_of_paper(chain: tuple[str, ...], inner: int, outer: int) -> EntityRecognizer:
    """One chain and naive Bayes, as the paper has them."""
    naive = make_pipeline(
        PhraseFeatures(inner=inner, outer=outer, near=0), MultinomialNB(alpha=0.1)
    )
    return EntityRecognizer(tagger=MarkovTagger(chains=[chain], cv=0), classifier=naive)


HEAD = (
    f"{'':24} {'P':>6} {'R':>6} {'F':>6}   {'kinds':>6}   {'P':>6} {'R':>6} {'F':>6}"
    f" {'CPU s':>6} {'tokens/s':>9}"
)


def line(name: str, found: Result) -> str:
    def shown(score: PhraseScore) -> str:
        return " ".join(f"{100 * x:6.2f}" for x in (score.precision, score.recall, score.f))

    return (
        f"{name:24} {shown(found.extraction)}   {100 * found.classification:6.2f}"
        f"   {shown(found.kinds[''])} {found.fit_seconds:6.1f} {found.tokens_per_second:9,.0f}"
    )


def kinds_line(found: Result) -> str:
    return (
        " " * 24
        + " F by kind: "
        + ", ".join(f"{kind} {100 * score.f:.2f}" for kind, score in found.kinds.items() if kind)
    )


def conll2002(folder: Path, code: str) -> None:
    columns = ("token", "pos", "label")
    # Two sentences of the Spanish files begin with an I.
    train, test = (
        [*read_conll(folder / f"{code}.{part}.gz", columns=columns, scheme="iob1")]
        for part in ("train", "testa")
    )
    print(f"\nCoNLL-2002 {code}, {len(train)} sentences to learn from, {len(test)} to test\n{HEAD}")
    extraction, kinds, overall = PAPER[code]
    print(f"{'Jansche (2002)':24} {extraction:20.2f}   {kinds:6.2f}   {overall:20.2f}")
    inner, outer = WINDOWS[code]
    settings = {"one chain, naive Bayes": recognizer_of_paper(ONE_CHAIN, inner, outer)}
    narrow = tuple(context for context in ONE_CHAIN if "word-1" not in context)
    flat = ("word word-1", "word", "")
    settings["  without word-1"] = recognizer_of_paper(narrow, inner, outer)
    settings["  without shapes"] = recognizer_of_paper(flat, inner, outer)
    settings["  one word at each end"] = recognizer_of_paper(ONE_CHAIN, 1, outer)
    settings["glyphone, with pos"] = EntityRecognizer(tagger=MarkovTagger(chains=CHAINS + POS))
    classes = WordClasses(min_count=1).fit(train).clusters_
    settings["glyphone, with classes"] = EntityRecognizer(clusters=classes)
    settings["glyphone"] = EntityRecognizer()
    for name, recognizer in settings.items():
        found = result_of(recognizer, train, test)
        print(line(name, found), flush=True)
    print(kinds_line(found))


def europeana(path: Path, language: str) -> None:
    sentences = [*newspaper(path)]
    cut = len(sentences) * 4 // 5
    found = result_of(EntityRecognizer(), sentences[:cut], sentences[cut:])
    print(line(language, found), kinds_line(found), sep="\n", flush=True)


def newspaper(path: Path) -> Iterator[Sequence]:
    """Sentences of a file without ends of them, with comments and here and there a broken line."""
    tokens: list[str] = []
    labels: list[str] = []
    for _, text in read_lines(path):
        cells = text.split(" ")
        if text.startswith("#") or len(cells) < 2 or not cells[0]:
            continue
        tokens.append(cells[0])
        mark, _, kind = cells[1].upper().partition("-")
        kind = {"BER": "PER"}.get(kind, kind)
        labels.append(f"{mark}-{kind}" if mark in ("B", "I") and kind else "O")
        if cells[0] in (".", "!", "?") or len(tokens) == LONGEST:
            yield Sequence(tuple(tokens), {}, bio_of_iob1(labels))
            tokens, labels = [], []
    if tokens:
        yield Sequence(tuple(tokens), {}, bio_of_iob1(labels))


def conll2000(path: Path) -> None:
    sentences = [*read_conll(path, columns=("token", "pos", "label"))]
    cut = len(sentences) * 4 // 5
    train, test = sentences[:cut], sentences[cut:]
    print(f"\nCoNLL-2000, {len(train)} sentences to learn from, {len(test)} to test")
    chunks = MarkovTagger(chains=CHAINS + POS).fit(train)
    print(
        "chunks from words and tags: "
        f"{score_phrases([s.labels for s in test], chunks.predict(test))['']}"
    )
    words = [[s.tokens for s in part] for part in (train, test)]
    tags = [[s.columns["pos"] for s in part] for part in (train, test)]
    began = time.process_time()
    tagger = MarkovTagger(scheme=None).fit(words[0], tags[0])
    fitted = time.process_time()
    accuracy = tagger.score(words[1], tags[1])
    speed = sum(len(s.tokens) for s in test) / (time.process_time() - fitted)
    print(
        f"part-of-speech tags from words: {100 * accuracy:.2f} % right,"
        f" {fitted - began:.1f} CPU s, {speed:,.0f} tokens/s"
    )


def main(argv: Many[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    arguments = parser.parse_args(argv)
    for name in ("conll2002", "europeana_ner", "conll2000"):
        folder = arguments.shared / name
        if not folder.is_dir():
            print(f"\n{name}: skipped, {folder} is absent")
        elif name == "conll2002":
            for code in PAPER:
                conll2002(folder, code)
        elif name == "europeana_ner":
            print(f"\nEuropeana newspapers\n{HEAD}")
            for file, language in EUROPEANA.items():
                europeana(folder / f"enp_{file}.bio.gz", language)
        else:
            conll2000(folder / "train.txt.gz")


if __name__ == "__main__":
    main()
