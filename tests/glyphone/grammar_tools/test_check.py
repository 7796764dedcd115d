"""`glyphone check`: every kind of breakage fails, and says file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.fst.rules.lint import CascadeSize
from glyphone.grammar_tools import archives
from glyphone.grammar_tools.check import Verdict
from tests.glyphone.support import glyphone

pytest.importorskip("pynini", reason="checking a grammar compiles it")

SOUND = '''"""A sound grammar, which each test breaks in one place."""

from pathlib import Path

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, respelling

LIST = respelling(Path(__file__).with_name("list.tsv"))

SOUND = cascade(
    letters="a b c ñ",
    phones="a b k ɲ",
    marks="K",
    source=Writing(case="lower"),
    rules=[LIST, """
    V = {a}
    c -> K
    K -> k
    ñ -> ɲ / _ V     ; before a vowel
    ñ -> b
    """],
)
'''

BREAKAGES = {
    "symbol": ("c -> K", "c -> ß", "line 17: 'ß' U+00DF is not in the alphabet, in 'c -> ß'"),
    "name": ("/ _ V ", "/ _ VOWEL ", "line 19: "),
    "notation": ("c -> K", "c > K", "line 17: '>' U+003E is not in the alphabet"),
    "dead": ("K -> k", "K -> k\n    K -> b", ":19: SOUND: rule 4, K -> b, can never fire"),
    "same rule": ("K -> k", "K -> k\n    K -> k", ":19: SOUND: rule 4, K -> k, can never fire"),
    "ambiguous": ("K -> k", "K -> k | b", ":10: SOUND: 'c' has two outputs, "),
    "hole": ("ñ -> b", "ñ -> b / _ V", ":10: SOUND: 'ñ' has no output"),
    "decomposed": (
        '"a b c ñ"',
        '"a b c ñ e\u0301"',
        ":11: SOUND: the letter 'e\u0301' U+0065 U+0301 is",
    ),
    "case": ('"a b c ñ"', '"a b c ñ É"', ":11: SOUND: the letter 'É' U+00C9 is never seen"),
    "phone": ('"a b k ɲ"', '"a b k ɲ x"', ":12: SOUND: 'x' is declared as a phone"),
    "mark": ('"K"', '"K ¤"', ":13: SOUND: the mark '¤' U+00A4 is in no rule"),
    "twice": ("a b c ñ", "a b c ñ a", "line 10: declared twice: a"),
    "option": ("ñ -> b", "ñ -> b [twice]", "line 20: [twice] is no option"),
    "writing": ('case="lower"', 'case="lwer"', "line 14: no case named 'lwer'"),
    "syntax": ("letters=", "letters", "line 11: SyntaxError"),
    "python": ("case=", "caes=", "line 14: TypeError"),
    "import": ("import Writing", "import Wrting", "line 5: ImportError"),
}


@pytest.fixture
def grammar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("list.tsv").write_text("; exceptions\nabc\tb\n")
    Path("sound.py").write_text(SOUND)
    return Path("sound.py")


@pytest.mark.parametrize("kind", BREAKAGES)
def test_each_breakage_fails_and_says_where(grammar: Path, kind: str) -> None:
    good, bad, message = BREAKAGES[kind]
    assert SOUND.count(good) == 1
    broken = Path(f"broken_{kind.replace(' ', '_')}.py")
    broken.write_text(SOUND.replace(good, bad))
    ran = glyphone("check", broken, "--sizes", "sizes.json")
    told = [line for line in ran.out.splitlines() if message in line]
    assert told, ran.out
    assert all(line.startswith(f"  {broken}:") for line in told)
    assert ran.code == 1
    assert ran.err == "glyphone: there are findings; see above\n"
    # The other verbs refuse what cannot be compiled with the same words.
    if told[0].startswith(f"  {broken}: line"):
        compiled = glyphone("compile", broken, "-o", "broken.far")
        assert (compiled.code, compiled.err) == (2, f"glyphone: {told[0].strip()}\n")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("; exceptions\n\nab\tb\nAQ\tb\n", "  list.tsv: line 4: item 'A Q': 'A' U+0041 is not in"),
        ("ab\tb\nab\n", "  list.tsv: line 2: 1 columns where 2 are expected"),
        ("ab\tb\0\n", "  list.tsv: line 1: at 4: '\\x00' U+0000 is not text"),
        ("ab\t\udcff\n", "  list.tsv: line 1: at 3: '\\udcff' U+DCFF is a lone surrogate"),
    ],
)
def test_word_lists_are_told_with_their_lines(grammar: Path, rows: str, message: str) -> None:
    Path("list.tsv").write_bytes(rows.encode("utf-8", "surrogateescape"))
    Path("broken_list.py").write_text(SOUND)
    ran = glyphone("check", "broken_list.py", "--sizes", "sizes.json")
    assert ran.code == 1
    assert message in ran.out


def test_a_sound_grammar_shows_its_size_and_how_that_has_changed(grammar: Path) -> None:
    first = glyphone("check", grammar, "--sizes", "new/sizes.json")
    assert (first.code, first.err) == (0, "")
    head, states, _, arcs, _ = first.out.split()
    assert head == "sound.py:SOUND"
    assert json.loads(Path("new/sizes.json").read_text()) == {
        "sound.py:SOUND": {"states": int(states), "arcs": int(arcs)}
    }
    assert glyphone("check", grammar, "--sizes", "new/sizes.json").out == first.out
    Path("new/sizes.json").write_text('{"sound.py:SOUND": {"states": 1, "arcs": 1}}')
    changed = glyphone("check", grammar, "--sizes", "new/sizes.json").out
    assert f"{states} states (+{int(states) - 1})  {arcs} arcs (+{int(arcs) - 1})" in changed


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 1}', '{"a": {"b": 1}}'])
def test_sizes_that_cannot_be_read_are_forgotten(grammar: Path, text: str) -> None:
    Path("sizes.json").write_text(text)
    assert glyphone("check", grammar, "--sizes", "sizes.json").code == 0


def test_a_broken_grammar_does_not_hide_the_next(grammar: Path) -> None:
    Path("broken_first.py").write_text("X = Y\n")
    ran = glyphone("check", "broken_first.py", grammar, "--sizes", "sizes.json")
    assert ran.code == 1
    assert "broken_first.py: line 1: NameError" in ran.out
    assert "sound.py:SOUND  " in ran.out


def test_an_unknown_grammar_is_a_mistake_of_the_user(grammar: Path) -> None:
    for name in ("spa.leter_to_sound", "soud.py", "nowhere"):
        ran = glyphone("check", name)
        assert ran.code == 2
        assert "named" in ran.err
    assert "did you mean sound.py?" in glyphone("check", "soud.py").err


def test_a_copy_of_a_grammar_of_ours_that_was_broken(grammar: Path) -> None:
    source = archives.SOURCES / "rus" / "romanization.py"
    broken = source.read_text() + '\nDEAD = cascade(letters="a", phones="b", rules="b -> b")\n'
    Path("romanization_broken.py").write_text(broken)
    for name in source.parent.glob("*.tsv"):
        Path(name.name).write_text(name.read_text())
    ran = glyphone("check", "romanization_broken.py", "--sizes", "sizes.json")
    assert ran.code == 1
    line = len(broken.splitlines())
    assert f"romanization_broken.py:{line}: DEAD: rule 1, b -> b, can never fire" in ran.out
    assert f"romanization_broken.py:{line}: DEAD: 'a' has no output" in ran.out


def test_verdicts() -> None:
    assert Verdict("x", "X").is_sound
    assert not Verdict("x", "X", findings=("bad",)).is_sound
    assert (
        str(Verdict("x", "X", CascadeSize(2, 3), None, ("bad",))) == "x:X  2 states  3 arcs\n  bad"
    )
    assert str(Verdict("x", "", findings=("bad",))) == "x\n  bad"
