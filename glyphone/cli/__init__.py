"""The command line: one module for each verb, imported when the verb is used.

A verb module has `HELP`, `add_arguments(parser)` and `run(arguments) -> exit code`; with
`OWN_HELP` it adds the option --help itself.

Public: `main`, `VERBS`.
"""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

JOBS = {
    "apply models and grammars": ("apply", "run", "tag", "match", "voicemail", "samples"),
    "look into answers": ("explain", "draw"),
    "learn and measure": ("train", "evaluate", "score", "align", "mine"),
    "make models smaller, or other files of them": ("distill", "compile-tree", "convert"),
    "write grammars": ("compile", "check"),
    "treebanks": ("treebank",),
    "the installation": ("models", "doctor", "completion"),
}
VERBS = tuple(sorted(verb for verbs in JOBS.values() for verb in verbs))
OK, FATAL = 0, 2  # and 1, which a verb answers when some of its items failed


class Parser(argparse.ArgumentParser):
    """argparse with short usages and errors, and with examples at the end of a verb's help."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(FATAL, f"{self.prog}: {message}\n")

    def format_help(self) -> str:
        from glyphone.cli.examples import EXAMPLES

        lines = EXAMPLES.get(self.prog.removeprefix("glyphone "), ())
        examples = "".join(f"  {line}\n" for line in lines)
        return super().format_help() + (f"\nexamples:\n{examples}" if examples else "")


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    from glyphone.data import progress
    from glyphone.data.errors import GlyphoneError

    signal.signal(signal.SIGTERM, terminated)
    prepare_streams()
    try:
        try:
            with progress.shown(" ".join(words[:1])):
                return dispatch(words)
        finally:
            sys.stdout.flush()  # or what cannot be written would be found out after the exit code
    except GlyphoneError as error:
        if debug:
            raise
        print(f"glyphone: {error}", file=sys.stderr)
        return FATAL
    except BrokenPipeError:
        # The reader has gone, as in `glyphone apply ... | head`, which is no error.
        discard_stdout()
        return OK
    except MemoryError:
        if debug:
            raise
        print("glyphone: there is not enough memory for this", file=sys.stderr)
        return FATAL
    except KeyboardInterrupt as interrupt:
        name = interrupt.args[0] if interrupt.args else "SIGINT"
        print(f"glyphone: stopped by {name}", file=sys.stderr)
        return 128 + signal.Signals[name]
    except OSError as error:
        if debug:
            raise
        place = f"{error.filename}: " if error.filename else ""
        print(f"glyphone: {place}{error.strerror or error}", file=sys.stderr)
        discard_stdout()
        return FATAL


def prepare_streams() -> None:
    """Stdout is UTF-8 in every locale, as our files are; a closed stream is like an empty one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))
        elif name == "stdout" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def discard_stdout() -> None:
    """Discards the buffered output, so that Python does not try again to write it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def terminated(number: int, frame: FrameType | None) -> NoReturn:
    """SIGTERM ends work in the same orderly way as SIGINT."""
    raise KeyboardInterrupt(signal.Signals(number).name)


def verb_module(verb: str) -> Any:
    """The module of a verb, as `compile_tree` is that of compile-tree."""
    return import_module(f"glyphone.cli.{verb.replace('-', '_')}")


def parser_of(verb: str) -> argparse.ArgumentParser:
    """The parser of the words behind a verb."""
    module = verb_module(verb)
    own_help = getattr(module, "OWN_HELP", False)
    parser = Parser(prog=f"glyphone {verb}", description=module.HELP, add_help=not own_help)
    module.add_arguments(parser)
    parser.add_argument("--debug", action="store_true", help="show tracebacks")
    parser.usage = parser.usage or short_usage(parser)
    return parser


def short_usage(parser: argparse.ArgumentParser) -> str:
    """The arguments of a verb that are needed, or have no name; the help lists the others.

    >>> parser = Parser()
    >>> _ = parser.add_argument("input", nargs="?"), parser.add_argument("-o", required=True)
    >>> short_usage(parser)
    '%(prog)s -o O [input] [option ...]'
    """
    needed, unnamed = [], []
    for action in parser._actions:
        name = str(action.metavar or action.dest)
        if action.option_strings and action.required:
            needed.append(f"{action.option_strings[0]} {action.metavar or action.dest.upper()}")
        elif not action.option_strings:
            name = f"{name} ..." if action.nargs in ("*", "+") else name
            unnamed.append(f"[{name}]" if action.nargs in ("*", "?") else name)
    return " ".join(["%(prog)s", *needed, *unnamed, "[option ...]"])


def dispatch(words: list[str]) -> int:
    from glyphone.data.errors import UnknownName

    if words and words[0] in VERBS:
        code: int = verb_module(words[0]).run(parser_of(words[0]).parse_args(words[1:]))
        return code
    if words and not words[0].startswith("-"):
        raise UnknownName("verb", words[0], VERBS)
    parser = Parser(
        prog="glyphone",
        usage="glyphone VERB [-h] ...",
        epilog=listing_of_verbs(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=versions())
    parser.parse_args(words)
    parser.print_help()
    return OK if not words else FATAL


def listing_of_verbs() -> str:
    """The verbs by their jobs, each with its help."""
    import shutil
    import textwrap

    width = shutil.get_terminal_size().columns - 2
    parts = []
    for job, verbs in JOBS.items():
        lines = [
            textwrap.fill(f"  {verb:13}{verb_module(verb).HELP}", width, subsequent_indent=" " * 15)
            for verb in verbs
        ]
        parts.append("\n".join([f"{job}:", *lines]))
    return "\n\n".join([*parts, "`glyphone VERB --help` tells more, and ends with two examples."])


def versions() -> str:
    """The versions of glyphone and of what its answers depend on."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from glyphone.data.version import VERSION

    told = [f"Python {platform.python_version()}"]
    for package in ("numpy", "numba", "scikit-learn", "pynini"):
        try:
            told.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            told.append(f"no {package}")
    return f"glyphone {VERSION} ({', '.join(told)})"
