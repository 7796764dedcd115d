"""Small files and models in the place of those that a reader of the guides has.

A file is made when a command names it and it is not there, so that a guide's own files come first.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

import glyphone
from glyphone.data.records import NamePair, Pair
from glyphone.data.sources.rigour import NameGroup
from glyphone.grammar_tools import archives
from glyphone.matching import file as matcher_file
from glyphone.voicemail.callers.options import CallerOptions
from tests.docs import shell
from tests.docs.pages import ROOT
from tests.glyphone.matching.names import FAMILY, GIVEN, small_matcher
from tests.glyphone.matching.names import as_tsv as labelled_names

WORDS = "phase\nchase\nrose\ncone\nthese\n"
LEXICON = """phase f eɪ z
phrase f r eɪ z
chase tʃ eɪ s
cease s iː s
ease iː z
phone f oʊ n
chose tʃ oʊ z
those ð oʊ z
rose r oʊ z
cone k oʊ n
these ð iː z
thesis θ iː s ɪ s
chart tʃ ɑː t
cart k ɑː t
"""
DEV = "phose f oʊ z\nthose ð oʊ z\n"
SPANISH = "queso\nguerra\nllave\npingüino\n"
FRENCH = ["chat", "eau", "mai", "son", "gent", "ille"]
HINDI = "कमल k ə m ə l\nनमक n ə m ə k\n"
NAMES = "Quentin\nViola\nJoyce\n"
COLUMNS = """la DET B-NP
casa NOUN I-NP
ve VERB O

Ana PROPN B-NP
come VERB O
la DET B-NP
sopa NOUN I-NP

"""
ENTITIES = """El O
señor O
Paz B-PER
vive O
en O
Lima B-LOC

Ana B-PER
viaja O
a O
Quito B-LOC

"""
MESSAGE = (
    '{"text": "hi Ann this is Olaf Petrov call me at nine oh eight five five five twelve twelve"}'
)
MARKED = """checked\tid\ttext\tcaller phrase\tcaller name\tnumbers
x\t1\tit's Ana Paz call 555 oh one\tit's Ana Paz\tAna Paz\t
"""
RUSSIAN = """Cunningham Каннингем
Hamilton Хамилтон
Johnson Джонсон
Wellington Веллингтон
Petrov Петров
Ivanov Иванов
Rostov Ростов
Moskva Москва
Kirov Киров
Anna Анна
Irina Ирина
Viktor Виктор
"""
KANJI = """大谷 おおたに surname
大田 おおた surname
鈴木 すずき surname
田中 たなか surname
山田 やまだ surname
中田 なかた surname
佐藤 さとう surname
翔平 しょうへい given
庄平 しょうへい given
京子 きょうこ given
太郎 たろう given
純一 じゅんいち given
"""


def rows(text: str) -> str:
    """A table with TABs: the first word of each line, and the rest of it."""
    return "".join("\t".join(line.split(" ", 1)) + "\n" for line in text.splitlines())


def table(text: str) -> str:
    """A table with a TAB between any two words of a line."""
    return text.replace(" ", "\t")


def write_text(content: str, path: Path) -> None:
    path.write_text(content, encoding="utf-8")


def write_gzip(content: str, path: Path) -> None:
    path.write_bytes(gzip.compress(content.encode()))


def write_parquet(columns: dict[str, list[object]], path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(columns), path)


def write_by(*lines: str) -> Callable[[Path], None]:
    """A file that commands write, in which `OUT` is its name."""

    def write(path: Path) -> None:
        for line in lines:
            make_files(line, page="", besides=path)
            ran = shell.run(line.replace("OUT", str(path)))
            assert ran.code == 0, ran.err

    return write


def copy_of(sample: str) -> Callable[[Path], object]:
    """A file that is like one of the samples."""
    return partial(shutil.copy, ROOT / "data/samples" / sample)


def write_tree(path: Path) -> None:
    words = ["".join(parts) for parts in product(["c", "ch", "h", "l"], "aeiou", ["c", "l"], "ai")]
    pairs = [Pair(tuple(word), tuple(word)) for word in words]
    glyphone.train(pairs, kind="tree", left=1, right=2, previous=0).save(path)


def copy_archive(path: Path) -> None:
    found = archives.archive_of("spa.letter_to_sound")
    assert found is not None
    path.write_bytes(found.read_bytes())


def make_package(name: Path) -> None:
    path = Path(str(name).replace(".", "/") + ".py")
    path.parent.mkdir()
    write_text(GRAMMAR, path)


def made_names(letters: dict[str, str], vowels: dict[str, str]) -> Iterator[NamePair]:
    """Names of three syllables, in Latin letters and in a script of India."""
    for first, second, third in product(product(letters, vowels), repeat=3):
        if (len(letters) * [*letters].index(first[0]) + [*letters].index(third[0])) % 3:
            continue
        parts = (first, second, third)
        latin = "".join(consonant + vowel for consonant, vowel in parts)
        native = "".join(letters[consonant] + vowels[vowel] for consonant, vowel in parts)
        yield NamePair(latin, native, "test", latin, "name")


PLACES = {
    "rus": partial(made_names, dict(zip("kmnl", "кмнл", strict=True)), {"a": "а", "i": "и"}),
    "hin": partial(made_names, dict(zip("kmnl", "कमनल", strict=True)), {"a": "ा", "i": "ि"}),
    "tam": partial(made_names, dict(zip("kmnl", "கமநல", strict=True)), {"a": "ா", "i": "ி"}),
}

GRAMMAR = '''"""Digits."""
from glyphone.fst.rules.cascade import cascade

ESPERANTO = cascade(letters="a ĉ o", phones="a t͡ʃ o", rules="ĉ -> t͡ʃ")
'''

TRAIN = "glyphone train lexicon.tsv -o m.glyphone"

text = partial(partial, write_text)
FILES: dict[str, Callable[[Path], object]] = {
    "words.txt": text(WORDS),
    "names.txt": text(NAMES),
    "lexicon.tsv": text(rows(LEXICON)),
    "dev.tsv": text(rows(DEV)),
    "test.tsv": text(rows(DEV)),
    "train.conll": text(table(COLUMNS * 4)),
    "dev.conll": text(table(COLUMNS)),
    "test.conll": text(table(COLUMNS)),
    "new.conll": text("Eva PROPN\nve VERB\nla DET\nluna NOUN\n".replace(" ", "\t")),
    "new.parquet": partial(write_parquet, {"tokens": [["la", "sopa"]], "tags": [["DET", "NOUN"]]}),
    "patterns.txt": text("U1:%x[0,0]\nU2:%x[0,1]\nB\n"),
    "windows.txt": text("U3:%x[-1,1]/%x[0,1]\n"),
    "esp.train": text(table(ENTITIES * 5)),
    "esp.testa": text(table(ENTITIES)),
    "esp.testb": text(table(ENTITIES)),
    "news.txt": text("Eva vive en Quito\n"),
    "messages.txt": text("call me at five five five oh one nine nine\n"),
    "calls.jsonl": text(f"{MESSAGE}\n" * 3),
    "marked.tsv": text(MARKED),
    "messages.jsonl": text(f"{MESSAGE}\n" * 3),
    "messages.jsonl.gz": partial(write_gzip, f"{MESSAGE}\n"),
    "model.glyphone": write_by("glyphone train lexicon.tsv -o OUT"),
    "model.fst": write_by(TRAIN, "glyphone convert --chunks m.glyphone OUT"),
    "tokens.arpa": write_by(TRAIN, "glyphone convert m.glyphone OUT"),
    "tree.glyphone": write_tree,
    "chunks.glyphone": write_by(
        "glyphone train train.conll --kind crf --patterns patterns.txt -o OUT"
    ),
    "tagger.glyphone": write_by("glyphone train train.conll --kind tagger -o OUT"),
    "latent.glyphone": write_by(
        "glyphone train train.conll --kind tagger --learner latent --iterations 9 -o OUT"
    ),
    "dumped.crfsuite": write_by("glyphone convert chunks.glyphone OUT"),
    "pairs.tsv": text("中田\tNakata\n山田\tYamada\n"),
    "pairs.parquet": partial(
        write_parquet, {"id": [1], "one": ["中田"], "a": [0], "b": [0], "other": ["Nakata"]}
    ),
    "labelled.tsv": text(labelled_names()),
    "held-out.tsv": text(labelled_names()),
    "customers.tsv": text("オオタニショウヘイ\t大谷 翔平\n"),
    "old.conllu": copy_of("standard-arabic.conllu"),
    "gold.conllu": copy_of("levantine.conllu"),
    "text.txt": copy_of("levantine.txt"),
    "voicemail.toml": copy_of("voicemail.toml"),
    "transfer.toml": text('kind = "dependencies"\nreads = "words"\n'),
    "my_grammar.py": text(GRAMMAR),
    "names_and_models.tsv": text("Queso\tspa.letter_to_sound:CASTILIAN\n"),
    "surnames.txt": text("Suzuki\n田中\n"),
}
OF_PAGES: dict[tuple[str, str], Callable[[Path], object]] = {
    ("grammars.md", "words.txt"): text(SPANISH),
    ("grammars.md", "words.txt.gz"): partial(write_gzip, SPANISH),
    ("grammars.md", "lexicon.tsv"): text(rows(HINDI)),
    ("grammars.md", "build/spa/letter_to_sound.far"): copy_archive,
    ("names.md", "names.tsv"): text("1\tViktor\n2\tIrina\n"),
    ("names.md", "names.parquet"): partial(write_parquet, {"name": ["オオタニ"]}),
    ("from-rules-to-trees.md", "model.glyphone"): write_tree,
    ("from-rules-to-trees.md", "words.txt"): text(
        "".join(f"{first}{last}\n" for first in FRENCH for last in FRENCH)
    ),
    ("squeeze-the-last-point.md", "words.txt"): text("U1:%x[0,0]\nU2:%x[0,1]\nB\n"),
    ("add-a-language.md", "words.tsv"): text("कामिना\t3\nमिनाका\t2\n"),
    ("write-a-grammar.md", "my_package.esperanto"): make_package,
    ("help", "my_package.my_grammar"): make_package,
    ("write-a-grammar.md", "words.txt"): text("ĉo\n"),
    ("find-the-same-name.md", "orders.csv"): text("order,buyer\n1,A. McIndrum\n2,P. d'Almoraima\n"),
    ("find-the-same-name.md", "pairs.tsv"): text("Ana Paz\tPaz, Ana\nBo Li\tAna Paz\n"),
}


def make_files(line: str, page: str, besides: Path | None = None) -> None:
    """Makes the files that a command names and that are not there."""
    for word in shell.words_of(line):
        name = word.rpartition(":")[0] or word
        make = OF_PAGES.get((page, name)) or FILES.get(name)
        if make is not None and not Path(name).exists() and Path(name) != besides:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            make(Path(name))


CALLERS = partial(CallerOptions, places=16, max_iter=25, min_count=2)


def train_english(path: Path) -> None:
    assert shell.run(f"glyphone train cmudict:train --case lower -o {path}").code in (0, 1)


def train_names(content: str, options: str, path: Path) -> None:
    write_text(content, path.with_suffix(".tsv"))
    ran = shell.run(f"glyphone train {path.with_suffix('.tsv')} {options} -o {path}")
    assert ran.code == 0, ran.err


def groups_of_names() -> Iterator[NameGroup]:
    for number, name in enumerate([*GIVEN, *FAMILY]):
        yield NameGroup((name.lower(), f"{name.lower()}e"), f"Q{number}")


def train_matcher(path: Path) -> None:
    matcher_file.save(small_matcher(), path)


def train_voicemail(path: Path) -> None:
    from glyphone.voicemail import model
    from glyphone.voicemail.generator.generate import generate
    from glyphone.voicemail.training import train_model

    model.save(train_model(list(generate(150, seed=1)), callers=CALLERS()), path)


MODELS: dict[str, Callable[[Path], None]] = {
    "eng.letter_to_sound": train_english,
    "rus.names": partial(train_names, rows(RUSSIAN), "--language rus"),
    "jpn.to_latin": partial(
        train_names,
        "オオタニ\tOtani\nスズキ\tSuzuki\nタナカ\tTanaka\nヤマダ\tYamada\n",
        "--language jpn-Latn",
    ),
    "jpn.kanji": partial(train_names, table(KANJI), "--kind channel --kind-column 3"),
    "eng.voicemail": train_voicemail,
    "matcher": train_matcher,
}
