"""Where L-BFGS begins: some steps of stochastic descent away from zero.

Each of these goes once through the sequences for what one step of L-BFGS takes, and the first lead
further: of a hundred steps to the same objective some thirty are left out so. They pay for no
weights; where they lead to a place that is worse than zero, the beginning is there.

>>> from glyphone.learners.crf.features.observations import Sequence, Tests, observed
>>> from glyphone.learners.crf.features.weights import weights_of
>>> tests, data = Tests.learnt(observed([Sequence(("a", "b"))], "u:%x[0,0]"), np.array([0, 1]))
>>> space = weights_of(data, 2, (2, 0), "all")
>>> begun(Problem.of(data, space, rho1=0.0, rho2=0.1), seed=0).values.round(2).tolist()
[0.17, -0.17, -0.17, 0.17]
>>> len(begun(Problem.of(data, space, rho1=0.0, rho2=1e3), seed=0).values)
0
"""

from __future__ import annotations

import numpy as np

from glyphone.learners.crf.kernels.arrays import NO_WEIGHTS, Weights
from glyphone.learners.crf.training.gradient_descent import GradientDescent
from glyphone.learners.crf.training.objective import Problem, dot

# Times through all sequences, the length of a step at first, and its decay in each.
TIMES, ETA, DECAY = 3, 0.2, 0.5


def begun(problem: Problem, *, seed: int) -> Weights:
    """Weights to begin with, where there is no rho1."""
    descent, met = GradientDescent(problem, NO_WEIGHTS, eta=ETA, decay=DECAY, seed=seed), np.inf
    for _ in range(TIMES):
        met, _ = descent.iterate()
    found = descent.now()
    # What was met on the way is more than what there is at its end.
    worth = met + problem.rho2 / 2 * dot(found.values, found.values)
    return found if worth < problem.objective(NO_WEIGHTS) else NO_WEIGHTS
