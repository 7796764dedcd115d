"""Which way imports go, read from the sources (DESIGN.md, section 1)."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from benchmarks.house import House, label, picture, references

ROOT = Path(__file__).resolve().parents[1]
# A paragraph a level, the lowest first; a folder imports, and names in strings, lower levels only.
LEVELS = """
data learners

data/kernels data/scripts data/treebanks fst/storage

data/sources fst/lattices learners/counts learners/crf/kernels learners/optimization
learners/sequences learners/trees learners/utility voicemail/records

data/lexicons fst/alignment fst/automata learners/clusters learners/combinations
learners/crf/features learners/entities learners/latent learners/semimarkov

data/names data/text fst fst/context fst/ngrams learners/crf/chain

fst/channels fst/ensembles/reranking fst/forests fst/joint/kernels fst/rules learners/crf/training
learners/matching

fst/interface grammars learners/crf treebank/sampling

fst/joint/sums fst/transducers grammars/* io learners/crf/files models/learners

alignments batch cli/arguments fst/joint grammar_tools treebank

evaluation fst/composed fst/ensembles models/crf models/trees

drawing models models/names models/trees/compiling tagging

catalog models/kanji models/names/mining training

distillation models/kanji/matching pipelines treebank/transfer voicemail/generator
voicemail/proposals

matching treebank/pictures voicemail/callers voicemail/numbers

matching/generator matching/pictures voicemail

installation recipes

cli pipelines/stages voicemail/display

cli/treebank
"""
# Rooms that a room imports beside itself; glyphone imports all.
ROOMS = {
    "data": set[str](),
    "fst": {"data"},
    "learners": {"data"},
    "grammars": {"data", "fst"},
}
# Folders that only some others import.
PRIVATE = {
    "learners/crf/kernels": ("learners/crf", "models/crf", "models/learners"),
    "fst/joint/kernels": ("fst/joint", "fst/composed", "fst/ensembles", "models"),
    "fst/joint/sums": ("fst/joint",),
}
# So many modules a folder has at most, but for the verbs of the command line.
MOST_MODULES = 18
# What takes so long to import that nobody should wait for it who has one word.
SLOW = {"numba", "llvmlite", "sklearn", "scipy", "pandas", "matplotlib", "tqdm", "pynini"}

HOUSE = House(ROOT)
LEVEL = {
    folder: number
    for number, row in enumerate(LEVELS.strip().split("\n\n"))
    for folder in row.split()
}
SOURCES = {
    "tests": sorted((ROOT / "tests").rglob("*.py")),
    "benchmarks": sorted((ROOT / "benchmarks").rglob("*.py")),
    "house": sorted(HOUSE.modules.values()),
}


@cache
def imports(path: Path) -> list[tuple[int, str]]:
    """Lines and full names of what a file imports, wherever in it."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    tree = trees_of_house().get(path) or ast.parse(path.read_text(encoding="utf-8"))
    return [*references(name, path, tree)]


@cache
def trees_of_house() -> dict[Path, ast.Module]:
    return {HOUSE.modules[name]: tree for name, tree in HOUSE.trees.items()}


def folder_of(module: str) -> str:
    """The folder of a module as LEVELS names it; languages with grammars are all alike."""
    folder = label(HOUSE.folder_of(module))
    return "grammars/*" if folder.startswith("grammars/") else folder


FOLDER = {module: folder_of(module) for module in HOUSE.modules}
FOLDERS = sorted({*FOLDER.values()} - {"glyphone"})


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_import_folders_of_lower_levels(folder: str) -> None:
    assert folder in LEVEL, "give the folder a level"
    assert [
        f"{HOUSE.modules[module].relative_to(ROOT)}:{line}: {other}"
        for module, others in HOUSE.edges.items()
        if FOLDER[module] == folder
        for other, line in others.items()
        if FOLDER[other] != folder and LEVEL.get(FOLDER[other], len(LEVEL)) >= LEVEL[folder]
    ] == []


def test_levels_name_folders_that_there_are() -> None:
    assert sorted(LEVEL) == FOLDERS


def test_the_picture_is_drawn_from_the_imports() -> None:
    drawn = (ROOT / "docs" / "levels.svg").read_text(encoding="utf-8")
    assert drawn == picture(HOUSE), "python benchmarks/house.py --picture docs/levels.svg"


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_what_they_may(room: str) -> None:
    assert [
        f"{HOUSE.modules[module].relative_to(ROOT)}:{line}: {other}"
        for module, others in HOUSE.edges.items()
        if label(module).partition("/")[0] == room
        for other, line in others.items()
        if label(other).partition("/")[0] not in {room, *ROOMS[room]}
    ] == []


@pytest.mark.parametrize("private", PRIVATE)
def test_private_folders_are_imported_by_their_owners(private: str) -> None:
    assert [
        f"{HOUSE.modules[module].relative_to(ROOT)}:{line}: {other}"
        for module, others in HOUSE.edges.items()
        for other, line in others.items()
        if FOLDER[other] == private
        and not f"{FOLDER[module]}/".startswith(tuple(f"{x}/" for x in PRIVATE[private]))
    ] == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_say_what_they_are_for_and_stay_small(folder: str) -> None:
    within = [module for module in HOUSE.modules if FOLDER[module] == folder]
    assert len(within) <= MOST_MODULES or folder in ("cli", "grammars/*")
    for module in within:
        if HOUSE.modules[module].name == "__init__.py":
            text = ast.get_docstring(HOUSE.trees[module])
            assert text or folder == "grammars/*"


def test_kernels_stand_where_their_names_say() -> None:
    """In a module called X_kernels or kernels, or in a folder called kernels or sums."""
    decorators = {"kernel", "leaf", "fused", "summing", "inlined"}
    found = {
        name
        for name, tree in HOUSE.trees.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and decorators & {x.id for x in node.decorator_list if isinstance(x, ast.Name)}
    }
    assert [name for name in sorted(found) if "kernels" not in name.split(".", 1)[1]] == []


def test_one_module_imports_pynini() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in SOURCES["house"]
        for _, name in imports(path)
        if name.split(".")[0] in ("pynini", "pywrapfst", "_pynini", "_pywrapfst")
    }
    assert found == {"fst/backend.py"}


def test_no_room_is_imported_by_a_name_of_its_own() -> None:
    assert [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for paths in SOURCES.values()
        for path in paths
        for line, name in imports(path)
        if name.split(".")[0] in ("data", "fst", "learners", "grammars")
    ] == []


def test_no_pickle() -> None:
    """CLDR comes as pickles, which are read by one that lets them name nothing but patterns."""
    assert [
        (str(path.relative_to(ROOT)), name)
        for path in SOURCES["house"]
        for _, name in imports(path)
        if name.split(".")[0] in ("pickle", "marshal", "shelve", "joblib", "dill")
    ] == [("data/sources/cldr.py", "pickle")]


def loaded_after(code: str) -> set[str]:
    """The packages in a fresh process after it has run some code."""
    code += "\nimport sys\nprint(' '.join({name.partition('.')[0] for name in sys.modules}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_importing_glyphone_loads_nothing_else() -> None:
    alone = loaded_after("import importlib, importlib.metadata")
    assert loaded_after("import importlib, importlib.metadata, glyphone") - alone <= {
        "glyphone",
        "__future__",
        "typing",
    }


def test_one_word_loads_nothing_slow(tmp_path: Path) -> None:
    pytest.importorskip("pynini", reason="an archive is made first")
    from glyphone.fst.rules.cascade import cascade
    from glyphone.fst.transducers import archive

    path = tmp_path / "x.far"
    archive.save(path, {"X": cascade(letters="a", phones="b", rules="a -> b")})
    code = f"import glyphone\nassert glyphone.load({str(path)!r})('aa').output == 'b b'"
    assert not loaded_after(code) & SLOW
