#!/usr/bin/env bash
# Trains chaffinch's tagger and UDPipe 1 on the same treebanks, and scores both on the words of
# the development parts. Prints a line for each: UPOS, XPOS, features, lemmas (%, all features
# and lemmas compared), words per second of processor time, and the size of the model.
#
#   run.sh TRAIN.conllu DEV.conllu [TRAIN.conllu DEV.conllu ...]
#
# UDPipe trains for about 7 ms per word; its models are kept for later runs. Needs python3, Go and the network (PyPI).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] && [ $(($# % 2)) = 0 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
. "$here/../venv.sh" "$here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here/../../.." && go build -o "$work/chaffinch" ./cmd/chaffinch)
while [ $# -gt 0 ]; do
  echo "== $1"
  "$work/chaffinch" train tagger "$1" --folds 0 -q -o "$work/own.chf"
  "$work/chaffinch" eval tag "$work/own.chf" "$2"
  "$python" "$here/udpipe.py" "$1" "$2" "$venv/udpipe-$(sha256sum "$1" | cut -c1-16).model"
  shift 2
done
