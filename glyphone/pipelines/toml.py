"""Pipelines as TOML files, in which everything is checked before any model is loaded.

    [input]                       # may be left out
    text = "transcript"           # a column of TSV by its number, or a key of JSON
    document = "message"

    [[stages]]
    use = "glyphone.find.v1"      # the versioned name of a stage; what follows are its settings
    model = "numbers.far:NUMBERS" # files are looked for beside the pipeline first
    longest = 20

TOML has no lines once it is read; where a setting stands is found out when something is wrong with
it, by reading the file as far as each of its lines.

>>> lines_of('a = 1\\n\\n[[b]]\\nc = [\\n1]\\nd = 2\\n')
{('a',): 1, ('b',): 3, ('b', 0): 3, ('b', 0, 'c'): 4, ('b', 0, 'c', 0): 4, ('b', 0, 'd'): 6}
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.fields import WrongSetting, check_settings
from glyphone.pipelines import registry as pipeline_registry
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.reading import Reading
from glyphone.pipelines.settings import resources_of

PARTS = ("input", "stages")
Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Planned:
    """A stage with its settings, in which models are still names."""

    kind: type
    settings: Mapping[str, Any]


def load(path: str | os.PathLike[str]) -> Pipeline:
    """The pipeline of a file; a FormatError has the line of the fault."""
    path = Path(path)
    try:
        # Editors of Windows begin a file with a byte order mark, which TOML has not.
        text = path.read_text(encoding="utf-8-sig")
        content = tomllib.loads(text)
    except FileNotFoundError:
        raise UnknownName("file", str(path), map(str, path.parent.glob("*.toml"))) from None
    except UnicodeDecodeError as error:
        line = bytes(error.object)[: error.start].count(b"\n") + 1
        raise FormatError("is not UTF-8", path=path, line=line, remedy="re-encode it") from None
    except tomllib.TOMLDecodeError as error:
        raise FormatError(
            f"is no TOML: {error}", path=path, line=line_of(error, text), remedy="mend it there"
        ) from None
    return Checker(path, text).pipeline(content)


@dataclass(frozen=True)
class Checker:
    """A file, and errors about it."""

    path: Path
    text: str

    def pipeline(self, content: Mapping[str, Any]) -> Pipeline:
        for name in content:
            if name not in PARTS:
                with self.at(name):
                    raise UnknownName("part of a pipeline", name, PARTS)
        with self.at("input"):
            reading = reading_of(content.get("input", {}))
        rows = content.get("stages", [])
        with self.at("stages"):
            tables = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
            if not rows or not tables:
                raise GlyphoneError("has no stages", remedy="begin each with [[stages]]")
        # All are checked before a model is loaded.
        planned = [self.plan_stage(row, ("stages", number)) for number, row in enumerate(rows)]
        made = [self.make_stage(plan, ("stages", number)) for number, plan in enumerate(planned)]
        return Pipeline(tuple(made), reading)

    def plan_stage(self, row: Mapping[str, Any], place: Place) -> Planned:
        """A stage whose name, settings and resources exist; nothing is loaded."""
        name = row.get("use")
        with self.at(*place, "use"):
            if not isinstance(name, str):
                raise GlyphoneError("a stage has no name", remedy='write use = "..."')
            kind = pipeline_registry.find_stage(name)
        with self.at(*place):
            settings = check_settings(
                kind, {key: value for key, value in row.items() if key != "use"}
            )
        for setting, resource in resources_of(kind).items():
            if settings.get(setting) is not None:
                with self.at(*place, setting):
                    settings[setting] = resource.find(settings[setting], self.path.parent)
        return Planned(kind, settings)

    def make_stage(self, plan: Planned, place: Place) -> Any:
        """A stage with its models loaded."""
        settings = dict(plan.settings)
        for setting, resource in resources_of(plan.kind).items():
            if settings.get(setting) is not None:
                with self.at(*place, setting):
                    settings[setting] = resource.load(settings[setting])
        with self.at(*place):
            return plan.kind(**settings)

    @contextmanager
    def at(self, *place: str | int) -> Iterator[None]:
        """Errors in the block get the line of its key, or of the nearest key around it.

        An error that already has the path of a file, such as a model's, keeps its own words.
        """
        try:
            yield
        except GlyphoneError as error:
            if isinstance(error, WrongSetting):
                place = (*place, error.setting)
            lines = lines_of(self.text)
            around = (lines[place[:n]] for n in range(len(place), 0, -1) if place[:n] in lines)
            message = error.message if error.path in (None, str(self.path)) else str(error)
            remedy = error.remedy if message == error.message else None
            raise FormatError(
                message, path=self.path, line=next(around, None), remedy=remedy
            ) from error


def reading_of(row: Any) -> Reading:
    if not isinstance(row, dict):
        raise GlyphoneError("input is no table", remedy="write [input]")
    columns = {name: str(row[name]) for name in ("text", "document") if type(row.get(name)) is int}
    return Reading(**check_settings(Reading, row | columns))


def line_of(error: tomllib.TOMLDecodeError, text: str) -> int:
    """Where a text is no TOML, which only the message says.

    >>> try:
    ...     tomllib.loads("a = 1\\nb = '")
    ... except tomllib.TOMLDecodeError as error:
    ...     line_of(error, "a = 1\\nb = '")
    2
    """
    place = re.search(r"\(at line (\d+), column \d+\)$", str(error))
    return int(place[1]) if place else max(1, len(text.splitlines()))


def lines_of(text: str) -> dict[Place, int]:
    """The line on which each key begins: the first after which it is there."""
    lines_by_place: dict[Place, int] = {}
    lines, begin = text.split("\n"), 1
    for end in range(1, len(lines) + 1):
        try:
            content = tomllib.loads("\n".join(lines[:end]) + "\n")
        except tomllib.TOMLDecodeError:  # in the middle of a value
            continue
        for place in key_places(content):
            lines_by_place.setdefault(place, begin)
        begin = end + 1
    return lines_by_place


def key_places(content: Any, above: Place = ()) -> Iterator[Place]:
    """All keys in a table and in the tables in it."""
    rows = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in rows:
        yield (*above, key)
        if isinstance(value, dict | list):
            yield from key_places(value, (*above, key))
