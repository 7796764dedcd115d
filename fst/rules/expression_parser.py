"""The parser of expressions, the parts of rules: text to syntax trees.

Juxtaposition is concatenation; `|`, `*`, `+`, `?` and parentheses are as in regular expressions,
braces hold sets, `-` subtracts one from another, `#` is the edge of the item, `∅` nothing. Text
without spaces is cut by the longest declared symbol or name; a space forces a cut. Any character
that the notation uses can be a symbol too: write a backslash before it.

>>> notation = ExpressionNotation(["a", "b", "ab"], {"V": Symbol("a")})
>>> notation.parse_whole(notation.split_lexemes("ab V*"))
Chain(parts=(Symbol(text='ab'), Repeat(part=Symbol(text='a'), low=0, unbounded=True)))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import NoReturn

from glyphone.data.errors import RuleError, UnknownName
from glyphone.fst.rules.expressions import (
    Chain,
    Choice,
    Edge,
    Expression,
    Repeat,
    Symbol,
    finite_strings,
    literal,
)

# Operators of rules are lexemes here too, as they end the expression before them.
LEXEME = re.compile(r"->|[()|*+?{},#∅/_=-]|<[^>\s]*>|\[[a-z-]+\]")
NAME = re.compile(r"[A-Z][A-Z0-9]*")
ESCAPE = "write a backslash before it if it is a symbol"


class ExpressionNotation:
    """A parser of expressions over one alphabet, with names that are defined on the way.

    `line` and `text` are the current line and its number, for errors.
    """

    def __init__(
        self, alphabet: Iterable[str], names: Mapping[str, Expression] | None = None
    ) -> None:
        self.alphabet = frozenset(alphabet)
        self.names: dict[str, Expression] = {}
        self.symbols = self.words = sorted(self.alphabet, key=len, reverse=True)
        self.line = 0
        self.text = ""
        for name, expression in (names or {}).items():
            self.define(name, expression)

    def define(self, name: str, expression: Expression) -> None:
        if name in self.alphabet:
            self.fail(f"{name} is both a symbol and a name", "choose another name")
        self.names[name] = expression
        self.words = sorted({*self.alphabet, *self.names}, key=len, reverse=True)

    def fail(
        self, message: str, remedy: str | None = None, *, symbol: str | None = None
    ) -> NoReturn:
        error = RuleError(
            f"{message}, in {self.text!r}", symbol=symbol, line=self.line, remedy=remedy
        )
        error.text = self.text
        raise error

    def split_lexemes(self, text: str) -> list[str]:
        """The lexemes of a text: operators as they are, symbols after an S, names after an N."""
        result = []
        position = 0
        while position < len(text):
            if text[position].isspace():
                position += 1
                continue
            operator = LEXEME.match(text, position)
            if operator:
                result.append(operator[0])
                position = operator.end()
                continue
            escaped = text[position] == "\\"
            position += escaped
            words = self.symbols if escaped else self.words
            word = next((w for w in words if text.startswith(w, position)), "")
            if not word:
                self.fail_unknown(text[position:])
            is_name = word in self.names and not escaped
            result.append(("N" if is_name else "S") + word)
            position += len(word)
        return result

    def fail_unknown(self, rest: str) -> NoReturn:
        name = NAME.match(rest)
        if name and len(name[0]) > 1:
            error = UnknownName("name", name[0], self.names)
            self.fail(error.message, error.remedy)
        self.fail(
            "is not in the alphabet",
            "declare it among the letters, phones or marks",
            symbol=rest[:1],
        )

    def parse_whole(self, lexemes: list[str]) -> Expression:
        expression, rest = self.parse_choice(lexemes)
        if rest:
            self.fail(f"{rest[0]} is out of place", ESCAPE)
        return expression

    def parse_choice(self, lexemes: list[str]) -> tuple[Expression, list[str]]:
        part, rest = self.parse_chain(lexemes)
        parts = [part]
        while rest and rest[0] == "|":
            part, rest = self.parse_chain(rest[1:])
            parts.append(part)
        return (parts[0] if len(parts) == 1 else Choice(tuple(parts))), rest

    def parse_chain(self, lexemes: list[str]) -> tuple[Expression, list[str]]:
        parts: list[Expression] = []
        rest = lexemes
        while rest and rest[0] not in ("|", ")", "}", ","):
            if rest[0] == "-":
                if not parts:
                    self.fail("- has nothing on its left", ESCAPE)
                other, rest = self.parse_repeated(rest[1:])
                parts[-1] = self.subtract(parts[-1], other)
            else:
                part, rest = self.parse_repeated(rest)
                parts.append(part)
        return (parts[0] if len(parts) == 1 else Chain(tuple(parts))), rest

    def subtract(self, left: Expression, right: Expression) -> Expression:
        kept, removed = finite_strings(left), finite_strings(right)
        if kept is None or removed is None:
            self.fail("- stands between sets", "list the members of both in braces")
        return Choice(tuple(literal(string) for string in kept if string not in removed))

    def parse_repeated(self, lexemes: list[str]) -> tuple[Expression, list[str]]:
        expression, rest = self.parse_atom(lexemes)
        while rest and rest[0] in ("*", "+", "?"):
            expression = Repeat(expression, int(rest[0] == "+"), rest[0] != "?")
            rest = rest[1:]
        return expression, rest

    def parse_atom(self, lexemes: list[str]) -> tuple[Expression, list[str]]:
        if not lexemes:
            self.fail("something is missing at the end", "∅ is the empty string")
        head, rest = lexemes[0], lexemes[1:]
        if head[0] == "S":
            return Symbol(head[1:]), rest
        if head[0] == "N":
            return self.names[head[1:]], rest
        if head == "#":
            return Edge(), rest
        if head == "∅":
            return Chain(), rest
        if head == "(":
            inner, rest = self.parse_choice(rest)
            if not rest or rest[0] != ")":
                self.fail("a parenthesis is not closed", ESCAPE)
            return inner, rest[1:]
        if head == "{":
            return self.parse_set(rest)
        self.fail(f"{head} is out of place", ESCAPE)

    def parse_set(self, lexemes: list[str]) -> tuple[Expression, list[str]]:
        """A set of members separated by commas, or else of single lexemes; inner sets dissolve."""
        depths = list(accumulate((x == "{") - (x == "}") for x in lexemes))
        if -1 not in depths:
            self.fail("a brace is not closed", ESCAPE)
        close = depths.index(-1)
        members: list[Expression] = []
        rest = lexemes[:close]
        commas = (",", 0) in zip(rest, depths, strict=False)
        while rest:
            member, rest = self.parse_choice(rest) if commas else self.parse_repeated(rest)
            rest = rest[1:] if rest and rest[0] == "," else rest
            members.extend(member.parts if isinstance(member, Choice) else (member,))
        return Choice(tuple(members)), lexemes[close + 1 :]
