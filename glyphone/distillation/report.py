"""A certificate as a page for people.

>>> number_text(None), number_text(9732488), context_text(("", "a", 3))
('unknown', '9,732,488', '#_a 3')
"""

from __future__ import annotations

from collections.abc import Iterator

from glyphone.data.records import Symbols
from glyphone.distillation.certificate import GOLD, Certificate, Gold
from glyphone.distillation.patterns import Pattern
from glyphone.evaluation.page import FIGURES
from glyphone.io.rows import printable_field
from glyphone.io.tables import format_table, percentage

PATTERNS = 10
CONTEXTS = 3


def certificate_page(certificate: Certificate, *, most: int = PATTERNS) -> str:
    """Counts, agreement, costs, and the most frequent patterns of differences, for people."""
    return "\n\n".join(sections(certificate, most))


def sections(certificate: Certificate, most: int) -> Iterator[str]:
    counts = certificate.counts
    yield (
        f"{certificate.student}: {certificate.kind} model of {certificate.teacher}, learnt from "
        f"its answers to {counts['learnt']} words and {counts['invented']} invented ones"
    )
    shown = ("given", "repeated", "silent", "truncated", "refused")
    titles = {"silent": "without an answer", "refused": "not learnt"}
    figures = [(titles.get(name, name), str(counts[name])) for name in shown if counts[name]]
    yield format_table([("words", ""), *figures], "<>")
    yield format_table([*agreement_rows(certificate)], "<>>>")
    yield format_table([*cost_rows(certificate)], "<>>>")
    if certificate.gold is not None:
        yield format_table([*accuracy_rows(certificate.gold)], "<>>>>")
    if certificate.patterns:
        rows = [pattern_row(pattern) for pattern in certificate.patterns[:most]]
        heads = ("times", "held out", "letters", "teacher", "student", "around", "in")
        yield format_table([heads, *rows], ">><<<<<")


def agreement_rows(certificate: Certificate) -> Iterator[tuple[str, str, str, str]]:
    yield "agreement", "words", "share", "95 % interval"
    parts = (("held out", certificate.held_out), ("learnt", certificate.learnt))
    for title, part in parts:
        yield title, str(part.words), *share_with_interval(part.word, part.word_interval)
        yield "  their symbols", "", *share_with_interval(part.symbol, part.symbol_interval)


def share_with_interval(value: float, ends: tuple[float, float]) -> tuple[str, str]:
    return percentage(value), f"{percentage(ends[0])} to {percentage(ends[1])}"


def cost_rows(certificate: Certificate) -> Iterator[tuple[str, str, str, str]]:
    one, other = certificate.teacher_cost, certificate.student_cost
    yield "cost", "teacher", "student", "ratio"
    for title, name in (("bytes", "bytes"), ("  after zlib", "compressed")):
        before, after = getattr(one, name), getattr(other, name)
        yield (
            title,
            number_text(before),
            number_text(after),
            percentage(after / before) if before and after else "",
        )
    faster = other.words_per_second / one.words_per_second
    before, after = round(one.words_per_second), round(other.words_per_second)
    yield "words/s, one core", number_text(before), number_text(after), f"{faster:.1f} times"


def number_text(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"


def accuracy_rows(gold: Gold) -> Iterator[tuple[str, ...]]:
    left_out = f", {gold.left_out} learnt ones left out" if gold.left_out else ""
    yield f"{gold.words} gold words{left_out}", "teacher", "95 % interval", "student", ""
    for name, title in FIGURES:
        if name in GOLD:
            both = (gold.teacher, gold.student)
            columns = [share_with_interval(getattr(of, name), of.intervals[name]) for of in both]
            yield title, *columns[0], *columns[1]


def pattern_row(pattern: Pattern) -> tuple[str, ...]:
    around = ", ".join(map(context_text, pattern.contexts[:CONTEXTS]))
    return (
        str(pattern.count),
        str(pattern.held_out),
        printable_field(pattern.letters) or "∅",
        symbols_text(pattern.teacher),
        symbols_text(pattern.student),
        around + (", …" if len(pattern.contexts) > CONTEXTS else ""),
        printable_field(", ".join(pattern.examples)),
    )


def context_text(of: tuple[str, str, int]) -> str:
    """The letters before and after, # for the edge of the word, and how often."""
    before, after, count = of
    return f"{printable_field(before) or '#'}_{printable_field(after) or '#'} {count}"


def symbols_text(written: Symbols | None) -> str:
    """Symbols in a cell; ∅ for none of them, and a word where there is no answer at all."""
    return "no answer" if written is None else printable_field(" ".join(written)) or "∅"
