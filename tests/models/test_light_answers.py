"""Models of strings and of voicemail answer without scikit-learn and scipy, which train them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from glyphone.grammar_tools import archives
from tests.models.test_old_files import FIRST, SPOKEN

ROOT = Path(__file__).resolve().parents[2]
# Their stages are learners, or are decided by a solver of scipy.
HEAVY = ("pipeline", "pipeline_of_entities")
CODE = """
import json, sys
from pathlib import Path
for name in ("sklearn", "scipy"):
    sys.modules[name] = None  # importing it fails
from tests.models import reading
for told in map(Path, sys.argv[1:]):
    row = json.loads(told.read_text(encoding="utf-8"))
    print(told.stem)
    reading.answers(told.with_name(row["file"]), row["asked_by"], row["asked"])
"""


def test_answers_without_scikit_learn() -> None:
    asked = {told: json.loads(told.read_text(encoding="utf-8")) for told in FIRST.glob("*.json")}
    compiled = archives.archive_of("eng.phone_numbers") is not None
    light = [
        str(told)
        for told, row in asked.items()
        if not told.stem.startswith("learner_") and told.stem not in HEAVY
        if compiled or not {row["asked_by"], told.stem} & {*SPOKEN}
    ]
    assert len(light) > 10
    ran = subprocess.run(
        [sys.executable, "-c", CODE, *light], cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
