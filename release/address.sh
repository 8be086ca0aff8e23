#!/usr/bin/env bash
# Gives the module another path: in the go.mod files, in all imports, scripts and docs, and in
# the profile that the compiler is guided by. Wheel and container take their links from go.mod.
#
#   release/address.sh example.org/corpora/chaffinch
#
# Run it on a clean checkout, look at git diff, and commit. Needs git, Go, perl and python3.
set -euo pipefail
cd "$(dirname "$0")/.."
new=${1:?name the new path of the module, such as example.org/corpora/chaffinch}
old=$(go list -m)
[[ $new =~ ^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9._~-]+)+$ ]] || { echo "address: $new: want a host name with a dot, and a path below it"; exit 2; }
[ -z "$(git status --porcelain)" ] || { echo 'address: the checkout has changes: commit or remove them first'; exit 2; }

# The folders with packages: "OLD/folder" is a package, "OLD/1.0" the name of a crawler.
folders=$(git ls-files '*.go' | grep / | cut -d/ -f1 | sort -u | paste -sd'|')
export OLD=$old NEW=$new FOLDERS=$folders
git ls-files -z '*.go' '*.mod' '*.md' '*.sh' '*.py' '*.txt' '*.toml' '*.yaml' '.ci/*' Containerfile |
	grep -zvE '^release/changelog/|^CHANGELOG\.md$' |
	xargs -0 perl -pi -e '
		BEGIN { ($old, $new, $folders) = @ENV{qw(OLD NEW FOLDERS)} }
		s{(?<![\w./\$~:-])\Q$old\E(?=/(?:$folders)\b)}{$new}g;               # packages
		s{^(\s*(?:import\s+)?(?:[\w.]+\s+)?")\Q$old\E(?="\s*(?://.*)?$)}{$1$new} if $ARGV =~ /\.go$/;  # an import of the root
		s{^(\s*(?:module|replace|require|go get)?\s*)\Q$old\E(?=$|\s+=>|\s+v\d|@)}{$1$new} if $ARGV =~ /\.(mod|md)$/;
		s{^(\s*module\s+)\Q$old\E/}{$1$new/} if $ARGV =~ /\.mod$/;
	'
python3 - release/main.pgo <<'PY'
"""Rewrites the names of functions in a profile: the table of strings is field 6 of the message."""
import gzip, os, re, sys

def varint(b, i):
    n = shift = 0
    while True:
        n |= (b[i] & 127) << shift
        shift += 7
        i += 1
        if b[i - 1] < 128:
            return n, i

def encoded(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])

old, new = os.environ["OLD"].encode() + b"/", os.environ["NEW"].encode() + b"/"
# The compiler writes the dots of the last element of a path as %2e: there are none in ours.
b, out, i = gzip.decompress(open(sys.argv[1], "rb").read()), bytearray(), 0
while i < len(b):
    start = i
    key, i = varint(b, i)
    if key & 7 == 0:
        _, i = varint(b, i)
        out += b[start:i]
        continue
    assert key & 7 == 2, "not a profile"
    n, i = varint(b, i)
    value, i = b[i:i + n], i + n
    if key >> 3 == 6:  # a generic function names packages of its types, too
        value = re.sub(rb"(?<![\w./-])" + re.escape(old), lambda _: new, value)
    out += encoded(key) + encoded(len(value)) + value
open(sys.argv[1], "wb").write(gzip.compress(bytes(out), 9, mtime=0))
PY
gofmt -l . | xargs -r gofmt -w
go list -deps ./... >/dev/null
echo "the module is $new: git diff shows what has changed"
