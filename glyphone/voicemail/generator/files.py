"""Generated messages as a file: gold in JSON Lines, plain text, or text with tags.

>>> import tempfile
>>> from pathlib import Path
>>> path = tempfile.mkdtemp() + "/messages.txt"
>>> generate_file(GenerateJob(n=2, seed=4, form="tagged", output=path))
>>> len(Path(path).read_text(encoding="utf-8").splitlines())
2
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from glyphone.data import progress
from glyphone.data.errors import UnknownName
from glyphone.data.lines import open_text_output
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.generator.noise import Noise
from glyphone.voicemail.generator.people import CorpusPart, NameLists
from glyphone.voicemail.generator.statistics import corpus_statistics, statistics_page
from glyphone.voicemail.records.messages import Message, format_message, tag_text

MessageForm = Literal["jsonl", "text", "tagged"]
FORMATTERS: dict[MessageForm, Callable[[Message], str]] = {
    "jsonl": format_message,
    "text": lambda message: message.text,
    "tagged": tag_text,
}


@dataclass(frozen=True, kw_only=True)
class GenerateJob:
    """Options of a file of messages: their number, part, names, noise, times, form and output."""

    n: int = 1000
    seed: int = 0
    part: CorpusPart = "train"
    names: NameLists = "own"
    noise: Noise | None = None
    times: bool = False
    form: MessageForm = "jsonl"
    output: str = "-"
    statistics: bool = False


def generate_file(job: GenerateJob) -> None:
    """Writes the messages; statistics go to stderr."""
    if job.form not in FORMATTERS:
        raise UnknownName("form", job.form, get_args(MessageForm))
    to_text = FORMATTERS[job.form]
    messages = generate(
        job.n, seed=job.seed, noise=job.noise, part=job.part, names=job.names, times=job.times
    )
    kept: list[Message] = []
    with open_text_output(job.output) as output:
        for message in progress.steps(messages, "generating messages", total=job.n):
            output.write(to_text(message) + "\n")
            if job.statistics:
                kept.append(message)
    if job.statistics:
        print(statistics_page(corpus_statistics(kept)), file=sys.stderr)
