"""Findings in a message as a page of HTML: the words, a picture with bars, and a table.

Words of callers and kept numbers are marked in the text, so that readers without the picture see
them. The page needs no other file and runs no script.

>>> from glyphone.voicemail.callers.model import Caller
>>> from glyphone.voicemail.records.candidates import NumberCandidate
>>> from glyphone.voicemail.records.transcripts import Transcript
>>> caller = Caller((0, 3), (2, 3), 0.99, 0.9, 0.8)
>>> findings = Findings(Transcript.of("this is Pat <ok>"), caller, ())
>>> marked_words(findings)
'<mark class="caller">this is <mark class="name">Pat</mark></mark> &lt;ok&gt;'
>>> "<td>0.90</td><td>this is Pat</td>" in to_html(findings)
True
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from glyphone.drawing.svg import FONTS, INK, PAPER
from glyphone.voicemail.display.pictures import COLOURS, WIDTH, Mark, marks_of, to_svg
from glyphone.voicemail.findings import Findings

HEAD = ("kind", "probability", "words", "value", "seconds")


def to_html(findings: Findings) -> str:
    """The whole page."""
    rules = [
        f"body {{ font-family: {FONTS}; color: {INK}; background: {PAPER} }}",
        f"p {{ max-width: {WIDTH:.0f}px }}",
        "table { border-collapse: collapse } td, th { padding: 2px 12px 2px 0; text-align: left }",
        "mark { background: none }",
        *(f".{kind} {{ color: {colour} }}" for kind, colour in COLOURS.items()),
    ]
    title = escape(findings.transcript.id or "voicemail")
    head = "".join(f"<th>{name}</th>" for name in HEAD)
    return "\n".join(
        [
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
            "<style>",
            *rules,
            "</style></head><body>",
            f"<p>{marked_words(findings)}</p>",
            to_svg(findings),
            f"<table><tr>{head}</tr>",
            *(table_row(findings, mark) for mark in marks_of(findings)),
            "</table></body></html>",
            "",
        ]
    )


def table_row(findings: Findings, mark: Mark) -> str:
    """The row of the table for a mark."""
    times, (begin, end) = findings.transcript.times, mark.span
    seconds = f"{times[begin][0]:.2f} to {times[end - 1][1]:.2f}" if times else ""
    cells = (mark.kind, f"{mark.probability:.2f}", findings.text_of(mark.span), mark.label, seconds)
    shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f'<tr class="{mark.kind}">{shown}</tr>'


def marked_words(findings: Findings) -> str:
    """The words, with tags around the caller phrase, the name and the numbers."""
    spans = [(mark.span, mark.kind) for mark in marks_of(findings) if mark.kind != "rejected"]
    words = findings.transcript.words
    return " ".join(
        f"{opening_tags(k, spans)}{escape(word)}{closing_tags(k, spans)}"
        for k, word in enumerate(words)
    )


def opening_tags(k: int, spans: Iterable[tuple[tuple[int, int], str]]) -> str:
    """Opening tags of the marks that begin at a word, the longer ones first."""
    here = sorted((-end, kind) for (begin, end), kind in spans if begin == k)
    return "".join(f'<mark class="{kind}">' for _, kind in here)


def closing_tags(k: int, spans: Iterable[tuple[tuple[int, int], str]]) -> str:
    return "</mark>" * sum(end == k + 1 for (_, end), _ in spans)
