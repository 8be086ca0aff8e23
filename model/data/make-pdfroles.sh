#!/bin/sh
# Makes the embedded model of the roles of PDF paragraphs, byte for byte:
# model/data/pdfroles.chf. Run it at the root of the project. PDF is the folder of the
# documents of lab/eval/pdfroles/sources.tsv as SHA256.pdf: "git show COMMIT:PATH" in a
# clone of a repository gives the bytes. docs/reference/models/pdfroles.md describes them.
set -eu
: "${PDF:?wanted the folder of the documents of lab/eval/pdfroles/train.tsv}"
go run ./lab/eval/pdfroles -pdf "$PDF" -train lab/eval/pdfroles/train.tsv -o "${1:-model/data/pdfroles.chf}"
