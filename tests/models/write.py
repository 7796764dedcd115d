"""Makes model files of every kind, and the answers that they give, out of what is in this script.

    python -m tests.models.write FOLDER [NAME ...]

writes `NAME.glyphone` and `NAME.json`, all of them or those named, as the code is now. A folder of
a release stays as it was written, for ever: see README.md.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import glyphone
from glyphone.catalog import names as catalog_names
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.distillation.distill import distill
from glyphone.fst.ensembles import file as ensemble_file
from glyphone.fst.ensembles.members import EnsembleOptions
from glyphone.fst.ensembles.training import fit_ensemble
from glyphone.fst.joint import file as joint_file
from glyphone.fst.joint.training import JointOptions, fit_joint
from glyphone.fst.rules.cascade import Cascade, cascade
from glyphone.fst.storage import container as storage_container
from glyphone.fst.transducers import archive
from glyphone.fst.transducers.model import TransducerModel
from glyphone.learners.combinations.estimator import CombinationClassifier
from glyphone.learners.counts import bayes
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.entities.recognizer import EntityRecognizer
from glyphone.learners.entities.tagger import MarkovTagger
from glyphone.learners.latent.estimator import LatentCRF
from glyphone.learners.semimarkov.estimator import SemiMarkovCRF
from glyphone.learners.trees.ensembles import SymbolicBoosting, SymbolicForest
from glyphone.learners.trees.estimator import SymbolicTree
from glyphone.learners.utility.classifier import UtilityLogisticRegression
from glyphone.models import judges as model_judges
from glyphone.models.crf.training import CrfOptions
from glyphone.models.kanji import file as kanji_file
from glyphone.models.kanji.training import fit_kanji
from glyphone.models.learners import file as learner_file
from glyphone.models.names import file as names_file
from glyphone.models.names.languages import Language
from glyphone.models.names.training import fit_names
from glyphone.models.trees.compiling import compile as compiling_compile
from glyphone.models.trees.training import TreeOptions
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.stages.classifying import Classify
from glyphone.pipelines.stages.deciding import DecodeF, Keep
from glyphone.pipelines.stages.entities import Entities
from glyphone.pipelines.stages.transducing import Score, Transduce
from glyphone.pipelines.stages.voicemail import Numbers
from glyphone.treebank.sampling.checkpoint import ChainState, contents_of
from glyphone.voicemail import model as voicemail_file
from glyphone.voicemail.callers import file as caller_file
from glyphone.voicemail.callers.options import CallerOptions
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.numbers import file as number_file
from glyphone.voicemail.training import train_model
from tests.models import reading

PHRASES = [
    ("El señor Paz vive en Lima", "O O B-PER O O B-LOC"),
    ("Ana Ruiz viaja a Quito", "B-PER I-PER O O B-LOC"),
    ("En Lima llueve", "O B-LOC O"),
    ("Eva ve a Ana", "B-PER O O B-PER"),
    ("La Paz espera a Eva Ruiz", "B-LOC I-LOC O O B-PER I-PER"),
]
SENTENCES = [(text.split(), labels.split()) for text, labels in PHRASES * 2]
WORDS, LABELS = (list(column) for column in zip(*SENTENCES, strict=True))
ASKED = ["Eva Ruiz vive en Quito".split(), "El señor Lima llueve".split()]
SYMBOLS = [[a, b] for a in "abc" for b in "xyz"] * 2
SOUNDS = [a if b == "x" else b for a, b in SYMBOLS]
COUNTS = np.random.default_rng(0).poisson(2, size=(24, 4)).tolist()
NUMBERS = np.random.default_rng(1).normal(size=(24, 3)).round(3).tolist()
CLASSES = ["keep" if a > b else "drop" for a, b, _ in NUMBERS]
TEXTS = ["call me", "see you", "call now", "see me", "no", "now you"] * 2
PATTERNS = '*0:%x[0,0]\n*-1:%x[-1,0]\nU1:%t[0,0,"^\\u"]\nB'
CASCADE_RULES = ["c h -> ʃ", "c -> s / _ e", "c -> k", "h -> ∅", "e -> ∅ / _ #"]

# Invented languages: Velm has an alphabet with capitals, Tarali works like the scripts of India.
VELM = Language(
    code="velm",
    name="Velm",
    script="Armn",
    letters="ա բ դ ե ի լ կ մ ն ո ս տ ր",
    cased=True,
    hyphen="֊",
)
TABLES = {
    "consonants": "მ m  ნ n  რ r  ლ l  ს s  თ t  კ k  დ d  ვ v",
    "vowels": "ა a მ   ე e მ\u0308   ი i მ\u0307   ო o მ\u030a   უ u მ\u0302",
    "virama": "\u0331",
}
TARALI = Language(code="tarali", name="Tarali", script="Qaaa", space="჻", tables=TABLES)
TARALI_NAMES = {
    "mira": "მ\u0307რ", "tarek": "თრ\u0308კ\u0331", "salo": "სლ\u030a", "luna": "ლ\u0302ნ",
    "anto": "ან\u0331თ\u030a", "dev": "დ\u0308ვ\u0331", "kelu": "კ\u0308ლ\u0302",
}  # fmt: skip
VELM_NAMES = {
    "Mira": "Միրա", "Tarek": "Տարեկ", "Simon": "Սիմոն", "Bora": "Բորա", "Kaston": "Կաստոն",
    "Elin": "Ելին", "Caro": "Կարո", "Timmo": "Տիմո", "Sanna": "Սանա", "Dobri": "Դոբրի",
}  # fmt: skip
KANJI = {
    "山田": "やまだ", "山川": "やまかわ", "川田": "かわだ", "田山": "たやま", "大川": "おおかわ",
    "中山": "なかやま", "中田": "なかた", "佐々木": "ささき", "上田": "うえだ",
}  # fmt: skip


def lexicon(n: int = 60) -> list[Pair]:
    """Words whose c is k or s by the letter after it, and whose final e is silent."""
    chooser, pairs = random.Random(0), {}
    while len(pairs) < n:
        word = "".join(
            chooser.choice("ctp") + chooser.choice("aeio") for _ in range(chooser.randint(1, 4))
        )
        sounds = [
            ("s" if word[k + 1] in "ei" else "k") if x == "c" else x for k, x in enumerate(word)
        ]
        silent = word[-1] == "e" and len(word) > 2
        pairs[word] = Pair(tuple(word), tuple(sounds[:-1] if silent else sounds))
    return list(pairs.values())


MESSAGES = [
    "hi sam this is pat caller it was fifty dollars my number is "
    "nine oh eight five five five twelve twelve",
    "Hi Sam this is Pat Caller call me at five five five oh one nine nine thanks",
]
SPOKEN = ["tacepi", "cice", "poca", "ticotape", "ece"]


@dataclass(frozen=True)
class File:
    """How a file is written, how it is read and asked (see `reading`), and what it is asked."""

    save: Callable[[Path], None]
    asked_by: str
    asked: list[Any]
    suffix: str = ".glyphone"


def trained(kind: str, **options: Any) -> Callable[[Path], None]:
    return lambda path: glyphone.train(lexicon(), kind=kind, jobs=1, **options).save(path)


def save_decomposed(path: Path) -> None:
    """A joint model whose letters are taken apart: in the lexicon, é is two code points."""
    pairs = [("é", "e"), ("te\u0301", "t e"), ("e", ""), ("te", "t"), ("tété", "t e t e")]
    found = [Pair(tuple(word), tuple(sounds.split())) for word, sounds in pairs * 3]
    source = Writing(normal_form="NFD")
    fitted = fit_joint(found, JointOptions(order=3), source=source)
    joint_file.save(fitted.model, path)


def save_ensemble(path: Path) -> None:
    few = TreeOptions(trees=2, left=2, right=2)
    teachers = (
        lambda *given: model_judges.teach_crf(CrfOptions(templates="3-grm", rho1=0.1), *given),
        lambda *given: model_judges.teach_trees(few, *given),
        lambda *given: model_judges.teach_spelling(few, *given),
    )
    options = EnsembleOptions(joint=JointOptions(order=3), members=2, histories=True)
    fitted = fit_ensemble(lexicon(30), options, target=Writing(), teachers=teachers)
    ensemble_file.save(fitted.model, path)


def save_names(path: Path, language: Language, names: dict[str, str], *, known: bool) -> None:
    """A model of names, with a list of words of the language or without; out of it, if reversed."""
    sides = [(tuple(latin), tuple(native)) for latin, native in names.items()]
    pairs = [Pair(*(side[::-1] if language.to_latin else side)) for side in sides]
    words = [(native, 2.0) for native in names.values()] if known else []
    names_file.save(fit_names(pairs, language, words=words).model, path)


def save_kanji(path: Path) -> None:
    pairs = [Pair(tuple(kanji), tuple(kana), 1.0, "surname") for kanji, kana in KANJI.items()]
    model = fit_kanji(pairs).model
    dictionary = (Pair(tuple("なかた"), tuple("中田")),)
    # What comes with glyphone knows all spellings of romaji, and would fill nine files of ten.
    keys = cascade(
        letters=[*"abcdefghijklmnoprstuwyz"], phones=[*"abcdefghijklmnoprstuwyz"],
        source=Writing(case="lower"), target=Writing(), rules=["o u -> o", "o o -> o"],
    )  # fmt: skip
    small = replace(model, keys=TransducerModel.of(keys, name="keys"), dictionary=dictionary)
    kanji_file.save(small, path)


def grammar() -> Cascade:
    return cascade(
        letters="a c e h o", phones="a k s ʃ e o", source=Writing(case="lower"), rules=CASCADE_RULES
    )


def save_distilled(path: Path) -> None:
    words = ["".join((a, b, c)) for a in "aceho" for b in "aceho" for c in "aceho"]
    options: dict[str, Any] = {"left": 1, "right": 2, "seconds": 0.001, "jobs": 1, "invent": 0}
    distill(TransducerModel.of(grammar(), name="TEACHER"), words, **options).save(path)


def save_compiled_tree(path: Path) -> None:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "tree.glyphone"
        save_distilled(source)
        compiling_compile.compile_model(catalog_names.load(source), path)


@cache
def voicemail() -> Any:
    options = CallerOptions(places=8, max_iter=25, min_count=60)
    return train_model(list(generate(80, seed=1)), callers=options)


def learner(made: Any, X: Any, y: Any) -> Callable[[Path], None]:
    return lambda path: learner_file.save(made.fit(X, y), path)


def sign(word: str) -> dict[str, Any]:
    return {"length": len(word), "last": word[-1]}


def word_learner() -> Any:
    """Whether a word ends in a vowel, as features of candidates tell."""
    words = ["".join(pair.source) for pair in lexicon(20)]
    made = make_pipeline(TfidfVectorizer(analyzer="char"), LogisticRegression())
    return made.fit(words, [word[-1] in "ae" for word in words])


def save_pipeline(path: Path) -> None:
    """A cascade of rules, a joint model that scores, a learner inside, and a decision."""
    teacher = TransducerModel.of(grammar(), name="TEACHER")
    joint = glyphone.train(lexicon(20), kind="joint", order=2, windows=False, jobs=1).model
    stages = (
        Transduce(model=teacher, n=2),
        Score(model=joint, feature="joint"),
        Classify(model=word_learner(), reads="text", label="True"),
        Keep(most=1),
    )
    Pipeline(stages).save(path)


def save_entities(path: Path) -> None:
    stage = Entities(model=EntityRecognizer().fit(WORDS, LABELS))
    Pipeline((stage,)).save(path)


def save_voicemail_pipeline(path: Path) -> None:
    Pipeline((Numbers(model=voicemail()), DecodeF())).save(path)


def save_checkpoint(path: Path) -> None:
    """Where a chain of samples stood."""
    random = np.random.default_rng(3).bit_generator.state
    numbers = np.arange(6, dtype=np.float64)
    state = ChainState(
        sweep=4,
        random=dict(random),
        counts=numbers / 7,
        last=[np.array([1, 2]), np.array([0])],
        trees=[Counter({(1, 2): 3, (2, 2): 1}), Counter({(0,): 4})],
        params=numbers.reshape(2, 3) / 9,
        kept_counts=numbers.reshape(2, 3),
        log_totals=np.log(numbers + 1),
    )
    storage_container.write(path, contents_of(state, "a name"))


def count_learners() -> dict[str, File]:
    kinds = {
        "poisson": bayes.PoissonNB(),
        "negative_binomial": bayes.NegativeBinomialNB(),
        "zero_inflated_poisson": bayes.ZeroInflatedPoissonNB(),
        "zero_inflated_negative_binomial": bayes.ZeroInflatedNegativeBinomialNB(),
        "bernoulli": bayes.BernoulliNB(),
        "binomial": bayes.BinomialNB(n_words=3),
        "beta_binomial": bayes.BetaBinomialNB(method="moments"),
        "zero_inflated_binomial": bayes.ZeroInflatedBinomialNB(),
    }
    return {
        f"learner_{name}": File(learner(made, COUNTS, CLASSES), "rows", COUNTS[:4])
        for name, made in kinds.items()
    }


def learners() -> dict[str, File]:
    """A file of every class that may be in a file of a learner."""
    symbols = {
        "tree": SymbolicTree(min_leaf=1, questions={"vowel": "a"}, smoothing=0.5),
        "forest": SymbolicForest(n_trees=3, random_state=0),
        "boosting": SymbolicBoosting(n_trees=3, random_state=0),
    }
    fields = {
        "crf": SequenceCRF(templates=PATTERNS, weights="seen", rho1=0.1),
        "crf_in_stages": SequenceCRF(templates=["*0:%x[0,0]\nB", "*1:%x[0,0]%x[-1,0]"], rho1=0.1),
        "crf_with_choices": SequenceCRF(templates=PATTERNS, rho1=0.1, choices="U:%X[0,0]"),
    }
    rows = [*SYMBOLS[:3], ["a", "?"]]
    return {
        **{
            f"learner_{name}": File(learner(made, SYMBOLS, SOUNDS), "rows", rows)
            for name, made in symbols.items()
        },
        **{
            f"learner_{name}": File(learner(made, WORDS, LABELS), "chain", ASKED)
            for name, made in fields.items()
        },
        **count_learners(),
        "learner_utility": File(
            learner(UtilityLogisticRegression(alpha=0.7), NUMBERS, CLASSES), "rows", NUMBERS[:4]
        ),
        "learner_combinations": File(
            learner(CombinationClassifier(degree=3, rho1=0.1), COUNTS, CLASSES), "rows", COUNTS[:4]
        ),
        "learner_entities": File(learner(EntityRecognizer(), WORDS, LABELS), "sentences", ASKED),
        "learner_tagger": File(
            learner(MarkovTagger(scheme=None, cv=2), WORDS, LABELS), "sentences", ASKED
        ),
        "learner_latent": File(
            learner(
                LatentCRF(templates=PATTERNS, states=2, starts=1, rho2=0.1, max_iter=20),
                WORDS, LABELS,
            ),
            "chain",
            ASKED,
        ),
        "learner_segments": File(
            learner(SemiMarkovCRF(max_length=3, max_iter=20), WORDS, LABELS), "segments", ASKED
        ),
        "learner_scikit": File(
            learner(
                make_pipeline(TfidfVectorizer(token_pattern=r"\w+"), LogisticRegression()),
                TEXTS, [*"ab"] * 6,
            ),
            "rows",
            ["call you now", "no"],
        ),
        "learner_scikit_dicts": File(
            learner(
                make_pipeline(DictVectorizer(), LogisticRegression()),
                [sign(word) for text in TEXTS for word in text.split()],
                [len(word) > 3 for text in TEXTS for word in text.split()],
            ),
            "rows",
            [{"length": 4, "last": "l"}, {"length": 2, "last": "?"}],
        ),
    }  # fmt: skip


FILES: dict[str, File] = {
    "joint": File(trained("joint", order=4, windows=False), "model", SPOKEN),
    "joint_with_windows": File(trained("joint", order=3, windows=True), "model", SPOKEN),
    "joint_decomposed": File(save_decomposed, "model", ["té", "te\u0301té", "e"]),
    "ensemble": File(save_ensemble, "model", SPOKEN),
    "names_into_script": File(
        lambda path: save_names(path, VELM, VELM_NAMES, known=True),
        "model", ["Mira", "Kasto", "Timo Caro"],
    ),
    "names_into_syllables": File(
        lambda path: save_names(path, TARALI, TARALI_NAMES, known=False),
        "model", ["mira", "devkelu"],
    ),
    "names_out_of_script": File(
        lambda path: save_names(path, VELM.to_latin_letters(), VELM_NAMES, known=False),
        "model", ["Միրա", "Կաստո"],
    ),
    "channel": File(save_kanji, "model", ["Yamada", "なかた", "山川"]),
    "tree": File(trained("tree", left=2, right=2), "model", SPOKEN),
    "tree_boosted": File(trained("tree", trees=3, left=2, right=2), "model", SPOKEN),
    "tree_distilled": File(save_distilled, "model", ["cha", "ace", "hoc"]),
    "tree_compiled": File(save_compiled_tree, "rule TREE", ["cha", "ace", "hoc"], ".far"),
    "cascade": File(
        lambda path: archive.save(path, {"TEACHER": grammar()}),
        "rule TEACHER", ["cha", "ACE", "hocche"], ".far",
    ),
    "crf": File(trained("crf", templates="3-grm"), "model", SPOKEN),
    "voicemail": File(
        lambda path: voicemail_file.save(voicemail(), path), "voicemail", MESSAGES
    ),
    "voicemail_numbers": File(
        lambda path: number_file.save(voicemail().numbers, path), "numbers", MESSAGES
    ),
    "voicemail_caller": File(
        lambda path: caller_file.save(voicemail().callers.heard, path), "caller", MESSAGES
    ),
    "pipeline": File(save_pipeline, "pipeline", ["cha", "ace", "hocce"]),
    "pipeline_of_entities": File(save_entities, "pipeline", [" ".join(row) for row in ASKED]),
    "pipeline_of_voicemail": File(save_voicemail_pipeline, "pipeline", MESSAGES),
    "checkpoint": File(save_checkpoint, "checkpoint", [None]),
    **learners(),
}  # fmt: skip


def write(folder: Path, names: list[str]) -> None:
    """Files, and beside them how they are asked, what they are asked, and what they answer."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or FILES:
        file = FILES[name]
        path = folder / f"{name}{file.suffix}"
        file.save(path)
        row = {
            "file": path.name,
            "asked_by": file.asked_by,
            "asked": file.asked,
            "answers": reading.answers(path, file.asked_by, file.asked),
        }
        text = json.dumps(row, ensure_ascii=False, indent=1)
        path.with_suffix(".json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2:])
