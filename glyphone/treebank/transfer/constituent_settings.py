"""Transfer files for constituents, in TOML.

    kind = "constituents"
    reads = "tags"                   # what the language model sees: tags, or words
    keep = ["NP", "PP"]              # labels whose children stay as they are; "*": all others
    same = 1.0                       # prior counts of what does not differ, and of all else
    other = 1.0

    [[orders]]
    labels = ["S", "O"]
    orders = ["a n", "n a"]
    same = 10.0                      # a rule may have its own

    [[labels]]
    label = "DET"
    becomes = ["DET", "PRON"]

>>> content = {"orders": [{"labels": ["S", "O"], "orders": ["a n", "n a"], "same": 10}]}
>>> grammar_of(content).orders
(OrderRule(labels=('S', 'O'), orders=(('a', 'n'), ('n', 'a')), same=10.0, other=1.0),)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from glyphone.data.errors import FormatError, UnknownName
from glyphone.treebank.transfer.constituent_forests import (
    ConstituentGrammar,
    LabelRule,
    OrderRule,
    Targets,
    itself,
)

KEYS = ("reads", "keep", "same", "other", "orders", "labels")
ORDER_KEYS = ("labels", "orders", "same", "other")
LABEL_KEYS = ("label", "becomes", "same", "other")
READS = ("tags", "words")


def grammar_of(
    content: Mapping[str, Any], *, targets: Targets = itself, path: object = None
) -> ConstituentGrammar:
    """The rules of a transfer file; FormatError for what it cannot say."""
    check_keys(content, KEYS, "a transfer file for constituents", path)
    reads = content.get("reads", "tags")
    if reads not in READS:
        remedy = f"choose one of {', '.join(READS)}"
        raise FormatError(f"reads is {reads!r:.60}", path=path, remedy=remedy)
    orders, labels = tables(content, "orders", path), tables(content, "labels", path)
    for one in orders:
        check_keys(one, ORDER_KEYS, "[[orders]]", path)
    for one in labels:
        check_keys(one, LABEL_KEYS, "[[labels]]", path)
    rules = tuple(order_rule(one, content, path) for one in orders)
    changes = tuple(label_rule(one, content, path) for one in labels)
    if not rules and not changes:
        remedy = "write a table [[orders]] or [[labels]]"
        raise FormatError("it says of nothing that it may differ", path=path, remedy=remedy)
    twice = [
        name
        for names in (
            [label for rule in rules for label in rule.labels],
            [c.label for c in changes],
        )
        for name, count in Counter(names).items()
        if count > 1
    ]
    if twice:
        remedy = "join the two"
        raise FormatError(f"two rules for the label {twice[0]!r}", path=path, remedy=remedy)
    keep = frozenset(texts(content.get("keep", []), "keep", path))
    return ConstituentGrammar(rules, changes, keep, reads, targets)


def order_rule(one: Mapping[str, Any], above: Mapping[str, Any], path: object) -> OrderRule:
    labels = texts(one.get("labels"), "labels", path)
    orders = tuple(tuple(order.split()) for order in texts(one.get("orders"), "orders", path))
    if len(set(orders)) < len(orders) or not all(orders) or not orders or not labels:
        remedy = 'give labels and orders, each once: orders = ["a n", "n a"]'
        raise FormatError(f"orders of {labels!r:.60}", path=path, remedy=remedy)
    return OrderRule(tuple(labels), orders, *priors(one, above, path))


def label_rule(one: Mapping[str, Any], above: Mapping[str, Any], path: object) -> LabelRule:
    label = one.get("label")
    becomes = texts(one.get("becomes"), "becomes", path)
    if not isinstance(label, str) or label not in becomes:
        remedy = 'name it among what it becomes: label = "DET", becomes = ["DET", "PRON"]'
        raise FormatError(f"the label {label!r:.60} cannot stay", path=path, remedy=remedy)
    return LabelRule(label, tuple(dict.fromkeys(becomes)), *priors(one, above, path))


def priors(one: Mapping[str, Any], above: Mapping[str, Any], path: object) -> tuple[float, float]:
    """Prior counts of a rule, else of the file, else 1."""
    found = [one.get(name, above.get(name, 1.0)) for name in ("same", "other")]
    for name, value in zip(("same", "other"), found, strict=True):
        right = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
        if not right:
            raise FormatError(f"{name} is {value!r:.60}", path=path, remedy="give a number above 0")
    return float(found[0]), float(found[1])


def tables(content: Mapping[str, Any], name: str, path: object) -> list[dict[str, Any]]:
    found = content.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise FormatError(f"{name} is no table", path=path, remedy=f"write [[{name}]]")
    return found


def texts(value: Any, name: str, path: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        remedy = f'list texts: {name} = ["...", "..."]'
        raise FormatError(f"{name} is {value!r:.60}", path=path, remedy=remedy)
    return value


def check_keys(
    content: Mapping[str, Any], known: tuple[str, ...], where: str, path: object
) -> None:
    for name in content:
        if name not in known:
            raise UnknownName(f"key of {where}", name, known, path=path)
