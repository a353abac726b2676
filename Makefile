# Everything sets itself up: a machine with python3 (3.11 or newer, with venv) and make needs nothing else.
# The first target makes .venv, and makes it again when pyproject.toml changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CORES := $(shell nproc)
# More than there are cores: tests wait for servers, pauses, browsers and the disk. The fast ones do less of that: two
# workers kept 1.1 of two cores busy.
WORKERS := $(shell expr 2 '*' $(CORES) + 1)
FEW_WORKERS := $(shell expr $(CORES) + 1)

# Bytecode is kept, even where the machine is set not to: each of the many processes that tests start would otherwise
# compile the program first.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test fast bench lint docs screenshots clean

help:
	@echo "make demo    crawl a small web made up on this machine and show what came of it"
	@echo "make test    all tests, on all cores; make fast leaves out the slow ones"
	@echo "make lint    style, types and import layers"
	@echo "make bench   the measurements"
	@echo "make docs    write docs/reference from the code"
	@echo "make screenshots   take the pictures of the window for the docs"
	@echo "make clean   remove everything that was made, but no crawl of yours"

# pip below 25.1 does not know dependency groups, and the one that comes with Python may be older.
$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

demo: $(READY)
	rm -rf demo-crawl
	$(BIN)/scenthound demo --dir demo-crawl

test: $(READY)
	$(BIN)/python -m tests.ui.chromium
	$(BIN)/python -m tests.ui.nginx
	$(BIN)/python -m tests.store.postgres_server
	$(BIN)/python -m pytest -n $(WORKERS)

fast: $(READY)
	$(BIN)/python -m pytest -m 'not slow' -n $(FEW_WORKERS)

bench: $(READY)
	$(BIN)/python -m bench

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src tests bench papers
	$(BIN)/lint-imports

docs: $(READY)
	$(BIN)/python -m scenthound.cli.reference docs/reference

screenshots: $(READY)
	$(BIN)/python -m tests.ui.chromium
	$(BIN)/python -m bench.screenshots

clean:
	rm -rf $(VENV) demo-crawl build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests bench papers -name __pycache__ -type d -prune -exec rm -rf {} +
