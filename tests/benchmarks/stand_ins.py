"""A small folder in the place of ../shared/data: files of the same forms, all words made up.

Words are drawn from syllables with a seed; what they mean, sound or translate to follows from their
letters, so that there is something to learn.
"""

from __future__ import annotations

import gzip
import io
import random
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape
from zlib import crc32

SYLLABLES = [a + b for a in "bdfklmnprst" for b in "aeiou"]
SOUNDS = dict(zip("bdfklmnprstaeiou", "bdfklmnprst@EIoU", strict=True))
CYRILLIC = dict(zip("bdfklmnprstaeiou", "бдфклмнпрстаеиоу", strict=True))
DEVANAGARI = dict(zip("bdfklmnprst", "बदफकलमनपरसत", strict=True))
VOWEL_SIGNS = dict(zip("aeiou", ["ा", "े", "ि", "ो", "ु"], strict=True))
LISTS = {
    "deu_latn_broad": "Haus h aʊ̯ s\nTon t oː n\nLampe l a m p ə\n",
    "eng_latn_us_broad": "lamp l æ m p\nstone s t oʊ n\nrain ɹ eɪ n\n",
    "hin_deva_broad": "नमक n ə m ə k\nकमल k ə m ə l\nघर ɡʱ ə ɾ\n",
    "ita_latn_broad": "lana ˈl a n a\npane ˈp a n e\nvino ˈv i n o\n",
    "pol_latn_broad": "dom d ɔ m\nkot k ɔ t\nlampa l a m p a\n",
    "spa_latn_ca_broad": "casa ˈk a s a\nmesa ˈm e s a\nluz ˈl u θ\n",
    "spa_latn_la_broad": "casa ˈk a s a\nmesa ˈm e s a\nluz ˈl u s\n",
    "tur_latn_broad": "masa m a s a\nkapı k a p ɯ\nsu s u\n",
}
FRENCH = {"b": "b", "ch": "ʃ", "f": "f", "l": "l", "m": "m", "p": "p", "t": "t"}
FRENCH_VOWELS = {"a": "a", "i": "i", "ou": "u", "é": "e", "eau": "o"}
RULES = """
## Appendix: pairs

    b:b ch:ʃ f:f l:l m:m p:p t:t a:a i:i
    ou:u é:e eau:o
"""
KANJI = {
    "山": "やま yama", "田": "た ta", "川": "かわ kawa", "村": "むら mura", "石": "いし ishi",
    "木": "き ki", "林": "はやし hayashi", "森": "もり mori", "中": "なか naka", "上": "うえ ue",
    "花": "はな hana", "雪": "ゆき yuki",
}  # fmt: skip
GIVEN = {"子": "こ ko", "美": "み mi", "夫": "お o", "男": "お o", "江": "え e"}
# Tags of a clause with their heads and relations; a language has an order of them.
CLAUSE = {
    "a": ("ADJ", "s", "amod"),
    "s": ("NOUN", "v", "nsubj"),
    "v": ("VERB", "", "root"),
    "p": ("ADP", "o", "case"),
    "o": ("NOUN", "v", "obl"),
    ".": ("PUNCT", "v", "punct"),
}
ORDERS = {"English": "asvpo.", "Spanish": "savpo.", "Welsh": "vsapo.", "Arabic": "vsapo."}
UD = {
    "Arabic-PUD/ar_pud-ud-test": "Arabic",
    "English-PUD/en_pud-ud-test": "English",
    "Portuguese-PUD/pt_pud-ud-test": "Spanish",
    "Spanish-PUD/es_pud-ud-test": "Spanish",
    "Swedish-PUD/sv_pud-ud-test": "English",
    "Welsh-CCG/cy_ccg-ud-train": "Welsh",
    "Welsh-CCG/cy_ccg-ud-dev": "Welsh",
    "Welsh-CCG/cy_ccg-ud-test": "Welsh",
    "Irish-IDT/ga_idt-ud-dev": "Welsh",
    "Irish-IDT/ga_idt-ud-test": "Welsh",
    "Irish-Cadhan/ga_cadhan-ud-test": "Welsh",
    "Scottish_Gaelic-ARCOSG/gd_arcosg-ud-dev": "Welsh",
    "Scottish_Gaelic-ARCOSG/gd_arcosg-ud-test": "Welsh",
    "Breton-KEB/br_keb-ud-test": "Spanish",
    "Danish-DDT/da_ddt-ud-dev": "English",
    "Danish-DDT/da_ddt-ud-test": "English",
    "Maltese-MUDT/mt_mudt-ud-dev": "Spanish",
    "Maltese-MUDT/mt_mudt-ud-test": "Spanish",
    "Norwegian-NynorskLIA/no_nynorsklia-ud-dev": "English",
    "Norwegian-NynorskLIA/no_nynorsklia-ud-test": "English",
    "South_Levantine_Arabic-MADAR/ajp_madar-ud-test": "Spanish",
}
SENTENCES = 120  # of a treebank


def write(path: Path, text: str) -> None:
    """A file of a text, compressed if its name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def rows(cells: Iterable[Sequence[str]], separator: str = "\t") -> str:
    return "".join(separator.join(row) + "\n" for row in cells)


@cache
def words(n: int, seed: int, syllables: Sequence[int] = (1, 2, 3)) -> list[str]:
    """Different words."""
    rng = random.Random(seed)
    found = dict[str, None]()
    while len(found) < n:
        found["".join(rng.choices(SYLLABLES, k=rng.choice(syllables)))] = None
    return [*found]


def phones(word: str) -> str:
    """A phone for each letter; an A behind T has another one in words that nothing tells apart."""
    odd = crc32(word.encode()) % 2
    return "".join(SOUNDS[letter] for letter in word).replace("t@", "tA" if odd else "t@")


def letters_and_sounds(shared: Path) -> None:
    """NETtalk and SIGMORPHON."""
    for part, seed in ("train", 1), ("dev", 2):
        nettalk = [
            (f"{one}e", f"{phones(one)}-", "0" * len(one) + "<", "0") for one in words(60, seed)
        ]
        write(shared / "nettalk" / f"nettalk.{part}.tsv", rows(nettalk))
        for level, language in ("low", "ady"), ("medium", "geo"), ("high", "zzz"):
            lexicon = [(one, " ".join(phones(one))) for one in words(60, seed)]
            path = shared / "sigmorphon2021_g2p" / level / f"{language}_{part}.tsv"
            write(path, rows(lexicon))


def pronunciations(shared: Path) -> None:
    """WikiPron and ipa-dict; the French list is longer, as trees learn from it."""
    for name, text in LISTS.items():
        filtered = "" if name in ("pol_latn_broad", "tur_latn_broad") else "_filtered"
        path = shared / "wikipron" / f"{name}{filtered}.tsv.gz"
        write(path, rows(line.split(" ", 1) for line in text.splitlines()))
    syllables = [
        (a + b, f"{FRENCH[a]} {FRENCH_VOWELS[b]}") for a, b in product(FRENCH, FRENCH_VOWELS)
    ]
    french = [(a + c, f"{b} {d}") for (a, b), (c, d) in product(syllables[::2], syllables[::3])]
    write(shared / "wikipron" / "fra_latn_broad_filtered.tsv.gz", rows(french))
    write(shared / "ipa_dict" / "fi.txt.gz", "talo\t/ˈtɑlo/\nkala\t/ˈkɑlɑ/, /ˈkɑlɑː/\n")
    write(shared.parent / "spec" / "letter-to-sound.md", RULES)


def documents(shared: Path) -> None:
    """Newsgroups, web pages, the Federalist, excerpts and reviews."""
    rng = random.Random(3)
    common, topics = words(30, 4), {kind: words(20, k) for k, kind in enumerate("abc", 5)}

    def text(kind: str, n: int) -> str:
        return " ".join(
            rng.choice(topics[kind] if rng.random() < 0.4 else common) for _ in range(n)
        )

    messages = {
        f"train/group.{kind}/{k}": f"From: nobody\n\n{text(kind, 20)}\n"
        for kind, k in product(topics, range(50))
    }
    write_tar(shared / "20news" / "20news-bydate-train.tar.xz", messages)
    kinds = dict(zip(("project", "student", "course"), topics, strict=True))
    pages = [(kind, text(topic, 20)) for _ in range(50) for kind, topic in kinds.items()]
    write(shared / "webkb" / "webkb-train-stemmed.txt.gz", rows(pages))
    papers = [
        [
            str(k),
            ("HAMILTON", "MADISON")[k % 2],
            " ".join(rng.choices(common + ["any", "were", "states"] + ["his"] * (k % 9), k=450))
            + " <p>",
        ]
        for k in range(1, 81)
    ]
    write(
        shared / "federalist" / "federalist.csv", rows([["number", "author", "text"], *papers], ",")
    )
    excerpts = [
        (". ".join(text("a", 3 + k % 7) for _ in range(5)) + ".", 1 / (1 + k % 7) + k / 1000)
        for k in range(130)
    ]
    write_book(shared / "clear_corpus" / "CLEAR_corpus_final.xlsx", excerpts)
    opinions = {"positive": words(8, 8), "negative": words(8, 9)}
    folder = shared / "sentiment_ccby"
    lists = {
        f"opinions/{kind}-words.txt": "; a list\n\n" + "\n".join(some)
        for kind, some in opinions.items()
    }
    write_zip(folder / "opinion_lexicon.zip", lists)
    for part in (1, 2):
        lines = ["[t]"]
        for k in range(80):
            strong = k % 3 == 0
            tail = f"{rng.choice(opinions['positive'])} ! very" if strong else text("b", 3)
            lines.append(f"thing[{'+3' if strong else '+1'}]##{text('a', 4)} {tail} .")
        write_zip(folder / f"product_reviews_{part}.zip", {"reviews/one.txt": "\n".join(lines)})


def write_tar(path: Path, members: Mapping[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:xz") as archive:
        for name, text in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(text.encode())
            archive.addfile(about, io.BytesIO(text.encode()))


def write_zip(path: Path, members: Mapping[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)


def write_book(path: Path, excerpts: Sequence[tuple[str, float]]) -> None:
    """A spreadsheet with excerpts and how easy they are; texts are in a table of their own."""
    texts = ["Excerpt", "BT_easiness", *(text for text, _ in excerpts)]
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    strings = "".join(f"<si><t>{escape(text)}</t></si>" for text in texts)
    lines = ['<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>']
    lines += [
        f'<row r="{k}"><c r="A{k}" t="s"><v>{k}</v></c><c r="B{k}"><v>{easy}</v></c></row>'
        for k, (_, easy) in enumerate(excerpts, 2)
    ]
    members = {
        "xl/sharedStrings.xml": f"<sst {space}>{strings}</sst>",
        "xl/worksheets/sheet1.xml": f"<worksheet {space}>{''.join(lines)}</worksheet>",
    }
    write_zip(path, members)


def sentences_in_columns(shared: Path) -> None:
    """CoNLL-2002, CoNLL-2000, JNLPBA and newspapers: names and chunks, each of a kind by its
    letters.
    """
    rng = random.Random(5)
    plain, known = (
        words(40, 11),
        {kind: words(8, k) for k, kind in enumerate(("PER", "LOC", "ORG", "MISC"), 12)},
    )

    def sentence() -> list[tuple[str, str, str]]:
        kind = rng.choice([*known])
        one, other = (word.title() for word in rng.choices(known[kind], k=2))
        names = [(one, "NP", f"B-{kind}"), (other, "NP", f"I-{kind}")]
        before, after = ([(word, "NC", "O") for word in rng.choices(plain, k=3)] for _ in "ab")
        return [*before, *names, *after, (".", "F", "O")]

    for code, (part, n) in product(("esp", "ned"), (("train", 60), ("testa", 20))):
        text = "\n".join(rows(sentence(), " ") for _ in range(n))
        write(shared / "conll2002" / f"{code}.{part}.gz", text + "\n")
    abstracts = (
        f"###MEDLINE:{k}\n\n" + "\n".join(rows([row[::2] for row in sentence()]) for _ in range(4))
        for k in range(20)
    )
    write(shared / "jnlpba" / "train.rebuilt.iob2.gz", "\n".join(abstracts) + "\n")
    for name in ("DE.lft", "FR.bnf", "NL.kb"):
        tokens = [(token, label) for _ in range(60) for token, _, label in sentence()]
        write(shared / "europeana_ner" / f"enp_{name}.bio.gz", rows(tokens, " "))
    chunks = [
        [("the", "DT", "B-NP"), (noun, "NN", "I-NP"), (verb, "VB", "B-VP"), (".", ".", "O")]
        for noun, verb in zip(
            rng.choices(plain[:20], k=60), rng.choices(plain[20:], k=60), strict=True
        )
    ]
    write(shared / "conll2000" / "train.txt.gz", "\n".join(rows(one, " ") for one in chunks) + "\n")


def names(shared: Path) -> None:
    """Names in other scripts: netranslit and Dakshina."""
    for size, seed, n in (64, 21, 120), (16, 22, 30):
        pairs = [(one, " ".join(CYRILLIC[x] for x in one), "1") for one in words(n, seed, (2, 3))]
        write(shared / "netranslit_coling2018" / f"wd_russian_{size}.tsv.gz", rows(pairs))
    for part, seed, n in ("train", 23, 120), ("dev", 24, 30):
        some = words(n, seed, (2, 3))
        native = ["".join({**DEVANAGARI, **VOWEL_SIGNS}[letter] for letter in one) for one in some]
        path = shared / "dakshina" / "lexicons" / "hi" / f"hi.translit.sampled.{part}.tsv.gz"
        write(path, rows((there, one, "1") for there, one in zip(native, some, strict=True)))


def japanese(shared: Path) -> None:
    """JMnedict, IPADIC and a list of names with counts."""
    surnames = [joined(pair, KANJI) for pair in product(KANJI, repeat=2)]
    given = [joined(pair, {**KANJI, **GIVEN}) for pair in product(KANJI, GIVEN)]
    full = [
        tuple(
            f"{a}{'' if k == 0 else ' '}{b}" if k == 2 else a + b
            for k, (a, b) in enumerate(zip(one, two, strict=True))
        )
        for one, two in zip(surnames * 2, given * 5, strict=False)
    ]
    entries = [
        (kanji, kana, kind, romaji.title())
        for kind, some in (("s", surnames), ("g", given), ("h", full))
        for kanji, kana, romaji in some
    ]
    write(
        shared / "jmnedict" / "persons_kanji_reading.tsv.gz",
        rows([("kanji", "kana", "types", "romaji"), *entries]),
    )
    ipadic = [
        [kanji, *"123", "名詞", "固有名詞", "人名", "姓", *"**", kanji, kana, kana]
        for kanji, kana, _ in surnames[::2]
    ]
    write(shared / "ipadic_names" / "Noun.name.csv.utf8.gz", rows(ipadic, ","))
    folder = shared / "jp_personal_names"
    counted = [
        (kanji, str(1000 - k), kana, romaji)
        for k, (kanji, kana, romaji) in enumerate(surnames[::3])
    ]
    write(folder / "last_name_org.csv", rows(counted, ","))
    listed = rows(((kana, romaji, kanji) for kanji, kana, romaji in given[::2]), ",")
    for sex, size in product(("man", "woman"), ("org", "opti")):
        write(folder / f"first_name_{sex}_{size}.csv", listed)


def joined(characters: Sequence[str], readings: Mapping[str, str]) -> tuple[str, str, str]:
    """A name of some kanji with its kana and its romaji."""
    kana, romaji = zip(*(readings[one].split() for one in characters), strict=True)
    return "".join(characters), "".join(kana), "".join(romaji)


def treebanks(shared: Path) -> None:
    """Clauses that are translations of each other, in the orders of the languages."""
    for name, order in UD.items():
        rng = random.Random(7)
        blocks = [clause(rng, ORDERS[order], order) for _ in range(SENTENCES)]
        write(shared / "ud" / f"UD_{name}.conllu.gz", "".join(f"{one}\n" for one in blocks))


def clause(rng: random.Random, order: str, language: str) -> str:
    parts = {key: rng.choice(words(12, ord(key))) for key in CLAUSE}
    left_out = rng.choice(["", "a", "po"])
    places = [key for key in order if key not in left_out]
    found = []
    for place, key in enumerate(places, 1):
        tag, head, relation = CLAUSE[key]
        form = "." if key == "." else parts[key] + ("o" if language == "Spanish" else "")
        above = str(places.index(head) + 1 if head else 0)
        found.append([str(place), form, form, tag, "_", "_", above, relation, "_", "_"])
    return rows(found)


EVERYTHING: tuple[Callable[[Path], None], ...] = (
    letters_and_sounds, pronunciations, documents, sentences_in_columns, names, japanese, treebanks,
)  # fmt: skip


def write_all(shared: Path) -> None:
    for make in EVERYTHING:
        make(shared)
