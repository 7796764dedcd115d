"""A voicemail model learnt from messages in which callers and numbers are marked.

The messages are JSON Lines as `glyphone voicemail generate` writes them, see `generator_records`.

>>> from glyphone.voicemail.generator import generate
>>> model = learnt([*generate(60, seed=1)], callers=CallerOptions(max_iter=9, min_count=2))
>>> type(model.numbers).__name__
'NumberModel'
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.io.messages import progress, say
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import share, table
from glyphone.voicemail import caller_pair, model, number_training
from glyphone.voicemail.caller_training import CallerOptions
from glyphone.voicemail.generator_records import Message, read_messages
from glyphone.voicemail.measuring import TASKS, measured
from glyphone.voicemail.model import VoicemailModel

# Learning callers takes some minutes for so many messages, and numbers some seconds.
MOST_FOR_CALLERS = 15_000


@dataclass(frozen=True, kw_only=True)
class VoicemailJob:
    """A file of marked messages, where the model goes, and another file to measure it on.

    `chosen` are options of training; of those, `callers` is the form of `CallerOptions`, and others
    are refused.
    """

    path: str
    output: str
    dev: str | None = None
    seed: int = 0
    chosen: Mapping[str, Any] = field(default_factory=dict)


def learnt(
    messages: Sequence[Message], *, seed: int = 0, callers: CallerOptions | None = None
) -> VoicemailModel:
    """Both models of marked messages; that of callers from the first, for it takes longer."""
    return VoicemailModel(
        caller_pair.train(messages[:MOST_FOR_CALLERS], options=callers),
        number_training.train(messages, seed=seed),
        {"lexicon": {"pairs": len(messages)}},
    )


def train_file(job: VoicemailJob) -> None:
    """Trains, saves and measures."""
    for name in job.chosen:
        if name != "callers":
            raise UnknownName("option of voicemail", name, ("callers", "dev", "seed"))
    callers = CallerOptions(**({"form": job.chosen["callers"]} if job.chosen else {}))
    check_output(job.output)
    check_distinct(
        read=[job.path, job.dev],
        written=[job.output],
        what="messages, dev messages and model",
        options="--dev and -o",
    )
    messages = read(job.path)
    held_out = read(job.dev) if job.dev else []
    if not messages:
        raise GlyphoneError("has no messages", path=job.path, remedy="glyphone voicemail generate")
    say(f"learning from {len(messages)} messages")
    found = learnt(messages, seed=job.seed, callers=callers)
    model.save(found, job.output)
    figures = [
        ("messages", f"{len(messages)}"),
        ("callers", found.callers.written.options.form),
        ("features of callers", f"{len(found.callers.written.keys)}"),
        ("of callers that were heard", f"{len(found.callers.heard.keys)}"),
        ("features of numbers", f"{len(found.numbers.weights)}"),
        ("bytes", f"{os.path.getsize(job.output)}"),
    ]
    print(f"{job.output}: voicemail model\n\n{table(figures, '<<')}")
    if held_out:
        print(f"\n{job.dev}: {len(held_out)} messages\n\n{page(found, held_out)}")


def read(path: str) -> list[Message]:
    return [*progress(read_messages(path), f"reading {path}")]


def page(found: VoicemailModel, messages: Iterable[Message]) -> str:
    """Precision, recall and F of each task."""
    scores = measured(found, [*messages])
    rows = [("", "precision", "recall", "F")] + [
        (task, share(one.precision), share(one.recall), share(one.f))
        for task, one in zip(TASKS, scores, strict=True)
    ]
    return table(rows, "<>>>")
