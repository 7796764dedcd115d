"""A pipeline as one file, with all its models inside, in the container of `model_file`.

The manifest has the stages by their names, with their settings; a setting that is a model is the
manifest of its own file, and its arrays lie under `stages/0/model/`. No code is in the file: the
packages that stages come from must be installed where it is loaded.

>>> import glyphone, tempfile
>>> from glyphone.pipelines.stages.transducing import Transduce
>>> stage = Transduce(model=glyphone.load("spa.letter_to_sound:CASTILIAN"), n=2)
>>> path = tempfile.mkdtemp() + "/spanish.pipeline"
>>> save(Pipeline((stage,)), path)
>>> load(path)("hola").candidates[0].value
'ˈ o l a'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.fields import check_settings, setting_types
from glyphone.data.version import VERSION
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing
from glyphone.pipelines import registry as pipeline_registry
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.reading import Reading
from glyphone.pipelines.settings import resources_of

KIND = "pipeline"
FORMAT = 1


def to_contents(pipeline: Pipeline, prefix: str = "") -> Contents:
    arrays: dict[str, Any] = {}
    blobs: dict[str, bytes] = {}
    rows = []
    for number, stage in enumerate(pipeline.stages):
        name = pipeline_registry.name_of(stage)
        if not pipeline_registry.NAME.fullmatch(name):
            remedy = f"give it one under the entry points of {pipeline_registry.GROUP!r}"
            raise GlyphoneError("a stage without a versioned name", stage=name, remedy=remedy)
        resources = resources_of(type(stage))
        settings = {x: getattr(stage, x) for x in setting_types(type(stage)) if x not in resources}
        try:
            json.dumps(settings, allow_nan=False)
        except (TypeError, ValueError) as error:
            remedy = "make it of numbers, text, lists and tables"
            raise GlyphoneError(f"a setting: {error}", stage=name, remedy=remedy) from None
        for setting, resource in resources.items():
            value = settings[setting] = getattr(stage, setting)
            if value is not None:
                packed = resource.pack(value, f"{prefix}stages/{number}/{setting}/")
                settings[setting] = {"kind": packed.kind, "manifest": dict(packed.manifest)}
                arrays |= packed.arrays
                blobs |= packed.blobs
        rows.append({"use": name, "settings": settings})
    manifest = {
        "format": FORMAT,
        "glyphone": VERSION,
        "input": asdict(pipeline.reading),
        "stages": rows,
    }
    return Contents(KIND, manifest, arrays, blobs)


def unpack_pipeline(contents: Contents, prefix: str, path: FilePath | None) -> Pipeline:
    manifest = contents.manifest
    version = manifest["format"]
    if type(version) is not int or version > FORMAT:
        raise FormatError(
            f"was written by glyphone {manifest['glyphone']}, in format {version!r}; "
            f"this version, {VERSION}, reads formats up to {FORMAT}",
            path=path,
            remedy="upgrade glyphone",
        )
    reading = Reading(**check_settings(Reading, manifest["input"]))
    made = [
        stage_of(row, contents, f"{prefix}stages/{number}/", path)
        for number, row in enumerate(manifest["stages"])
    ]
    return Pipeline(tuple(made), reading)


def stage_of(row: Mapping[str, Any], contents: Contents, prefix: str, path: FilePath | None) -> Any:
    try:
        kind = pipeline_registry.find_stage(row["use"])
    except GlyphoneError as error:
        raise FormatError(str(error), path=path, remedy="install the package that has it") from None
    settings, loaded = dict(row["settings"]), {}
    for setting, resource in resources_of(kind).items():
        inner = settings.get(setting)
        if inner is not None:
            part = Contents(inner["kind"], inner["manifest"], contents.arrays, contents.blobs)
            loaded[setting] = resource.unpack(part, f"{prefix}{setting}/", path)
            settings[setting] = inner["kind"]
    return kind(**{**check_settings(kind, settings), **loaded})


PACKING = Packing(
    kind=KIND,
    what="pipeline",
    pack=to_contents,
    unpack=unpack_pipeline,
    problem_of=lambda pipeline: None,
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
