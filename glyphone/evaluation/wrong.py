"""Items that a model does not get right, as rows of TSV in a file of their own.

>>> item = WrongItem(7, "it's Pat", "caller name", "Pat", "")
>>> row_of(item)
"7\\tit's Pat\\tcaller name\\tPat\\t\\n"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

from glyphone.data.errors import GlyphoneError
from glyphone.data.lines import open_text_output
from glyphone.io import rows
from glyphone.io.paths import check_distinct

HEADER = "line\titem\ttask\tgold\tgiven\n"


@dataclass(frozen=True)
class WrongItem:
    """An item that a model has not right: its line, the task, and both sides of it as text."""

    line: int
    item: str
    task: str
    gold: str
    given: str


class Evaluated(Protocol):
    """The evaluation of a model of any kind."""

    def page(self, *, errors: int = 0) -> str: ...

    def as_dict(self, *, errors: int = 0) -> dict[str, Any]: ...

    def wrong_items(self) -> Sequence[WrongItem]: ...


def row_of(one: WrongItem) -> str:
    cells = rows.escape_outputs([one.item, one.task, one.gold, one.given])
    return "\t".join([str(one.line), *cells]) + "\n"


def measure(
    measure_file: Callable[..., tuple[Evaluated, int]],
    model: Any,
    path: str,
    *,
    wrong: str | None = None,
    failures: str | None = None,
    **options: Any,
) -> tuple[Evaluated, int]:
    """The evaluation of a model on a file, and how many items failed; wrong items go to a file.

    `measure_file` is the function of the kind of model.
    """
    if "-" in (wrong, failures):
        what = "wrong" if wrong == "-" else "failed"
        raise GlyphoneError(f"{what} items need a file of their own", path="-")
    check_distinct(
        read=[path],
        written=[wrong, failures],
        what="gold, wrong and failed items",
        options="--wrong and --failures",
    )
    # The file is opened before the long run, which would be lost if it cannot be opened.
    with open_text_output(wrong) if wrong else nullcontext() as output:
        evaluation, failed = measure_file(model, path, failures=failures, **options)
        if output is not None:
            output.write(HEADER + "".join(map(row_of, evaluation.wrong_items())))
    return evaluation, failed
