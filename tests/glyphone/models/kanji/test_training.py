"""Training on pairs of kanji and readings: columns, kinds, parts, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.data.errors import FormatError
from glyphone.fst.alignment.refusals import NothingLearnt
from glyphone.models.kanji.mixtures import KanjiOptions
from glyphone.models.kanji.training import fit_kanji, read_names
from tests.glyphone.models.kanji.names import SURNAMES, japanese, pair

ROMAJI = {"山田": "Yamada", "山川": "Yamakawa", "川田": "Kawada", "大川": "Ohkawa"}


def test_either_side_may_be_in_kanji() -> None:
    kanji_first = fit_kanji([pair(kanji, kana) for kanji, kana in SURNAMES.items()]).model
    kana_first = fit_kanji([pair(kana, kanji) for kanji, kana in SURNAMES.items()]).model
    assert kanji_first.fingerprint() == kana_first.fingerprint()


def test_readings_in_romaji_do_and_kanji_are_then_read_as_keys() -> None:
    model = fit_kanji([pair(kanji, romaji) for kanji, romaji in ROMAJI.items()]).model
    assert model.kana is None
    assert model("おおかわ").output == "大川"
    assert model("大川").output == "okawa"


def test_romaji_with_macrons_is_no_kana() -> None:
    model = fit_kanji([pair(kanji, romaji) for kanji, romaji in [*ROMAJI.items(), ("小野", "Ōno")]])
    assert model.model.kana is None


def test_names_without_readings_make_the_source_richer() -> None:
    pairs = [pair(kanji, romaji) for kanji, romaji in ROMAJI.items()]
    pairs.append(pair("河田", "Kawada"))
    plain, richer = (
        fit_kanji(pairs, names=[pair(name, "") for name in names], options=KanjiOptions()).model
        for names in ([], ["河山", "大河", "中河", "河川"] * 5)
    )

    def share(model: object) -> float:
        found = model.nbest("Kawayama", 5)  # type: ignore[attr-defined]
        return sum(one.posterior for one in found if one.output == "河山")

    assert share(richer) > share(plain) + 0.2


def test_old_forms_are_learnt_as_those_of_today_if_asked() -> None:
    pairs = [pair("澤田", "さわだ"), pair("沢山", "さわやま"), pair("山田", "やまだ")]
    sources = [pair("澤山", ""), pair("邊山", "")]
    plain, today = (
        fit_kanji(pairs, names=sources, modern_forms=modern).model for modern in (False, True)
    )
    assert "澤" in plain.romaji.target.symbols
    assert not {"澤", "邊"} & {*today.romaji.target.symbols}
    assert {one.output for one in today.nbest("Sawada", 5)} & {"沢田", "澤田"} == {"沢田"}
    assert today("澤田").output == "さわだ"


def test_two_parts_are_a_surname_and_a_given_name() -> None:
    pairs = [pair(f"{kanji} 太郎", f"{kana} たろう") for kanji, kana in SURNAMES.items()]
    model = fit_kanji(pairs).model
    assert model("Satō Tarō").output == "佐藤 太郎"
    assert model("佐藤太郎").output == "さとう たろう"


@pytest.mark.parametrize(
    ("kanji", "reading", "reason"),
    [
        ("山田", "山田", "one side has to be in kanji, and only one"),
        ("やまだ", "Yamada", "one side has to be in kanji, and only one"),
        ("山の内", "やまのうち", "is not of kanji alone"),
        ("山田 太郎", "やまだ", "is of 2 parts, and やまだ of 1"),
        ("山田 太郎 一", "や た い", "is of 3 parts"),
        ("張偉", "Zhang Wei", "is of 1 parts, and Zhang Wei of 2"),
        ("張", "Zhang", "zhang is no Japanese syllable, but pinyin"),
        ("山田川", "やま", "3 source symbols cannot give 2 target symbols"),
        ("山田", "Yamada7", "7 is no letter of romaji"),
    ],
)
def test_what_cannot_be_learnt_is_refused_with_its_reason(
    kanji: str, reading: str, reason: str
) -> None:
    pairs = [pair(kanji, kana) for kanji, kana in SURNAMES.items()]
    (refusal,) = fit_kanji([*pairs, pair(kanji, reading)]).refusals
    assert refusal.index == len(pairs)
    assert reason in refusal.reason


def test_kana_is_read_as_itself_where_it_is_let_in() -> None:
    pairs = [pair(kanji, kana) for kanji, kana in SURNAMES.items()]
    pairs += [pair("山の内", "やまのうち"), pair("一ノ瀬", "いちのせ"), pair("内田", "うちだ")]
    fitted = fit_kanji(pairs, with_kana=True)
    assert fitted.refusals == ()
    assert fitted.model("山の内").output == "やまのうち"


def test_nothing_to_learn_from() -> None:
    with pytest.raises(NothingLearnt, match="nothing to train on"):
        fit_kanji([])
    with pytest.raises(NothingLearnt, match="one side has to be in kanji"):
        fit_kanji([pair("やまだ", "Yamada")])


def test_models_do_not_depend_on_the_number_of_workers() -> None:
    pairs = [pair(kanji, kana, "surname") for kanji, kana in SURNAMES.items()] * 60
    one, two = (fit_kanji(pairs, jobs=jobs).model.fingerprint() for jobs in (1, 2))
    assert one == two


def test_the_channel_alone_is_a_model() -> None:
    pairs = [pair(kanji, kana) for kanji, kana in SURNAMES.items()]
    options = KanjiOptions(channel_share=1.0, order=3, pull=float("inf"))
    model = fit_kanji(pairs, options=options).model
    assert model("Yamada").output == "山田"
    assert len(model.romaji.units) < len(japanese().romaji.units)


def test_lists_of_names(tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    path.write_text("山田\n太郎\tgiven\n佐藤\tsurname\t18\n", encoding="utf-8")
    names = read_names(str(path))
    assert [(name.kind, name.weight) for name in names] == [("", 1), ("given", 1), ("surname", 18)]
    path.write_text("山田\tsirname\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"names.tsv: line 1: .*surname"):
        read_names(str(path))
    path.write_text("山田\tsurname\tmany\n", encoding="utf-8")
    with pytest.raises(FormatError, match="many"):
        read_names(str(path))
