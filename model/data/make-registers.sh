#!/bin/sh
# Makes the embedded model of registers, byte for byte: model/data/registers/registers.chf. Run it
# at the root of the project; it needs zstd and tar. DATA is the folder that holds the data sets;
# docs/reference/models/registers.md describes them and their licences. The model learns only from
# the corpora whose licences allow it. For a model of all corpora, for your own use:
#   go run ./lab/eval/registers -train FILE -all FOLDER
set -eu
DATA=${DATA:-../shared/data}
TEXTS=$(mktemp -d)
trap 'rm -r "$TEXTS"' EXIT
zstd -dcq "$DATA/registers/core-registers.tar.zst" | tar -xf - -C "$TEXTS"
go run ./lab/eval/registers -train model/data/registers/registers.chf "$TEXTS/core-registers"
