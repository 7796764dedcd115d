"""Voicemail as a whole: callers and numbers of messages, and how many a second.

    python benchmarks/voicemail.py [--model eng.voicemail] [--test 1869] [--jobs 2] [--tables]

The model is that of `make models`, learnt from the training part of the generator; it is tested on
the other part, whose templates and names it has not seen, clean and with 23 % of the words wrong,
and on messages written by hand. Speed is that of the second of two runs over the clean messages, as
a ratio to json.loads and str.split of the same lines on one core; and of one message of 50,000
words beside one of 25,000, which should be half the time. With `--tables`, tables 1 to 5 of Jansche
and Abney (2002) come first (`voicemail_callers.py`, `voicemail_numbers.py`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from glyphone.scorecard import share, table
from glyphone.voicemail.generator import generate
from glyphone.voicemail.generator_records import Message, read_messages
from glyphone.voicemail.measuring import TASKS, measured
from glyphone.voicemail.model import VoicemailModel, load
from glyphone.voicemail.transcripts import transcript_of

ROOT = Path(__file__).resolve().parents[1]
HANDWRITTEN = ROOT / "tests" / "glyphone" / "voicemail" / "handwritten.jsonl"
NOISE = 0.23
LONG = 50_000


def accuracy(model: VoicemailModel, title: str, messages: Sequence[Message]) -> None:
    rows = [(f"{title}, {len(messages)} messages", "precision", "recall", "F")]
    for task, one in zip(TASKS, measured(model, messages), strict=True):
        rows.append((task, share(one.precision), share(one.recall), share(one.f)))
    print(table(rows, "<>>>") + "\n", flush=True)


def speed(model: VoicemailModel, messages: Sequence[Message], jobs: int) -> None:
    lines = [json.dumps({"text": message.text}) for message in messages]
    began = time.perf_counter()
    for line in lines:
        json.loads(line)["text"].split()
    floor = time.perf_counter() - began
    seconds = {}
    for threads in dict.fromkeys((1, jobs)):
        for _ in range(2):
            began = time.perf_counter()
            for _ in model.apply(map(transcript_of, lines), jobs=threads):
                pass
            seconds[threads] = time.perf_counter() - began
    words = sum(len(message.words) for message in messages) / len(messages)
    print(f"{len(lines)} messages of {words:.0f} words, JSON to records:")
    for threads, taken in seconds.items():
        print(
            f"  {threads} threads: {len(lines) / taken:8,.0f} messages a second,"
            f" {taken / floor:.0f} times json.loads and split"
        )
    long = (" ".join(word for message in messages for word in message.words) + " ").split()
    times = []
    for size in (LONG // 2, LONG):
        text = (long * (1 + size // len(long)))[:size]
        model(text)
        began = time.perf_counter()
        model(text)
        times.append(time.perf_counter() - began)
    print(f"  one message of {LONG:,} words: {times[1] / times[0]:.2f} times that of half as many")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--model", default="eng.voicemail")
    parser.add_argument("--test", type=int, default=1869)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tables", action="store_true", help="those of the paper, too")
    parser.add_argument("--peers", metavar="FOLDER", help="an environment with peers")
    arguments = parser.parse_args()
    peers = ["--peers", arguments.peers] if arguments.peers else []
    options = ["--model", arguments.model, "--test", str(arguments.test), *peers]
    for page in (["callers", "--paper"], ["numbers"]) if arguments.tables else ():
        path = ROOT / "benchmarks" / f"voicemail_{page[0]}.py"
        subprocess.run([sys.executable, str(path), *page[1:], *options], check=True)
    model = load(arguments.model)
    print(f"voicemail: {arguments.model}, test messages by seed 2\n")
    clean = list(generate(arguments.test, seed=2, part="test"))
    accuracy(model, "clean", clean)
    heard = list(generate(arguments.test, seed=2, part="test", noise=NOISE))
    accuracy(model, f"{100 * NOISE:.0f} % of the words wrong", heard)
    accuracy(model, "written by hand", list(read_messages(HANDWRITTEN)))
    speed(model, clean, arguments.jobs)


if __name__ == "__main__":
    main()
