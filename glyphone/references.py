"""A model held against a test file, with a word about every line that is not in order.

>>> ReferenceFile(path="test.tsv").target_column
2
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

from glyphone import rows
from glyphone.data.errors import FormatError, GlyphoneError, ItemError, show
from glyphone.data.lexicon import numbered_lexicon
from glyphone.data.lines import open_text_output
from glyphone.data.writing import Unit, Writing
from glyphone.evaluation import NBEST, Evaluation, evaluate
from glyphone.fst.answering import Answering
from glyphone.lexicon_files import SHOWN, nothing_in, same_file, unread

# Other verbs ask for these here.
from glyphone.lexicon_files import say as say
from glyphone.lexicon_files import tell as tell


@dataclass(frozen=True, kw_only=True)
class ReferenceFile:
    """A test file, how it is read, and where failed items go; a model's own units are the default.

    Columns count from 1.
    """

    path: str
    source_column: int = 1
    target_column: int = 2
    source_unit: Unit | None = None
    target_unit: Unit | None = None
    failures: str | None = None


def evaluate_file(
    model: Answering,
    test: ReferenceFile,
    *,
    nbest: int = NBEST,
    jobs: int | None = None,
    seed: int = 0,
    name: str | None = None,
) -> tuple[Evaluation, int]:
    """The evaluation, and how many items failed or lines were refused; details go to stderr."""
    if test.failures == "-" or (test.failures and same_file(test.failures, test.path)):
        raise GlyphoneError("failed items need a file of their own", path=test.failures)
    refusals: list[FormatError] = []
    entries = numbered_lexicon(
        test.path,
        source=file_writing(model.source.writing, test.source_unit),
        target=file_writing(model.target.writing, test.target_unit),
        source_column=test.source_column,
        target_column=test.target_column,
        on_error=refusals.append,
    )
    pairs = dict(entries)
    if not pairs:
        raise nothing_in(test.path, [unread(error) for error in refusals])
    lines = list(pairs)
    # The file is opened first, so that it is not the end of a long run that it cannot be.
    with open_text_output(test.failures) if test.failures else nullcontext() as output:
        evaluation = evaluate(model, pairs.values(), nbest=nbest, jobs=jobs, seed=seed, name=name)
        tell(refusals, "lines were refused")
        warn(evaluation, test.path, lines)
        failed = [(lines[item.pairs[0]], item.text, error) for item, error in evaluation.failures()]
        if output is None:
            tell([located(error, test.path, line) for line, _, error in failed], "items failed")
        else:
            output.write(rows.ERROR_HEADER)
            output.write("".join(rows.error_row(*row) for row in failed))
            if failed:
                say(f"{len(failed)} of {evaluation.items} items failed; see {test.failures}")
    return evaluation, evaluation.failed + len(refusals)


def file_writing(own: Writing, unit: Unit | None) -> Writing:
    """How a side of the file is cut, where a model writes that side in its own way.

    In the same unit nothing else is settled here: a model that normalises a word itself can say
    where in it, as it was written, something is amiss. Into another unit only what is normalised
    can be cut, for what is decomposed would fall apart.
    """
    return Writing(own.unit, "none") if unit in (None, own.unit) else replace(own, unit=unit)


def warn(evaluation: Evaluation, path: str, lines: Sequence[int]) -> None:
    """What is odd about the references, but keeps none of them from being used."""
    if evaluation.repeated:
        pair, earlier = evaluation.repeated[0]
        say(
            f"{path}: line {lines[pair]}: repeats line {lines[earlier]}; "
            f"{len(evaluation.repeated)} such lines count once"
        )
    for symbol, count in list(evaluation.unknown.items())[:SHOWN]:
        say(
            f"{path}: {evaluation.model} cannot write {show(symbol)}, "
            f"which references hold ({count} times)"
        )
    more = len(evaluation.unknown) - SHOWN
    if more > 0:
        say(f"{path}: {more} more symbols of references are unknown to the model")


def located(error: ItemError, path: str, line: int) -> ItemError:
    error.path, error.line = path, line
    return error
