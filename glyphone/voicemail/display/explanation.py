"""Explanations of findings: the lattice of readings of the words, and the weights of features.

The lattice has an arc for every span of words that the grammar reads, as a telephone number or as
something else: its begin and end, its posterior, and its label.

>>> from glyphone.voicemail.numbers.reasons import NumberReason
>>> from glyphone.voicemail.records.candidates import NumberCandidate
>>> one = NumberCandidate(1, 2, "5551212", kept=True)
>>> weights = (("shape=NXXXXXX", 3.0), ("is=maximal", -0.5))
>>> print(candidate_line(NumberReason(one, weights, -1.0, ())))
  why      +1.50  555-1212: bias -1.00, shape=NXXXXXX +3.00, is=maximal -0.50
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glyphone.voicemail.callers import reasons as caller_reasons
from glyphone.voicemail.callers.reasons import PhraseReason
from glyphone.voicemail.display.pictures import findings_text
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.numbers.reasons import NumberReason, explain_candidates

# How many of the heaviest features are shown; and the least posterior of an arc.
SHOWN = 8
LEAST = 0.005


def explain(model: VoicemailModel, message: str, n: int = 1) -> list[str]:
    """The explanation of a message: one answer, whatever n."""
    return [explanation_text(model, message)]


def explanation_text(model: VoicemailModel, message: str) -> str:
    """The message, its findings, the lattice, and the sums of features of decisions."""
    findings = model(message)
    words = findings.transcript.words
    rows = explain_candidates(model.numbers, words)
    starts = [
        phrase_line(one, words)
        for one in caller_reasons.explain_phrase(model.callers.model_of(words), words)
    ]
    return "\n".join(
        [findings_text(findings), *lattice_lines(rows, words), *starts, *map(candidate_line, rows)]
    )


def lattice_lines(rows: Sequence[NumberReason], words: Sequence[str]) -> Iterator[str]:
    """Lines for the arcs with a posterior of at least `LEAST`, sorted by begin and end."""
    arcs = [
        (row.candidate.begin, row.candidate.end, row.candidate.posterior, row.candidate.display)
        for row in rows
    ]
    # The readings of a message stand with each of its candidates.
    readings = rows[0].readings if rows else ()
    arcs += [(one.begin, one.end, one.posterior, one.label) for one in readings]
    for begin, end, posterior, label in sorted(arcs):
        if posterior >= LEAST:
            text = " ".join(words[begin:end])
            yield f"  lattice   {begin:>3} {end:>3}  {posterior:.2f}  {label}: {text}"


def phrase_line(one: PhraseReason, words: Sequence[str]) -> str:
    """A line with the reason for the start or the end of a phrase."""
    where = f"before {words[one.place]}" if one.place < len(words) else "behind the last word"
    return f"  why      {one.score:+.2f}  the phrase {one.what} {where}: {terms_text(one.weights)}"


def candidate_line(one: NumberReason) -> str:
    terms = terms_text((("bias", one.bias), *one.weights), first=1)
    return f"  why      {one.score:+.2f}  {one.candidate.display}: {terms}"


def terms_text(weights: Sequence[tuple[str, float]], *, first: int = 0) -> str:
    """The terms of a sum: the first ones, and the sum of the rest as one term."""
    shown = [*weights[: first + SHOWN]]
    rest = weights[first + SHOWN :]
    if rest:
        shown.append((f"{len(rest)} more", sum(weight for _, weight in rest)))
    return ", ".join(f"{name} {weight:+.2f}" for name, weight in shown)
