"""Peers that look for telephone numbers: runs of digits, a regular expression, text2num, a tagger.

Each takes the words of messages and gives, for each, where numbers begin and end, and their digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from voicemail_peers import kept

from glyphone.voicemail.measuring import join_digits
from glyphone.voicemail.proposals.vocabulary import strip_punctuation
from glyphone.voicemail.records.messages import Message

ROOT = Path(__file__).parents[1]
Found = tuple[int, int, str]  # begin, end, digits and extension
Words = Sequence[str]
System = Callable[[Sequence[Words]], list[list[Found]]]

DIGITS = dict(
    zip("zero one two three four five six seven eight nine".split(), "0123456789", strict=True)
)
OTHERS = """
    oh ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty
    forty fifty sixty seventy eighty ninety hundred thousand double triple
""".split()
ONE = f"(?:{'|'.join(DIGITS)}|oh)"
PATTERN = re.compile(
    rf"(?<!\S)(?:area code )?(?:one )?(?:(?:{ONE} ){{3}})?(?:{ONE} ){{6}}{ONE}"
    rf"(?: extension(?: {ONE}){{1,5}})?(?!\S)|(?<!\S)extension(?: {ONE}){{2,5}}(?!\S)"
)


def digits_baseline(messages: Sequence[Words]) -> list[list[Found]]:
    """Maximal runs of four, seven or ten of the words zero to nine."""
    return [
        [(b, e, text) for b, e, text in runs(words, DIGITS) if e - b in (4, 7, 10)]
        for words in messages
    ]


def runs(words: Words, known: Any) -> Iterator[Found]:
    begin = 0
    while begin < len(words):
        end = begin
        while end < len(words) and strip_punctuation(words[end]) in known:
            end += 1
        if end > begin:
            yield (
                begin,
                end,
                "".join(DIGITS.get(strip_punctuation(word), "0") for word in words[begin:end]),
            )
        begin = end + 1


def regular_expression(messages: Sequence[Words]) -> list[list[Found]]:
    """Seven or ten digits in words, with what people say around them; or an extension."""
    found = []
    for words in messages:
        text = " ".join(map(strip_punctuation, words))
        row = []
        for match in PATTERN.finditer(text):
            begin = text[: match.start()].count(" ")
            number, _, extension = match[0].partition("extension")
            parts = ["".join(DIGITS.get(w, "0" if w == "oh" else "") for w in part.split())
                     for part in (number, extension)]  # fmt: skip
            row.append((begin, begin + match[0].count(" ") + 1, join_digits(*parts)))
        found.append(row)
    return found


def number_words() -> System | None:
    """Runs of number words that text2num puts into 4, 7, 10 or 11 digits."""
    try:
        from text_to_num import alpha2digit
    except ImportError:
        return None
    known = {*DIGITS, *OTHERS}

    def find(messages: Sequence[Words]) -> list[list[Found]]:
        found = []
        for words in messages:
            row = []
            for begin, end, _ in runs(words, known):
                text = alpha2digit(" ".join(map(strip_punctuation, words[begin:end])), "en")
                digits = re.sub(r"\s", "", text).replace("oh", "0")
                if digits.isdigit() and len(digits) in (4, 7, 10, 11):
                    row.append((begin, end, digits))
            found.append(row)
        return found

    return find


def tagger(messages: Sequence[Message]) -> System | None:
    """A linear-chain CRF over words, their neighbours and whether they are number words."""
    try:
        from sklearn_crfsuite import CRF
    except ImportError:
        return None
    path = kept(ROOT / "build", "numbers", messages)
    options = {"algorithm": "lbfgs", "c1": 0.1, "c2": 0.1, "max_iterations": 100}
    learner = CRF(**options, model_filename=str(path))
    labels = []
    for message in messages:
        row = ["O"] * len(message.words)
        for number in message.numbers:
            if number.digits is not None:
                row[number.begin : number.end] = "B" + "I" * (number.end - number.begin - 1)
        labels.append(row)
    if not path.exists():
        learner.fit((columns(message.words) for message in messages), labels)

    def find(given: Sequence[Words]) -> list[list[Found]]:
        found = []
        for row in learner.predict([columns(words) for words in given]):
            begins = [k for k, label in enumerate(row) if label == "B"]
            ends = [next((e for e in range(b + 1, len(row)) if row[e] != "I"), len(row))
                    for b in begins]  # fmt: skip
            found.append([(b, e, "") for b, e in zip(begins, ends, strict=True)])
        return found

    return find


def columns(words: Words) -> list[dict[str, str | bool]]:
    plain = [*map(strip_punctuation, words)]
    known = [word in DIGITS or word in OTHERS for word in plain]
    return [
        {
            f"{name}{off}": value[place + off] if 0 <= place + off < len(plain) else "<>"
            for off in range(-4, 5)
            for name, value in (("word", plain), ("number", known))
        }
        for place in range(len(plain))
    ]
