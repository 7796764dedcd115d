"""What is found in a message, and why: the readings of its words, and what each feature weighs.

>>> from glyphone.voicemail.number_explanation import Explanation
>>> from glyphone.voicemail.records import NumberCandidate
>>> one = NumberCandidate(1, 2, "5551212", kept=True)
>>> print(why(Explanation(one, (("shape=NXXXXXX", 3.0), ("is=maximal", -0.5)), -1.0, ())))
  why      +1.50  555-1212: bias -1.00, shape=NXXXXXX +3.00, is=maximal -0.50
"""

from __future__ import annotations

from glyphone.voicemail.model import VoicemailModel
from glyphone.voicemail.number_explanation import Explanation, explained
from glyphone.voicemail.pictures import told

# The features that are shown, of those that weigh most.
SHOWN = 8


def explanation(model: VoicemailModel, message: str) -> str:
    """The message, what was found in it, and for each candidate its log odds as a sum."""
    found = model(message)
    return "\n".join([told(found), *map(why, explained(model.numbers, found.transcript.words))])


def why(one: Explanation) -> str:
    terms = [("bias", one.bias), *one.weights[:SHOWN]]
    rest = one.score - sum(weight for _, weight in terms)
    left = len(one.weights) - SHOWN
    if left > 0:
        terms.append((f"{left} more", rest))
    told_terms = ", ".join(f"{name} {weight:+.2f}" for name, weight in terms)
    return f"  why      {one.score:+.2f}  {one.candidate.display}: {told_terms}"
