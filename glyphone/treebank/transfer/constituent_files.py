"""Transfer of constituents from files: trees in brackets, a text and a transfer file in, trees out.

A file beside the output has the parameters, a line for each outcome of each multinomial. Another
file has the frequency of each tree with the number of its source, because trees in brackets have no
comments. For transfer files see `glyphone.treebank.transfer.constituent_settings` and
`glyphone.treebank.transfer.settings`.

>>> import tempfile
>>> from glyphone.treebank.sampling.chains import SamplingOptions
>>> folder = tempfile.mkdtemp()
>>> texts = {"a.trees": "(S (a vieja) (n casa))", "a.txt": "n a"}
>>> for name, written in texts.items():
...     with open(f"{folder}/{name}", "w") as file:
...         _ = file.write(written + chr(10))
>>> content = {"orders": [{"labels": ["S"], "orders": ["a n", "n a"]}]}
>>> job = TransferJob(
...     source=f"{folder}/a.trees", text=f"{folder}/a.txt", model="transfer.toml",
...     output=f"{folder}/out.trees", options=SamplingOptions(iterations=80))
>>> transfer_constituent_files(job, content)  # doctest: +ELLIPSIS
/...out.trees: 1 trees; 0 words are not in the text
0
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glyphone.data.errors import FormatError
from glyphone.data.lines import open_text_output
from glyphone.data.records import Tree
from glyphone.data.treebanks.brackets import read_trees, write_trees
from glyphone.io.messages import report_errors
from glyphone.io.rows import ESCAPES
from glyphone.treebank.transfer.constituent_forests import ConstituentGrammar
from glyphone.treebank.transfer.constituent_settings import grammar_of
from glyphone.treebank.transfer.constituents import ConstituentResult, transfer_constituents
from glyphone.treebank.transfer.files import (
    ESTIMATES,
    TransferJob,
    estimate_cells,
    read_text,
    report_chains,
)
from glyphone.treebank.transfer.settings import split_settings

HEADER = ("multinomial", "outcome", *ESTIMATES)
FREQUENCIES = ("tree", "source", "frequency")


def transfer_constituent_files(job: TransferJob, content: Mapping[str, Any]) -> int:
    """Writes the imputed trees and their parameters; returns the count of refused source trees."""
    settings, rules = split_settings(content, job.model)
    grammar = grammar_of(rules, path=job.model)
    refused: list[FormatError] = []
    source: dict[int, Tree] = {}
    for tree in read_trees(job.source, on_error=refused.append):
        source[len(source) + len(refused) + 1] = tree
    if refused and not source:
        raise refused[0]
    _, text = read_text(job.text, grammar.reads)
    grammar.targets = settings.make_lexicon(word for line in text for word in line).targets
    with job.open_plan(settings) as plan:
        result = transfer_constituents(
            [*source.values()], text, grammar=grammar, plan=plan, numbers=[*source]
        )
    write_trees(result.trees, job.output)
    write_frequencies(result, job.frequencies_path)
    write_parameters(grammar, result, job.parameters_path)
    for error in result.refused:
        error.path = job.source
    report_errors([*refused, *result.refused], "trees left out")
    print(f"{job.output}: {len(result.trees)} trees; {result.unseen} words are not in the text")
    rows = [row for row in grammar.rows for _ in row.outcomes]
    free = [number for number, row in enumerate(rows) if len(row.outcomes) > 1]
    report_chains([result.estimate(number) for number in free])
    return len(refused) + len(result.refused)


def write_frequencies(result: ConstituentResult, path: str) -> None:
    """Writes the number of the source tree and the posterior frequency of each output tree."""
    with open_text_output(path) as output:
        output.write("\t".join(FREQUENCIES) + "\n")
        rows = zip(result.sources, result.frequencies, strict=True)
        for number, (source, share) in enumerate(rows, 1):
            output.write(f"{number}\t{source}\t{share:.3f}\n")


def write_parameters(grammar: ConstituentGrammar, result: ConstituentResult, path: str) -> None:
    """Writes the posterior of every outcome of every multinomial."""
    rows = [(row.name, outcome) for row in grammar.rows for outcome in row.outcomes]
    with open_text_output(path) as output:
        output.write("\t".join(HEADER) + "\n")
        for number, names in enumerate(rows):
            cells = [name.translate(ESCAPES) for name in names]
            output.write("\t".join([*cells, *estimate_cells(result.estimate(number))]) + "\n")
