# Everything is installed inside this folder: .venv/ (Python), .cache/ (tools, reports, screenshots),
# vscode-extension/node_modules/ (the extension). `make clean` removes it.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON_BIN := .venv/bin
EXTENSION := vscode-extension
VSIX := $(EXTENSION)/agent-memory.vsix
RESULTS := $(CURDIR)/.cache/results
# Tests must not see the memory of the person who runs them.
CLEAN_HOME := HOME=$(CURDIR)/.cache/home
# Tests save thousands of small files, each of them durably. A file system in memory with 1 GiB free
# saves a fifth of the time; `TMPDIR=/tmp make test` uses the disk.
MEMORY_DISK := $(shell df -Pk /dev/shm 2>/dev/null | awk '$$4 > 1048576 && $$6 == "/dev/shm" {print $$6}')
PYTEST := $(CLEAN_HOME) TMPDIR=$(or $(TMPDIR),$(MEMORY_DISK)) $(PYTHON_BIN)/python -m pytest -q
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
# One more than processors, because some tests wait. A worker without tests takes those of another.
WORKERS := -n $(shell expr $(PROCESSORS) + 1) --dist worksteal
# Each worker would compile all tests again, and each of hundreds of processes the package.
unexport PYTHONDONTWRITEBYTECODE
NPM_CI := npm ci --no-fund --no-audit --loglevel=error

.PHONY: help
help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# Setting up ------------------------------------------------------------------------------------

.PHONY: setup
setup: python $(EXTENSION)/node_modules/.installed ## Install what `run` and `test` need (no root)

.PHONY: python
python: .cache/home
	@tools/setup-python

.cache/home:
	@mkdir -p .cache/home .cache/results

%/node_modules/.installed: %/package-lock.json
	@echo "setting up $*/node_modules"
	@cd $* && $(NPM_CI) && touch node_modules/.installed

# The main job ----------------------------------------------------------------------------------

.PHONY: run
run: vsix ## Check the example workspace and compose its prompt (from a fresh clone 1 min)
	@tools/run-example $(VSIX)

.PHONY: vsix
vsix: $(VSIX) ## Build the extension with the server inside it

$(VSIX): $(shell find server $(EXTENSION) requirements docs/rules -type f \
    -not -path '*/node_modules/*' -not -path '*/__pycache__/*' -not -path '*/dist/*' \
    -not -path '*/out/*' -not -path '*/bundled/*' -not -name '*.vsix' 2>/dev/null) | setup
	@echo "building $@"
	@cd $(EXTENSION) && npm run --silent package >../.cache/package.log 2>&1 || \
	  { cat ../.cache/package.log; exit 1; }

# Tests -----------------------------------------------------------------------------------------

# Effort of the Python tests: fast (no slow ones, a tenth of the generated examples), usual, all
# (4 times the examples and repetitions).
.PHONY: test
test: setup ## Linters, type checks and all tests that need no editor (5 min)
	@$(MAKE) --no-print-directory -j2 --output-sync=target test-python lint extension

.PHONY: test-fast
test-fast: python ## Python tests in process, without the slow ones (1 min); T=PATH for one file
	@AGENT_MEMORY_TESTS=fast $(PYTEST) -n $(PROCESSORS) --dist worksteal -m "not slow and not conformance" \
	  $(or $(T),tests/unit tests/rules tests/lsp/test_first.py)

.PHONY: test-all
test-all: ## As test, with every property test and race at full length (CI)
	@AGENT_MEMORY_TESTS=all $(MAKE) --no-print-directory test

.PHONY: lint
lint: wording lint-python ## Wording, ruff and mypy

.PHONY: wording
wording: python
	@$(PYTHON_BIN)/python tools/check_wording.py

.PHONY: lint-python
lint-python: python
	@$(PYTHON_BIN)/ruff format --check -q .
	@$(PYTHON_BIN)/ruff check -q .
	@$(PYTHON_BIN)/mypy --no-error-summary
	@echo "ruff, mypy: clean"

# The official SARIF schema, from its authors' package.
SARIF_SCHEMA := .cache/sarif-2.1.0.json
SARIF_SHA256 := 2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8

$(SARIF_SCHEMA): | .cache/home
	@cd .cache && npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 >/dev/null
	@cd .cache && tar -xzOf microsoft-jest-sarif-1.0.0-beta.0.tgz \
	  package/lib/schemas/sarif-2.1.0-rtm.5.json > sarif.tmp && rm microsoft-jest-sarif-*.tgz
	@cd .cache && echo "$(SARIF_SHA256)  sarif.tmp" | sha256sum --check --quiet
	@mv .cache/sarif.tmp $@

.PHONY: test-python
test-python: python $(SARIF_SCHEMA)
	@$(PYTEST) $(WORKERS) --ignore tests/e2e --ignore tests/conformance \
	  --junitxml $(RESULTS)/python.xml

.PHONY: extension
extension: setup
	@cd $(EXTENSION) && npm run --silent lint && npm run --silent types && echo "eslint, tsc: clean"
	@cd $(EXTENSION) && RESULTS=$(RESULTS) npm test --silent

.PHONY: coverage
coverage: python $(SARIF_SCHEMA) ## Branch coverage of the server; fails under 96 %
	@$(PYTEST) $(WORKERS) --ignore tests/e2e --ignore tests/conformance \
	  --cov --cov-report term:skip-covered --cov-report json:$(RESULTS)/coverage.json
	@$(PYTHON_BIN)/python tools/branches.py $(RESULTS)/coverage.json 96

.PHONY: conformance
conformance: python ## Compare with the real runtimes (installed in .cache/)
	@$(PYTEST) -n 2 --dist loadfile -m conformance tests/conformance --junitxml $(RESULTS)/conformance.xml

.PHONY: e2e
e2e: vsix code-server tests/e2e/node_modules/.installed ## Journeys in a real VS Code, Neovim and Emacs
	@tools/setup-system --editors
	@tests/e2e/run $(JOURNEY)

.PHONY: code-server
code-server: python
	@tools/setup-system
	@tools/setup-code-server

.PHONY: editor
editor: vsix code-server ## Open the example workspace in VS Code in a browser (loopback only; first 2 min)
	@tools/open-editor $(VSIX)

.PHONY: docs
docs: python ## Write everything that is generated from rules, settings, secret kinds and runtimes
	@for tool in tools/*_docs.py tools/secret_kinds.py; do $(PYTHON_BIN)/python $$tool; done

.cache/site/installed: requirements/site.txt | python
	@echo "setting up .cache/site"
	@$(PYTHON_BIN)/python -m venv --clear --without-pip .cache/site
	@$(PYTHON_BIN)/python -m pip --python .cache/site --disable-pip-version-check install -qq --require-hashes -r $<
	@touch $@

.PHONY: site
site: .cache/site/installed ## Documentation site in .cache/site-pages; fails on a warning or a broken link
	@NO_MKDOCS_2_WARNING=1 .cache/site/bin/mkdocs build --strict >.cache/site.log 2>&1 || \
	  { cat .cache/site.log; exit 1; }
	@echo "site: .cache/site-pages/index.html"

# The other build is in another folder and at the same time, with what git knows or could add.
OTHER := .cache/other-build
.PHONY: release-check
release-check: setup ## What only a release needs: translations, packages built twice are the same
	@$(PYTHON_BIN)/python tools/l10n_check.py
	@rm -rf $(OTHER) && mkdir -p $(OTHER)
	@git ls-files -z --cached --others --exclude-standard --deduplicate | \
	  xargs -0 cp --parents --no-dereference --preserve=timestamps -t $(OTHER)
	@ln -sfn $(CURDIR)/.venv $(OTHER)/.venv
	@ln -sfn $(CURDIR)/$(EXTENSION)/node_modules $(OTHER)/$(EXTENSION)/node_modules
	@$(MAKE) --no-print-directory -j2 packages other-packages
	@diff -r dist $(OTHER)/dist
	@rm -rf $(OTHER)
	@echo "packages: the same bytes from two builds"

.PHONY: other-packages
other-packages:
	@mkdir -p $(OTHER)/.cache
	@$(MAKE) --no-print-directory -C $(OTHER) packages

.PHONY: packages
packages: setup ## Wheel, sdist, VSIX, SBOM and list of licenses in dist/
	@rm -rf dist && mkdir dist
	@export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct); \
	  $(PYTHON_BIN)/python -m hatchling build -d dist >/dev/null; \
	  cd $(EXTENSION) && npm run --silent package >../.cache/package.log
	@cp $(VSIX) dist/
	@$(PYTHON_BIN)/python tools/sbom.py >dist/sbom.cdx.json
	@$(PYTHON_BIN)/python tools/sbom.py --licenses >dist/licenses.txt

.PHONY: smoke
smoke: ## Install wheel and sdist without a network on every Python of this machine, and use them
	@[ -d dist ] || $(MAKE) --no-print-directory packages
	@$(PYTHON_BIN)/python tools/smoke.py

.PHONY: bench
bench: python ## Measure start-up, keystrokes, bursts and memory
	@$(PYTHON_BIN)/python benchmarks/run.py

.PHONY: soak
soak: python ## 20,000 edits in 10 minutes: memory, descriptors and threads must stay flat
	@$(CLEAN_HOME) $(PYTHON_BIN)/python benchmarks/soak.py

# FUZZ="--documents 1000000 --seed 7" names targets and numbers; the default is a new seed.
FUZZ_SECONDS := 60
.PHONY: fuzz
fuzz: python ## Generated documents, messages and folders against everything that reads
	@$(CLEAN_HOME) PYTHONPATH=server:tests $(PYTHON_BIN)/python -m fuzz \
	  $(or $(FUZZ),--seconds $(FUZZ_SECONDS))

.PHONY: clean
clean: ## Remove everything that was installed or built
	@rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis htmlcov .coverage*
	@rm -rf $(EXTENSION)/{node_modules,dist,out,bundled,*.vsix} tests/e2e/node_modules
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
