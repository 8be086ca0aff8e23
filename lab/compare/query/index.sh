#!/usr/bin/env bash
# Indexes a vertical with Chaffinch, CWB and BlackLab for compare.py, one after another:
#
#   index.sh WORK VERTICAL CHAFFINCH CWB JAVA_CLASSES HEAP
#
# Indexes in WORK are kept. WORK/NAME.time holds wall s, user s, system s and peak KB of each step.
set -euo pipefail
work=$1 vertical=$2 chaffinch=$3 cwb=$4 classes=$5 heap=$6
measure() { # NAME COMMAND...
  env time -a -o "$work/$1.time" -f '%e %U %S %M' "${@:2}" >>"$work/$1.log" 2>&1
}
if [ ! -e "$work/chaffinch.done" ]; then
  rm -rf "$work"/chaffinch*
  measure chaffinch "$chaffinch" corpus index --grammar none -o "$work/chaffinch" "$vertical"
  touch "$work/chaffinch.done"
fi
if [ ! -e "$work/cwb.done" ]; then
  rm -rf "$work"/cwb*
  "$chaffinch" corpus export -q -f cwb -o "$work/cwb-input" "$work/chaffinch"
  mkdir -p "$work/cwb" "$work/cwb-registry"
  measure cwb "$cwb/cwb-encode" -d "$work/cwb" -f "$work"/cwb-input/*.vrt -R "$work/cwb-registry/corpus" -c utf8 -xsB \
    -S s:0 -S p:0+heading+kind -S doc:0+lang
  measure cwb "$cwb/cwb-makeall" -r "$work/cwb-registry" CORPUS
  measure cwb "$cwb/cwb-huffcode" -r "$work/cwb-registry" -A CORPUS
  measure cwb "$cwb/cwb-compress-rdx" -r "$work/cwb-registry" -A CORPUS
  rm -f "$work"/cwb/*.corpus "$work"/cwb/*.corpus.rev "$work"/cwb/*.corpus.rdx
  touch "$work/cwb.done"
fi
if [ ! -e "$work/blacklab.done" ]; then
  rm -rf "$work"/blacklab*
  "$chaffinch" vertical registry --force --name corpus --dir "$work/blacklab-format" "$vertical"
  measure blacklab java "-Xmx$heap" -cp "$classes" QueryRun index "$work/blacklab" "$work"/blacklab-format/*.blf.yaml "$vertical"
  touch "$work/blacklab.done"
fi
