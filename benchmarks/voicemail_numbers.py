"""Telephone numbers in voicemail: tables 3 to 5 of Jansche and Abney (2002), on generated messages.

    python benchmarks/voicemail_numbers.py [--peers build/peers] [--test 1869] [--tagged 26000]

Ours is a model of `make models`; it and the CRF learn from the messages that the generator makes
for that one, clean and with recogniser's noise, and all are measured on messages of other templates
and names, and on those written by hand. `digits` are runs of four, seven or ten of zero to nine;
`extract` is the grammar, `prune` keeps four digits or more, `classify` decides. Beside them a
regular expression as one would write it, runs of number words put into digits by text2num, and a
linear-chain CRF (sklearn-crfsuite); the last two where they are installed. Strict: the words of a
number and no others; containing: all words of one number and of no other. Digits: the share of all
numbers that are found with the right words and digits. The interval is of strict F, 95 %, by
drawing messages again 500 times. Messages a second are of CPU time, without a first block.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from glyphone.voicemail.candidates import Finder, Options, model
from glyphone.voicemail.generator import generate
from glyphone.voicemail.generator_noise import Noise
from glyphone.voicemail.generator_records import Message, read_messages
from glyphone.voicemail.model import load
from glyphone.voicemail.vocabulary import bare

ROOT = Path(__file__).parents[1]
HANDWRITTEN = ROOT / "tests/glyphone/voicemail/handwritten.jsonl"
LEARNT = ROOT / "build/eng/voicemail.jsonl"
BLOCK = 500
Found = tuple[int, int, str]  # begin, end, digits and extension
Words = Sequence[str]
System = Callable[[Sequence[Words]], list[list[Found]]]

DIGITS = dict(
    zip("zero one two three four five six seven eight nine".split(), "0123456789", strict=True)
)
OTHERS = """
    oh ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty
    forty fifty sixty seventy eighty ninety hundred thousand double triple
""".split()
ONE = f"(?:{'|'.join(DIGITS)}|oh)"
PATTERN = re.compile(
    rf"(?<!\S)(?:area code )?(?:one )?(?:(?:{ONE} ){{3}})?(?:{ONE} ){{6}}{ONE}"
    rf"(?: extension(?: {ONE}){{1,5}})?(?!\S)|(?<!\S)extension(?: {ONE}){{2,5}}(?!\S)"
)


def digits_baseline(messages: Sequence[Words]) -> list[list[Found]]:
    """Maximal runs of four, seven or ten of the words zero to nine."""
    return [
        [(b, e, text) for b, e, text in runs(words, DIGITS) if e - b in (4, 7, 10)]
        for words in messages
    ]


def runs(words: Words, known: Any) -> Iterator[Found]:
    begin = 0
    while begin < len(words):
        end = begin
        while end < len(words) and bare(words[end]) in known:
            end += 1
        if end > begin:
            yield begin, end, "".join(DIGITS.get(bare(word), "0") for word in words[begin:end])
        begin = end + 1


def regular_expression(messages: Sequence[Words]) -> list[list[Found]]:
    """Seven or ten digits in words, with what people say around them; or an extension."""
    found = []
    for words in messages:
        text = " ".join(map(bare, words))
        row = []
        for match in PATTERN.finditer(text):
            begin = text[: match.start()].count(" ")
            number, _, extension = match[0].partition("extension")
            parts = ["".join(DIGITS.get(w, "0" if w == "oh" else "") for w in part.split())
                     for part in (number, extension)]  # fmt: skip
            row.append((begin, begin + match[0].count(" ") + 1, joined(*parts)))
        found.append(row)
    return found


def joined(digits: str, extension: str) -> str:
    return f"{digits}x{extension}" if digits and extension else digits or extension


def number_words() -> System | None:
    """Runs of number words that text2num puts into 4, 7, 10 or 11 digits."""
    try:
        from text_to_num import alpha2digit
    except ImportError:
        return None
    known = {*DIGITS, *OTHERS}

    def find(messages: Sequence[Words]) -> list[list[Found]]:
        found = []
        for words in messages:
            row = []
            for begin, end, _ in runs(words, known):
                text = alpha2digit(" ".join(map(bare, words[begin:end])), "en")
                digits = re.sub(r"\s", "", text).replace("oh", "0")
                if digits.isdigit() and len(digits) in (4, 7, 10, 11):
                    row.append((begin, end, digits))
            found.append(row)
        return found

    return find


def tagger(messages: Sequence[Message]) -> System | None:
    """A linear-chain CRF over words, their neighbours and whether they are number words."""
    try:
        from sklearn_crfsuite import CRF
    except ImportError:
        return None
    learner = CRF(algorithm="lbfgs", c1=0.1, c2=0.1, max_iterations=100)
    labels = []
    for message in messages:
        row = ["O"] * len(message.words)
        for number in message.numbers:
            if number.digits is not None:
                row[number.begin : number.end] = ["I"] * (number.end - number.begin)
                row[number.begin] = "B"
        labels.append(row)
    learner.fit([columns(message.words) for message in messages], labels)

    def find(given: Sequence[Words]) -> list[list[Found]]:
        found = []
        for row in learner.predict([columns(words) for words in given]):
            begins = [k for k, label in enumerate(row) if label == "B"]
            ends = [next((e for e in range(b + 1, len(row)) if row[e] != "I"), len(row))
                    for b in begins]  # fmt: skip
            found.append([(b, e, "") for b, e in zip(begins, ends, strict=True)])
        return found

    return find


def columns(words: Words) -> list[dict[str, str | bool]]:
    plain = [*map(bare, words)]
    known = [word in DIGITS or word in OTHERS for word in plain]
    return [
        {
            f"{name}{off}": value[place + off] if 0 <= place + off < len(plain) else "<>"
            for off in range(-4, 5)
            for name, value in (("word", plain), ("number", known))
        }
        for place in range(len(plain))
    ]


def grammar(fewest: int) -> System:
    finder = Finder(model(), options=Options(fewest=fewest))
    return lambda messages: [
        [(one.begin, one.end, joined(one.digits, one.extension)) for one in row]
        for row in finder.find(messages)
    ]


def classifier(name: str) -> System:
    trained = load(name).numbers
    return lambda given: [
        [(one.begin, one.end, joined(one.digits, one.extension)) for one in row if one.kept]
        for row in trained.find(given)
    ]


@dataclass(frozen=True)
class Table:
    """For each message: numbers found, numbers there, right by words, by digits, by containing."""

    counts: Any

    def strict(self) -> tuple[float, float, float]:
        return shares(*self.counts.sum(0)[[2, 2, 0, 1]])

    def containing(self) -> tuple[float, float, float]:
        return shares(*self.counts.sum(0)[[4, 5, 0, 1]])

    def digits(self) -> float:
        return float(self.counts[:, 3].sum() / self.counts[:, 1].sum())

    def interval(self, seed: int) -> tuple[float, float]:
        draws = np.random.default_rng(seed)
        found = [
            Table(self.counts[draws.integers(0, len(self.counts), len(self.counts))]).strict()[2]
            for _ in range(500)
        ]
        low, high = np.quantile(found, [0.025, 0.975])
        return float(low), float(high)


def shares(hits: float, reached: float, found: float, there: float) -> tuple[float, float, float]:
    precision, recall = hits / max(found, 1), reached / max(there, 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-12)


def counted(found: Sequence[Sequence[Found]], messages: Sequence[Message]) -> Table:
    rows = []
    for row, message in zip(found, messages, strict=True):
        there = {
            (number.begin, number.end): joined(number.digits, number.extension)
            for number in message.numbers
            if number.digits is not None
        }
        inside = [[s for s in there if b <= s[0] and s[1] <= e] for b, e, _ in row]
        rows.append(
            (
                len(row),
                len(there),
                sum((b, e) in there for b, e, _ in row),
                sum(there.get((b, e)) == digits for b, e, digits in row),
                sum(len(spans) == 1 for spans in inside),
                len({span for spans in inside for span in spans}),
            )
        )
    return Table(np.array(rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", default="eng.voicemail")
    parser.add_argument("--train", default=str(LEARNT), help="what it was learnt from")
    parser.add_argument("--tagged", type=int, default=26_000, help="how many the CRF learns from")
    parser.add_argument("--test", type=int, default=1869)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by", choices=["sounds", "letters"], default="sounds")
    parser.add_argument("--peers", metavar="FOLDER", help="an environment with text2num and CRF")
    given = parser.parse_args()
    seed = given.seed
    if given.peers:  # behind our own packages
        sys.path += map(str, Path(given.peers).glob("lib/python*/site-packages"))

    def messages(offset: int, rate: float | None = None) -> list[Message]:
        noise = Noise(rate=rate, by=given.by) if rate else None
        return list(generate(given.test, seed=seed + offset, part="test", noise=noise))

    everything = list(read_messages(given.train))
    # Evenly, so that there are as many of each sort.
    learnt = everything[:: max(1, len(everything) // given.tagged)][: given.tagged]
    print(
        f"numbers: {given.model}; the CRF learns from {len(learnt)} of {len(everything)} messages"
    )
    systems: list[tuple[str, System | None]] = [
        ("digits", digits_baseline),
        ("regular expression", regular_expression),
        ("text2num", number_words()),
        ("sklearn-crfsuite", tagger(learnt)),
        ("extract", grammar(1)),
        ("extract + prune", grammar(4)),
        ("extract + classify", classifier(given.model)),
    ]
    tests = {
        "clean": messages(5000),
        "noise .23": messages(6000, 0.23),
        "noise .35": messages(7000, 0.35),
        "by hand": list(read_messages(HANDWRITTEN)),
    }
    for name, test in tests.items():
        n_numbers = sum(one.digits is not None for m in test for one in m.numbers)
        print(f"\n{name}: {len(test)} messages, {n_numbers} numbers, seed {seed}")
        print(f"{'':20}   P    R    F   95 % of F    containing      digits  messages/s")
        for title, system in systems:
            if system is None:
                print(f"{title:20} not installed")
                continue
            show(title, system, test, seed)


def show(title: str, system: System, test: Sequence[Message], seed: int) -> None:
    given = [message.words for message in test]
    system(given[:BLOCK])
    began = time.process_time()
    found = [row for k in range(0, len(given), BLOCK) for row in system(given[k : k + BLOCK])]
    rate = len(given) / max(time.process_time() - began, 1e-9)
    table = counted(found, test)
    p, r, f = table.strict()
    cp, cr, cf = table.containing()
    low, high = table.interval(seed)
    print(
        f"{title:20} {p:.3f} {r:.3f} {f:.3f} {low:.3f}-{high:.3f}  {cp:.3f} {cr:.3f} {cf:.3f}"
        f"  {table.digits():.3f} {rate:8.0f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
