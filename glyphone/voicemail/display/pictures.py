"""Findings in a message: as lines for people, and as a picture.

In the picture, bars lie under the words of callers and numbers, with kind and probability; dashed
bars are of rejected candidates, with the reason.

>>> from glyphone.voicemail.callers.model import Caller
>>> from glyphone.voicemail.records.transcripts import Transcript
>>> number = NumberCandidate(4, 7, "5550123", score=0.9, kept=True)
>>> caller = Caller((0, 3), (2, 3), 0.99, 0.9, 0.8)
>>> findings = Findings(Transcript.of("this is Pat call 555 01 23"), caller, (number,))
>>> print(findings_text(findings))
this is Pat call 555 01 23
  caller    0.90  this is Pat
  name      0.80  Pat
  number    0.90  555 01 23: 555-0123
>>> svg = to_svg(findings)
>>> svg.count("<text"), "number 0.90: 555-0123" in svg
(10, True)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from glyphone.data.errors import UnknownName
from glyphone.drawing.formats import to_png
from glyphone.drawing.svg import LETTER, Canvas, draw_text, number, opening_lines, text_width
from glyphone.voicemail.findings import Findings
from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.records.candidates import NumberCandidate
from glyphone.voicemail.records.messages import Span

WIDTH, MARGIN = 860.0, 16.0
SIZE, SPACE = 15.0, 6.0
# Distances from words to bars, from bar to bar, and from one line of words to the next.
WORD, LANE, GAP = 24.0, 24.0, 10.0
COLOURS = {"caller": "#2f6fb5", "name": "#12805c", "number": "#b5532f", "rejected": "#8a8f98"}
BAR = 5.0
LEAST_READING = 0.2


@dataclass(frozen=True)
class Mark:
    """A span with its kind, probability and label."""

    kind: str
    span: Span
    probability: float
    label: str = ""

    @property
    def shown(self) -> str:
        label = f": {self.label}" if self.label else ""
        return f"{self.kind} {self.probability:.2f}{label}"


def marks_of(findings: Findings) -> Iterator[Mark]:
    """The marks of a message: caller phrase, name, and all candidates."""
    caller = findings.caller
    if caller.phrase is not None:
        yield Mark("caller", caller.phrase, caller.phrase_probability)
    if caller.name is not None:
        yield Mark("name", caller.name, caller.name_probability)
    for one in findings.candidates:
        kind = "number" if one.kept else "rejected"
        label = one.display if one.kept else f"{one.display}, {one.reason}"
        yield Mark(kind, (one.begin, one.end), one.score, label)


def findings_text(findings: Findings) -> str:
    """The message, and a line for each finding."""
    rows = [findings.transcript.text]
    for mark in marks_of(findings):
        label = f": {mark.label}" if mark.label else ""
        row = f"  {mark.kind:8}  {mark.probability:.2f}  {findings.text_of(mark.span)}{label}"
        rows.append(row)
    for one in findings.candidates:
        rows += alternative_lines(findings, one)
    if findings.caller.phrase is None:
        rows.append(f"  nobody    {1 - findings.caller.anyone:.2f}  says who calls")
    return "\n".join(rows)


def alternative_lines(findings: Findings, one: NumberCandidate) -> Iterator[str]:
    """Lines for other digits and other readings of the words of a candidate."""
    for way in one.alternatives[1:4]:
        shown = NumberCandidate(0, 0, way.digits, extension=way.extension).display
        yield f"    or      {way.posterior:.2f}  {shown}"
    for reading in one.readings:
        if reading.posterior >= LEAST_READING:
            words = findings.text_of((reading.begin, reading.end))
            yield f"    as      {reading.posterior:.2f}  {words}: {reading.label}"


def draw_findings(findings: Findings, kind: str, *, font_dirs: Sequence[Path] = ()) -> bytes:
    """The content of a picture file; `kind` is html, svg or png."""
    if kind == "html":
        from glyphone.voicemail.display.html import to_html

        return to_html(findings).encode()
    if kind == "svg":
        return to_svg(findings).encode()
    if kind == "png":
        return to_png(to_svg(findings), font_dirs=font_dirs)
    raise UnknownName("kind of picture", kind, ["html", "png", "svg"])


def draw_item(
    model: VoicemailModel, message: str, kind: str, *, font_dirs: Sequence[Path] = ()
) -> bytes:
    """The content of a picture file of the findings of a model in a message."""
    return draw_findings(model(message), kind, font_dirs=font_dirs)


def to_svg(findings: Findings) -> str:
    words, marks = findings.transcript.words, list(marks_of(findings))
    rows: list[str] = []
    top = MARGIN
    for line in break_lines(words):
        rows += [draw_text((x, top + SIZE), words[k]) for k, x in line]
        bars, lanes = draw_bars(marks, words, dict(line), top + WORD)
        rows += bars
        top += WORD + lanes * LANE + GAP
    canvas = Canvas(0, 0, WIDTH, top + MARGIN)
    group = f'<g font-size="{number(SIZE)}">'
    return "\n".join([*opening_lines(canvas), group, *rows, "</g>", "</svg>", ""])


def draw_bars(
    marks: Sequence[Mark], words: Sequence[str], places: Mapping[int, float], top: float
) -> tuple[list[str], int]:
    """The bars under a line of words, and the number of lanes that they take.

    `places` has the left edge of each word of the line; a bar is in the first lane with room.
    """
    rows: list[str] = []
    lanes: list[float] = []  # the right edge of the last bar or label of each
    for mark in marks:
        inside = [k for k in range(*mark.span) if k in places]
        if not inside:
            continue
        begin = places[inside[0]]
        end = places[inside[-1]] + word_width(words[inside[-1]])
        # A label that would run out of the picture begins further left.
        wide = text_width(mark.shown) if inside[0] == mark.span[0] else 0.0
        left = max(MARGIN, min(begin, WIDTH - MARGIN - wide))
        lane = next((k for k, taken in enumerate(lanes) if taken < left), len(lanes))
        lanes[lane : lane + 1] = [max(end, left + wide) + SPACE]
        rows += draw_bar(mark, begin, end, top + lane * LANE, label=left if wide else None)
    return rows, len(lanes)


def draw_bar(mark: Mark, begin: float, end: float, y: float, *, label: float | None) -> list[str]:
    """The bar under some words, and its text below it, if `label` is where that begins."""
    colour = COLOURS[mark.kind]
    dashes = ' stroke-dasharray="4 3"' if mark.kind == "rejected" else ""
    line = f'<path d="M{number(begin)},{number(y)}H{number(end)}" stroke="{colour}"'
    rows = [f'{line} stroke-width="{number(BAR)}"{dashes}/>']
    if label is not None:
        rows.append(draw_text((label, y + 15), mark.shown, f'font-size="12" fill="{colour}"'))
    return rows


def break_lines(words: Sequence[str]) -> Iterator[list[tuple[int, float]]]:
    """Words in lines, each word as its number and its left edge."""
    line: list[tuple[int, float]] = []
    x = MARGIN
    for k, word in enumerate(words):
        if line and x + word_width(word) > WIDTH - MARGIN:
            yield line
            line, x = [], MARGIN
        line.append((k, x))
        x += word_width(word) + SPACE
    if line:
        yield line


def word_width(word: str) -> float:
    return text_width(word) * SIZE / LETTER
