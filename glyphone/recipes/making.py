"""The default models, made one after the other in a folder.

A recipe makes one model, or those of names into a language and out of it, which learn from the same
pairs. Recipes stand as names, imported when they are followed: what other recipes import has no
influence on a model.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from glyphone.catalog import names as catalog_names
from glyphone.catalog.defaults import ENGLISH, KANJI, MATCHER, VOICEMAIL, language_of
from glyphone.data import progress
from glyphone.data.sources.pinned import sources_used
from glyphone.models.kinds import resolve_name
from glyphone.recipes.workspace import Workspace

RECIPES = {
    ENGLISH: "glyphone.recipes.lexicons:make_english",
    KANJI: "glyphone.recipes.lexicons:make_kanji",
    VOICEMAIL: "glyphone.recipes.voicemail:make_voicemail",
    MATCHER: "glyphone.recipes.matcher:make_matcher",
}
OF_NAMES = "glyphone.recipes.names:make_names"


def make_models(
    names: Iterable[str], folder: Path, *, jobs: int | None = None
) -> Iterator[tuple[str, Path]]:
    """Make default models in a folder; each name and file, when it is done."""
    wanted, made = [*names], set[str]()
    if VOICEMAIL in wanted and catalog_names.model_of(ENGLISH) is None:
        wanted.insert(0, ENGLISH)  # which tells what sounds alike
    for name in progress.steps(wanted, "making models"):
        if name in made:
            continue
        with (
            progress.step(name),
            tempfile.TemporaryDirectory() as scratch,
            sources_used() as sources,
        ):
            space = Workspace(folder, Path(scratch), sources, jobs)
            done = recipe_of(name)(space)
        made.update(done)
        yield from ((one, folder / catalog_names.model_path(one)) for one in done)


def recipe_of(name: str) -> Any:
    """The function that makes a default model, and returns the names of all that it has made."""
    code = language_of(name)
    return resolve_name(RECIPES[name]) if code is None else partial(resolve_name(OF_NAMES), code)
