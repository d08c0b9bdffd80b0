# make demo         open the app (the first time: install it into .venv)
# make class        open the app to everybody who can reach this computer: a process for each core; ADDRESS=127.0.0.1 for this computer alone
# make test         run every check on behaviour, in a real browser too where there is a Chromium
# make test-ray     install Ray, 400 MB, and try with it what spreads over many computers; with make test it is skipped where Ray is missing
# make fuzz         give everything 10,000 bad inputs: each must come to an answer or a sentence; ARGS="--seed 2" for others
# make lint         format, rules and types
# make format       put the format right
# make bench        measure speed, and what one answer of the app costs
# make load         VISITORS=40 ask a new sentence every three seconds: how long they wait, and what it costs; ARGS=--help
# make load-table   the table of docs/scale.md anew, ten minutes of a computer that does nothing else; ARGS=--ray with Ray too
# make day          eight classes in fast motion, and whether the server's memory comes back
# make train-NAME   train configs/NAME.toml on DATA=data into OUT=runs; ARGS=--resume goes on
# make bundle       put all packages with their hashes into bundle/, to install from where there is no network: docs/operate.md
# make screenshots  make the pictures in the README
# make walk-lectures  give every lecture by its keys in a browser, from the first idea to the last; ARGS="bereyhi mopuri" only these
# make clean        remove .venv and all caches

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo class test test-ray fuzz lint format bench load load-table day bundle screenshots walk-lectures clean runtime development

PY := .venv/bin/python
DATA ?= data
OUT ?= runs
ARGS ?=
VISITORS ?= 40

ADDRESS ?= 0.0.0.0
PORT ?= 8501

help:
	@grep -E '^# make' Makefile | cut -c 3-

runtime development:
	@tools/environment $@

# Streamlit opens the browser on a desktop and prints the address elsewhere.
demo: runtime
	@$(PY) -m streamlit run streamlit_app.py $(ARGS)

class: runtime
	@$(PY) tools/serve.py --address $(ADDRESS) --port $(PORT) $(ARGS)

test: development
	@$(PY) -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

test-ray: development
	@$(PY) -c "import ray.serve" 2>/dev/null || $(PY) -m pip install --disable-pip-version-check --quiet "ray[serve]>=2.60,<3"
	@$(PY) -m pytest -n 0 tests/core/test_ray.py $(ARGS)

fuzz: development
	@$(PY) -m tests.fuzz $(ARGS)

lint: development
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy

format: development
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix-only --exit-zero .

bench: runtime
	@$(PY) -m seq2seq_core bench $(ARGS)
	@[ -n "$(ARGS)" ] || $(PY) tools/load.py --visitors 4 --seconds 9

load: runtime
	@$(PY) tools/load.py --visitors $(VISITORS) $(ARGS)

load-table: runtime
	@$(PY) tools/load_table.py $(ARGS)

day: runtime
	@$(PY) tools/day.py $(ARGS)

train-%: runtime
	@$(PY) -m seq2seq_core train --config configs/$*.toml --data $(DATA) --out $(OUT)/$* $(ARGS)

screenshots: development
	@$(PY) tools/screenshots.py $(ARGS)

walk-lectures: development
	@$(PY) tools/lectures.py walk $(ARGS)

bundle: runtime
	@tools/bundle

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
