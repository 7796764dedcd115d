"""Packages that extras of glyphone bring: imported when they are needed, or missed with a remedy.

>>> need_package("no_such.module", to="draw", extra="draw")
Traceback (most recent call last):
glyphone.data.errors.NotInstalled: to draw needs the package no_such, which is not installed ...
"""

from __future__ import annotations

import importlib
from typing import Any

from glyphone.data.errors import NotInstalled


def need_package(name: str, *, to: str, extra: str) -> Any:
    """The package or module of that name, or NotInstalled with the extra that brings it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise NotInstalled(
            f"to {to} needs the package {package}, which is not installed",
            remedy=f'pip install "glyphone[{extra}]"',
        ) from None
