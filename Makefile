# Everything that one does with a checkout. The first target that needs it sets up .venv.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test test-all check lint types bench record clean

demo: $(READY)
	@$(BIN)/narrator demo

test: $(READY)
	@$(BIN)/pytest --numprocesses 2 -m "not full and not engine"

test-all: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev,engine]"
	@NARRATOR_REQUIRE_ENGINE=1 $(BIN)/pytest --numprocesses 2

check: lint types test

lint: $(READY)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: $(READY)
	@$(BIN)/mypy

record: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev,engine]"
	@NARRATOR_RECORD=1 NARRATOR_REQUIRE_ENGINE=1 $(BIN)/pytest -q tests/sources/test_cassettes.py

bench: $(READY)
	@$(BIN)/python -m benchmarks

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "narrator needs Python 3.11 or newer: make PYTHON=python3.x")'
	@echo "setting up .venv (once, about half a minute) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[dev]"
	@touch $@

clean:
	@rm -rf .venv dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
