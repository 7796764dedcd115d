"""A certificate as a page for people.

>>> shown(None), shown(9732488), context(("", "a", 3))
('unknown', '9,732,488', '#_a 3')
"""

from __future__ import annotations

from collections.abc import Iterator

from glyphone.data.records import Symbols
from glyphone.distillation.certificate import GOLD, Certificate, Gold
from glyphone.distillation.patterns import Pattern
from glyphone.evaluation.page import FIGURES
from glyphone.io.rows import printable
from glyphone.io.tables import share, table

PATTERNS = 10
CONTEXTS = 3


def report(certificate: Certificate, *, most: int = PATTERNS) -> str:
    """What was learnt, how well, at what cost, and the most frequent patterns of differences."""
    return "\n\n".join(sections(certificate, most))


def sections(certificate: Certificate, most: int) -> Iterator[str]:
    counts = certificate.counts
    yield (
        f"{certificate.student}: {certificate.kind} model of {certificate.teacher}, learnt from "
        f"its answers to {counts['learnt']} words and {counts['invented']} invented ones"
    )
    told = ("given", "repeated", "silent", "truncated", "refused")
    titles = {"silent": "without an answer", "refused": "not learnt"}
    figures = [(titles.get(name, name), str(counts[name])) for name in told if counts[name]]
    yield table([("words", ""), *figures], "<>")
    yield table([*agreements(certificate)], "<>>>")
    yield table([*costs(certificate)], "<>>>")
    if certificate.gold is not None:
        yield table([*accuracy(certificate.gold)], "<>>>>")
    if certificate.patterns:
        rows = [row(pattern) for pattern in certificate.patterns[:most]]
        heads = ("times", "held out", "letters", "teacher", "student", "around", "in")
        yield table([heads, *rows], ">><<<<<")


def agreements(certificate: Certificate) -> Iterator[tuple[str, str, str, str]]:
    yield "agreement", "words", "share", "95 % interval"
    parts = (("held out", certificate.held_out), ("learnt", certificate.learnt))
    for title, part in parts:
        yield title, str(part.words), *bounded(part.word, part.word_interval)
        yield "  their symbols", "", *bounded(part.symbol, part.symbol_interval)


def bounded(value: float, ends: tuple[float, float]) -> tuple[str, str]:
    return share(value), f"{share(ends[0])} to {share(ends[1])}"


def costs(certificate: Certificate) -> Iterator[tuple[str, str, str, str]]:
    one, other = certificate.teacher_cost, certificate.student_cost
    yield "cost", "teacher", "student", "ratio"
    for title, name in (("bytes", "bytes"), ("  after zlib", "compressed")):
        before, after = getattr(one, name), getattr(other, name)
        yield title, shown(before), shown(after), share(after / before) if before and after else ""
    faster = other.words_per_second / one.words_per_second
    before, after = round(one.words_per_second), round(other.words_per_second)
    yield "words/s, one core", shown(before), shown(after), f"{faster:.1f} times"


def shown(number: int | None) -> str:
    return "unknown" if number is None else f"{number:,}"


def accuracy(gold: Gold) -> Iterator[tuple[str, ...]]:
    left_out = f", {gold.left_out} learnt ones left out" if gold.left_out else ""
    yield f"{gold.words} gold words{left_out}", "teacher", "95 % interval", "student", ""
    for name, title in FIGURES:
        if name in GOLD:
            both = (gold.teacher, gold.student)
            columns = [bounded(getattr(of, name), of.intervals[name]) for of in both]
            yield title, *columns[0], *columns[1]


def row(pattern: Pattern) -> tuple[str, ...]:
    around = ", ".join(map(context, pattern.contexts[:CONTEXTS]))
    return (
        str(pattern.count),
        str(pattern.held_out),
        printable(pattern.letters) or "∅",
        symbols(pattern.teacher),
        symbols(pattern.student),
        around + (", …" if len(pattern.contexts) > CONTEXTS else ""),
        printable(", ".join(pattern.examples)),
    )


def context(of: tuple[str, str, int]) -> str:
    """The letters before and after, # for the edge of the word, and how often."""
    before, after, count = of
    return f"{printable(before) or '#'}_{printable(after) or '#'} {count}"


def symbols(written: Symbols | None) -> str:
    """Symbols in a cell; ∅ for none of them, and a word where there is no answer at all."""
    return "no answer" if written is None else printable(" ".join(written)) or "∅"
