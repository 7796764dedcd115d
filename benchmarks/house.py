"""The house as it is: folders, their levels and who imports whom, in figures and as a picture.

    python benchmarks/house.py                            # figures
    python benchmarks/house.py --root ../another-checkout
    python benchmarks/house.py --picture docs/levels.svg

An edge is an import, wherever in a module, or a string that names a module, such as
`sibling(__name__, "glyphone.x.y")`. The level of a folder is one more than the highest level among
the folders that it imports.

>>> levels({"top": {"middle"}, "middle": {"low"}, "low": set()})
{'low': 0, 'middle': 1, 'top': 2}
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("data", "fst", "learners", "grammars", "glyphone")
# Modules whose strings name modules of higher levels, so that these are imported when asked for.
TABLES = ("glyphone", "glyphone.models.kinds", "glyphone.pipelines.registry")
NAMED = re.compile(r"(glyphone(?:\.\w+)+)(?::\w+)?")
WORD = "queso"


@dataclass(frozen=True)
class House:
    """A checkout of glyphone, read but not imported."""

    root: Path = ROOT

    @cached_property
    def modules(self) -> dict[str, Path]:
        """The files of all rooms by their import names."""
        paths = (path for room in ROOMS for path in sorted((self.root / room).rglob("*.py")))
        return {module_name(path.relative_to(self.root)): path for path in paths}

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        texts = {name: path.read_text(encoding="utf-8") for name, path in self.modules.items()}
        return {name: ast.parse(text) for name, text in texts.items()}

    @cached_property
    def edges(self) -> dict[str, dict[str, int]]:
        """The modules that each module imports or names, with the first line that does so."""
        found: dict[str, dict[str, int]] = {}
        for name, tree in self.trees.items():
            found[name] = {}
            for line, other in references(name, self.modules[name], tree):
                target = other if other in self.modules else other.rpartition(".")[0]
                if target in self.modules and target != name:
                    found[name].setdefault(target, line)
        return found

    def folder_of(self, module: str) -> str:
        """The folder of a module; a package is in the folder that it is."""
        package = self.modules[module].name == "__init__.py"
        return module if package else module.rpartition(".")[0]

    @cached_property
    def graph(self) -> dict[str, set[str]]:
        """The folders that each folder imports."""
        graph: dict[str, set[str]] = {self.folder_of(module): set() for module in self.modules}
        for module, others in self.edges.items():
            graph[self.folder_of(module)] |= {self.folder_of(other) for other in others}
        return {folder: others - {folder} for folder, others in graph.items()}


def module_name(path: Path) -> str:
    """The import name of a file.

    >>> module_name(Path("fst/joint/model.py")), module_name(Path("glyphone/io/__init__.py"))
    ('glyphone.fst.joint.model', 'glyphone.io')
    """
    parts = path.with_suffix("").parts
    parts = parts if parts[0] == "glyphone" else ("glyphone", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def references(name: str, path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Lines and full names of the modules that a module imports, or names in a string."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            match = NAMED.fullmatch(node.value)
            if match and name not in TABLES:
                yield node.lineno, match[1]


def levels(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """The level of each folder, lowest first; ValueError names the folders of a cycle."""
    found: dict[str, int] = {}
    left = dict(graph)
    while left:
        ready = [folder for folder, others in left.items() if not others & left.keys()]
        if not ready:
            raise ValueError("there is a cycle among " + ", ".join(sorted(left)))
        for folder in ready:
            found[folder] = max((found[other] + 1 for other in graph[folder]), default=0)
        left = {folder: others for folder, others in left.items() if folder not in found}
    return dict(sorted(found.items(), key=lambda item: (item[1], item[0])))


def figures(house: House) -> list[tuple[str, str]]:
    """Counts of folders, files, imports, names and lines."""
    entries: dict[str, int] = defaultdict(int)
    for module in house.modules:
        entries[house.folder_of(module)] += 1
    most = max(entries, key=lambda folder: entries[folder])
    siblings = {
        module: sum(house.folder_of(other) == house.folder_of(module) for other in others)
        for module, others in house.edges.items()
    }
    crowded = {
        folder: sum(n for module, n in siblings.items() if house.folder_of(module) == folder)
        / entries[folder]
        for folder in entries
        if entries[folder] > 3
    }
    worst = max(crowded, key=lambda folder: crowded[folder])
    functions = [
        node.name
        for tree in house.trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    short = sum("_" not in name for name in functions)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = [
        ast.get_docstring(node) or ""
        for tree in house.trees.values()
        for node in ast.walk(tree)
        if isinstance(node, documented)
    ]
    unclear = sum(text.startswith(("The same", "What ", "Those ", "Who ")) for text in docstrings)
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in house.modules.values())
    try:
        cycle = f"no, {max(levels(house.graph).values()) + 1} levels"
    except ValueError as error:
        cycle = f"yes, of {str(error).count(',') + 1} folders"
    return [
        ("folders with modules", f"{len(entries)}"),
        ("modules", f"{len(house.modules)}"),
        ("most modules in a folder", f"{entries[most]} ({most})"),
        ("imports of siblings a module", f"{sum(siblings.values()) / len(siblings):.2f}"),
        ("the same in the worst folder", f"{crowded[worst]:.2f} ({worst})"),
        ("cycles among folders", cycle),
        (f"modules of ours loaded by `apply` of {WORD!r}", f"{loaded_by_apply(house.root)}"),
        (
            "functions of one word",
            f"{short} of {len(functions)} ({100 * short / len(functions):.0f} %)",
        ),
        ("docstrings that begin The same, What, Those, Who", f"{unclear}"),
        ("lines of the rooms", f"{lines}"),
    ]


def loaded_by_apply(root: Path) -> int | str:
    """How many modules of glyphone an `apply` of one Spanish word loads, packages not counted."""
    code = (
        "import sys\nfrom glyphone.cli import main\n"
        "main(['apply', 'spa.letter_to_sound:CASTILIAN'])\n"
        "ours = [m for name, m in sys.modules.items() if name.partition('.')[0] == 'glyphone']\n"
        "print(sum(not hasattr(m, '__path__') for m in ours), file=sys.stderr)"
    )
    python = root / ".venv" / "bin" / "python"
    command = [str(python) if python.exists() else sys.executable, "-c", code]
    ran = subprocess.run(command, input=WORD + "\n", capture_output=True, text=True, cwd=root)
    return int(ran.stderr.split()[-1]) if ran.returncode == 0 else "it cannot be run"


COLOURS = {
    "data": "#dce9f7",
    "fst": "#e4f3dc",
    "learners": "#fbeecb",
    "grammars": "#f3dff0",
    "glyphone": "#f9ded7",
}
WIDTH, BOX, GAP, ROW = 1180, 24, 8, 62


def merged_grammars(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The graph with the folders of single languages in one, for there is one a language."""

    def name(folder: str) -> str:
        return re.sub(r"^glyphone\.grammars\..*", "glyphone.grammars.*", folder)

    merged: dict[str, set[str]] = defaultdict(set)
    for folder, others in graph.items():
        merged[name(folder)] |= {name(other) for other in others} - {name(folder)}
    return dict(merged)


def needed(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The edges that no longer path implies.

    >>> needed({"a": {"b", "c"}, "b": {"c"}, "c": set()})
    {'a': {'b'}, 'b': {'c'}, 'c': set()}
    """
    below: dict[str, set[str]] = {}
    for folder in levels(graph):
        below[folder] = graph[folder].union(*(below[other] for other in graph[folder]))
    return {
        folder: {one for one in others if not any(one in below[other] for other in others)}
        for folder, others in graph.items()
    }


def picture(house: House) -> str:
    """The levels as SVG: lowest at the bottom, an edge from each folder to those that it needs."""
    graph = merged_grammars({f: others for f, others in house.graph.items() if f != "glyphone"})
    graph = {folder: others - {"glyphone"} for folder, others in graph.items()}
    rows: dict[int, list[str]] = defaultdict(list)
    for folder, level in levels(graph).items():
        rows[level].append(folder)
    top = max(rows)
    boxes: dict[str, tuple[float, float, float]] = {}
    for level, folders in rows.items():
        widths = [7.0 * len(label(folder)) + 14 for folder in folders]
        x = (WIDTH - sum(widths) - GAP * (len(folders) - 1)) / 2
        for folder, width in zip(folders, widths, strict=True):
            boxes[folder] = (x, 20.0 + (top - level) * ROW, width)
            x += width + GAP
    lines = []
    for folder, others in needed(graph).items():
        x, y, width = boxes[folder]
        for other in sorted(others):
            left, below, span = boxes[other]
            begin, end, middle = x + width / 2, left + span / 2, (y + BOX + below) / 2
            path = f"M{begin:.0f} {y + BOX:.0f} C{begin:.0f} {middle:.0f} {end:.0f} {middle:.0f}"
            lines.append(f'<path d="{path} {end:.0f} {below:.0f}"/>')
    cells = []
    for folder, (x, y, width) in boxes.items():
        room = folder.split(".")[1]
        colour = COLOURS.get(room, COLOURS["glyphone"])
        cells.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{BOX}" rx="4" '
            f'fill="{colour}"/><text x="{x + width / 2:.0f}" y="{y + 16:.0f}">'
            f"{escape(label(folder))}</text>"
        )
    height = 40 + (top + 1) * ROW
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">',
            "<style>text{font:12px sans-serif;text-anchor:middle}rect{stroke:#777}"
            "path{fill:none;stroke:#bbb}</style>",
            f'<rect width="{WIDTH}" height="{height}" style="fill:#fff;stroke:none"/>',
            *lines,
            *cells,
            "</svg>",
            "",
        ]
    )


def label(folder: str) -> str:
    """A folder as the repository names it.

    >>> label("glyphone.fst.joint"), label("glyphone.models.crf")
    ('fst/joint', 'models/crf')
    """
    return folder.removeprefix("glyphone.").replace(".", "/")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="figures and a picture of the house")
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout (default: this one)")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="write the levels as SVG")
    arguments = parser.parse_args(argv)
    house = House(arguments.root.resolve())
    if arguments.picture:
        arguments.picture.write_text(picture(house), encoding="utf-8")
        return
    for name, value in figures(house):
        print(f"{name:50} {value}")


if __name__ == "__main__":
    main()
