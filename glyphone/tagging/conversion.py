"""Taggers between the formats of several tools; a file's format is that of its suffix.

    .glyphone   ours, as `glyphone train --kind crf --patterns FILE` writes it
    .wapiti     a text model of Wapiti; it has its patterns, unless tests were given to it
    .crfsuite   what `crfsuite dump` writes: six digits of each weight, no patterns

>>> format_of("chunks.wapiti"), format_of("chunks.glyphone")
('wapiti', None)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from glyphone.data.errors import GlyphoneError
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.crf.files.crfsuite import read_crfsuite, write_crfsuite
from glyphone.learners.crf.files.wapiti import read_wapiti, write_wapiti
from glyphone.learners.sequences.patterns import read_patterns
from glyphone.models.learners import file as learner_file
from glyphone.tagging.columns import load_chain

WAPITI, CRFSUITE, OWN = "wapiti", "crfsuite", "glyphone"


def format_of(path: str) -> str | None:
    """The format of another tool's taggers that a suffix stands for."""
    suffix = Path(path).suffix.removeprefix(".")
    return suffix if suffix in (WAPITI, CRFSUITE) else None


def convert_tagger(source: str, output: str, *, patterns: Sequence[str] = ()) -> SequenceCRF:
    """Reads a tagger from one file and writes it to another.

    `patterns` are files of them, for a model that does not have its own.
    """
    if format_of(output) is None and Path(output).suffix != f".{OWN}":
        remedy = f"rename it: .{OWN}, .{WAPITI} or .{CRFSUITE}"
        raise GlyphoneError("is no name of a file of a tagger", path=output, remedy=remedy)
    learner = read_tagger(source, "\n".join(map(read_patterns, patterns)))
    kind = format_of(output)
    if kind == WAPITI:
        write_wapiti(learner, output)
    elif kind == CRFSUITE:
        write_crfsuite(learner, output)
    else:
        learner_file.save(learner, output)
    return learner


def read_tagger(path: str, patterns: str) -> SequenceCRF:
    """The tagger in a file; the text of patterns is for one that does not have them."""
    kind = format_of(path)
    if kind == WAPITI:
        return read_wapiti(path, templates=patterns or None)
    if kind == CRFSUITE:
        if not patterns:
            remedy = "name the file of them with --patterns"
            raise GlyphoneError("has no patterns", path=path, remedy=remedy)
        return read_crfsuite(path, templates=patterns)
    return load_chain(path)
