"""Names out of a script: languages turned round, Hangul by its letters, a letter model of names."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.records import Pair
from glyphone.fst.composed.letters import LetterModel
from glyphone.fst.composed.vocabulary import Vocabulary
from glyphone.models.names import file as name_file
from glyphone.models.names import languages, words
from glyphone.models.names.model import NameModel
from glyphone.models.names.training import fit_names

PLACES = {
    "서울": "seoul", "부산": "busan", "대구": "daegu", "인천": "incheon", "광주": "gwangju",
    "울산": "ulsan", "수원": "suwon", "안산": "ansan", "서산": "seosan", "광산": "gwangsan",
}  # fmt: skip
NAMES = {"rana": "राना", "nara": "नारा", "rara": "रारा", "naran": "नारान"}


def out_of(code: str, pairs: dict[str, str], **more: object) -> NameModel:
    given = [Pair(tuple(native), tuple(latin)) for native, latin in pairs.items()]
    return fit_names(given, languages.find_language(code), **more).model  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def korean() -> NameModel:
    return out_of("kor-Latn", PLACES)


def test_syllables_are_read_by_their_letters(korean: NameModel) -> None:
    assert korean("부천").output == "bucheon"  # no syllable 천 alone was seen
    assert korean("서울 부산").output == "seoul busan"
    spans = korean("부산").spans
    assert set(spans) == {(0, 1), (1, 2)}


def test_what_is_written_is_plain_latin(korean: NameModel) -> None:
    assert set(korean.target.symbols) <= set("abcdefghijklmnopqrstuvwxyz'")
    accented = out_of("hin-Latn", {"राना": "Ránā", "नारा": "nārā"})
    assert accented("राना").output == "rana"


def test_a_language_turned_round() -> None:
    hindi, turned = languages.find_language("hin"), languages.find_language("hin-Latn")
    assert (turned.script, turned.read_script, turned.to_latin) == ("Latn", "Deva", True)
    assert (turned.source.normal_form, languages.find_language("kor-Latn").source.normal_form) == (
        "NFC",
        "NFD",
    )
    assert not hindi.to_latin and turned.reads == turned.writes == ""
    with pytest.raises(GlyphoneError, match="no language named 'hni'"):
        languages.find_language("hni-Latn")


def test_a_letter_model_stands_behind_latin_letters_alone(
    korean: NameModel, tmp_path: Path
) -> None:
    assert isinstance(korean.prior, LetterModel)
    path = tmp_path / "kor.glyphone"
    name_file.save(korean, path)
    again = name_file.load(path)
    assert again.fingerprint() == korean.fingerprint()
    assert [h.posterior for h in again.nbest("광주")] == [h.posterior for h in korean.nbest("광주")]


def test_words_are_preferred(tmp_path: Path) -> None:
    pairs = [Pair(tuple(name), tuple(native)) for name, native in NAMES.items()]
    plain = fit_names(pairs, languages.find_language("hin")).model
    first, second = (best.output for best in plain.nbest("ranna", 2))
    listed = fit_names(pairs, languages.find_language("hin"), words=[(second, 1.0)]).model
    assert isinstance(listed.prior, Vocabulary)
    assert listed("ranna").output == second != first
    path = tmp_path / "hin.glyphone"
    name_file.save(listed, path)
    assert name_file.load(path)("ranna").output == second


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no words"),
        ("rana\tmany\n", "line 1: 'many' is no count"),
        ("rana\t-1\n", "line 1: '-1' is no count"),
        ("rana\tnan\n", "line 1: 'nan' is no count"),
    ],
)
def test_lists_of_words_that_are_none(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "words.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        words.read_shares(str(path), "hin", "Deva")
    assert message in str(caught.value) and "WORD<TAB>COUNT" in str(caught.value)


def test_spellings_that_are_no_expression(tmp_path: Path) -> None:
    path = tmp_path / "velm.toml"
    path.write_text('name = "Velm"\nscript = "Armn"\nletters = "ա"\n[sources]\nforeign = ["("]\n')
    with pytest.raises(FormatError, match=r"foreign has '\('.*write a regular expression"):
        languages.find_language(str(path))
