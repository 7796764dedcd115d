"""Pictures of two names compared: what is drawn, that nothing lies on anything else, and errors."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.learners.matching.evidence import FEATURES, Spelling
from glyphone.learners.matching.links import AlignedUnits, UnitLink
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.matching import file as matcher_file
from glyphone.matching.pictures.bars import GROUPS, OTHER, bars_of
from glyphone.matching.pictures.match import picture_of_match, svg_of_judgement, svg_of_readings
from glyphone.matching.pictures.trigrams import WIDEST, alike_words, columns_of, lines_of
from glyphone.matching.pictures.words import rows_of_evidence
from glyphone.models.kanji import file as kanji_file
from glyphone.models.kanji.matching.matcher import Matcher
from tests.glyphone.matching.names import small_matcher
from tests.glyphone.models.kanji.matching.twins import small_model
from tests.glyphone.support import Ran, glyphone

NAMESPACE = "{http://www.w3.org/2000/svg}"
TEN = "Anna Boris Clara Dmitri Elena Felix Abbott Borodin Castell Dvorak"


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The models of a user who has trained a matcher, and no other model."""
    monkeypatch.setenv("GLYPHONE_DATA", str(tmp_path))
    monkeypatch.setattr(catalog_names, "built_file", lambda name, suffix: None)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "glyphone/models"
    (folder / "jpn").mkdir(parents=True)
    matcher_file.save(small_matcher(), folder / "matcher.glyphone")
    return folder


def spell(words: Any, script: str, wanted: str) -> list[tuple[Spelling, ...]]:
    known = {("Cyrl", "Latn"): {"анна": "ana"}, ("Latn", "Cyrl"): {"anna": "анна"}}
    found = known.get((script, wanted), {})
    return [(Spelling(wanted, found[word]),) if word in found else () for word in words]


def drawn(first: str, second: str, matcher: NameMatcher | None = None, **options: Any) -> Any:
    """The picture of two names, read as XML."""
    matcher = matcher or small_matcher()
    (judged,) = matcher.judge([(first, second)])
    return ElementTree.fromstring(svg_of_judgement((first, second), judged, matcher, **options))


def texts_of(root: Any) -> list[str]:
    return [text.text or "" for text in root.iter(f"{NAMESPACE}text")]


def draw(*words: Any) -> Ran:
    return glyphone("draw", "--match", *words)


def test_words_and_lines() -> None:
    names = "Dr. Bill J. Borodin III", "Borodni, William Xaver"
    (judged,) = small_matcher().judge([names])
    rows = rows_of_evidence(names, judged.evidence)
    assert [(word.text, word.look, *word.notes) for word in rows.words[0]] == [
        ("dr", "apart", "title"),
        ("bill", "linked"),
        ("j", "left over", "left over"),
        ("borodin", "linked"),
        ("3", "left over", "left over"),
    ]
    assert [line.places for line in rows.lines] == [(1, 0), (3, 2)]
    assert [line.labels[0] for line in rows.lines] == ["nickname", "alike 0.86"]
    share = dict(zip(FEATURES, judged.evidence.features(), strict=True))["weight of linked words"]
    assert sum(line.worth for line in rows.lines) == pytest.approx(share)


def test_a_title_that_is_a_name_elsewhere_too() -> None:
    """Words without a partner are left over by their places, not by their texts."""
    names = "Mr. Mister Paz", "Paz"
    (judged,) = small_matcher().judge([names])
    looks = [word.look for word in rows_of_evidence(names, judged.evidence).words[0]]
    assert looks[0] == "apart" and looks[-1] == "linked"


@pytest.mark.parametrize(
    "names",
    [
        ("Anna", "Anna"),
        ("Anna", "Boris"),
        ("Anna Borodin", "Borodni, Ana"),
        (TEN, TEN[::-1]),
        ("<b> & \"Söhne\" 'x'", "&lt; b"),
        ("山田 㐂", "דוד محمد"),
        ("क्‍ष", "박 지성"),
        ("ʹ", "Anna"),
    ],
)
def test_nothing_lies_on_anything_else(names: tuple[str, str]) -> None:
    root = drawn(*names, title="a <title>")
    assert {*names} <= {*texts_of(root)}
    x, y, width, height = map(float, root.attrib["viewBox"].split())
    boxes = []
    for text in root.iter(f"{NAMESPACE}text"):
        assert x <= float(text.attrib["x"]) <= x + width
        assert y <= float(text.attrib["y"]) <= y + height
    for rect in root.iter(f"{NAMESPACE}rect"):
        if "rx" in rect.attrib:
            left, top, wide, high = (float(rect.attrib[k]) for k in ("x", "y", "width", "height"))
            assert x <= left and left + wide <= x + width
            boxes.append((left, top, left + wide, top + high))
    for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
        assert c <= e + 0.2 or g <= a + 0.2 or d <= f + 0.2 or h <= b + 0.2


def test_trigrams_of_words_that_are_alike() -> None:
    texts = texts_of(drawn("Anna Borodin", "Anna Borodni"))
    (caption,) = (text for text in texts if "trigrams in order" in text)
    found = re.fullmatch(r"borodin ~ borodni: 1 edit; trigrams .* worth (0\.\d\d)", caption)
    assert found and texts.count("rod") == 2 and "ann" not in texts
    worths = [float(text) for text in texts if re.fullmatch(r"\.\d\d", text)]
    assert sum(worths) == pytest.approx(float(found[1]), abs=0.05)


def test_columns_of_trigrams() -> None:
    aligned = AlignedUnits(["a", "b", "c"], ["x", "y", "b"], [UnitLink((1, 2), 0.5)])
    assert columns_of(aligned) == [("a", "x", 0), ("", "y", 0), ("b", "b", 0.5), ("c", "", 0)]
    many = [("abc", "abc", 0.5)] * 90
    lines = [*lines_of(many)]
    assert [column for line in lines for column in line] == many
    assert 1 < len(lines) < WIDEST / 40 and not [*lines_of([])]


def test_spellings_that_were_compared() -> None:
    matcher = NameMatcher(speller=spell)
    matcher.__dict__ |= {**vars(small_matcher()), "speller": spell}
    texts = texts_of(drawn("Анна", "Anna", matcher))
    assert "ana" in texts  # beside its word
    assert any(text.startswith("анна ~ anna, compared as ana ~ anna: 1 edit; ") for text in texts)
    assert "анна ~ anna, compared as анна ~ анна: 0 edits" in texts
    words = alike_words(matcher, matcher.evidence("Анна", "Anna"))
    assert [one.trigrams is None for one in words] == [False, True]


def test_bars_are_the_log_odds() -> None:
    (judged,) = small_matcher().judge([("Dr. Anna Borodin", "Borodni 2 Ltd")])
    features, nothing = small_matcher().contributions(judged.evidence)
    bars = bars_of(features, nothing)
    assert sum(bar.value for bar in bars) == pytest.approx(
        nothing + sum(added for _, added in features.values())
    )
    assert OTHER not in {bar.text for bar in bars} and bars[-1].value == nothing
    values = [bar.value for bar in bars[:-1]]
    assert values == sorted(values, reverse=True)
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(FEATURES)
    assert bars_of({"new": (2.0, 1.0)}, 0.0)[0] == (OTHER, 1.0, "new 2: +1.00")


def test_names_that_are_read() -> None:
    matcher = Matcher(small_model())
    root = ElementTree.fromstring(svg_of_readings(matcher("山田太郎", "Tarō Yamada")))
    texts = texts_of(root)
    assert "やまだ たろう" in texts and {"山田太郎", "Tarō Yamada"} <= {*texts}
    assert "order: swapped; extent: whole; writing: other script" in texts
    texts = texts_of(ElementTree.fromstring(svg_of_readings(matcher("山田太郎", "山田大"))))
    assert "no reading is shared" in texts


def test_the_command(models: Path) -> None:
    ran = draw("Anna Borodin", "A. Borodni", "-o", "x.svg", "--title", "Two")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    texts = texts_of(ElementTree.parse("x.svg"))
    probability = small_matcher().similarity("Anna Borodin", "A. Borodni")
    assert texts[0] == f"Two: probability {probability:.4g}"
    own = models / "own.glyphone"
    matcher_file.save(small_matcher(), own)
    again = glyphone("draw", own, "--match", "Anna Borodin", "A. Borodni", "--title", "Two")
    assert again.out == Path("x.svg").read_text(encoding="utf-8")


def test_the_command_reads_japanese_names(models: Path) -> None:
    kanji_file.save(small_model(), models / "jpn/kanji.glyphone")
    assert "やまだ たろう" in draw("山田太郎", "Tarō Yamada").out
    by_matcher = glyphone("draw", "matcher", "--match", "山田太郎", "Tarō Yamada").out
    assert "やまだ たろう" in by_matcher  # as glyphone match does
    assert "株式会社山田" in draw("株式会社山田", "Yamada").out


def test_a_png(models: Path) -> None:
    pytest.importorskip("resvg_py", reason="a PNG needs it")
    assert draw("Anna Borodin", "A. Borodni", "-o", "x.png").code == 0
    assert Path("x.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("", "Ana"), "first name: there is nothing: the name is empty"),
        (("Ana", "?!"), "second name: has no letters or digits"),
        (("Ana", "a" * 501), "has 501 characters, and a name at most 500"),
        (("Ana", "x.tsv"), "x.tsv is a file, and 'Ana' is none"),
        (("x.tsv", "x.tsv"), "two names are drawn, and no files"),
        (("a" * 400, "a" * 399), "are too much for a picture, which holds 300"),
        (("Ana", "Eva", "-o", "x.dot"), "no kind of picture of a match named 'dot'"),
        (("Ana", "Eva", "--item", "x"), "not allowed with argument"),
        (("Ana",), "expected 2 arguments"),
    ],
)
def test_what_cannot_be_drawn(words: tuple[str, ...], message: str, models: Path) -> None:
    Path("x.tsv").write_text("Ana\n", encoding="utf-8")
    ran = draw(*words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_nothing_to_draw(models: Path) -> None:
    ran = glyphone("draw", "-o", "x.svg")
    assert ran.code == 2 and "there is nothing to draw (name a MODEL, or give --match" in ran.err


def test_a_matcher_that_is_not_there(models: Path) -> None:
    (models / "matcher.glyphone").unlink()
    ran = draw("Ana", "Eva")
    assert ran.code == 2 and "(glyphone models train matcher: about " in ran.err


def test_sizes_and_kinds() -> None:
    with pytest.raises(GlyphoneError, match="--max-states 4"):
        drawn("Ana Paz", "Eva Sol", max_nodes=3)
    with pytest.raises(UnknownName, match="no kind of picture of a match named 'pdf'"):
        picture_of_match("Ana", "Eva", "pdf")
