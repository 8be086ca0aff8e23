#!/bin/sh
# Makes the learned labellers again from data whose licence is stated and lets
# everybody use it: wcxb-dev (CC BY 4.0), canola (CC BY-SA 4.0) and newspaper4k
# (Apache-2.0). Left out: sets for research only, under the GPL or AGPL, or
# without a stated licence. Run it at the root of the project; DATA is the
# folder of the data sets, OUT that of the models. docs/reference/models/unrestricted.md
# tells how to use them, and what they cost.
set -eu
DATA=${DATA:-../shared/data}
OUT=${OUT:-unrestricted}
mkdir -p "$OUT"
chaffinch() { go run ./cmd/chaffinch "$@"; }
chaffinch train blocks --data "$DATA" wcxb-dev canola newspaper4k \
	--about "three evaluation sets whose licences let everybody use them: wcxb-dev CC BY 4.0, canola CC BY-SA 4.0, newspaper4k Apache-2.0" \
	-o "$OUT/blocks.chf"
chaffinch train ncleaner --pages "$DATA/eval/canola.tar.zst" --name ncleaner-en \
	--about "pages of canola; licence: CC BY-SA 4.0" -o "$OUT/ncleaner_en.chf"
chaffinch train ncleaner --pages "$DATA/eval/canola.tar.zst" --non-lexical --name ncleaner-nonlexical \
	--about "pages of canola; licence: CC BY-SA 4.0" -o "$OUT/ncleaner_nonlexical.chf"
chaffinch train lines --data "$DATA" --pages wcxb-dev=600,canola=150,newspaper4k=150 --page-weight 1 --split none -o "$OUT/lines.chf"
