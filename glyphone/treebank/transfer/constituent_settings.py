"""Transfer files for constituents, in TOML.

    kind = "constituents"
    reads = "tags"                   # symbols of the language model: "tags", or "words"
    keep = ["NP", "PP"]              # labels whose children keep their order; "*": all others
    same = 1.0                       # prior count of the order or label of the target
    other = 1.0                      # prior count of the other orders or labels

    [[orders]]
    labels = ["S", "O"]
    orders = ["a n", "n a"]
    same = 10.0                      # a rule may have its own prior counts

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
    TargetFunction,
    keep_word,
)

KEYS = ("reads", "keep", "same", "other", "orders", "labels")
ORDER_KEYS = ("labels", "orders", "same", "other")
LABEL_KEYS = ("label", "becomes", "same", "other")
READS = ("tags", "words")


def grammar_of(
    content: Mapping[str, Any], *, targets: TargetFunction = keep_word, path: object = None
) -> ConstituentGrammar:
    """The grammar of a transfer file; FormatError for unknown keys and impossible values."""
    check_keys(content, KEYS, "a transfer file for constituents", path)
    reads = content.get("reads", "tags")
    if reads not in READS:
        remedy = f"choose one of {', '.join(READS)}"
        raise FormatError(f"reads is {reads!r:.60}", path=path, remedy=remedy)
    orders, labels = table_list(content, "orders", path), table_list(content, "labels", path)
    for one in orders:
        check_keys(one, ORDER_KEYS, "[[orders]]", path)
    for one in labels:
        check_keys(one, LABEL_KEYS, "[[labels]]", path)
    rules = tuple(order_rule(one, content, path) for one in orders)
    changes = tuple(label_rule(one, content, path) for one in labels)
    if not rules and not changes:
        remedy = "write a table [[orders]] or [[labels]]"
        raise FormatError("has no rules", path=path, remedy=remedy)
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
    keep = frozenset(text_list(content.get("keep", []), "keep", path))
    return ConstituentGrammar(rules, changes, keep, reads, targets)


def order_rule(one: Mapping[str, Any], above: Mapping[str, Any], path: object) -> OrderRule:
    labels = text_list(one.get("labels"), "labels", path)
    orders = tuple(tuple(order.split()) for order in text_list(one.get("orders"), "orders", path))
    if len(set(orders)) < len(orders) or not all(orders) or not orders or not labels:
        remedy = 'give labels and orders, each once: orders = ["a n", "n a"]'
        raise FormatError(f"orders of {labels!r:.60}", path=path, remedy=remedy)
    return OrderRule(tuple(labels), orders, *prior_counts(one, above, path))


def label_rule(one: Mapping[str, Any], above: Mapping[str, Any], path: object) -> LabelRule:
    label = one.get("label")
    becomes = text_list(one.get("becomes"), "becomes", path)
    if not isinstance(label, str) or label not in becomes:
        remedy = 'list the label itself, too: label = "DET", becomes = ["DET", "PRON"]'
        raise FormatError(f"the label {label!r:.60} cannot stay", path=path, remedy=remedy)
    return LabelRule(label, tuple(dict.fromkeys(becomes)), *prior_counts(one, above, path))


def prior_counts(
    one: Mapping[str, Any], above: Mapping[str, Any], path: object
) -> tuple[float, float]:
    """The prior counts `same` and `other` of a rule, else of the file, else 1."""
    counts = [one.get(name, above.get(name, 1.0)) for name in ("same", "other")]
    for name, value in zip(("same", "other"), counts, strict=True):
        right = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
        if not right:
            raise FormatError(f"{name} is {value!r:.60}", path=path, remedy="give a number above 0")
    return float(counts[0]), float(counts[1])


def table_list(content: Mapping[str, Any], name: str, path: object) -> list[dict[str, Any]]:
    tables = content.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise FormatError(f"{name} is no table", path=path, remedy=f"write [[{name}]]")
    return tables


def text_list(value: Any, name: str, path: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        remedy = f'list texts: {name} = ["...", "..."]'
        raise FormatError(f"{name} is {value!r:.60}", path=path, remedy=remedy)
    return value


def check_keys(
    content: Mapping[str, Any], known: tuple[str, ...], where: str, path: object
) -> None:
    for name in content:
        if name not in known:
            raise UnknownName(f"key of {where}", name, known, path=path)
