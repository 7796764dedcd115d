"""Pages of the reference: a package each, with the names that its docstring calls public.

Sources are read and not imported, so that a page needs no package that may be missing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from benchmarks.house import ROOMS, ROOT, House
from docs.website.markdown import contents, escaped, markdown_of, table

WIDTH = 88
LONGEST_VALUE = 300
HOUSE = House(ROOT)
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True)
class Public:
    """A public name, the module that defines it, and the definition."""

    name: str
    module: str
    node: Definition

    @property
    def heading(self) -> str:
        """Says what is a class, since `Cascade` and `cascade` would have one anchor."""
        return f"class `{self.name}`" if isinstance(self.node, ast.ClassDef) else f"`{self.name}`"

    @property
    def anchor(self) -> str:
        return self.heading.replace(" ", "-").replace("`", "").lower()


def reference_pages() -> dict[str, str]:
    """The page of each package that has public names, and of each room one that lists them."""
    rooms = {path: room_page(room) for room, path in room_pages().items()}
    return rooms | {
        f"reference/{room_of(package)}/{package}.md": package_page(package)
        for package in packages()
    }


def room_pages() -> dict[str, str]:
    """The paths of the pages of rooms, that of users first."""
    rooms = sorted(ROOMS, key=lambda room: room != "glyphone")
    return {room: f"reference/{room}/index.md" for room in rooms}


def packages() -> list[str]:
    """The packages with public names, by rooms."""
    found = [name for name, path in HOUSE.modules.items() if path.name == "__init__.py"]
    return [package for package in found if public_names(package)]


def room_of(package: str) -> str:
    """The room that a package is in.

    >>> room_of("glyphone.fst.joint"), room_of("glyphone.models.crf")
    ('fst', 'glyphone')
    """
    return HOUSE.modules[package].relative_to(ROOT).parts[0]


def room_page(room: str) -> str:
    rows = []
    inside = [package for package in packages() if room_of(package) == room]
    for package in inside:
        names = ", ".join(f"[`{x.name}`]({package}.md#{x.anchor})" for x in public_names(package))
        rows.append(
            (f"[{package}]({package}.md)", escaped(first_paragraph(docstring(package))), names)
        )
    parts = [
        f"# Reference: {room}",
        "[The house](../../docs/architecture.md) says how packages lie, [the glossary]"
        "(../../docs/glossary.md) has the words.",
        table(("package", "contents", "public names"), rows),
        contents({package: f"{package}.md" for package in inside}),
    ]
    return "\n\n".join(parts)


def package_page(package: str) -> str:
    parts = [f"# {package}", markdown_of(docstring(package))]
    for public in public_names(package):
        parts += entry(public)
    return "\n\n".join(parts) + "\n"


def entry(public: Public) -> Iterator[str]:
    """The heading, the import, the signature and the docstring of a name, and its methods."""
    yield f"## {public.heading}"
    code = f"from {public.module} import {public.name}\n\n{signature(public.node)}"
    yield f"```python\n{code}\n```"
    yield markdown_of(docstring_of(public.node))
    if isinstance(public.node, ast.ClassDef):
        yield kinds_of(public)
        for method in public.node.body:
            if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                yield f"### `{public.name}.{method.name}`"
                yield f"```python\n{signature(method)}\n```"
                yield markdown_of(docstring_of(method))


def kinds_of(public: Public) -> str:
    """The subclasses in the module of a class, with the first paragraphs of their docstrings."""
    rows = [
        f"- `{node.name}`: {escaped(first_paragraph(docstring_of(node)))}"
        for node in definitions(public.module).values()
        if isinstance(node, ast.ClassDef)
        if public.name in map(ast.unparse, node.bases) and not node.name.startswith("_")
    ]
    return "\n".join(["Its kinds:", "", *rows]) if rows else ""


def signature(node: Definition) -> str:
    """A definition without its body, but with the fields of a class.

    >>> print(signature(ast.parse("def f(x: int, *, y: str = 'a') -> None: pass").body[0]))
    def f(x: int, *, y: str = 'a') -> None
    >>> print(signature(ast.parse("class C(B):\\n  x: int = 1\\n  y = 2").body[0]))
    class C(B):
        x: int = 1
    """
    if isinstance(node, ast.FunctionDef):
        return function_signature(node)
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(one) for one in [*node.bases, *node.keywords])
        fields = [
            ast.unparse(one)
            for one in node.body
            if isinstance(one, ast.AnnAssign) and not ast.unparse(one.target).startswith("_")
        ]
        head = [f"@{ast.unparse(one)}" for one in node.decorator_list]
        head += [f"class {node.name}" + (f"({bases})" if bases else "") + (":" if fields else "")]
        return "\n".join([*head, *(f"    {field}" for field in fields)])
    text = ast.unparse(node)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + " ..."


def function_signature(node: ast.FunctionDef) -> str:
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"def {node.name}({', '.join(arguments(node.args))}){result}"
    if len(line) > WIDTH:
        lines = "".join(f"    {argument},\n" for argument in arguments(node.args))
        line = f"def {node.name}(\n{lines}){result}"
    return "\n".join([*(f"@{ast.unparse(one)}" for one in node.decorator_list), line])


def arguments(node: ast.arguments) -> list[str]:
    """The arguments of a function, each with its type and default.

    >>> arguments(ast.parse("lambda a, b=(1, 2), *, c: 0", mode="eval").body.args)
    ['a', 'b=(1, 2)', '*', 'c']
    """
    found: list[str] = []
    depth = 0
    for piece in ast.unparse(node).split(", "):
        if depth:
            found[-1] += ", " + piece
        else:
            found.append(piece)
        depth += sum(map(piece.count, "([{")) - sum(map(piece.count, ")]}"))
    return [re.sub(r"^(\w+: [^=]+)=", r"\1 = ", argument) for argument in found]


def docstring(module: str) -> str:
    return ast.get_docstring(HOUSE.trees[module]) or ""


def docstring_of(node: Definition) -> str:
    values = ast.Assign | ast.AnnAssign  # these have none
    return "" if isinstance(node, values) else ast.get_docstring(node) or ""


def first_paragraph(text: str) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(text.partition("\n\n")[0].split())


@cache
def public_names(package: str) -> tuple[Public, ...]:
    """The names that the docstring of a package calls public, or else those of `__all__`."""
    told = docstring(package).partition("Public: ")[2].partition("\n\n")[0]
    if not told:
        exported = definitions(package).get("__all__")
        assert exported is None or isinstance(exported, ast.Assign)
        words = ast.literal_eval(exported.value) if exported else []
    else:
        words = [] if told.startswith("none") else re.findall(r"`([\w.]+)`", told)
    modules = [f"{package}.{word}" for word in words if f"{package}.{word}" in HOUSE.modules]
    found = {}
    for word in words:
        public = resolve(package, word, modules)
        if public is not None:
            found[public.module, public.name] = public
    return tuple(found.values())


def resolve(package: str, word: str, named: list[str]) -> Public | None:
    """The definition of a word in the docstring of a package; None if it names a module.

    Modules that the docstring names, too, are searched before other modules of the package, and
    functions and classes are taken before values.
    """
    inside, _, name = word.rpartition(".")
    if inside:
        return lookup(f"{package}.{inside}", name)
    others = [x for x in HOUSE.modules if x.rpartition(".")[0] == package]
    found = [public for module in [package, *named, *others] if (public := lookup(module, name))]
    if not found and f"{package}.{name}" not in named:
        raise LookupError(f"{package}: its docstring calls `{word}` public, which nothing defines")
    found.sort(key=lambda public: isinstance(public.node, ast.Assign | ast.AnnAssign))
    return found[0] if found else None


def lookup(module: str, name: str) -> Public | None:
    """A definition in a module, or in the one that it is imported from."""
    node = definitions(module).get(name)
    if isinstance(node, ast.ImportFrom):
        [original] = [one.name for one in node.names if (one.asname or one.name) == name]
        return lookup(node.module, original) if node.module in HOUSE.modules else None
    return Public(name, module, node) if node is not None else None


@cache
def definitions(module: str) -> dict[str, Definition | ast.ImportFrom]:
    """The names that a module defines at its top, and in a package those that it imports."""
    found: dict[str, Definition | ast.ImportFrom] = {}
    package = HOUSE.modules[module].name == "__init__.py"
    for node in top_level(HOUSE.trees[module]):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.setdefault(node.name, node)
        elif isinstance(node, ast.ImportFrom) and package:
            found |= {alias.asname or alias.name: node for alias in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [one for target in targets for one in ast.walk(target)]
            found |= {one.id: node for one in names if isinstance(one, ast.Name)}
    return found


def top_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module, those for type checkers included."""
    for node in tree.body:
        if isinstance(node, ast.If):
            yield from node.body
        else:
            yield node
