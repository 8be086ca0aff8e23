#!/bin/sh
# Trains the embedded model of languages, byte for byte: model/data/languages/langid.chf. Run it at the root of
# the project; it needs git, python3 and zstd. DATA is the folder that holds the data sets, REPOS
# clones of the repositories in model/data/langid-sources.py. docs/reference/models/langid.md
# describes both and their licences. TEXTS is a folder for the training text.
set -eu
text=${DATA:-../shared/data}/text
TEXTS=${TEXTS:-$(mktemp -d)}
python3 model/data/langid-sources.py "$REPOS" "$TEXTS/sources"
mkdir -p "$TEXTS/shared"
zstd -dc "$text/ml.tar.zst" | tar -x -C "$TEXTS/shared" --exclude 'ml-udhr*' # an older copy
go run ./cmd/chaffinch train langid "$TEXTS/shared" "$text/en.tar.zst=en" "$text/ml-novels.tar.zst" lab/train/langid/words "$TEXTS/sources" \
	-o "${1:-model/data/languages/langid.chf}" --name langid --report "$TEXTS/held-out.md" \
	--about "Common Voice sentences (CC0 1.0), GNOME help (CC BY-SA 3.0), Open Source Guides (CC BY 4.0), Universal Declaration of Human Rights (public domain), parts of the Bible (CC0 1.0 as stated for the collection), African Storybook and Pratham Books stories (CC BY), messages of Wikimedia software (MIT, Apache-2.0) and of Mozilla web sites (MPL-2.0), lists of frequent words of FineWeb-2 (Apache-2.0), English prose (public domain, CC BY; each source as stated in its PROVENANCE.md), ELTeC novels de fr es (as stated in its PROVENANCE.md), lists of words of our own"
