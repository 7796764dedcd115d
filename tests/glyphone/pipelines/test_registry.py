"""The registry: names, versions, and stages of other packages."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.pipelines import pipeline
from glyphone.pipelines import registry as pipeline_registry
from glyphone.pipelines.stages.deciding import Keep
from tests.glyphone.pipelines.support import written

GUIDE = Path(__file__).parents[3] / "docs" / "plug-in-a-scorer.md"
PACKAGE = '''"""A stage of another package."""

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Shout:
    mark: str = "!"
    more: Any = None

    def __call__(self, items):
        return [item.with_candidates(
            replace(c, value=c.value.upper() + self.mark) for c in item.candidates
        ) for item in items]


def function(items):
    return items
'''
POINTS = """[glyphone.stages]
acme.shout.v1 = acme_stages:Shout
acme.function.v1 = acme_stages:function
acme.gone.v1 = acme_missing:Gone
acme.shout = acme_stages:Shout
"""


def package(folder: Path, name: str, points: str) -> None:
    """An installed package of entry points, as pip leaves it."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    written(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    written(info / "entry_points.txt", points)


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, in which a package of stages is installed."""
    written(tmp_path / "acme_stages.py", PACKAGE)
    package(tmp_path, "acme", POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("acme_stages", None)  # the guide has a package of that name, too
    pipeline_registry.entry_points.cache_clear()
    yield tmp_path
    sys.modules.pop("acme_stages", None)
    pipeline_registry.entry_points.cache_clear()


def test_every_stage_of_ours_can_be_found() -> None:
    for name in pipeline_registry._HOMES:
        assert pipeline_registry.NAME.fullmatch(name)
        kind = pipeline_registry.find_stage(name)
        assert kind.__doc__ and not kind.__doc__.startswith(f"{kind.__name__}(")
        assert f"| `{name}` |" in GUIDE.read_text(encoding="utf-8")
    assert pipeline_registry.name_of(Keep()) == "glyphone.keep.v1"


@pytest.mark.parametrize("name", ["glyphone.keep.v2", "glyphone.kep.v1"])
def test_unknown_stages_and_versions(name: str) -> None:
    with pytest.raises(UnknownName, match=r"did you mean glyphone\.keep\.v1"):
        pipeline_registry.find_stage(name)


def test_a_stage_of_another_package(acme: Path, tmp_path: Path) -> None:
    text = '[[stages]]\nuse = "acme.shout.v1"\nmark = "?"\n'
    made = pipeline.load(written(tmp_path / "p.toml", text))
    assert made.names == ["acme.shout.v1"]
    made.save(tmp_path / "p.pipeline")
    again = pipeline.load(tmp_path / "p.pipeline")
    assert again == made
    assert "acme.shout.v1" in pipeline_registry.stage_names()


def test_a_pipeline_whose_package_is_gone(acme: Path, tmp_path: Path) -> None:
    made = pipeline.Pipeline((pipeline_registry.find_stage("acme.shout.v1")(),))
    made.save(tmp_path / "p.pipeline")
    (tmp_path / "acme-1.0.dist-info" / "entry_points.txt").write_text("")
    pipeline_registry.entry_points.cache_clear()
    with pytest.raises(FormatError, match=r"p\.pipeline: no stage named 'acme.shout.v1'.*install"):
        pipeline.load(tmp_path / "p.pipeline")


def test_settings_that_no_file_holds(acme: Path, tmp_path: Path) -> None:
    made = pipeline.Pipeline((pipeline_registry.find_stage("acme.shout.v1")(more=print),))
    with pytest.raises(GlyphoneError, match=r"acme.shout.v1: a setting: Object of type builtin"):
        made.save(tmp_path / "p.pipeline")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("acme.function.v1", "acme_stages:function is no stage (make it a dataclass"),
        ("acme.gone.v1", "cannot be imported: ModuleNotFoundError: No module named"),
        ("acme.shout", "'acme.shout' of acme_stages:Shout has no versioned name"),
    ],
)
def test_broken_packages(acme: Path, name: str, message: str) -> None:
    with pytest.raises(GlyphoneError) as caught:
        pipeline_registry.find_stage(name)
    assert message in str(caught.value)


@pytest.mark.parametrize("taken", ["acme.shout.v1", "glyphone.keep.v1"])
def test_two_packages_with_one_name(acme: Path, taken: str) -> None:
    package(acme, "other", f"[glyphone.stages]\n{taken} = other:Stage\n")
    with pytest.raises(GlyphoneError, match=rf"{taken}: is both .*uninstall one"):
        pipeline_registry.stage_names()


def test_a_stage_is_imported_when_it_is_used() -> None:
    code = (
        "import sys, glyphone.pipelines.registry as stages\n"
        "stages.find_stage('glyphone.keep.v1'), stages.find_stage('glyphone.rerank.v1')\n"
        "assert not {'sklearn', 'scipy', 'numba'} & {*sys.modules}, 'something slow is imported'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
