"""A matcher learnt from labelled pairs of names: TSV in, a model file out.

>>> import tempfile
>>> from pathlib import Path
>>> folder = Path(tempfile.mkdtemp())
>>> _ = (folder / "pairs.tsv").write_text("Ana Paz\\tPaz, Ana\\t1\\nAna Paz\\tBo Li\\t0\\n")
>>> train_file(str(folder / "pairs.tsv"), str(folder / "x.glyphone"))  # doctest: +ELLIPSIS
/.../x.glyphone: matcher of names
<BLANKLINE>
pairs  2
right  1
words  4
bytes  ...
0
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from glyphone.data.errors import FormatError
from glyphone.data.lines import open_text_output
from glyphone.evaluation.pairs import YES
from glyphone.io.messages import list_failures, print_message
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import format_table
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.matching import file as matcher_file
from glyphone.matching.measuring import PairEvaluation, evaluate_pairs
from glyphone.matching.pairs import REMEDY, LabelledPair, decided, read_pairs


def train_file(
    path: str,
    output: str,
    *,
    dev: str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    errors: str | None = None,
    **settings: Any,
) -> int:
    """Trains, saves and measures a matcher, and returns how many lines were refused.

    `dev` has the same columns; `settings` are those of `NameMatcher`. Nothing is random, or done in
    threads.
    """
    check_output(output)
    refusals = errors or f"{output}.errors.tsv"
    check_distinct(
        read=[path, dev],
        written=[output, refusals],
        what="pairs, dev pairs, model and errors",
        options="--dev, -o and --errors",
    )
    pairs, failures = read_pairs(path)
    held, _ = read_pairs(dev) if dev else ([], [])
    if len({pair.label for pair in decided(pairs)}) < 2:
        message = "has no pairs of both labels, yes and no"
        raise FormatError(message, path=path, remedy=REMEDY)
    matcher = fit_matcher(pairs, settings)
    measured = evaluate_pairs(matcher, held, name=str(dev)) if held else None
    describe(matcher, path, pairs, measured)
    matcher_file.save(matcher, output)
    report(matcher, output, measured)
    if failures:
        with open_text_output(refusals) as side:
            list_failures(failures, path, side)
        print_message(f"{len(failures)} lines were refused; see {refusals}")
    return len(failures)


def fit_matcher(
    pairs: Sequence[LabelledPair], settings: dict[str, Any], names: Iterable[str] | None = None
) -> NameMatcher:
    """A matcher of the pairs that are decided; words are weighed by the names, if given."""
    known = decided(pairs)
    asked = [(pair.first, pair.second) for pair in known]
    return NameMatcher(**settings).fit(asked, [pair.label for pair in known], names)


def describe(
    matcher: NameMatcher,
    source: str,
    pairs: Sequence[LabelledPair],
    evaluation: PairEvaluation | None,
    **more: Any,
) -> None:
    """Write into a matcher what it learnt from, and the figures that were measured."""
    known = decided(pairs)
    lexicon = {"path": source, "pairs": len(known), "right": count_right(known)}
    metrics = evaluation.figures() if evaluation else {}
    matcher.description_ = {"lexicon": lexicon, "metrics": metrics, **more}


def count_right(pairs: Sequence[LabelledPair]) -> int:
    return sum(pair.label == YES for pair in pairs)


def report(matcher: NameMatcher, output: str, measured: PairEvaluation | None) -> None:
    """Print the size of a saved matcher, and its figures on dev pairs."""
    lexicon = matcher.description_["lexicon"]
    rows = [
        ("pairs", f"{lexicon['pairs']}"),
        ("right", f"{lexicon['right']}"),
        ("words", f"{len(matcher.counts_)}"),
        ("bytes", f"{os.path.getsize(output)}"),
    ]
    print(f"{output}: matcher of names\n\n{format_table(rows, '<<')}")
    if measured:
        print(f"\n{measured.page()}")
