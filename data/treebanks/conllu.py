r"""CoNLL-U, the format of Universal Dependencies: comments, then a line a word, with ten columns.

The columns are index, form, lemma, part of speech, that of the language, features, head, relation,
enhanced dependencies and anything else; `_` is nothing. Empty lines divide sentences.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/one.conllu"
>>> text = "# sent_id = 1\n1\tAnn\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_\n2\truns" + "\t_" * 4
>>> with open(path, "w") as file:
...     _ = file.write(text + "\t0\troot\t_\t_\n\n")
>>> (sentence,) = read_conllu(path)
>>> sentence.id, [(word.form, word.head, word.deprel) for word in sentence.words]
('1', [('Ann', 2, 'nsubj'), ('runs', 0, 'root')])

Nothing is lost: a file that is read and written is the same but for empty lines in a row and the
kind of line ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Literal

from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lines import Source, open_text_output, read_lines
from glyphone.data.treebanks.dependencies import (
    COLUMNS,
    NOTHING,
    EmptyNode,
    MultiwordToken,
    Sentence,
    Word,
    check_tree,
)

OnError = Literal["raise"] | Callable[[FormatError], None]

_HEAD = COLUMNS.index("head")
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_INDEX = re.compile(r"(0|[1-9][0-9]{0,8})(?:([-.])([1-9][0-9]{0,8}))?")


def read_conllu(
    path: Source, *, trees: bool = True, on_error: OnError = "raise"
) -> Iterator[Sentence]:
    """The sentences of a file, `-` or `.gz`; without `trees` heads may be anything, or nothing.

    A sentence that is refused raises FormatError, or goes to `on_error` and is left out.
    """
    lines: list[tuple[int, str]] = []
    count = 0
    for number, line in chain(read_lines(path), [(0, "")]):
        if line.strip(" \t"):
            lines.append((number, line))
            continue
        if lines:
            count += 1
            reader = _Reader()
            try:
                yield reader.sentence(lines, trees=trees)
            except ItemError as error:
                refusal = _refusal(error, path, reader, count)
                if on_error == "raise":
                    raise refusal from error
                on_error(refusal)
            lines = []
    if not count:
        remedy = "check the name; a word is a line of ten columns between tabs"
        raise FormatError("there is no sentence in it", path=path, remedy=remedy)


def _refusal(error: ItemError, path: Source, reader: _Reader, count: int) -> FormatError:
    return FormatError(
        error.message,
        path=path,
        line=reader.lines[error.offset - 1] if error.offset else reader.line,
        item=Sentence((), tuple(reader.comments)).id or f"sentence {count}",
        remedy=error.remedy,
    )


class _Reader:
    """The parts of one sentence as they are read; `lines` are the line numbers of its words."""

    def __init__(self) -> None:
        self.line = 0
        self.lines: list[int] = []
        self.comments: list[str] = []
        self.words: list[Word] = []
        self.multiword: list[MultiwordToken] = []
        self.empty: list[EmptyNode] = []

    def sentence(self, lines: Iterable[tuple[int, str]], *, trees: bool) -> Sentence:
        for self.line, text in lines:
            self.take(text)
        if self.multiword and self.multiword[-1].last > len(self.words):
            token = self.multiword[-1]
            message = f"token {token.first}-{token.last} has words that are not there"
            raise ItemError(message, remedy="add them, or end it with the last word")
        found = Sentence(
            tuple(self.words), tuple(self.comments), tuple(self.multiword), tuple(self.empty)
        )
        if trees or not self.words:
            check_tree(found)
        return found

    def take(self, line: str) -> None:
        if _NOT_UTF8.search(line):
            remedy = "convert it: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW"
            raise ItemError("not UTF-8", remedy=remedy)
        if line.startswith("#"):
            if self.words or self.multiword or self.empty:
                remedy = "move it before the sentence, or end the sentence with an empty line"
                raise ItemError("a comment inside of a sentence", remedy=remedy)
            self.comments.append(line)
            return
        index, *cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            remedy = "divide columns by one tab each, sentences by an empty line"
            raise ItemError(f"{len(cells) + 1} columns, not 10: {line[:60]!r}", remedy=remedy)
        if "" in cells:
            message = f"token {index}: the column {COLUMNS[cells.index('')]} is empty"
            raise ItemError(message, remedy="write _ where there is nothing")
        parts = _INDEX.fullmatch(index)
        if parts is None or not self.put(int(parts[1]), parts[2], int(parts[3] or 0), cells):
            message = f"the index {index!r} behind word {len(self.words)}"
            remedy = "count words 1, 2, 3; put 3-4 before word 3, and 3.1 behind it"
            raise ItemError(message, remedy=remedy)
        if len(self.lines) < len(self.words):
            self.lines.append(self.line)

    def put(self, first: int, mark: str | None, second: int, cells: list[str]) -> bool:
        """Add a line with this index, and return whether it may follow the lines before it."""
        covered = self.multiword[-1].last if self.multiword else 0
        if mark is None:
            right = first == len(self.words) + 1
            if right:
                self.words.append(_parse_word(first, cells))
        elif mark == "-":
            right = first == len(self.words) + 1 and first > covered and second >= first
            if right:
                self.multiword.append(MultiwordToken(first, second, tuple(cells)))
        else:
            last = self.empty[-1] if self.empty else EmptyNode(-1, 0, ())
            opened = bool(self.multiword) and self.multiword[-1].first > len(self.words)
            right = not opened and (first, second) == (
                len(self.words),
                last.number + 1 if last.after == first else 1,
            )
            if right:
                self.empty.append(EmptyNode(first, second, tuple(cells)))
        return right


def _parse_word(number: int, cells: list[str]) -> Word:
    head = cells[_HEAD]
    if head != NOTHING and not _NUMBER.fullmatch(head):
        message = f"token {number} {cells[0]!r}: its head is {head!r}, which is no number"
        raise ItemError(message, remedy="write the number of a word, 0 for the root, or _")
    form, lemma, upos, xpos, feats, _, deprel, deps, misc = cells
    number_of_head = None if head == NOTHING else int(head)
    return Word(form, lemma, upos, xpos, feats, number_of_head, deprel, deps, misc)


def write_conllu(sentences: Iterable[Sentence], path: Source) -> None:
    """Writes sentences so that `read_conllu` reads the same ones."""
    with open_text_output(path) as output:
        for number, sentence in enumerate(sentences, 1):
            try:
                for line in format_lines(sentence):
                    output.write(line + "\n")
            except ItemError as error:
                name = sentence.id or f"sentence {number}"
                raise FormatError(
                    error.message, path=path, item=name, remedy=error.remedy
                ) from error
            output.write("\n")


def format_lines(sentence: Sentence) -> list[str]:
    """The lines of a sentence, without the empty one; ItemError if they would not be read so."""
    lines = list(sentence.comments)
    starts = {token.first: token for token in sentence.multiword}
    behind: dict[int, list[EmptyNode]] = {}
    for node in sentence.empty:
        behind.setdefault(node.after, []).append(node)
    for number, word in enumerate((None, *sentence.words)):
        if token := starts.get(number):
            lines.append("\t".join((f"{token.first}-{token.last}", *token.columns)))
        if word:
            cells = (getattr(word, column) for column in COLUMNS)
            lines.append("\t".join((str(number), *map(_format_cell, cells))))
        for node in behind.get(number, ()):
            lines.append("\t".join((f"{node.after}.{node.number}", *node.columns)))
    for line in lines:
        if "\n" in line or line.endswith("\r"):
            raise ItemError(f"a line end within {line!r:.60}", remedy="write something else for it")
    if _Reader().sentence(enumerate(lines, 1), trees=False) != sentence:
        remedy = "no tabs in columns; multiword tokens and empty nodes in the order of words"
        raise ItemError("the sentence would not be read as it is", remedy=remedy)
    return lines


def _format_cell(cell: str | int | None) -> str:
    return NOTHING if cell is None else str(cell)
