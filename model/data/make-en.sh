#!/bin/sh
# Makes the embedded English word model, byte for byte: model/data/words/words_en.chf.
# Run it at the root of the project. DATA is the folder that holds the data
# sets; docs/reference/models/en.md describes them and their licences.
#
# Modern prose counts twice or three times, the novels once. Left out: spam,
# tweets and film scripts, and the gold texts of wcxb-dev in which fewer than
# 1.5 % of the words are English function words (other languages, bare lists).
set -eu
DATA=${DATA:-../shared/data}
en=$DATA/text/en.tar.zst
eval=$DATA/eval
whole=$(mktemp)
go run ./cmd/chaffinch train words -o "$whole" --name en \
	--words 65536 --max-size 6MB \
	--about "English words and pairs of words: modern prose of several kinds, novels, and clean text of web pages" \
	--licence "digitalgov, 18F, US speeches: public domain (CC0)" \
	--licence "ELTeC novels: public domain, markup CC BY 4.0" \
	--licence "PLOS articles: 115 CC BY, 6 CC0, 1 open access" \
	--licence "MASC: may be used for linguistic education, research and development, including commercial development; copyright 2014 American National Corpus" \
	--licence "GUM: academic, court CC BY 4.0; bio, voyage CC BY-SA 3.0; news, interview CC BY 2.5" \
	--licence "movie reviews (Pang and Lee, polarity 2.0): CC BY 4.0" \
	--licence "manuals: rclone MIT, Miller BSD-2-Clause, Prometheus and BlackLab Apache-2.0" \
	--licence "wcxb-dev gold: CC BY 4.0; canola gold: CC BY-SA 4.0; newspaper4k gold: Apache-2.0; pages stay the copyright of their sites" \
	--licence "cleaneval-en-dev is not part of the training data: scores on it are honest; those on wcxb-dev, canola and newspaper4k are not" \
	--exclude '*/en-masc/txt/spam/*' --exclude '*/en-masc/txt/twitter/*' --exclude '*/en-masc/txt/movie-script/*' \
	$(for id in 0608 0609 0633 0643 0644 0645 0649 0656 0659 0706 2904 2919 2947 4021 4403 4418 4736; do
		printf -- '--exclude wcxb-dev/gold/%s.txt ' $id
	done) \
	"$en:en/en-18f/*.txt=3" "$en:en/en-digitalgov/*.txt=3" "$en:en/en-gum/*.txt=3" "$en:en/en-masc/*.txt=3" \
	"$en:en/en-oss-docs/*.txt=2" "$en:en/en-plos/*.txt=2" "$en:en/en-us-speeches/*.txt=3" \
	"$en:en/en-movie-reviews/*.txt=2" "$en:en/en-eltec/*.txt=1" \
	"$eval/canola.tar.zst:canola/gold/*.txt=3" "$eval/newspaper4k.tar.zst:newspaper4k/gold/*.txt=3" \
	"$eval/wcxb-dev.tar.zst:wcxb-dev/gold/*.txt=2"
go run ./release/pack "$whole" model/data/words/words_en.chf
rm "$whole"
