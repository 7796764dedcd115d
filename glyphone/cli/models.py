"""glyphone models: the default models, with their figures."""

from __future__ import annotations

import argparse

HELP = "list the default models: what each is trained on, how good it is, and since when"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", nargs="*", help="only these, by name or code of language")
    parser.add_argument("--json", action="store_true", help="one object for each model")


def run(arguments: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from glyphone.catalog import defaults as catalog_defaults
    from glyphone.data.errors import UnknownName

    every = catalog_defaults.default_names()
    chosen = [catalog_defaults.full_name(name) for name in arguments.model] or every
    for name in chosen:
        if name not in every:
            raise UnknownName("default model", name, every)
    found = [catalog_defaults.describe_model(name) for name in chosen]
    if arguments.json:
        for model in found:
            print(json.dumps(asdict(model), ensure_ascii=False))
    else:
        print(catalog_defaults.models_page(found))
    return 0
