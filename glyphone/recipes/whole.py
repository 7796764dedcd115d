"""Models that are measured on a split, and shipped from everything.

The recipe of a model is followed twice: on a part of its words, to measure it on others and to fit
its posteriors to these; then on all of them. The model that is kept is the second, with the figures
and the temperature of the first, which its description says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from glyphone.data.sources.pinned import SourceFile
from glyphone.training.files import Entries, TrainJob, read_entries, train_entries
from glyphone.training.train import Trained


def train_whole(
    job: TrainJob,
    options: Mapping[str, Any],
    *,
    rest: Sequence[str] = (),
    sources: Mapping[str, SourceFile] = MappingProxyType({}),
    jobs: int | None = None,
) -> Trained:
    """The model of the words of a job, of its dev words, and of those in `rest`.

    Its figures are those of a model of the words of the job alone, on its dev words. `sources` are
    filled while words are read.
    """
    dev = str(job.dev)
    measured = train_entries(job, read_entries(job), read_entries(job, dev), options, jobs)
    # Where the job is of the dev words, they have weights.
    parts = [read_entries(replace(job, path=path)) for path in (job.path, dev, *rest)]
    everything = Entries(pairs=[pair for entries in parts for pair in entries.pairs])
    whole = train_entries(replace(job, calibrated=False), everything, None, options, jobs)
    of_split, own = measured.model.description, whole.model.description
    description = {
        **own,
        "metrics": of_split["metrics"],
        "measured": {"lexicon": of_split["lexicon"], "dev": of_split["dev"]},
        "sources": [described(one) for _, one in sorted(sources.items())],
    }
    fitted = (
        {} if measured.calibration is None else {"temperature": measured.calibration.temperature}
    )
    made: Any = whole.model
    model = replace(made, description=description, **fitted)
    return replace(
        whole, model=model, evaluation=measured.evaluation, calibration=measured.calibration
    )


def described(source: SourceFile) -> dict[str, str]:
    """A source in the description of a model: what was read, and under which licence."""
    names = ("package", "version", "file", "sha256", "licence")
    return {name: getattr(source, name) for name in names}
