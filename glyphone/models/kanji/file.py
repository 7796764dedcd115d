"""Models of Japanese names on disk: joint models under `romaji/` and `kana/`, what makes keys, and
a dictionary, if they have one.

>>> from glyphone.data.records import Pair
>>> from glyphone.models.kanji.training import fit_kanji
>>> import tempfile
>>> names = {"山田": "やまだ", "田山": "たやま"}
>>> model = fit_kanji([Pair(tuple(kanji), tuple(names[kanji])) for kanji in names]).model
>>> path = tempfile.mkdtemp() + "/names.glyphone"
>>> save(model, path)
>>> load(path)("Yamada").output, load(path).fingerprint() == model.fingerprint()
('山田', True)
"""

from __future__ import annotations

import json

from glyphone.data.records import Pair
from glyphone.fst.automata import openfst
from glyphone.fst.interface.codec_file import Array
from glyphone.fst.joint import file as joint_file
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.fst.storage.packing import Packing, problem_of_settings
from glyphone.models.kanji.model import KanjiModel
from glyphone.models.names.file import script_of

KIND = "channel"
KEYS = "keys/{}.fst"
DICTIONARY = "dictionary.json"


def to_contents(model: KanjiModel, prefix: str = "") -> Contents:
    """A model, its arrays under a prefix."""
    keys = model.keys
    manifest = {
        "name": model.name,
        "temperature": model.temperature,
        "description": dict(model.description),
        "keys": {
            "name": keys.name,
            "stages": len(keys.machines),
            "source": keys.source.writing.as_dict(),
            "target": keys.target.writing.as_dict(),
        },
    }
    arrays: dict[str, Array] = {}
    for route, joint in ("romaji", model.romaji), ("kana", model.kana):
        if joint is not None:
            packed = joint_file.to_contents(joint, f"{prefix}{route}/")
            manifest[route] = {**packed.manifest, "kinds": [*model.kinds.get(route, ())]}
            arrays |= packed.arrays
    blobs = {
        prefix + KEYS.format(number): openfst.to_bytes(machine)
        for number, machine in enumerate(keys.machines)
    }
    if model.dictionary:
        entries = [["".join(side) for side in (one.source, one.target)] for one in model.dictionary]
        blobs[prefix + DICTIONARY] = json.dumps(entries, ensure_ascii=False).encode()
    return Contents(KIND, manifest, arrays, blobs)


def unpack_model(contents: Contents, prefix: str, path: FilePath | None) -> KanjiModel:
    manifest = contents.manifest
    joints, kinds = {}, {}
    for route in ("romaji", "kana"):
        if route in manifest:
            kinds[route] = tuple(manifest[route].get("kinds", ()))
            inner = Contents(joint_file.KIND, manifest[route], contents.arrays)
            joints[route] = joint_file.from_contents(inner, f"{prefix}{route}/", path=path)
    row = manifest["keys"]
    machines = tuple(
        openfst.from_bytes(
            contents.blobs[prefix + KEYS.format(number)], where=f"{path}: {KEYS.format(number)}"
        )
        for number in range(row["stages"])
    )
    return KanjiModel(
        joints["romaji"],
        script_of(machines, row),
        joints.get("kana"),
        manifest["name"],
        manifest["temperature"],
        manifest["description"],
        entries_of(contents.blobs.get(prefix + DICTIONARY, b"[]")),
        kinds,
    )


def entries_of(blob: bytes) -> tuple[Pair, ...]:
    """The dictionary of a model: words and answers."""
    entries = json.loads(blob)
    if not all(isinstance(side, str) and side for entry in entries for side in entry):
        raise ValueError("an entry of its dictionary has an empty side")
    return tuple(Pair(tuple(word), tuple(answer)) for word, answer in entries)


def problem_of(model: KanjiModel) -> str | None:
    """The first invalid setting, if any; the parts of the model are checked before."""
    problem = problem_of_settings(model, {"temperature": (1e-3, 1e3)})
    if problem:
        return problem
    if model.kana is not None and model.kana.target.writing != model.romaji.target.writing:
        return "its parts write kanji in different ways"
    return None


PACKING = Packing(
    kind=KIND,
    what="model of Japanese names",
    pack=to_contents,
    unpack=unpack_model,
    problem_of=problem_of,
)
save, load, from_contents = PACKING.save, PACKING.load, PACKING.from_contents
