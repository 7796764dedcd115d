"""Joint models between the formats of several tools; a file's format is that of its suffix.

    .glyphone   ours, with everything in it
    .arpa       n-grams of joint tokens, p|h}f, as Phonetisaurus trains them; .arpa.gz, too
    .fst        read: a transducer of Phonetisaurus; written: the same, or one of single symbols
    .far        an archive of one such transducer, or of several: FILE.far:KEY

>>> format_of("eng.arpa.gz"), format_of("eng.glyphone")
('arpa', 'glyphone')
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from glyphone.catalog.names import split_name
from glyphone.data.errors import GlyphoneError
from glyphone.data.writing import Unit, Writing
from glyphone.fst.automata.far import read_far
from glyphone.fst.joint import exporting, importing
from glyphone.fst.joint import file as joint_file
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.tokens import Notation
from glyphone.fst.ngrams.pruning import prune
from glyphone.fst.transducers.archive import rules_of

FORMATS = ("arpa", "far", "fst", "glyphone")


@dataclass(frozen=True, kw_only=True)
class Conversion:
    """Settings that files do not hold.

    Units of the two sides are by default taken from the symbols. `chunks` makes
    transducers in whole chunks, for Phonetisaurus, instead of single symbols. With `prune`, n-grams
    are left out whose loss raises the perplexity by a smaller share than this.
    """

    notation: Notation = field(default_factory=Notation)
    source_unit: Unit | None = None
    target_unit: Unit = "token"
    chunks: bool = False
    prune: float | None = None


def convert_model(source: str, output: str, options: Conversion | None = None) -> JointModel:
    """Reads a model from one file and writes it to another."""
    options = options or Conversion()
    kind = format_of(output)  # refused before the long work
    model = read_model(source, options)
    if options.prune is not None:
        ngrams = prune(model.ngrams.astype("f8"), threshold=options.prune)
        model = replace(model, ngrams=ngrams.astype(model.ngrams.log_probs.dtype))
    write_model(model, output, kind, options)
    return model


def format_of(path: str) -> str:
    """The format that a suffix stands for."""
    name = path.removesuffix(".gz") if path.endswith(".arpa.gz") else path
    suffix = Path(name).suffix.removeprefix(".")
    if suffix not in FORMATS:
        known = ", ".join(f".{known}" for known in FORMATS)
        raise GlyphoneError(f"has no suffix of {known}", path=path, remedy="rename it")
    return suffix


def read_model(name: str, options: Conversion) -> JointModel:
    """The joint model in a file."""
    path, key = split_name(name)
    kind = format_of(path)
    if key is not None and kind != "far":
        raise GlyphoneError(f"holds one model, so none is named {key!r}", path=path)
    if kind == "glyphone":
        return joint_file.load(path)
    unit = options.source_unit
    foreign = {
        "notation": options.notation,
        "source": None if unit is None else Writing(unit, "none"),
        "target": Writing(options.target_unit, "none"),
        "name": Path(path.removesuffix(".gz")).stem,
    }
    if kind == "arpa":
        return importing.read_arpa_model(path, **foreign)  # type: ignore[arg-type]
    if kind == "fst":
        return importing.read_fst_model(path, **foreign)  # type: ignore[arg-type]
    keys = rules_of(path)
    if key is None and len(keys) != 1:
        remedy = f"name one: {', '.join(f'{path}:{known}' for known in keys)}"
        raise GlyphoneError(
            f"holds {len(keys)} transducers, and none is named", path=path, remedy=remedy
        )
    machine = read_far(path, keys[0] if key is None else key)
    return importing.model_of_machine(machine, path=path, **foreign)  # type: ignore[arg-type]


def write_model(model: JointModel, path: str, kind: str, options: Conversion) -> None:
    """A joint model in one of the formats."""
    chunks = options.notation if options.chunks else None
    if kind == "glyphone":
        joint_file.save(model, path)
    elif kind == "arpa":
        exporting.write_arpa_model(model, path, notation=options.notation)
    elif kind == "fst":
        exporting.write_fst_model(model, path, notation=chunks)
    else:
        exporting.write_far_model(model, path, notation=chunks)
