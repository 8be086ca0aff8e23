#!/usr/bin/env bash
# Scores chaffinch's tokeniser and its rivals on treebanks in CoNLL-U.
#
#   run.sh [--program CHAFFINCH] FILE.conllu...
#
# The treebanks are not part of the project: those of lab/results/README.md are at
# https://github.com/UniversalDependencies. Needs python3 and the network (PyPI).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
. "$here/../venv.sh" "$here"
program=()
case " $* " in *" --program "*) ;; *)
  go build -o "$venv/chaffinch" "$here/../../../cmd/chaffinch"
  program=(--program "$venv/chaffinch") ;;
esac
"$python" "$here/compare.py" "${program[@]}" "$@"
