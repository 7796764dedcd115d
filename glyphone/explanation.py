"""Why a word comes out as it does: each rule that fired, where, and the string after it.

Of a learned model, the units that it put together, and -ln P of each given those before it; of
trees also what they found around each letter. Of a name in kanji or its reading, what each
character is read as.

>>> from glyphone.fst.model import Model
>>> from glyphone.fst.rules import cascade
>>> model = Model.of(cascade(letters="a h", phones="a", rules="h -> ∅  ; silent"), name="A")
>>> print(explain(model, "ha")[0])
ha → a
  h a
  a      1: h -> ∅  at 0  ; silent
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from glyphone.crf.model import CrfModel
from glyphone.data.records import Hypothesis, Symbols
from glyphone.fst import interpret
from glyphone.fst.answering import Answering
from glyphone.fst.blocks import NO_PATH
from glyphone.fst.interpret import Fired
from glyphone.fst.joint import JointModel
from glyphone.fst.model import Model
from glyphone.fst.notation import Rule
from glyphone.kanji.model import KanjiModel
from glyphone.tree_model import TreeModel


@dataclass(frozen=True)
class Used:
    """A unit of a learned model and its cost, -ln P given the units before; the last is the end.

    `because` is what a tree found around the letter.
    """

    letters: str
    phones: str
    cost: float
    end: bool = False
    because: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "end" if self.end else f"{self.letters or '∅'} : {self.phones or '∅'}"


@dataclass(frozen=True)
class Explanation:
    """One answer, and the strings on the way to it.

    The rules of an inverted model run from its answer back to the text. A transducer that does
    not know its rules has only the alignment of its answer with the text to show.
    """

    text: str
    hypothesis: Hypothesis
    start: Symbols = ()
    fired: tuple[Fired, ...] | None = None
    inverted: bool = False
    units: tuple[Used, ...] = ()

    def __str__(self) -> str:
        share = self.hypothesis.posterior
        posterior = "" if share > 0.9995 else f"   posterior {share:.3g}"
        head = f"{self.text} → {self.hypothesis.output}{posterior}"
        if self.units:
            width = max(len(str(unit)) for unit in self.units)
            rows = (
                f"  {unit!s:{width}}  {unit.cost:6.3f}  {', '.join(unit.because)}".rstrip()
                for unit in self.units
            )
            return "\n".join([head, *rows])
        if self.fired is None:
            return "\n".join([head, *self.alignment()])
        if self.inverted:
            head += "\n  the rules, from the answer to the text:"
        strings = [" ".join(self.start), *(" ".join(fired.after) for fired in self.fired)]
        width = max(map(len, strings))
        reasons = ["", *map(reason, self.fired)]
        rows = (f"  {s:{width}}  {r}".rstrip() for s, r in zip(strings, reasons, strict=True))
        return "\n".join([head, *rows])

    def alignment(self) -> list[str]:
        pairs = zip(self.hypothesis.spans, self.hypothesis.symbols, strict=True)
        return [f"  {self.text[begin:end]} : {symbol}" for (begin, end), symbol in pairs]


def reason(fired: Fired) -> str:
    """The number and text of a rule, the places where it fired, and its comment."""
    sites = ", ".join(
        f"{begin}" if end - begin <= 1 else f"{begin}-{end}" for begin, end in fired.sites
    )
    if not isinstance(fired.step, Rule):
        return f"{fired.number:3}: table"
    text = fired.step.text if len(fired.step.text) < 80 else fired.step.text[:77] + "…"
    note = f"  ; {fired.step.note}" if fired.step.note else ""
    return f"{fired.number:3}: {text}  at {sites}{note}"


def explain(model: Answering, text: str, n: int = 1) -> list[Explanation]:
    """The n best answers, each with the way to it; NoOutput if there is none."""
    hypotheses = model.nbest(text, n)
    if not hypotheses:
        raise model.failure(text, NO_PATH)
    if isinstance(model, JointModel):
        return [
            Explanation(text, hypothesis, units=units_of(model, text, hypothesis))
            for hypothesis in hypotheses
        ]
    if isinstance(model, KanjiModel):
        return [
            Explanation(text, hypothesis, units=readings_of(model, text, hypothesis))
            for hypothesis in hypotheses
        ]
    if isinstance(model, TreeModel):
        return [
            Explanation(text, hypothesis, units=turns_of(model, text, hypothesis))
            for hypothesis in hypotheses
        ]
    if isinstance(model, CrfModel):
        return [
            Explanation(text, hypothesis, units=reasons_of(model, text, hypothesis))
            for hypothesis in hypotheses
        ]
    if not isinstance(model, Model) or model.cascade is None:
        return [Explanation(text, hypothesis) for hypothesis in hypotheses]
    symbols = model.source.decode(model.source.encode(text).labels)
    return [derivation(model, text, symbols, hypothesis) for hypothesis in hypotheses]


def derivation(model: Model, text: str, symbols: Symbols, hypothesis: Hypothesis) -> Explanation:
    assert model.cascade is not None
    inverted = model.cascade.inverted
    start, end = (hypothesis.symbols, symbols) if inverted else (symbols, hypothesis.symbols)
    ways = interpret.run(model.cascade, start)
    fired = next((way.fired for way in ways if way.output == end), None)
    return Explanation(text, hypothesis, start, fired, inverted)


def units_of(model: JointModel, text: str, hypothesis: Hypothesis) -> tuple[Used, ...]:
    """The units of the best path to an answer; their costs are that of the answer in sum.

    With windows a cost is made of the n-grams' -ln P and of that of the windows, beside their
    favourite, each with its share.
    """
    letters = model.source.encode(text).labels
    windows, share = model.windows, 1.0
    if windows is not None:
        share = windows.ngram_share
        strength = windows.window_share
        factors, shifts = windows.factors(np.array(letters, np.int32), strength=strength)
    phones = [model.target.symbols[symbol] for symbol in hypothesis.symbols]
    (numbers,) = model.best_units([(letters, phones)])
    state, used = model.ngrams.start, []
    for place, (number, (x, y)) in enumerate(
        zip(numbers, model.alignment(numbers).units, strict=True)
    ):
        log_prob, state = model.ngrams.advance(state, number)
        cost = -share * log_prob
        if windows is not None:
            cost -= math.log(factors[shifts[place] + number])
        used.append(Used(model.source.join(x), model.target.join(y), cost))
    log_prob, _ = model.ngrams.advance(state, model.ngrams.end)
    return (*used, Used("", "", -share * log_prob, end=True))


def readings_of(model: KanjiModel, text: str, hypothesis: Hypothesis) -> tuple[Used, ...]:
    """The units of the best path to a name, with the letters as they were typed."""
    joint, part = model.one(text)
    place, used = 0, []
    for unit in units_of(joint, part.text, hypothesis):
        end = place + len(unit.letters)
        letters = text[part.begins[place] : part.ends[end - 1]] if unit.letters else ""
        used.append(replace(unit, letters=letters))
        place = end
    return tuple(used)


def turns_of(model: TreeModel, text: str, hypothesis: Hypothesis) -> tuple[Used, ...]:
    """The units of the best path to an answer, and why the first tree expects them."""
    from glyphone.tree_paths import turns

    units = model.best_units(text, hypothesis.symbols)
    read, written = model.source.join, model.target.join
    rows = zip(turns(model, text, units), model.alignment(units).units, strict=True)
    return tuple(
        Used(read(x), written(y), turn.cost, because=turn.conditions) for turn, (x, y) in rows
    )


def reasons_of(model: CrfModel, text: str, hypothesis: Hypothesis) -> tuple[Used, ...]:
    """The units of the best path to an answer, and the windows that speak most for each."""
    from glyphone.crf.reasons import reasons

    path = model.path(text, hypothesis.symbols)
    string = model.string(text).tolist()
    read, written = model.source.join, model.target.join
    rows = zip(reasons(model, string, path), model.alignment(string, path).units, strict=True)
    return tuple(Used(read(x), written(y), why.cost, because=why.windows) for why, (x, y) in rows)
