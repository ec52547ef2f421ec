# Feltlock: everything a person runs by hand. Bare `make` lists the targets.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
PYTEST := $(BIN)/python -m pytest -n 2

.DEFAULT_GOAL := help
.PHONY: help setup run test quick lint format types figures crashloop planted lockout-race clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## make the virtual environment and install what is pinned in pyproject.toml

$(STAMP): pyproject.toml board/make_venv.sh
	@bash board/make_venv.sh "$(PYTHON)" "$(VENV)"
	@touch $@

run: $(STAMP) ## play a simulated table in this terminal (Ctrl-C ends it)
	@$(BIN)/feltlock simulate

test: lint types ## the whole suite
	$(PYTEST)

quick: $(STAMP) ## the suite without the proofs that take minutes
	$(PYTEST) -m "not slow"

lint: $(STAMP) ## ruff: style, imports, format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP) ## ruff: put the format right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMP) ## mypy, strict
	$(BIN)/mypy

figures: $(STAMP) ## performance, each figure beside what it is compared with
	@$(BIN)/python -m pip -q install -e '.[figures]' && $(BIN)/python -m host_tools.figures

crashloop: $(STAMP) ## kill the running table at 200 random points; nothing may be lost or doubled
	$(BIN)/python -m host_tools.proofs.crash_loop --kills 200

planted: $(STAMP) ## run every proof against planted faults; each must be caught
	$(BIN)/python -m host_tools.proofs.planted

lockout-race: $(STAMP) ## 10,000 chips against the lock-out button
	$(BIN)/python tests/controller/lockout_race.py 10000

clean: ## remove the virtual environment and simulated tables
	rm -rf $(VENV) var
