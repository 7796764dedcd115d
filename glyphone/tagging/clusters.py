"""Word classes learnt from plain text, or from tokens in columns: a file of bit strings out.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "text.txt"
>>> _ = path.write_text("la casa\\n\\nla mesa\\n", encoding="utf-8")
>>> [*read_text(str(path))]
[['la', 'casa'], ['la', 'mesa']]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from glyphone.data import progress
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.lines import is_text, read_lines
from glyphone.data.treebanks.conll import is_token
from glyphone.io.messages import cost_text, print_message
from glyphone.io.paths import check_distinct, check_output
from glyphone.io.tables import format_table

if TYPE_CHECKING:
    from glyphone.learners.clusters.estimator import WordClasses

TEXT, COLUMNS = "text", "columns"
READINGS = (TEXT, COLUMNS)
# Ends of names of files with a token in each line.
OF_COLUMNS = (".conll", ".conll.gz")
NAMES = {"classes": "n_classes", "iterations": "max_iter"}


def train_file(
    path: str,
    output: str,
    *,
    dev: str | None = None,
    seed: int = 0,
    jobs: int | None = None,
    read: str | None = None,
    **chosen: Any,
) -> int:
    """Learns word classes of a text and writes their file.

    `read` is "text", a sentence a line with tokens divided by blanks, or "columns", the first of
    which has tokens; by default the name of the file decides. `chosen` are options of
    `WordClasses`. Nothing is done in threads; returns 0, for nothing is refused.
    """
    from glyphone.learners.clusters.estimator import WordClasses
    from glyphone.learners.clusters.files import write_clusters

    if dev is not None:
        remedy = "leave out --dev, and measure a tagger that was trained with --clusters"
        raise GlyphoneError("classes are not measured on other words", remedy=remedy)
    check_output(output)
    check_distinct(read=[path], written=[output], what="text and classes", options="-o")
    began = time.perf_counter()
    options = {NAMES.get(name, name): value for name, value in chosen.items()}
    learner = WordClasses(random_state=seed, verbose=sys.stderr.isatty(), **options)
    learner.fit(progress.steps(sentences_of(path, read), f"reading {path}"))
    write_clusters(learner.clusters_, output)
    print(f"{output}: word classes\n\n{training_table(learner)}")
    print_message(cost_text(time.perf_counter() - began))
    return 0


def training_table(learner: WordClasses) -> str:
    """Sizes of the text and of its classes, and how training ended."""
    last, clusters = learner.history_[-1], learner.clusters_
    figures = [
        ("tokens", f"{sum(clusters.counts.values())}"),
        ("words", f"{len(clusters.bits)}"),
        ("classes", f"{len(learner.bits_)}"),
        ("log-likelihood", f"{last['log_likelihood']:.1f}"),
        ("perplexity", f"{last['perplexity']:.2f}"),
        ("passes", f"{last['iteration']}, {last['moved']} words moved in the last"),
    ]
    return format_table(figures, "<<")


def sentences_of(path: str, read: str | None) -> Iterator[list[str]]:
    """The tokens of each sentence of a file."""
    chosen = read or (COLUMNS if path.endswith(OF_COLUMNS) else TEXT)
    return read_text(path) if chosen == TEXT else read_tokens(path)


def read_text(path: str) -> Iterator[list[str]]:
    """The tokens of each line that has some, divided by blanks."""
    for _, line in text_lines(path):
        tokens = line.split()
        if tokens:
            yield tokens


def read_tokens(path: str) -> Iterator[list[str]]:
    """The tokens of the sentences of a file of columns, whatever stands beside them."""
    tokens: list[str] = []
    for _, line in text_lines(path):
        if is_token(line):
            tokens.append(line.split("\t" if "\t" in line else None, 1)[0])
        elif tokens:
            yield tokens
            tokens = []
    if tokens:
        yield tokens


def text_lines(path: str) -> Iterable[tuple[int, str]]:
    """The lines of a file; FormatError at the first that is not UTF-8."""
    for number, line in read_lines(path):
        if not is_text(line):
            remedy = "convert it: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW"
            raise FormatError("not UTF-8", path=path, line=number, item=line, remedy=remedy)
        yield number, line
