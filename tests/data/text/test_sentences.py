"""Ends of sentences in several languages, and lists of abbreviations."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError
from glyphone.data.text.abbreviations import KINDS, languages, read_abbreviations
from glyphone.data.text.sentences import sentences_of_text
from glyphone.data.text.tokens import tokens_of_text
from tests.data.text.test_tokens import LANGUAGES, TEXTS


def cut(text: str, language: str = "") -> list[str]:
    """The stretch of text of each sentence."""
    return [text[one[0].begin : one[-1].end] for one in sentences_of_text(text, language)]


@given(TEXTS, st.sampled_from(LANGUAGES))
def test_sentences_have_all_tokens(text: str, language: str) -> None:
    sentences = sentences_of_text(text, language)
    assert [*chain.from_iterable(sentences)] == tokens_of_text(text, language)
    assert all(sentences)


# Sentences that are to be found where they stand behind each other with a blank.
EXAMPLES = {
    "eng": [
        "Dr. J. R. Smith of Acme Inc. left at 5 p.m. on Jan. 3.",
        'He said, "Why not?" and went.',
        "(Nobody knew.)",
        "Is it 3.5 or No. 4?!",
        "We waited... and waited.",
        "The U.S. Army came, etc.",
        "$5 is what Mr. Ng paid.",
        "1. First point.",
        "“Yes.”",
        "Then it was over",
    ],
    "spa": [
        "El Sr. Paz llegó a las 5 p.m. con la Dra. Ruiz.",
        "¿Quién viene de EE.UU.?",
        "¡Nadie!",
        "«Hola», dijo.",
        "Pan, vino, etc.",
        "La pág. 5 del art. 3 falta.",
    ],
    "nld": ["Dhr. De Vries kwam bijv. om 5 uur.", "'s Avonds ging hij.", "Hij woont op nr. 5 enz."],
    "deu": ["Am 3. Oktober kam Dr. Meier.", "Das war z. B. gut.", "Nr. 5 usw. fehlt.", "Er ging."],
    "fra": ["M. Dupont a dit : « Oui ! ».", "C'est p. ex. l'art. 5.", "L'arbre est là."],
    "ita": ["Il Sig. Rossi arriva.", "L'art. 5 ecc. manca.", "È vero!"],
    "por": ["O Sr. Silva chegou às 5 p.m. ontem.", "A pág. 5 falta.", "É isso?"],
    "rus": ["Он жил на ул. Ленина, д. 5.", "В 1999 г. А. С. Иванов приехал.", "Хлеб, сыр и т. д."],
}


@pytest.mark.parametrize("language", EXAMPLES)
def test_sentences_end_where_they_do(language: str) -> None:
    assert cut(" ".join(EXAMPLES[language]), language) == EXAMPLES[language]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        (" \n ", []),
        ("...", ["..."]),
        ("?!", ["?!"]),
        ("東京です。「本当？」と言った。「はい。」「え？」", [
            "東京です。", "「本当？」と言った。", "「はい。」", "「え？」"]),
        ("我来了！你好吗？", ["我来了！", "你好吗？"]),
        ("राम आया। वह गया।", ["राम आया।", "वह गया।"]),
        ("A title\n\nand a text", ["A title", "and a text"]),
        ("A line\nthat goes on. Here not.", ["A line\nthat goes on.", "Here not."]),
        ("Yahoo!Now a.b", ["Yahoo!Now a.b"]),
    ],
)  # fmt: skip
def test_other_scripts_lines_and_marks(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences


def test_one_long_line() -> None:
    assert len(cut("Ana viene. " * 5_000)) == 5_000
    assert len(cut("a " * 20_000)) == 1
    assert len(cut("« " * 20_000 + "x. " + ") " * 20_000)) == 1


@pytest.mark.parametrize("language", ["default", *sorted(languages())])
def test_lists_are_right(language: str) -> None:
    """Each abbreviation is one token with its dot, and is listed once."""
    lists = read_abbreviations(language)
    assert len(lists.kinds) > 10
    for word in lists.kinds:
        text = f"{word}. 5"
        assert [one.text for one in tokens_of_text(text, abbreviations=lists)] == text.split()
    assert not {*lists.kinds} & lists.starts - {word for word in lists.kinds if len(word) == 1}


def test_people_add_to_lists(tmp_path: Path) -> None:
    (tmp_path / "more.tsv").write_text("; ours\nIngra\tname\n", encoding="utf-8")
    text = "La Ingra. Paz viene. Bien."
    more = read_abbreviations("spa", more=tmp_path / "more.tsv")
    assert len(sentences_of_text(text, "spa")) == 3
    assert len(sentences_of_text(text, "spa", abbreviations=more)) == 2
    (tmp_path / "bad.tsv").write_text("Ingra\ttitle\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f"'title' .*{KINDS[0]}"):
        read_abbreviations("spa", more=tmp_path / "bad.tsv")
