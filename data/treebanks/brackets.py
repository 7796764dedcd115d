r"""Constituent trees in brackets, as the Penn Treebank has them (Marcus et al. 1993).

    (S (NP Ann) (VP runs))      ( (S (NP (DT the) (NN rain)) (VP (VBZ stops))) )

A tree may go over lines and a line may hold several; the label of a bracket that begins with
another bracket may be absent. Errors name trees by their number, from 1.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/one.mrg"
>>> write_trees([Tree("", (Tree("S", (Tree("NP", (Tree("Ann"),)), Tree("(!)"))),))], path)
>>> with open(path) as file:
...     print(file.read(), end="")
( (S (NP Ann) \x28!\x29))
>>> [words_of(tree) for tree in read_trees(path)]
[('Ann', '(!)')]

No character is reserved. A word that is a bracket is -LRB- or -RRB-, as in the Penn Treebank.
Within words, brackets, spaces, tabs and line ends are \x28, \x29, \x20, \x09, \x0a and \x0d, and
\x2d is the first hyphen of a word that is -LRB- itself. A backslash stands for itself, but before
one of these marks two stand for one; so the \/ of the Penn Treebank stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lines import Source, open_text_output, read_lines
from glyphone.data.records import Symbols, Tree

OnError = Literal["raise"] | Callable[[FormatError], None]

_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_TOKEN = re.compile(r"[()]|[^() \t\r\n]+")
_BRACKETS = {"(": "-LRB-", ")": "-RRB-"}
_NAMES = {name: bracket for bracket, name in _BRACKETS.items()}
_MARK = r"x(?:20|28|29|09|0a|0d|2d)"
_TO_ESCAPE = re.compile(rf"(\\*)([() \t\r\n])|(\\+)(?={_MARK})")
_ESCAPED = re.compile(rf"(\\+)({_MARK})")


def words_of(tree: Tree) -> Symbols:
    """The yield: labels of leaves, from left to right."""
    found, agenda = [], [tree]
    while agenda:
        node = agenda.pop()
        if not node.children:
            found.append(node.label)
        agenda.extend(reversed(node.children))
    return tuple(found)


def escape(word: str) -> str:
    r"""A word or a label as it is written.

    >>> print(*map(escape, ["(", ":)", "1 000", "-LRB-", r"1\/2", r"\x20"]))
    -LRB- :\x29 1\x20000 \x2dLRB- 1\/2 \\x20
    """
    if word in _BRACKETS:
        return _BRACKETS[word]
    if word in _NAMES:
        return rf"\x2d{word[1:]}"
    return _TO_ESCAPE.sub(
        lambda found: found[3] * 2 if found[3] else rf"{found[1] * 2}\x{ord(found[2]):02x}", word
    )


def unescape(written: str) -> str:
    r"""The word or label that is written so.

    >>> [unescape(escape(word)) for word in ("(", "a(b", "-LRB-", r"\(")]
    ['(', 'a(b', '-LRB-', '\\(']
    """

    def meant(found: re.Match[str]) -> str:
        backslashes, mark = divmod(len(found[1]), 2)
        return "\\" * backslashes + (chr(int(found[2][1:], 16)) if mark else found[2])

    return _NAMES.get(written) or _ESCAPED.sub(meant, written)


def read_trees(path: Source, *, on_error: OnError = "raise") -> Iterator[Tree]:
    """The trees of a file, `-` or `.gz`.

    Text that is no tree raises FormatError, or the error goes to `on_error` and reading goes on
    with the next line that begins with a bracket.
    """
    reader = _Reader()
    skipping, empty = False, True
    for number, line in read_lines(path):
        if skipping and not line.startswith("("):
            continue
        skipping = False
        try:
            for tree in reader.trees(line, number):
                empty = False
                yield tree
        except ItemError as error:
            _refuse(error, path, number, line, on_error)
            reader.open.clear()
            skipping, empty = True, False
    if reader.open:
        remedy = "add the closing brackets, or look for an opening one too many"
        message = f"tree {reader.count} begins here and does not end"
        _refuse(ItemError(message, remedy=remedy), path, reader.first_line, None, on_error)
    elif empty:
        remedy = "check the name; a tree is written (S (NP Ann) (VP runs))"
        raise FormatError("there is no tree in it", path=path, remedy=remedy)


def _refuse(error: ItemError, path: Source, line: int, item: str | None, on_error: OnError) -> None:
    refusal = FormatError(error.message, path=path, line=line, item=item, remedy=error.remedy)
    if on_error == "raise":
        raise refusal from error
    on_error(refusal)


class _Reader:
    """A reader line by line; `open` are the constituents that have not ended, outermost first."""

    def __init__(self) -> None:
        self.open: list[tuple[list[str], list[Tree]]] = []
        self.count = 0
        self.first_line = 0

    def trees(self, line: str, number: int) -> Iterator[Tree]:
        """The trees that end in a line."""
        if _NOT_UTF8.search(line):
            remedy = "convert it: iconv -f ISO-8859-1 -t UTF-8 OLD > NEW"
            raise ItemError("not UTF-8", remedy=remedy)
        for token in _TOKEN.findall(line):
            if token == "(":
                if not self.open:
                    self.count, self.first_line = self.count + 1, number
                self.open.append(([], []))
            elif not self.open:
                message = f"{token!r} stands behind tree {self.count}, outside of any"
                raise ItemError(message, remedy="put every tree in brackets that match")
            elif token == ")":
                tree = self._ended()
                if not self.open:
                    yield tree
                else:
                    self.open[-1][1].append(tree)
            else:
                label, children = self.open[-1]
                if label or children:
                    children.append(Tree(unescape(token)))
                else:
                    label.append(unescape(token))

    def _ended(self) -> Tree:
        label, children = self.open.pop()
        if not children:
            shown = f"({' '.join(label)})"
            message = f"tree {self.count} has a constituent without words: {shown}"
            raise ItemError(message, remedy="remove it, or give it a word as (NP word)")
        return Tree("".join(label), tuple(children))


def write_trees(trees: Iterable[Tree], path: Source) -> None:
    """Writes trees so that `read_trees` reads the same ones, one a line."""
    with open_text_output(path) as output:
        for number, tree in enumerate(trees, 1):
            try:
                output.write(format_tree(tree) + "\n")
            except ItemError as error:
                raise FormatError(
                    f"tree {number}: {error.message}",
                    path=path,
                    item=error.item,
                    remedy=error.remedy,
                ) from error


def format_tree(tree: Tree) -> str:
    """A tree in one line.

    >>> print(format_tree(Tree("S", (Tree("NP", (Tree("Ann"),)), Tree(":)")))))
    (S (NP Ann) :\\x29)
    """
    if not tree.children:
        message = "a word is no tree" if tree.label else "a tree without words"
        raise ItemError(message, item=tree.label, remedy="put a constituent round the word")
    pieces: list[str] = []
    agenda: list[Tree | str] = [tree]
    while agenda:
        node = agenda.pop()
        if isinstance(node, str):
            pieces.append(node)
            continue
        if not node.children and not node.label:
            raise ItemError("a leaf is without a word", remedy="give it one, or leave it out")
        if node.children and not node.label and not node.children[0].children:
            message = "a constituent without a label begins with a word"
            item = node.children[0].label
            raise ItemError(message, item=item, remedy="give it a label")
        if not node.children:
            pieces.append(f" {escape(node.label)}")
        else:
            pieces.append(f" ({escape(node.label)}")
            agenda.extend((")", *reversed(node.children)))
    return "".join(pieces)[1:]
