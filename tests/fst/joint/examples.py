"""A model without preferences, and how near 32 bits come, for tests of joint models."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import train_joint
from tests.fst.joint.twins import READ, Labels, text_of


def near(value: float) -> object:
    """As near as probabilities of 32 bits allow."""
    return pytest.approx(value, rel=1e-5, abs=1e-5)


def text(string: Labels) -> str:
    return text_of(READ, string)


def even_model(pairs: dict[str, str], *, order: int = 1) -> JointModel:
    """A model in which all units are as frequent as each other."""
    rows = [Alignment(((tuple(x), tuple(y)),)) for x, ys in pairs.items() for y in ys.split(",")]
    model = train_joint(rows, source=Writing(), target=Writing(), order=order)
    return replace(model, beam=math.inf)
