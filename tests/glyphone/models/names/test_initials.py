"""Initials in names: cut off at their dots, written by the names of letters, refused elsewhere."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, ItemError
from glyphone.fst.storage import container as storage_container
from glyphone.grammar_tools import archives
from glyphone.models.names import file as name_file
from glyphone.models.names import script
from glyphone.models.names.languages import find_language
from glyphone.models.names.model import NameModel
from glyphone.models.names.parts import Part, parts_of
from glyphone.models.names.script import letter_names_of, script_of
from tests.glyphone.models.names.support import VELM, telling, velm

NAMED = sorted(path.parent.name for path in archives.SOURCES.glob(f"*/{script.LETTER_NAMES}"))
NAMES = {"A": "Ալ.", "J": "Ջէ.", "Z": "զէտ"}


def model() -> NameModel:
    table = {"Mira": [("միրա", 0.75), ("մերա", 0.25)], "nora": [("նորա", 1.0)]}
    return replace_names(telling(VELM, table), NAMES)


def replace_names(told: NameModel, names: dict[str, str]) -> NameModel:
    found = replace(told, letter_names=names)
    found.__dict__["words"] = told.words
    return found


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("J. A. Mira", [("", "J."), (" ", "A."), (" ", "Mira")]),
        ("J.A. Mira", [("", "J."), ("", "A."), (" ", "Mira")]),
        ("J.A.Mira", [("", "J."), ("", "A."), (" ", "Mira")]),
        ("j.-a Mira", [("", "J."), ("-", "a"), (" ", "Mira")]),
        ("Mira J.A", [("", "Mira"), (" ", "J."), ("", "A.")]),
        ("J.A.'", [("", "J."), ("", "A.")]),
        ("Á. J\u030c.", [("", "A."), (" ", "J.")]),
        ("J.2", [("", "J."), (" ", "2")]),
    ],
)
def test_initials_are_parts(name: str, parts: list[tuple[str, str]]) -> None:
    assert [(part.before, part.word) for part in parts_of(name, "AJZ")] == parts


@pytest.mark.parametrize(
    ("name", "offset"),
    [("Mr. J.", 2), ("J. Mr.", 5), ("J. B.", 4), (".J", 0), ("J..A", 2), ("J.Mira.", 6), ("ა.", 1)],
)
def test_other_dots_are_refused_with_their_places(name: str, offset: int) -> None:
    with pytest.raises(ItemError, match="is abbreviated") as caught:
        parts_of(name, "AJZ")
    assert (caught.value.item, caught.value.symbol, caught.value.offset) == (name, ".", offset)


@given(st.text(st.sampled_from([*"aJZbÁ.-' ", "\u0301", "\u200e"])))
@example("J\u200e.\u200eA")
@example("\u0301J.")
def test_places_are_those_of_the_letters(name: str) -> None:
    try:
        parts = parts_of(name, "AJZ")
    except ItemError:
        return
    for part in parts:
        assert len(part.word) == len(part.begins) == len(part.ends)
        if part.initial:
            assert part.word in ("A.", "J.", "Z.")
            read = unicodedata.normalize("NFD", name[part.begins[0] : part.ends[0]])
            assert part.word[0] in read.upper()
            assert name[part.begins[1] : part.ends[1]].lstrip("\u200e") in (".", "")
    ends = [part.ends[-1] for part in parts]
    begins = [part.begins[0] for part in parts]
    assert all(end <= begin for end, begin in zip(ends, begins[1:], strict=False))


def test_no_letter_is_named_unless_that_is_said() -> None:
    with pytest.raises(ItemError, match="is abbreviated"):
        parts_of("J. Mira")
    assert velm().letters == {}


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("J. Mira", "Ջէ. Միրա"),
        ("j. nora", "Ջէ. նորա"),
        ("J.A.-Mira", "Ջէ.Ալ.֊Միրա"),
        ("Z.Mira", "Զէտ Միրա"),
        ("A.", "Ալ."),
    ],
)
def test_initials_are_written_by_their_names(name: str, output: str) -> None:
    assert model()(name).output == output


def test_initials_are_certain_and_traced() -> None:
    first, second = model().nbest("J. Mira", 3)
    assert (first.output, first.posterior) == ("Ջէ. Միրա", 0.75)
    assert (second.output, second.posterior) == ("Ջէ. Մերա", 0.25)
    spans = dict(zip(first.symbols, first.spans, strict=True))
    assert spans["Ջ"] == spans["."] == (0, 2) and spans[" "] == (2, 3)


@given(st.lists(st.sampled_from(["J. Mira", "Mira", "A.", "B. Mira", "nora Z.", ""]), max_size=6))
def test_blocks_answer_as_names_by_themselves(texts: list[str]) -> None:
    for n, spans in ((1, False), (3, True)):
        answers = model().answer(texts, n=n, spans=spans)
        for item, text in enumerate(texts):
            alone = model().answer([text], n=n, spans=spans)
            outputs = answers.outputs[answers.firsts[item] : answers.firsts[item + 1]]
            assert outputs == alone.outputs
            assert (item in answers.failures) == (0 in alone.failures) == (text in ("B. Mira", ""))


def test_what_is_in_a_table_is_not_weighed() -> None:
    named = replace(velm(), letter_names=NAMES)
    tasks: list[Callable[[], Any]] = [
        lambda: named.score("J. Mira", "Ջէ. Միրա"),
        lambda: named.lattice("J."),
    ]
    for ask in tasks:
        with pytest.raises(ItemError, match=r"has initials .leave them out"):
            ask()
    assert named.fingerprint() != velm().fingerprint()


def test_files_have_the_names_of_letters(tmp_path: Path) -> None:
    named = replace(velm(), letter_names=NAMES)
    name_file.save(named, tmp_path / "a.glyphone")
    loaded = name_file.load(tmp_path / "a.glyphone")
    assert loaded.letters == NAMES and loaded.fingerprint() == named.fingerprint()
    assert loaded("J. Mira").output == named("J. Mira").output


@pytest.mark.parametrize(
    "names", [[], "A", {"A": 1}, {"AB": "x"}, {"a": "x"}, {"": "x"}, {"A": ""}]
)
def test_files_with_other_names(tmp_path: Path, names: object) -> None:
    contents = name_file.to_contents(velm())
    manifest = {**contents.manifest, "letter_names": names}
    storage_container.write(tmp_path / "bad.glyphone", replace(contents, manifest=manifest))
    with pytest.raises(FormatError, match="its names of letters are "):
        name_file.load(tmp_path / "bad.glyphone")


def test_files_from_before_initials_write_them_as_their_language_does(tmp_path: Path) -> None:
    contents = name_file.to_contents(replace(velm(), language=replace(VELM, code="rus")))
    manifest = {key: value for key, value in contents.manifest.items() if key != "letter_names"}
    storage_container.write(tmp_path / "old.glyphone", replace(contents, manifest=manifest))
    assert name_file.load(tmp_path / "old.glyphone").letters["J"] == "Дж."


@pytest.mark.parametrize("code", NAMED)
def test_names_of_letters_are_well_formed(code: str) -> None:
    language = find_language(code)
    names = letter_names_of(language)
    assert [*names] == [*string.ascii_uppercase]
    written = [name.removesuffix(".").lower() for name in names.values()]
    found = script_of(language)
    read = found.read(written)
    assert not [symbols for symbols in read if isinstance(symbols, ItemError)]
    assert found.writer is not None
    back = found.writer.answer([found.writing.join(tuple(symbols)) for symbols in read])
    assert [unicodedata.normalize("NFC", output) for output in back.outputs] == written


def test_which_languages_name_letters() -> None:
    assert "ara ben ell heb hin jpn kan kor rus tam ukr".split() == NAMED
    assert letter_names_of(find_language("zho")) == letter_names_of(find_language("hin-Latn")) == {}
    assert letter_names_of(replace(VELM, code="../rus")) == {}


def test_a_table_that_is_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "velm").mkdir()
    (tmp_path / "velm" / script.LETTER_NAMES).write_text("A\tԱ\nÄ\tԷ\n", encoding="utf-8")
    monkeypatch.setattr(archives, "SOURCES", tmp_path)
    monkeypatch.setattr(script, "language_codes", lambda: ["velm"])
    with pytest.raises(FormatError, match=r"letter_names\.tsv: 'Ä' is no letter with a name"):
        letter_names_of(VELM)


def test_a_part_says_whether_it_is_an_initial() -> None:
    one, other = parts_of("J. Mira", "J")
    assert one == Part("J.", "", (0, 1), (1, 2), True)
    assert one.initial and not other.initial
