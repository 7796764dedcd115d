"""A model held against a test file, with a word about every line that is not in order.

>>> ReferenceFile(path="test.tsv").target_column
2
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError, ItemError, show_symbol
from glyphone.data.lexicons.named import named_lines
from glyphone.data.lexicons.tsv import numbered_lexicon
from glyphone.data.lines import open_text_output, read_lines
from glyphone.data.records import Pair
from glyphone.data.writing import Unit, Writing
from glyphone.evaluation.evaluate import NBEST, Evaluation, evaluate
from glyphone.fst.interface.model import Model
from glyphone.io import rows
from glyphone.io.lexicon import file_writing, read_column
from glyphone.io.lookup import with_word_lists
from glyphone.io.messages import SHOWN, nothing_usable, print_message, report_errors, unread_failure
from glyphone.io.paths import same_file


@dataclass(frozen=True, kw_only=True)
class ReferenceFile:
    """A test file, how it is read, and where failed items go; a model's own units are the default.

    Columns count from 1. The origin of a word stands in a column of the file, or beside the word in
    the TSV file `slices`. Words of a `lexicon` are looked up in it before the model is asked; what
    a dictionary to `promote` has goes to the top of what the model finds. With the lexicon that the
    model learnt from, words are parted by their `relatives` in its `source_column`.
    """

    path: str
    source_column: int = 1
    target_column: int = 2
    source_unit: Unit | None = None
    target_unit: Unit | None = None
    failures: str | None = None
    slice_column: int | None = None
    slices: str | None = None
    lexicon: str | None = None
    weight_column: int | None = None
    promote: str | None = None
    relatives: str | None = None


def measure_file(
    model: Any,
    path: str,
    *,
    name: str | None = None,
    failures: str | None = None,
    jobs: int | None = None,
    seed: int = 0,
    nbest: int = NBEST,
    names_are: str | None = None,
    **reading: Any,
) -> tuple[Evaluation, int]:
    """`evaluate_file` on a file that is read as `ReferenceFile` has it.

    `names_are` is the kind of all names, for a model of names that asks for it.
    """
    test = ReferenceFile(path=path, failures=failures, **reading)
    asked = model if names_are is None else model.of_kind(names_are)
    return evaluate_file(asked, test, nbest=nbest, jobs=jobs, seed=seed, name=name)


def evaluate_file(
    model: Model,
    test: ReferenceFile,
    *,
    nbest: int = NBEST,
    jobs: int | None = None,
    seed: int = 0,
    name: str | None = None,
) -> tuple[Evaluation, int]:
    """The evaluation, and how many items failed or lines were refused; details go to stderr."""
    check_files(test)
    model = with_word_lists(
        model, lexicon=test.lexicon, promote=test.promote, weight_column=test.weight_column
    )
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
        raise nothing_usable(test.path, [unread_failure(error) for error in refusals])
    lines = list(pairs)
    origins = origins_of(test, pairs, model.source.writing)
    # The file is opened before the long run, which would be lost if it cannot be opened.
    with open_text_output(test.failures) if test.failures else nullcontext() as output:
        evaluation = evaluate(
            model,
            pairs.values(),
            nbest=nbest,
            jobs=jobs,
            seed=seed,
            name=name,
            origins=origins,
            lines=lines,
            learnt=() if test.relatives is None else read_learnt(test),
        )
        report_errors(refusals, "lines were refused")
        warn_of_references(evaluation, test.path, lines)
        failed = [(lines[item.pairs[0]], item.text, error) for item, error in evaluation.failures()]
        if output is None:
            report_errors(
                [locate_error(error, test.path, line) for line, _, error in failed], "items failed"
            )
        else:
            output.write(rows.ERROR_HEADER)
            output.write("".join(rows.error_row(*row) for row in failed))
            if failed:
                print_message(
                    f"{len(failed)} of {evaluation.items} items failed; see {test.failures}"
                )
    return evaluation, evaluation.failed + len(refusals)


def check_files(test: ReferenceFile) -> None:
    """Refuses files that are named twice, and columns of files that are not there."""
    others = (test.path, test.slices, test.lexicon, test.promote, test.relatives)
    read = [path for path in others if path]
    if test.failures == "-" or any(same_file(test.failures or "-", path) for path in read):
        raise GlyphoneError("failed items need a file of their own", path=test.failures)
    if test.slice_column and test.slices:
        raise GlyphoneError("origins come from two places", remedy="--slice-column or --slices")
    if test.weight_column and not test.lexicon:
        remedy = "name one with --lexicon"
        raise GlyphoneError("there is no lexicon to have weights", remedy=remedy)


def origins_of(test: ReferenceFile, pairs: Mapping[int, Pair], source: Writing) -> list[str]:
    """The origins of the words of pairs, "" if unknown; none without a column of origins."""
    if test.slice_column:
        column = read_column(test.path, test.slice_column, option="--slice-column")
        return [column.get(line, "") for line in pairs]
    if test.slices is None:
        return []
    words, origin_of = (read_column(test.slices, column, option="--slices") for column in (1, 2))
    by_word = {normalize_word(words[line]): origin_of[line] for line in origin_of if line in words}
    origins = [by_word.get(normalize_word(source.join(pair.source)), "") for pair in pairs.values()]
    if not any(origins):
        remedy = "write WORD<TAB>ORIGIN, with words as the test file has them"
        raise FormatError("has no word of the test file", path=test.slices, remedy=remedy)
    return origins


def read_learnt(test: ReferenceFile) -> Iterator[str]:
    """The words of the lexicon that a model learnt from, which may be a named one."""
    path, column = str(test.relatives), test.source_column
    for number, line in named_lines(path) or read_lines(path):
        cells = line.split("\t")
        if len(cells) < column:
            raise FormatError(f"column {column} is missing", path=path, line=number, item=line)
        if cells[column - 1]:
            yield cells[column - 1]


def normalize_word(word: str) -> str:
    return unicodedata.normalize("NFC", word)


def warn_of_references(evaluation: Evaluation, path: str, lines: Sequence[int]) -> None:
    """Prints warnings of repeated references and of symbols that the model cannot write."""
    if evaluation.repeated:
        pair, earlier = evaluation.repeated[0]
        print_message(
            f"{path}: line {lines[pair]}: repeats line {lines[earlier]}; "
            f"{len(evaluation.repeated)} such lines count once"
        )
    for symbol, count in list(evaluation.unknown.items())[:SHOWN]:
        print_message(
            f"{path}: {evaluation.model} cannot write {show_symbol(symbol)}, "
            f"which references hold ({count} times)"
        )
    more = len(evaluation.unknown) - SHOWN
    if more > 0:
        print_message(f"{path}: {more} more symbols of references are unknown to the model")


def locate_error(error: ItemError, path: str, line: int) -> ItemError:
    error.path, error.line = path, line
    return error
