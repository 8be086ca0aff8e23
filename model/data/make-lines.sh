#!/bin/sh
# Makes the embedded model of the method lines, byte for byte:
# model/data/lines.chf. Run it at the root of the project. DATA is the folder
# that holds the data sets; docs/reference/models/lines.md describes them and their
# licences. It learns from all documents: figures are those of "chaffinch eval
# lines", where each document is scored by models that have not seen it.
set -eu
data=${DATA:-../shared/data}
go run ./cmd/chaffinch train lines "$data/lines/turku-lines.tar.zst" --split none --seed 1 \
	-o "${1:-model/data/lines.chf}" --name lines \
	--about "Lines of web documents labelled by hand in sv fr de en es fi: TurkuNLP, multilingual-register-labeling, text-quality-annotations (no licence stated in the repository)"
