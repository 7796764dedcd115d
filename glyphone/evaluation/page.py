"""An evaluation as a page for people."""

from __future__ import annotations

from collections.abc import Iterator

from glyphone.evaluation.evaluate import Evaluation
from glyphone.io.rows import printable
from glyphone.io.tables import share, table

FIGURES = (
    ("wer", "word error rate"),
    ("wer_without_stress", "word error rate without stress"),
    ("per", "phone error rate"),
    ("per_without_stress", "phone error rate without stress"),
    ("accuracy", "accuracy"),
    ("mean_f", "mean F"),
    ("mrr", "mean reciprocal rank"),
    ("map_ref", "MAP of references"),
    ("calibration_error", "calibration error"),
    ("brier", "Brier score"),
)
CONFUSIONS = 10
# What `per` counts, by the unit that the model writes.
ERRORS = {"token": "phone", "codepoint": "character", "grapheme": "character"}
# How slices are headed; answers come from a lexicon or a model.
SLICES = {"length": "letters", "origin": "origin", "source": "answer of", "alone": "without"}


def report(evaluation: Evaluation, *, errors: int = 0) -> str:
    """Figures with their intervals, reliability, confusions, and the worst errors if asked for."""
    return "\n\n".join(["\n".join(head(evaluation)), *sections(evaluation, errors)])


def head(evaluation: Evaluation) -> Iterator[str]:
    yield (
        f"{evaluation.model}: {evaluation.items} words, {evaluation.references} references, "
        f"{evaluation.failed} failed; {evaluation.nbest} best answers, seed {evaluation.seed}"
    )
    if evaluation.truncated:
        yield f"a budget cut short the answers to {evaluation.truncated} words"


def sections(evaluation: Evaluation, errors: int) -> Iterator[str]:
    yield table([("", "", "95 % interval"), *figure_rows(evaluation)], "<>>")
    if len(evaluation.slices) > 1:
        yield table(list(slice_rows(evaluation)), "<<" + ">" * 8)
    if evaluation.reliability:
        yield table(
            [
                ("posterior", "words", "mean", "correct"),
                *(
                    (f"{b.low:.1f} to {b.high:.1f}", str(b.count), share(b.posterior),
                     share(b.accuracy))
                    for b in evaluation.reliability
                ),
            ],
            "<>>>",
        )  # fmt: skip
    confusions = evaluation.confusions()
    if confusions:
        found = [
            (str(count), printable(one) or "∅", printable(other) or "∅")
            for (one, other), count in confusions[:CONFUSIONS]
        ]
        yield table([("times", "reference", "answer"), *found], "><<")
    worst = evaluation.worst(errors)
    if worst:
        found_errors = [
            (
                str(verdict.edits),
                share(verdict.answer.posterior),
                printable(verdict.item.text),
                printable(" ".join(verdict.nearest)),
                printable(" ".join(verdict.answer.output or ())) or "∅",
            )
            for verdict in worst
        ]
        header = ("edits", "posterior", "word", "nearest reference", "answer")
        yield table([header, *found_errors], ">><<<")


def figure_rows(evaluation: Evaluation) -> Iterator[tuple[str, str, str]]:
    symbol = ERRORS[evaluation.target_unit]
    for name, title in FIGURES:
        value = getattr(evaluation, name)
        if value is None:
            continue
        ends = evaluation.intervals.get(name)
        interval = f"{share(ends[0])} to {share(ends[1])}" if ends else ""
        yield title.replace("phone", symbol), share(value), interval
    for n, value in evaluation.top_n.items():
        if n > 1:
            yield f"correct among {n} best", share(value), ""


def slice_rows(evaluation: Evaluation) -> Iterator[tuple[str, ...]]:
    """A line for each slice, with the intervals of accuracy and of symbol error."""
    error = f"{ERRORS[evaluation.target_unit]} error"
    head = ("accuracy", "95 % interval", error, "95 % interval", "mean F", "MRR", "MAP")
    yield "", "slice", "words", *head
    for row in evaluation.slices:
        figures, ends = row.figures, row.intervals
        accuracy, errors = (" to ".join(map(share, ends[name])) for name in ("accuracy", "per"))
        yield (
            SLICES[row.by], printable(row.name) or "not told", str(row.words),
            share(figures["accuracy"]), accuracy, share(figures["per"]), errors,
            *(share(figures[name]) for name in ("mean_f", "mrr", "map_ref")),
        )  # fmt: skip
