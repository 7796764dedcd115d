"""A kind of model that glyphone does not have: a joint model that calls itself an echo."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import ClassVar

from glyphone.data.records import Hypothesis, Pair
from glyphone.fst.interface.learning import LearningResult, LearningSettings
from glyphone.fst.interface.reasons import Reasons, UnitUse
from glyphone.fst.joint import file as joint_file
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import learn_joint
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import Contents, FilePath
from glyphone.models.kinds import LEXICON, Kind


class Echo(JointModel):
    kind: ClassVar[str] = "echo"

    def reasons(self, text: str, hypothesis: Hypothesis) -> Reasons:
        return Reasons((UnitUse(text, hypothesis.output, hypothesis.cost, because=("an echo",)),))


def echo(model: JointModel) -> Echo:
    return Echo(**{one.name: getattr(model, one.name) for one in fields(JointModel)})


def learn_echo(pairs: Sequence[Pair], settings: LearningSettings) -> LearningResult:
    told = dict(settings.chosen)
    order = told.pop("loudness", 3)
    learnt = learn_joint(pairs, replace(settings, chosen={**told, "order": order}))
    assert isinstance(learnt.model, JointModel)
    return replace(learnt, model=echo(learnt.model), sizes={"walls": order})


def to_contents(model: Echo, prefix: str = "") -> Contents:
    return replace(joint_file.to_contents(model, prefix), kind="echo")


def from_contents(contents: Contents, prefix: str = "", *, path: FilePath | None = None) -> Echo:
    return echo(joint_file.from_contents(replace(contents, kind="joint"), prefix, path=path))


def save(model: Echo, path: str) -> None:
    storage_container.write(path, to_contents(model))


def add_echo_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--loudness", type=int, help="of the echo")


ECHO = Kind(
    name="echo",
    summary="what comes back",
    contents=__name__,
    learn=f"{__name__}:learn_echo",
    options=(*LEXICON, "loudness"),
    arguments=f"{__name__}:add_echo_arguments",
)
