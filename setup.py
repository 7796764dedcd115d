"""Puts compiled grammars into wheels and source archives.

A wheel gets them compiled by pynini; where pynini has no wheel, from the source archive, which
carries them. An editable install has none: there `make grammars` compiles into build/.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOMS = ("glyphone", "data", "fst", "grammars", "learners")
HERE = Path(__file__).parent


def packages() -> list[str]:
    found = []
    for room in ROOMS:
        name = room if room == "glyphone" else f"glyphone.{room}"
        inner = find_namespace_packages(room, exclude=["*__pycache__*", "samples"])
        found += [name, *(f"{name}.{package}" for package in inner)]
    return found


def grammar_sources() -> list[Path]:
    return sorted(path.relative_to(HERE) for path in HERE.glob("grammars/*/[!_]*.py"))


def compile_grammars(library: Path) -> None:
    """Compiles what is not compiled yet into a built tree that holds glyphone."""
    for source in grammar_sources():
        target = library / "glyphone" / source.with_suffix(".far")
        if target.exists():
            continue
        name = ".".join(source.with_suffix("").parts[1:])
        # -P, because the checkout around us holds a glyphone without its rooms.
        command = [sys.executable, "-P", "-m", "glyphone", "compile", name, "-o", str(target)]
        # pip names the folder of what a build needs in PYTHONPATH.
        paths = [str(library.resolve()), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        if subprocess.run(command, env=environment).returncode:
            sys.exit(f"{name} could not be compiled; see above")


def has_pynini() -> bool:
    return importlib.util.find_spec("pynini") is not None


class BuildWithGrammars(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        if has_pynini():
            compile_grammars(Path(self.build_lib))
        elif not list(HERE.glob("grammars/*/*.far")):
            print("no pynini here: installing without compiled grammars", file=sys.stderr)


class SourceWithGrammars(sdist):
    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder)
            for room in ROOMS:
                below = library / "glyphone" / ("" if room == "glyphone" else room)
                shutil.copytree(HERE / room, below, dirs_exist_ok=True)
            compile_grammars(library)
            for source in grammar_sources():
                archive = source.with_suffix(".far")
                shutil.copy(library / "glyphone" / archive, Path(base_dir) / archive)


setup(
    packages=packages(),
    cmdclass={"build_py": BuildWithGrammars, "sdist": SourceWithGrammars},
)
