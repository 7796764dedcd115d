"""A voicemail model learnt from messages in which callers and numbers are marked.

The messages are JSON Lines as `glyphone voicemail generate` writes them, see `generator_records`.

>>> from glyphone.voicemail.generator.generate import generate
>>> model = learnt([*generate(60, seed=1)], callers=CallerOptions(max_iter=9, min_count=2))
>>> type(model.numbers).__name__
'NumberModel'
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from glyphone.data.errors import GlyphoneError
from glyphone.io.messages import progress, say
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import share, table
from glyphone.voicemail import model
from glyphone.voicemail.callers import pair as caller_pair
from glyphone.voicemail.callers.cuts_training import CallerOptions, Form
from glyphone.voicemail.measuring import TASKS, measured
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.numbers import training as number_training
from glyphone.voicemail.records.messages import Message, read_messages

# Learning callers takes some minutes for so many messages, and numbers some seconds.
MOST_FOR_CALLERS = 15_000


def learnt(
    messages: Sequence[Message], *, seed: int = 0, callers: CallerOptions | None = None
) -> VoicemailModel:
    """Both models of marked messages; that of callers from the first, for it takes longer."""
    return VoicemailModel(
        caller_pair.train(messages[:MOST_FOR_CALLERS], options=callers),
        number_training.train(messages, seed=seed),
        {"lexicon": {"pairs": len(messages)}},
    )


def train_file(
    path: str,
    output: str,
    *,
    dev: str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    callers: Form | None = None,
) -> int:
    """Trains on a file of marked messages, saves, and measures on another, `dev`.

    `callers` is the form of `CallerOptions`. Returns 0, for nothing is refused.
    """
    form = CallerOptions() if callers is None else CallerOptions(form=callers)
    check_output(output)
    check_distinct(
        read=[path, dev],
        written=[output],
        what="messages, dev messages and model",
        options="--dev and -o",
    )
    messages = read(path)
    held_out = read(dev) if dev else []
    if not messages:
        raise GlyphoneError("has no messages", path=path, remedy="glyphone voicemail generate")
    say(f"learning from {len(messages)} messages")
    found = learnt(messages, seed=seed, callers=form)
    model.save(found, output)
    figures = [
        ("messages", f"{len(messages)}"),
        ("callers", found.callers.written.options.form),
        ("features of callers", f"{len(found.callers.written.keys)}"),
        ("of callers that were heard", f"{len(found.callers.heard.keys)}"),
        ("features of numbers", f"{len(found.numbers.weights)}"),
        ("bytes", f"{os.path.getsize(output)}"),
    ]
    print(f"{output}: voicemail model\n\n{table(figures, '<<')}")
    if held_out:
        print(f"\n{dev}: {len(held_out)} messages\n\n{page(found, held_out)}")
    return 0


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
