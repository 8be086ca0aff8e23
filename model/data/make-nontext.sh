#!/bin/sh
# Makes the embedded models of non-text, byte for byte:
# model/data/nontext/nontext_en.chf and model/data/nontext/nontext_any.chf. Run it at the root of the
# project; it needs python3 and zstd. DATA is the folder that holds the data sets;
# docs/reference/models/nontext.md describes them and their licences. TEXTS is a folder for
# the text that is learned from and that which is kept for the evaluation.
set -eu
DATA=${DATA:-../shared/data}
TEXTS=${TEXTS:-$(mktemp -d)}
python3 model/data/nontext.py "$DATA" "$TEXTS"
about="bad text made of the good; good text: "
go run ./cmd/chaffinch train nontext "$TEXTS/train-en.jsonl" -o model/data/nontext/nontext_en.chf --name nontext_en --lang en --limit-on "$TEXTS/limit-en.jsonl" -q \
	--about "$about digital.gov, 18F, US speeches (public domain), PLOS (CC BY), GUM (CC BY, CC BY-SA), manuals (MIT, Apache, BSD), ELTeC novels (public domain), half of the sites of wcxb-dev (CC BY 4.0), canola (CC BY-SA 4.0) and newspaper4k (Apache-2.0), whose pages stay the copyright of their sites"
go run ./cmd/chaffinch train nontext "$TEXTS/train-any.jsonl" -o model/data/nontext/nontext_any.chf --name nontext_any --shapes --limit-on "$TEXTS/limit-any.jsonl" -q \
	--about "$about Common Voice sentences (CC0), GNOME help (CC BY-SA), Open Source Guides (CC BY), Universal Declaration of Human Rights (public domain), ELTeC novels (public domain), a part of the English text"
