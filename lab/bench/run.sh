#!/usr/bin/env bash
# Measures what the commands cost and compares it with figures that were saved, or with
# another commit, by benchstat. Exit code 1: a command takes a tenth more processor
# time than before, and benchstat does not think that it is chance.
#
#   lab/bench/run.sh                      against saved.txt beside this script
#   lab/bench/run.sh --against COMMIT     against that commit, in turn: what to take on a busy machine,
#                                          and on any other machine than that of the saved figures
#   lab/bench/run.sh --save               writes saved.txt anew
#   lab/bench/run.sh --packages [...]     the benchmarks of the packages as well (go test -bench)
#
# Other flags go to the program here: -run REGEXP, -rounds N, -cores 1,2, -table FILE, -growth,
# -data DIR, -work DIR (go run ./lab/bench -help). The table of lab/results/speed.md:
#
#   lab/bench/run.sh --against COMMIT -cores 1,2 -rounds 3 -table speed.md
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
save= against= packages= pass=()
while [ $# -gt 0 ]; do
  case $1 in
    --save) save=1; shift ;;
    --against) against=$2; shift 2 ;;
    --packages) packages=1; shift ;;
    -h | --help) sed -n '2,17s/^# \{0,1\}//p' "$0"; exit ;;
    *) pass+=("$1"); shift ;;
  esac
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; git -C "$root" worktree prune' EXIT
cd "$root"
go build -trimpath -o "$tmp/bench" ./lab/bench
go build -trimpath -o "$tmp/new" ./cmd/chaffinch
programs=$tmp/new old=$here/saved.txt new=$tmp/figures
if [ -n "$against" ]; then
  git worktree add --quiet --detach "$tmp/tree" "$against"
  (cd "$tmp/tree" && go build -trimpath -o "$tmp/old" ./cmd/chaffinch)
  programs=$tmp/old,$tmp/new old=$tmp/figures.1 new=$tmp/figures.2
fi
"$tmp/bench" -programs "$programs" -data ../shared/data -rounds 6 -o "$tmp/figures" "${pass[@]}"
# packages DIR: the benchmarks of its packages, each on one core.
packages() (
  cd "$1"
  go test -run '^$' -bench . -benchmem -cpu 1 -count 6 $(grep -rl --include='*_test.go' '^func Benchmark' . | grep -v '^./lab/transformer/' | xargs -n 1 dirname | sort -u)
)
if [ -n "$packages" ]; then
  [ -z "$against" ] || packages "$tmp/tree" >>"$old"
  packages . >>"$new"
fi
if [ -n "$save" ]; then
  {
    printf '# commit %s, %s, %s, %s\n' "$(git describe --always --dirty)" "$(date -u +%F)" "$(go env GOVERSION)" "$(sed -n 's/^model name\t*: //p' /proc/cpuinfo | head -n 1)"
    cat "$new"
  } >"$here/saved.txt"
  exit
fi
go tool -modfile=.ci/tools.mod benchstat "$old" "$new"
go tool -modfile=.ci/tools.mod benchstat -format csv "$old" "$new" 2>/dev/null | awk -F, '
  $2 == "cpu-ms" || $2 == "sec/op" { judged = 1; next }
  $1 == "" { judged = 0 }
  judged && $1 != "geomean" && $6 ~ /^\+/ && $6 + 0 > 10 { print "slower: " $1 " " $6; slower = 1 }
  END { exit slower }'
