"""Statistics of a corpus of messages, beside those of Jansche and Abney (2002).

Entropies are of the relative frequencies: H = - sum of n_k / n * log2(n_k / n).

>>> entropy(["a", "b", "a", "c"])
1.5
>>> from glyphone.voicemail.generator.generate import generate
>>> figures = corpus_statistics(generate(200, seed=1))
>>> figures["messages"], figures["numbers of 7 digits"] > 0.3
(200.0, True)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

from glyphone.io.tables import format_table
from glyphone.voicemail.records.messages import Message

# The least and the greatest figures that a corpus of some thousand messages should have.
EXPECTED = {
    "empty messages": (0.046, 0.061),
    "words a message": (80.0, 90.0),
    "with a caller phrase": (0.91, 0.93),
    "with a name, of these": (0.945, 0.96),
    "phrase after 1 to 7 words": (0.965, 1.0),
    "bits of phrase start": (1.42, 1.54),
    "bits of phrase length": (3.05, 3.17),
    "bits of name start": (2.14, 2.26),
    "bits of name length": (1.11, 1.23),
    "numbers a message": (0.66, 0.72),
    "spoken": (0.825, 0.855),
    "worded": (0.115, 0.145),
    "messy": (0.015, 0.045),
}
LENGTHS = (4, 5, 6, 7, 10, 11)


def corpus_statistics(messages: Iterable[Message]) -> dict[str, float]:
    """Figures by name; shares are of the messages that are not empty, or of the numbers."""
    everything = list(messages)
    full = [message for message in everything if message.words]
    phrases = [message.caller_phrase for message in full if message.caller_phrase]
    names = [message.caller_name for message in full if message.caller_name]
    numbers = [number for message in full for number in message.numbers]
    starts = [begin for begin, _ in phrases]
    figures = {
        "messages": float(len(everything)),
        "empty messages": ratio(len(everything) - len(full), everything),
        "words a message": ratio(sum(len(message.words) for message in full), everything),
        "with a caller phrase": ratio(len(phrases), full),
        "with a name, of these": ratio(len(names), phrases),
        "phrase after 1 to 7 words": ratio(sum(1 <= start <= 7 for start in starts), starts),
        "latest phrase": float(max(starts, default=0)),
        "longest phrase": float(max((end - begin for begin, end in phrases), default=0)),
        "bits of phrase start": entropy(starts),
        "bits of phrase length": entropy([end - begin for begin, end in phrases]),
        "bits of name start": entropy([begin for begin, _ in names]),
        "bits of name length": entropy([end - begin for begin, end in names]),
        "numbers a message": ratio(len(numbers), full),
    }
    for kind in ("spoken", "worded", "messy", "written"):
        figures[kind] = ratio(sum(number.kind == kind for number in numbers), numbers)
    for length in LENGTHS:
        such = sum(len(number.digits or "") == length for number in numbers)
        figures[f"numbers of {length} digits"] = ratio(such, numbers)
    figures["said again"] = ratio(sum(number.again for number in numbers), numbers)
    manners = Counter(number.manner for number in numbers)
    figures |= {f"said as {name}": ratio(n, numbers) for name, n in sorted(manners.items())}
    marks = Counter(mark.kind for message in full for mark in message.marks)
    figures |= {f"{name} a message": ratio(n, full) for name, n in sorted(marks.items())}
    said = sum(message.origin.get("said", 0) for message in full)
    if said:
        errors = sum(message.origin.get("errors", 0) for message in full)
        figures["word error rate"] = errors / said
    return figures


def statistics_page(figures: Mapping[str, float]) -> str:
    """The figures as a table for people, with expected ranges."""
    rows = [("", "found", "expected")]
    for name, value in figures.items():
        bounds = EXPECTED.get(name)
        expected = "" if bounds is None else f"{bounds[0]:g} to {bounds[1]:g}"
        rows.append((name, f"{value:.0f}" if value == int(value) else f"{value:.3f}", expected))
    return format_table(rows, "<><")


def entropy(values: Iterable[Hashable]) -> float:
    """The entropy of the distribution of values, in bits."""
    counts = Counter(values)
    total = counts.total()
    return -math.fsum(n / total * math.log2(n / total) for n in counts.values())


def ratio(count: int, whole: Sequence[object]) -> float:
    return count / len(whole) if whole else 0.0
