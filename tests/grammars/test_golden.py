"""Every golden case of every grammar: golden/<grammar>.<RULE>.tsv, written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.data.lexicons.tsv import read_table
from glyphone.grammar_tools import archives
from tests.grammars.conftest import LoadRule

GOLDEN = sorted(Path(__file__).parent.glob("golden/*.tsv"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_cases(path: Path, load_rule: LoadRule) -> None:
    grammar, _, rule = path.stem.rpartition(".")
    model = load_rule(grammar, rule)
    cases = [(row[0], row[1]) for row in read_table(path, columns=2)]
    answers = model.apply([word for word, _ in cases])
    wrong = [
        f"{word}: expected {expected}, got {answer}"
        for (word, expected), answer in zip(cases, answers, strict=True)
        if answer is None or answer.output != expected
    ]
    assert not wrong, "\n".join(wrong)


def test_every_grammar_has_golden_cases() -> None:
    covered = {path.stem.rpartition(".")[0] for path in GOLDEN}
    assert covered >= set(archives.grammar_names())
