#!/usr/bin/env bash
# Compares the cost of a snapshot with rival pipelines. The figures are those of lab/results/build.md.
#
#   run.sh CHAFFINCH [FLAGS] FILE.warc.gz...
#
# FLAGS are those of compare.py. Needs python3, libmagic and, on first use, the network (PyPI).
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../venv.sh" "$here"
chaffinch=$1
shift
exec "$python" "$here/compare.py" --chaffinch "$chaffinch" "$@"
