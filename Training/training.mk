# SPDX-License-Identifier: Apache-2.0
# Training of the passive liveness network; included by the top Makefile, run from the top folder.
#
#   make train-liveness DATA=DIR TEACHER=FILE [OUT=build/training] [DETECTOR=FILE] [LFW=DIR]
#   make train-liveness (same) QUICK=1                    every stage with a few pictures
#   make train-refine   (same)                            an experiment: go on with poor webcams
#   make train-close    (same) [START=FILE]               an experiment: go on from an ONNX file with faces too close
#   make train-choose   DATA=DIR TEACHER=FILE             session rule and threshold on held-out training data
#   make train-evaluate EVAL=DIR TEACHER=FILE RULE=... THRESHOLD=...   the measured rates, as JSON
#   make train-sheet    DATA=DIR                          contact sheet of the attack synthesis, in OUT
#   make train-test                                       the unit tests
#
# BORDER=mirrored makes and judges crops with a mirrored border, for an experiment in an OUT of its own.
# Debian: apt-get install python3-torch python3-venv. OUT holds pictures of people: it stays out of the repository.

TRAINING_OUT = $(abspath $(or $(OUT),build/training$(if $(QUICK),-quick)))
TRAINING_ENV = build/training-env
TRAINING_PYTHON = OMP_NUM_THREADS=1 PYTHONPATH=Training LIVENESS_BORDER=$(BORDER) $(TRAINING_ENV)/bin/python
TRAINING_DETECTOR = $(or $(DETECTOR),build/training-fetched/models/detector.onnx)
TRAINING_STUDENT = $(or $(STUDENT),$(TRAINING_OUT)/runs/longer/liveness.onnx)
TRAINING_LFW = $(foreach folder,$(LFW),--lfw $(folder))
TRAINING_RUN = $(TRAINING_PYTHON) -m liveness.run --data $(DATA) $(TRAINING_LFW) --teacher $(TEACHER) \
    --detector $(TRAINING_DETECTOR) --out $(TRAINING_OUT) $(if $(QUICK),--quick)
training_need = $(if $($(1)),,$(error set $(1)=...: $(2)))

.PHONY: train-liveness train-refine train-close train-choose train-evaluate train-sheet train-test train-plain-test

$(TRAINING_ENV)/ready: Training/requirements.txt
	/usr/bin/python3 -m venv --system-site-packages $(TRAINING_ENV)
	$(TRAINING_ENV)/bin/pip install -q --disable-pip-version-check --require-hashes --no-deps \
	    --only-binary :all: -r Training/requirements.txt
	$(TRAINING_ENV)/bin/python -c 'import cv2, numpy, onnx, onnxruntime, torch'
	touch $@

build/training-fetched/models/detector.onnx:
	Models/fetch.sh build/training-fetched

train-liveness: $(TRAINING_ENV)/ready $(TRAINING_DETECTOR)
	$(call training_need,DATA,the folder with lfw nuaa clips-live)
	$(call training_need,TEACHER,the teacher's ONNX file)
	$(TRAINING_RUN) --name base
	$(TRAINING_RUN) --name longer --start base --epochs 5 --rate 0.002

train-refine: train-liveness
	$(TRAINING_RUN) --name refined --start base --poor --epochs 2 --rate 0.002

train-close: $(TRAINING_ENV)/ready $(TRAINING_DETECTOR)
	$(call training_need,DATA,the folder with lfw nuaa clips-live)
	$(call training_need,TEACHER,the teacher's ONNX file)
	$(TRAINING_RUN) --name close --start $(or $(START),Models/liveness.onnx) --close --take 3072 --epochs 6 --rate 0.0015

train-choose: $(TRAINING_ENV)/ready $(TRAINING_DETECTOR)
	$(call training_need,DATA,the folder with lfw nuaa clips-live)
	$(TRAINING_PYTHON) -m liveness.choose --data $(DATA) $(TRAINING_LFW) --detector $(TRAINING_DETECTOR) \
	    --student $(TRAINING_STUDENT) $(if $(TEACHER),--teacher $(TEACHER)) $(if $(HARD),--hard) $(if $(PEOPLE),--people) \
	    --out $(TRAINING_OUT)

train-evaluate: $(TRAINING_ENV)/ready $(TRAINING_DETECTOR)
	$(call training_need,EVAL,the folder with print-attack-dev and clips-dev)
	@$(TRAINING_PYTHON) Training/evaluate.py --eval $(EVAL) --detector $(TRAINING_DETECTOR) \
	    --student $(TRAINING_STUDENT) $(if $(TEACHER),--teacher $(TEACHER)) --rule $(RULE) \
	    --threshold $(THRESHOLD) --cache $(TRAINING_OUT)/measured

train-sheet: $(TRAINING_ENV)/ready $(TRAINING_DETECTOR)
	$(call training_need,DATA,the folder with lfw nuaa clips-live)
	$(TRAINING_PYTHON) -m liveness.sheet --data $(DATA) $(TRAINING_LFW) --detector $(TRAINING_DETECTOR) \
	    --out $(TRAINING_OUT) $(if $(QUICK),--pictures 20)

# Part of `make test`: with what the machine's own Python has; what needs more is skipped by name.
test: train-plain-test
train-plain-test:
	PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -v -s Training/tests -t Training

train-test: $(TRAINING_ENV)/ready
	$(TRAINING_PYTHON) -m unittest discover -s Training/tests -t Training
