#!/usr/bin/env bash
# Runs the fuzzers of packages one after the other and prints what each has done.
#
#   release/fuzz.sh TIME PACKAGE...       # TIME for each fuzzer, as go test takes it: 1s, 100000x
#   release/fuzz.sh 100000x               # all packages
#   FUZZ_CORPUS=folder release/fuzz.sh 10000000x ./extract ./text/charset:FuzzDecode
#
# FUZZ_CORPUS is a folder that keeps the inputs found, for the next run; without it they
# are dropped. A kept input that adds no coverage to the inputs before it is removed, unless
# several processes run. FUZZ_WORKERS is the number of processes at once. Default: 1. With FUZZ_UNGUIDED=1
# no coverage is measured: several times as many inputs a second, changed from those of the
# corpus, and none is added to it. Exits with 1 if an input fails, after all fuzzers have run.
set -euo pipefail
cd "$(dirname "$0")/.."
time=$1
shift
[ $# -gt 0 ] || readarray -t list < <(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# prune LOG FOLDER: removes the inputs in FOLDER without coverage that inputs before them lack. LOG has a
# line for each input when it is first run: the inputs of the test, then those of the folder by name ($work/inputs).
prune() {
	awk -v inputs="$work/inputs" '
		BEGIN { while ((getline name < inputs) > 0) names[++n] = name }
		/gathering baseline coverage: 0\// && !total { total = $0; sub(/.*: 0\//, "", total); total += 0 }
		/DEBUG processed an initial input/ { i = ++seen - (total - n); if (i > 0 && / new bits: 0,/) print names[i] }
	' "$1" | (cd "$2" && xargs -r rm -f)
}
for package in "${@:-${list[@]}}"; do
	only=
	case $package in *:*) only=${package#*:} package=${package%%:*} ;; esac
	bin=$work/fuzz log=$work/log
	guided=(-fuzz=.)
	[ "${FUZZ_UNGUIDED:-}" != 1 ] || guided=()
	(cd "$package" && go test -c -vet=off "${guided[@]}" -o "$bin" .) # in the module of the package
	corpus=${FUZZ_CORPUS:-$work}/${package#./}
	mkdir -p "$corpus"
	corpus=$(cd "$corpus" && pwd)
	for target in ${only:-$(grep -ho --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' "$package"/*_test.go | cut -c 6-)}; do
		mkdir -p "$corpus/$target"
		(cd "$corpus/$target" && LC_ALL=C ls) >"$work/inputs"
		if ! (cd "$package" && GODEBUG=fuzzdebug=1 "$bin" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" -test.fuzzminimizetime 20x -test.parallel "${FUZZ_WORKERS:-1}" -test.fuzzcachedir "$corpus" >"$log" 2>&1); then
			# At its deadline a fuzzer sometimes ends with nothing but the words
			# "context deadline exceeded": all of the time was spent, no input failed.
			if ! grep -q '^    context deadline exceeded$' "$log" || grep -Eq 'Failing input|panic:|hung or terminated' "$log"; then
				grep -v ' DEBUG ' "$log"
				echo "fuzzer $target in $package failed"
				failed=1
				continue
			fi
		fi
		[ -z "${FUZZ_CORPUS:-}" ] || [ "${FUZZ_WORKERS:-1}" != 1 ] || [ "${FUZZ_UNGUIDED:-}" = 1 ] || prune "$log" "$corpus/$target"
		printf '%s %s: %s\n' "$package" "$target" "$(grep -o 'execs: [0-9]*' "$log" | tail -n 1)"
	done
done
exit $failed
