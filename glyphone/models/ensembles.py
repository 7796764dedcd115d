"""Ensembles learnt from pairs: joint models, and judges of the other kinds of models.

>>> from glyphone.data.writing import Writing
>>> lexicon = {"phi": "fi", "hi": "hi", "pi": "pi", "graph": "graf", "rag": "rag"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> chosen = {"order": 3, "members": 2, "judges": "none"}
>>> learnt = learn_ensemble(pairs, LearningSettings(target=Writing(), chosen=chosen))
>>> learnt.model("graphi").output, sorted(learnt.sizes)
('grafi', ['members', 'n-grams', 'units'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from functools import partial

from glyphone.data.records import Pair
from glyphone.fst.alignment.refusals import fit_or_explain
from glyphone.fst.ensembles.members import EnsembleOptions
from glyphone.fst.ensembles.self_training import read_words
from glyphone.fst.ensembles.training import fit_ensemble
from glyphone.fst.interface.learning import LearningResult, LearningSettings
from glyphone.fst.joint.training import joint_options
from glyphone.models import judges as model_judges


def learn_ensemble(pairs: Sequence[Pair], settings: LearningSettings) -> LearningResult:
    """An ensemble; the option `judges` names kinds of models, `unlabelled` a file of words."""
    own = {field.name for field in fields(EnsembleOptions)} - {"joint"}
    rest = {k: v for k, v in settings.chosen.items() if k not in {*own, "judges", "unlabelled"}}
    joint = joint_options(rest, settings.seed, known=own | {"judges", "unlabelled"})
    chosen = {"seed": settings.seed, **{k: v for k, v in settings.chosen.items() if k in own}}
    options = EnsembleOptions(joint=joint, **chosen)
    judges = model_judges.select_judges(settings.chosen.get("judges"), joint.alignment, len(pairs))
    teachers = model_judges.teachers_of(judges, seed=settings.seed)
    words = read_words(settings.chosen.get("unlabelled"))
    fit = partial(fit_ensemble, teachers=teachers, unlabelled=words)
    fitted = fit_or_explain(
        fit, pairs, options, joint.alignment, **settings.fit_arguments("ensemble")
    )
    sizes = {
        "units": len(fitted.model.first.units),
        "n-grams": sum(len(member.model.ngrams.tokens) for member in fitted.model.members),
        "members": len(fitted.model.reranker.shares),
    }
    report = {**asdict(options), "judges": judges, **fitted.report}
    return LearningResult(fitted.model, fitted.refusals, report, sizes)
