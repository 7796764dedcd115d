"""Puts compiled grammars into wheels and source archives.

A wheel gets those that `make` has compiled in the checkout, as long as they are up to date; the
others are compiled by pynini, or, where pynini has no wheel, come with the source archive. An
editable install has none: there `make grammars` compiles into build/.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOMS = ("glyphone", "data", "fst", "grammars", "learners")
HERE = Path(__file__).parent
# pip installs them for a build, if there is something to compile.
COMPILERS = [
    "numpy",
    "regex",
    "pynini>=2.1.6; sys_platform == 'linux' and platform_machine == 'x86_64'",
]


def packages() -> list[str]:
    found = []
    for room in ROOMS:
        name = room if room == "glyphone" else f"glyphone.{room}"
        inner = find_namespace_packages(room, exclude=["*__pycache__*", "samples"])
        found += [name, *(f"{name}.{package}" for package in inner)]
    return found


def grammar_sources() -> list[Path]:
    return sorted(path.relative_to(HERE) for path in HERE.glob("grammars/*/[!_]*.py"))


def compiled_archive(source: Path) -> Path | None:
    """The archive of a grammar, if a source archive brought it or `make` has compiled it here and
    nothing that it was made from is newer."""
    brought = HERE / source.with_suffix(".far")
    if brought.exists():
        return brought
    archive = HERE / "build" / source.relative_to("grammars").with_suffix(".far")
    rule = archive.with_suffix(".d")
    if not (archive.exists() and rule.exists()):
        return None
    names = rule.read_text().partition("\n")[0].partition(": ")[2].split()
    made, used = archive.stat().st_mtime, [HERE / name for name in names]
    is_current = all(path.exists() and path.stat().st_mtime <= made for path in used)
    return archive if used and is_current else None


def copy_archives(library: Path) -> list[Path]:
    """Put archives that there are into a built tree of glyphone; grammars still to be compiled."""
    archives = {source: compiled_archive(source) for source in grammar_sources()}
    for source, archive in archives.items():
        if archive is not None:
            shutil.copy(archive, library / "glyphone" / source.with_suffix(".far"))
    return [source for source, archive in archives.items() if archive is None]


def compile_grammars(sources: list[Path], library: Path) -> None:
    """Compile grammars into a built tree of glyphone, as many at once as there are cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = dict(
            zip(sources, pool.map(compile_grammar, sources, repeat(library)), strict=True)
        )
    failed = {str(source): error for source, error in errors.items() if error}
    if failed:
        sys.exit(
            "\n".join(f"{source} could not be compiled:\n{failed[source]}" for source in failed)
            + f"\nMend {', '.join(failed)} and install again. In a checkout, `make grammars` "
            "keeps what it could compile, one grammar at a time, and the next install takes that."
        )


def compile_grammar(source: Path, library: Path) -> str:
    """Compile a grammar into the tree by the glyphone in it; the error, empty if there is none."""
    target = library / "glyphone" / source.with_suffix(".far")
    # -P, because the checkout around us holds a glyphone without its rooms.
    command = [sys.executable, "-P", "-m", "glyphone", "compile"]
    # pip names the folder of what a build needs in PYTHONPATH.
    paths = [str(library.resolve()), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    ran = subprocess.run(
        [*command, grammar_name(source), "-o", str(target)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    return ran.stderr.strip() or f"exit code {ran.returncode}" if ran.returncode else ""


def grammar_name(source: Path) -> str:
    return ".".join(source.with_suffix("").parts[1:])


def has_pynini() -> bool:
    return importlib.util.find_spec("pynini") is not None


class BuildWithGrammars(build_py):
    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return
        # pip builds in the checkout, which keeps what was built there before, of older sources.
        shutil.rmtree(Path(self.build_lib, "glyphone"), ignore_errors=True)
        super().run()
        missing = copy_archives(Path(self.build_lib))
        if has_pynini():
            compile_grammars(missing, Path(self.build_lib))
        elif missing:
            names = ", ".join(map(grammar_name, missing))
            print(f"no pynini here: installing without compiled {names}", file=sys.stderr)


class SourceWithGrammars(sdist):
    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder)
            for room in ROOMS:
                below = library / "glyphone" / ("" if room == "glyphone" else room)
                shutil.copytree(HERE / room, below, dirs_exist_ok=True)
            compile_grammars(copy_archives(library), library)
            for source in grammar_sources():
                archive = source.with_suffix(".far")
                shutil.copy(library / "glyphone" / archive, Path(base_dir) / archive)


if __name__ == "__main__":
    setup(
        packages=packages(),
        setup_requires=[] if all(map(compiled_archive, grammar_sources())) else COMPILERS,
        cmdclass={"build_py": BuildWithGrammars, "sdist": SourceWithGrammars},
    )
