# `make` lists the targets. Everything runs inside .venv, which `make setup` makes.
SHELL := /bin/bash
# Inherited, it would make each of the hundreds of processes of the tests compile everything anew.
unexport PYTHONDONTWRITEBYTECODE
PYTHON ?= python3
BIN := .venv/bin
# uv, with the package index that pip is set to use.
UV := $(BIN)/python .ci/uv.py
RUN_STAMP := .venv/.run-$(shell cksum < requirements.txt | tr -d ' ')
DEV_STAMP := .venv/.dev-$(shell cksum < requirements-dev.txt | tr -d ' ')
DATA ?= data
HTTP ?= 127.0.0.1:8000
SMTP ?= 127.0.0.1:8025
LMTP ?= 127.0.0.1:8024
GAME ?= druid
# Parts of `make faults`: make faults FAULTS=tests/faults/kills
FAULTS ?= tests/faults
FAULTS_ON_POSTGRES ?= tests/faults/one_effect tests/faults/kills
# Pages that `make test-browser` looks at.
BROWSER ?= tests/browser
# QUICK=--quick is the shortest form of every target that takes long; `make tools` runs it.
QUICK ?=
# The folder of the files that `make lock` writes.
LOCKED ?= .
# What `make tools` runs, of those that .ci/tools.toml lists.
TOOLS ?=
# What `make test`, `make test-ci`, `make test-all` and `make test-long` run: all tests.
TESTS ?=
# What `make break` breaks: make break BREAK="claim-letters-for-an-hour --long"
BREAK ?=
# Tests run two at a time; `make test SIDES=1` runs them one after another.
SIDES ?= 2
# Each begins with half of them, so that what a file sets up is set up once.
TOGETHER := -n $(SIDES) --dist worksteal
# A test that is not done by then says where it stands and fails; the others go on.
MAX_SECONDS ?= 300
BOUNDED := -o faulthandler_timeout=$(MAX_SECONDS) -o faulthandler_exit_on_timeout=true
# Tests and tools that have not begun by then are left out, and said to be: seconds since 1970.
UNTIL ?=
STOP_AT := $(if $(UNTIL),--until=$(UNTIL))
# Shuffles the files, and the tests of each: make test SEED=7; BUCKET=global shuffles all tests.
SEED ?=
BUCKET ?= module
ORDER := $(if $(SEED),--random-order-bucket=$(BUCKET) --random-order-seed=$(SEED))
# Where a hypervisor keeps the page tables, each new page of 4 KiB costs 15 to 45 microseconds: pages
# of 2 MiB, never given back, halved the processor time of tests there (479 of mail: 355 s to 156 s).
# Elsewhere they change little. Not for `bench`: it measures what operators run.
LARGE_PAGES := env PYTHONMALLOC=malloc GLIBC_TUNABLES=glibc.malloc.hugetlb=1 MALLOC_TOP_PAD_=16777216 \
	MALLOC_TRIM_THRESHOLD_=4000000000 MALLOC_MMAP_THRESHOLD_=1000000000
RUN_TESTS := $(LARGE_PAGES) $(BIN)/pytest -q $(STOP_AT)
PYTEST := $(RUN_TESTS) $(TOGETHER) $(BOUNDED) $(ORDER)
# How often, and which part, `make test-repeat` repeats.
TIMES ?= 30
REPEAT ?= tests
# What `make test-postgres` repeats, which CI runs too.
STORES ?= tests/services tests/storage tests/workers tests/processes/test_breaking.py \
	tests/processes/test_programs.py::test_two_processes_that_think_play_every_move_once \
	tests/doors/mail/test_every_command.py tests/doors/mail/test_playing.py \
	tests/doors/mail/reply/test_repeats.py tests/doors/api/test_events.py tests/doors/api/test_repeats.py
# Where `make test` looks for what is marked `postgres`.
ON_POSTGRES ?= tests/services tests/storage tests/workers tests/doors/mail tests/doors/api
# The settings are read by type checks too; they must not make a data folder.
LINT_ENVIRONMENT := SARSEN_SECRET_KEY=lint SARSEN_DATA=.venv/lint

.DEFAULT_GOAL := list
.PHONY: list setup setup-dev run play searches test test-ci test-all test-repeat test-long test-postgres test-research test-browser faults break \
	lint check golden pictures bench bench-growth reports load release-database simulate docs lock audit tools clean

list: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

setup: $(RUN_STAMP) ## make .venv with what the server needs

setup-dev: $(DEV_STAMP) ## the same, and what the tests need

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sarsen needs Python 3.11 or newer")'
	@$(PYTHON) -m venv .venv
	@echo "setting up .venv"; $(BIN)/python -m pip install --quiet --disable-pip-version-check uv

$(RUN_STAMP): requirements.txt pyproject.toml | $(BIN)/uv
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.txt
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
	@touch $@

$(DEV_STAMP): requirements-dev.txt pyproject.toml | $(BIN)/uv
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.txt
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
	@touch $@ $(RUN_STAMP)

run: setup ## start the server: web pages, mail in, mail out
	$(BIN)/sarsen serve --data $(DATA) --http $(HTTP) --smtp $(SMTP) --lmtp $(LMTP)

play: setup ## play two people at this terminal: make play GAME=gyges
	$(BIN)/sarsen play $(GAME)

# Once a run of make: the tests, and the processes that they start, load what is compiled here.
searches: setup-dev
	@echo "compiling the searches"
	@# In a fresh clone another core compiles the tests meanwhile, or each of the two sides would.
	@[ -d tests/__pycache__ ] || $(RUN_TESTS) --collect-only >/dev/null 2>&1 & $(LARGE_PAGES) $(BIN)/python -m sarsen.search && wait

test: searches ## the tests on SQLite, then those marked `postgres` on PostgreSQL when it is installed
	$(PYTEST) -m "not ci" $(TESTS)
	@tests/with_postgres $(PYTEST) -m "postgres and not ci" $(ON_POSTGRES)

test-ci: searches ## what `make test` leaves to CI: browsers, whole games in processes, a short month
	$(PYTEST) -m ci $(TESTS)

test-all: searches ## the tests of `make test` and of `make test-ci` on SQLite
	$(PYTEST) $(TESTS)

test-postgres: searches ## the tests of what stores on PostgreSQL; of all doors: STORES="tests/services tests/doors"
	tests/with_postgres $(PYTEST) $(STORES)

test-repeat: searches ## each test that starts processes or threads, 30 times: TIMES=5 REPEAT=tests/lab
	@rm -f .venv/starting
	$(PYTEST) --starting .venv/starting $(REPEAT)
	@sort -u -o .venv/starting .venv/starting
	$(PYTEST) --count $(TIMES) @.venv/starting

test-long: setup-dev ## the long tests: thousands of compared games, the fuzzers, newly drawn examples
	$(RUN_TESTS) --long $(QUICK) -m "slow or hypothesis" $(TESTS)

test-research: setup-dev ## adapters for researchers, with the long checks of OpenSpiel's own
	$(RUN_TESTS) --long $(QUICK) tests/research tests/doors/cli/test_dataset.py

test-browser: setup-dev ## pages in a real Chromium
	$(RUN_TESTS) --long $(QUICK) $(BROWSER)

faults: setup-dev ## kills, full disks, lost databases, floods, a million odd mails: hours; SEED=5 repeats a run
	$(RUN_TESTS) --long $(QUICK) $(FAULTS)
	@tests/with_postgres $(RUN_TESTS) --long $(QUICK) $(FAULTS_ON_POSTGRES)

break: setup-dev ## break the code on purpose, a promise at a time, and see a test fail; BREAK="--long" for all
	$(LARGE_PAGES) $(BIN)/python tests/faults/breaking.py $(QUICK) $(BREAK)

lint: setup-dev ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djangofmt --check src
	$(BIN)/djangofmt check src
	@! grep -rnE --include='*.html' '^.{140}' src || { echo "lines of 140 characters or more"; exit 1; }
	$(LINT_ENVIRONMENT) $(LARGE_PAGES) $(BIN)/mypy
	$(BIN)/lint-imports
	$(LINT_ENVIRONMENT) $(BIN)/python -m django makemigrations --check --dry-run --settings sarsen.server.settings

check: lint test ## before a push: lint, then the README's test command; CI runs more

golden: setup-dev ## write the recorded playthroughs and generated pages anew; say why in the commit
	$(BIN)/python tests/golden.py

pictures: setup-dev ## draw the pictures of the README anew, in a real Chromium
	$(RUN_TESTS) tests/browser/pictures.py $(QUICK)

bench: setup-dev ## speed, as figures and ratios
	$(BIN)/python -m bench $(QUICK)
	$(BIN)/python -m bench.pages $(QUICK)
	$(BIN)/python -m bench.watchers $(QUICK)
	$(BIN)/python -m bench.pictures $(QUICK)
	$(BIN)/python -m bench.mail_ratios $(QUICK)
	$(BIN)/python -m bench.research $(QUICK)
	$(BIN)/python -m bench.contests $(QUICK)

reports: setup-dev ## play the reports of docs/reports anew: an hour on two cores
	$(BIN)/python -m bench.reports $(QUICK)

load: setup-dev ## mail, pages and API together against real processes, beside the machine's limits
	$(BIN)/python -m bench.load $(QUICK)

bench-growth: setup-dev ## what moves, pages, lists and sweeps cost with a thousand to a million stored boards
	$(BIN)/python -m bench.growth $(QUICK)

release-database: setup-dev ## keep a database of this release, for the tests of upgrades
	$(BIN)/python tests/release_database.py $(QUICK) $(RELEASE)

simulate: setup-dev ## a month of 500 players on a fast clock, whose books must balance
	$(BIN)/python -m simulation $(QUICK)

docs: setup-dev ## write the generated pages of docs/
	$(BIN)/python tests/golden.py --docs

lock: $(BIN)/uv ## pin the requirements anew; QUICK=--quick pins only what pyproject.toml has changed
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate $(if $(QUICK),,--upgrade) --extra bots pyproject.toml -o $(LOCKED)/requirements.txt
	$(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate $(if $(QUICK),,--upgrade) --extra bots pyproject.toml --group dev -o $(LOCKED)/requirements-dev.txt

audit: $(BIN)/uv ## known vulnerabilities of the pinned requirements; asks the package index
	$(UV) tool run --from "pip-audit>=2.9" pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r requirements.txt

tools: searches ## every target and tool above in its shortest form; TOOLS="bench simulate" runs some
	$(BIN)/python .ci/tools.py $(STOP_AT) $(TOOLS)

clean: ## remove .venv and caches
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
