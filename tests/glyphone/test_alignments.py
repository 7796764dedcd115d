"""Alignments as people use them: notation, files, failures, probabilities and pictures."""

from __future__ import annotations

import gzip
import io
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone import alignments, cli
from glyphone.alignment_files import AlignJob, align_file
from glyphone.alignment_pictures import CERTAIN, WIDEST, Row, lines_of, to_svg, unit_width
from glyphone.alignment_rows import alignment_text, read_alignment, read_alignments
from glyphone.alignments import Aligned, align
from glyphone.data.errors import FormatError, GlyphoneError, ItemError, UnknownName
from glyphone.data.lexicon import read_lexicon
from glyphone.data.records import Alignment, Pair
from glyphone.fst.align import ONE_TO_ONE, AlignmentOptions, Refusal, Unit
from glyphone.word_pictures import picture_of_aligned, picture_of_word

from .support import Ran, glyphone

LEXICON = (
    "phone\tf oʊ n\ngraph\tɡ ɹ æ f\nphi\tf aɪ\nhi\th aɪ\nrag\tɹ æ ɡ\none\tw ʌ n\nfine\tf aɪ n\n"
)
symbols = st.text(
    st.sampled_from("ab:|_\\ \t\n\rːñ\u0301\u200dشक한\u2028") | st.characters(), min_size=1
)
sides = st.lists(symbols.filter(bool), max_size=3).map(tuple)
cuts = st.lists(st.tuples(sides, sides), max_size=5).map(lambda units: Alignment(tuple(units)))
words = st.text("abc", min_size=1, max_size=4)
pairs = st.builds(
    lambda x, y: Pair(tuple(x), tuple(y)), words, st.text("xy", min_size=1, max_size=4)
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "VERBS", tuple({*cli.VERBS, "align"}))
    Path("lex.tsv").write_text(LEXICON, encoding="utf-8")
    return tmp_path


def run(*arguments: str, stdin: str = "") -> Ran:
    return glyphone("align", *arguments, stdin=stdin.encode())


def rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


# The notation


@settings(max_examples=300)
@given(cuts)
def test_the_notation_reads_back_what_it_writes(alignment: Alignment) -> None:
    text = alignment_text(alignment)
    assert read_alignment(text) == alignment
    assert not any(separator in text for separator in "\t\n\r")
    assert len(text.split(" ")) == max(1, len(alignment.units))


@given(cuts, cuts)
def test_two_alignments_are_never_written_alike(one: Alignment, other: Alignment) -> None:
    assert (alignment_text(one) == alignment_text(other)) == (one == other)


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (((("p", "h"), ("f",)), (("e",), ())), "p|h:f e:_"),
        (((("_",), (":",)), (("t_h",), ("i:",))), r"\_:\: t_h:i\:"),
        ((((" ",), ("\\",)), ((), ("a|b",))), r"\s:\\ _:a\|b"),
        (((("\\_",), ("\\s",)),), r"\\_:\\s"),
        ((), ""),
    ],
)
def test_what_is_written(units: tuple[tuple[tuple[str, ...], ...], ...], text: str) -> None:
    assert alignment_text(Alignment(units)) == text  # type: ignore[arg-type]
    assert read_alignment(text).units == units


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("a", 0),
        ("a:b ", 4),
        ("a:b  c:d", 4),
        (":b", 0),
        ("a:b c:", 4),
        ("a:b:c", 0),
        ("a|:b", 0),
        ("_|a:b", 0),
        ("a:b _|_:x", 4),
        (r"a\x:b", 0),
        ("a:b\\", 0),
    ],
)
def test_what_is_no_alignment_is_refused_with_its_place(text: str, offset: int) -> None:
    with pytest.raises(ItemError, match="is no unit") as raised:
        read_alignment(text)
    assert raised.value.offset == offset


def test_an_empty_symbol_is_refused() -> None:
    with pytest.raises(ItemError, match="an empty symbol"):
        alignment_text(Alignment(((("",), ("a",)),)))


# Probabilities


@settings(max_examples=40)
@given(st.lists(pairs, min_size=1, max_size=5), st.integers(1, 2), st.booleans())
def test_posteriors_of_all_alignments_sum_to_one(
    lexicon: list[Pair], insertions: int, many_to_many: bool
) -> None:
    options = AlignmentOptions(
        insertions=insertions, many_to_many=many_to_many, rounds=2, weights=(0.0, 0.9, 0.1)
    )
    model, entries = align(lexicon, options, n=5000)
    singles = align(lexicon, options)[1]
    for pair, entry, single in zip(lexicon, entries, singles, strict=True):
        if isinstance(entry, Refusal):
            assert isinstance(single, Refusal) and len(pair.target) > 2 * len(pair.source)
            continue
        assert isinstance(single, Aligned)
        assert sum(found.posterior for found in entry.ranked) == pytest.approx(1)
        assert entry.log_probability == pytest.approx(model.log_probability(pair))
        (best,) = single.ranked
        assert best.alignment == entry.ranked[0].alignment
        assert best.log_probability == pytest.approx(entry.ranked[0].log_probability)
        assert best.posterior == pytest.approx(entry.ranked[0].posterior)


def test_a_crowded_gap_is_scored_too() -> None:
    lexicon = [Pair(("a",), tuple("vwxyz")), Pair(("a",), ("x",)), Pair(("a", "b"), ("x",))]
    model, entries = align(lexicon, one_to_one=True)
    assert all(isinstance(entry, Aligned) for entry in entries)
    first = entries[0]
    assert isinstance(first, Aligned) and first.composed and not entries[1].composed  # type: ignore[union-attr]
    assert alignment_text(first.ranked[0].alignment) == r"_:v\sw a:x _:y\sz"
    # There is one way to give five symbols to one letter and two gaps of two.
    assert first.ranked[0].posterior == 1
    single = {unit: math.log(p) for unit, p in zip(model.units, model.probabilities, strict=True)}

    def cost(unit: Unit) -> float:  # the fit has not seen the first pair
        return single.get(unit, math.log(model.unlisted))

    alone = [((), ("v",)), ((), ("w",)), (("a",), ("x",)), ((), ("y",)), ((), ("z",))]
    assert first.log_probability == pytest.approx(sum(map(cost, alone)))


def test_refusals_have_the_index_of_their_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = [Pair(("a",), ("x",)), Pair(("a",), tuple("xxx"))] * 3
    whole = align(lexicon, n=2)
    monkeypatch.setattr(alignments, "BLOCK", 2)
    assert list(map(len, alignments.blocks(lexicon))) == [2, 2, 2]
    _, entries = align(lexicon, n=2)
    assert entries == whole[1]
    assert [e.index for e in entries if isinstance(e, Refusal)] == [1, 3, 5]


def test_blocks_of_long_pairs_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignments, "BLOCK_STATES", 12)
    short, long = Pair(("a",), ("x",)), Pair(tuple("aaaa"), tuple("xxxx"))
    found = list(alignments.blocks([short, short, short, short, long, short]))
    assert found == [[short] * 3, [short], [long], [short]]


def test_too_many_paths_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignments, "MOST_PATHS", 20)
    lexicon = [Pair(("a",), ("x",)), Pair(("a", "a"), ("x", "x"))]
    _, (short, long) = align(lexicon, n=4)
    assert isinstance(short, Aligned) and isinstance(long, Refusal)
    assert (long.index, long.reason) == (
        1,
        "2 by 2 symbols are too many for the 4 best: ask for fewer",
    )


@pytest.mark.parametrize(
    ("options", "n", "message"),
    [
        (None, 0, "ask for one or more"),
        (None, 2, "the best one alone"),
        (AlignmentOptions(), 1, "max_source is 2, and one-to-one alignment needs 1"),
        (alignments.settings(one_to_one=True, insertions=2), 1, "insertions is 2"),
    ],
)
def test_what_does_not_go_together(options: AlignmentOptions | None, n: int, message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        align([Pair(("a",), ("x",))], options, n=n, one_to_one=True)


# Files


def test_rows_and_a_report(here: Path) -> None:
    ran = run("lex.tsv")
    assert ran.code == 0
    found = rows(ran.out)
    assert [row[:3] for row in (found[0], found[2])] == [
        ["phone", "f oʊ n", "p|h:f o:oʊ n|e:n"],
        ["phi", "f aɪ", "p|h:f i:aɪ"],
    ]
    assert all(float(row[3]) < 0 < float(row[4]) <= 1 for row in found)
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("glyphone: lex.tsv: 7 pairs aligned, 0 refused, ")
    model, entries = align(list(read_lexicon("lex.tsv")))
    mean = sum(e.log_probability for e in entries if isinstance(e, Aligned)) / 7
    end = f"{len(model.keys)} units, {len(model.log_likelihoods)} rounds, "
    assert ran.err.endswith(f"{end}log likelihood per pair {mean:.4f}\n")


def test_what_is_written_can_be_read(here: Path) -> None:
    assert run("lex.tsv", "-o", "out.tsv.gz", "--nbest", "3").code == 0
    _, entries = align(list(read_lexicon("lex.tsv")), n=3)
    expected = [(e.pair, found) for e in entries if isinstance(e, Aligned) for found in e.ranked]
    read = list(read_alignments("out.tsv.gz"))
    assert [(pair, found.alignment) for _, pair, found in read] == [
        (pair, found.alignment) for pair, found in expected
    ]
    for (_, _, found), (_, wanted) in zip(read, expected, strict=True):
        assert found.log_probability == pytest.approx(wanted.log_probability, rel=1e-5)
        assert found.posterior == pytest.approx(wanted.posterior, rel=1e-5)
    # And the first two columns are a lexicon again.
    again = list(read_lexicon("out.tsv.gz"))
    assert again == [pair for pair, _ in expected]


def test_stdin_gz_columns_units_and_weights(here: Path) -> None:
    with gzip.open("in.gz", "wt", encoding="utf-8") as file:
        file.write("2\tx y\tab\n1\tx\ta\n1\ty\tb\n")
    columns = "--source-column 3 --target-column 2 --weight-column 1 --target-unit codepoint"
    ran = run("in.gz", *columns.split(), "--max-target", "3")
    assert ran.code == 0
    assert [(row[0], row[1], row[5]) for row in rows(ran.out)] == [
        ("ab", "x y", "2.0"),
        ("a", "x", "1.0"),
        ("b", "y", "1.0"),
    ]
    assert rows(ran.out)[0][2] in (r"a:x|\s b:y", r"a:x b:\s|y")
    Path("w.tsv").write_text(ran.out, encoding="utf-8")
    assert [pair.weight for _, pair, _ in read_alignments("w.tsv")] == [2.0, 1.0, 1.0]
    ran = run("-", "--source-unit", "token", stdin="a_ b\tx y\n")
    assert rows(ran.out)[0][:2] == ["a_ b", "x y"]


def test_json_lines(here: Path) -> None:
    ran = run("-", "--format", "jsonl", "--nbest", "2", stdin=LEXICON + "\n")
    objects = [json.loads(line) for line in ran.out.splitlines()]
    first = objects[0]
    assert [row["line"] for row in objects] == list(range(1, 8))
    assert (first["source"], first["target"]) == ("phone", "f oʊ n")
    assert first["alignments"][0]["units"] == [
        [["p", "h"], ["f"]],
        [["o"], ["oʊ"]],
        [["n", "e"], ["n"]],
    ]
    assert first["alignments"][0]["posterior"] > 0.5 and len(first["alignments"]) == 2
    assert "weight" not in first


BAD = "bad\n\tx\nempty\t\na\tb c d e\nsa\0\tx\nab\tx\nab\tx\n"


def test_failures_stand_beside_the_output_with_line_and_reason(here: Path) -> None:
    Path("bad.tsv").write_text(BAD, encoding="utf-8")
    ran = run("bad.tsv", "-o", "out.tsv")
    assert ran.code == 1 and ran.out == ""
    assert "2 pairs aligned, 1 refused, 4 lines not read" in ran.err
    assert ran.err.endswith("; see out.tsv.errors.tsv\n") and ran.err.count("\n") == 1
    header, *failures = rows(Path("out.tsv.errors.tsv").read_text(encoding="utf-8"))
    assert header[0] == "line"
    assert [(row[0], row[1], row[2], row[6]) for row in failures] == [
        ("1", "bad", "reading", "column 2 is missing: 1 column found"),
        ("2", "\\tx", "reading", "column 1 is empty"),
        ("3", "empty\\t", "reading", "column 2 is empty"),
        ("4", "a", "alignment", "1 source symbols cannot give 4 target symbols: at most 2"),
        ("5", "sa\\x00\\tx", "reading", "is not text (column 1)"),
    ]
    assert failures[3][7].startswith("allow more by --max-target 4 or by --insertions")
    assert (failures[4][3], failures[4][5]) == ("2", "U+0000")
    # Entries that are there twice are aligned twice.
    assert [row[0] for row in rows(Path("out.tsv").read_text())] == ["ab", "ab"]
    assert run("bad.tsv", "-o", "out.tsv", "--max-target", "4").err.count("1 refused") == 0


def test_failures_go_to_stderr_with_path_and_line(here: Path) -> None:
    ran = run("-", "--no-deletions", stdin="aaa\tx\nab\tx\nbad\n")
    assert ran.code == 1 and len(rows(ran.out)) == 1
    first, second, report = ran.err.splitlines()
    assert first.startswith("glyphone: -: line 1: item 'aaa': alignment: 3 source symbols cannot")
    assert first.endswith("(allow --deletions or a larger --max-source, or correct the entry)")
    assert second.startswith("glyphone: -: line 3: item 'bad': reading: column 2 is missing")
    assert "1 pairs aligned, 1 refused, 1 lines not read" in report


def test_failures_in_a_file_of_ones_own(here: Path) -> None:
    ran = run("-", "--errors", "bad.tsv", stdin="ab\tx\nbad\n")
    assert ran.code == 1 and "; see bad.tsv" in ran.err
    assert len(rows(Path("bad.tsv").read_text())) == 2
    assert run("-", "--errors", "bad.tsv", stdin="ab\tx\n").code == 0
    assert len(rows(Path("bad.tsv").read_text())) == 1


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        ("-", "", "holds no entries (write WORD<TAB>PRONUNCIATION"),
        ("-", "\n\n", "holds no entries"),
        ("-", "a\nb\n", "-: line 1: item 'a': column 2 is missing: 1 column found; none of 2"),
        ("nix.tsv", "", "nix.tsv: No such file"),
        ("lex.tsv -o lex.tsv", "", "must be different files"),
        ("lex.tsv -o out --errors out", "", "must be different files"),
        ("- --rules -", "a\tb\n", "must be different files"),
        ("lex.tsv --rules none", "", "none: holds no rules"),
        ("lex.tsv --rules lex.tsv", "", "must be different files"),
        ("lex.tsv --rules halves", "", "halves: line 2: both sides are empty"),
        ("lex.tsv --weights 0.5 0.5 0", "", "there are no rules"),
        ("lex.tsv --weights 0 0.5 0.6", "", "three numbers of at least 0 with the sum 1"),
        ("lex.tsv --max-source 0", "", "0 is not a whole number from 1"),
        ("lex.tsv --insertions x", "", "x is not a whole number from 0 on"),
        ("lex.tsv --one-to-one --max-source 2", "", "needs 1"),
        ("lex.tsv --one-to-one --nbest 2", "", "the best one alone"),
        ("lex.tsv --source-unit word", "", "invalid choice: 'word'"),
        ("lex.tsv --source-column 0", "", "0 is not a whole number"),
    ],
)
def test_mistakes(here: Path, arguments: str, stdin: str, message: str) -> None:
    Path("none").touch()
    Path("halves").write_text("a\tb\n\t\n")
    ran = run(*arguments.split(), stdin=stdin)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert Path("lex.tsv").read_text(encoding="utf-8") == LEXICON
    assert not Path("out").exists()


def test_one_pair_is_enough(here: Path) -> None:
    ran = run("-", stdin="ab\tx\n")
    assert (ran.code, len(rows(ran.out))) == (0, 1)


def test_a_long_word_works_or_is_refused_by_name(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "ab" * 260
    lexicon = f"{long}\t{' '.join(long)}\nab\ta b\n"
    ran = run("-", stdin=lexicon)
    assert ran.code == 0
    assert read_alignment(rows(ran.out)[0][2]).pair.source == tuple(long)
    monkeypatch.setattr("glyphone.fst.align_corpus.MOST_STATES", 500 * 500)
    ran = run("-", "-o", "out", stdin=lexicon)
    assert ran.code == 1
    (failure,) = rows(Path("out.errors.tsv").read_text())[1:]
    assert failure[1] == long and "520 by 520 symbols are too many to align" in failure[6]


def test_options_reach_the_aligner(here: Path) -> None:
    """Each against the same call from Python."""
    lexicon = list(read_lexicon("lex.tsv"))
    cases = {
        "--max-target 1 --max-source 3": {"max_target": 1, "max_source": 3},
        "--many-to-many --no-deletions": {"many_to_many": True, "deletions": False},
        "--insertions 2 --rounds 0 --initial uniform": {
            "insertions": 2,
            "rounds": 0,
            "initial": "uniform",
        },
        "--method viterbi --initial random --seed 3": {
            "method": "viterbi",
            "initial": "random",
            "seed": 3,
        },
        "--starts 2 --weights 0 0.7 0.3": {"starts": 2, "weights": (0.0, 0.7, 0.3)},
        "--one-to-one --rounds 3": {"one_to_one": True, "rounds": 3},
    }
    seen = set()
    for arguments, chosen in cases.items():
        ran = run("lex.tsv", *arguments.split(), "--jobs", "1")
        one_to_one = bool(chosen.pop("one_to_one", False))
        options = alignments.settings(one_to_one=one_to_one, **chosen)
        _, entries = align(lexicon, options, one_to_one=one_to_one)
        found = [e.ranked[0] for e in entries if isinstance(e, Aligned)]
        assert [row[2:5] for row in rows(ran.out)] == [
            [alignment_text(f.alignment), f"{f.log_probability:.6g}", f"{f.posterior:.6g}"]
            for f in found
        ]
        seen.add(ran.out)
    assert len(seen) == len(cases)


def test_rules_may_delete_and_change_the_outcome(here: Path) -> None:
    Path("rules.tsv").write_text("h\t\nph\tf\n\nx\tk s\n", encoding="utf-8")
    plain = run("lex.tsv", "--one-to-one")
    ruled = run("lex.tsv", "--one-to-one", "--rules", "rules.tsv")
    assert (plain.code, ruled.code) == (0, 0)
    rules = [Pair(("h",), ()), Pair(("p", "h"), ("f",)), Pair(("x",), ("k", "s"))]
    _, entries = align(list(read_lexicon("lex.tsv")), rule_pairs=rules, one_to_one=True)
    found = [alignment_text(e.ranked[0].alignment) for e in entries if isinstance(e, Aligned)]
    assert [row[2] for row in rows(ruled.out)] == found
    assert plain.out != ruled.out
    Path("bad.tsv").write_text("a\n", encoding="utf-8")
    assert "bad.tsv: line 1: column 2 is missing" in run("lex.tsv", "--rules", "bad.tsv").err


def test_the_same_whatever_the_number_of_jobs(here: Path) -> None:
    Path("big.tsv").write_text(LEXICON * 200, encoding="utf-8")
    one, four = (run("big.tsv", "--nbest", "2", "--jobs", jobs) for jobs in ("1", "4"))
    assert (one.out, one.err) == (four.out, four.err)
    assert len(rows(one.out)) > 1400


def test_a_bar_on_a_terminal_only(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, bar in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        assert align_file(AlignJob(path="lex.tsv", output="out.tsv")) == 0
        assert ("7.00/7.00" in stream.getvalue()) == bar


def test_a_word_that_begins_with_a_byte_order_mark(here: Path) -> None:
    assert run("-", "-o", "out.tsv", stdin="\ufeff\ufeffa\tx\n").code == 0
    assert [pair.source for pair in read_lexicon("out.tsv")] == [("\ufeff", "a")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a\tx", "column 3, the units of the alignment, is missing"),
        ("a\tx\ta-x", "is no unit"),
        ("a\tx\ta:x\tzero", "column 4 holds 'zero'"),
        ("a\tx\ta:x\t-1\tnan", "column 5 holds 'nan'"),
    ],
)
def test_rows_that_are_no_alignments(here: Path, line: str, message: str) -> None:
    Path("rows.tsv").write_text(f"a\tx\ta:x\n\n{line}\n")
    with pytest.raises(FormatError, match=message) as raised:
        list(read_alignments("rows.tsv"))
    assert (raised.value.path, raised.value.line) == ("rows.tsv", 3)


# Pictures


def elements(svg: str, tag: str) -> Iterator[ElementTree.Element]:
    return ElementTree.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{tag}")


@given(cuts, st.text(max_size=5))
def test_any_alignment_can_be_drawn(alignment: Alignment, caption: str) -> None:
    svg = to_svg([Row(alignment, caption)], title=caption)
    root = ElementTree.fromstring(svg)
    assert svg.count('<g class="unit">') == len(alignment.units)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for text in elements(svg, "text"):
        assert 0 < float(text.attrib["x"]) < width and 0 < float(text.attrib["y"]) < height
    for rect in list(elements(svg, "rect"))[1:]:
        assert float(rect.attrib["x"]) > 0
        assert float(rect.attrib["x"]) + float(rect.attrib["width"]) < width + 0.1
        assert float(rect.attrib["y"]) + float(rect.attrib["height"]) < height


def test_a_long_word_goes_on_in_a_new_line() -> None:
    row = Row(Alignment(((("a",), ("b",)),) * 200), "ab" * 500)
    lines = list(lines_of(row))
    assert len(lines) > 5 and sum(map(len, lines)) == 200
    assert all(sum(unit_width(unit) for unit, _ in line) <= WIDEST for line in lines)
    (root,) = elements(to_svg([row]), "svg")
    assert float(root.attrib["width"]) < WIDEST + 100


def test_posteriors_stand_below_units_that_are_not_certain() -> None:
    alignment = Alignment(((("a",), ("x",)), (("b",), ())))
    svg = to_svg([Row(alignment, "", (CERTAIN, 0.5))])
    texts = ["".join(text.itertext()) for text in elements(svg, "text")]
    assert texts == ["a", "x", "b", "ε", "0.5"]
    assert svg.count("stroke-dasharray") == 2


def test_drawing_the_entries_of_a_word(here: Path) -> None:
    Path("two.tsv").write_text(LEXICON + "phi\tf i\nphi\tf i\nlast\n", encoding="utf-8")
    svg = picture_of_word("two.tsv", "phi", "svg").decode()
    titles = ["".join(title.itertext()) for title in elements(svg, "title")]
    assert [title.split(",")[0] for title in titles] == ["ph:f", "i:aɪ", "ph:f", "i:i"]
    one = picture_of_word("two.tsv", "phi", "svg", target="f i", title="φ").decode()
    assert one.count('class="unit"') == 2 and one.count(">φ<") == 2
    with pytest.raises(UnknownName, match=r"no entry named 'fhi' \(did you mean hi or phi"):
        picture_of_word("two.tsv", "fhi", "svg")
    with pytest.raises(ItemError, match="cannot give 7 target symbols"):
        picture_of_word("two.tsv", "phi", "svg", target="f i f i f i f")
    with pytest.raises(UnknownName, match="no kind of picture of an alignment named 'dot'"):
        picture_of_word("two.tsv", "phi", "dot")


def test_drawing_a_lattice(here: Path) -> None:
    wide, narrow = (
        picture_of_word("lex.tsv", "fine", "dot", beam=beam).decode() for beam in (1e4, 0.0)
    )
    assert 'label="fine → f aɪ n"' in wide
    # Three units are three arcs; the others are in the wide one only.
    assert narrow.count(" -> ") == narrow.count("\\n1") == 3 < wide.count(" -> ")
    with pytest.raises(GlyphoneError, match="take a lower --beam"):
        picture_of_word("lex.tsv", "graph", "svg", beam=1e4, max_arcs=4)
    Path("two.tsv").write_text(LEXICON + "phi\tf i\n", encoding="utf-8")
    with pytest.raises(GlyphoneError, match="choose one by --target: 'f aɪ', 'f i'"):
        picture_of_word("two.tsv", "phi", "svg", beam=5)


def test_drawing_what_was_aligned(here: Path) -> None:
    assert run("lex.tsv", "-o", "out.tsv", "--nbest", "2").code == 0
    svg = picture_of_aligned("out.tsv", "phone", "svg").decode()
    assert svg.count("phone → f oʊ n") == 2
    assert picture_of_aligned("out.tsv", "phone", "svg", target="f oʊ n").decode() == svg
    with pytest.raises(UnknownName, match="no entry named 'phony'"):
        picture_of_aligned("out.tsv", "phony", "svg")
    with pytest.raises(UnknownName, match="no pronunciation of 'phone' named 'f o n'"):
        picture_of_aligned("out.tsv", "phone", "svg", target="f o n")


def test_the_verb_draw(here: Path) -> None:
    ran = glyphone("draw", "lex.tsv", "--align", "phi", "-o", "phi.svg")
    assert (ran.code, ran.err) == (0, "")
    assert Path("phi.svg").read_bytes() == picture_of_word("lex.tsv", "phi", "svg")
    assert run("lex.tsv", "-o", "out.tsv").code == 0
    ran = glyphone("draw", "out.tsv", "--aligned", "phi")
    assert ran.out.encode() == picture_of_aligned("out.tsv", "phi", "svg")
    ran = glyphone("draw", "lex.tsv", "--align", "phi", "--beam", "9", "--kind", "dot")
    assert ran.out.startswith("digraph")
    for wrong in ("--beam x", "--beam -1", "--beam nan", "--item phi", "--aligned phi"):
        assert glyphone("draw", "lex.tsv", "--align", "phi", *wrong.split()).code == 2
    for wrong in ("--aligned phi --beam 3", "--item phi --target f"):
        ran = glyphone("draw", "out.tsv", *wrong.split())
        assert ran.code == 2 and "--align" in ran.err


def test_png(here: Path) -> None:
    pytest.importorskip("resvg_py")
    assert picture_of_word("lex.tsv", "phi", "png").startswith(b"\x89PNG")


def test_settings_are_the_aligners() -> None:
    assert alignments.settings() == AlignmentOptions()
    assert alignments.settings(one_to_one=True) == ONE_TO_ONE
