"""Treebank transfer from files: a treebank, a text and a transfer file in, a treebank out.

A file beside the output has the parameters, each with its posterior mean, a 95 % interval, R-hat
and the effective sample size (`glyphone.treebank.sampling.diagnostics`). For transfer files see
`glyphone.treebank.transfer.settings`.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/b.txt"
>>> with open(path, "w") as file:
...     _ = file.write("it rains .")
>>> read_text(path, "words")
('words', [['it', 'rains']])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from glyphone.data import progress
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.lines import open_text_output, read_lines
from glyphone.data.treebanks.conllu import read_conllu, write_conllu
from glyphone.data.treebanks.dependencies import PUNCTUATION, Sentence
from glyphone.io.messages import print_message, report_errors
from glyphone.io.paths import check_distinct
from glyphone.io.rows import ESCAPES
from glyphone.io.tables import format_table
from glyphone.treebank.constructions import LEAST, orders_of
from glyphone.treebank.reading import form_of
from glyphone.treebank.sampling.chains import SamplingOptions
from glyphone.treebank.sampling.checkpoint import Checkpoint
from glyphone.treebank.sampling.choosing import TreeChoice
from glyphone.treebank.sampling.diagnostics import Estimate
from glyphone.treebank.sampling.impute import ImputationPlan
from glyphone.treebank.transfer.dependencies import DependencyResult, transfer_dependencies
from glyphone.treebank.transfer.settings import (
    CONSTITUENTS,
    DependencySettings,
    TransferSettings,
    read_content,
    read_dependency_settings,
)
from glyphone.treebank.transfer.word_classes import Reads, choose_reads, class_lines

ESTIMATES = ("mean", "low", "high", "rhat", "effective")
HEADER = ("class", "count", "source", *ESTIMATES)
# Chains have not converged above this R-hat; estimates from fewer effective draws are poor.
MOST_RHAT, LEAST_DRAWS = 1.2, 10


@dataclass(frozen=True, kw_only=True)
class TransferJob:
    """Input and output files and options; parameters and checkpoints stand beside the output."""

    source: str
    text: str
    model: str
    output: str
    options: SamplingOptions
    way: TreeChoice = "frequent"
    n_trees: int = 1
    jobs: int = 1
    resume: bool = False

    @property
    def parameters_path(self) -> str:
        return f"{self.output}.parameters.tsv"

    @property
    def frequencies_path(self) -> str:
        """The file of frequencies of trees in brackets, which have no comments."""
        return f"{self.output}.frequencies.tsv"

    @contextmanager
    def open_plan(self, settings: TransferSettings) -> Iterator[ImputationPlan]:
        """The plan of the job, which counts its sweeps as a step."""
        options = self.options
        with progress.step("sweeps", options.iterations * options.chains) as sweeps:
            yield ImputationPlan(
                options=options,
                order=settings.order,
                refined=settings.refined,
                way=self.way,
                n_trees=self.n_trees,
                jobs=self.jobs,
                checkpoint=Checkpoint(f"{self.output}.checkpoint", self.resume),
                on_sweep=sweeps.advance,
            )


def transfer_files(job: TransferJob) -> int:
    """Writes the imputed treebank and its parameters; returns the count of refused sentences."""
    check_distinct(
        read=[job.source, job.text, job.model],
        written=[job.output, job.parameters_path, job.frequencies_path],
        what="source, text, model and output",
        options="-o",
    )
    kind, content = read_content(job.model)
    form, ending = ("brackets", ".trees") if kind == CONSTITUENTS else ("conllu", ".conllu")
    if form_of(job.source) != form:
        message, remedy = f"the transfer file is for {kind}", f"give a {ending} file"
        raise GlyphoneError(message, path=job.source, remedy=remedy)
    if kind == CONSTITUENTS:
        from glyphone.treebank.transfer.constituent_files import transfer_constituent_files

        return transfer_constituent_files(job, content)
    return transfer_dependency_files(job, read_dependency_settings(job.model))


def transfer_dependency_files(job: TransferJob, settings: DependencySettings) -> int:
    refused: list[FormatError] = []
    source = [*read_conllu(job.source, on_error=refused.append)]
    if refused and not source:
        raise refused[0]
    reads, text = read_text(job.text, settings.reads, source)
    vocabulary = {word for line in text for word in line} if reads == "words" else set()
    grammar = settings.make_grammar(reads, settings.make_lexicon(vocabulary))
    check_classes(source, (*settings.fixed, *settings.dropped), job.model)
    if job.options.strength is None:
        job = replace(job, options=replace(job.options, strength=settings.strength))
    with job.open_plan(settings) as plan:
        result = transfer_dependencies(source, text, grammar=grammar, plan=plan)
    write_conllu(result.sentences, job.output)
    write_parameters(result, job.parameters_path)
    for error in result.refused:
        error.path = job.source
    report_errors([*refused, *result.refused], "sentences left out")
    print(result_page(result, job.output))
    report_chains([row.estimate for row in result.classes if row.count >= LEAST])
    return len(refused) + len(result.refused)


def report_chains(estimates: Sequence[Estimate]) -> None:
    """Reports on stderr if chains have not converged, or have too few effective draws."""
    worst = max((one.rhat for one in estimates if one.rhat == one.rhat), default=1.0)
    fewest = min((one.effective for one in estimates), default=LEAST_DRAWS)
    if worst > MOST_RHAT:
        print_message(f"chains differ (R-hat {worst:.2f}): take more --iterations")
    elif fewest < LEAST_DRAWS:
        print_message(
            f"a parameter has {fewest:.0f} effective draws: take more --iterations or --chains"
        )


def check_classes(source: Sequence[Sentence], named: Sequence[str], path: str) -> None:
    """Refuses classes that no dependent of the source has."""
    known = orders_of(source)
    for name in named:
        if name not in known:
            raise UnknownName("class of dependents in the source", name, known, path=path)


def read_text(
    path: str, reads: Reads, source: Sequence[Sentence] = ()
) -> tuple[Reads, list[list[str]]]:
    """Sentences of a text, and which symbols they have: words, tags, or tags and finite verbs.

    A CoNLL-U file gives words or classes of words, another file the tokens between spaces.
    Punctuation is left out: PUNCT, and words without a letter or digit. Tags of CoNLL-U are
    replaced by tags and finite verbs if the source is nearer to the text by these.
    """
    if path.removesuffix(".gz").endswith(".conllu"):
        sentences = [*read_conllu(path, trees=False)]
        if reads == "tags" and source and sentences:
            reads = choose_reads(source, sentences)
        lines = class_lines(sentences, reads)
    else:
        lines = [
            [
                token
                for token in line.split()
                if token != PUNCTUATION and any(map(str.isalnum, token))
            ]
            for _, line in read_lines(path)
        ]
    text = [line for line in lines if line]
    if not text:
        remedy = "write one sentence a line, with spaces between its words"
        raise FormatError("there is no text in it", path=path, remedy=remedy)
    return reads, text


def write_parameters(result: DependencyResult, path: str) -> None:
    """Writes the shares on the right by class, in the source, and their posteriors."""
    with open_text_output(path) as output:
        output.write("\t".join(HEADER) + "\n")
        for row in result.classes:
            cells = (row.name.translate(ESCAPES), str(row.count), f"{row.source_share:.4f}")
            output.write("\t".join((*cells, *estimate_cells(row.estimate))) + "\n")


def estimate_cells(one: Estimate) -> list[str]:
    """The cells of an estimate in a file of parameters."""
    return [*(f"{x:.4f}" for x in (one.mean, one.low, one.high, one.rhat)), f"{one.effective:.1f}"]


def result_page(result: DependencyResult, output: str) -> str:
    """Counts of the imputed treebank and a table of its classes, for people."""
    head = (
        f"{output}: {len(result.sentences)} sentences, {result.words} words without punctuation\n"
        f"{result.unseen} of them are not in the text; {result.moved} moved because arcs cross"
    )
    rows = [
        (
            row.name, str(row.count), f"{row.source_share:.3f}", f"{row.estimate.mean:.3f}",
            f"{row.estimate.low:.3f} to {row.estimate.high:.3f}",
            f"{row.estimate.rhat:.2f}", f"{row.estimate.effective:.0f}",
        )
        for row in result.classes
        if row.count >= LEAST
    ]  # fmt: skip
    if not rows:
        return head
    header = ("on the right", "count", "source", "imputed", "95 %", "R-hat", "draws")
    return f"{head}\n\n{format_table([header, *rows], '<>>>>>>')}"
