"""Distillation: what is taught, learnt, certified and told, and what is refused."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from itertools import product
from pathlib import Path

import pytest

import glyphone as library
from glyphone import catalog, cli
from glyphone.data.errors import GlyphoneError, ItemError, UnknownName
from glyphone.data.records import Pair
from glyphone.data.splits import place_of
from glyphone.data.writing import Writing
from glyphone.distillation import INVENTED, Distilled, distill
from glyphone.distillation_certificate import Agreement, wilson
from glyphone.distillation_costs import file_of
from glyphone.distillation_invention import LONGEST, ORDER, invented
from glyphone.distillation_patterns import Differing, patterns, placed
from glyphone.distillation_words import NothingTaught, ask, numbered_words
from glyphone.evaluation import evaluate
from glyphone.fst.answering import Answering
from glyphone.fst.lexicon_first import LexiconFirst
from glyphone.fst.model import Model
from glyphone.fst.openfst import to_bytes
from glyphone.fst.rules import cascade
from glyphone.training import train
from glyphone.verdicts import Answer, Item, judge

from .support import Ran, glyphone

pytest.importorskip("pynini", reason="teachers are compiled grammars")

LOWER = Writing(case="lower")
LETTERS = "aceho"
WORDS = ["".join(letters) for n in (1, 2, 3, 4) for letters in product(LETTERS, repeat=n)]
FAST = {"seconds": 0.001, "jobs": 1}
RULES = r'''"""A teacher for tests."""

from glyphone.data.writing import Writing
from glyphone.fst.rules import cascade

TEACHER = cascade(
    letters="a c e h o z",
    phones="a k s ʃ e o z",
    source=Writing(case="lower"),
    rules=["c h -> ʃ", "c -> s / _ e", "c -> k", "h -> ∅", "e -> ∅ / _ #"],
)
'''


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("teacher")
    source = folder / "teacher_rules.py"
    source.write_text(RULES, encoding="utf-8")
    catalog.compile_grammar(str(source), folder / "teacher.far")
    return folder / "teacher.far"


@pytest.fixture(scope="session")
def teacher(archive: Path) -> Model:
    found = catalog.load(f"{archive}:TEACHER")
    assert isinstance(found, Model)
    return found


@pytest.fixture(scope="session")
def blind(teacher: Model) -> Distilled:
    """A tree that sees one letter at a time, and so differs in many words."""
    return distill(teacher, WORDS, left=0, right=0, invent=0, **FAST)


@pytest.fixture
def here(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "VERBS", tuple({*cli.VERBS, "distill"}))
    monkeypatch.setattr("glyphone.distillation_files.SECONDS", 0.001)
    Path("t.far").write_bytes(archive.read_bytes())
    Path("words").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    return tmp_path


def run(*words: str, stdin: str = "") -> Ran:
    given = ("--words", "words") if "--words" not in words else ()
    named = ("t.far:TEACHER",) if not any(word.startswith("t.far:") for word in words) else ()
    options = ("-o", "m.glyphone", "--jobs", "1")
    return glyphone("distill", *named, *words, *given, *options, stdin=stdin.encode())


def is_held_out(word: str, share: float = 0.1, seed: int = 0) -> bool:
    return place_of(tuple(word), seed=seed) >= 1 - share


def outputs(model: Answering, words: list[str]) -> list[str]:
    return [found.output if found else "-" for found in model.apply(words, jobs=1)]


@pytest.mark.parametrize("kind", ["tree", "joint"])
def test_a_rule_system_is_learnt(teacher: Model, kind: str) -> None:
    distilled = library.distill(teacher, WORDS, kind=kind, **FAST)
    certificate = distilled.certificate
    assert (certificate.kind, certificate.teacher) == (kind, "TEACHER")
    assert certificate.held_out.words == sum(map(is_held_out, WORDS))
    assert certificate.held_out.word > 0.95
    assert distilled.model("choce").output == "ʃ o s"
    record = distilled.trained.model.description["distilled"]
    assert record["teacher"] == "TEACHER"
    assert record["contents of the teacher"] == teacher.fingerprint()
    assert record["agreement"]["differing"] == certificate.held_out.differing


def test_agreement_is_what_the_models_say(teacher: Model, blind: Distilled) -> None:
    taught, learnt = outputs(teacher, WORDS), outputs(blind.model, WORDS)
    rows = list(zip(WORDS, taught, learnt, strict=True))
    found = blind.certificate
    for agreement, held in ((found.held_out, True), (found.learnt, False)):
        part = [row for row in rows if is_held_out(row[0]) == held]
        differing = sum(one != other for _, one, other in part)
        assert (agreement.words, agreement.differing) == (len(part), differing)
        assert agreement.word == pytest.approx(1 - differing / len(part))
        low, high = agreement.word_interval
        assert low < agreement.word < high
        low, high = agreement.symbol_interval
        assert low < agreement.symbol < high
    expected = [(word, one, other) for word, one, other in rows if one != other]
    assert len(expected) > 100
    assert [
        (word.text, " ".join(word.teacher), " ".join(word.student or ()))
        for word in found.differing
    ] == expected
    assert [word.held_out for word in found.differing] == [is_held_out(row[0]) for row in expected]


def test_patterns_count_places(blind: Distilled) -> None:
    found = blind.certificate.patterns
    places = [(word, place) for word in blind.certificate.differing for place in word.places]
    assert sum(pattern.count for pattern in found) == len(places)
    assert [pattern.count for pattern in found] == sorted((p.count for p in found), reverse=True)
    for pattern in found:
        mine = [
            (word, place)
            for word, place in places
            if (place.letters, place.teacher, place.student)
            == (pattern.letters, pattern.teacher, pattern.student)
        ]
        assert len(mine) == pattern.count == sum(count for *_, count in pattern.contexts)
        assert pattern.held_out == sum(word.held_out for word, _ in mine)
        assert set(pattern.examples) <= {word.text for word, _ in mine}
        for before, after, count in pattern.contexts:
            assert count == sum((p.before, p.after) == (before, after) for _, p in mine)
    # A tree without a window cannot know that c before e is s, and e at the end silent.
    shapes = {(pattern.letters, pattern.teacher, pattern.student) for pattern in found}
    assert {("c", ("s",), ("k",)), ("e", (), ("e",))} <= shapes
    for word, place in places:
        if place.letters == "e" and place.teacher == ():
            assert place.after == "", word


def test_places_are_in_the_text_as_it_is_read(teacher: Model) -> None:
    student = Model.of(
        cascade(letters="a c e h o", phones="a k s e o", source=LOWER, rules=["c -> k", "h -> ∅"])
    )
    words = [Differing("OCHA", 5, (), ()), Differing("zo", 6, ("z", "o"), None)]
    first, second = placed(teacher, student, words, jobs=1)
    (place,) = first.places
    assert (place.letters, place.before, place.after) == ("ch", "o", "a")
    assert (place.teacher, place.student) == (("ʃ",), ("k",))
    (place,) = second.places
    assert (place.letters, place.before, place.after) == ("zo", "", "")
    assert (place.teacher, place.student) == (("z", "o"), None)
    assert [pattern.letters for pattern in patterns([first, second, first])] == ["ch", "zo"]


def test_words_without_an_answer_are_listed(teacher: Model) -> None:
    given = [*WORDS, "мир", "CHA", "", "cha", "a\0"]
    lessons = ask(teacher, given, jobs=1)
    assert [silence.number for silence in lessons.silent] == [
        len(WORDS), len(WORDS) + 2, len(WORDS) + 4,
    ]  # fmt: skip
    assert [silence.error.symbol for silence in lessons.silent] == ["м", None, "\0"]
    assert lessons.repeated == 2
    assert len(lessons.items) + lessons.repeated + len(lessons.silent) == len(given)
    distilled = distill(teacher, given, invent=0, **FAST)
    counts = distilled.certificate.counts
    assert (counts["given"], counts["silent"], counts["repeated"]) == (len(given), 3, 2)
    assert counts["learnt"] + counts["refused"] + counts["held_out"] == len(WORDS)
    assert len(distilled.silent) == 3


def test_a_letter_that_the_student_has_not_seen(teacher: Model) -> None:
    # The one word with a z is held out, so that the tree has no answer to it.
    seed = next(seed for seed in range(100) if is_held_out("zoe", seed=seed))
    certificate = distill(teacher, [*WORDS, "zoe"], invent=0, seed=seed, **FAST).certificate
    (word,) = [word for word in certificate.differing if word.text == "zoe"]
    assert word.student is None
    assert word.error is not None and word.error.symbol == "z"
    assert word.held_out
    assert any(pattern.student is None for pattern in certificate.patterns)
    assert "no answer" in str(certificate)


def test_gold_words_are_not_those_learnt(teacher: Model) -> None:
    answers = outputs(teacher, WORDS)
    rows = list(zip(WORDS, answers, strict=True))
    gold = [Pair(tuple(word), tuple(answer.split()) or ("x",)) for word, answer in rows]
    gold += [Pair(tuple("ACEACE"), ("x",)), Pair(tuple("aceace"), ("y",))]
    distilled = distill(teacher, WORDS, gold=gold, left=0, right=0, **FAST)
    found = distilled.certificate.gold
    assert found is not None
    kept = [pair for pair in gold if len(pair.source) > 4 or is_held_out("".join(pair.source))]
    assert (found.words, found.left_out) == (len(kept), len(gold) - len(kept))
    for model, of in ((teacher, found.teacher), (distilled.model, found.student)):
        expected = evaluate(model, kept, nbest=1, jobs=1)
        assert (of.wer, of.per) == (expected.wer, expected.per)
    assert found.student.wer > found.teacher.wer
    learnt = [pair for pair in gold if len(pair.source) < 5 and pair not in kept]
    with pytest.raises(GlyphoneError, match="has only words that the student learns"):
        distill(teacher, WORDS, gold=learnt, **FAST)
    with pytest.raises(GlyphoneError, match="the gold lexicon holds no pairs"):
        distill(teacher, WORDS, gold=[], **FAST)


def test_invented_words() -> None:
    words = [tuple(word) for word in ("banana", "bandana", "cabana", "anagram", "program")]
    known = {tuple("ana")}
    found = invented(words, 20, seed=1, known=known)
    assert len(found) == len(set(found)) == 20
    assert not {*found} & {*words, *known}
    assert found == invented(words, 20, seed=1, known=known)
    assert found != invented(words, 20, seed=2, known=known)

    def grams(word: tuple[str, ...]) -> set[tuple[str, ...]]:
        padded = ("",) * ORDER + word + ("",)
        return {padded[k : k + ORDER + 1] for k in range(len(word) + 1)}

    allowed = set().union(*map(grams, words))
    assert all(grams(word) <= allowed for word in found)
    # All that can be made of one word without a loop is that word; of a loop, words to a length.
    assert invented([("a", "b")], 3, seed=0) == []
    assert all(len(word) <= LONGEST for word in invented([("a",) * 5], 50, seed=0))


def test_invented_words_are_asked_of_the_teacher_and_never_held_out(
    teacher: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[Pair]] = []

    def watched(pairs: list[Pair], **options: object) -> object:
        seen.append(pairs)
        return train(pairs, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("glyphone.distillation.train", watched)
    words = WORDS[:200]
    gold = [Pair(tuple("cecece"), ("s", "e", "s", "e", "s"))]
    certificate = distill(teacher, words, gold=gold, **FAST).certificate
    (pairs,) = seen
    learnt = [word for word in words if not is_held_out(word)]
    assert ["".join(pair.source) for pair in pairs[: len(learnt)]] == learnt
    more = pairs[len(learnt) :]
    assert 0 < certificate.counts["invented"] <= len(more) <= INVENTED * len(learnt)
    assert not {"".join(pair.source) for pair in more} & {*words, "cecece"}
    assert all(teacher("".join(p.source)).output == " ".join(p.target) for p in more)


def test_the_same_bytes_whatever_the_number_of_jobs(teacher: Model, tmp_path: Path) -> None:
    for name, jobs in (("one", 1), ("two", 2)):
        distill(teacher, WORDS, seed=3, jobs=jobs, seconds=0.001).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert catalog.load(tmp_path / "one")("ce").output == "s"


def test_costs(teacher: Model, blind: Distilled, archive: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.glyphone"
    blind.save(path)
    one, other = blind.certificate.teacher_cost, blind.certificate.student_cost
    machine = b"".join(map(to_bytes, teacher.machines))
    assert machine in archive.read_bytes()
    assert (one.bytes, one.compressed) == (len(machine), len(zlib.compress(machine)))
    assert other.bytes == path.stat().st_size
    assert one.words_per_second > 0 < other.words_per_second
    assert file_of(str(path)) == path
    assert file_of(f"{archive}:TEACHER") == archive
    assert file_of("spa.letter_to_sound:CASTILIAN") is None


def test_a_learned_model_teaches_too(teacher: Model, blind: Distilled, tmp_path: Path) -> None:
    blind.save(tmp_path / "blind.glyphone")
    named = distill(str(tmp_path / "blind.glyphone"), WORDS, **FAST).certificate
    assert named.held_out.differing == 0
    assert named.teacher_cost.bytes == (tmp_path / "blind.glyphone").stat().st_size
    around = LexiconFirst.of(teacher, [Pair(tuple("cec"), ("a",))])
    certificate = distill(around, WORDS, left=0, right=0, invent=0, **FAST).certificate
    assert certificate.teacher_cost.bytes is None
    assert "unknown" in str(certificate)
    assert "cec" in {word.text for word in certificate.differing}


def test_agreement_by_hand() -> None:
    items = [Item("a", (("x", "y"),), (0,)), Item("b", ((),), (1,)), Item("c", (("z",),), (2,))]
    answers = [
        Answer(("x", "z"), 1.0, 0),
        Answer((), 1.0, 1),
        Answer(None, float("nan"), 0, error=ItemError("no")),
    ]
    found = Agreement.of(judge(items, answers))
    assert (found.words, found.differing) == (3, 2)
    assert found.word == pytest.approx(1 / 3)
    assert found.symbol == pytest.approx(1 - 2 / 4)  # the empty answer counts as one symbol
    perfect = Agreement.of(judge(items[1:2], answers[1:2]))
    assert (perfect.word, perfect.symbol) == (1, 1)
    assert perfect.symbol_interval == perfect.word_interval == wilson(1, 1)


def test_wilson() -> None:
    # z^2 / (n + z^2) where nothing differs; the example of Newcombe 1998: 81 of 263.
    assert wilson(10, 10) == pytest.approx((10 / (10 + 3.8414588), 1.0))
    assert wilson(0, 10)[0] == 0
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, 2.0])
def test_shares_that_are_none(teacher: Model, share: float) -> None:
    with pytest.raises(GlyphoneError, match="it must be above 0 and below 1"):
        distill(teacher, WORDS, held_out=share, **FAST)


def test_too_few_words(teacher: Model) -> None:
    with pytest.raises(NothingTaught, match="there are no words"):
        distill(teacher, [], **FAST)
    with pytest.raises(GlyphoneError, match=r"of 1 words none is (held out|left to learn from)"):
        distill(teacher, ["ca"], **FAST)
    with pytest.raises(NothingTaught, match="is not in the alphabet; none of 2 words has"):
        distill(teacher, ["мир", "中"], **FAST)
    with pytest.raises(UnknownName, match="no kind of model named 'bush'"):
        distill(teacher, WORDS, kind="bush", **FAST)
    with pytest.raises(UnknownName, match="no option of a tree named 'lefd'"):
        distill(teacher, WORDS, lefd=3, **FAST)


def test_words_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "words.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("one\n\ntwo\tt uː\r\n")
    assert numbered_words(path) == [(1, "one"), (3, "two")]
    assert numbered_words("cmudict:dev")[0][0] == 1


def test_the_command(here: Path, teacher: Model) -> None:
    ran = run("--left", "0", "--right", "0", "--invent", "0", "--patterns", "1")
    assert (ran.code, ran.err.count("\n")) == (0, 2)
    assert "words differ; see m.glyphone.differences.tsv" in ran.err
    assert "held out" in ran.out and "words/s, one core" in ran.out
    listed = ran.out[ran.out.index("times  held out") :]
    assert len(listed.splitlines()) == 2
    assert Path("m.glyphone.errors.tsv").read_text().count("\n") == 1
    rows = [
        line.split("\t")
        for line in Path("m.glyphone.differences.tsv").read_text(encoding="utf-8").splitlines()
    ]
    student = catalog.load("m.glyphone")
    pairs = list(zip(WORDS, outputs(teacher, WORDS), outputs(student, WORDS), strict=True))
    assert [tuple(row[:3]) for row in rows] == [row for row in pairs if row[1] != row[2]]
    assert {row[3] for row in rows} == {"held out", "learnt"}
    assert next(row[4] for row in rows if row[0] == "ce") == "ce in #_#: s / k e"


def test_differences_are_a_lexicon_of_exceptions(here: Path, teacher: Model) -> None:
    words = [word for word in WORDS if teacher(word).output]
    Path("words").write_text("\n".join(words))
    assert run("--left", "0", "--right", "0").code == 0
    lexicon = ("--lexicon", "m.glyphone.differences.tsv")
    plain = glyphone("apply", "m.glyphone", "words")
    ran = glyphone("apply", "m.glyphone", "words", *lexicon)
    answers = [line.split("\t")[1] for line in ran.out.splitlines()]
    assert answers == outputs(teacher, words)
    assert answers != [line.split("\t")[1] for line in plain.out.splitlines()]


def test_failures_are_listed_with_their_lines(here: Path) -> None:
    Path("words").write_text("\n".join([*WORDS[:50], "", "мир", *WORDS[50:], "x y", "ca"]) + "\n")
    ran = run("--errors", "bad", "--differences", "odd")
    assert ran.code == 1
    assert "2 words were not learnt; see bad" in ran.err
    rows = [line.split("\t") for line in Path("bad").read_text(encoding="utf-8").splitlines()[1:]]
    assert [(row[0], row[1], row[4]) for row in rows] == [
        ("52", "мир", "м"), (str(len(WORDS) + 3), "x y", "x"),
    ]  # fmt: skip
    assert re.search(r"without an answer +2\n", ran.out)
    assert "repeated" in ran.out
    assert Path("odd").exists() and not Path("m.glyphone.errors.tsv").exists()


def test_json_from_stdin_with_gold(here: Path) -> None:
    Path("gold").write_text("cechoce\ts e ʃ o s\ncococo\tx\nbad\n", encoding="utf-8")
    ran = run(
        "--words", "-", "--gold", "gold", "--json", "--held-out", "0.3", "--seed", "5",
        stdin="\n".join(WORDS),
    )  # fmt: skip
    assert ran.code == 1
    assert "gold: line 3: item 'bad': column 2 is missing" in ran.err
    found = json.loads(ran.out)
    assert found["words"]["given"] == len(WORDS)
    assert found["words"]["held_out"] == sum(is_held_out(word, 0.3, 5) for word in WORDS)
    assert found["agreement"]["held_out"]["words"] == found["words"]["held_out"]
    assert found["gold"]["words"] == 2
    assert found["gold"]["teacher"]["wer"] == found["gold"]["student"]["wer"] == 0.5
    assert found["student"]["bytes"] == Path("m.glyphone").stat().st_size
    assert found["teacher"]["name"] == "TEACHER"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "words: holds no words (write one word a line)"),
        ("\n\n", "words: holds no words"),
        ("мир\n中\n", "words: item 'мир': TEACHER: at 0: 'м' U+043C (CYRILLIC"),
        ("ca\n", "of 1 words none is"),
    ],
)
def test_files_of_words_that_will_not_do(here: Path, content: str, message: str) -> None:
    Path("words").write_text(content, encoding="utf-8")
    ran = run()
    assert ran.code == 2
    assert message in ran.err
    assert not Path("m.glyphone").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--words", "absent"], "absent: No such file or directory"),
        (["--words", "m.glyphone"], "m.glyphone: teacher, words, gold words, model, differences"),
        (["--words", "t.far"], "t.far: teacher, words, gold words, model, differences"),
        (["--errors", "x", "--differences", "x"], "x: teacher, words, gold words, model"),
        (["--words", "-", "--gold", "-"], "-: teacher, words, gold words, model"),
        (["--held-out", "1"], "1 is not a number above 0 and below 1"),
        (["t.far:TEACHR"], "no rule named 'TEACHR' (did you mean TEACHER?)"),
        (["--gold", "empty"], "empty: holds no entries"),
        (["--kind", "joint", "--left", "2"], "no option of a joint model named 'left'"),
        (["--left", "200"], "left is 200 (take 0 to 100)"),
    ],
)
def test_commands_that_will_not_do(here: Path, words: list[str], message: str) -> None:
    Path("empty").touch()
    ran = run(*words)
    assert ran.code == 2
    assert message in ran.err
    assert not Path("m.glyphone").exists()
