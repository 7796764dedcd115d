"""README and the guides: their Python examples and their commands, in the order of the page.

A command is an indented line, or one behind `$` in a block of `console`, where its output follows.
"""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
INDENT = "    "


@dataclass(frozen=True)
class Command:
    """A line for a shell, its place on the page, and its output if the page shows it."""

    number: int
    line: str
    output: str | None = None

    @property
    def exit_code(self) -> int:
        """The exit code that the comment of the line tells, or 0."""
        told = re.search(r" # .*\bexit code (\d+)", self.line)
        return int(told[1]) if told else 0


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def steps(text: str) -> list[Command | doctest.Example]:
    """The commands and examples of a page, in order."""
    examples = doctest.DocTestParser().get_examples(text)
    numbered = [(one.lineno + 1, one) for one in examples]
    numbered += [(one.number, one) for one in commands(text)]  # type: ignore[misc]
    return [step for _, step in sorted(numbered, key=lambda row: row[0])]


def commands(text: str) -> Iterator[Command]:
    """The commands of a page."""
    fence = None
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if line.startswith("```"):
            fence = line[3:] if fence is None else None
            if fence == "console":
                yield from console_commands(lines)
                fence = None
        elif fence is None and line.startswith(INDENT) and not line[len(INDENT)].isspace():
            yield Command(number, line.strip())


def console_commands(lines: Iterator[tuple[int, str]]) -> Iterator[Command]:
    """The commands of a block of `console`, with their outputs; the block is used up."""
    begun: tuple[int, str] | None = None
    output: list[str] = []
    for number, line in lines:
        if not line.startswith(("$ ", "```")):
            output.append(line + "\n")
            continue
        if begun is not None:
            yield Command(*begun, "".join(output))
        if line == "```":
            return
        begun, output = (number, line[2:]), []
