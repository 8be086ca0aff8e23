#!/usr/bin/env bash
# Builds training data on two servers of S3 that other people wrote, moto (Python) and versitygw (Go). Three processes
# lease shards, and one is killed. Prints whether the corpus has the bytes that one process makes.
#
#   run.sh CHAFFINCH FILE.warc.gz [SHARD-SIZE]
#
# Needs python3, Go and, on first use, the network (PyPI and the Go module proxy). Takes five minutes: a killed lease expires after two.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
chaffinch=$(realpath "$1") archive=$(realpath "$2") size=${3:-8MiB}
. "$here/../venv.sh" "$here"
GOBIN="$venv/bin" go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir gateway
"$venv/bin/moto_server" -p 5055 > moto.log 2>&1 &
ROOT_ACCESS_KEY=key ROOT_SECRET_KEY=secret-key "$venv/bin/versitygw" --port 127.0.0.1:5056 posix gateway > gateway.log 2>&1 &
export AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret-key AWS_REGION=us-east-1

build() { "$chaffinch" build training-data --one-pass -q s3://crawls/pages.warc.gz --shard-size "$size" "$@"; }
sums() { (cd "$1" && find corpus.parquet -type f | sort | xargs sha256sum) > "$2"; }

for server in moto:5055 versitygw:5056; do
  name=${server%:*}
  export AWS_ENDPOINT_URL=http://127.0.0.1:${server#*:}
  "$python" "$here/upload.py" "$AWS_ENDPOINT_URL" "$archive"
  timeout -s KILL 4 "$chaffinch" build training-data --one-pass -q s3://crawls/pages.warc.gz -o s3://corpora/leased --rank lease --shard-size "$size" || true &
  build -o s3://corpora/leased --rank lease --wait 10m & second=$!
  build -o s3://corpora/leased --rank lease --wait 10m & third=$!
  wait "$second" "$third"
  "$chaffinch" build merge -q s3://corpora/leased -o "$name-leased"
  build -o "$name-alone" --rank 0/1
  "$chaffinch" build merge -q "$name-alone"
  sums "$name-leased" leased.sums
  sums "$name-alone" alone.sums
  if cmp -s leased.sums alone.sums; then
    echo "$name: $(wc -l < alone.sums) files, the same bytes"
  else
    echo "$name: other bytes"; diff leased.sums alone.sums; exit 1
  fi
done
