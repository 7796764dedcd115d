"""What is found in a message, and why: the readings of its words, and what each feature weighs.

The lattice has an arc for every run of words that the grammar reads, as a telephone number or as
something else: from which word to which, its posterior, and what it is read as.

>>> from glyphone.voicemail.numbers.reasons import Explanation
>>> from glyphone.voicemail.records.candidates import NumberCandidate
>>> one = NumberCandidate(1, 2, "5551212", kept=True)
>>> print(why(Explanation(one, (("shape=NXXXXXX", 3.0), ("is=maximal", -0.5)), -1.0, ())))
  why      +1.50  555-1212: bias -1.00, shape=NXXXXXX +3.00, is=maximal -0.50
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glyphone.voicemail.callers import pair as caller_pair
from glyphone.voicemail.callers import reasons as caller_reasons
from glyphone.voicemail.callers.reasons import Reason
from glyphone.voicemail.display.pictures import told
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.numbers.reasons import Explanation, explained

# The features that are shown, of those that weigh most; and posteriors of arcs.
SHOWN = 8
LEAST = 0.005


def explain(model: VoicemailModel, message: str, n: int = 1) -> list[str]:
    """What is found in a message, which has one answer however many are asked for."""
    return [explanation(model, message)]


def explanation(model: VoicemailModel, message: str) -> str:
    """The message, what was found in it, the lattice, and the sums of features of decisions."""
    found = model(message)
    words = found.transcript.words
    rows = explained(model.numbers, words)
    callers = model.callers.written if caller_pair.written(words) else model.callers.heard
    starts = [because(one, words) for one in caller_reasons.reasons(callers, words)]
    return "\n".join([told(found), *lattice(rows, words), *starts, *map(why, rows)])


def lattice(rows: Sequence[Explanation], words: Sequence[str]) -> Iterator[str]:
    """The arcs that are not too unlikely, by where they begin and end."""
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


def because(one: Reason, words: Sequence[str]) -> str:
    """Why a phrase starts or ends where it does."""
    where = f"before {words[one.place]}" if one.place < len(words) else "behind the last word"
    return f"  why      {one.score:+.2f}  the phrase {one.what} {where}: {terms(one.weights)}"


def why(one: Explanation) -> str:
    told_terms = terms((("bias", one.bias), *one.weights), first=1)
    return f"  why      {one.score:+.2f}  {one.candidate.display}: {told_terms}"


def terms(weights: Sequence[tuple[str, float]], *, first: int = 0) -> str:
    """The first of a sum's terms, and the rest as one."""
    shown = [*weights[: first + SHOWN]]
    rest = weights[first + SHOWN :]
    if rest:
        shown.append((f"{len(rest)} more", sum(weight for _, weight in rest)))
    return ", ".join(f"{name} {weight:+.2f}" for name, weight in shown)
