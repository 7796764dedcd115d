# `make` installs, compiles the grammars, trains the default models and shows the sample names;
# `make help` lists the rest.

PYTHON ?= python3
BIN := .venv/bin
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
SOURCES := $(filter-out %/__init__.py,$(wildcard grammars/*/[!_]*.py))
ARCHIVES := $(SOURCES:grammars/%.py=build/%.far)
MODELS := build/eng/letter_to_sound.glyphone
LANGUAGES := $(patsubst grammars/%/names.toml,%,$(wildcard grammars/*/names.toml))
NAMES := $(foreach code,$(LANGUAGES),build/$(code)/names.glyphone build/$(code)/to_latin.glyphone)
TRAINED := $(MODELS) $(NAMES) build/jpn/kanji.glyphone build/eng/voicemail.glyphone build/matcher.glyphone
MEASURED := $(MODELS) $(foreach code,ara heb hin jpn kor rus,$(filter build/$(code)/%,$(NAMES))) \
  build/jpn/kanji.glyphone build/eng/voicemail.glyphone build/matcher.glyphone
ROOMS := data fst grammars learners

.DELETE_ON_ERROR:
.PHONY: all grammars archives models samples test check lint types bench docs clean dist-check help install

all: samples

build/installed: pyproject.toml setup.py
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable .
	@mkdir -p build && touch $@

build/installed-for-tests: build/installed
	$(BIN)/python -m pip install --quiet --editable ".[test,dev,draw]"
	@touch $@

install: build/installed ## create .venv and install glyphone into it

samples: grammars $(MODELS) ## transliterate data/samples/names.txt
	@$(BIN)/glyphone samples data/samples/names.txt

grammars: build/installed ## compile what has changed, on all cores
	@$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,--jobs=$(CORES)) archives

archives: $(ARCHIVES)

# Dependency files say which modules and word lists each archive was made from.
-include $(ARCHIVES:.far=.d)

build/%.far: grammars/%.py | build/installed
	@mkdir -p $(@D)
	@$(BIN)/glyphone compile $(subst /,.,$*) -o $@ --dependencies $(@:.far=.d)

models: $(TRAINED) ## train the default models, those of names too (three quarters of an hour)

# Dependency files name the modules and data files that each model was trained with.
-include $(TRAINED:=.d)

$(MODELS): | build/installed
	@$(BIN)/glyphone models train eng --folder build --dependencies $@.d

build/jpn/kanji.glyphone: | grammars
	@$(BIN)/glyphone models train jpn.kanji --folder build --dependencies $@.d

build/eng/voicemail.glyphone: | grammars $(MODELS)
	@$(BIN)/glyphone models train eng.voicemail --folder build --dependencies $@.d

build/matcher.glyphone: | build/installed
	@$(BIN)/glyphone models train matcher --folder build --dependencies $@.d

# One recipe makes both.
build/%/names.glyphone build/%/to_latin.glyphone: | grammars
	@$(BIN)/glyphone models train $* --folder build --dependencies build/$*/names.glyphone.d

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

bench: all $(MEASURED) build/installed-for-tests build/peers/installed ## measure glyphone beside its peers, and write docs/figures.md
	$(BIN)/python benchmarks/run.py --peers build/peers

# An environment of their own: one brings modules named `tool` and `misc`, and what cannot be
# installed is left out of the page.
build/peers/installed: | build/installed
	$(PYTHON) -m venv build/peers
	-build/peers/bin/python -m pip install --quiet phonetisaurus
	-build/peers/bin/python -m pip install --quiet sequitur-g2p
	-build/peers/bin/python -m pip install --quiet mecab-python3 ipadic pykakasi
	-build/peers/bin/python -m pip install --quiet rapidfuzz
	-build/peers/bin/python -m pip install --quiet wordfreq
	-build/peers/bin/python -m pip install --quiet gruut-lang-fr
	-build/peers/bin/python -m pip install --quiet text2num
	-build/peers/bin/python -m pip install --quiet sklearn-crfsuite
	-build/peers/bin/python -m pip install --quiet py_stringmatching jellyfish unidecode
	-build/peers/bin/python -m pip install --quiet nomenklatura
	@touch $@

build/installed-for-docs: build/installed
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	@touch $@

docs: build/installed-for-docs ## write the documentation as a site, build/site/index.html
	rm -rf build/site build/pages
	$(BIN)/python -m docs.website build/pages
	$(BIN)/sphinx-build -qW --keep-going -c docs/website -d build/doctrees build/pages build/site

dist-check: grammars build/installed-for-tests ## pip installs sdist, wheel, checkout and git URL
	.ci/dist-check sdist wheel checkout git

clean: ## remove everything that was built, .venv too
	rm -rf build dist .venv *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12
