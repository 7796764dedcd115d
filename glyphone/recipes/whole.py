"""Models that are measured on a split, and shipped from everything.

The recipe of a model is followed twice: on a part of its words, to measure it on others and to fit
its posteriors to these; then on all of them. The model that is kept is the second, with the figures
and the temperature of the first, which its description says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from glyphone.data import progress
from glyphone.training.files import Entries, TrainJob, read_entries, train_entries
from glyphone.training.train import Trained


def train_whole(
    job: TrainJob, options: Mapping[str, Any], *, rest: Sequence[str] = (), jobs: int | None = None
) -> Trained:
    """The model of the words of a job, of its dev words, and of those in `rest`.

    Its figures are those of a model of the words of the job alone, on its dev words.
    """
    parts = [read_entries(replace(job, path=path)) for path in (job.path, str(job.dev), *rest)]
    learnt, held = parts[0], Entries(pairs=[replace(pair, weight=1.0) for pair in parts[1].pairs])
    with progress.step("training on a part, to measure on another"):
        measured = train_entries(job, learnt, held, options, jobs)
    everything = Entries(pairs=[pair for entries in parts for pair in entries.pairs])
    with progress.step("training on everything"):
        whole = train_entries(replace(job, calibrated=False), everything, None, options, jobs)
    of_split = measured.model.description
    description = {
        **whole.model.description,
        "metrics": of_split["metrics"],
        "measured": {"lexicon": of_split["lexicon"], "dev": of_split["dev"]},
    }
    fitted, made = measured.calibration, cast(Any, whole.model)
    temperature = {} if fitted is None else {"temperature": fitted.temperature}
    model = replace(made, description=description, **temperature)
    return replace(whole, model=model, evaluation=measured.evaluation, calibration=fitted)
