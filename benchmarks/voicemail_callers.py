"""Callers in voicemail: tables 1 to 3 of Jansche and Abney (2002), regenerated.

    python benchmarks/voicemail_callers.py [--peers build/peers] [--tagged 15000]
                                           [--paper] [--messages 8120]

All learn from generated messages, those that ours was learnt from, and are tested on others: of
templates and names that are not in training (train to test), or of the templates of the
specification's reference figures (paper to paper), clean or with 23 % of the words wrong; and on
messages that were written by hand. Beside ours, and the two models that it is the mean of (cuts:
where phrases start and how they go on; CRF: labels of words), are a regular expression, the paper's
two classifiers (start and length, trees over 45 words; they learn from clean messages), and a
linear-chain tagger of python-crfsuite over words, capitals and endings in a window of seven, which
is kept in build/ for the next time. Intervals of F, 95 %, are by the bootstrap over messages.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from peers import add_environment
from voicemail_peers import Expression, Spans, Tagger, TwoClassifiers, learnt_messages

from glyphone.evaluation.tallies import Tally
from glyphone.voicemail.callers.model import Caller, single_form
from glyphone.voicemail.callers.options import CallerForm
from glyphone.voicemail.callers.pair import CallerPair
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.measuring import tally_callers
from glyphone.voicemail.model import load
from glyphone.voicemail.records.messages import Message, read_messages
from glyphone.voicemail.training import MOST_FOR_CALLERS

ROOT = Path(__file__).resolve().parents[1]
HANDWRITTEN = ROOT / "tests" / "glyphone" / "voicemail" / "handwritten.jsonl"
NOISE = 0.23
# What the paper reports, in F: its own two classifiers, and others on its corpus.
PAPER = (
    ("caller phrase, manual", "log-linear tagger .81, two classifiers .706"),
    ("caller name, manual", "two classifiers .865"),
    ("caller phrase, ASR, containment", "two classifiers .70"),
)


class System(Protocol):
    """Learns from messages, and gives phrases and names of others."""

    def fit(self, messages: Sequence[Message]) -> None: ...

    def find(self, messages: Sequence[Message]) -> tuple[Spans, Spans]: ...


class Ours:
    """A model that has been learnt, whole or one of its two forms."""

    def __init__(self, model: CallerPair) -> None:
        self.model = model

    def fit(self, messages: Sequence[Message]) -> None:
        pass

    def find(self, messages: Sequence[Message]) -> tuple[Spans, Spans]:
        found: list[Caller] = self.model.find([message.words for message in messages])
        return [one.phrase for one in found], [one.name for one in found]


def only(model: CallerPair, form: CallerForm) -> CallerPair:
    """One of the forms that its models are of (`CallerOptions`)."""
    return CallerPair(single_form(model.written, form), single_form(model.heard, form))


HEAD = (
    f"{'':26} {'phrase P':>9} {'R':>6} {'F':>6} {'95 % of F':>12}   {'contains F':>10} {'95 %':>12}"
    f"   {'name P':>7} {'R':>6} {'F':>6} {'95 % of F':>12}"
)


def line(name: str, system: System, messages: Sequence[Message]) -> str:
    strict, within, named = tally_callers(*system.find(messages), messages)
    return (
        f"{name:26} {shown(strict, 9)} {interval(strict)}   "
        f"{100 * within.f:10.1f} {interval(within)}   {shown(named, 7)} {interval(named)}"
    )


def shown(tally: Tally, first: int) -> str:
    p, r, f = tally.precision, tally.recall, tally.f
    return f"{100 * p:{first}.1f} {100 * r:6.1f} {100 * f:6.1f}"


def interval(tally: Tally) -> str:
    """That of F."""
    low, high = tally.intervals()["f"]
    return f"{f'{100 * low:.1f}-{100 * high:.1f}':>12}"


def table(title: str, systems: dict[str, System], messages: Sequence[Message]) -> None:
    print(f"\n{title}, {len(messages)} messages\n{HEAD}")
    for name, system in systems.items():
        print(line(name, system, messages), flush=True)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", default="eng.voicemail")
    parser.add_argument("--train", help="what it was learnt from (default: generated again)")
    parser.add_argument(
        "--tagged", type=int, default=MOST_FOR_CALLERS, help="how many the CRF learns from"
    )
    parser.add_argument("--test", type=int, default=1869)
    parser.add_argument("--paper", action="store_true", help="the reference table, too")
    parser.add_argument("--messages", type=int, default=8120, help="that the reference learns")
    parser.add_argument("--peers", metavar="FOLDER", help="an environment with crfsuite")
    arguments = parser.parse_args(argv)
    add_environment(arguments.peers)
    learnt = learnt_messages(arguments.train)[:MOST_FOR_CALLERS]
    tagged = learnt[:: max(1, len(learnt) // arguments.tagged)][: arguments.tagged]
    clean = [message for message in learnt if not message.origin.get("noise")]
    systems: dict[str, System] = {"regular expression": Expression()}
    systems["two classifiers (paper)"] = TwoClassifiers()
    try:
        systems["tagger (crfsuite)"] = Tagger(ROOT / "build")
    except ImportError:
        print("python-crfsuite: skipped, it is not installed")
    ours = load(arguments.model).callers
    if ours.written.options.form == "both":
        systems["glyphone, cuts alone"] = Ours(only(ours, "cuts"))
        systems["glyphone, CRF alone"] = Ours(only(ours, "crf"))
    systems["glyphone"] = Ours(ours)
    print(
        f"callers: {arguments.model}, from {len(learnt)} messages; the tagger learns from "
        f"{len(tagged)} of them, the two classifiers from the {len(clean)} that are clean"
    )
    for name, system in systems.items():
        began = time.process_time()
        system.fit(clean if isinstance(system, TwoClassifiers) else tagged)
        print(f"  {name}: {time.process_time() - began:.0f} CPU s")
    test = list(generate(arguments.test, seed=2, part="test"))
    heard = list(generate(arguments.test, seed=2, part="test", noise=NOISE))
    table("templates and names not in training, clean (seed 2)", systems, test)
    table(f"the same with {100 * NOISE:.0f} % of the words wrong", systems, heard)
    table("written by hand", systems, list(read_messages(HANDWRITTEN)))
    if arguments.paper:
        reference = TwoClassifiers()
        reference.fit(list(generate(arguments.messages, seed=1, part="paper")))
        found = list(generate(arguments.test, seed=2, part="paper"))
        title = f"reference: paper to paper, {arguments.messages:,} messages (seeds 1, 2)"
        table(title, {"two classifiers": reference}, found)
    print("\nin the paper, F: " + "; ".join(f"{task}: {value}" for task, value in PAPER))


if __name__ == "__main__":
    main()
