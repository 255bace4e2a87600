# `make demo` prints nothing but the answer on standard output; what it sets up first is said on standard error.
# Every target sets up what it needs; nothing has to be installed first but Python >= 3.11 and a Rust toolchain.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
REPO   ?= .
TASK   ?= keep the token budget a hard bound when the text is rendered

RUST_SOURCES := $(shell find rust -name '*.rs' -o -name 'Cargo.toml' -o -path 'rust/tokens/data/*') Cargo.toml Cargo.lock

.DEFAULT_GOAL := help
.PHONY: help demo test lint format build wheel docs adapters bench bench-large bench-growth bench-limits complexity-check eval eval-commits kill-check mcp-check speed-check fuzz-scanner tokens-check corpus-check ranks clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

$(VENV)/.ready: pyproject.toml
	@echo 'setting up $(VENV)' >&2
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ctxsieve needs Python 3.11 or newer: make PYTHON=/path/to/python3")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

$(VENV)/.built: $(VENV)/.ready $(RUST_SOURCES)
	@echo 'compiling the native core' >&2
	@PIP_QUIET=1 $(BIN)/maturin develop --release --locked --quiet >&2
	@touch $@

build: $(VENV)/.built ## Set up the environment and compile the native core

demo: build ## Run the main job on a repository: make demo REPO=path TASK="..."
	@$(BIN)/ctxsieve preload "$(TASK)" --path "$(REPO)"

test: build wheel ## Run all tests, Rust and Python
	cargo test --workspace --exclude ctxsieve-bindings --locked --quiet
	$(BIN)/python -m pytest -n auto

lint: build ## Check format, lints, types and layers
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.ready ## Rewrite the sources in the project's format
	cargo fmt --all
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

wheel: $(VENV)/.ready ## Build the abi3 wheel and the sdist into dist/
	rm -rf dist
	$(BIN)/maturin build --release --locked --sdist --out dist

$(VENV)/.adapters: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group adapters
	touch $@

$(VENV)/.docs: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group docs
	touch $@

docs: $(VENV)/.docs ## Build the documentation into site/, strictly
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

adapters: build $(VENV)/.adapters ## Test the adapters with the frameworks that they are for
	$(BIN)/python -m pytest tests/integration/test_adapters.py

$(VENV)/.bench: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	touch $@

bench: build $(VENV)/.bench ## Native against pure against peers: one table of ratios, and JSON
	$(BIN)/python -m benches.python

bench-large: build $(VENV)/.bench ## The same with graphs of 10,000,000 edges
	$(BIN)/python -m benches.python --large

bench-growth: build $(VENV)/.bench ## What ten times the input costs
	$(BIN)/python -m benches.python --growth

bench-limits: build $(VENV)/.bench ## How long Ctrl-C takes in each kernel, two threads against one, memory for 1 GB of text
	$(BIN)/python -m benches.python.surprise_limits
	$(BIN)/python -m benches.python.interrupts

# Where the packages and their indexes are kept: fetched once, then no network is needed.
EVAL_CACHE ?= .evaluation

eval: build ## Rank files of released packages for known tasks, in six languages; fails where it got worse
	$(BIN)/python -m evaluation --cache "$(EVAL_CACHE)"

ROWS         ?= rows.jsonl
REPOSITORIES ?= repositories
EVAL_OPTIONS ?= --leave-one-out

eval-commits: build ## Rank files for real commits, and tune without each repository: make eval-commits ROWS=... REPOSITORIES=...
	$(BIN)/python -m evaluation.commits $(ROWS) --repositories "$(REPOSITORIES)" --cache "$(EVAL_CACHE)" $(EVAL_OPTIONS)

TREES ?= python

complexity-check: build ## Compare complexity with radon and lizard: make complexity-check TREES="folder ..."
	$(BIN)/python -W ignore scripts/compare_complexity.py $(TREES)

speed-check: build ## Time the command on a repository and fail above the limits: make speed-check REPO=path
	$(BIN)/python scripts/check_speed.py $(REPO) $(LIMITS)

mcp-check: build ## Time the MCP server on a repository: make mcp-check REPO=path
	$(BIN)/python -m benches.python.mcp_server $(REPO)

kill-check: build ## Kill a writer 200 times and look for what was acknowledged
	CTXSIEVE_TEST_KILLS=200 $(BIN)/python -m pytest tests/integration/test_store_under_stress.py -k killed

fuzz-scanner: build ## Throw 200,000 mutated texts at the scanner of references
	PYTHONPATH=tests $(BIN)/python -m fuzz.reference_scanner 200000

corpus-check: build ## Compress 3,000 real files in every mode and check the rules: make corpus-check CORPUS="folder ..."
	PYTHONPATH=tests $(BIN)/python -m fuzz.compression_corpus $(wildcard .evaluation) $(CORPUS)

CORPUS ?= $(VENV)/lib
RANKS  ?= .ranks

tokens-check: build ## Compare token ids with tiktoken's on 50 MB and more: make tokens-check CORPUS="folder ..."
	$(BIN)/python scripts/check_tokens.py $(CORPUS)

ranks: build ## Download the corpus (1 GB) into RANKS and count the surprise tables anew
	$(BIN)/python scripts/ranks/build.py $(RANKS)

clean: ## Remove everything that was built
	rm -rf $(VENV) target dist site
	find python -name '*.so' -delete
