"""ARPA files: n-gram models as text, with logarithms to base 10.

    \\data\\
    ngram 1=3

    \\1-grams:
    -99<TAB><s><TAB>-0.30103
    -0.60206<TAB>a
    ...
    \\end\\

The reader takes what other tools write: LF or CRLF, blanks or tabs, empty lines, missing backoffs,
-99 for impossible, any value for <s>, n-grams whose prefixes are missing (they get the probability
that backing off gives them), a preface before \\data\\, gzip. n-grams with <s> after their first
token, which no sequence has, are left out. Logarithms are written with nine significant digits.

>>> import tempfile
>>> from glyphone.fst.ngrams.smoothing import train
>>> path = tempfile.mkdtemp() + "/model.arpa.gz"
>>> write_arpa(train([0, 1, 0], [0, 2, 3], n_words=2, order=2), ["a", "b"], path)
>>> model, words = read_arpa(path)
>>> words, model.n_ngrams
(('a', 'b'), 7)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.kernels import jit
from glyphone.data.lines import Source, open_text_output, read_lines
from glyphone.fst.ngrams import kernels as ngram_kernels
from glyphone.fst.ngrams.model import Layer, NgramModel, assemble

BEGIN, END = "<s>", "</s>"
IMPOSSIBLE = -99.0

LN_10 = math.log(10)
_BLANKS = re.compile("[ \t]+")
_SPACE = re.compile(r"\s")
_HEADER = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)")
_SECTION = re.compile(r"\\(\d+)-grams:")


def write_arpa(model: NgramModel, words: Sequence[str], path: Source) -> None:
    """Writes a model; `words[i]` is the name of word i."""
    names = [*words, END]
    _check_names(model, words)
    kernels = jit.tier(ngram_kernels, model.n_ngrams)
    parents = kernels.parent_arcs(model.ngrams, model.levels)
    log_probs = np.maximum(model.log_probs.astype(np.float64) / LN_10, IMPOSSIBLE)
    backoffs = np.maximum(model.backoffs.astype(np.float64) / LN_10, IMPOSSIBLE)
    continued = np.full(model.n_ngrams, -1, np.int64)
    continued[parents[parents >= 0]] = np.flatnonzero(parents >= 0)
    begins = [int(model.offsets[state]) for state in model.levels]
    with open_text_output(path) as output:
        output.write("\\data\\\n")
        for depth in range(model.order):
            n = begins[depth + 1] - begins[depth] + (depth == 0)
            output.write(f"ngram {depth + 1}={n}\n")
        histories = [""]  # of the states of one length, each with a blank after it
        for depth in range(model.order):
            output.write(f"\n\\{depth + 1}-grams:\n")
            longer: list[str] = []
            first = int(model.levels[depth])
            for state, history in enumerate(histories, first):
                for arc in range(model.offsets[state], model.offsets[state + 1]):
                    ngram = history + names[model.tokens[arc]]
                    line = f"{log_probs[arc]:.9g}\t{ngram}"
                    if continued[arc] >= 0:
                        line += f"\t{backoffs[continued[arc]]:.9g}"
                        longer.append(ngram + " ")
                    output.write(line + "\n")
            if depth == 0:
                line = f"{IMPOSSIBLE:.9g}\t{BEGIN}"
                if model.start:
                    line += f"\t{backoffs[model.start]:.9g}"
                    longer.append(BEGIN + " ")
                output.write(line + "\n")
            histories = longer
        output.write("\n\\end\\\n")


def _check_names(model: NgramModel, words: Sequence[str]) -> None:
    if len(words) != model.n_words:
        raise GlyphoneError(f"{len(words)} names for a model of {model.n_words} words")
    if len(set(words)) != len(words):
        twice = next(word for place, word in enumerate(words) if word in words[:place])
        raise GlyphoneError("two words have one name", item=twice)
    for word in words:
        if not word or word in (BEGIN, END):
            raise GlyphoneError("cannot be the name of a word in an ARPA file", item=word)
        space = _SPACE.search(word)
        if space:
            raise GlyphoneError(
                "separates tokens in an ARPA file and cannot be in one",
                item=word,
                symbol=space.group(),
                offset=space.start(),
                remedy="write the token without white space, '▁' for example",
            )


def read_arpa(path: Source) -> tuple[NgramModel, tuple[str, ...]]:
    """The model in a file and the names of its words, in the order of its unigrams."""
    return _Reader(path).read()


class _Section:
    """The n-grams of one length, as the file has them."""

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.log_probs: list[float] = []
        self.backoffs: list[float] = []
        self.lines: list[int] = []

    def rows(self, length: int) -> NDArray[np.int32]:
        return np.array(self.tokens, np.int32).reshape(-1, length)


class _Reader:
    """Reads line by line; errors name the line."""

    def __init__(self, path: Source) -> None:
        self.path = path
        self.line = 0
        self.lines = self._filled_lines()
        self.numbers: dict[str, int] = {}

    def _filled_lines(self) -> Iterator[str]:
        for number, line in read_lines(self.path):
            self.line = number
            if text := line.strip(" \t"):
                yield text

    def fail(self, message: str, *, line: int | None = None, item: str | None = None) -> NoReturn:
        raise FormatError(message, path=self.path, line=line or self.line or 1, item=item)

    def read(self) -> tuple[NgramModel, tuple[str, ...]]:
        if not any(text == "\\data\\" for text in self.lines):
            self.fail("there is no \\data\\ line, so this is no ARPA file")
        sizes: list[int] = []
        text = next(self.lines, None)
        while text is not None and (header := _HEADER.fullmatch(text)):
            if int(header[1]) != len(sizes) + 1:
                self.fail(f"expected 'ngram {len(sizes) + 1}=...'", item=text)
            sizes.append(int(header[2]))
            text = next(self.lines, None)
        if not sizes:
            self.fail("there is no 'ngram 1=...' after \\data\\")
        sections = []
        for length, size in enumerate(sizes, 1):
            section_line = self.line
            if text is None or text != f"\\{length}-grams:":
                self.fail(f"expected \\{length}-grams:", item=text)
            section, text = self.read_section(length, len(sizes))
            if len(section.lines) != size:
                found = f"the section has {len(section.lines)} n-grams, \\data\\ says {size}"
                self.fail(found, line=section_line)
            sections.append(section)
        if text != "\\end\\":
            self.fail("the file is cut short: expected \\end\\", item=text)
        return self.build_model(sections)

    def read_section(self, length: int, order: int) -> tuple[_Section, str | None]:
        """The n-grams up to the next line that holds none, and that line."""
        section = _Section()
        for text in self.lines:
            if text[0] == "\\" and (text == "\\end\\" or _SECTION.fullmatch(text)):
                return section, text
            fields = _BLANKS.split(text)
            if not length + 1 <= len(fields) <= length + 1 + (length < order):
                self.fail(f"expected a number, {length} tokens and maybe a backoff", item=text)
            if length == 1:
                self.numbers.setdefault(fields[1], len(self.numbers))
            try:
                section.tokens += [self.numbers[token] for token in fields[1 : length + 1]]
            except KeyError as error:
                self.fail("is not among the unigrams", item=str(error.args[0]))
            section.log_probs.append(self.parse_logarithm(fields[0]))
            backoff = self.parse_logarithm(fields[-1]) if len(fields) > length + 1 else 0.0
            section.backoffs.append(backoff)
            section.lines.append(self.line)
        return section, None

    def parse_logarithm(self, text: str) -> float:
        """A logarithm to base 10 in a field, as a natural one."""
        try:
            value = float(text)
        except ValueError:
            self.fail("is not a number", item=text)
        if value != value or value == math.inf:
            self.fail("is not a logarithm", item=text)
        return value * LN_10 if value > IMPOSSIBLE else -math.inf

    def build_model(self, sections: list[_Section]) -> tuple[NgramModel, tuple[str, ...]]:
        words = tuple(name for name in self.numbers if name not in (BEGIN, END))
        final = {name: number for number, name in enumerate((*words, END, BEGIN))}
        renumbered = np.array([final[name] for name in self.numbers], np.int32)
        begin = len(words) + 1
        tables: list[_NgramTable] = []
        for length, section in enumerate(sections, 1):
            rows = renumbered[section.rows(length)] if section.lines else section.rows(length)
            columns = (rows, np.array(section.log_probs), np.array(section.backoffs))
            self.check_twice(rows, section)
            usable = (rows[:, 1:] != begin).all(axis=1)
            tables.append(_NgramTable(*(column[usable] for column in columns)))
        tables[0] = tables[0].with_all(len(words) + 2)
        for above, below in zip(tables[:0:-1], tables[-2::-1], strict=True):
            below.add_missing(above.rows[:, :-1])
        layers: list[Layer] = []
        for table in tables:
            layers.append(table.to_layer(layers))
        return assemble(len(words), layers), words

    def check_twice(self, rows: NDArray[np.int32], section: _Section) -> None:
        order = np.lexsort(rows.T[::-1])
        same = (rows[order[1:]] == rows[order[:-1]]).all(axis=1)
        if same.any():
            place = int(np.argmax(same))
            first, second = (section.lines[row] for row in order[place : place + 2])
            self.fail(f"the same n-gram is in line {min(first, second)}", line=max(first, second))


class _NgramTable:
    """n-grams of one length as rows of tokens, in any order; NaN for a probability not given."""

    def __init__(
        self,
        rows: NDArray[np.int32],
        log_probs: NDArray[np.float64],
        backoffs: NDArray[np.float64],
    ) -> None:
        self.rows, self.log_probs, self.backoffs = rows, log_probs, backoffs
        self.sort()

    def sort(self) -> None:
        # A row that was given comes before its double that was not, and np.nan sorts last.
        order = np.lexsort((self.log_probs, *self.rows.T[::-1]))
        self.rows = self.rows[order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (self.rows[1:] != self.rows[:-1]).any(axis=1)
        self.rows, order = self.rows[new], order[new]
        self.log_probs, self.backoffs = self.log_probs[order], self.backoffs[order]

    def with_all(self, n_tokens: int) -> _NgramTable:
        """Unigrams of every token, impossible where not given, as </s> and <s> may be."""
        log_probs, backoffs = np.full(n_tokens, -np.inf), np.zeros(n_tokens)
        log_probs[self.rows[:, 0]] = self.log_probs
        backoffs[self.rows[:, 0]] = self.backoffs
        return _NgramTable(np.arange(n_tokens, dtype=np.int32)[:, np.newaxis], log_probs, backoffs)

    def add_missing(self, prefixes: NDArray[np.int32]) -> None:
        self.rows = np.concatenate([self.rows, prefixes])
        self.log_probs = np.concatenate([self.log_probs, np.full(len(prefixes), np.nan)])
        self.backoffs = np.concatenate([self.backoffs, np.zeros(len(prefixes))])
        self.sort()

    def to_layer(self, shorter: Sequence[Layer]) -> Layer:
        """The table with parents as numbers on the layer before."""
        parents = np.zeros(len(self.rows), np.int32)
        for place, layer in enumerate(shorter):
            width = len(shorter[0].tokens)
            keys = layer.parents.astype(np.int64) * width + layer.tokens
            wanted = parents.astype(np.int64) * width + self.rows[:, place]
            parents = np.searchsorted(keys, wanted).astype(np.int32)
        return Layer(parents, self.rows[:, -1].copy(), None, self.log_probs, self.backoffs)
