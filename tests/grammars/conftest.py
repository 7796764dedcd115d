"""Compiled rules for the tests; `make test` has compiled what changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.fst.transducers.model import TransducerModel

LoadRule = Callable[[str, str], TransducerModel]


@cache
def loaded(grammar: str, rule: str) -> TransducerModel:
    return catalog_names.load(f"{grammar}:{rule}")


@pytest.fixture(scope="session")
def load_rule() -> LoadRule:
    return loaded
