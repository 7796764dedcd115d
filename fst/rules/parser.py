"""The parser of rewrite rules: text to syntax trees.

    ; A comment runs from a semicolon to the end of the line.
    V = {a e i o u}                 a name for an expression; names are capitals and digits
    C = LETTER - V                  sets can be subtracted
    c h -> t͡ʃ                       everywhere
    c   -> θ / _ {e i}              before e or i
    s   -> z / V _ V                between vowels
    {b d g} -> {β ð ɣ} / V _        element by element
    V   -> ˈ V / _ C* V #           a set on the right repeats the element matched on the left
    h   -> ∅                        deletion
    ∅   -> e / # _ s C              insertion; # is the edge of the item
    t   -> ɾ <0.7> | t <0.3>        alternatives with probabilities
    e   -> ə  [optional]            also [simultaneous], [right-to-left]

Sides and contexts are expressions: see `glyphone.fst.rules.expression_parser`. Any character that
the notation uses can be a symbol too: write a backslash before it. Sets that can be misread,
`{a eu}` and `{a o u, ei}`, are refused.

>>> rule, = Notation(["a", "b"]).read("a -> b / # _ b*")
>>> rule.pairs[0].output, rule.right
(('b',), Repeat(part=Symbol(text='b'), low=0, unbounded=True))
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

from glyphone.fst.rules.expression_parser import ExpressionNotation
from glyphone.fst.rules.expressions import (
    Chain,
    Expression,
    accepts_empty,
    finite_strings,
    has_edge,
    literal,
)

Direction = Literal["left-to-right", "right-to-left", "simultaneous"]


@dataclass(frozen=True)
class Rewrite:
    """One alternative of a rule: the expression found, its replacement and its probability."""

    found: Expression
    output: tuple[str, ...]
    probability: float = 1.0


@dataclass(frozen=True)
class Rule:
    """pairs / left _ right, as read from `text`; `note` is the comment behind it."""

    pairs: tuple[Rewrite, ...]
    left: Expression
    right: Expression
    text: str
    line: int
    note: str = ""
    direction: Direction = "left-to-right"
    optional: bool = False


ALTERNATIVES = "write alternatives as: a | b"


class Notation(ExpressionNotation):
    """A parser of rules over one alphabet; names defined in one text are known in the next."""

    def read(self, text: str, *, first_line: int = 1) -> list[Rule]:
        """The rules of a text; definitions in it are remembered."""
        rules = []
        for number, raw in enumerate(text.split("\n"), first_line):
            body, note = split_comment(raw)
            self.line, self.text = number, strip_blanks(body)
            if not self.text:
                continue
            definition = re.fullmatch(r"([A-Z][A-Z0-9]*)\s*=(?!>)(.*)", self.text)
            if definition:
                self.define(definition[1], self.parse_whole(self.split_lexemes(definition[2])))
            else:
                rules.append(self.parse_rule(note.strip()))
        return rules

    def split_lexemes(self, text: str) -> list[str]:
        found = super().split_lexemes(text)
        check_sets(self, text, found)
        return found

    def parse_rule(self, note: str) -> Rule:
        lexemes = self.split_lexemes(self.text)
        options = [lexeme for lexeme in lexemes if lexeme[0] == "["]
        lexemes = [lexeme for lexeme in lexemes if lexeme[0] != "["]
        known = ("[optional]", "[simultaneous]", "[right-to-left]")
        for option in options:
            if option not in known:
                self.fail(f"{option} is no option", f"one of {' '.join(known)}")
        if lexemes.count("->") != 1:
            self.fail("a rule has one arrow", "write: found -> output / left _ right")
        arrow = lexemes.index("->")
        slash = lexemes.index("/") if "/" in lexemes else len(lexemes)
        if slash < arrow or lexemes.count("/") > 1:
            self.fail("the context stands last, behind one slash", "write: / left _ right")
        context = lexemes[slash + 1 :]
        if slash < len(lexemes) and context.count("_") != 1:
            self.fail("a context has one place", "write: / left _ right")
        place = context.index("_") if context else 0
        if len(set(options) - {"[optional]"}) > 1:
            self.fail("a rule has one direction", "keep one of its options")
        direction: Direction = "left-to-right"
        if "[simultaneous]" in options:
            direction = "simultaneous"
        elif "[right-to-left]" in options:
            direction = "right-to-left"
        pairs = self.parse_rewrites(lexemes[:arrow], lexemes[arrow + 1 : slash])
        return Rule(
            pairs=pairs,
            left=self.parse_whole(context[:place]),
            right=self.parse_whole(context[place + 1 :]),
            text=" ".join(self.text.split()),
            line=self.line,
            note=note,
            direction=direction,
            optional="[optional]" in options,
        )

    def parse_rewrites(self, found: list[str], put: list[str]) -> tuple[Rewrite, ...]:
        source = self.parse_whole(found)
        if has_edge(source):
            self.fail("# belongs into the context", "write: / # _")
        empty, finite = accepts_empty(source), finite_strings(source)
        if finite is not None and len(set(finite)) < len(finite):
            self.fail("a set has a member twice", "part strings of several symbols by commas")
        if empty and finite != [()]:
            self.fail("what is found may be empty or not", "write an insertion and a second rule")
        alternatives = split_alternatives(put)
        if len(alternatives) == 1 and not alternatives[0][1]:
            outputs = finite_strings(self.parse_whole(alternatives[0][0]))
            if outputs is None:
                self.fail("an output is one string, or a set of strings", ALTERNATIVES)
            if len(outputs) == 1:
                return (Rewrite(source, outputs[0]),)
            return self.rewrite_each(source, alternatives[0][0])
        rewrites = []
        weights_given = any(weight for _, weight in alternatives)
        for lexemes, weight in alternatives:
            outputs = finite_strings(self.parse_whole(lexemes))
            if outputs is None or len(outputs) != 1:
                self.fail("an alternative is one string", ALTERNATIVES)
            share = self.parse_probability(weight) if weights_given else 1 / len(alternatives)
            rewrites.append(Rewrite(source, outputs[0], share))
        if len({rewrite.output for rewrite in rewrites}) < len(rewrites):
            self.fail("an alternative is written twice", "write it once, with both probabilities")
        total = sum(rewrite.probability for rewrite in rewrites)
        if abs(total - 1) > 1e-6:
            self.fail(f"the probabilities sum to {total:.6g}", "make them sum to 1")
        return tuple(rewrites)

    def parse_probability(self, lexeme: str) -> float:
        try:
            value = float(lexeme[1:-1])
        except ValueError:
            value = math.nan
        if not 0 < value <= 1:
            self.fail(
                f"{lexeme or 'an alternative without a number'} is no probability",
                "write <0.3> behind each alternative",
            )
        return value

    def rewrite_each(self, source: Expression, put: list[str]) -> tuple[Rewrite, ...]:
        found = finite_strings(source)
        if found is None:
            self.fail(
                "a set of outputs needs a set of the same size on the left",
                "write a rule for each output",
            )
        parts = self.parse_whole(put)
        pieces = parts.parts if isinstance(parts, Chain) else (parts,)
        outputs: list[tuple[str, ...]] = [() for _ in found]
        for piece in pieces:
            choices = finite_strings(piece) or []
            if len(choices) == 1:
                choices = choices * len(found)
            if len(choices) != len(found):
                self.fail(
                    f"{len(found)} strings on the left, {len(choices)} on the right",
                    "pair them one by one; ∅ is the empty string",
                )
            outputs = [head + tail for head, tail in zip(outputs, choices, strict=True)]
        return tuple(map(Rewrite, map(literal, found), outputs))


class SymbolRun(NamedTuple):
    """Symbols and names without a blank between them, as written, in one part of a bracket."""

    part: int
    begin: int
    end: int
    words: tuple[str, ...]
    named: bool


@dataclass
class Bracket:
    """A bracket while it is read; operators and inner brackets divide it into parts."""

    kind: str
    runs: list[SymbolRun] = field(default_factory=list)
    part: int = 0
    commas: bool = False

    def add(self, run: SymbolRun, *, postfix: bool) -> None:
        last = self.runs[-1] if self.runs else None
        if last is not None and (last.part, last.end) == (run.part, run.begin):
            *head, word = last.words
            words = (*head, word + run.words[0]) if postfix else (*last.words, *run.words)
            self.runs[-1] = SymbolRun(run.part, last.begin, run.end, words, last.named or run.named)
        elif not postfix:
            self.runs.append(run)


def check_sets(notation: ExpressionNotation, text: str, lexemes: list[str]) -> None:
    """RuleError for a set that can be misread."""
    brackets = [Bracket("")]
    end = 0
    for lexeme in lexemes:
        begin = end + len(text[end:]) - len(text[end:].lstrip())
        kind, inner = lexeme[0], brackets[-1]
        end = begin + len(lexeme) - (kind in "SN" and text[begin] != "\\")
        if kind in "SN*+?":
            run = SymbolRun(inner.part, begin, end, (text[begin:end],), kind == "N")
            inner.add(run, postfix=kind in "*+?")
            continue
        inner.part += 1
        inner.commas |= lexeme == ","
        if lexeme in ("(", "{"):
            brackets.append(Bracket(lexeme))
        elif lexeme in (")", "}") and len(brackets) > 1:
            check_set(notation, text, brackets.pop())


def check_set(notation: ExpressionNotation, text: str, bracket: Bracket) -> None:
    joined = next((run for run in bracket.runs if len(run.words) > 1), None)
    if joined is None or bracket.kind != "{":
        return
    word, apart = "".join(joined.words), " ".join(joined.words)
    if not bracket.commas:
        commas = ", ".join("".join(run.words) for run in bracket.runs)
        string = f"{{{commas}}}" if len(bracket.runs) > 1 else f"{word} without braces"
        notation.fail(
            f"{word!r} in a set without commas is no declared symbol",
            f"write {apart} for members of one symbol each, {string} for strings",
        )
    for one, other in pairwise(bracket.runs):
        if one.part == other.part and not (one.named or other.named):
            notation.fail(
                f"{text[one.begin : other.end]!r} in a set with commas is a string, like {word!r}",
                f"write {apart} with blanks too if both are, or part all members by commas",
            )


def split_comment(line: str) -> tuple[str, str]:
    """A line and its comment, which begins at the first semicolon without a backslash."""
    body = re.match(r"(?:\\.|[^;\\]|\\$)*", line)
    end = body.end() if body else 0
    return line[:end], line[end + 1 :]


def strip_blanks(text: str) -> str:
    """The text without the spaces around it, but for one behind a backslash at the end.

    >>> strip_blanks("  - -> \\\\   ")
    '- -> \\\\ '
    """
    bare = text.strip()
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if escapes % 2 else bare


def split_alternatives(lexemes: list[str]) -> list[tuple[list[str], str]]:
    """Outputs separated by | outside of brackets, each with its <probability> if it has one."""
    alternatives: list[tuple[list[str], str]] = [([], "")]
    depth = 0
    for lexeme in lexemes:
        depth += (lexeme in "({") - (lexeme in ")}")
        if lexeme == "|" and depth == 0:
            alternatives.append(([], ""))
        elif lexeme[0] == "<":
            alternatives[-1] = (alternatives[-1][0], lexeme)
        else:
            alternatives[-1][0].append(lexeme)
    return alternatives
