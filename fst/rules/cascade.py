"""Grammars as cascades: ordered steps from declared letters to declared phones.

A cascade is data. `fst/rules/compiler.py` makes a transducer of it with pynini;
`fst/rules/interpreter.py` runs it step by step without pynini, which is how `glyphone explain`
shows what fired where.

>>> GREETING = cascade(letters="a h l o", phones="a l o", rules="h -> ∅  ; silent")
>>> [rule.note for rule in GREETING.rules()]
['silent']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from glyphone.data.errors import RuleError
from glyphone.data.records import Symbols
from glyphone.data.writing import Writing
from glyphone.fst.rules.expressions import Choice, Edge, literal
from glyphone.fst.rules.expressions import Symbol as SymbolExpression
from glyphone.fst.rules.parser import Notation, Rewrite, Rule

SymbolPair = tuple[Symbols, Symbols]


@dataclass(frozen=True)
class Table:
    """A step that cuts the whole string into listed strings and replaces each of them.

    Unlike a rule, it lets nothing pass that is not in the list.
    """

    pairs: tuple[SymbolPair, ...]
    path: Path | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Respelling:
    """A step that replaces whole items: exceptions, respelt so that the rules then say them right.

    >>> Respelling((("c", "a"), ("k", "a")),).pairs
    (('c', 'a'), ('k', 'a'))
    """

    pairs: tuple[SymbolPair, ...]
    path: Path | None = field(default=None, compare=False)

    def as_rule(self) -> Rule:
        name = "respelling" if self.path is None else self.path.name
        rewrites = tuple(Rewrite(literal(found), output) for found, output in self.pairs)
        return Rule(rewrites, Edge(), Edge(), text=name, line=0, direction="simultaneous")


Step = Rule | Table


@dataclass(frozen=True, kw_only=True)
class Cascade:
    """Letters to phones by ordered steps; `marks` are symbols that live only in between."""

    letters: Symbols
    phones: Symbols
    marks: Symbols = ()
    texts: tuple[str | Table | Respelling, ...] = ()
    source: Writing = Writing()
    target: Writing = Writing(unit="token")
    ambiguous: bool = False
    partial: bool = False
    inverted: bool = False

    @cached_property
    def alphabet(self) -> Symbols:
        """Every symbol once, in the order of declaration; ties are broken by this order."""
        return tuple(dict.fromkeys(self.letters + self.phones + self.marks))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        notation = Notation(self.alphabet)
        for name, members in (
            ("LETTER", self.letters),
            ("PHONE", self.phones),
            ("ANY", self.alphabet),
        ):
            if name not in self.alphabet:
                notation.define(name, Choice(tuple(map(SymbolExpression, members))))
        steps: list[Step] = []
        for text in self.texts:
            match text:
                case str():
                    steps.extend(notation.read(text))
                case Respelling():
                    self.check_symbols(text)
                    steps.append(text.as_rule())
                case Table():
                    self.check_symbols(text)
                    steps.append(text)
        rules = [step for step in steps if isinstance(step, Rule)]
        if any(pair.probability < 1 for rule in rules for pair in rule.pairs):
            for rule in rules:
                if rule.optional:
                    error = RuleError(
                        f"an optional rule says nothing of its probability, in {rule.text!r}",
                        line=rule.line,
                        remedy="as other rules here have one, write: t -> ɾ <0.7> | t <0.3>",
                    )
                    error.text = rule.text
                    raise error
        return tuple(steps)

    def rules(self) -> list[Rule]:
        return [step for step in self.steps if isinstance(step, Rule)]

    @cached_property
    def is_weighted(self) -> bool:
        """Whether some rule has alternatives with probabilities."""
        return any(pair.probability < 1 for rule in self.rules() for pair in rule.pairs)

    def check_symbols(self, lists: Table | Respelling) -> None:
        known = frozenset(self.alphabet)
        for number, pair in enumerate(lists.pairs, 1):
            for symbol in (*pair[0], *pair[1]):
                if symbol not in known:
                    raise RuleError(
                        "is not in the alphabet",
                        path=lists.path,
                        item=" ".join(pair[0]),
                        symbol=symbol,
                        line=None if lists.path else number,
                        remedy="declare it among the letters, phones or marks",
                    )

    def inverse(self, *, ambiguous: bool = False, partial: bool = False) -> Cascade:
        """The inverse cascade, from phones to letters, with declarations of its own."""
        return replace(self, inverted=not self.inverted, ambiguous=ambiguous, partial=partial)

    @property
    def input_symbols(self) -> Symbols:
        return self.phones if self.inverted else self.letters

    @property
    def output_symbols(self) -> Symbols:
        return self.letters if self.inverted else self.phones

    @property
    def input_writing(self) -> Writing:
        return self.target if self.inverted else self.source

    @property
    def output_writing(self) -> Writing:
        return self.source if self.inverted else self.target

    def as_dict(self) -> dict[str, Any]:
        """The cascade for a manifest, from which `from_dict` makes an equal one."""
        kinds = {str: "rules", Table: "table", Respelling: "respelling"}
        return {
            "letters": self.letters,
            "phones": self.phones,
            "marks": self.marks,
            "source": self.source.as_dict(),
            "target": self.target.as_dict(),
            "ambiguous": self.ambiguous,
            "partial": self.partial,
            "inverted": self.inverted,
            "steps": [
                {kinds[type(text)]: text if isinstance(text, str) else text.pairs}
                for text in self.texts
            ],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Cascade:
        texts: list[str | Table | Respelling] = []
        for step in data["steps"]:
            ((kind, content),) = step.items()
            if kind == "rules":
                texts.append(content)
                continue
            pairs = tuple((tuple(found), tuple(output)) for found, output in content)
            texts.append(Table(pairs) if kind == "table" else Respelling(pairs))
        return cls(
            letters=tuple(data["letters"]),
            phones=tuple(data["phones"]),
            marks=tuple(data["marks"]),
            texts=tuple(texts),
            source=Writing.from_dict(data["source"]),
            target=Writing.from_dict(data["target"]),
            ambiguous=data["ambiguous"],
            partial=data["partial"],
            inverted=data["inverted"],
        )


def cascade(
    *,
    letters: str | Iterable[str],
    phones: str | Iterable[str],
    rules: str | Table | Respelling | Sequence[str | Table | Respelling],
    marks: str | Iterable[str] = (),
    source: Writing = Writing(),
    target: Writing = Writing(unit="token"),
    ambiguous: bool = False,
    partial: bool = False,
) -> Cascade:
    """A cascade, with its symbols given as text parted by spaces or as any iterable.

    `ambiguous` declares that an item may have several outputs; without it `glyphone check`
    refuses a grammar that gives two. `partial` declares that some strings over the letters are
    meant to have none; without it that is refused too.
    """
    texts = (rules,) if isinstance(rules, str | Table | Respelling) else tuple(rules)
    return Cascade(
        letters=inventory(letters),
        phones=inventory(phones),
        marks=inventory(marks),
        texts=texts,
        source=source,
        target=target,
        ambiguous=ambiguous,
        partial=partial,
    )


def inventory(symbols: str | Iterable[str]) -> Symbols:
    """Symbols once each; a text is cut at its spaces.

    >>> inventory("a b t͡ʃ"), inventory([" ", "a"])
    (('a', 'b', 't͡ʃ'), (' ', 'a'))
    """
    found = symbols.split() if isinstance(symbols, str) else list(symbols)
    twice = [symbol for symbol, count in Counter(found).items() if count > 1]
    if twice:
        raise RuleError(f"declared twice: {' '.join(twice)}", remedy="declare it once")
    return tuple(found)


def table_of(entries: Mapping[str, Iterable[str]], *, kept: Iterable[str] = ()) -> Table:
    """A table step from strings and their outputs; the symbols of `kept` stay what they are.

    >>> table_of({"ch": ["tʃ"]}, kept="a").pairs
    ((('c', 'h'), ('tʃ',)), (('a',), ('a',)))
    """
    pairs = [(tuple(found), tuple(output)) for found, output in entries.items()]
    return Table((*pairs, *(((symbol,), (symbol,)) for symbol in kept)))


def respelling(path: str | Path, *, source: Writing = Writing()) -> Respelling:
    """A respelling step from a TSV of two columns, both sides written in letters."""
    rows = read_word_list(path)
    pairs = tuple((source.split(a).symbols, source.split(b).symbols) for a, b in rows)
    return Respelling(pairs, Path(path))


def table(
    path: str | Path, *, source: Writing = Writing(), target: Writing = Writing(unit="token")
) -> Table:
    """A table step from a TSV of two columns."""
    rows = read_word_list(path)
    pairs = tuple((source.split(a).symbols, target.split(b).symbols) for a, b in rows)
    return Table(pairs, Path(path))


def read_word_list(path: str | Path) -> list[tuple[str, ...]]:
    """The rows of a TSV of two columns."""
    # Imported here: compiled grammars answer without their word lists.
    from glyphone.data.lexicons.tsv import read_table

    return read_table(path, columns=2)
