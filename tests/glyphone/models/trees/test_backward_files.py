"""Trees that read words from their end: their files, and the command line."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import glyphone
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.fst.storage.container import Contents
from glyphone.models.trees.compiling import compile as compiling_compile
from glyphone.models.trees.file import from_contents, load, save, to_contents
from glyphone.models.trees.model import TreeModel
from tests.glyphone.models.trees.backward_trees import SETTINGS, model
from tests.glyphone.models.trees.twins import LEXICON, WORDS, model_of, options_of
from tests.glyphone.support import glyphone as run


def test_letters_alone_have_no_direction(tmp_path: Path) -> None:
    files = []
    for backward in (True, False):
        one = model_of(options_of(previous=0, backward=backward))
        save(one, tmp_path / "a")
        files.append((tmp_path / "a").read_bytes())
        machines = compiling_compile.machines_of(one)
        again = compiling_compile.model_of(one, machines)
        for length in range(5):
            for word in map("".join, product("acxh", repeat=length)):
                assert again(word).output == one(word).output
    assert files[0] == files[1]
    with pytest.raises(GlyphoneError, match=r"no direction.*leave out backward"):
        replace(one, backward=True)
    with pytest.raises(GlyphoneError, match=r"last 2 chunks written.*--previous 0"):
        compiling_compile.machines_of(model("one"))


def test_files_know_the_direction(tmp_path: Path) -> None:
    for name in SETTINGS:
        save(model(name), tmp_path / "a.glyphone")
        loaded = load(tmp_path / "a.glyphone")
        assert loaded.backward and loaded.fingerprint() == model(name).fingerprint()
        assert loaded.fingerprint() != replace(loaded, backward=False).fingerprint()
        assert (loaded.left, loaded.right) == (model(name).left, model(name).right)
        for word in WORDS:
            assert loaded.nbest(word, 3) == model(name).nbest(word, 3)


def manifest(changed: dict[str, Any], *, backward: bool = True) -> Contents:
    contents = to_contents(model("one", backward=backward))
    kept = {name: value for name, value in contents.manifest.items() if name not in changed}
    given = {name: value for name, value in changed.items() if value is not None}
    return Contents(contents.kind, {**kept, **given}, contents.arrays)


def test_older_files_read_forward() -> None:
    older = from_contents(manifest({"backward": None}, backward=False))
    assert not older.backward
    assert older.fingerprint() == model("one", backward=False).fingerprint()


@pytest.mark.parametrize("value", [1, "yes", []])
def test_a_direction_that_is_none_is_refused(value: object) -> None:
    with pytest.raises(FormatError, match=r"is no tree model.*its backward is"):
        from_contents(manifest({"backward": value}))


def test_a_direction_of_letters_alone_is_refused() -> None:
    letters = to_contents(model_of(options_of(left=1, right=1)))
    wrong = Contents(letters.kind, {**letters.manifest, "backward": True}, letters.arrays)
    with pytest.raises(FormatError, match=r"is no tree model.*no direction"):
        from_contents(wrong)


def test_from_the_command_line(tmp_path: Path) -> None:
    words, path = tmp_path / "words.tsv", tmp_path / "tree.glyphone"
    lines = [f"{word}\t{' '.join(said)}\n" for word, said in LEXICON.items()]
    words.write_text("".join(lines * 3), encoding="utf-8")
    train = ["train", words, "--kind", "tree", "-o", path]
    for option, backward in (((), True), (("--backward",), True), (("--forward",), False)):
        assert run(*train, *option).code == 0
        loaded = glyphone.load(str(path))
        assert isinstance(loaded, TreeModel) and loaded.backward is backward
        assert loaded.description["training"]["backward"] is backward
    both = run(*train, "--backward", "--forward")
    assert both.code == 2 and "not allowed with" in both.err
    assert run(*train, "--backward").code == 0
    assert "ca" in run("explain", path, "ca").out
    for options in (("--item", "ax"), ("--tree",)):
        picture = tmp_path / "a.svg"
        assert run("draw", path, *options, "-o", picture).code == 0
        assert picture.read_text(encoding="utf-8").startswith("<svg")
    refused = run("compile-tree", path, "-o", tmp_path / "a.far")
    assert refused.code == 2 and "--previous 0" in refused.err
    assert run(*train, "--backward", "--previous", "0").code == 0
    assert run("compile-tree", path, "-o", tmp_path / "a.far").code == 0
    tree, machine = glyphone.load(str(path)), glyphone.load(f"{tmp_path / 'a.far'}:TREE")
    assert all(tree(word).output == machine(word).output for word in LEXICON)
