#!/bin/sh
# Makes the embedded model of the labeller blocks, byte for byte:
# model/data/blocks.chf. Run it at the root of the project. DATA is the folder
# that holds the data sets, EXTRA that of the further annotated pages, ID.html:
# lab/eval/roles/extra-pages.tsv says of each whence it is, and "git show COMMIT:PATH"
# in a clone of its repository gives the bytes. docs/reference/models/blocks.md says what
# the data are, and their licences. A page that is missing or differs ends it.
set -eu
DATA=${DATA:-../shared/data}
: "${EXTRA:?wanted the folder of the pages of lab/eval/roles/extra.tsv}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chaffinch() { go run ./cmd/chaffinch "$@"; }

# The name of the folder is that of the set in the table of roles.
chaffinch annotate gold lab/eval/roles/extra.tsv --pages "$EXTRA" --keep main --meta lab/eval/roles/extra-pages.tsv -o "$work/extra"
chaffinch train blocks --data "$DATA" cleaneval-en-dev wcxb-dev dragnet google-trends-2017 l3s-gn1 canola daniel zh-news newspaper4k "$work/extra" \
	--roles lab/eval/roles/dev.tsv,lab/eval/roles/extra.tsv \
	--about "nine evaluation sets: pages and the text that people kept of them; further pages of public repositories; roles of blocks that a language model read on some of them" \
	-o "${1:-model/data/blocks.chf}"
