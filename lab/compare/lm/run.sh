#!/usr/bin/env bash
# Compares word models with KenLM.
#
#   run.sh TEXT SENTENCES [LMPLZ]
#
# TEXT and SENTENCES hold one sentence a line. KenLM's Python module (PyPI) reads
# an ARPA file that chaffinch wrote and scores the SENTENCES; log10 probabilities
# must agree to 1e-4. Where LMPLZ is KenLM's lmplz, both programs estimate models
# from TEXT, and discounts, n-grams and numbers are compared. Needs python3 and
# the network; works in a temporary folder.
set -euo pipefail
text=$(realpath "$1") sentences=$(realpath "$2") lmplz=${3:-}
here=$(cd "$(dirname "$0")" && pwd) tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
python3 -m venv "$tmp/venv"
"$tmp/venv/bin/pip" -q --disable-pip-version-check install kenlm==0.3.0
(cd "$here/../../.." && go build -o "$tmp/chaffinch" ./cmd/chaffinch)
cd "$tmp"
# Both cut at ASCII white space only; a token of ours has at most 64 bytes.
plain() { LC_ALL=C tr '\000\013\014\r' '    ' <"$1" | LC_ALL=C grep -vE '[^ 	]{65}|<s>|</s>|<unk>' | grep '[^[:space:]]'; }
plain "$text" >text
plain "$sentences" >sentences
train() { ./chaffinch train words text --lines --tokenizer blanks --held-out 0 -q "$@"; }

echo "ARPA written by chaffinch, read by KenLM"
for flags in "--order 2" "--order 3 --prune 0,0,1" "--order 5 --bits 32 --prune 0,0,1" "--order 2 --max-ngrams 20000 --max-words 5000"; do
  train -o m.chf $flags
  ./chaffinch model arpa m.chf -o m.arpa
  ./chaffinch perplexity --model m.chf <sentences >ours
  venv/bin/python "$here/score.py" m.arpa sentences ours | sed "s/^/$flags: /"
done
./chaffinch train words text -o w.chf -q # words are cut and folded by chaffinch
./chaffinch model arpa w.chf -o w.arpa
./chaffinch perplexity --model w.chf <sentences >one
./chaffinch perplexity --model w.arpa <sentences >two
cmp one two && echo "default tokeniser: the model and its ARPA twin give the same bytes"

if [ -n "$lmplz" ]; then
  echo "estimated by chaffinch and by lmplz"
  for flags in "2 0" "3 0" "3 0,0,1" "4 0,1,1,2" "5 0"; do
    set -- $flags
    "$lmplz" -o "$1" --prune ${2//,/ } --discount_fallback -S 20% -T "$tmp/" --arpa k.arpa <text 2>k.log
    train -o m.chf --order "$1" --prune "$2" --bits 32
    ./chaffinch model arpa m.chf -o m.arpa
    ./chaffinch model info --json m.chf >info
    venv/bin/python "$here/arpa.py" k.arpa m.arpa k.log info | sed "s/^/order $1, prune $2: /"
  done
fi
