"""Lines of a source that messages point to."""

from __future__ import annotations

from pathlib import Path

from glyphone.data.errors import RuleError
from glyphone.fst.rules.cascade import cascade
from glyphone.fst.rules.lint import Finding
from glyphone.grammar_tools import places

TEXT = '''"""A docstring with a b q."""
X: object = cascade(
    letters="a b",
    phones=["q", "n\u0303"],
    rules="""
        a  ->  b / _ b   ; q
        b -> a
        a -> b / _ b
    """,
)
Y, Z = cascade(rules="q -> a / a _"), 1
'''


def test_rules_are_found_however_they_are_spaced() -> None:
    assert places.line_of_rule("a -> b / _ b", TEXT) == 6
    assert places.line_of_rule("a -> b / _ b", TEXT, 1) == 8
    assert places.line_of_rule("a -> b / _ b", TEXT, 7) == 8
    assert places.line_of_rule("q -> a / a _", TEXT) == 11
    assert places.line_of_rule("q -> b", TEXT) is None


def test_names_are_found_where_they_are_assigned() -> None:
    found = {name: places.line_of_name(name, TEXT) for name in ("X", "Y", "Z", "cascade")}
    assert found == {"X": 2, "Y": 11, "Z": 11, "cascade": None}


def test_symbols_are_found_where_they_are_declared() -> None:
    assert places.line_of_symbol("b", TEXT) == 3
    assert places.line_of_symbol("q", TEXT) == 4
    assert places.line_of_symbol("n\u0303", TEXT) == 4
    assert places.line_of_symbol("ñ", TEXT) is None


def test_of_two_rules_that_look_alike_the_one_that_is_meant(tmp_path: Path) -> None:
    source = tmp_path / "x.py"
    rules = "\na -> b\nb -> b\na -> b\n"
    source.write_text(f'X = cascade(letters="a b", phones="b", rules="""{rules}""")\n')
    twice = cascade(letters="a b", phones="b", rules=rules)
    first, _, second = twice.rules()
    lines = [
        places.place_of(Finding("X", "is dead", "remove it", rule), twice, source)
        for rule in (first, second)
    ]
    assert lines == [f"{source}:{n}: X: is dead (remove it)" for n in (2, 4)]


def test_a_finding_that_is_nowhere_in_the_source(tmp_path: Path) -> None:
    source = tmp_path / "x.py"
    source.write_text("from elsewhere import X\n")
    assert places.place_of(
        Finding("X", "is odd", "?"), cascade(letters="", phones="", rules=""), source
    )


def test_entries_of_word_lists_are_found_in_any_normal_form(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("\ufeff; comment\nab\tx\nAN\u0303O x\ty\n", encoding="utf-8")
    assert places.line_of_entry("a b", path) == 2
    assert places.line_of_entry("a ñ o   x", path) == 3
    assert places.line_of_entry("q", path) is None
    error = RuleError("is odd", path=path, item="a b")
    assert str(places.locate_error(error, "X", tmp_path / "x.py")).startswith(f"{path}: line 2: ")
