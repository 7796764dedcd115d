"""Pieces of Markdown: text without signs, docstrings, titles, lists of pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence


def title_of(page: str) -> str:
    """The heading of a page.

    >>> title_of("# Names `x`\\n\\ntext")
    'Names `x`'
    """
    return page.removeprefix("# ").partition("\n")[0]


def contents(pages: Mapping[str, str], caption: str = "") -> str:
    """A list of pages for the navigation, which a reader of the page does not see.

    >>> print(contents({"Names": "docs/names.md"}, "Go on"))
    <BLANKLINE>
    ```{toctree}
    :hidden:
    :caption: Go on
    <BLANKLINE>
    Names <docs/names>
    ```
    <BLANKLINE>
    """
    head = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else [])]
    rows = [f"{name} <{path.removesuffix('.md')}>" for name, path in pages.items()]
    return "\n".join(["", *head, "", *rows, "```", ""])


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table of Markdown.

    >>> print(table(("a", "b"), [("1", "2")]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = [f"| {' | '.join(row)} |" for row in [head, *rows]]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def escaped(text: str) -> str:
    """Text in which no sign is one of Markdown, apart from code.

    >>> escaped("*args of `*x` <b>")
    '\\\\*args of `*x` \\\\<b>'
    """
    parts = re.split(r"(`+[^`]*`+)", text)
    parts[::2] = [re.sub(r"([*_\[\]|#<{])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def markdown_of(docstring: str) -> str:
    """A docstring as Markdown: examples and indented lines are code, and all else is text.

    >>> markdown_of("One *word*:\\n>>> 1 * 1\\n1\\n\\n    a * b").split("\\n")
    ['One \\\\*word\\\\*:', '', '```python', '>>> 1 * 1', '1', '```', '', '    a * b']
    """
    return "\n\n".join(map(paragraph, re.split(r"\n\n+", docstring)))


def paragraph(text: str) -> str:
    """Lines of a docstring without an empty one between them, as Markdown."""
    before, example, after = text.partition("\n>>> ")
    if example and not text.startswith(">>> "):
        return f"{paragraph(before)}\n\n{paragraph('>>> ' + after)}"
    lines = text.splitlines()
    if text.startswith(">>> ") or (len(lines) > 1 and is_python(text)):
        return f"```python\n{text}\n```"
    return text if all(line.startswith("    ") for line in lines) else escaped(text)


def is_python(text: str) -> bool:
    """Whether a paragraph is a piece of a program."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
