"""Patterns, beside a twin that reads Wapiti's definition token by token; templates by name."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.records import Sequence
from glyphone.learners.crf.features.numbering import Tests as Observations
from glyphone.learners.crf.features.stages import admit_tests, parents_of, stage_patterns
from glyphone.learners.crf.features.template_sets import template_text, window_set
from glyphone.learners.sequences.observations import observe_tests
from glyphone.learners.sequences.patterns import parse_patterns, read_patterns

PART = re.compile(r"%x\[(@?)(-?\d+),(\d)\]")
lines = st.builds(
    lambda mark, parts, tail: mark + "".join(parts) + tail,
    st.sampled_from(["u", "b", "*"]),
    st.lists(
        st.builds(
            lambda at, row, column, text: f"{text}%x[{'@' if at and row else ''}{row},{column}]",
            st.booleans(),
            st.integers(-6, 6),
            st.integers(0, 1),
            st.sampled_from(["", ":", "/x"]),
        ),
        max_size=3,
    ),
    st.sampled_from(["", "!"]),
)
words = st.text("abß ", min_size=1, max_size=2)
sentences = st.lists(
    st.lists(st.tuples(words, words), max_size=5).map(
        lambda rows: Sequence(tuple(a for a, _ in rows), {"pos": tuple(b for _, b in rows)})
    ),
    max_size=3,
)


def seen(line: str, sequence: Sequence, t: int) -> str:
    """The results of Wapiti's pat_exec for patterns without expressions."""
    n, columns = len(sequence.tokens), [sequence.tokens, sequence.columns["pos"]]

    def one(match: re.Match[str]) -> str:
        row = int(match[2])
        place = t + row if not match[1] else row + n if row < 0 else row - 1
        if place < 0:
            return "_x-" + "1234#"[min(-place - 1, 4)]
        if place >= n:
            return "_x+" + "1234#"[min(place - n, 4)]
        return columns[int(match[3])][place]

    return PART.sub(one, line)


@settings(max_examples=60)
@given(st.lists(lines, min_size=1, max_size=3), sentences)
def test_patterns_are_those_of_wapiti(patterns: list[str], sequences: list[Sequence]) -> None:
    found = observe_tests(sequences, "\n".join(patterns))
    t = 0
    for sequence in sequences:
        for place in range(len(sequence.tokens)):
            wanted = [seen(line, sequence, place) for line in patterns]
            row = [found.texts[k] for k in found.rows[t].tolist() if k >= 0]
            assert row == list(dict.fromkeys(wanted))
            t += 1
    assert t == len(found.rows)


@settings(max_examples=60)
@given(st.lists(lines, min_size=1, max_size=3), sentences, st.integers(1, 3))
def test_tests_are_numbered_and_found_again(
    patterns: list[str], sequences: list[Sequence], least: int
) -> None:
    codes = np.zeros(sum(len(sequence.tokens) for sequence in sequences), np.int32)
    text = "\n".join(patterns)
    tests, data = Observations.learn(observe_tests(sequences, text), codes, min_count=least)
    again = tests.data(sequences, text, codes)
    for one, other in zip(data[:5], again[:5], strict=True):
        assert one.tolist() == other.tolist()
    for known, starts, numbers, marks in (
        (tests.unigrams, data.unigram_starts, data.unigram_tests, "u*"),
        (tests.bigrams, data.bigram_starts, data.bigram_tests, "b*"),
    ):
        names, t = [*known], 0
        counts = dict.fromkeys(names, 0)
        for sequence in sequences:
            before = None
            for place in range(len(sequence.tokens)):
                found = [names[k] for k in numbers[starts[t] : starts[t + 1]].tolist()]
                true = dict.fromkeys(seen(line, sequence, place) for line in patterns)
                there = marks == "u*" or place
                assert found == [name for name in true if name in known and there]
                for name in found:
                    counts[name] += 1
                if marks == "b*":
                    edge = data.edges[t]
                    same = place > 1 and {*found} == {*(before or [])}
                    assert (edge == -1) == (not place)
                    assert not same or edge <= data.edges[t - 1] + 1
                    assert place < 2 or found == before or edge == data.edges[t - 1] + 1
                before, t = found, t + 1
        assert all(count >= least for count in counts.values())


def test_expressions() -> None:
    sentence = [Sequence(("Ab1", "été", "-"))]
    for line, wanted in (
        (r'u:%t[0,0,"^\u"]', ["true", "false", "false"]),
        (r'u:%T[0,0,"\d"]', ["true", "false", "false"]),
        (r'u:%m[0,0,"^.?.?"]', ["Ab", "ét", "-"]),
        (r'u:%M[0,0,"^\u*"]', ["a", "", ""]),
        (r'u:%m[0,0,"\a*$"]', ["", "été", ""]),
        (r'u:%t[0,0,"^\p$"]', ["false", "false", "true"]),
        (r'u:%t[0,0,"\A"]', ["true", "false", "true"]),
        ("u:%X[0,0]", ["ab1", "été", "-"]),
        (r'u:%m[1,0,"x.*"]', ["", "", "x+1"]),
    ):
        found = observe_tests(sentence, line)
        assert [found.texts[row[0]][2:] for row in found.rows.tolist()] == wanted


def test_lines_that_are_no_patterns(tmp_path: Path) -> None:
    assert [str(one) for one in parse_patterns("# all\n\nU:%x[ 0, 0 ] # the word\nB")] == [
        "u:%x[0,0]",
        "b",
    ]
    for text, message in (
        ("U:%x[0,0]\nx:%x[0,0]", "line 2.*begins with U, B or"),
        ("U:%y[0,0]", "after % is no part of a pattern"),
        ("U:%x[0]", "after % is no part of a pattern"),
        ('U:%x[0,0,"a"]', "is no part of a pattern"),
        ("U:%t[0,0]", "is no part of a pattern"),
        ("U:%x[@0,0]", "is no part of a pattern"),
        ('U:%t[0,0,"("]', "is no regular expression"),
    ):
        with pytest.raises(FormatError, match=message):
            parse_patterns(text)
    path = tmp_path / "patterns"
    path.write_text("# nothing\n")
    with pytest.raises(FormatError, match="there is no pattern in it"):
        read_patterns(path)
    path.write_text("U:%x[0,0]\nB\n")
    assert read_patterns(path) == "U:%x[0,0]\nB"


def test_columns_that_are_not_there() -> None:
    with pytest.raises(GlyphoneError, match="no column 'pos'"):
        observe_tests([Sequence(("a",))], "u:%x[0,pos]")
    with pytest.raises(GlyphoneError, match="no column '2'"):
        observe_tests([Sequence(("a",), {"pos": ("x",)})], "u:%x[0,2]")
    with pytest.raises(GlyphoneError, match="1 tokens have 2 values"):
        observe_tests([Sequence(("a",), {"pos": ("x", "y")})], "u:%x[0,1]")


def test_functions_of_sequences() -> None:
    rows = observe_tests([Sequence(("a", "b"))], lambda s: [["u1", "B2", "u1"], []])
    assert rows.texts == ["u1", "b2"] and rows.rows.tolist() == [[0, 1, -1], [-1, -1, -1]]
    with pytest.raises(GlyphoneError, match="1 tokens have 2 lists of tests"):
        observe_tests([Sequence(("a",))], lambda s: [[], []])
    with pytest.raises(GlyphoneError, match="no test: ''"):
        observe_tests([Sequence(("a",))], lambda s: [[""]])


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("1-grm", {None, (0, 0)}),
        ("3-grm", {None, (0, 0), (-1, 1)}),
        ("3-grm-", {(-1, 1)}),
        ("3-grm+", {None, (0, 0), (-1, 1), (-1, 0), (0, 1)}),
        ("3-grm++", {None, (0, 0), (-1, 1), (-1, 0), (0, 1), (-1, -1), (1, 1)}),
        ("5-grm+", {None, (0, 0), (-1, 1), (-2, 2), (-1, 0), (0, 1), (-2, 1), (-1, 2)}),
        ("5-grm++", {None} | {(a, b) for a in range(-2, 3) for b in range(a, 3)}),
    ],
)
def test_sets_of_the_paper(name: str, wanted: set[tuple[int, int] | None]) -> None:
    assert {*window_set(name)} == wanted and len(window_set(name)) == len(wanted)
    assert len(parse_patterns(template_text(name))) == len(wanted)


def test_the_example_of_the_paper() -> None:
    """The second letter of lemma."""
    found = observe_tests([Sequence(tuple("lemma"))], template_text("3-grm+"))
    row = [found.texts[k].partition(":")[2] for k in found.rows[1].tolist()]
    assert row == ["", "e", "lem", "le", "em"]


def test_sets_that_are_not_there() -> None:
    for name in ("4-grm", "5-gram", "99-grm", "3-grm+++"):
        with pytest.raises(GlyphoneError, match=r"no set of templates .*5-grm\+"):
            window_set(name)
    with pytest.raises(GlyphoneError, match="no set of templates is named 'none'"):
        template_text("3-grm", pairs="none")


def test_what_a_test_is_more_specific_than() -> None:
    patterns, stages = stage_patterns(
        ["u0:%x[0,0]\nb", "u1:%x[-1,0]%x[0,0]\nb%x[1,0]", "u2:%x[-1,0]%x[0,0]%x[1,0]"]
    )
    assert parents_of(patterns, stages) == [-1, -1, 0, -1, 2]
    seen_all = observe_tests([Sequence(("a", "b", "a"))], patterns)
    some = admit_tests(seen_all, [-1, -1, 0], {"u0:a"})
    texts = [[some.texts[k] if k >= 0 else "" for k in row] for row in some.rows.tolist()]
    assert texts == [["u0:a", "b", "u1:_x-1a"], ["u0:b", "b", ""], ["u0:a", "b", "u1:ba"]]
    assert [b - a for a, b in pairwise(some.bounds.tolist())] == [3]
