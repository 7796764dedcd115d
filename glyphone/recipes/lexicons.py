"""Recipes of models that are trained on a lexicon in a package."""

from __future__ import annotations

from glyphone.catalog.defaults import ENGLISH, KANJI
from glyphone.models.kinds import AUTO
from glyphone.recipes.workspace import Workspace, save_whole
from glyphone.training.files import TrainJob


def make_english(space: Workspace) -> list[str]:
    job = TrainJob(
        path="cmudict:train",
        dev="cmudict:dev",
        output=space.path_of(ENGLISH),
        name=ENGLISH,
        case="lower",
        normal_form=AUTO,
    )
    return save_whole(job, {}, space, rest="cmudict:test")


def make_kanji(space: Workspace) -> list[str]:
    job = TrainJob(
        path="japanese-names:train",
        dev="japanese-names:dev",
        output=space.path_of(KANJI),
        name=KANJI,
        kind="channel",
        kind_column=3,
        weight_column=4,
        normal_form=AUTO,
    )
    return save_whole(job, {}, space, rest="japanese-names:test")
