#!/usr/bin/env bash
# Compares chaffinch's scores and speed with those of PyPlexity 0.2.12.
#
#   run.sh MODEL.st SENTENCES
#
# SENTENCES holds one sentence a line. Needs python3 and the network (PyPI);
# installs into a temporary folder.
set -euo pipefail
model=$(realpath "$1") sentences=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd) tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" -q --disable-pip-version-check install --no-deps pyplexity==0.2.12 storable==1.2.4
(cd "$here/../../.." && go build -o "$tmp/chaffinch" ./cmd/chaffinch)

"$tmp/venv/bin/python" "$here/score.py" "$model" "$sentences" >"$tmp/theirs"
"$tmp/chaffinch" perplexity --compat pyplexity --model "$model" <"$sentences" >"$tmp/ours"
paste "$tmp/theirs" "$tmp/ours" | awk '
  { d = ($1 - $2) / $1; if (d < 0) d = -d; if (d > worst) worst = d; if (d > 1e-9) bad++; n++ }
  END { printf "%d sentences, %d differ by more than 1e-9, largest relative difference %.2g\n", n, bad, worst; exit bad > 0 || n == 0 }'

words=$(wc -w <"$sentences")
theirs=$("$tmp/venv/bin/python" "$here/score.py" "$model" "$sentences" --time)
best() { # of three
  for _ in 1 2 3; do "$tmp/chaffinch" perplexity --stats "$@" <"$sentences" 2>&1 >/dev/null; done | awk '/words\/s/ { if ($(NF-1) > b) b = $(NF-1) } END { print b }'
}
printf '%d words, millions a second: PyPlexity %s\n' "$words" "$(awk "BEGIN { printf \"%.2f\", $theirs / 1e6 }")"
for how in "--compat pyplexity --model $model" "--model en"; do
  awk -v t="$theirs" -v o="$(best $how)" -v h="$how" 'BEGIN { printf "chaffinch %s: %.2f, %.1f times\n", h, o / 1e6, o / t }'
done
