#!/usr/bin/env bash
# Compares the cost of a snapshot with rival pipelines. The figures are those of lab/results/build.md.
#
#   run.sh CHAFFINCH [FLAGS] FILE.warc.gz...
#
# FLAGS are those of compare.py. Needs python3, libmagic and, on first use, the network (PyPI).
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
venv=${CHAFFINCH_COMPARE_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare-snapshot}
if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" -q install -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/"
fi
chaffinch=$1
shift
exec "$venv/bin/python" "$here/compare.py" --chaffinch "$chaffinch" "$@"
