# Needs make and Python 3.11 or newer; everything else is set up here, in .venv.
# All of it works from an archive without .git, and a second run does nothing twice.

SHELL := /bin/sh
# Tests start many commands: none of them shall compile the compiler anew.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
PY := $(VENV)/bin/python
CARDC := $(PY) -m cardc
READY := $(VENV)/.ready
# Each game, and each expansion with tests of its own.
GAMES := $(sort $(wildcard cards/*/) $(patsubst %tests,%,$(wildcard cards/*/*/tests)))
SEED ?=

# The first interpreter that is new enough and can make an environment.
FIND_PYTHON = for p in $(PYTHON) python3.13 python3.12 python3.11 python3.14 python3 python; do \
	command -v $$p >/dev/null 2>&1 \
	&& $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { echo $$p; break; }; done

.DEFAULT_GOAL := help
.PHONY: help play test test-all lint types unit games wheel bench peers native fuzz mutate clean distclean

help:
	@echo "make play      play Vughex: you against a bot, or two bots where there is no terminal"
	@echo "make test      everything that must hold: lint, types, unit tests, the games' tests, the wheel"
	@echo "make test-all  the unit tests under every Python from 3.11 to 3.14 that is found"
	@echo "make bench     how fast it is; make peers: beside other libraries; make native: compiled"
	@echo "make fuzz      odd input, for longer than in make test"
	@echo "make mutate    which clauses of the games could change without a test noticing"
	@echo "make clean     remove what was built; make distclean: the environments too"

# ---- The environment. It is made anew when the folder has moved: its scripts know where they were.

$(shell [ ! -f $(READY) ] || [ "$$(cat $(READY))" = "$$(pwd)" ] || rm -rf $(VENV))

$(READY): pyproject.toml
	@if ! $(PY) -c '' >/dev/null 2>&1; then \
		python=$$($(FIND_PYTHON)); \
		if [ -z "$$python" ]; then \
			echo "cardc needs Python 3.11 or newer, with venv (on Debian: apt install python3-venv)." >&2; \
			echo "None was found; name one: make PYTHON=/path/to/python3" >&2; exit 1; fi; \
		echo "setting up $(VENV) with $$($$python --version)"; \
		rm -rf $(VENV) && $$python -m venv $(VENV); fi
	@$(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@rm -rf $(VENV)/wheels && $(PY) -m pip wheel --quiet --disable-pip-version-check --no-build-isolation \
		--wheel-dir $(VENV)/wheels . && rm -f $(VENV)/wheels/cardc-*.whl
	@pwd > $@

# ---- What a user does first

play: $(READY)
	@$(CARDC) play cards/vughex $(if $(SEED),--seed $(SEED))

# ---- What must hold

test: lint types unit games wheel
	@echo "all of make test holds"

lint: $(READY)
	$(PY) -m ruff check
	$(CARDC) fmt --check $(GAMES)

types: $(READY)
	$(PY) -m mypy

unit: $(READY)
	$(PY) -m pytest -n 2

games: $(READY)
	@for game in $(GAMES); do \
		rules=; [ ! -f "$${game}RULES.md" ] || rules="--rules $${game}RULES.md"; \
		$(CARDC) lint "$${game%/}" --strict || exit 1; \
		echo "cardc test $${game%/}"; $(CARDC) test "$${game%/}" $$rules || exit 1; done

wheel: $(READY)
	@sh tests/wheel.sh $(PY) $(VENV)/wheels

test-all: $(READY)
	@tried=; for minor in 11 12 13 14; do \
		python=; for p in python3.$$minor $$HOME/.pyenv/versions/3.$$minor.*/bin/python3.$$minor; do \
			$$p -c 'import venv, ensurepip' >/dev/null 2>&1 && { python=$$p; break; }; done; \
		[ -n "$$python" ] || { echo "no Python 3.$$minor here"; continue; }; \
		env=.venv-3.$$minor; \
		if [ ! -f $$env/.ready ] || [ pyproject.toml -nt $$env/.ready ] || [ "$$(cat $$env/.ready)" != "$$(pwd)" ]; then \
			rm -rf $$env && $$python -m venv $$env \
			&& $$env/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' \
			&& pwd > $$env/.ready || exit 1; fi; \
		echo "pytest under $$($$env/bin/python --version)"; \
		$$env/bin/python -m pytest -n 2 -p no:cacheprovider || exit 1; tried="$$tried 3.$$minor"; done; \
	[ -n "$$tried" ] || { echo "no Python from 3.11 to 3.14 was found" >&2; exit 1; }; \
	echo "passed under Python$$tried"

# ---- What takes longer

bench: $(READY)
	@for file in benchmarks/builds.py benchmarks/matches.py benchmarks/startup.py; do echo "$$file"; $(PY) "$$file" || exit 1; done

# These two make an environment of their own.
peers: $(READY)
	@PYTHON="$(PYTHON)" $(PY) benchmarks/peers/run.py

native: $(READY)
	@$(PY) benchmarks/native/run.py

fuzz: $(READY)
	CARDC_FUZZ=long $(PY) -m pytest tests -k fuzz

# How many changes of each game may go unnoticed. These only ever get smaller.
SURVIVORS := vughex=1 moonlight=1 locm=2 monsteria=8 moonga=1 moonga/densara=0

mutate: $(READY)
	@for game in $(SURVIVORS); do \
		echo "cardc test cards/$${game%=*} --mutate"; \
		$(CARDC) test "cards/$${game%=*}" --min-coverage 98 --mutate --max-survivors "$${game#*=}" --jobs 2 || exit 1; done

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.venv*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv .venv-3.* .venv-peers .venv-native
