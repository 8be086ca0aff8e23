#!/usr/bin/env bash
# Lucene and Tantivy beside the engine of chaffinch eval ir: the same words in, rankings
# and scores compared, bytes of the index, processor time to build it and of 10,000
# queries.
#
#   engines.sh [--grow SIZE,...] [--data COLLECTIONS] [--no-tantivy]
#
# COLLECTIONS: what chaffinch eval ir takes (default: ../shared/data/ir/ir.tar.zst
# beside the checkout). --grow also takes made collections of these sizes, such as
# 10MB,40MB,160MB (chaffinch eval dedup --grow), with 200 topics of three words of a
# document. Needs Java 17, Maven, Cargo, python3 and, on first use, Maven Central and
# crates.io. Exit code 1 if a ranking differs from Lucene's or a score by more than
# 1e-4.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
data=$root/../shared/data/ir/ir.tar.zst grow= tantivy=yes
while [ $# -gt 0 ]; do
  case $1 in
    --grow) grow=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --no-tantivy) tantivy=; shift ;;
    *) sed -n '2,15s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
cache=${CHAFFINCH_COMPARE_NATIVE:-${XDG_CACHE_HOME:-$HOME/.cache}/chaffinch/compare-native}/ir
if ! cmp -s "$here/pom.xml" "$cache/pom.xml"; then
  rm -rf "$cache/lib"
  mkdir -p "$cache"
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$cache/lib"
  cp "$here/pom.xml" "$cache/"
fi
mkdir -p "$cache/classes"
javac -cp "$cache/lib/*" -d "$cache/classes" "$here/LuceneRun.java"
[ -z "$tantivy" ] || cargo build -q --release --manifest-path "$here/tantivy/Cargo.toml" --target-dir "$cache/target"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -trimpath -o "$tmp/chaffinch" ./cmd/chaffinch)
failed=0

# one COLLECTION-FOLDER NAME: all engines on one collection.
one() {
  "$tmp/chaffinch" eval ir "$1" -c "$2" --compat lucene --rank ql:mu=1000 --rank bm25 --save-words "$tmp/words" --save-runs "$tmp/runs" > /dev/null
  "$tmp/chaffinch" eval ir "$1" -c "$2" --rank bm25 --depth 10 --queries 10000 --save "$tmp/cost.json" > /dev/null 2>&1
  python3 - "$tmp/cost.json" "$2" << 'PY'
import json, sys
for t in json.load(open(sys.argv[1])):
    if t["task"] == "ir cost":
        v = t["rows"][0]["values"]
        print(f"{sys.argv[2]}\tchaffinch\t{round(v[1] * 1e6)}\t{v[5]:.3f}\t{v[6]:.3f}")
PY
  for m in ql:1000 bm25:1.2,0.75; do
    rm -rf "$tmp/lucene"
    java -cp "$cache/lib/*:$cache/classes" LuceneRun "$tmp/words/$2.docs.tsv" "$tmp/words/$2.topics.tsv" "$tmp/lucene" $m 1000 0 "$tmp/lucene.run" > /dev/null 2>&1
    case $m in ql*) ours=ql_mu=1000 ;; *) ours=bm25 ;; esac
    said=$(python3 "$here/agree.py" "$tmp/runs/$2.$ours.run" "$tmp/lucene.run") || failed=1
    echo "$2 $m: $said"
  done
  rm -rf "$tmp/lucene" "$tmp/tantivy"
  printf '%s\t%s\n' "$2" "$(java -cp "$cache/lib/*:$cache/classes" LuceneRun "$tmp/words/$2.docs.tsv" "$tmp/words/$2.topics.tsv" "$tmp/lucene" bm25:1.2,0.75 10 10000 "$tmp/lucene.run" 2> /dev/null)"
  [ -z "$tantivy" ] || printf '%s\t%s\n' "$2" "$("$cache/target/release/chaffinch-tantivy" "$tmp/words/$2.docs.tsv" "$tmp/words/$2.topics.tsv" "$tmp/tantivy" 10 10000 "$tmp/tantivy.run")"
}

echo "collection	engine	bytes of the index	s to build	s for 10,000 queries, the best 10 of each (processor time)"
for c in adi cisi cranfield lisa med time; do one "$data" $c; done
for size in ${grow//,/ }; do
  mkdir -p "$tmp/made/grown-$size"
  (cd "$root" && "$tmp/chaffinch" eval dedup --grow "$size" --save-docs "$tmp/docs.jsonl" 2> /dev/null)
  python3 "$here/grow.py" "$tmp/docs.jsonl" "$tmp/made/grown-$size"
  one "$tmp/made" "grown-$size"
  rm -rf "$tmp/made"
done
exit $failed
