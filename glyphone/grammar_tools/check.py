"""Lints whole grammar modules: findings with file and line, and how sizes have changed.

>>> print(Verdict("x.rules", "X", CascadeSize(3, 20), CascadeSize(2, 25)))
x.rules:X  3 states (+1)  20 arcs (-5)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError, RuleError
from glyphone.fst.rules.lint import CascadeSize, lint
from glyphone.grammar_tools import archives, modules
from glyphone.grammar_tools.places import locate_error, place_of


@dataclass(frozen=True)
class Verdict:
    """The result of the check of one rule."""

    grammar: str
    rule: str
    size: CascadeSize | None = None
    before: CascadeSize | None = None
    findings: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        return not self.findings

    def __str__(self) -> str:
        head = f"{self.grammar}:{self.rule}".rstrip(":")
        if self.size is not None:
            before = self.before or self.size
            head += count_text(self.size.states, before.states, "states")
            head += count_text(self.size.arcs, before.arcs, "arcs")
        return "\n".join([head, *(f"  {finding}" for finding in self.findings)])


def count_text(now: int, before: int, what: str) -> str:
    return f"  {now} {what}" + (f" ({now - before:+})" if now != before else "")


def check_grammars(grammars: Sequence[str], *, sizes: str | Path) -> Iterator[Verdict]:
    """A verdict for every rule of the grammars; sizes are remembered for the next check."""
    path = Path(sizes)
    remembered = read_sizes(path)
    for grammar in progress.steps(grammars or archives.grammar_names(), "checking grammars"):
        source = modules.source_of(grammar)
        try:
            rules = modules.grammar_rules(grammar)
        except GlyphoneError as error:
            yield Verdict(grammar, "", findings=(str(error),))
            continue
        for name, cascade in rules.items():
            key = f"{grammar}:{name}"
            try:
                with progress.step(key):
                    findings, size = lint(cascade, name=name)
            except RuleError as error:
                yield Verdict(grammar, name, findings=(str(locate_error(error, name, source)),))
                continue
            before, remembered[key] = remembered.get(key), size
            lines = tuple(place_of(finding, cascade, source) for finding in findings)
            yield Verdict(grammar, name, size, before, lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {key: asdict(size) for key, size in remembered.items()}
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")


def read_sizes(path: Path) -> dict[str, CascadeSize]:
    """The sizes at the last check; a file that holds none is as good as no file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {key: CascadeSize(**size) for key, size in content.items()}
    except (FileNotFoundError, ValueError, TypeError, AttributeError):
        return {}
