"""An evaluation as a page for people."""

from __future__ import annotations

from collections.abc import Iterator

from glyphone.evaluation.evaluate import Evaluation
from glyphone.evaluation.slices import Slice, by_relation
from glyphone.io.rows import printable_field
from glyphone.io.tables import format_table, percentage

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
SLICES = {
    "length": "letters",
    "origin": "origin",
    "relatives": "in training",
    "source": "answer of",
    "alone": "without",
}


def evaluation_page(evaluation: Evaluation, *, errors: int = 0) -> str:
    """Figures with their intervals, reliability, confusions, and the worst errors if asked for."""
    return "\n\n".join(["\n".join(heading_lines(evaluation)), *sections(evaluation, errors)])


def heading_lines(evaluation: Evaluation) -> Iterator[str]:
    yield (
        f"{evaluation.model}: {evaluation.items} words, {evaluation.references} references, "
        f"{evaluation.failed} failed; {evaluation.nbest} best answers, seed {evaluation.seed}"
    )
    if evaluation.truncated:
        yield f"a budget cut short the answers to {evaluation.truncated} words"


def sections(evaluation: Evaluation, errors: int) -> Iterator[str]:
    yield format_table([("", "", "95 % interval"), *figure_rows(evaluation)], "<>>")
    if len(evaluation.slices) > 1:
        yield format_table(list(slice_rows(evaluation)), "<<" + ">" * 8)
    if evaluation.reliability:
        yield format_table(
            [
                ("posterior", "words", "mean", "correct"),
                *(
                    (f"{b.low:.1f} to {b.high:.1f}", str(b.count), percentage(b.posterior),
                     percentage(b.accuracy))
                    for b in evaluation.reliability
                ),
            ],
            "<>>>",
        )  # fmt: skip
    confusions = evaluation.confusions()
    if confusions:
        found = [
            (str(count), printable_field(one) or "∅", printable_field(other) or "∅")
            for (one, other), count in confusions[:CONFUSIONS]
        ]
        yield format_table([("times", "reference", "answer"), *found], "><<")
    worst = evaluation.worst(errors)
    if worst:
        found_errors = [
            (
                str(verdict.edits),
                percentage(verdict.answer.posterior),
                printable_field(verdict.item.text),
                printable_field(" ".join(verdict.nearest)),
                printable_field(" ".join(verdict.answer.output or ())) or "∅",
            )
            for verdict in worst
        ]
        header = ("edits", "posterior", "word", "nearest reference", "answer")
        yield format_table([header, *found_errors], ">><<<")


def figure_rows(evaluation: Evaluation) -> Iterator[tuple[str, str, str]]:
    symbol = ERRORS[evaluation.target_unit]
    for name, title in FIGURES:
        value = getattr(evaluation, name)
        if value is None:
            continue
        ends = evaluation.intervals.get(name)
        interval = f"{percentage(ends[0])} to {percentage(ends[1])}" if ends else ""
        yield title.replace("phone", symbol), percentage(value), interval
    for n, value in evaluation.top_n.items():
        if n > 1:
            yield f"correct among {n} best", percentage(value), ""


def relative_rows(evaluation: Evaluation) -> Iterator[tuple[str, str, str]]:
    """Word error by the relatives that words have in training, unless it is the same with all."""
    parts = [*by_relation(evaluation.verdicts, evaluation.relations)]
    for relation, verdicts in parts if len(parts) > 1 else ():
        row = Slice.of("relatives", relation, verdicts, seed=evaluation.seed)
        low, high = row.intervals["wer"]
        yield (
            f"word error rate, {row.words} words: in training {relation}",
            percentage(row.figures["wer"]),
            f"{percentage(low)} to {percentage(high)}",
        )


def slice_rows(evaluation: Evaluation) -> Iterator[tuple[str, ...]]:
    """A line for each slice, with the intervals of accuracy and of symbol error."""
    error = f"{ERRORS[evaluation.target_unit]} error"
    head = ("accuracy", "95 % interval", error, "95 % interval", "mean F", "MRR", "MAP")
    yield "", "slice", "words", *head
    for row in evaluation.slices:
        figures, ends = row.figures, row.intervals
        accuracy, errors = (
            " to ".join(map(percentage, ends[name])) for name in ("accuracy", "per")
        )
        yield (
            SLICES[row.by], printable_field(row.name) or "not told", str(row.words),
            percentage(figures["accuracy"]), accuracy, percentage(figures["per"]), errors,
            *(percentage(figures[name]) for name in ("mean_f", "mrr", "map_ref")),
        )  # fmt: skip
