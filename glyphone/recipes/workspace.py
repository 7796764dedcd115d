"""Where models are made: folders, threads, and how a model is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from glyphone.catalog import names as catalog_names
from glyphone.data.sources.pinned import SourceFile
from glyphone.recipes.whole import train_whole
from glyphone.training.files import TrainJob


@dataclass(frozen=True)
class Workspace:
    """The folder of the models, one for what is made on the way, the sources that have been read,
    by package, and the number of threads."""

    folder: Path
    scratch: Path
    sources: Mapping[str, SourceFile]
    jobs: int | None = None

    def path_of(self, name: str) -> str:
        """The file of a model, in a folder that is there."""
        path = self.folder / catalog_names.model_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return str(path)


def save_whole(
    job: TrainJob, options: dict[str, Any], space: Workspace, *, rest: str | None = None
) -> list[str]:
    """Train, measure and save a model, whose description names its sources; its name."""
    others = [] if rest is None else [rest]
    trained = train_whole(job, options, rest=others, jobs=space.jobs)
    sources = [one.description for _, one in sorted(space.sources.items())]
    made = cast(Any, trained.model)
    model = replace(made, description={**made.description, "sources": sources})
    replace(trained, model=model).save(job.output)
    return [job.name]
