"""Files that describe a language, and errors about files that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, UnknownName
from glyphone.models.names.languages import (
    Language,
    Sources,
    Training,
    find_language,
    language_codes,
)

PLAIN = 'name = "Velm"\nscript = "Armn"\nletters = "ա բ"\n'


def language(folder: Path, text: str | bytes) -> Language:
    path = folder / "velm.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return find_language(str(path))


@pytest.mark.parametrize("code", language_codes())
def test_languages_that_come_with_glyphone(code: str) -> None:
    found = find_language(code)
    assert found.code == code and found.name and len(found.script) == 4
    assert found.separators.keys() == {"", " ", "-"}


def test_everything_that_a_file_can_say(tmp_path: Path) -> None:
    found = language(
        tmp_path,
        PLAIN + 'writes = "a.far:B"\nspace = ""\nhyphen = "="\ncased = true\n'
        "[training]\norder = 3\nmax_source = 2\nmax_target = 1\n"
        '[sources]\nlocales = ["vl", "vm"]\ncities = false\ncountries = ["VL"]\nletters = "x"\n',
    )
    assert found == Language(
        code="velm",
        name="Velm",
        script="Armn",
        writes="a.far:B",
        letters="ա բ",
        space="",
        hyphen="=",
        cased=True,
        training=Training(order=3, max_source=2, max_target=1),
        sources=Sources(locales=("vl", "vm"), cities=False, countries=("VL",), letters="x"),
    )
    assert found.separators == {"": "", " ": "", "-": "="}


def test_what_a_file_need_not_say(tmp_path: Path) -> None:
    found = language(tmp_path, PLAIN)
    assert found == Language(code="velm", name="Velm", script="Armn", letters="ա բ")
    assert language(tmp_path, "\ufeff" + PLAIN.replace("\n", "\r\n")) == found
    assert language(tmp_path, PLAIN + 'code = "vlm"').code == "vlm"


NONE = 'name = "Velm"\nscript = "Armn"\n'
TABLES = '[tables]\nconsonants = "მ m"\nvowels = "ა a მ"\nvirama = "v"\n'
WRONG: list[tuple[str | bytes, str]] = [
    ("name = ", "is no TOML: "),
    ('name = "a"\nname = "b"', "is no TOML: "),
    (b'name = "\xff"', "is no TOML: "),
    ("", 'the file has no name (write name = "...")'),
    ('name = "Velm"\nletters = "ա"', 'the file has no script (write script = "...")'),
    (NONE, 'does not say how the language is written (give `reads = "GRAMMAR:RULE"`, '),
    (NONE + "[tables]", "does not say how the language is written"),
    (NONE + 'letters = ""', "does not say how the language is written"),
    (PLAIN + 'letter = "x"', "no setting in the file named 'letter' (did you mean letters?)"),
    (PLAIN + "name2 = 1", "no setting in the file named 'name2' (did you mean name?)"),
    (PLAIN + "[training]\nordr = 1", "no setting in [training] named 'ordr' (did you mean order?)"),
    (PLAIN + "[sources]\nname = 1", "no setting in [sources] named 'name' (there are: cities"),
    (
        PLAIN + "[traning]\norder = 1",
        "no setting in the file named 'traning' (did you mean t",
    ),
    (PLAIN + "space = 1", "space is 1 (it must be text in quotes)"),
    (PLAIN + "code = 1", "code is 1 (it must be text in quotes)"),
    (PLAIN + "cased = 1", "cased is 1 (it must be true or false)"),
    (PLAIN + 'cased = "true"', "cased is 'true' (it must be true or false)"),
    (PLAIN + "training = 1", "[training] is no table"),
    (PLAIN + "sources = [1]", "[sources] is no table"),
    (NONE + 'tables = "x"', "tables is 'x' (it must be a table)"),
    (PLAIN + "[training]\norder = true", "order is True (it must be a whole number from 1 on)"),
    (PLAIN + "[training]\norder = 0", "order is 0 (it must be a whole number from 1 on)"),
    (PLAIN + "[training]\nmax_target = -1", "max_target is -1 (it must be a whole number from 1"),
    (PLAIN + "[training]\norder = 6.0", "order is 6.0 (it must be a whole number from 1 on)"),
    (PLAIN + '[sources]\nlocales = "hi"', "locales is 'hi' (it must be a list of texts"),
    (PLAIN + '[sources]\nlocales = ["hi", 1]', "locales is ['hi', 1] (it must be a list of texts"),
    (PLAIN + '[sources]\ncities = ["hi"]', "cities is ['hi'] (it must be true or false)"),
    (PLAIN + 'reads = "a.far:B"', "has both `reads` and `letters` (leave one of them out)"),
    (PLAIN + TABLES, "has both `letters` and [tables] (leave one of them out)"),
    (NONE + 'reads = "a:B"\n' + TABLES, "has both `reads` and [tables] (leave one of them out)"),
    (NONE + 'writes = "a:B"\n' + TABLES, "has both `writes` and [tables] (leave one of them out)"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_files_that_are_wrong(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        language(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'velm.toml'}: {message}")


def test_languages_that_there_are_not(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no language named 'hni' .did you mean hin"):
        find_language("hni")
    with pytest.raises(UnknownName, match=r"no language named '\.\./hin'"):
        find_language("../hin")
    language(tmp_path, PLAIN)
    with pytest.raises(UnknownName, match=r"no file named '.*vlem.toml' .did you mean .*velm.toml"):
        find_language(str(tmp_path / "vlem.toml"))
    with pytest.raises(UnknownName, match=r"no file named '.*x.toml' .there are none"):
        find_language(str(tmp_path / "nowhere" / "x.toml"))


@given(st.lists(st.sampled_from(["ab", "c"]), min_size=1), st.data())
def test_separators_are_found_again(words: list[str], data: st.DataObject) -> None:
    native = Language(code="x", name="X", script="Kana", letters="a", space="・", hyphen="＝")
    between = st.sampled_from([" ", "-"])
    latin = words[0] + "".join(data.draw(between) + word for word in words[1:])
    written = "".join(native.separators.get(character, character) for character in latin)
    assert native.latin_separators(written) == latin
    none = Language(code="x", name="X", script="Thai", letters="a", space="", hyphen="")
    assert none.latin_separators(latin) == latin
