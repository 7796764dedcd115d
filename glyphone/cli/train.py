"""glyphone train: a model from a lexicon, or from files that other kinds of models learn from."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, get_args

from glyphone.cli.arguments.dependencies import add_dependencies
from glyphone.cli.arguments.lexicon import add_lexicon, add_reading, given
from glyphone.cli.arguments.types import natural, positive

HELP = "train a model on words and their pronunciations"
OWN_HELP = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from glyphone.data.writing import Case
    from glyphone.models.kinds import AUTO, KINDS, resolved

    add_lexicon(parser)
    parser.add_argument("-o", "--output", required=True, metavar="MODEL", help="the model file")
    parser.add_argument("--kind", default=AUTO, help=f"of model, see below (default: {AUTO})")
    parser.add_argument(
        "--dev", metavar="FILE", help="words that are not in LEXICON, to measure the model on"
    )
    parser.add_argument("--case", choices=get_args(Case), help="of words (default: keep)")
    parser.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="(default: 0)")
    add_dependencies(parser)
    parser.add_argument(
        *("-h", "--help"),
        action=HelpOnKind,
        nargs="?",
        metavar="KIND",
        help="show this, and with a kind of model the options that it has, too",
    )
    add_reading(parser.add_argument_group("the lexicon"))
    for kind in KINDS.values():
        if kind.arguments:
            resolved(kind.arguments)(parser.add_argument_group(f"{kind.name}: {kind.summary}"))
    parser.usage = "%(prog)s LEXICON -o MODEL [--kind KIND] [option ...]"
    listing = "".join(f"  {one.name:10} {one.summary}\n" for one in KINDS.values() if one.trainable)
    parser.epilog = f"kinds:\n{listing}\nglyphone train --help KIND shows the options of one kind."
    parser.formatter_class = argparse.RawDescriptionHelpFormatter


class HelpOnKind(argparse.Action):
    """Shows help with the options of one kind of model; without a kind, those of all alone."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        from glyphone.models import kinds

        shown = () if values is None else kinds.find(str(values)).options
        hidden = {*options_of_kinds()} - {*shown, "case"}
        for action in parser._actions:
            if action.dest in hidden:
                action.help = argparse.SUPPRESS
        parser.print_help()
        parser.exit()


def options_of_kinds() -> list[str]:
    """The names of all options that some kinds have and others have not."""
    from glyphone.models.kinds import KINDS

    return sorted({option for kind in KINDS.values() for option in kind.options})


def run(arguments: argparse.Namespace) -> int:
    from glyphone.io.dependencies import dependencies_written
    from glyphone.models import kinds

    options = given(arguments, options_of_kinds())
    kind = kinds.asked_for(arguments.kind, options)
    kind.check(options)
    with dependencies_written(arguments.dependencies, target=arguments.output):
        refused = kind.train(
            arguments.lexicon,
            arguments.output,
            dev=arguments.dev,
            seed=arguments.seed,
            jobs=arguments.jobs,
            options=options,
        )
    return 1 if refused else 0
