"""glyphone voicemail: callers and telephone numbers in messages; messages for training."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from glyphone.cli.arguments.stream import add_stream_options, exit_code, files_of

if TYPE_CHECKING:
    from glyphone.voicemail.customers import CustomerList

HELP = "find callers and telephone numbers in transcripts of voicemail messages"

GENERATE, TEMPLATE = "generate", "template"
ABOUT = """Lines are JSON objects with "text", "words" (and "times"), "nbest" or "slots", or plain
text with --text. Each message becomes an object with caller, numbers, and rejected candidates, or
with --format tsv a row: id or line, caller, numbers, probability; with --customers also with those
who may have called. `glyphone voicemail generate` makes messages for `glyphone train MESSAGES
--kind voicemail`. `glyphone voicemail template MESSAGES -o marks.tsv` writes a table to mark
messages in by hand, with --model filled in by a model; `glyphone evaluate MODEL marks.tsv` measures
on it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = ABOUT
    parser.add_argument(
        "input",
        nargs="?",
        default="-",
        help="JSON Lines, or Parquet; - is stdin; or the word generate or template",
    )
    parser.add_argument(
        "messages_to_mark", nargs="?", metavar="MESSAGES", help="of template: lines to mark"
    )
    add_stream_options(parser, items="lines", default="jsonl")
    parser.add_argument("--text", action="store_true", help="lines are plain text")
    parser.add_argument(
        "--model", metavar="MODEL", help="(default: eng.voicemail, and none for template)"
    )
    parser.add_argument("--column", metavar="NAME", help="the column of messages in Parquet")
    add_customers(parser.add_argument_group("customers"))
    add_generator(parser.add_argument_group("generate"))


def add_customers(group: argparse._ArgumentGroup) -> None:
    from glyphone.cli.arguments.types import column, positive, share
    from glyphone.matching.partners import LEAST, MOST

    group.add_argument(
        "--customers", metavar="FILE", help="tell who of a list called: CSV, TSV, text, Parquet"
    )
    group.add_argument(
        "--customers-column", type=column, metavar="C", help="a number, or a name in the header"
    )
    group.add_argument("--matcher", metavar="MODEL", help="compares names (default: matcher)")
    group.add_argument(
        "--threshold",
        type=share,
        metavar="P",
        help=f"leave out customers who are less probable (default: {LEAST})",
    )
    group.add_argument(
        "--top", type=positive, metavar="N", help=f"customers of a message (default: {MOST})"
    )


def add_generator(group: argparse._ArgumentGroup) -> None:
    from glyphone.cli.arguments.dependencies import add_dependencies
    from glyphone.cli.arguments.types import natural, share
    from glyphone.voicemail.generator.confusions import ConfusionKind
    from glyphone.voicemail.generator.files import MessageForm
    from glyphone.voicemail.generator.people import LISTS, PARTS

    group.add_argument(
        "-n", "--messages", type=natural, default=1000, metavar="N", help="(default: 1000)"
    )
    group.add_argument("--seed", type=natural, default=0, metavar="N", help="(default: 0)")
    group.add_argument(
        "--part",
        choices=PARTS,
        default="train",
        help="train, test share no templates or names; paper: reference (default: train)",
    )
    group.add_argument(
        "--noise", type=share, metavar="RATE", help="word error rate of a recogniser, such as 0.23"
    )
    group.add_argument(
        "--confusions",
        choices=get_args(ConfusionKind),
        default="sounds",
        help="of wrong words; sounds needs eng.letter_to_sound (default: sounds)",
    )
    group.add_argument(
        "--names", choices=LISTS, default="own", help="lists of people's names (default: own)"
    )
    group.add_argument("--times", action="store_true", help="write begin and end of each word")
    group.add_argument(
        "--form",
        choices=get_args(MessageForm),
        default="jsonl",
        help="gold as JSON Lines, plain text, or text with tags (default: jsonl)",
    )
    group.add_argument("--statistics", action="store_true", help="counts of the messages on stderr")
    add_dependencies(group)


def run(arguments: argparse.Namespace) -> int:
    if arguments.input == TEMPLATE:
        return write_template(arguments)
    refuse_second_input(arguments)
    if arguments.input == GENERATE:
        return generate(arguments)
    from glyphone.catalog.defaults import VOICEMAIL
    from glyphone.voicemail.files import VoicemailFiles, run_files
    from glyphone.voicemail.model import load

    name = arguments.model or VOICEMAIL
    job = VoicemailFiles(
        **files_of(arguments, arguments.input, "jsonl"),
        model=name,
        text=arguments.text,
        column=arguments.column,
        customers=customers_of(arguments),
    )
    return exit_code(run_files(load(name), job, jobs=arguments.jobs, resume=arguments.resume))


def customers_of(arguments: argparse.Namespace) -> CustomerList | None:
    from glyphone.data.errors import GlyphoneError
    from glyphone.voicemail.customers import CustomerList

    given = {
        "column": arguments.customers_column,
        "matcher": arguments.matcher,
        "least": arguments.threshold,
        "most": arguments.top,
    }
    settings = {name: value for name, value in given.items() if value is not None}
    if arguments.customers is not None:
        return CustomerList(path=arguments.customers, **settings)
    if settings:
        raise GlyphoneError("there is no list of customers", remedy="name one with --customers")
    return None


def refuse_second_input(arguments: argparse.Namespace) -> None:
    from glyphone.data.errors import GlyphoneError

    if arguments.messages_to_mark is not None:
        remedy = f"name one file, or: glyphone voicemail {TEMPLATE} MESSAGES"
        raise GlyphoneError("there are two files", remedy=remedy)


def write_template(arguments: argparse.Namespace) -> int:
    from glyphone.voicemail import marking
    from glyphone.voicemail.model import load

    failed = marking.write_template(
        arguments.messages_to_mark or "-",
        arguments.output,
        text=arguments.text,
        model=None if arguments.model is None else load(arguments.model),
        errors=arguments.errors,
    )
    return exit_code(failed)


def generate(arguments: argparse.Namespace) -> int:
    from glyphone.cli.arguments.dependencies import record_dependencies
    from glyphone.voicemail.generator.files import GenerateJob, generate_file
    from glyphone.voicemail.generator.noise import Noise

    noise = None
    if arguments.noise is not None:
        noise = Noise(rate=arguments.noise, by=arguments.confusions)
    job = GenerateJob(
        n=arguments.messages,
        seed=arguments.seed,
        part=arguments.part,
        names=arguments.names,
        noise=noise,
        times=arguments.times,
        form=arguments.form,
        output=arguments.output,
        statistics=arguments.statistics,
    )
    with record_dependencies(arguments):
        generate_file(job)
    return 0
