"""Values of a file checked as the fields of a dataclass, by name and type.

The annotation of a field is the type that a file may give it: text, numbers, truth values, one of
several words (`Literal`), lists (`tuple[str, ...]`), tables (`Mapping[str, float]`), any of these
or None, or `Any`. `Annotated` adds to a type: `Between` the least and the greatest number, a
`Reference` the thing that the text in the file names.

>>> share = Annotated[float, Between(0, 1)]
>>> read_value(1, share), read_value(["a"], tuple[str, ...]), read_value(None, str | None)
(1, ('a',), None)
>>> read_value(1.5, share)
Traceback (most recent call last):
ValueError: a number from 0 to 1
"""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Mapping
from dataclasses import KW_ONLY, MISSING, dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from glyphone.data.errors import GlyphoneError, UnknownName

_PLAIN: dict[type, tuple[tuple[type, ...], str]] = {
    str: ((str,), "text in quotes"),
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
}


@dataclass(frozen=True)
class Between:
    """The least and the greatest number of a setting; with `above` the least is excluded."""

    least: float
    most: float = math.inf
    _: KW_ONLY
    above: bool = False

    def __contains__(self, value: float) -> bool:
        return self.least <= value <= self.most and not (self.above and value == self.least)

    def __str__(self) -> str:
        first, last = ("above", " and at most") if self.above else ("from", " to")
        return f"{first} {self.least}" + ("" if self.most == math.inf else f"{last} {self.most}")


class Reference:
    """A thing that a file names by a text."""


class WrongSetting(GlyphoneError):
    """A setting with a value of the wrong type or range; `setting` is its name."""

    def __init__(self, setting: str, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message, remedy=remedy)
        self.setting = setting


@cache
def setting_types(stage: type) -> dict[str, Any]:
    """The settings of a class of stages, by name, with their types."""
    if not dataclasses.is_dataclass(stage):
        remedy = "make it a dataclass, whose fields are its settings"
        raise GlyphoneError(f"{stage.__name__} is no stage", remedy=remedy)
    hints = get_type_hints(stage, include_extras=True)
    return {row.name: hints[row.name] for row in dataclasses.fields(stage) if row.init}


def required_settings(stage: type) -> list[str]:
    """The names of the settings without a default."""
    return [
        row.name
        for row in dataclasses.fields(stage)
        if row.init and row.default is MISSING and row.default_factory is MISSING
    ]


def read_value(value: Any, kind: Any) -> Any:
    """A value of a file as a value of a type; ValueError names the type if it is of another."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if origin is Annotated:
        return read_annotated(value, inside)
    if kind in _PLAIN:
        accepted, what = _PLAIN[kind]
        if not isinstance(value, accepted) or isinstance(value, bool) != (kind is bool):
            raise ValueError(what)
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError("a finite number")
        return value
    if origin is Literal:
        if value not in inside:
            raise ValueError(" or ".join(repr(word) for word in inside))
        return value
    if origin in (Union, types.UnionType):
        (one,) = [part for part in inside if part is not type(None)]
        return None if value is None else read_value(value, one)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise ValueError("a list in [ ]")
        return tuple(read_member(part, inside[0], "a list, each ") for part in value)
    if origin is Mapping:
        if not isinstance(value, Mapping):
            raise ValueError("a table in { }")
        return {
            name: read_member(part, inside[1], "a table, each ") for name, part in value.items()
        }
    raise GlyphoneError(f"a setting is of the type {kind}", remedy="no file can give it a value")


def read_annotated(value: Any, inside: tuple[Any, ...]) -> Any:
    """A value of an annotated type."""
    if any(isinstance(part, Reference) for part in inside):
        return read_value(value, str)
    found = read_value(value, inside[0])
    for bounds in inside[1:]:
        if isinstance(bounds, Between) and found not in bounds:
            whole = "a whole number" if inside[0] is int else "a number"
            raise ValueError(f"{whole} {bounds}")
    return found


def read_member(value: Any, kind: Any, what: str) -> Any:
    try:
        return read_value(value, kind)
    except ValueError as error:
        raise ValueError(what + str(error)) from None


def check_settings(stage: type, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a file, checked against those of a class of stages."""
    kinds, found = setting_types(stage), {}
    for name, value in settings.items():
        if name not in kinds:
            error = UnknownName("setting", name, kinds)
            raise WrongSetting(name, error.message, remedy=error.remedy)
        found[name] = read_setting(name, value, kinds[name])
    missing = [name for name in required_settings(stage) if name not in settings]
    if missing:
        raise GlyphoneError(f"{missing[0]} is missing", remedy=f"write {missing[0]} = ...")
    return found


def read_setting(name: str, value: Any, kind: Any) -> Any:
    try:
        return read_value(value, kind)
    except ValueError as error:
        raise WrongSetting(name, f"{name} is {value!r:.60}", remedy=f"it must be {error}") from None
