#!/usr/bin/env bash
# Writes what a version of chaffinch leaves on disk into one small archive: indexes, models,
# unfinished runs, builds and crawls, all from our own texts. TestOld of cmd/chaffinch opens and
# resumes them with the current program.
#
#   release/old.sh PROGRAM cmd/chaffinch/testdata/old/VERSION.tar.zst
#
# Run it once per release and for each change of a format, with the program before the change.
# PROGRAM is the program of that version; kinds it has no command for are left out.
# Needs Linux, GNU tar, python3 and zstd. Inputs are named by relative paths, the crawl asks a
# host that does not exist through a proxy, so that no name of this machine gets into the archive.
set -euo pipefail
program=$(realpath "${1:?name the program}") out=$(realpath -m "${2:?name the archive}")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
served=
trap '[ -z "$served" ] || kill "$served"; rm -rf "$work"' EXIT
mkdir "$work/old"
cd "$work/old"
export TMPDIR=$work

has() { "$program" "$@" --help >/dev/null 2>&1; }

# inputs_of NAME: the files in the script testdata/NAME.txt, into learn/NAME.
inputs_of() {
	awk -v dir="learn/$1/" '/^-- .* --$/ { f = dir $2; d = f; sub("/[^/]*$", "", d); system("mkdir -p " d); next } f { print > f }' "$root/cmd/chaffinch/testdata/$1.txt"
}

# unfinished DIR CHECKPOINT COMMAND...: kills the command later and later until it leaves a
# CHECKPOINT that is past the beginning. Its outputs are in DIR.
unfinished() {
	local dir=$1 file=$2 wait
	shift 2
	for wait in $(seq 20 3 900); do
		rm -rf "$dir"
		mkdir "$dir"
		(timeout -s KILL "$(printf '0.%03d' "$wait")" "$@" || true) >/dev/null 2>&1
		if [ -s "$file" ] && grep -Eq '"(mark|Mark|Position)"' "$file"; then return; fi
	done
	rm -rf "$dir"
	echo "old: no checkpoint of $dir" >&2
}

"$program" --version >version.txt
cp -r "$root/examples/pages" pages
for _ in $(seq 200); do cat pages/crawl.warc.gz; done >many.warc.gz
"$program" clean -q -f jsonl pages -o pages.jsonl
"$program" clean -q -f vertical pages -o pages.vert
awk '{ n = NR; for (i = 0; i < 60; i++) { line = $0; sub(/"id":"/, "&" i "-", line); print line } }' pages.jsonl >many.jsonl
find . -type f -exec touch -d 2026-11-01T00:00:00Z {} + # checkpoints hold the times of inputs

unfinished clean clean/out.jsonl.state "$program" clean -q -j 1 --checkpoint 1ms -f jsonl many.warc.gz -o clean/out.jsonl
unfinished dedup dedup/out.jsonl.work/manifest.json "$program" dedup run -q -j 1 -m exact --checkpoint 1ms many.jsonl -o dedup/out.jsonl
if has filter run; then
	unfinished filter filter/out.jsonl.state "$program" filter run -q -j 1 --checkpoint 1ms --rules gopher_quality many.jsonl -o filter/out.jsonl
fi
for method in minhash exact onion; do
	"$program" dedup run pages.jsonl -q -m "$method" --index "dedup.$method" --update -o deduplicated.jsonl
done
"$program" corpus index -q pages.vert -o corpus.index
"$program" plagiarism index -q pages.jsonl -o plagiarism.index

mkdir models
for name in blocks charset langid lines ncleaner segmenter stopwords; do inputs_of "train_$name"; done
cat >learn/text.txt <<'END'
The ferry lay at the quay all winter. Nobody asked when it would leave again.
In spring the captain came back, and the ferry left the harbour with two cars on board.
END
learn() { "$program" train "$@" >/dev/null 2>learn.log || { echo "old: train $*: $(tail -1 learn.log)" >&2; }; }
learn words learn/text.txt -q --held-out 0 -o models/words.chf
learn stopwords learn/train_stopwords/texts --min-words 40 --min-sole-words 40 --cover .4 -o models/stopwords.chf
learn blocks learn/train_blocks/data/village=main --data learn/train_blocks --config '{"trees":{"trees":5,"rate":0.3}}' -o models/blocks.chf
learn charset --min-letters 100 --held-out 0 learn/train_charset/texts -o models/charset.chf
learn langid learn/train_langid/table.tsv --config '{"min_bytes":10,"min_bytes_two":10,"pieces":50}' -o models/langid.chf
learn lines learn/train_lines/walks.tsv --config '{"nets":1,"forests":1,"folds":2,"net":{"epochs":1,"batch":8,"rate":0.004,"window":1024},"trees":{"trees":5}}' -o models/lines.chf
learn ncleaner --pages learn/train_ncleaner/set --name village -o models/ncleaner.chf
learn segmenter --lang zh learn/train_segmenter/words.txt -o models/segmenter.chf
if has train nontext; then learn nontext many.jsonl --made all -o models/nontext.chf; fi

if has build run; then
	"$program" build linguist pages -q -o build
	"$program" build linguist pages -q --until dedup-exact -o build-unfinished
fi
if has crawl run; then
	mkdir -p served/http:
	cp -r pages "served/http:/pages.example" # a proxy is asked for the whole URL
	(cd served && exec python3 -uc '
import http.server
class Handler(http.server.SimpleHTTPRequestHandler):
    def list_directory(self, path): self.send_error(404)
s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(s.server_port, flush=True)
s.serve_forever()' >"$work/port" 2>/dev/null) &
	served=$!
	until [ -s "$work/port" ]; do sleep 0.1; done
	printf 'http://pages.example/%s\n' en/article.html en/docs.html en/forum.html de/verein.html >seeds.txt
	crawl() { "$program" crawl run seeds.txt -q --proxy "http://127.0.0.1:$(cat "$work/port")" --contact test@example.org --delay 10ms "$@"; }
	crawl -o crawl
	crawl --max-pages 2 -o crawl-unfinished
	rm -r served
fi
rm -rf learn learn.log deduplicated.jsonl

cd "$work"
! grep -rlF -e "$work" -e "$root" old || { echo "old: names of this machine are in these files" >&2; exit 1; }
mkdir -p "$(dirname "$out")"
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u+w,go-w --format=pax --pax-option=delete=atime,delete=ctime -cf - old | zstd -q -19 --long=27 -f -o "$out"
echo "$out: $(stat -c %s "$out") bytes, $(tar -I 'zstd -d --long=27' -tf "$out" | wc -l) files"
