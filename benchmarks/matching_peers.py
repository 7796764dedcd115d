"""Scores of pairs of names by peers: RapidFuzz here, others in the environment of the peers.

RapidFuzz gets its own preprocessing, and answers all pairs in one call. The others run in a process
of the peers' interpreter, which reads names and pairs and writes scores; its time is that of the
scores alone, and with `each`, of each pair.

    py_stringmatching   Soft-TFIDF over words in small letters, Jaro-Winkler between words, at
                        each of THRESHOLDS, of which the best is shown
    jellyfish           Jaro-Winkler of names, and the share of words whose metaphones agree
    unidecode           names of any script in Latin letters, for Jaro-Winkler
    nomenklatura        logic_v2, of two entities that have a name and a schema
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from peers import installed, last_lines

THRESHOLDS = (0.7, 0.8, 0.9, 0.95)
RAPIDFUZZ = ("ratio", "WRatio", "token_sort_ratio", "token_set_ratio", "JaroWinkler")
PACKAGES = {
    "py_stringmatching": "py_stringmatching", "jellyfish": "jellyfish", "unidecode": "Unidecode",
    "nomenklatura": "nomenklatura",
}  # fmt: skip
SCRIPT = r"""
import json, re, sys, time
from array import array
request, output = json.load(open(sys.argv[1], encoding="utf-8")), sys.argv[2]
names, pairs = request["names"], request["pairs"]
kind, _, option = request["measure"].partition(":")
words = [re.findall(r"\w+", name.casefold()) for name in names]
if kind == "romanize":
    from unidecode import unidecode
    json.dump([unidecode(name) for name in names], open(output, "w", encoding="utf-8"))
    sys.exit()
if kind == "soft_tfidf":
    import py_stringmatching as sm
    tfidf = sm.SoftTfIdf(words, sim_func=sm.JaroWinkler().get_raw_score, threshold=float(option))
    score = lambda one, other: tfidf.get_raw_score(words[one], words[other])
elif kind == "jaro_winkler":
    from jellyfish import jaro_winkler_similarity
    plain = [" ".join(found) for found in words]
    score = lambda one, other: jaro_winkler_similarity(plain[one], plain[other])
elif kind == "metaphone":
    from jellyfish import metaphone
    keys = [{metaphone(word) or word for word in found} for found in words]
    def score(one, other):
        both = len(keys[one]) + len(keys[other])
        return 2 * len(keys[one] & keys[other]) / both if both else 0.0
elif kind == "logic_v2":
    from followthemoney.proxy import EntityProxy
    from nomenklatura.matching.logic_v2.model import LogicV2
    from nomenklatura.matching.types import ScoringConfig
    config = ScoringConfig.defaults()
    # What it finds out about an entity is kept under its id, so that each needs its own.
    entities = [
        EntityProxy.from_dict({"id": f"x{k}", "schema": schema, "properties": {"name": [name]}})
        for k, (name, schema) in enumerate(zip(names, request["schemas"]))
    ]
    score = lambda one, other: LogicV2.compare(entities[one], entities[other], config).score
clock, scores, times = time.perf_counter, array("d"), array("d")
for one, other in pairs:
    began = clock()
    scores.append(score(one, other))
    times.append(clock() - began)
with open(output, "wb") as file:
    scores.tofile(file)
    times.tofile(file)
"""


@dataclass(frozen=True, eq=False)
class Scored:
    """The scores of a peer, in all how many seconds, and the seconds of each pair if they are
    known.
    """

    name: str
    scores: Any
    seconds: float
    each: Any = None


def rapidfuzz_scores(names: Sequence[str], pairs: Any) -> Iterator[Scored]:
    from rapidfuzz import fuzz, process, utils
    from rapidfuzz.distance import JaroWinkler

    plain = [utils.default_process(name) for name in names]
    some, others = ([plain[place] for place in pairs[:, side].tolist()] for side in (0, 1))
    for name in RAPIDFUZZ:
        scorer: Any = JaroWinkler.normalized_similarity
        if name != "JaroWinkler":
            scorer = getattr(fuzz, name)
        began = time.perf_counter()
        scores = process.cpdist(some, others, scorer=scorer, workers=1)
        seconds = time.perf_counter() - began
        yield Scored(f"RapidFuzz {name}", np.asarray(scores, np.float64), seconds)


@dataclass(frozen=True)
class Peers:
    """The environment of the peers, by its interpreter."""

    python: str

    def has(self, module: str) -> bool:
        return installed(self.python, module, PACKAGES[module]) is not None

    def missing(self) -> list[str]:
        return [module for module in PACKAGES if not self.has(module)]

    def ask(self, measure: str, names: Sequence[str], pairs: Any, **more: Any) -> Scored:
        """The scores of a measure of SCRIPT."""
        asked = {"measure": measure, "names": [*names], "pairs": np.asarray(pairs).tolist(), **more}
        found = array("d")
        found.frombytes(self._run(asked))
        scores, each = np.array(found).reshape(2, -1)
        return Scored(measure, scores, float(each.sum()), each)

    def romanize(self, names: Sequence[str]) -> list[str]:
        asked = {"measure": "romanize", "names": [*names], "pairs": []}
        romanized: list[str] = json.loads(self._run(asked))
        return romanized

    def _run(self, asked: dict[str, Any]) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            request, output = Path(folder, "request.json"), Path(folder, "output")
            request.write_text(json.dumps(asked), encoding="utf-8")
            command = [self.python, "-I", "-c", SCRIPT, str(request), str(output)]
            ran = subprocess.run(command, capture_output=True, text=True)
            if ran.returncode:
                raise RuntimeError(f"{asked['measure']}: {last_lines(ran.stderr)}")
            return output.read_bytes()
