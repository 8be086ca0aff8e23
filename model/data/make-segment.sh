#!/bin/sh
# Makes the embedded models that find words, byte for byte:
# model/data/segmenters/segment_zh.chf, segment_ja.chf and segment_th.chf. Run it at the
# root of the project: make-segment.sh TREEBANKS WORK. TREEBANKS holds clones of
# UD_Chinese-GSD, UD_Japanese-GSD and UD_Thai-TUD (github.com/UniversalDependencies)
# and of pythainlp (github.com/PyThaiNLP); WORK gets what is made of them. It
# needs Python with the packages of lab/compare/segment/requirements.txt.
# docs/reference/models/segment.md describes the data and their licences.
set -eu
export LC_ALL=C.UTF-8
banks=$1 work=$2
mkdir -p "$work"
go build -o "$work/chaffinch" ./cmd/chaffinch

# Words of treebanks, one sentence a line.
git -C "$banks/UD_Chinese-GSD" show 9eab518:zh-ud-train.conllu |
	awk -F'\t' '/^$/ { if (s != "") print s; s = "" } /^[0-9]+\t/ { gsub(/ /, "", $2); s = s (s == "" ? "" : " ") $2 } END { if (s != "") print s }' >"$work/zh.txt"
git -C "$banks/UD_Japanese-GSD" show fad3ce6:stanza/train.bio |
	awk -F'\t' '/^[ \t]*$/ { if (s != "") print s; s = ""; next } { split($1, a, " "); s = s (s == "" ? "" : " ") a[1] } END { if (s != "") print s }' >"$work/ja.txt"
git -C "$banks/UD_Thai-TUD" show 58c2058:th_tud-ud-train.conllu >"$work/th_tud-ud-train.conllu"

# Dictionaries.
site=$(python3 -c 'import jieba, os; print(os.path.dirname(os.path.dirname(jieba.__file__)))')
LC_ALL=C sort -s -k2,2nr "$site/jieba/dict.txt" | awk 'NR <= 120000 { print $1 }' >"$work/zh.words"
awk '{ print $1, $2 }' "$site/opencc/dictionary/TSCharacters.txt" >"$work/zh.fold"
[ -s "$work/ja.words" ] || python3 model/data/unidic.py "$site/unidic_lite/dicdir/sys.dic" 120000 >"$work/ja.words"
git -C "$banks/pythainlp" show HEAD:pythainlp/corpus/words_th.txt >"$work/th.words"

"$work/chaffinch" train segmenter --lang zh "$work/zh.txt" -d "$work/zh.words" --fold "$work/zh.fold" --l1 0.7 -o model/data/segmenters/segment_zh.chf \
	--about "words: UD_Chinese-GSD, training part as of 2016 (treebank CC BY-SA 4.0); dictionary: jieba 0.42.1 (MIT); traditional as simplified characters: OpenCC (Apache-2.0)"
"$work/chaffinch" train segmenter --lang ja "$work/ja.txt" -d "$work/ja.words" -o model/data/segmenters/segment_ja.chf \
	--about "words: UD_Japanese-GSD, training part as of 2022 (CC BY-SA 4.0); dictionary: unidic-lite 1.0.8 (UniDic 2.1.2, BSD)"
"$work/chaffinch" train segmenter --lang th "$work/th_tud-ud-train.conllu" -d "$work/th.words" -o model/data/segmenters/segment_th.chf \
	--about "words: UD_Thai-TUD, training part of UD 2.17 (CC BY-SA 4.0); dictionary: PyThaiNLP words_th.txt (CC0)"
