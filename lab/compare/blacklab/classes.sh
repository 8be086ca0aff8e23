#!/usr/bin/env bash
# Compiles Java files to a folder and prints their class path with BlackLab, which is downloaded on first use:
#
#   classes.sh FOLDER FILE.java...
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${CHAFFINCH_COMPARE_NATIVE:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare-native}/blacklab
if ! cmp -s "$here/pom.xml" "$cache/pom.xml"; then
  rm -rf "$cache"
  mkdir -p "$cache"
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$cache/lib" >&2
  cp "$here/pom.xml" "$cache/"
fi
mkdir -p "$1"
javac -cp "$cache/lib/*" -d "$1" "${@:2}" >&2
echo "$cache/lib/*:$1"
