"""Completion scripts, made from the parsers of the verbs.

A script knows the words of its day, so that completing starts no Python.

>>> table = completions_of_verb("completion")
>>> table.options["--debug"], table.words
((), ('bash', 'zsh', 'fish'))
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from glyphone.cli import JOBS, VERBS, parser_of, verb_module

# A model, archive or grammar may stand where an argument has one of these names.
OF_MODELS = ("MODEL[:RULE]", "MODEL")


@dataclass(frozen=True)
class Completions:
    """The options of a verb, each with its values, and words that may be its first argument."""

    options: Mapping[str, tuple[str, ...]]
    words: tuple[str, ...]


def completions_of_verb(verb: str) -> Completions:
    """The options and words of a verb, those of its subverbs among them."""
    options: dict[str, tuple[str, ...]] = {}
    words: dict[str, None] = {}
    for action in actions_of(parser_of(verb)):
        values = tuple(map(str, action.choices or ()))
        for option in action.option_strings:
            if option.startswith("--"):
                options[option] = values
        if not action.option_strings:
            of_models = action.metavar in OF_MODELS and verb != "draw"
            words.update(dict.fromkeys(model_names() if of_models else values))
    return Completions(options, tuple(words))


def actions_of(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The actions of a parser and of its subparsers."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                yield from actions_of(subparser)


def model_names() -> list[str]:
    """The names of grammars and default models."""
    from glyphone.catalog.defaults import default_names
    from glyphone.grammar_tools.archives import grammar_names

    return [*grammar_names(), *default_names()]


def script_for(shell: str) -> str:
    """The script for bash, zsh or fish."""
    tables = {verb: completions_of_verb(verb) for verb in VERBS}
    if shell == "fish":
        return fish_script(tables)
    return ZSH_HEAD + bash_script(tables) if shell == "zsh" else bash_script(tables)


# zsh has the builtins of bash's completion in a module of its own.
ZSH_HEAD = "#compdef glyphone\nautoload -U +X bashcompinit && bashcompinit\n"
BASH = """# glyphone completion bash
_glyphone() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    local verb=${{COMP_WORDS[1]}} words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        words={verbs}
    else
        case "$verb $previous" in
{values}
            *) case "$verb $COMP_CWORD $current" in
{options}
            esac ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o bashdefault -o default -F _glyphone glyphone
"""


def bash_script(tables: Mapping[str, Completions]) -> str:
    """A function of bash; where it finds nothing, names of files are completed."""
    values, options = [], []
    for verb, table in tables.items():
        for option, choices in table.options.items():
            if choices:
                values.append(f'            "{verb} {option}") words={quoted(choices)} ;;')
        options.append(f'                "{verb} "*" -"*) words={quoted(table.options)} ;;')
        if table.words:
            options.append(f'                "{verb} 2 "*) words={quoted(table.words)} ;;')
    return BASH.format(
        verbs=quoted((*VERBS, "--help", "--version")),
        values="\n".join(values),
        options="\n".join(options),
    )


def fish_script(tables: Mapping[str, Completions]) -> str:
    """Commands of fish, which completes names of files on its own."""
    lines = ["# glyphone completion fish"]
    for verbs in JOBS.values():
        for verb in verbs:
            about = shlex.quote(verb_module(verb).HELP)
            lines.append(f"complete -c glyphone -n __fish_use_subcommand -f -a {verb} -d {about}")
    for verb, table in tables.items():
        begin = f'complete -c glyphone -n "__fish_seen_subcommand_from {verb}"'
        if table.words:
            lines.append(f"{begin} -a {quoted(table.words)}")
        for option, choices in table.options.items():
            values = f" -x -a {quoted(choices)}" if choices else ""
            lines.append(f"{begin} -l {option.removeprefix('--')}{values}")
    return "\n".join(lines) + "\n"


def quoted(words: Mapping[str, object] | tuple[str, ...]) -> str:
    """Words in quotes, as one of a shell.

    >>> quoted(("tsv", "jsonl"))
    "'tsv jsonl'"
    """
    return shlex.quote(" ".join(words))
