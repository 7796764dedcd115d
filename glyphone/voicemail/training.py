"""Training of a voicemail model on messages in which callers and numbers are marked.

The messages are JSON Lines of `glyphone voicemail generate`, see `voicemail.records.messages`.

>>> from glyphone.voicemail.generator.generate import generate
>>> model = train_model([*generate(60, seed=1)], callers=CallerOptions(max_iter=9, min_count=2))
>>> type(model.numbers).__name__
'NumberModel'
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from glyphone.data.errors import GlyphoneError
from glyphone.evaluation.marked import MarkedEvaluation
from glyphone.io.messages import print_message, with_progress
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import format_table
from glyphone.voicemail import model
from glyphone.voicemail.callers import training as caller_training
from glyphone.voicemail.callers.options import CallerForm, CallerOptions
from glyphone.voicemail.measuring import measure_model
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.numbers import training as number_training
from glyphone.voicemail.records.messages import Message, read_messages

# Training of callers takes some minutes for so many messages; numbers take some seconds.
MOST_FOR_CALLERS = 15_000


def train_model(
    messages: Sequence[Message], *, seed: int = 0, callers: CallerOptions | None = None
) -> VoicemailModel:
    """A model of marked messages; callers are learnt from the first `MOST_FOR_CALLERS`."""
    return VoicemailModel(
        caller_training.train_pair(messages[:MOST_FOR_CALLERS], options=callers),
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
    callers: CallerForm | None = None,
) -> int:
    """Trains on a file of marked messages, saves, and measures on `dev`; returns 0.

    `callers` is the form of `CallerOptions`.
    """
    form = CallerOptions() if callers is None else CallerOptions(form=callers)
    check_output(output)
    check_distinct(
        read=[path, dev],
        written=[output],
        what="messages, dev messages and model",
        options="--dev and -o",
    )
    messages = read_marked(path)
    held_out = read_marked(dev) if dev else []
    if not messages:
        raise GlyphoneError("has no messages", path=path, remedy="glyphone voicemail generate")
    print_message(f"learning from {len(messages)} messages")
    trained = train_model(messages, seed=seed, callers=form)
    model.save(trained, output)
    figures = [
        ("messages", f"{len(messages)}"),
        ("callers", trained.callers.written.options.form),
        ("features of callers", f"{len(trained.callers.written.keys)}"),
        ("of callers that were heard", f"{len(trained.callers.heard.keys)}"),
        ("features of numbers", f"{len(trained.numbers.weights)}"),
        ("bytes", f"{os.path.getsize(output)}"),
    ]
    print(f"{output}: voicemail model\n\n{format_table(figures, '<<')}")
    if held_out:
        tallies = tuple(measure_model(trained, held_out))
        print(f"\n{MarkedEvaluation(str(dev), 'messages', len(held_out), tallies, seed=seed)}")
    return 0


def read_marked(path: str) -> list[Message]:
    return [*with_progress(read_messages(path), f"reading {path}")]
