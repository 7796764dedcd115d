"""Every benchmark of the page of figures, on little data: its head, and a row for each system.

In the patterns, which may begin anywhere in a line, N is any number and P a share or percentage,
from 0 to 100; a blank is as many as there are on the page. No peer is installed, which is told.
"""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks import run
from glyphone.catalog import names as catalog_names
from glyphone.data.folders import model_folder
from tests.benchmarks.conftest import BENCHMARKS, Main
from tests.docs.pages import ROOT

# scikit-learn warns of classes that are too small, and numpy of means of nothing.
pytestmark = pytest.mark.filterwarnings("ignore")
NUMBER = r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
HANDWRITTEN = ROOT / "tests/glyphone/voicemail/handwritten.jsonl"


@dataclass(frozen=True)
class Small:
    """Arguments that make a page small, a line above rows, and patterns of these."""

    arguments: str
    head: str
    rows: tuple[str, ...]

    def check(self, page: str) -> None:
        heads = (" ".join(line.split()) for line in page.splitlines())
        assert any(self.head in line for line in heads), f"no {self.head!r}:\n{page}"
        for row in self.rows:
            found = pattern_of(row).search(page)
            assert found, f"no {row!r}:\n{page}"
            for share in found.groups():
                assert 0 <= float(share) <= 100, found[0]


def pattern_of(row: str) -> re.Pattern[str]:
    """The expression for a pattern; percentages are its groups.

    >>> pattern_of("ours N P-P %").search("ours    1,234  5.6- 7.8 %").groups()
    ('5.6', '7.8')
    """
    signs = {"N": NUMBER, "P": f"({NUMBER})", "-": "- *", " ": " +"}
    words = re.split(r"(\b[NP]\b|[- ])", row)
    return re.compile("".join(signs.get(word) or re.escape(word) for word in words))


def each(row: str, *names: str) -> tuple[str, ...]:
    """A pattern with each of some names in the place of *."""
    return tuple(row.replace("*", name) for name in names)


SIGMORPHON = Small(
    "",
    "level language train refused form dev WER % PER % ECE %",
    (
        *each("* N 0 NFC N P P P N N", "low ady", "medium geo"),
        *each("* mean of 1 P P P N N", "low", "medium"),
        "low ady P P P P P P P P P",
    ),
)
JAPANESE = "N N P P-P P P P"
SMALL = {
    "speed.py": Small(
        "--words 200 --peer-words 20 --rounds 1 --only spa.phone",
        "words words/s ratio peak MiB",
        (
            "spa.phone_numbers N N DIGITS N",
            "first answer of a fresh process, start of Python included: N s",
            "pynini top_rewrite, one core 20 N 1.0",
            *each("glyphone apply --jobs * N N N", "1 20", "2 20", "1 200", "2 200"),
            "same outputs as pynini: 20 of 20",
            "Hangul round trip: 11172 of 11172",
        ),
    ),
    "compiling.py": Small("--words 40 rules", "cold s warm s kernels", ("rules P P N N N",)),
    "time_of_tests.py": Small(
        "--jobs 0 tests/data/test_writing.py",
        "cache CPU s s tests",
        each("* P P N passed in", "cold", "warm"),
    ),
    "grammars.py": Small(
        "",
        "grammar words word error phone error convention",
        (
            *each("* N P% P%", "deu.letter_to_sound:GERMAN", "hin.letter_to_sound:HINDI"),
            *each("* N P% P%", "fra.letter_to_sound:FRENCH", "tur.letter_to_sound:TURKISH"),
            *each("* N P% P%", "spa.letter_to_sound:CASTILIAN", "ita.letter_to_sound:ITALIAN"),
            *each("FINNISH N P% P% *", "stress stripped", "with stress"),
            *each("eng.rules:ENGLISH N P% P% stress stripped*", ", one sign", "\n"),
        ),
    ),
    "learned.py": Small(
        "--words 60 --sequitur-words 40 --sizes 300 --rounds 1 --jobs 2",
        "system words train s CPU s MiB model WER % 95 % PER % jobs words/s load s MiB",
        (
            *each("* 60 N N N N P P-P P 2 N N N", "order 8", "no windows", "one tree"),
            *each("* 60 N N N N P P-P P 2 N N N", "one tree of letters", "20 trees", "ensemble"),
            "300 N N N N N (words joined by twos)",
            *each("left out: * is not installed", "phonetisaurus", "sequitur-g2p"),
        ),
    ),
    "relatives.py": Small(
        "", "words of test words word error %", each("* N P", "all", "with relatives", "without")
    ),
    "beam.py": Small(
        "", "model words unanswered lost share %", each("* N N N P", "as it is", "without windows")
    ),
    "sigmorphon.py": SIGMORPHON,
    "distill.py": Small(
        "--words 60 --peer-words 5 --seconds .01",
        "agreement words share 95 % interval",
        (
            "held out N P %",
            *each("*-tree: tree model of", "FRENCH", "ENGLISH", "joint"),
            "word agreement P% (target 97%); distilled in",
            "pynini N words/s, P% the same outputs as ours",
        ),
    ),
    "reengineering.py": Small(
        "--samples 1 --words 80",
        "tree rules context acc % P % R % word % least-most with % alone % nodes kB CPU s list %",
        (
            "the grammar itself says P % of the test words",
            *each("* P P P P P-P - P N N N P", "C4.5 no 0", "C4.5 yes 5", "two sets yes 3"),
            *each("what * lists: 1 samples of 80 words", "wikipron/fra_latn_broad_filtered.tsv.gz"),
            "gruut: skipped, lexicon.db is absent",
            "lexicon, C4.5 3 N P",
            "soft N P",
            "ady 60 N P",
        ),
    ),
    "federalist.py": Small(
        "",
        "his: NegativeBinomial(mu=0.5383, k=0.1539)",
        (
            "chi-square N, df 1, cumulative probability P, -ln L 235.332",
            "paper 72: 450 words",
            "his, HAMILTON and MADISON, 160 passages",
            "N ZeroInflated(z=P, NegativeBinomial",
        ),
    ),
    "count_models.py": Small(
        "",
        "words Bernoulli binomial ZI binomial beta-bin. by moments Multinom.NB Compl.NB",
        (
            *each("* documents to learn from", "20news: 120", "webkb: 120"),
            "20 P P P P P P P N",
            *each("* N N P P N", "ZI binomial", "Multinom.NB", "Compl.NB"),
            *each("* N N P", "PoissonNB", "BetaBinomialNB", "ZeroInflatedBinomialNB"),
        ),
    ),
    "named_entities.py": Small(
        "",
        "P R F kinds P R F CPU s tokens/s",
        (
            "one chain, naive Bayes P P P P P P P N N",
            *each("* P P P P P P P N N", "glyphone, with pos", "glyphone", "German", "Dutch"),
            "chunks from words and tags: precision P %, recall P %, F P",
            "part-of-speech tags from words: P % right",
        ),
    ),
    "structure.py": Small(
        "--part chunks --iterations 5",
        "token % P R F proved % sentences/s p",
        (
            "CoNLL-2000: 54 sentences to learn from, 6 to test",
            *each("* best label path P P P P P N", "chain", "4 states", "second order"),
            *each("4 states * P P P P N", "best hidden path", "marginals"),
            *each("*: N s, N weights, N iterations", "chain", "4 states"),
        ),
    ),
    "structure_entities.py": Small(
        "--few 20 --sentences 40 --iterations 3 --tagger-iterations 3 --together",
        "P R F left right kept % right % MiB CPU s sent./s",
        (
            "JNLPBA, 18 documents of 72 sentences to learn from, 2 to test",
            *each("* 1e-06 P P P P", "words", "words, chunks", "and tags"),
            *each("* P P P P P P P N N N", "filter 1e-15", "no filter", "without whole segments"),
            *each("* P P P P P P P N N N", "without the phrase before", "words alone"),
            *each("*, 40 sentences P P P P P P P N N N", "esp", "ned"),
        ),
    ),
    "expected_f.py": Small(
        "--seeds 2 --rows 120 --large 200 --messages 60",
        "pos % ML tuned other for F won from to CPU ms ratio",
        (
            *each("* P F_0.5 P P P P N N N N N", "sentences", "clusters", "logistic", "silent"),
            *each("* P F_0.75 P P P P N N N N N", "newsgroups", "projects", "reviews", "names"),
            *each("excerpts *% P F_0.5 P P P P", "10", "25"),
            "200 sparse rows of 20, 40 columns, P % positive",
            "recall / precision: alpha 0.25: P / P, alpha 0.5: P / P",
        ),
    ),
    "utility_decoding.py": Small(
        "--seeds 1 --labels 400",
        "labels p CPU s quadratic s ratio difference",
        (
            *each("400 * N N N N", "uniform", "all 1/2", "Beta(.1, 1)"),
            *each("* uniform P P P", "1", "2n", "4n"),
            *each("*% F_0.75 P P P P P P", "25", "10"),
        ),
    ),
    "nettalk.py": Small(
        "--folds 2",
        "letters previous letter % CV letter % word % with % alone % nodes CPU s",
        (
            *each("* 3+1+3 0 P P P - P N N", "tree, C4.5's options", "tree, questions"),
            *each("* 4+1+4 3 P P P - P N N", "forest of 20", "boosting, 20 trees"),
        ),
    ),
    "crf.py": Small(
        "--words 30",
        "all weights active paper rounds joint % letter % paper wall s CPU s MiB",
        (
            "1-grm, choices sgd N N 4,684 N P 17.79 N N N",
            "5-grm+, marks, choices sgd N N N P P 7.47 N N N",
            "in the paper's order: N of 21 pairs of sets",
            "wapiti: skipped, it could not be had or built",
            "python-crfsuite: skipped, python ended with exit code 1",
            *each("* P N N N N N", "glyphone, l2, 1 thread", "glyphone, elastic net"),
        ),
    ),
    "names.py": Small(
        "--languages rus,hin",
        "set language system train refused dev acc % 95 % WER % CER % train CPU s names/s",
        (
            *each("* glyphone 120 0 30 P P-P P P N N", "netranslit rus", "dakshina hin"),
            *each("* mean glyphone acc P CER P", "netranslit", "dakshina"),
            "left out: phonetisaurus is not installed",
        ),
    ),
    "mining.py": Small(
        "--pairs 60 --languages hin rus",
        "of true pairs kept",
        (
            *each(
                "*: P% of true pairs kept, P% of shuffled dropped", "nobody else's names", "strict"
            ),
            *each("*: 192 of 192 kept", "hin", "rus"),
        ),
    ),
    "batch_names.py": Small(
        "--model spa.letter_to_sound:CASTILIAN --words 300",
        "names names/s peak MiB",
        each("* 300 N N", "tsv", "parquet"),
    ),
    "kanji.py": Small(
        "--settings standard --parts paper,strings",
        "setting system pairs names acc % 95 % F % MRR % top 10 names/s --jobs 2 CPU s MiB",
        (
            "left out: phonetisaurus is not installed",
            *each(f"standard * {JAPANESE}", "channel", "channel, promoted", "channel, replaced"),
            *each(f"standard * {JAPANESE} N N N N", "glyphone", "joint, default"),
            *each(f"full * {JAPANESE}", "glyphone", "look-up", "joint, 6 letters to a kanji"),
            *each(f"held out * {JAPANESE}", "glyphone", "look-up", "joint, default"),
        ),
    ),
    "kanji_readings.py": Small(
        "",
        "test system learnt asked acc % top 10 %",
        (
            "JMnedict glyphone 183 N P P",
            *each("restored glyphone, * N N P P", "held out", "listed"),
            *each("read glyphone, * N N P", "held out, surnames", "listed, promoted"),
            "read glyphone, counted, surnames N N P",
            "restored look-up, listed N N P",
            *each("read *: left out, it is not installed", "MeCab, IPADIC", "pykakasi"),
        ),
    ),
    "matching.py": Small(
        "--pairs 60 --sample 20",
        "AUC AP precision recall F",
        (
            "distances are left out: rapidfuzz is not installed",
            *each("*; same first letter (N pairs/s, 0 refused)", "romaji", "kana"),
            *each("* P P P P P", "score, at 0.001", "log odds, at best F", "best reading is equal"),
        ),
    ),
    "treebank_synthetic.py": Small(
        "--seeds 1 --sentences 20 --text 200 --forests 3 --most 50 --draws 500",
        "cost: words, microseconds of CPU a sentence, exponent",
        (
            "posteriors: 3 forests of 2 to N trees, 500 draws each: N beyond",
            "parameters within two standard deviations: N of N, P%",
            "constituents in order: N of N, P%",
            "100 N N (N sentences a second)",
        ),
    ),
    "treebank_transfer.py": Small(
        "--sentences 50 --chains 1 --iterations 6",
        "source sampled frequent reference: source, imputed",
        (
            *each("* P P P P, P", "Welsh", "Scottish Gaelic", "Spanish", "South Levantine"),
            *each("* P P P", "English to Danish", "Arabic to Irish"),
            "imputed P",
            "N: N, N microseconds per word squared",
        ),
    ),
    "treebank_tagging.py": Small(
        "--sentences 50",
        "target order error source imputed gain gold trees",
        (
            *each("* P to P P (P to P) P (P to P) N (N to N) P", "Welsh", "Swedish"),
            *each("tagging *, from", "Portuguese", "Spanish", "South Levantine"),
            *each("* P (P to P) N (N to N)", "source", "imputed", "gold tags of the text"),
        ),
    ),
    "voicemail.py": Small(
        f"--train {HANDWRITTEN} --test 20 --jobs 1 --rounds 1 --words 400 --messages 40",
        "phrase P R F 95 % of F contains F 95 % name P R F 95 % of F",
        (
            *each("* P P P P-P P P-P P P P P-P", "regular expression", "two classifiers (paper)"),
            *each("* P P P P-P P P-P P P P P-P", "glyphone, cuts alone", "glyphone"),
            "two classifiers P P P P-P P P-P P P P P-P",
            *each("* P P P P-P P P P P N", "digits", "extract + prune", "extract + classify"),
            *each("* P % P % P % P % to P %", "caller phrase 19 N", "telephone numbers 56 N"),
            "20 messages of N words, JSON to JSON",
            "400 words N N",
        ),
    ),
}
SHARED, PEERS = "../shared/data", "build/peers"
# Scripts with tests of their own.
OWN = {"matching_names.py", "voicemail_customers.py"}
# Pages of their own, which `make bench` does not write.
APART = [[script, "--shared", SHARED] for script in ("structure.py", "structure_entities.py")]
PAGES = [page for page in [*run.pages(SHARED, peers=PEERS), *APART] if page[0] not in OWN]
# Packages of peers that would be imported where they are found.
MODULES = (
    "rapidfuzz",
    "pycrfsuite",
    "sklearn_crfsuite",
    "text_to_num",
    "wordfreq",
    "gruut_lang_fr",
)


@pytest.fixture
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment without any peer, in which Python itself cannot start."""
    for module in MODULES:
        monkeypatch.setitem(sys.modules, module, None)
    python = tmp_path / "peers" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    return tmp_path / "peers"


@pytest.mark.parametrize("page", PAGES, ids=" ".join)
def test_a_page(
    page: list[str],
    nobody: Path,
    shared: Path,
    small_world: Path,
    main_of: Callable[[str], Main],
    capfd: pytest.CaptureFixture[str],
) -> None:
    script, *given = page
    folders = {SHARED: str(shared), PEERS: str(nobody)}
    arguments = [folders.get(word, word) for word in given] + SMALL[script].arguments.split()
    if script == "voicemail.py":  # whose processes know nothing of small models
        arguments += ["--model", str(catalog_names.model_of("eng.voicemail"))]
        sounds = model_folder() / catalog_names.model_path("eng.letter_to_sound")
        sounds.parent.mkdir(parents=True)
        sounds.symlink_to(catalog_names.model_of("eng.letter_to_sound") or "")
    main_of(script)(arguments)
    SMALL[script].check(capfd.readouterr().out)


def test_every_benchmark_has_a_small_form() -> None:
    """Scripts that are not on the page themselves are run by one that is, or by other tests."""
    elsewhere = {"run.py", "house.py", "voicemail_callers.py", "voicemail_numbers.py", *OWN}
    elsewhere |= {"structure_combinations.py"}
    scripts = {path.name for path in BENCHMARKS.glob("*.py") if "\ndef main(" in path.read_text()}
    assert scripts - elsewhere == {script for script, *_ in PAGES} == {*SMALL}


# Those that have something to say without any data are run as pages.
PARTLY = {"expected_f.py", "utility_decoding.py", "mining.py", "distill.py", "reengineering.py"}


@pytest.mark.parametrize(
    "script", sorted({script for script, *words in PAGES if "--shared" in words} - PARTLY)
)
def test_data_that_are_absent_are_told(
    script: str,
    tmp_path: Path,
    small_world: Path,
    main_of: Callable[[str], Main],
    capsys: pytest.CaptureFixture[str],
) -> None:
    main_of(script)(["--shared", str(tmp_path)])
    assert re.search("skipped, .* absent", capsys.readouterr().out)


def test_numbers_out_of_range_are_found() -> None:
    small = Small("", "system words WER %", ("ours N P",))
    small.check("system  words  WER %\nours  1,000  99.9\n")
    for rows in ("words WER %\nours 10 110\n", "words\nours 10 9.9", "words WER %"):
        with pytest.raises(AssertionError):
            small.check(f"system {rows}")


def test_examples() -> None:
    assert doctest.testmod(sys.modules[__name__]).failed == 0
