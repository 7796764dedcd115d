"""Why a word comes out as it does: each rule that fired, where, and the string after it.

Of a learned model, the units that it put together, and -ln P of each given those before it; of
trees also what they found around each letter. Of a name in kanji or its reading, what each
character is read as.

>>> from glyphone.fst.transducers.model import Model
>>> from glyphone.fst.rules.cascade import cascade
>>> model = Model.of(cascade(letters="a h", phones="a", rules="h -> ∅  ; silent"), name="A")
>>> print(explain(model, "ha")[0])
ha → a
  h a
  a      1: h -> ∅  at 0  ; silent
"""

from __future__ import annotations

from dataclasses import dataclass

from glyphone.data.records import Hypothesis
from glyphone.fst.interface.model import Answering
from glyphone.fst.interface.reasons import Reasons
from glyphone.fst.lattices.block_kernels import NO_PATH
from glyphone.fst.rules.interpreter import Fired
from glyphone.fst.rules.parser import Rule


@dataclass(frozen=True, kw_only=True)
class Explanation(Reasons):
    """One answer to a text, and why it is as it is."""

    text: str
    hypothesis: Hypothesis

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
    return [
        Explanation(text=text, hypothesis=hypothesis, **vars(model.reasons(text, hypothesis)))
        for hypothesis in hypotheses
    ]
