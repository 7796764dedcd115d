"""Utilities that are rational functions of hits, misses, false alarms and correct rejections.

They are written as Python writes them, with + - * / and **, and know their own derivatives: every
part of an expression is a number with its derivatives by hits and by false alarms, which the number
of positives and negatives leave free (misses = positives - hits). 0/0 is 0, as precision is where
nothing is found.

>>> f1 = parse_utility("hits / (hits + 0.5 * misses + 0.5 * false_alarms)")
>>> f1(hits=6, false_alarms=2, positives=8, negatives=92)
Value(number=0.75, by_hits=0.078125, by_false_alarms=-0.046875)
>>> parse_utility("f", alpha=0.5)(hits=6, false_alarms=2, positives=8, negatives=92).number
0.75
>>> parse_utility("hits / missed")
Traceback (most recent call last):
    ...
glyphone.data.errors.UnknownName: no number named 'missed' (did you mean misses?)
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from glyphone.data.errors import GlyphoneError, UnknownName

# alpha is the weight of finding positives, in both.
UTILITIES = {
    "f": "hits / (alpha * positives + (1 - alpha) * (hits + false_alarms))",
    "sensitivity-specificity": ("alpha * hits / positives + (1 - alpha) * rejections / negatives"),
}


class Value(NamedTuple):
    """A number and its derivatives."""

    number: float
    by_hits: float = 0.0
    by_false_alarms: float = 0.0


Numbers = Mapping[str, Value]
Part = Callable[[Numbers], Value]
NAMES = ("hits", "misses", "false_alarms", "rejections", "positives", "negatives", "alpha")


class Rational(NamedTuple):
    """A utility; `text` is how it is written."""

    text: str
    alpha: float
    part: Part

    def __call__(
        self, *, hits: float, false_alarms: float, positives: float, negatives: float
    ) -> Value:
        """The utility of counts, which need not be whole."""
        numbers = {
            "hits": Value(hits, 1.0),
            "misses": Value(positives - hits, -1.0),
            "false_alarms": Value(false_alarms, 0.0, 1.0),
            "rejections": Value(negatives - false_alarms, 0.0, -1.0),
            "positives": Value(positives),
            "negatives": Value(negatives),
            "alpha": Value(self.alpha),
        }
        with suppress(ZeroDivisionError, OverflowError):
            found = self.part(numbers)
            if all(map(math.isfinite, found)):
                return found
        raise GlyphoneError(
            f"the utility {self.text!r} is no number of {hits:g} hits and {false_alarms:g} false"
            f" alarms, with {positives:g} positives and {negatives:g} negatives",
            remedy="write one that is finite, as is hits / (hits + false_alarms)",
        )


def parse_utility(text: str, *, alpha: float = 0.5) -> Rational:
    """The utility with a name of `UTILITIES`, or one that is written out."""
    written = UTILITIES.get(text, text)
    try:
        tree = ast.parse(written, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise utility_error(written, "is no expression") from error
    return Rational(written, alpha, compile_expression(tree, written))


def compile_expression(tree: ast.expr, text: str) -> Part:
    """A function that computes an expression; `text` is for messages."""
    match tree:
        case ast.BinOp(left, ast.Pow(), ast.Constant(int(power))):
            base = compile_expression(left, text)
            return lambda numbers: power_of(base(numbers), power)
        case ast.BinOp(left, sign, right) if type(sign) in BINARY:
            combine, first, second = (
                BINARY[type(sign)],
                compile_expression(left, text),
                compile_expression(right, text),
            )
            return lambda numbers: combine(first(numbers), second(numbers))
        case ast.UnaryOp(ast.USub(), operand):
            inner = compile_expression(operand, text)
            return lambda numbers: product(Value(-1.0), inner(numbers))
        case ast.Constant(int(number) | float(number)):
            constant = Value(float(number))
            return lambda numbers: constant
        case ast.Name(name) if name in NAMES:
            return operator.itemgetter(name)
        case ast.Name(name):
            raise UnknownName("number", name, NAMES)
    raise utility_error(text, f"has {ast.unparse(tree)!r} in it")


def utility_error(text: str, reason: str) -> GlyphoneError:
    remedy = f"write numbers and {', '.join(NAMES)} with + - * / and whole powers, or a name: "
    return GlyphoneError(f"the utility {text!r} {reason}", remedy=remedy + ", ".join(UTILITIES))


def plus(a: Value, b: Value) -> Value:
    return Value(*map(operator.add, a, b))


def minus(a: Value, b: Value) -> Value:
    return Value(*map(operator.sub, a, b))


def product(a: Value, b: Value) -> Value:
    return Value(
        a.number * b.number,
        a.by_hits * b.number + a.number * b.by_hits,
        a.by_false_alarms * b.number + a.number * b.by_false_alarms,
    )


def quotient(a: Value, b: Value) -> Value:
    if a.number == b.number == 0:
        return Value(0.0)
    number = a.number / b.number
    return Value(
        number,
        (a.by_hits - number * b.by_hits) / b.number,
        (a.by_false_alarms - number * b.by_false_alarms) / b.number,
    )


def power_of(a: Value, power: int) -> Value:
    slope = power * a.number ** (power - 1) if power else 0.0
    return Value(a.number**power, slope * a.by_hits, slope * a.by_false_alarms)


BINARY: dict[type[ast.operator], Callable[[Value, Value], Value]] = {
    ast.Add: plus,
    ast.Sub: minus,
    ast.Mult: product,
    ast.Div: quotient,
}
