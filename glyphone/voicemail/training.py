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

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.evaluation.marked import MarkedEvaluation
from glyphone.io.messages import print_message
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import format_table
from glyphone.voicemail import model
from glyphone.voicemail.callers import training as caller_training
from glyphone.voicemail.callers.options import CallerForm, CallerOptions
from glyphone.voicemail.marking import read_gold, unchecked_note
from glyphone.voicemail.measuring import measure_model
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.numbers import training as number_training
from glyphone.voicemail.records.messages import Message

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
    """The messages of JSON Lines or of a template; FormatError for the first that is none."""
    gold = read_gold(path)
    for line, item, error in gold.failures[:1]:
        raise FormatError(
            error.message,
            path=path,
            line=line,
            item=item,
            stage=error.stage,
            remedy=error.remedy,
        )
    if gold.unchecked:
        print_message(unchecked_note(path, gold))
    return [message for _, message in gold.messages]
