#!/bin/sh
# Makes the embedded model of close languages: model/data/languages/close.chf. Run it at the
# root of the project. REPOS and PACKAGES are the inputs of
# lab/compare/langid/close.py, DATA is the folder that holds the data sets;
# docs/reference/models/close.md describes them and their licences.
set -eu
texts=$(mktemp -d)
trap 'rm -rf "$texts"' EXIT
python3 lab/compare/langid/close.py --repos "$REPOS" --packages "$PACKAGES" --text "${DATA:-../shared/data}/text/ml.tar.zst" --out "$texts"
go run ./cmd/chaffinch train close "$texts/train" -o "${1:-model/data/languages/close.chf}" --name close --config '{"folds":3}' \
	--about "Messages of LibreOffice, Firefox and Thunderbird, mozilla.org (MPL-2.0), Wikipedia for Android (Apache-2.0), MediaWiki extensions (MIT), the iD editor (ISC); lingua test data (Apache-2.0), DSLCC v2.0 (CC0), Norwegian Dependency Treebank (CC0) and Universal Dependencies (CC BY-SA 4.0), Common Voice (CC0), Open Source Guides (CC BY 4.0), Universal Declaration of Human Rights (public domain), word frequencies of OpenSubtitles (CC BY-SA 4.0)"
