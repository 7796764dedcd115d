"""Pages of the verbs of the command line: the help of each, as its parser prints it."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from unittest import mock

from docs.website.markdown import contents, escaped, table, title_of
from glyphone.cli import JOBS, VERBS, parser_of, verb_module

# Widths of the terminal that helps are printed for; and Python 3.14 would colour them.
ENVIRONMENT = {"COLUMNS": "92", "PYTHON_COLORS": "0"}


def verb_pages(guides: Mapping[str, str]) -> dict[str, str]:
    """The page of each verb, and one that lists them by their jobs."""
    with mock.patch.dict(os.environ, ENVIRONMENT):
        pages = {f"verbs/{verb}.md": verb_page(verb, guides) for verb in VERBS}
    return {"verbs/index.md": index_page(), **pages}


def index_page() -> str:
    parts = ["# Verbs", "`glyphone VERB --help` prints on a terminal what stands here."]
    for job, verbs in JOBS.items():
        rows = [(f"[{verb}]({verb}.md)", escaped(verb_module(verb).HELP)) for verb in verbs]
        parts += [f"## {job.capitalize()}", table(("verb", "help"), rows)]
    parts += [contents({verb: f"{verb}.md" for verb in VERBS})]
    return "\n\n".join(parts)


def verb_page(verb: str, guides: Mapping[str, str]) -> str:
    """The helps of a verb and of its subverbs, and the guides that show it at work."""
    parts = [f"# glyphone {verb}"]
    for parser in with_subparsers(parser_of(verb)):
        parts += [f"## {parser.prog}"] if len(parts) > 1 else []
        parts += [f"```text\n{parser.format_help().rstrip()}\n```"]
    used = re.compile(rf"\bglyphone {verb}(?![\w-])")
    links = [f"[{title_of(text)}](../{path})" for path, text in guides.items() if used.search(text)]
    parts += [f"At work in: {', '.join(links)}."] if links else []
    return "\n\n".join(parts) + "\n"


def with_subparsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its subverbs."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                yield from with_subparsers(subparser)
