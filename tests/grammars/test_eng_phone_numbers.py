"""Laws of spoken telephone numbers: every reading is kept, what is said digit by digit comes back,
and the transducer agrees with a plain dynamic programme written from the specification."""

from __future__ import annotations

import random

import pytest

from glyphone.data.errors import ItemError
from glyphone.fst.rules.glushkov import Matcher
from glyphone.grammars.eng.numbers.readings import parse_patterns
from tests.grammars.conftest import LoadRule

MODULE, RULE = "eng.phone_numbers", "DIGITS"

# A number begins and ends with number words, and what stands alone is none.
REFUSED = """
five hundred and | five five five one to one to | uh five five five | five five five uh
sorry five five five | five five five sorry | area code | extension | hundred | thousand | double
uh | five five five extension | five five five area code | five five five number
""".replace("\n", " | ").split(" | ")

UNITS = dict(zip("one two three four five six seven eight nine".split(), "123456789", strict=True))
DIGITS = {"zero": "0", "oh": "0", **UNITS}
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
PAIRS = {word: f"1{digit}" for digit, word in enumerate(TEENS)}
TENS = dict(
    zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), "23456789", strict=True)
)


def digits_of(words: list[str]) -> str:
    """The cheapest reading by dynamic programming over places, from the table of word classes."""
    best: list[tuple[float, str] | None] = [None] * (len(words) + 1)
    best[0] = (0.0, "")
    for place in range(len(words)):
        reached = best[place]
        if reached is None:
            continue
        for length, digits, cost in pieces(words, place):
            way = (reached[0] + cost, reached[1] + digits)
            other = best[place + length]
            if other is None or way[0] < other[0]:
                best[place + length] = way
    last = best[len(words)]
    assert last is not None, words
    return last[1]


def pieces(words: list[str], place: int) -> list[tuple[int, str, float]]:
    """The readings that may begin at a place: number of words, digits and cost."""
    word, following = words[place], words[place + 1 : place + 2]
    found = []
    if word in DIGITS:
        found.append((1, DIGITS[word], 0.0))
    if word in PAIRS:
        found.append((1, PAIRS[word], 0.0))
    if word in TENS:
        found.append((1, TENS[word] + "0", 0.1))
        if following and following[0] in UNITS:
            found.append((2, TENS[word] + UNITS[following[0]], 0.0))
    if word in ("double", "triple") and following and following[0] in DIGITS:
        found.append((2, DIGITS[following[0]] * (2 if word == "double" else 3), 0.0))
    rounded = []
    for length, digits, cost in found:
        after = words[place + length : place + length + 1]
        if (
            after in (["hundred"], ["thousand"])
            and digits != "0"
            and word not in ("double", "triple")
        ):
            zeros = "00" if after == ["hundred"] else "000"
            rounded.append((length + 1, digits + zeros, cost))
    return found + rounded


def drawn(draws: random.Random) -> list[str]:
    """A span such as callers say, of one to five groups of words."""
    words: list[str] = []
    for _ in range(draws.randint(1, 5)):
        kind = draws.randrange(10)
        unit = draws.choice([*UNITS])
        if kind < 5:
            words.append(draws.choice([*DIGITS]))
        elif kind == 5:
            words.append(draws.choice(TEENS))
        elif kind == 6:
            words.append(draws.choice([*TENS]))
        elif kind == 7:
            words += [draws.choice([*TENS]), unit]
        elif kind == 8:
            words += [draws.choice(["double", "triple"]), draws.choice([*DIGITS])]
        else:
            words += [
                draws.choice([unit, *TEENS]),
                draws.choice(["hundred", "hundred", "thousand"]),
            ]
    return words


def test_agrees_with_a_dynamic_programme_on_ten_thousand_spans(load_rule: LoadRule) -> None:
    draws = random.Random(8)
    # "five thousand one hundred" is 5100 and not 5000100: the one place where the rules differ
    # from the specification, which reads no thousand so.
    spans = [drawn(draws) for _ in range(11_000)]
    spans = [words for words in spans if not mixed(words)][:10_000]
    assert len(spans) == 10_000
    answers = load_rule(MODULE, RULE).apply([" ".join(words) for words in spans])
    wrong = [
        (" ".join(words), digits_of(words), answer and answer.output)
        for words, answer in zip(spans, answers, strict=True)
        if answer is None or answer.output != digits_of(words)
    ]
    assert not wrong, wrong[:5]


def mixed(words: list[str]) -> bool:
    """Whether hundreds of one unit follow on thousands."""
    return any(
        words[k] == "thousand" and words[k + 2 : k + 3] == ["hundred"] for k in range(len(words))
    )


@pytest.mark.parametrize("text", [text for text in REFUSED if text])
def test_refuses(load_rule: LoadRule, text: str) -> None:
    with pytest.raises(ItemError):
        load_rule(MODULE, RULE)(text)


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("twenty five", ["25", "205"]),
        ("three hundred fourteen", ["30014", "314"]),
        ("five thousand two hundred", ["5200", "5000200"]),
        ("eight hundred five", ["8005", "805"]),
    ],
)
def test_keeps_other_readings_with_less_weight(
    load_rule: LoadRule, text: str, others: list[str]
) -> None:
    found = load_rule(MODULE, RULE).nbest(text, n=5)
    assert [hypothesis.output for hypothesis in found] == others
    assert sum(hypothesis.posterior for hypothesis in found) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("at ten thirty", {"time"}),
        ("at quarter past nine", {"time"}),
        ("ten o'clock tomorrow", {"time"}),
        ("on march fourth", {"date"}),
        ("in nineteen ninety five", {"date"}),
        ("forty five dollars and ten cents", {"money"}),
        ("twenty minutes", {"quantity"}),
        ("two hundred and fifty people", {"quantity"}),
        ("flight nine oh two", {"place"}),
        ("ninety nine ~ street", {"place"}),
        ("confirmation number four four one two", {"reference"}),
        ("one two three four five six seven eight nine", {"social security"}),
        ("social security number one two three", {"social security"}),
        ("that one", {"word"}),
        ("one more thing", {"word"}),
        ("the two of us", set()),
        ("five five five one two one two", set()),
    ],
)
def test_what_else_words_may_be(text: str, labels: set[str]) -> None:
    found = set()
    for label, pattern in parse_patterns().items():
        matcher = Matcher(pattern)
        if matcher.accepting[matcher.run(matcher.start, text.split())]:
            found.add(label)
    assert found == labels
