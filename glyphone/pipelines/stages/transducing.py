"""Stages that ask a transducer: for answers, for what stands in a text, and for probabilities.

>>> from glyphone.data.writing import Writing
>>> from glyphone.fst.rules.cascade import cascade
>>> rules = cascade(letters="one two", phones="1 2", source=Writing("token"),
...                 rules=["one -> 1", "two -> 2"])
>>> (item,) = Find(model=TransducerModel.of(rules))([Item("call two one now")])
>>> [(candidate.text, candidate.value, candidate.span) for candidate in item.candidates]
[('two one', '2 1', (5, 12))]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, cast

from glyphone.data.errors import ItemError
from glyphone.data.fields import Between, WrongSetting
from glyphone.data.records import Candidate, Hypothesis
from glyphone.fst.interface.answers import Answers
from glyphone.fst.transducers.model import TransducerModel
from glyphone.pipelines.registry import Item, add_score
from glyphone.pipelines.resources import Transducer
from glyphone.pipelines.stages.scanning import Run, Scanner, outermost_runs

# What a pair that a model finds impossible counts as, in nats, so that sums stay numbers.
IMPOSSIBLE = -1e4


@dataclass(frozen=True)
class Transduce:
    """The n best answers to each text as candidates, with their posteriors as scores.

    `feature` is the name under which a candidate has its log probability.
    """

    model: Transducer
    n: Annotated[int, Between(1, 100_000)] = 1
    feature: str = "transducer"

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        answers = self.model.answer([item.text for item in items], n=self.n)
        return [self.with_answers(item, k, answers) for k, item in enumerate(items)]

    def with_answers(self, item: Item, number: int, answers: Answers) -> Item:
        if number in answers.failures:
            return item.with_error(answers.failures[number])
        span = (0, len(item.text))
        return item.with_candidates(
            Candidate(
                span, item.text, found.output, {self.feature: 0.0 - found.cost}, found.posterior
            )
            for found in answers.hypotheses(number)
        )


@dataclass(frozen=True)
class Score:
    """Another model's log probability of each candidate's value, given its text, as a feature."""

    model: Transducer
    feature: str

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        return [item.with_candidates(map(self.score_candidate, item.candidates)) for item in items]

    def score_candidate(self, candidate: Candidate) -> Candidate:
        try:
            log_probability = self.model.score(candidate.text, candidate.value).log_probability
        except ItemError:  # of symbols that the model does not know
            log_probability = IMPOSSIBLE
        return add_score(candidate, self.feature, max(log_probability, IMPOSSIBLE), candidate.score)


@dataclass(frozen=True)
class Find:
    """Candidates in a text: runs of up to `longest` words that a grammar accepts as a whole.

    Words are what white space parts. The values of a run are the `n` best outputs of the grammar,
    whose posterior is the score. Features are the `words` of the run, how many are `before` and
    `after` it, and the log `weight` of the output. Of runs one in another, the longest are kept, or
    all.
    """

    model: Transducer
    longest: Annotated[int, Between(1, 1000)] = 12
    n: Annotated[int, Between(1, 1000)] = 1
    runs: Literal["longest", "all"] = "longest"

    def __post_init__(self) -> None:
        if not isinstance(self.model, TransducerModel):
            message = f"model is a {type(self.model).__name__}, which has an answer to everything"
            raise WrongSetting("model", message, remedy="find with a rule of a grammar")

    @cached_property
    def scanner(self) -> Scanner:
        return Scanner(cast(TransducerModel, self.model))

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        values = dict[str, list[Hypothesis]]()
        runs = [self.scanner.runs(item.text, longest=self.longest) for item in items]
        while True:
            # A run that the whole grammar refuses makes room for those that were inside it.
            chosen = runs if self.runs == "all" else [*map(outermost_runs, runs)]
            texts = {run.text for row in chosen for run in row} - values.keys()
            if not texts:
                break
            asked = sorted(texts)
            answers = self.model.answer(asked, n=self.n)
            values |= {text: answers.hypotheses(k) for k, text in enumerate(asked)}
            runs = [[run for run in row if values.get(run.text) != []] for row in runs]
        return [
            item.with_candidates(self.candidates(item.text, row, values))
            for item, row in zip(items, chosen, strict=True)
        ]

    def candidates(
        self, text: str, runs: Sequence[Run], values: Mapping[str, Sequence[Hypothesis]]
    ) -> Iterator[Candidate]:
        count = len(text.split())
        for run in runs:
            place = {"words": run.end - run.begin, "before": run.begin, "after": count - run.end}
            for value in values[run.text]:
                features = {**place, "weight": 0.0 - value.cost}
                yield Candidate(run.span, run.text, value.output, features, value.posterior)
