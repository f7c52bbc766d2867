# make help says what there is. PYTHON chooses the interpreter that the virtual environment is made
# with, JOBS how many tests run at once.

PYTHON ?= python3
JOBS ?= 2
VENV := .venv
RUN := $(VENV)/bin/python -m
STAMP := $(VENV)/installed

# Tests start hundreds of processes, and pytest rewrites what it loads: without bytecode on disk each
# compiles all of it again. `make clean` takes it away.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: help install test test-all lint types engines collected format demo bench bench-quick mutants clean

help:
	@echo "make install   put warpmill and its tools into $(VENV) (again where pyproject.toml changed)"
	@echo "make test      all checks: lint, types, tests"
	@echo "make test-all  the same with every case, the slow tests, and Chromium where it is found"
	@echo "make demo      two samples, one of PTX and one of LLVM bitcode, from code to time, and an application"
	@echo "make bench     ten minutes of speeds beside those recorded; fails where 30 % were lost"
	@echo "make mutants   two hours: break 200 places one by one, and say which no test notices"
	@echo "make bench-quick  two minutes of them; fails on nothing"
	@echo "make lint      ruff's checks and whether the code is formatted"
	@echo "make types     mypy"
	@echo "make format    format the code"
	@echo "make clean     remove $(VENV), caches and build outputs"

install: $(STAMP)

$(STAMP): pyproject.toml $(VENV)/pyvenv.cfg
	@echo "installing warpmill and its tools into $(VENV)"
	@$(RUN) pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# An environment that was not finished is made again: make takes its pyvenv.cfg away.
$(VENV)/pyvenv.cfg:
	@command -v $(PYTHON) > /dev/null || { \
	    echo "there is no $(PYTHON): install Python 3.11 or later (Debian: python3, python3-venv)" \
	         "or name one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "$(PYTHON) is $$($(PYTHON) --version 2>&1), warpmill needs Python 3.11 or later:" \
	         "name one, make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { \
	    echo "$(PYTHON) cannot make virtual environments: install the package" \
	         "$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" \
	         "(Debian: apt install python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)

test: lint
	@$(MAKE) --no-print-directory -j2 types engines collected
	$(RUN) pytest --quiet -n $(JOBS)

test-all: lint
	@$(MAKE) --no-print-directory -j2 types engines collected
	$(RUN) pytest --quiet --every -n $(JOBS)

# Compiled and kept, so that not each of the processes that run tests does so.
engines: install
	@$(RUN) warpmill simulate samples/reduce/launch.toml --size n=4096 --trace executed > /dev/null
	@$(RUN) warpmill estimate samples/reduce/launch.toml --size n=4096 > /dev/null
	@$(RUN) warpmill profile samples/reduce/launch.toml --size n=4096 > /dev/null
	@$(RUN) warpmill check samples/reduce/launch.toml --size n=4096 > /dev/null

# Rewritten once, before each of the processes that run tests would. Errors are told by the tests' run.
collected: install
	@$(RUN) pytest --quiet --collect-only > /dev/null || true

mutants: install
	@$(RUN) pip install --quiet --disable-pip-version-check --editable '.[mutants]'
	$(RUN) benchmarks mutants --fresh --workers $(JOBS)

lint: install
	$(RUN) ruff check .
	$(RUN) ruff format --check .

types: install
	$(RUN) mypy

format: install
	$(RUN) ruff format .
	$(RUN) ruff check --fix .

demo: install
	@set -e; \
	step() { \
	    printf '\n======== %s\n$$ warpmill %s\n\n' "$$1" "$$2"; \
	    $(RUN) warpmill $$2; \
	}; \
	tour() { \
	    step "$$1: what the file holds" "inspect $$2"; \
	    step "$$1: loops, branches and memory accesses" "analyze $$3"; \
	    step "$$1: what the warps of a launch execute" "trace $$3"; \
	    step "$$1: run on this computer, with its data" "run $$3"; \
	    step "$$1: exactly what it executes and accesses" "profile $$3"; \
	    step "$$1: how threads go through its blocks and loops" "dfsg $$3"; \
	    step "$$1: its time on three GPUs" "estimate $$3"; \
	}; \
	tour "matmul, from PTX" samples/matmul/matmul.sm_80.ptx samples/matmul/launch.toml; \
	tour "stencil5, from LLVM bitcode" samples/stencil5/stencil5.bc samples/stencil5/launch.bc.toml; \
	step "matmul, simulated on a whole GPU, cycle by cycle (compiled at first)" \
	    "simulate samples/matmul/launch.toml --size n=256 --machine a100"; \
	step "an application: breadth-first search, run and checked" "samples run bfs --preset tiny"; \
	step "one of its launches: what its warps execute" "trace bfs:tiny --launch 4"

# RECORD=--record adds the run to benchmarks/history/speed.jsonl.
bench: install
	@$(RUN) benchmarks.speed $(RECORD)

bench-quick: install
	-@$(RUN) benchmarks.speed --quick

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
