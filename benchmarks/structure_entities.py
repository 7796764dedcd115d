"""Named entities by semi-Markov fields of segments: JNLPBA 2004, and CoNLL-2002.

    python benchmarks/structure_entities.py [--shared ../shared/data] [--cache FOLDER]

JNLPBA (train, rebuilt from the standoff: see its PROVENANCE.md): the first 1,800 of 2,000 documents
to learn from, the others to measure on; these are development figures. Tags and chunks are those of
two fields of ours, learnt from CoNLL-2000; with --cache the tagged sentences are kept there. The
tables are those of Okanohara, Miyao, Tsuruoka and Tsujii (2006): the shares of spans and of right
phrases that the filter keeps; few sentences without and with the filter; all sentences, without
features of whole segments, without the phrase before. Then CoNLL-2002, from words alone: train to
learn from, testa to measure on.

Left and right are F of phrases whose kind and that end are right. MiB is the memory that training
takes beside the data, CPU seconds are those of training, and sentences/s of tagging.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Iterator
from collections.abc import Sequence as Many
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glyphone.data.kernels import jit
from glyphone.data.lines import read_lines
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import phrases_of, score_phrases
from glyphone.data.treebanks.conll import read_conll, write_conll
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.semimarkov.bayes import SpanFilter
from glyphone.learners.semimarkov.estimator import SemiMarkovCRF, kinds_of
from glyphone.learners.semimarkov.segments import gold_segments, spans_within
from glyphone.learners.semimarkov.templates import default_filter, default_templates
from glyphone.learners.semimarkov.values import TokenValues

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT, HELD_OUT = "###MEDLINE:", 0.1
COLUMNS = ("pos", "chunk")
THRESHOLDS = (1e-2, 1e-4, 1e-6, 1e-9, 1e-12, 1e-15)
LONGEST = 10
WORD = "u0:%x[0,0]\nu-1:%x[-1,0]\nu1:%x[1,0]\nu2:%x[-1,0]/%x[0,0]\nu3:%x[0,0]/%x[1,0]\n"
ENDS = "".join(f'u{k}:%m[0,0,"{".?" * (k - 5)}.$"]\n' for k in range(6, 9))
SHAPES = 'u9:%t[0,0,"^\\u"]\nu10:%t[0,0,"\\d"]\nu11:%t[0,0,"-"]\nu12:%t[0,0,"^\\U*$"]\n'
TAGS = "".join(f"ut{k}:%x[{k},pos]\n" for k in (-2, -1, 0, 1, 2))
PAIRS = "up-1:%x[-1,pos]/%x[0,pos]\nup1:%x[0,pos]/%x[1,pos]\n"


@dataclass(frozen=True)
class Result:
    """The scores of a learner on sentences that it has not seen, and what it took to learn."""

    whole: Any
    left: float
    right: float
    kept: float
    recall: float
    mib: float
    seconds: float
    speed: float

    def __str__(self) -> str:
        shares = (self.whole.precision, self.whole.recall, self.whole.f, self.left, self.right)
        return (
            f"{' '.join(f'{100 * x:6.2f}' for x in shares)} {100 * self.kept:6.2f}"
            f" {100 * self.recall:7.2f} {self.mib:6.0f} {self.seconds:7.1f} {self.speed:7.0f}"
        )


HEAD = (
    f"{'':34} {'P':>6} {'R':>6} {'F':>6} {'left':>6} {'right':>6} {'kept %':>6}"
    f" {'right %':>7} {'MiB':>6} {'CPU s':>7} {'sent./s':>7}"
)


def documents(path: Path) -> Iterator[list[Sequence]]:
    """The sentences of each document."""
    found: list[Sequence] = []
    rows: list[list[str]] = []
    for _, line in read_lines(path):
        if line.strip() and not line.startswith(DOCUMENT):
            rows.append(line.split("\t"))
            continue
        if rows:
            tokens, labels = zip(*rows, strict=True)
            found.append(Sequence(tokens, {}, labels))
        if line.startswith(DOCUMENT) and found:
            yield found
            found = []
        rows = []
    if found:
        yield found


def add_tags(sentences: list[Sequence], train: Path, iterations: int) -> list[Sequence]:
    """Sentences with parts of speech and chunks, by fields of ours."""
    known = [*read_conll(train, columns=("token", "pos", "label"))]
    options: dict[str, Any] = {"max_iter": iterations, "weights": "seen", "rho1": 0.5}
    began = time.process_time()
    tagger = SequenceCRF(templates=f"{WORD}{ENDS}{SHAPES}B", **options)
    tagger.fit([one.tokens for one in known], [one.columns["pos"] for one in known])
    chunker = SequenceCRF(templates=f"{WORD}{TAGS}{PAIRS}B", **options).fit(known)
    tagged = [
        Sequence(one.tokens, {"pos": tags}, one.labels)
        for one, tags in zip(sentences, tagger.predict(sentences), strict=True)
    ]
    found = [
        Sequence(one.tokens, {**one.columns, "chunk": chunks}, one.labels)
        for one, chunks in zip(tagged, chunker.predict(tagged), strict=True)
    ]
    print(f"tagged by fields of CoNLL-2000, {time.process_time() - began:.0f} CPU s", flush=True)
    return found


def jnlpba(shared: Path, cache: Path | None, iterations: int) -> list[list[Sequence]]:
    """The sentences to learn from, and those to measure on, with tags and chunks."""
    parts = [*documents(shared / "jnlpba" / "train.rebuilt.iob2.gz")]
    cut = len(parts) - round(HELD_OUT * len(parts))
    n = sum(map(len, parts[:cut]))
    columns, kept = ("token", *COLUMNS, "label"), None
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
        kept = cache / "jnlpba.tagged.gz"
    if kept is not None and kept.exists():
        sentences = [*read_conll(kept, columns=columns)]
    else:
        sentences = [sentence for part in parts for sentence in part]
        sentences = add_tags(sentences, shared / "conll2000" / "train.txt.gz", iterations)
        if kept is not None:
            write_conll(sentences, kept, columns=columns, separator="\t")
    print(f"\nJNLPBA, {cut} documents of {n} sentences to learn from, {len(parts) - cut} to test")
    return [sentences[:n], sentences[n:]]


def without_columns(sentences: Many[Sequence]) -> list[Sequence]:
    return [Sequence(one.tokens, {}, one.labels) for one in sentences]


def filter_table(train: Many[Sequence], test: Many[Sequence]) -> None:
    """The shares of spans, and of right phrases, that filters keep."""
    print(f"\n{'filter':22} {'threshold':>9} {'train %':>8} {'right %':>8} {'test %':>8} right %")
    kinds = kinds_of([one.labels for one in train])
    for name, columns in (("words", ()), ("words, chunks", ("chunk",)), ("and tags", COLUMNS)):
        known = TokenValues.learn(train, ["word", *columns])
        gold = [
            gold_segments([one.labels for one in part], kinds, max_length=LONGEST)[0].phrases()
            for part in (train, test)
        ]
        found = SpanFilter.learn(known, gold[0], LONGEST, default_filter(columns))
        shares = []
        for values, right in zip(
            (known, TokenValues(test, known.known)), gold, strict=True
        ):  # fmt: skip
            inside = spans_within(values.bounds, LONGEST)
            sure = found.probabilities(values, LONGEST)
            of_right = sure[right.lasts, right.lasts - right.begins]
            shares.append(
                [((sure[inside] >= x).mean(), (of_right >= x).mean()) for x in THRESHOLDS]
            )
        for threshold, *row in zip(THRESHOLDS, *shares, strict=True):
            cells = " ".join(f"{100 * share:8.2f}" for pair in row for share in pair)
            print(f"{name:22} {threshold:9.0e} {cells}")


def one_end(labels: Many[Many[str]], end: str) -> list[set[tuple[int, str]]]:
    """One end of each phrase, and its kind."""
    return [{(getattr(one, end), one.kind) for one in phrases_of(row)} for row in labels]


def end_score(gold: Many[Many[str]], given: Many[Many[str]], end: str) -> float:
    """F of phrases by one of their ends."""
    pairs = [*zip(one_end(gold, end), one_end(given, end), strict=True)]
    right = sum(len(one & other) for one, other in pairs)
    return 2 * right / max(sum(len(one) + len(other) for one, other in pairs), 1)


def peak_mib() -> float:
    """The most memory that this process has had; `getrusage` counts that of its parent, too."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = status.read_text(encoding="utf-8").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("VmHWM:"))) / 1024


def learn(learner: SemiMarkovCRF, train: Many[Sequence], test: Many[Sequence]) -> Result:
    before, began = peak_mib(), time.process_time()
    learner.fit(train)
    seconds, mib = time.process_time() - began, peak_mib() - before
    learner.predict(test[:10])
    began = time.process_time()
    found = learner.predict(test)
    speed = len(test) / max(time.process_time() - began, 1e-9)
    gold = [one.labels for one in test]
    ends = (end_score(gold, found, end) for end in ("begin", "end"))
    return Result(
        score_phrases(gold, found)[""], *ends, learner.filter_kept_, learner.filter_recall_, mib,
        seconds, speed,
    )  # fmt: skip


def work(sender: Any, train: Many[Sequence], test: Many[Sequence], options: Any) -> None:
    """Learns once to have the kernels in memory, then again to be measured."""
    jit.end_plain_tier()
    SemiMarkovCRF(**{**options, "max_iter": 1}).fit(train[:20]).predict(test[:1])
    sender.send(learn(SemiMarkovCRF(**options), train, test))


@dataclass(frozen=True)
class Rows:
    """How rows of tables are learnt: each in a process of its own, whose memory is measured, or in
    this one, which is quicker.
    """

    apart: bool

    def show(
        self, name: str, train: Many[Sequence], test: Many[Sequence], **options: Any
    ) -> None:  # fmt: skip
        given = {"max_length": LONGEST, **options}
        found = (
            self.learn_apart(name, train, test, given)
            if self.apart
            else learn(SemiMarkovCRF(**given), train, test)
        )
        print(f"{name:34} {found}", flush=True)

    def learn_apart(
        self, name: str, train: Many[Sequence], test: Many[Sequence], options: Any
    ) -> Result:
        context = multiprocessing.get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        child = context.Process(target=work, args=(sender, train, test, options))
        child.start()
        sender.close()
        try:
            found: Result = receiver.recv()
        except EOFError:
            child.join()
            raise SystemExit(f"{name}: the process ended with {child.exitcode}") from None
        child.join()
        return found


def some_of(sentences: list[Sequence], n: int | None) -> list[Sequence]:
    """So many sentences from all parts of a list, or all of them."""
    return sentences if n is None else sentences[:: max(1, len(sentences) // n)][:n]


def lines_without(text: str, *beginnings: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith(beginnings))


def tables_of_entities(
    rows: Rows, train: list[Sequence], test: list[Sequence], few: int, most: int
) -> None:
    filter_table(train, test)
    chunks = default_filter(["chunk"])
    every = default_templates(COLUMNS)
    some = some_of(train, few)
    print(f"\n{len(some)} sentences\n{HEAD}")
    common: dict[str, Any] = {"max_iter": most, "filter_templates": chunks}
    for threshold in (1e-6, 1e-12, 1e-15, None):
        name = f"filter {threshold:.0e}" if threshold else "no filter"
        rows.show(name, some, test, templates=every, filter=threshold, **common)
    whole = [f"end {name}-1" for name in ("word", *COLUMNS)]
    print(f"\n{len(train)} sentences\n{HEAD}")
    for threshold in (1e-6, 1e-12, 1e-15):
        name = f"filter {threshold:.0e}"
        rows.show(name, train, test, templates=every, filter=threshold, **common)
    for name, templates in {
        "without whole segments": lines_without(every, "whole", "length", "again", *whole),
        "without the phrase before": lines_without(every, "preceding"),
        "phrase before, and word before": f"{every}\npreceding word-1",
    }.items():
        rows.show(name, train, test, templates=templates, filter=1e-6, **common)
    alone = [without_columns(part) for part in (train, test)]
    rows.show("words alone", *alone, max_iter=most)


def conll2002(rows: Rows, folder: Path, sentences: int | None, most: int) -> None:
    print(f"\nCoNLL-2002, words alone\n{HEAD}")
    for code in ("esp", "ned"):
        train, test = (
            without_columns(
                [*read_conll(folder / f"{code}.{part}.gz", columns=("token", "pos", "label"),
                             scheme="iob1")]
            )
            for part in ("train", "testa")
        )  # fmt: skip
        train = some_of(train, sentences)
        rows.show(f"{code}, {len(train)} sentences", train, test, max_iter=most)


def main(argv: Many[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="of tagged sentences")
    parser.add_argument("--few", type=int, default=2000, help="sentences of the second table")
    parser.add_argument("--sentences", type=int, help="to learn from at most")
    parser.add_argument("--test", type=int, help="sentences to measure on at most")
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--tagger-iterations", type=int, default=60)
    parser.add_argument(
        "--together", action="store_true", help="all rows in this process: memory is not measured"
    )
    asked = parser.parse_args(argv)
    rows = Rows(apart=not asked.together)
    absent = [name for name in ("jnlpba", "conll2000") if not (asked.shared / name).is_dir()]
    if absent:
        print(f"JNLPBA: skipped, {asked.shared / absent[0]} is absent")
    else:
        train, test = jnlpba(asked.shared, asked.cache, asked.tagger_iterations)
        train = some_of(train, asked.sentences)
        tables_of_entities(rows, train, test[: asked.test], asked.few, asked.iterations)
    folder = asked.shared / "conll2002"
    if folder.is_dir():
        conll2002(rows, folder, asked.sentences, asked.iterations)
    else:
        print(f"CoNLL-2002: skipped, {folder} is absent")


if __name__ == "__main__":
    main()
