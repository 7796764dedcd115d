"""How files of models are asked, and what they answer, as JSON has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import glyphone
from glyphone.data.kernels import jit
from glyphone.fst.storage import container as storage_container
from glyphone.models.learners import file as learner_file
from glyphone.pipelines import pipeline
from glyphone.treebank.sampling.checkpoint import read_state
from glyphone.voicemail import model as voicemail_file
from glyphone.voicemail.callers import file as caller_file
from glyphone.voicemail.findings import findings_row
from glyphone.voicemail.numbers import file as number_file

# Of the answers of a string model.
N_BEST = 3


def answers(path: Path, asked_by: str, asked: Sequence[Any]) -> list[Any]:
    """The answers of a file to all questions.

    Plain Python finds it: what is compiled adds up 32 bits in another order, and differs in the
    ninth digit.
    """
    how, _, rule = asked_by.partition(" ")
    with patch.object(jit, "PLAIN_BUDGET", 10**12):
        return plain(WAYS[how](Path(f"{path}:{rule}") if rule else path, asked))


def plain(value: Any) -> Any:
    """A value as it comes back from JSON; numbers of numpy become Python's."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    return [*map(plain, value)] if isinstance(value, list | tuple) else value


def of_model(path: Path, texts: Sequence[str]) -> list[Any]:
    """The n best answers, with the costs and posteriors of the first of them as `score` has it."""
    model = glyphone.load(path)
    found = []
    for text in texts:
        best = model.nbest(text, n=N_BEST)
        rows = [[one.output, one.cost, one.posterior, one.symbols, one.spans] for one in best]
        score = model.score(text, best[0].output)
        found.append({"nbest": rows, "score": [score.log_probability, score.posterior]})
    return found


def of_pipeline(path: Path, texts: Sequence[str]) -> list[Any]:
    run = pipeline.load(path)
    return [
        [
            [one.span, one.text, one.value, one.score, dict(one.features)]
            for one in run(text).candidates
        ]
        for text in texts
    ]


def of_voicemail(path: Path, texts: Sequence[str]) -> list[Any]:
    model = voicemail_file.load(path)
    return [findings_row(model(text)) for text in texts]


def of_numbers(path: Path, texts: Sequence[str]) -> list[Any]:
    found = number_file.load(path).find([text.split() for text in texts])
    return [[[one.begin, one.end, one.digits, one.score] for one in row] for row in found]


def of_caller(path: Path, texts: Sequence[str]) -> list[Any]:
    return [one._asdict() for one in caller_file.load(path).find([text.split() for text in texts])]


def of_rows(path: Path, rows: Sequence[Any]) -> list[Any]:
    learner = learner_file.load(path)
    columns = zip(learner.predict(rows), learner.predict_proba(rows), strict=True)
    return [[label, shares] for label, shares in columns]


def of_chain(path: Path, sentences: Sequence[Any]) -> list[Any]:
    learner = learner_file.load(path)
    marginals = learner.predict_marginals(sentences)
    ways = learner.predict_nbest(sentences, n=N_BEST)
    return [
        {"marginals": shares, "nbest": [[way.labels, way.probability] for way in some]}
        for shares, some in zip(marginals, ways, strict=True)
    ]


def of_segments(path: Path, sentences: Sequence[Any]) -> list[Any]:
    """The n best labellings, and the probabilities of segments."""
    learner = learner_file.load(path)
    ways = learner.predict_nbest(sentences, n=N_BEST)
    rows = learner.segment_probabilities(sentences, least=0.01)
    return [
        {
            "nbest": [[way.labels, way.probability] for way in some],
            "segments": [[one.begin, one.end, one.kind, share] for one, share in row.items()],
        }
        for some, row in zip(ways, rows, strict=True)
    ]


def of_sentences(path: Path, sentences: Sequence[Any]) -> list[Any]:
    return [*learner_file.load(path).predict(sentences)]


def of_checkpoint(path: Path, _: Sequence[Any]) -> list[Any]:
    state = read_state(storage_container.read(path, kinds=["transfer-checkpoint"]))
    trees = [sorted([tree, count] for tree, count in some.items()) for some in state.trees]
    return [{**vars(state), "last": [*state.last], "trees": trees}]


WAYS: dict[str, Callable[[Path, Sequence[Any]], list[Any]]] = {
    "model": of_model,
    "rule": of_model,
    "pipeline": of_pipeline,
    "voicemail": of_voicemail,
    "numbers": of_numbers,
    "caller": of_caller,
    "rows": of_rows,
    "chain": of_chain,
    "segments": of_segments,
    "sentences": of_sentences,
    "checkpoint": of_checkpoint,
}
