#!/usr/bin/env bash
# Writes the pages of sets as TEI and validates them: as the DTD of trafilatura
# allows (without tables, code and images), and whole against a RELAX NG schema
# if one is given, such as tei_all.rng from https://tei-c.org/release/xml/tei/custom/schema/relaxng/
#
#   lab/compare/tei/run.sh [--rng tei_all.rng] SET...    # folders with html/, such as ../shared/data/eval/daniel unpacked
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../venv.sh" "$here/.."
rng=
if [ "${1:-}" = --rng ]; then rng=$2; shift 2; fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
(cd "$here/../../.." && go build -o "$out/chaffinch" ./cmd/chaffinch)
code=0
for set in "$@"; do
  name=$(basename "$set")
  "$out/chaffinch" clean -q -m keep --hidden keep -f xml --without tables,code,images "$set/html" -o "$out/plain/$name/"
  "$python" "$here/validate.py" "$out/plain/$name" || code=1
  if [ -n "$rng" ]; then
    "$out/chaffinch" clean -q -m keep --hidden keep -f xml "$set/html" -o "$out/whole/$name/"
    "$python" "$here/validate.py" "$out/whole/$name" "$rng" || code=1
  fi
done
exit $code
