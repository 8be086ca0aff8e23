#!/usr/bin/env bash
# Trains a fastText classifier on the good and bad text from which chaffinch train
# nontext learned, chooses its limit in the same way, and says how much good text it
# loses and how much bad text of each kind it finds.
#
#   run.sh [--leave-one-out] TRAIN-GOOD TRAIN-BAD TEST-GOOD TEST-BAD...
#
# All are JSON lines with the fields id and text; bad text that was made has kind
# (chaffinch train nontext --save-made, chaffinch eval nontext --save-made). Needs
# python3 and the network (PyPI).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 4 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
. "$here/../venv.sh" "$here"
"$python" "$here/fasttext_nontext.py" "$@"
