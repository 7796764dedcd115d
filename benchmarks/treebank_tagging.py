"""The worth of an imputed treebank: taggers and parsers of a language without trees.

    python benchmarks/treebank_tagging.py [--shared ../shared/data] [--seed 1] [--only parsing]
                                          [--sentences 500]

Parsing: 500 English sentences (PUD) are put into the order of a target language by the tags of its
text (finite verbs apart where that is nearer), and a parser is learnt that sees tags only. It is
the conditional Markov model of this project with heads as labels
(`head_labels.py`). Unlabelled attachment on test sentences, without
punctuation, with gold tags; beside it the same parser learnt from the source as it is, and from the
gold trees of the text.

Tagging: Spanish and Portuguese (PUD), and Standard Arabic to South Levantine (MADAR). For the first
pair, which word stands for which is learnt from the 500 sentences of both languages that the source
is from; a joint model of letters, learnt from those that are spelt alike, writes the other words.
For Levantine a list of a hundred words, written by hand, says what differs. The text has other
sentences of the target and no tags; test sentences are neither. Accuracy of the tagger, learnt from
the source, from the source with words of the target, from the imputed treebank, which has their
order too, and from gold tags of the text.

Figures are shares of test tokens, with 95 % intervals over sentences (bootstrap).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence as Many
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from head_labels import heads_of_labels, labels_of_heads
from treebank_data import SOURCE, Target, bare, is_here, levantine, pud, target
from word_pairs import cognates, model_of, word_pairs

from glyphone.data.records import Sequence
from glyphone.data.treebanks.dependencies import Sentence
from glyphone.data.treebanks.punctuation import positions_of_words
from glyphone.data.treebanks.reordering import reorder
from glyphone.learners.entities.tagger import MarkovTagger
from glyphone.treebank.constructions import order_error, orders_of
from glyphone.treebank.sampling.chains import SamplingOptions
from glyphone.treebank.sampling.impute import ImputationPlan
from glyphone.treebank.transfer.dependencies import transfer_dependencies
from glyphone.treebank.transfer.dependency_forests import DependencyGrammar
from glyphone.treebank.transfer.lexical import BilingualLexicon, read_dictionary
from glyphone.treebank.transfer.word_classes import choose_reads, class_lines

ROOT = Path(__file__).resolve().parents[1]
LEVANTINE_WORDS = Path(__file__).parent / "lists" / "levantine.tsv"
TARGETS = ("Welsh", "Irish", "Scottish Gaelic", "Breton", "Arabic", "Spanish", "Swedish")
# Contexts over tags alone.
CHAINS = (
    ("word-2 word-1 word word+1 word+2", "word-1 word word+1", "word word+1", "word", ""),
    ("word-1 word word+1 word+2", "word word+1 word+2", "word word+1", "word", ""),
    ("word-2 word-1 word word+1", "word-2 word-1 word", "word-1 word", "word", ""),
)
# A pair of words is believed that was seen more than once and is as probable as this.
BELIEVED, SEEN = 0.3, 2
RESAMPLED = 1000


@dataclass(frozen=True)
class Share:
    """Right tokens and all tokens of each test sentence."""

    right: Many[int]
    total: Many[int]

    def __str__(self) -> str:
        return shown(np.array(self.right), np.array(self.total), "{:.3f}")

    def gain(self, other: Share) -> str:
        """How much more is right than by another, on the same sentences."""
        return shown(np.array(self.right) - np.array(other.right), np.array(self.total), "{:+.3f}")


def shown(right: Any, total: Any, form: str) -> str:
    """A share with its 95 % interval, over sentences drawn anew."""
    drawn = np.random.default_rng(0).integers(0, len(right), (RESAMPLED, len(right)))
    shares = right[drawn].sum(axis=1) / total[drawn].sum(axis=1)
    mean, low, high = right.sum() / total.sum(), *np.quantile(shares, [0.025, 0.975])
    return f"{form.format(mean)} ({form.format(low)} to {form.format(high)})"


def imputed(
    source: Many[Sentence], text: Many[Many[str]], grammar: DependencyGrammar, seed: int
) -> list[Sentence]:
    """A treebank as `glyphone treebank transfer` imputes it."""
    plan = ImputationPlan(options=SamplingOptions(seed=seed, chains=1))
    return transfer_dependencies(source, text, grammar=grammar, plan=plan).sentences


def of_tags(sentences: Many[Sentence]) -> list[Sequence]:
    return [Sequence(tuple(word.upos for word in sentence.words)) for sentence in sentences]


def parsed(train: Many[Sentence], test: Many[Sentence]) -> Share:
    """Heads that a parser learnt from some trees finds in others."""
    labels = [labels_of_heads(sentence) for sentence in train]
    parser = MarkovTagger(chains=CHAINS, scheme=None, cv=0).fit(of_tags(train), labels)
    right = []
    for sentence, found in zip(test, parser.predict(of_tags(test)), strict=True):
        heads = heads_of_labels(found, [word.upos for word in sentence.words])
        right.append(sum(h == word.head for h, word in zip(heads, sentence.words, strict=True)))
    return Share(right, [len(sentence.words) for sentence in test])


def of_words(sentences: Many[Sentence]) -> list[Sequence]:
    return [Sequence(tuple(word.form for word in sentence.words)) for sentence in sentences]


def tagged(train: Many[Sentence], test: Many[Sentence]) -> Share:
    """Tags that a tagger learnt from some sentences finds in others."""
    tags = [tuple(word.upos for word in sentence.words) for sentence in train]
    tagger = MarkovTagger(scheme=None, cv=0).fit(of_words(train), tags)
    right = []
    for sentence, found in zip(test, tagger.predict(of_words(test)), strict=True):
        right.append(sum(t == word.upos for t, word in zip(found, sentence.words, strict=True)))
    return Share(right, [len(sentence.words) for sentence in test])


def parsing(shared: Path, seed: int, names: Many[str], sentences: int) -> None:
    source = bare(pud(shared, "English")[:sentences])
    print(f"\nparsing by tags, from {len(source)} English sentences, seed {seed}")
    print(
        f"{'target':16} {'order error':>16}   {'source':24} {'imputed':24} {'gain':26} gold trees"
    )
    for name in names:
        found = target(shared, name, sentences)
        text, test = bare(found.text), bare(found.test)
        reads = choose_reads(source, text)
        made = imputed(source, class_lines(text, reads), DependencyGrammar(reads=reads), seed)
        gold = orders_of(test)
        before, after = (order_error(orders_of(one), gold) for one in (source, made))
        plain, ours, best = (parsed(train, test) for train in (source, made, text))
        cells = f"{before:8.3f} to {after:.3f}   {plain!s:24} {ours!s:24} {ours.gain(plain):26}"
        print(f"{name:16} {cells} {best}", flush=True)


def small(sentences: Many[Sentence]) -> list[list[str]]:
    """Words in small letters, without punctuation."""
    return [
        [sentence.words[position].form.lower() for position in positions_of_words(sentence)]
        for sentence in sentences
    ]


def lexicon_of(source: Many[Sentence], other: Many[Sentence], found: Target) -> BilingualLexicon:
    """Words that stand for each other, and a model of cognates for the rest."""
    pairs = word_pairs(small(source), small(other))
    entries = {
        pair.word: ((pair.target, 1.0),)
        for pair in pairs
        if pair.count >= SEEN and pair.probability >= BELIEVED
    }
    vocabulary = {word for line in small(found.text) for word in line}
    return BilingualLexicon(entries, model_of(cognates(pairs)), frozenset(vocabulary))


def in_words(sentence: Sentence, lexicon: BilingualLexicon) -> Sentence:
    forms = [lexicon.best_target(word.form, word.upos) for word in sentence.words]
    return reorder(sentence, range(len(forms)), forms=forms)


def tagging(shared: Path, seed: int, sentences: int) -> None:
    for one, other in (("Spanish", "Portuguese"), ("Portuguese", "Spanish")):
        source, found = pud(shared, one)[:sentences], target(shared, other, sentences)
        lexicon = lexicon_of(source, pud(shared, other)[:sentences], found)
        tagging_of(one, source, found, lexicon, seed)
    entries = read_dictionary(LEVANTINE_WORDS)
    tagging_of("Arabic", pud(shared, "Arabic"), levantine(shared), BilingualLexicon(entries), seed)


def tagging_of(
    name: str, source: Many[Sentence], found: Target, lexicon: BilingualLexicon, seed: int
) -> None:
    print(f"\ntagging {found.name}, from {len(source)} sentences of {name}, seed {seed}")
    print(f"{len(lexicon.entries)} words in the list; {len(found.test)} test sentences")
    trains = {
        "source": source,
        "words of the target": [in_words(sentence, lexicon) for sentence in source],
        "imputed": imputed(source, small(found.text), DependencyGrammar(lexicon=lexicon), seed),
        "gold tags of the text": found.text,
    }
    plain = None
    for label, train in trains.items():
        share = tagged(train, found.test)
        plain = plain or share
        print(f"{label:24} {share!s:26} {share.gain(plain)}", flush=True)


def main(argv: Many[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("parsing", "tagging"))
    parser.add_argument("--targets", nargs="*", default=TARGETS, help="of parsing")
    parser.add_argument("--sentences", type=int, default=SOURCE, help="of a source at most")
    arguments = parser.parse_args(argv)
    if not is_here(arguments.shared):
        return
    if arguments.only != "tagging":
        parsing(arguments.shared, arguments.seed, arguments.targets, arguments.sentences)
    if arguments.only != "parsing":
        tagging(arguments.shared, arguments.seed, arguments.sentences)


if __name__ == "__main__":
    main()
