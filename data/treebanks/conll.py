"""Sentences in columns, as CoNLL's shared tasks have them: a line a token, empty lines between.

Cells are divided by tabs, in lines that have one, else by spaces. The caller names the
columns: `token` must be there, `label` and others may be, `_` is left out. Empty lines in a row are
one; lines that begin with -DOCSTART- are no tokens and end a sentence; there are no comments.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/esp.train"
>>> sentences = [Sequence(("Ana", "Paz"), {"pos": ("N", "N")}, ("B-PER", "I-PER"))]
>>> write_conll(sentences, path, columns=("token", "pos", "label"))
>>> list(read_conll(path, columns=("token", "pos", "label"))) == sentences
True

Labels of phrases are checked, see `glyphone.data.treebanks.chunks`: "bio" refuses an I that
continues nothing; "iob1" takes it for the beginning of a phrase, and gives BIO; None reads any
labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Many

from glyphone.data.errors import FormatError, GlyphoneError, ItemError, UnknownName
from glyphone.data.lines import Source, open_text_output, read_lines
from glyphone.data.records import Sequence, Symbols
from glyphone.data.treebanks.chunks import bio_of_iob1, check_labels

TOKEN, LABEL, LEFT_OUT = "token", "label", "_"
COLUMNS = (TOKEN, LABEL)
DOCUMENT = "-DOCSTART-"
SCHEMES = ("bio", "iob1")
_ENDS = frozenset("\r\n")

Numbered = list[tuple[int, list[str]]]


def read_conll(
    path: Source, *, columns: Many[str] = COLUMNS, scheme: str | None = "bio"
) -> Iterator[Sequence]:
    """The sentences of a file, `-` or `.gz`; without a column `label` they have no labels."""
    _check_names(columns)
    if scheme is not None and scheme not in SCHEMES:
        raise UnknownName("scheme of labels", scheme, SCHEMES)
    rows: Numbered = []
    empty = True
    for number, line in read_lines(path):
        cells = _split_cells(line)
        if cells and cells[0] != DOCUMENT:
            rows.append((number, _check_cells(cells, columns, path, number, line)))
            continue
        if rows:
            empty = False
            yield _sentence_of_rows(rows, columns, scheme, path)
        rows = []
    if rows:
        yield _sentence_of_rows(rows, columns, scheme, path)
    elif empty:
        remedy = "check the name; a line has a token, a sentence ends with an empty line"
        raise FormatError("there is no sentence in it", path=path, remedy=remedy)


def is_token(line: str) -> bool:
    """Whether a line has a token of a sentence, and is not between sentences."""
    cells = _split_cells(line)
    return bool(cells) and cells[0] != DOCUMENT


def parse_sentence(
    lines: Iterable[tuple[int, str]], *, columns: Many[str], path: Source, scheme: str | None = None
) -> Sequence:
    """The sentence of numbered lines, each with a token; FormatError if one is amiss.

    >>> parse_sentence([(7, "Ana N"), (8, "ve V")], columns=("token", "pos"), path="in").tokens
    ('Ana', 've')
    """
    rows = [(n, _check_cells(_split_cells(line), columns, path, n, line)) for n, line in lines]
    return _sentence_of_rows(rows, columns, scheme, path)


def format_sentence(
    sentence: Sequence, *, columns: Many[str], path: Source, separator: str = " ", nth: int = 1
) -> str:
    """The lines of a sentence, with an empty one behind them; nothing without tokens."""
    if not sentence.tokens:
        return ""
    lines = []
    for row in zip(*(_output_column(sentence, name, nth) for name in columns), strict=True):
        line = separator.join(map(str, row))
        if _split_cells(line) != [*row] or row[0] == DOCUMENT or not _ENDS.isdisjoint(line):
            remedy = 'no cell may be empty or have line ends; try separator="\\t"'
            message = f"sentence {nth} would not be read as it is"
            raise GlyphoneError(message, item=line, path=path, remedy=remedy)
        lines.append(f"{line}\n")
    return "".join(lines) + "\n"


def write_conll(
    sentences: Iterable[Sequence],
    path: Source,
    *,
    columns: Many[str] = COLUMNS,
    separator: str = " ",
) -> None:
    """Writes sentences in columns, an empty line behind each; one without tokens is left out."""
    _check_names(columns)
    if separator not in (" ", "\t"):
        raise GlyphoneError(f"separator {separator!r}", remedy="take a space or a tab")
    with open_text_output(path) as output:
        for nth, sentence in enumerate(sentences, 1):
            output.write(
                format_sentence(sentence, columns=columns, path=path, separator=separator, nth=nth)
            )


def _check_names(columns: Many[str]) -> None:
    named = [name for name in columns if name != LEFT_OUT]
    if TOKEN not in named or len(set(named)) < len(named) or isinstance(columns, str):
        remedy = f'name one {TOKEN!r}, each other name once, "_" for what is left out'
        raise GlyphoneError(f"columns are {columns!r}", remedy=remedy)


def _split_cells(line: str) -> list[str]:
    if "\t" in line:
        return line.split("\t") if line.strip("\t ") else []
    return [cell for cell in line.split(" ") if cell]


def _check_cells(
    cells: list[str], columns: Many[str], path: Source, number: int, line: str
) -> list[str]:
    """The cells, if there are as many as columns, each with something in it."""
    message, remedy = "", ""
    if len(cells) != len(columns):
        message = f"{len(cells)} columns where {len(columns)} are named: {', '.join(columns)}"
        remedy = "mend the line, or name the columns that are there"
    elif "" in cells:
        message, remedy = f"column {cells.index('') + 1} is empty", "write _ where there is nothing"
    elif any("\udc80" <= character <= "\udcff" for character in line):
        message, remedy = "not UTF-8", "convert it: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW"
    if message:
        raise FormatError(message, path=path, line=number, item=line, remedy=remedy)
    return cells


def _sentence_of_rows(
    rows: Numbered, columns: Many[str], scheme: str | None, path: Source
) -> Sequence:
    turned = dict(zip(columns, zip(*(cells for _, cells in rows), strict=True), strict=True))
    turned.pop(LEFT_OUT, None)
    tokens, labels = turned.pop(TOKEN), turned.pop(LABEL, ())
    if scheme is not None and labels:
        labels = _convert_labels(labels, rows, scheme, path)
    return Sequence(tokens, turned, labels)


def _convert_labels(labels: Symbols, rows: Numbered, scheme: str, path: Source) -> Symbols:
    try:
        if scheme == "bio":
            check_labels(labels)
        return bio_of_iob1(labels)
    except ItemError as error:
        number, cells = rows[error.offset or 0]
        raise FormatError(
            error.message, path=path, line=number, item=" ".join(cells), remedy=error.remedy
        ) from error


def _output_column(sentence: Sequence, name: str, nth: int) -> Symbols:
    """A column of a sentence to write, as long as it."""
    if name in (TOKEN, LABEL):
        found = sentence.tokens if name == TOKEN else sentence.labels
    else:
        found = sentence.columns.get(name, (LEFT_OUT,) * len(sentence.tokens))
    if len(found) != len(sentence.tokens):
        raise GlyphoneError(
            f"sentence {nth} has {len(sentence.tokens)} tokens, column {name!r} {len(found)}",
            remedy="give one value for each token, or name other columns",
        )
    return found
