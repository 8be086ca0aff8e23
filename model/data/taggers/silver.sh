#!/bin/sh
# Writes a silver corpus: sentences of TEXT on whose parts of speech a tagger of
# ours and a model of OpenNLP agree. Features and lemmas are ours. Run it at the
# root of the project, after make.sh for the language without its silver corpus:
#
#	silver.sh LANG TAGGER TEXT OPENNLP-MODEL OUT
#
# CLASSPATH holds opennlp-tools and slf4j-api.
set -eu
lang=$1 tagger=$2 text=$3 model=$4 out=$5
chaffinch=${CHAFFINCH:-go run ./cmd/chaffinch}
here=model/data/taggers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$chaffinch convert "$text" -o "$work/own.conllu" --lang "$lang" --tag --taggers "$tagger"
python3 $here/silver.py words "$work/own.conllu" >"$work/words"
java $here/Pos.java "$model" <"$work/words" >"$work/other"
python3 $here/silver.py agree "$work/own.conllu" "$work/other" >"$out"
