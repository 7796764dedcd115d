"""Transfer of constituents from files: trees in brackets, a text and a transfer file in, trees out.

Beside the output stand the parameters: a line for each outcome of each multinomial, with its
posterior mean, a 95 % interval and R-hat. For transfer files see `glyphone.fst.transfer_file`.

>>> import tempfile
>>> from glyphone.treebank.sampling import SamplingOptions
>>> folder = tempfile.mkdtemp()
>>> texts = {"a.trees": "(S (a vieja) (n casa))", "a.txt": "n a"}
>>> for name, written in texts.items():
...     with open(f"{folder}/{name}", "w") as file:
...         _ = file.write(written + chr(10))
>>> content = {"orders": [{"labels": ["S"], "orders": ["a n", "n a"]}]}
>>> job = TransferJob(
...     source=f"{folder}/a.trees", text=f"{folder}/a.txt", model="transfer.toml",
...     output=f"{folder}/out.trees", options=SamplingOptions(iterations=20))
>>> transfer_constituent_files(job, content)  # doctest: +ELLIPSIS
/...out.trees: 1 trees; 0 words are not in the text
0
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tqdm import tqdm

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.lines import open_text_output
from glyphone.data.trees import read_trees, write_trees
from glyphone.fst.transfer import ConstituentGrammar
from glyphone.fst.transfer_file import grammar_of
from glyphone.lexicon_files import tell
from glyphone.references import say
from glyphone.rows import ESCAPES
from glyphone.treebank.constituent_transfer import ConstituentResult, transfer_constituents
from glyphone.treebank.transfer_files import MOST_RHAT, TransferJob, read_text

HEADER = ("multinomial", "outcome", "mean", "low", "high", "rhat")


def transfer_constituent_files(job: TransferJob, content: Mapping[str, Any]) -> int:
    """Writes the imputed trees and their parameters; how many source trees were refused."""
    if job.way != "frequent" or job.n_trees != 1:
        remedy = "use glyphone treebank transfer"
        raise GlyphoneError("of constituents only the most frequent tree is given", remedy=remedy)
    if job.resume:
        remedy = "leave out --resume"
        raise GlyphoneError("a transfer of constituents cannot be resumed", remedy=remedy)
    grammar = grammar_of(content, path=job.model)
    refused: list[FormatError] = []
    source = [*read_trees(job.source, on_error=refused.append)]
    _, text = read_text(job.text, grammar.reads)
    options = job.options
    with tqdm(total=options.iterations * options.chains, desc="sweeps", disable=None) as bar:

        def on_sweep() -> None:
            bar.update()

        result = transfer_constituents(
            source,
            text,
            grammar=grammar,
            iterations=options.iterations,
            chains=options.chains,
            seed=options.seed,
            budget=options.budget,
            on_sweep=on_sweep,
        )
    write_trees(result.trees, job.output)
    write_parameters(grammar, result, job.parameters)
    for error in result.refused:
        error.path = job.source
    tell([*refused, *result.refused], "trees left out")
    print(f"{job.output}: {len(result.trees)} trees; {result.unseen} words are not in the text")
    worst = max(result.estimate(number).rhat for number in range(result.draws.shape[2]))
    if worst > MOST_RHAT:
        say(f"chains differ (R-hat {worst:.2f}): take more --iterations")
    return len(refused) + len(result.refused)


def write_parameters(grammar: ConstituentGrammar, result: ConstituentResult, path: str) -> None:
    """The posterior of every outcome of every multinomial."""
    rows = [(row.name, outcome) for row in grammar.rows for outcome in row.outcomes]
    with open_text_output(path) as output:
        output.write("\t".join(HEADER) + "\n")
        for number, names in enumerate(rows):
            one = result.estimate(number)
            cells = [name.translate(ESCAPES) for name in names]
            cells += [f"{x:.4f}" for x in (one.mean, one.low, one.high, one.rhat)]
            output.write("\t".join(cells) + "\n")
