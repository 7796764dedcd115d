"""Compiled grammars on disk: FST archives with a manifest, which any OpenFst tool reads.

Each rule is a transducer under its own name; a cascade kept in several stages goes on under
`NAME.2`, `NAME.3`. The manifest (writing, rules, version), for which OpenFst has no place, is JSON
in the name of the first input symbol table, which other tools copy and ignore.

>>> import tempfile
>>> from glyphone.fst.rules.cascade import cascade
>>> with tempfile.TemporaryDirectory() as folder:
...     save(f"{folder}/x.far", {"X": cascade(letters="a", phones="b", rules="a -> b")})
...     load(f"{folder}/x.far", "X")("aa").output
'b b'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from glyphone.data import progress
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.version import VERSION
from glyphone.fst.automata.far import far_keys, read_far, write_far
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.rules.cascade import Cascade
from glyphone.fst.transducers.model import TransducerModel

FORMAT = 1


def save(path: str | Path, cascades: Mapping[str, Cascade]) -> None:
    """Compiles cascades into one archive."""
    from glyphone.fst.rules.compiler import compile_cascade

    entries: dict[str, Transducer] = {}
    for name, cascade in cascades.items():
        with progress.step(name):
            stages = compile_cascade(cascade)
        entries[name] = with_manifest(stages[0], manifest_of(cascade, len(stages)))
        for number, stage in enumerate(stages[1:], 2):
            entries[f"{name}.{number}"] = stage
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    write_far(path, entries)


def manifest_of(cascade: Cascade, stages: int) -> dict[str, Any]:
    return {
        "glyphone": VERSION,
        "format": FORMAT,
        "kind": "grammar",
        "stages": stages,
        "cascade": cascade.as_dict(),
    }


def with_manifest(machine: Transducer, content: Mapping[str, Any]) -> Transducer:
    assert machine.isymbols is not None
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return replace(machine, isymbols=replace(machine.isymbols, name=text))


def read_manifest(machine: Transducer, path: str | Path) -> dict[str, Any] | None:
    """The manifest of a transducer, or None if glyphone did not write it."""
    name = "" if machine.isymbols is None else machine.isymbols.name
    if not name.startswith('{"glyphone":'):
        return None
    try:
        content: dict[str, Any] = json.loads(name)
        version, stages = int(content["format"]), int(content["stages"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise damaged_manifest(path) from None
    if version > FORMAT:
        raise FormatError(
            f"was written by glyphone {content['glyphone']}, in format {version}; "
            f"this version reads formats up to {FORMAT}",
            path=path,
            remedy="upgrade glyphone",
        )
    if stages < 1:
        raise damaged_manifest(path)
    return content


def damaged_manifest(path: str | Path) -> FormatError:
    return FormatError("has a damaged manifest", path=path, remedy="compile it again")


def rules_of(path: str | Path) -> list[str]:
    """The names in an archive that can be applied: its keys without later stages."""
    keys = far_keys(path)
    return [key for key in keys if not is_later_stage(key, keys)]


def is_later_stage(key: str, keys: list[str]) -> bool:
    name, _, number = key.rpartition(".")
    return number.isdecimal() and name in keys


def choose_rule(path: str | Path, rule: str | None) -> str:
    """The name of a rule, checked; where an archive has one rule, None stands for it."""
    rules = rules_of(path)
    if rule is None:
        if len(rules) != 1:
            raise GlyphoneError(
                f"holds {len(rules)} rules, and none is named",
                path=path,
                remedy=f"name one: {', '.join(f'{path}:{known}' for known in rules)}",
            )
        (rule,) = rules
    if rule not in far_keys(path):
        raise UnknownName("rule", rule, rules, path=path)
    return rule


def load(path: str | Path, rule: str | None = None) -> TransducerModel:
    """One rule of an archive; the rule can be left out where there is only one."""
    rule = choose_rule(path, rule)
    first = read_far(path, rule)
    content = read_manifest(first, path)
    if content is None:
        return TransducerModel.from_machines([first], name=rule, path=path)
    try:
        later = [read_far(path, f"{rule}.{n}") for n in range(2, int(content["stages"]) + 1)]
        cascade = Cascade.from_dict(content["cascade"])
    except (AttributeError, KeyError, TypeError, ValueError, UnknownName):
        raise damaged_manifest(path) from None
    return TransducerModel.from_machines([first, *later], name=rule, cascade=cascade, path=path)
