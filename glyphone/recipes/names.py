"""The recipe of models of names: pairs are mined, and both directions learn from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from glyphone.data.parallel import available_cores
from glyphone.models.kinds import AUTO
from glyphone.models.names.languages import TO_LATIN
from glyphone.models.names.mining.mine import MineJob, mine_file
from glyphone.recipes.workspace import Workspace, save_whole
from glyphone.training.files import TrainJob


def make_names(code: str, space: Workspace) -> list[str]:
    """Both models of a language, from one list of pairs, of which a report is kept beside them."""
    into, out_of = f"{code}.names", f"{code}.to_latin"
    folder = Path(space.path_of(into)).parent
    pairs, dev = str(space.scratch / "names.tsv"), str(space.scratch / "names.dev.tsv")
    report = str(folder / "names.report.txt")
    mine_file(
        MineJob(language=code, output=pairs, dev=dev, report=report),
        jobs=space.jobs or available_cores(),
    )
    common: dict[str, Any] = {"path": pairs, "dev": dev, "kind": "names", "normal_form": AUTO}
    to_native = TrainJob(**common, output=space.path_of(into), name=into, weight_column=3)
    to_latin = TrainJob(
        **common, output=space.path_of(out_of), name=out_of, source_column=2, target_column=1
    )
    return [
        *save_whole(to_native, {"language": code}, space),
        *save_whole(to_latin, {"language": f"{code}{TO_LATIN}", "words": "cmudict"}, space),
    ]
