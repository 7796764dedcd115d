"""Examples of verbs, which end their help; the tests run them."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "align": (
        "glyphone align lexicon.tsv -o aligned.tsv",
        "glyphone align cmudict:test --nbest 2 --format jsonl",
    ),
    "apply": (
        "glyphone apply spa.letter_to_sound:CASTILIAN words.txt -o phones.tsv",
        "echo Phoebe | glyphone apply eng.letter_to_sound --nbest 3",
    ),
    "check": (
        "glyphone check my_grammar.py",
        "glyphone check my_package.my_grammar --sizes sizes.json",
    ),
    "compile": (
        "glyphone compile my_grammar.py -o my_grammar.far",
        "glyphone compile my_package.my_grammar -o my_grammar.far --dependencies my_grammar.d",
    ),
    "compile-tree": (
        "glyphone compile-tree tree.glyphone -o tree.far",
        "glyphone compile-tree tree.glyphone -o stages.far --stages",
    ),
    "completion": (
        "glyphone completion bash > glyphone.bash",
        "glyphone completion zsh > _glyphone",
    ),
    "convert": (
        "glyphone convert model.fst model.glyphone",
        "glyphone convert model.glyphone model.arpa",
    ),
    "distill": (
        "glyphone distill fra.letter_to_sound:FRENCH --words words.txt -o fra.glyphone",
        "glyphone distill eng.letter_to_sound --words cmudict --gold cmudict:test -o eng.glyphone",
    ),
    "doctor": (
        "glyphone doctor",
        "glyphone doctor --warm",
    ),
    "draw": (
        "glyphone draw spa.letter_to_sound:CASTILIAN --item guerra -o guerra.svg",
        'glyphone draw --match "Mr. Rumyantsev" "Alexander Rumyanstev" -o match.svg',
    ),
    "evaluate": (
        "glyphone evaluate model.glyphone test.tsv --nbest 5",
        "glyphone evaluate eng.letter_to_sound cmudict:test --json",
    ),
    "explain": (
        "glyphone explain spa.letter_to_sound:CASTILIAN pingüino",
        "glyphone explain model.glyphone phase",
    ),
    "match": (
        'glyphone match "Dr. Bill J. Smith" "Smith, William"',
        "glyphone match data/samples/customers.csv --column name --clusters",
    ),
    "mine": (
        "glyphone mine hin -o hin.tsv --dev hin.dev.tsv --report hin.txt",
        "glyphone mine tam --population 5000 -o tam.tsv",
    ),
    "models": (
        "glyphone models train eng",
        "glyphone models list rus jpn.kanji --json",
    ),
    "run": (
        "glyphone run voicemail.toml messages.txt -o found.tsv",
        "cat messages.txt | glyphone run voicemail.toml --format jsonl",
    ),
    "samples": (
        "glyphone samples",
        "glyphone samples names_and_models.tsv",
    ),
    "score": (
        "glyphone score model.glyphone lexicon.tsv -o scores.tsv",
        "glyphone score eng.letter_to_sound cmudict:test --audit --top 20",
    ),
    "tag": (
        "glyphone tag chunks.glyphone new.conll -o tagged.conll",
        "cat new.conll | glyphone tag chunks.glyphone - --format jsonl",
    ),
    "train": (
        "glyphone train lexicon.tsv --dev dev.tsv -o model.glyphone",
        "glyphone train cmudict:train --kind tree --case lower -o tree.glyphone",
    ),
    "treebank": (
        "glyphone treebank transfer old.conllu --text text.txt --model transfer.toml -o new.conllu",
        "glyphone treebank compare new.conllu gold.conllu",
    ),
    "voicemail": (
        "glyphone voicemail messages.jsonl --customers customers.tsv --format tsv",
        "glyphone voicemail generate -n 500 --seed 1 -o train.jsonl",
    ),
}
