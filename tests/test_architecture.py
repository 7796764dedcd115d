"""The map of the house is true: journeys pass the functions that it lists, and its files exist."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import glyphone
from glyphone.cli import main
from glyphone.data.kernels import jit
from glyphone.grammar_tools.archives import archive_of
from glyphone.matching import file as matcher_file
from tests.glyphone.matching.names import small_matcher

ROOT = Path(__file__).resolve().parents[1]
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
MODELS = ROOT / "tests" / "models" / "written_at_87eee11"
WORDS = "pan nap anna pana nana papa an na pa ap pann apa".split()
MESSAGE = "hi ann this is pat call me at five five five oh one two three"


def apply(folder: Path) -> None:
    (folder / "words").write_text("queso\n", encoding="utf-8")
    words, output = str(folder / "words"), str(folder / "out.tsv")
    assert main(["apply", "spa.letter_to_sound:CASTILIAN", words, "-o", output]) == 0


def train(folder: Path) -> None:
    lexicon = "".join(f"{word}\t{' '.join(word)}\n" for word in WORDS)
    (folder / "lexicon.tsv").write_text(lexicon, encoding="utf-8")
    files = [str(folder / "lexicon.tsv"), "-o", str(folder / "x.glyphone")]
    assert main(["train", *files, "--kind", "joint", "--jobs", "1"]) == 0


def ensemble(folder: Path) -> None:
    assert glyphone.load(str(MODELS / "ensemble.glyphone"))("tacepi").output


def voicemail(folder: Path) -> None:
    (folder / "messages").write_text(json.dumps({"text": MESSAGE}) + "\n", encoding="utf-8")
    files = [str(folder / "messages"), "-o", str(folder / "out.jsonl")]
    model = str(MODELS / "voicemail.glyphone")
    assert main(["voicemail", *files, "--model", model, "--jobs", "1"]) == 0


def pipeline(folder: Path) -> None:
    (folder / "text").write_text("Pat in Spain\n", encoding="utf-8")
    files = [str(folder / "text"), "-o", str(folder / "out.jsonl")]
    assert main(["run", str(MODELS / "pipeline_of_entities.glyphone"), *files, "--jobs", "1"]) == 0


def match(folder: Path) -> None:
    matcher_file.save(small_matcher(), folder / "m.glyphone")
    lists = [str(folder / "first.txt"), str(folder / "second.txt")]
    Path(lists[0]).write_text("Anna Borodin\n", encoding="utf-8")
    Path(lists[1]).write_text("A. Borodin\nИван\n", encoding="utf-8")
    files = [*lists, "-o", str(folder / "out.tsv"), "--model", str(folder / "m.glyphone")]
    assert main(["match", *files, "--jobs", "1"]) == 0


JOURNEYS = {f.__name__: f for f in (apply, train, ensemble, voicemail, pipeline, match)}
NEEDED = {"apply": "spa.letter_to_sound", "voicemail": "eng.phone_numbers"}


def functions_called(journey: Callable[[], None]) -> list[str]:
    """Full names of the functions of glyphone that a journey calls, in the order of first calls."""
    seen: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("glyphone."):
            seen.setdefault(f"{module}.{frame.f_code.co_qualname}")

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        journey()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return [*seen]


@pytest.mark.parametrize("name", JOURNEYS)
def test_journeys_pass_the_functions_of_the_map(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDED and archive_of(NEEDED[name]) is None:
        pytest.skip(f"{NEEDED[name]} is not compiled")
    monkeypatch.setattr(jit, "tier", lambda module, work: module)  # machine code calls unseen
    called = functions_called(lambda: JOURNEYS[name](tmp_path))
    section = MAP.split(f"### {name}: ")[1].split("\n#")[0]
    listed = re.findall(r"`(glyphone(?:\.\w+)+)`", section)
    assert 10 <= len(listed) <= 20
    assert [function for function in listed if function not in called] == []


def test_tasks_name_files_that_there_are() -> None:
    rows = [
        row for row in MAP.split("## Tasks of a newcomer")[1].splitlines() if row.startswith("| ")
    ]
    tasks = rows[1:]
    assert len(tasks) >= 12
    for row in tasks:
        files = re.findall(r"`((?:fst|data|learners|grammars|glyphone)/[\w/]*(?:\.py)?)`", row)
        assert 1 <= len(files) <= 4
        assert [file for file in files if not (ROOT / file).exists()] == []
