# Sets up a virtual environment in .venv and runs everything in it; needs only Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin
LOCK := .ci/requirements.lock
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(LOCK)
TORCH := torch==2.13.0
TRAIN_TESTS = $(shell grep -lE 'importorskip.+torch|import torch' tests/*.py)
PAGE := tests/page
CODE := engine vision datasets models service tests examples
# Tests of the rules that cover them: those that look at no pictures, play no random games and open no tables.
RULES_TESTS = $(filter-out tests/test_api_% tests/test_hub_% tests/test_live_% tests/test_store%, \
  $(shell grep -LE 'cv2|numpy|vision|torch|range.SEEDS' tests/test_*.py))

.PHONY: demo test test-page test-train coverage games lint types format wheel lock clean segmenter reader finder faces

demo: $(VENV)/.stamp-base
	$(BIN)/set-referee demo

test: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest

# The page: types and style of its scripts, what they say in each language, and tests in Chromium. Needs Node and npm.
test-page: $(VENV)/.stamp-dev $(PAGE)/node_modules/.stamp
	npm --prefix $(PAGE) run --silent types
	npm --prefix $(PAGE) run --silent lint
	npm --prefix $(PAGE) run --silent styles
	npm --prefix $(PAGE) test --silent
	$(BIN)/python -m pytest -m browser $(PAGE)

test-train: $(VENV)/.stamp-train
	$(if $(TRAIN_TESTS),$(BIN)/python -m pytest $(TRAIN_TESTS),@echo "no tests need torch")

coverage: $(VENV)/.stamp-dev
	$(BIN)/python -m coverage run --branch --source=engine -m pytest --quiet engine $(RULES_TESTS)
	$(BIN)/python -m coverage report --show-missing --skip-covered --fail-under=100

games: $(VENV)/.stamp-dev
	$(BIN)/python -m tests.record_games
	for game in classic ravensburger setup junior-1 junior-2 cubed; do \
	  $(BIN)/python -m tests.play $$game --seeds 1000 || exit 1; done

lint: $(VENV)/.stamp-dev
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)

format: $(VENV)/.stamp-dev
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

types: $(VENV)/.stamp-train
	$(BIN)/mypy

wheel: $(VENV)/.stamp-dev
	rm -rf build dist
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

# The networks from nothing: scenes and boards of our own renderer, photos, crops and textures under DATA.
DATA ?= $(SET_REFEREE_SHARED)/data
RUNS ?= runs
SCENES ?= 6400
STEPS_SEGMENTER ?= 10000
STEPS_READER ?= 9000
BOARDS ?= 3600
STEPS_FINDER ?= 5900
STEPS_FACES ?= 15000
RENDER = $(BIN)/python -m datasets.render --crops $(DATA)/crops --textures $(DATA)/textures

$(RUNS)/scenes/labels.jsonl: | $(VENV)/.stamp-train
	$(RENDER) --count $(SCENES) --seed 1 --out $(@D)

$(RUNS)/unseen/labels.jsonl: | $(VENV)/.stamp-train
	$(RENDER) --count 250 --seed 9 --out $(@D)

$(RUNS)/patches/labels.npy: $(RUNS)/scenes/labels.jsonl
	$(BIN)/python -m models.training.patches $< $(DATA)/train/labels.jsonl --out $(@D)

$(RUNS)/segmenter.pt: $(RUNS)/scenes/labels.jsonl
	$(BIN)/python -m models.training.train_segmenter --scenes $< --photos $(DATA)/train/labels.jsonl \
	  --steps $(STEPS_SEGMENTER) --out $@

segmenter: $(RUNS)/segmenter.pt
	$(BIN)/python -m models.training.export segmenter $< models/segmenter
	$(BIN)/python -m models.training.quantise segmenter models/segmenter $(RUNS)/scenes/labels.jsonl

$(RUNS)/mined/labels.npy: $(RUNS)/scenes/labels.jsonl models/segmenter/model.onnx
	$(BIN)/python -m models.training.mine $< $(DATA)/train/labels.jsonl --segmenter models/segmenter --out $(@D)

reader: $(RUNS)/patches/labels.npy $(RUNS)/mined/labels.npy $(RUNS)/unseen/labels.jsonl
	$(BIN)/python -m models.training.train_reader --patches $(RUNS)/patches --patches $(RUNS)/mined \
	  --steps $(STEPS_READER) --out $(RUNS)/reader.pt
	$(BIN)/python -m models.training.export reader $(RUNS)/reader.pt models/reader
	$(BIN)/python -m models.training.quantise reader models/reader $(RUNS)/scenes/labels.jsonl
	$(BIN)/python -m models.training.calibrate $(RUNS)/unseen/labels.jsonl --segmenter models/segmenter --reader models/reader

$(RUNS)/boards/labels.jsonl: | $(VENV)/.stamp-train
	$(BIN)/python -m datasets.render_boards --textures $(DATA)/textures --count $(BOARDS) --seed 1 --out $(@D)

UNSEEN = unseen-boards unseen-clear unseen-flat

$(RUNS)/unseen-boards/labels.jsonl: | $(VENV)/.stamp-train
	$(BIN)/python -m datasets.render_boards --textures $(DATA)/textures --count 150 --seed 57 --out $(@D)

$(RUNS)/unseen-clear/labels.jsonl: | $(VENV)/.stamp-train
	$(BIN)/python -m datasets.render_boards --textures $(DATA)/textures --count 150 --seed 58 --clear --out $(@D)

$(RUNS)/unseen-flat/labels.jsonl: | $(VENV)/.stamp-train
	$(RENDER) --count 200 --seed 57 --out $(@D)

$(RUNS)/face-patches/labels.npy: $(RUNS)/boards/labels.jsonl
	$(BIN)/python -m models.training.face_patches $< --out $(@D)

# Begins with what the segmenter has learned; scenes of cards teach it what is neither die nor tile.
finder: $(RUNS)/boards/labels.jsonl $(RUNS)/segmenter.pt
	$(BIN)/python -m models.training.train_finder --scenes $< --scenes $(RUNS)/scenes/labels.jsonl \
	  --start $(RUNS)/segmenter.pt --steps $(STEPS_FINDER) --out $(RUNS)/finder.pt
	$(BIN)/python -m models.training.export finder $(RUNS)/finder.pt models/finder
	$(BIN)/python -m models.training.quantise finder models/finder $<

faces: $(RUNS)/face-patches/labels.npy $(UNSEEN:%=$(RUNS)/%/labels.jsonl)
	$(BIN)/python -m models.training.train_faces --patches $(<D) --steps $(STEPS_FACES) --out $(RUNS)/faces.pt
	$(BIN)/python -m models.training.export faces $(RUNS)/faces.pt models/faces
	$(BIN)/python -m models.training.quantise faces models/faces $(RUNS)/boards/labels.jsonl
	$(BIN)/python -m models.training.calibrate_faces $(wordlist 2,4,$^) --finder models/finder --faces models/faces

lock: $(VENV)/.stamp-train
	{ echo "# Exact versions that \`make\` and CI install; remake: make lock"; \
	  $(BIN)/python -m pip freeze --exclude-editable --exclude set-referee | sed 's/+cpu$$//'; } > $(LOCK)

clean:
	rm -rf $(VENV) build dist *.egg-info

$(BIN)/python:
	@for name in python3.13 python3.12 python3.11 python3; do \
	  if command -v $$name >/dev/null 2>&1 \
	    && $$name -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    echo "making $(VENV) with $$name"; exec $$name -m venv $(VENV); \
	  fi; \
	done; \
	echo "Set Referee needs Python 3.11 or newer with its venv module. Install it, then run make again:" >&2; \
	echo "  Debian, Ubuntu: sudo apt install python3 python3-venv    Fedora: sudo dnf install python3" >&2; \
	echo "  macOS: brew install python@3.12    elsewhere: https://www.python.org/downloads/" >&2; \
	exit 1

$(PAGE)/node_modules/.stamp: $(PAGE)/package-lock.json
	@command -v npm >/dev/null || { echo "the checks of the page need Node and npm" >&2; exit 1; }
	npm --prefix $(PAGE) ci --no-audit --no-fund --loglevel error
	@touch $@

$(VENV)/.stamp-base: pyproject.toml $(LOCK) | $(BIN)/python
	@echo "installing Set Referee into $(VENV)"
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/.stamp-dev: $(VENV)/.stamp-base
	@echo "installing the tools for tests"
	@$(INSTALL) --editable '.[dev]'
	@touch $@

$(VENV)/.stamp-train: $(VENV)/.stamp-dev
	@echo "installing what training needs"
	@$(INSTALL) --editable '.[dev,train]' $(TORCH)
	@touch $@
