"""Telephone numbers in voicemail: tables 3 to 5 of Jansche and Abney (2002), on generated messages.

    python benchmarks/voicemail_numbers.py [--peers build/peers] [--seeds 3] [--test 1869]

Ours is a model of `make models`; it and the CRF learn from the messages that the generator makes
for that one, clean and with recogniser's noise, and all are measured on messages of other templates
and names, of several seeds together, and on those written by hand. `digits` are runs of four, seven
or ten of zero to nine; `extract` is the grammar, `prune` keeps four digits or more, `classify`
decides; its figures are told for each seed, too. Beside them a regular expression as one would
write it, runs of number words put into digits by text2num, and a linear-chain CRF
(sklearn-crfsuite), kept in build/ for the next time; the last two where they are installed. Strict:
the words of a number and no others; containing: all words of one number and of no other. Digits:
the share of all numbers that are found with the right words and digits; a tagger gives none. The
interval is of strict F, 95 %, by the bootstrap over messages. Messages a second are of CPU
time, without a first block.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from peers import add_environment
from voicemail_number_peers import (
    Found,
    System,
    digits_baseline,
    number_words,
    regular_expression,
    tagger,
)
from voicemail_peers import learnt_messages

from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.generator.noise import Noise
from glyphone.voicemail.measuring import join_digits, tally_numbers
from glyphone.voicemail.model import load
from glyphone.voicemail.proposals.finder import Finder, ProposalOptions, load_grammar
from glyphone.voicemail.records.messages import Message, read_messages

ROOT = Path(__file__).parents[1]
HANDWRITTEN = ROOT / "tests/glyphone/voicemail/handwritten.jsonl"
BLOCK = 500


def grammar(fewest: int) -> System:
    finder = Finder(load_grammar(), options=ProposalOptions(fewest=fewest))
    return lambda messages: [
        [(one.begin, one.end, join_digits(one.digits, one.extension)) for one in row]
        for row in finder.find(messages)
    ]


def classifier(name: str) -> System:
    trained = load(name).numbers
    return lambda given: [
        [(one.begin, one.end, join_digits(one.digits, one.extension)) for one in row if one.kept]
        for row in trained.find(given)
    ]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", default="eng.voicemail")
    parser.add_argument("--train", help="what it was learnt from (default: generated again)")
    parser.add_argument("--tagged", type=int, default=1_000_000, help="most that the CRF learns")
    parser.add_argument("--test", type=int, default=1869)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=3, help="so many from the seed on, together")
    parser.add_argument("--by", choices=["sounds", "letters"], default="sounds")
    parser.add_argument("--peers", metavar="FOLDER", help="an environment with text2num and CRF")
    given = parser.parse_args(argv)
    seed = given.seed
    add_environment(given.peers)

    def messages(offset: int, rate: float | None = None) -> list[Message]:
        noise = Noise(rate=rate, by=given.by) if rate else None
        seeds = range(seed + offset, seed + offset + given.seeds)
        return [
            message
            for one in seeds
            for message in generate(given.test, seed=one, part="test", noise=noise)
        ]

    everything = learnt_messages(given.train)
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
            found = show(title, system, test, seed)
        for first in range(0, len(test), given.test) if name != "by hand" else ():
            part = slice(first, first + given.test)
            strict, _, digits = tally_numbers(found[part], test[part])
            told = f"{strict.precision:.3f} {strict.recall:.3f}, digits {digits.recall:.3f}"
            print(f"  of these {len(test[part])}: {told}")


def show(
    title: str, system: System, test: Sequence[Message], seed: int
) -> Sequence[Sequence[Found]]:
    """Prints the row of a system; returns what it found."""
    given = [message.words for message in test]
    system(given[:BLOCK])
    began = time.process_time()
    found = [row for k in range(0, len(given), BLOCK) for row in system(given[k : k + BLOCK])]
    rate = len(given) / max(time.process_time() - began, 1e-9)
    strict, contained, digits = tally_numbers(found, test)
    low, high = strict.intervals(seed=seed)["f"]
    told = any(digits for row in found for *_, digits in row)
    shares = (
        " ".join(f"{value:.3f}" for value in (one.precision, one.recall, one.f))
        for one in (strict, contained)
    )
    print(
        f"{title:20} {next(shares)} {low:.3f}-{high:.3f}  {next(shares)}"
        f"  {f'{digits.recall:.3f}' if told else '    -'} {rate:8.0f}",
        flush=True,
    )
    return found


if __name__ == "__main__":
    main()
