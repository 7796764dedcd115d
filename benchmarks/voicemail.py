"""Voicemail as a whole: callers and numbers of messages, and how many a second.

    python benchmarks/voicemail.py [--model eng.voicemail] [--test 1869] [--jobs 2] [--tables]
                                   [--rounds 10] [--words 50000]

The model is that of `make models`, learnt from the training part of the generator; it is tested on
the other part, whose templates and names it has not seen, clean and with 23 % of the words wrong,
and on messages written by hand. Speed is that of the second of two runs over the clean messages,
ten times, from lines of JSON to lines of JSON as the command writes them, as a ratio to json.loads,
split and json.dumps of the same lines on one core. Then come messages of 12,500, 25,000 and 50,000
words, each of which should take half the time of the next. With `--tables`, tables 1 to 5 of
Jansche and Abney (2002) come first (`voicemail_callers.py`, `voicemail_numbers.py`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from glyphone.data.lines import LineBlock
from glyphone.data.processes import map_in_processes
from glyphone.evaluation.marked import MarkedEvaluation
from glyphone.io.tables import format_table
from glyphone.recipes.voicemail import generate_messages
from glyphone.voicemail.files import VoicemailFiles, work_block
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.measuring import measure_model
from glyphone.voicemail.model import BLOCK, VoicemailModel, load
from glyphone.voicemail.records.messages import Message, read_messages

ROOT = Path(__file__).resolve().parents[1]
HANDWRITTEN = ROOT / "tests" / "glyphone" / "voicemail" / "handwritten.jsonl"
NOISE = 0.23


def accuracy(model: VoicemailModel, title: str, messages: Sequence[Message]) -> None:
    tallies = tuple(measure_model(model, messages))
    print(f"{MarkedEvaluation(title, 'messages', len(messages), tallies)}\n", flush=True)


def speed(model: VoicemailModel, messages: Sequence[Message], jobs: int, rounds: int) -> None:
    lines = [json.dumps({"text": message.text}) for message in messages] * rounds
    blocks = [LineBlock(k + 1, lines[k : k + BLOCK], 0, 0) for k in range(0, len(lines), BLOCK)]
    job = VoicemailFiles(source="-", model="", output="-")
    began = time.perf_counter()
    for line in lines:
        json.dumps({"words": json.loads(line)["text"].split()})
    floor = time.perf_counter() - began
    words = sum(len(message.words) for message in messages) / len(messages)
    print(f"{len(lines):,} messages of {words:.0f} words, JSON to JSON:")
    for threads in dict.fromkeys((1, jobs)):
        for _ in range(2):
            began, spent = time.perf_counter(), time.process_time()
            for _ in map_in_processes(
                lambda one: work_block(model, one, job), iter(blocks), jobs=threads
            ):
                pass
            taken, spent = time.perf_counter() - began, time.process_time() - spent
        cpu = f", {1e6 * spent / len(lines):.0f} us of CPU each" if threads == 1 else ""
        print(
            f"  {threads} workers: {len(lines) / taken:8,.0f} messages a second{cpu}, "
            f"{taken / floor:.1f} times json.loads, split and json.dumps"
        )


def long_messages(model: VoicemailModel, messages: Sequence[Message], longest: int) -> None:
    """CPU time of one message as it grows."""
    words = [word for message in messages for word in message.words]
    words *= 1 + longest // len(words)
    rows = [("one message of", "ms", "times that of half as many words")]
    before = None
    for size in (longest // 4, longest // 2, longest):
        model(words[:size])
        times = []
        for _ in range(5):
            began = time.process_time()
            model(words[:size])
            times.append(time.process_time() - began)
        told = "" if before is None else f"{min(times) / before:.2f}"
        rows.append((f"{size:,} words", f"{1e3 * min(times):.0f}", told))
        before = min(times)
    print("\n" + format_table(rows, "<>>"))


def print_tables(asked: argparse.Namespace) -> None:
    """The tables of the paper, by processes of their own, for peers bring modules along."""
    options = ["--model", asked.model, "--test", str(asked.test)]
    options += ["--peers", asked.peers] if asked.peers else []
    with tempfile.TemporaryDirectory() as folder:
        train = asked.train or str(generate_messages(Path(folder))[0])
        for page, *more in (["callers", "--paper", "--messages", str(asked.messages)], ["numbers"]):
            path = ROOT / "benchmarks" / f"voicemail_{page}.py"
            command = [sys.executable, str(path), *more, *options, "--train", train]
            subprocess.run(command, check=True)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", default="eng.voicemail")
    parser.add_argument("--test", type=int, default=1869)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tables", action="store_true", help="those of the paper, too")
    parser.add_argument("--train", help="what the model was learnt from (default: generated again)")
    parser.add_argument("--messages", type=int, default=8120, help="that the reference learns")
    # Workers take some time to begin.
    parser.add_argument("--rounds", type=int, default=10, help="of the messages, for their speed")
    parser.add_argument("--words", type=int, default=50_000, help="of the longest message")
    parser.add_argument("--peers", metavar="FOLDER", help="an environment with peers")
    arguments = parser.parse_args(argv)
    if arguments.tables:
        print_tables(arguments)
    model = load(arguments.model)
    print(f"voicemail: {arguments.model}, test messages by seed 2\n")
    clean = list(generate(arguments.test, seed=2, part="test"))
    accuracy(model, "clean", clean)
    heard = list(generate(arguments.test, seed=2, part="test", noise=NOISE))
    accuracy(model, f"{100 * NOISE:.0f} % of the words wrong", heard)
    accuracy(model, "written by hand", list(read_messages(HANDWRITTEN)))
    speed(model, clean, arguments.jobs, arguments.rounds)
    long_messages(model, clean, arguments.words)


if __name__ == "__main__":
    main()
