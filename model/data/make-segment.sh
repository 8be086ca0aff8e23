#!/bin/sh
# Makes the embedded models that find words, byte for byte: model/data/segmenters/segment_*.chf.
# Run it at the root of the project: make-segment.sh CLONES DATA WORK SOURCES. CLONES holds clones of
# UD_Chinese-GSD, UD_Japanese-GSD and UD_Thai-TUD (github.com/UniversalDependencies), pythainlp
# (github.com/PyThaiNLP), icu at release-72-1 (github.com/unicode-org), botok-data
# (github.com/Esukhia) and classical-tibetan-corpus (github.com/tibetan-nlp), and in the folder
# debian the unpacked Debian packages libreoffice-l10n-km, libreoffice-help-km (7.4.7),
# firefox-esr-l10n-km and firefox-esr-l10n-my (153.8.0esr). DATA is the folder that holds the data
# sets, with ml unpacked in DATA/text. WORK gets the texts and dictionaries. SOURCES is the output
# of model/data/langid-sources.py. The script needs Python with the packages of lab/compare/segment/requirements.txt.
# docs/reference/models/segment.md describes the data and their licences.
set -eu
export LC_ALL=C.UTF-8
banks=$1 data=$2 work=$3 sources=$4
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

# Khmer, Burmese, Lao, Tibetan.
for lang in khmer:km burmese:my lao:lo; do
	sed 's/^\xef\xbb\xbf//; /^#/d' "$banks/icu/icu4c/source/data/brkitr/dictionaries/${lang%:*}dict.txt" | awk 'NF { print $1 }' | sort -u >"$work/${lang#*:}.words"
done
git -C "$banks/botok-data" show HEAD:words/tsikchen.tsv HEAD:words/uncompound_lexicon.tsv HEAD:dialect_packs/general/dictionary/words_non_inflected/particles.tsv |
	python3 model/data/segment.py words | sort -u >"$work/bo.words"
deb=$banks/debian text=$data/text
python3 model/data/segment.py km "$deb/usr/lib/**/km/**/*.mo" "$deb/**/*-km@*.xpi" "$deb/**/help/km/**/*.html" >"$work/km.txt"
python3 model/data/segment.py my "$work/my.words" "$deb/**/*-my@*.xpi" "$text/ml/ml-udhr/txt/mya.txt" "$text/ml/ml-commonvoice/txt/my.txt" >"$work/my.txt"
python3 model/data/segment.py lo "$work/lo.words" "$text/ml/ml-udhr/txt/lao.txt" "$sources/mozilla/txt/lo.txt" "$sources/wiki/txt/lo.txt" >"$work/lo.txt"
python3 model/data/segment.py bo "$banks/classical-tibetan-corpus" bu_ston taranatha mdzangs_blun marpa >"$work/bo.txt"

segmenter() {
	"$work/chaffinch" train segmenter --lang "$1" "$work/$1.txt" -d "$work/$1.words" -o "model/data/segmenters/segment_$1.chf" --about "$2"
}
segmenter km "words: messages and help pages of LibreOffice 7.4.7 and Firefox 153 ESR with zero-width spaces (MPL-2.0); dictionary: ICU 72.1 (Unicode licence)"
segmenter my "text: messages of Firefox 153 ESR (MPL-2.0), Common Voice (CC0), Universal Declaration of Human Rights (public domain), segmented by the dictionary; dictionary: ICU 72.1 (BSD)"
segmenter lo "text: messages of Firefox web sites and Common Voice (MPL-2.0), messages of Wikimedia software (MIT, Apache-2.0), Universal Declaration of Human Rights (public domain), segmented by the dictionary; dictionary: ICU 72.1 (BSD)"
segmenter bo "words: classical-tibetan-corpus, bu_ston, taranatha, mdzangs_blun and marpa (CC BY 4.0); dictionary: botok-data (public domain)"
