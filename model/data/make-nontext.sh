#!/bin/sh
# Trains the embedded model of non-text, byte for byte: model/data/nontext/nontext.chf. Run it at the
# root of the project; it needs python3 and zstd. DATA is the folder that holds the data sets;
# docs/reference/models/nontext.md describes them and their licences. TEXTS is a folder for the
# training and evaluation text.
set -eu
DATA=${DATA:-../shared/data}
TEXTS=${TEXTS:-$(mktemp -d)}
python3 model/data/nontext.py "$DATA" "$TEXTS"
train() { go run ./cmd/chaffinch train nontext "$@" -q; }
train "$TEXTS/seeds.jsonl" -o "$TEXTS/seeds.chf" --save-made "$TEXTS/made.jsonl" # for the generated text only
train "$TEXTS/judged-good.jsonl" "$TEXTS/judged-bad.jsonl" -o model/data/nontext/nontext.chf --name nontext \
	--more-good "$TEXTS/more-good.jsonl" --more-bad "$TEXTS/more-bad.jsonl" --more-bad "$TEXTS/made.jsonl" --limit-on "$TEXTS/limit.jsonl" \
	--about "2,337 web texts of 22 languages judged by people (MIT); with lower weight: lines judged by people, text and boilerplate of web pages, and bad text made of good text of some 100 languages"
