"""Treebank transfer from files: a treebank, a text and a transfer file in, a treebank out.

A transfer file is TOML; all but the kind may be left out:

    kind = "dependencies"
    reads = "words"                     # what the language model sees: words of the text, or
                                        # "tags", of which a CoNLL-U text may have finite verbs
                                        # apart, as the text tells (`word_classes`), or "finite"
    dictionary = "words.tsv"            # WORD<TAB>TRANSLATION[<TAB>WEIGHT]
    cognates = "cognates.glyphone"      # a model that writes other words of the source
    fixed = ["det", "case"]             # classes of dependents that keep their side
    given = "source"                    # sides of the target by those of the source, or "target"
    strength = 200                      # how firmly the order of the source is believed; else
                                        # as the text tells (`glyphone.treebank.nearness`)
    order = 2                           # of the n-gram model
    refined = false                     # true: imputed trees add to a model of bigrams

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/transfer.toml"
>>> with open(path, "w") as file:
...     _ = file.write('kind = "dependencies"\\nreads = "tags"\\nfixed = ["det"]')
>>> told = read_transfer(path)
>>> told.reads, told.fixed, told.order, told.refined
('tags', ('det',), 2, False)
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from glyphone.data.conllu import read_conllu, write_conllu
from glyphone.data.dependency_trees import PUNCTUATION, Sentence
from glyphone.data.errors import FormatError, GlyphoneError, UnknownName
from glyphone.data.lines import open_text_output, read_lines
from glyphone.lexicon_files import check_distinct, tell
from glyphone.references import say
from glyphone.rows import ESCAPES
from glyphone.scorecard import table
from glyphone.treebank.checkpoint import Checkpoint
from glyphone.treebank.choosing import Way
from glyphone.treebank.constructions import LEAST
from glyphone.treebank.dependency_forests import GIVEN, Given, Grammar
from glyphone.treebank.dependency_transfer import Result, transfer
from glyphone.treebank.lexical import lexicon_of
from glyphone.treebank.reading import form_of
from glyphone.treebank.sampling import SamplingOptions
from glyphone.treebank.word_classes import READS, Reads, lines_of, nearest

KIND, CONSTITUENTS = "dependencies", "constituents"
HEADER = ("class", "count", "source", "mean", "low", "high", "rhat")
# Chains that differ by more than this have not met.
MOST_RHAT = 1.2


@dataclass(frozen=True, kw_only=True)
class TransferFile:
    """What a transfer file says; paths are as seen from where the command runs."""

    reads: Reads = "words"
    dictionary: str | None = None
    cognates: str | None = None
    fixed: tuple[str, ...] = ()
    given: Given = "source"
    strength: float | None = None
    order: int = 2
    refined: bool = False


@dataclass(frozen=True, kw_only=True)
class TransferJob:
    """Files in and out; parameters, and until the end a checkpoint, go beside the output."""

    source: str
    text: str
    model: str
    output: str
    options: SamplingOptions
    way: Way = "frequent"
    n_trees: int = 1
    resume: bool = False

    @property
    def parameters(self) -> str:
        return f"{self.output}.parameters.tsv"


def content_of(path: str) -> dict[str, Any]:
    """What stands in a transfer file, whatever its kind."""
    try:
        return tomllib.loads("\n".join(line for _, line in read_lines(path)))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(
            f"no TOML: {error}", path=path, remedy="see docs/treebank-transfer.md"
        ) from error


def read_transfer(path: str) -> TransferFile:
    """A transfer file for dependencies; FormatError for what it cannot say."""
    content = content_of(path)
    kind = content.pop("kind", None)
    if kind == CONSTITUENTS:
        remedy = "give one for dependencies"
        raise FormatError("the transfer file is for constituents", path=path, remedy=remedy)
    if kind != KIND:
        raise UnknownName("kind of transfer", str(kind), [KIND, CONSTITUENTS], path=path)
    names = [field.name for field in fields(TransferFile)]
    for name, value in content.items():
        if name not in names:
            raise UnknownName("key of a transfer file", name, names, path=path)
        _check(name, value, path)
    if "fixed" in content:
        content["fixed"] = tuple(content["fixed"])
    for name in ("dictionary", "cognates"):
        if name in content and (beside := Path(path).parent / content[name]).exists():
            content[name] = str(beside)
    told = TransferFile(**content)
    if told.refined and told.order != 2:
        raise FormatError("order is not 2", path=path, remedy="only bigrams can be refined")
    return told


def _check(name: str, value: Any, path: str) -> None:
    right, remedy = {
        "reads": (value in READS, f"choose one of {', '.join(READS)}"),
        "dictionary": (isinstance(value, str), "name a file in quotes"),
        "cognates": (isinstance(value, str), "name a model in quotes"),
        "fixed": (
            isinstance(value, list) and all(isinstance(one, str) for one in value),
            'list classes: ["det", "nsubj(VERB)"]',
        ),
        "given": (value in GIVEN, f"choose one of {', '.join(GIVEN)}"),
        "strength": (_is_number(value) and value > 0, "give a number above 0"),
        "order": (_is_number(value) and value in range(1, 10), "give a number from 1 to 9"),
        "refined": (isinstance(value, bool), "write true or false"),
    }[name]
    if not right:
        raise FormatError(f"{name} is {value!r:.60}", path=path, remedy=remedy)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def transfer_files(job: TransferJob) -> int:
    """Writes the imputed treebank and its parameters; how many sentences were refused."""
    check_distinct(
        read=[job.source, job.text, job.model],
        written=[job.output, job.parameters],
        what="source, text, model and output",
        options="-o",
    )
    content = content_of(job.model)
    kind = CONSTITUENTS if content.get("kind") == CONSTITUENTS else KIND
    form, ending = ("brackets", ".trees") if kind == CONSTITUENTS else ("conllu", ".conllu")
    if form_of(job.source) != form:
        message, remedy = f"the transfer file is for {kind}", f"give a {ending} file"
        raise GlyphoneError(message, path=job.source, remedy=remedy)
    if kind == CONSTITUENTS:
        from glyphone.treebank.constituent_files import transfer_constituent_files

        del content["kind"]
        return transfer_constituent_files(job, content)
    told = read_transfer(job.model)
    refused: list[FormatError] = []
    source = [*read_conllu(job.source, on_error=refused.append)]
    reads, text = read_text(job.text, told.reads, source)
    vocabulary = {word for line in text for word in line} if reads == "words" else set()
    lexicon = lexicon_of(told.dictionary, told.cognates, vocabulary=vocabulary)
    grammar = Grammar(reads, lexicon, told.fixed, told.given)
    options = job.options
    if options.strength is None:
        options = replace(options, strength=told.strength)
    check_classes(source, told.fixed, job.model)
    with tqdm(total=options.iterations * options.chains, desc="sweeps", disable=None) as bar:

        def on_sweep() -> None:
            bar.update()

        result = transfer(
            source,
            text,
            grammar=grammar,
            options=options,
            order=told.order,
            refined=told.refined,
            way=job.way,
            n_trees=job.n_trees,
            checkpoint=Checkpoint(f"{job.output}.checkpoint", job.resume),
            on_sweep=on_sweep,
        )
    write_conllu(result.sentences, job.output)
    write_parameters(result, job.parameters)
    for error in result.refused:
        error.path = job.source
    tell([*refused, *result.refused], "sentences left out")
    print(page(result, job.output))
    worst = max((row.estimate.rhat for row in result.classes if row.count >= LEAST), default=1.0)
    if worst > MOST_RHAT:
        say(f"chains differ (R-hat {worst:.2f}): take more --iterations")
    return len(refused) + len(result.refused)


def check_classes(source: Sequence[Sentence], fixed: Sequence[str], path: str) -> None:
    """Refuses classes that no dependent of the source has."""
    from glyphone.treebank.constructions import orders_of

    known = orders_of(source)
    for name in fixed:
        if name not in known:
            raise UnknownName("class of dependents in the source", name, known, path=path)


def read_text(
    path: str, reads: Reads, source: Sequence[Sentence] = ()
) -> tuple[Reads, list[list[str]]]:
    """What is read of a text: of CoNLL-U its words or their classes, of lines what spaces divide.

    Punctuation is left out: PUNCT, and words without a letter or digit. Where tags are read, finite
    verbs are apart if a source is nearer so.
    """
    if path.removesuffix(".gz").endswith(".conllu"):
        sentences = [*read_conllu(path, trees=False)]
        if reads == "tags" and source and sentences:
            reads = nearest(source, sentences)
        lines = lines_of(sentences, reads)
    else:
        lines = [
            [
                token
                for token in line.split()
                if token != PUNCTUATION and any(map(str.isalnum, token))
            ]
            for _, line in read_lines(path)
        ]
    found = [line for line in lines if line]
    if not found:
        remedy = "write one sentence a line, with spaces between its words"
        raise FormatError("there is no text in it", path=path, remedy=remedy)
    return reads, found


def write_parameters(result: Result, path: str) -> None:
    """Shares of the right-hand side, by class: in the source, and their posteriors."""
    with open_text_output(path) as output:
        output.write("\t".join(HEADER) + "\n")
        for row in result.classes:
            one = row.estimate
            shares = (row.source_share, one.mean, one.low, one.high, one.rhat)
            cells = (row.name.translate(ESCAPES), str(row.count), *(f"{x:.4f}" for x in shares))
            output.write("\t".join(cells) + "\n")


def page(result: Result, output: str) -> str:
    """What became of the treebank, for people."""
    head = (
        f"{output}: {len(result.sentences)} sentences, {result.words} words without punctuation\n"
        f"{result.unseen} of them are not in the text; {result.moved} moved because arcs cross"
    )
    rows = [
        (
            row.name, str(row.count), f"{row.source_share:.3f}", f"{row.estimate.mean:.3f}",
            f"{row.estimate.low:.3f} to {row.estimate.high:.3f}",
        )
        for row in result.classes
        if row.count >= LEAST
    ]  # fmt: skip
    if not rows:
        return head
    header = ("on the right", "count", "source", "imputed", "95 %")
    return f"{head}\n\n{table([header, *rows], '<>>>>')}"
