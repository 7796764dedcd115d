"""glyphone models: the default models, listed, trained and removed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from glyphone.cli.arguments.dependencies import add_dependencies, record_dependencies
from glyphone.cli.arguments.types import positive

HELP = "list the default models, train them, and remove them"
MODELS = "names or codes: eng, jpn.kanji, hin, hin-Latn"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one object for each model")
    parsers = parser.add_subparsers(dest="job", metavar="list|train|path|remove")
    parsers.required = False
    listing = parsers.add_parser("list", help="what each is trained on, how good it is, and where")
    listing.add_argument("model", nargs="*", help=MODELS)
    listing.add_argument("--json", action="store_true", help="one object for each model")
    training = parsers.add_parser("train", help="train default models, and keep them for the user")
    training.add_argument("model", nargs="*", help=f"{MODELS} (hin makes both)")
    training.add_argument("--all", action="store_true", help="all that are not there yet")
    training.add_argument(
        "--folder", metavar="FOLDER", help="to keep them in (default: the user's data)"
    )
    training.add_argument(
        "--sources", metavar="FOLDER", help="with the files of packages, where there is no network"
    )
    training.add_argument("--jobs", type=positive, metavar="N", help="threads (default: all cores)")
    add_dependencies(training)
    where = parsers.add_parser("path", help="the files of models")
    where.add_argument("model", nargs="+", help=MODELS)
    removal = parsers.add_parser("remove", help="remove models that the user has trained")
    removal.add_argument("model", nargs="+", help=MODELS)


def run(arguments: argparse.Namespace) -> int:
    jobs = {"train": train, "path": show_paths, "remove": remove}
    return jobs.get(arguments.job, show)(arguments)


def named_models(words: Sequence[str]) -> list[str]:
    """The default models of names and codes; UnknownName for another."""
    from glyphone.catalog import defaults as catalog_defaults
    from glyphone.data.errors import UnknownName

    every = catalog_defaults.default_names()
    chosen = [catalog_defaults.full_name(word) for word in words]
    for name in chosen:
        if name not in every:
            raise UnknownName("default model", name, [*every, *catalog_defaults.SHORT])
    return chosen


def show(arguments: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from glyphone.catalog import defaults as catalog_defaults

    chosen = named_models(arguments.model if arguments.job else [])
    found = [
        catalog_defaults.describe_model(name) for name in chosen or catalog_defaults.default_names()
    ]
    if arguments.json:
        for model in found:
            print(json.dumps(asdict(model), ensure_ascii=False))
    else:
        print(catalog_defaults.models_page(found))
    return 0


def train(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from glyphone.catalog import defaults as catalog_defaults
    from glyphone.catalog import names as catalog_names
    from glyphone.data.errors import GlyphoneError
    from glyphone.data.folders import model_folder
    from glyphone.data.sources.pinned import sources_from
    from glyphone.io.messages import print_message
    from glyphone.recipes.making import make_models

    if arguments.all:
        every = catalog_defaults.default_names()
        chosen = [name for name in every if catalog_names.model_of(name) is None]
    else:
        chosen = named_models(arguments.model)
    if not chosen:
        if arguments.all:
            print_message("all default models are there")
            return 0
        raise GlyphoneError("which models?", remedy="name some, such as eng, or ask for --all")
    folder = Path(arguments.folder) if arguments.folder else model_folder()
    with (
        sources_from(arguments.sources),
        record_dependencies(arguments, str(folder / catalog_names.model_path(chosen[0]))),
    ):
        for name, path in make_models(chosen, folder, jobs=arguments.jobs):
            model = catalog_defaults.describe_model(name, path)
            print_message(f"{name}: {model.summary}; {path}")
    return 0


def show_paths(arguments: argparse.Namespace) -> int:
    from glyphone.catalog import names as catalog_names

    for name in named_models(arguments.model):
        print(catalog_names.find_model(name).path)
    return 0


def remove(arguments: argparse.Namespace) -> int:
    from glyphone.catalog import names as catalog_names
    from glyphone.data.errors import NotInstalled
    from glyphone.io.messages import print_message

    paths = []
    for name in named_models(arguments.model):
        path = catalog_names.kept_file(name)
        if path is None:
            raise NotInstalled(f"{name} is not among the models that you have trained")
        paths.append(path)
    for path in paths:
        path.unlink()
        print_message(f"{path} is removed")
    return 0
