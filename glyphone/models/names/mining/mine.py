"""The miner: pairs of names for training, from packages that anyone can install.

    glyphone mine hin -o hin.tsv --dev hin.dev.tsv --report hin.report.txt

Candidates (mining_candidates) are judged by models of each other (mining_filter). A line of the
output is a Latin word in small letters, a native word, its weight, and the source and key of the
first thing with that pair; weights of a Latin word's native words sum to one.

>>> from glyphone.models.names.mining.candidates import Candidate
>>> from glyphone.models.names.mining.filter import Verdict
>>> goa = Candidate("goa", "गोवा", ("g", "oː"), (("geonames", "1271157"),))
>>> pair_lines([Verdict(goa, "", 1, 0.4, 0.4)])
['goa\\tगोवा\\t1.0\\tgeonames\\t1271157\\n']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicons.splits import point_of_word
from glyphone.data.lines import open_text_output
from glyphone.io.messages import print_message
from glyphone.models.names import languages
from glyphone.models.names.languages import Language
from glyphone.models.names.mining.candidates import POPULATION, Pool, candidates_of, names_of
from glyphone.models.names.mining.filter import FilterOptions, Judged, Verdict, judge_candidates
from glyphone.models.names.mining.report import Report, json_of, report_of, text_of
from glyphone.models.names.script import script_of
from glyphone.models.names.training import LATIN

DEV_SHARE = 0.1


@dataclass(frozen=True, kw_only=True)
class MineJob:
    """A language, and files for its pairs; `dev` takes a tenth of the words."""

    language: str
    output: str
    dev: str | None = None
    report: str | None = None
    population: int = POPULATION
    options: FilterOptions = field(default_factory=FilterOptions)


@dataclass(frozen=True)
class Mined:
    """The verdicts on all candidates, and the report."""

    verdicts: list[Verdict]
    report: Report

    @property
    def kept(self) -> list[Verdict]:
        return [one for one in self.verdicts if not one.reason]


def mine_pairs(
    language: Language,
    *,
    population: int = POPULATION,
    options: FilterOptions | None = None,
    jobs: int = 1,
) -> Mined:
    """The candidates of a language, judged."""
    options = options or FilterOptions()
    script = script_of(language)
    pool = candidates_of(names_of(language, population=population), script)
    return judged_pool(
        pool, language, judge_candidates(pool.candidates, script, options, jobs=jobs), options
    )


def judged_pool(pool: Pool, language: Language, judged: Judged, options: FilterOptions) -> Mined:
    return Mined(judged.verdicts, report_of(language, pool, judged, seed=options.seed))


def mine_file(job: MineJob, *, jobs: int = 1) -> Report:
    """Mines, and writes the pairs that are kept, sorted."""
    mined = mine_pairs(
        languages.find_language(job.language),
        population=job.population,
        options=job.options,
        jobs=jobs,
    )
    if not mined.kept:
        remedy = "see its [sources], and ask for smaller places by --population"
        raise GlyphoneError("no pair was kept", stage=job.language, remedy=remedy)
    held = {one.candidate.latin for one in mined.kept if job.dev and is_held(one, job.options.seed)}
    for path, want in ((job.output, False), (job.dev, True)):
        if path:
            # Weights are those of all native words of a Latin one, which stay together.
            rows = [one for one in mined.kept if (one.candidate.latin in held) is want]
            with open_text_output(path) as output:
                output.write("".join(pair_lines(rows)))
    if job.report:
        with open_text_output(job.report) as output:
            shown = json_of if job.report.endswith(".json") else text_of
            output.write(shown(mined.report) + "\n")
    print_message(text_of(mined.report))
    return mined.report


def is_held(verdict: Verdict, seed: int) -> bool:
    """Whether a Latin word is of the tenth that goes to the development file."""
    word = LATIN.split(verdict.candidate.latin).symbols
    return point_of_word(word, seed=seed) >= 1 - DEV_SHARE


def pair_lines(kept: Sequence[Verdict]) -> list[str]:
    """The lines of a file, sorted."""
    totals: dict[str, float] = {}
    for one in kept:
        totals[one.candidate.latin] = totals.get(one.candidate.latin, 0.0) + one.posterior
    rows = []
    for one in kept:
        pair = one.candidate
        # A posterior may be too small for a float, and a weight is more than 0.
        weight = max(round(one.posterior / (totals[pair.latin] or 1.0), 4), 0.0001)
        rows.append("\t".join((pair.latin, pair.native, str(weight), *pair.keys[0])) + "\n")
    return sorted(rows)
