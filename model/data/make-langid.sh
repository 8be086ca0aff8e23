#!/bin/sh
# Makes the embedded model of languages, byte for byte: model/data/langid.chf.
# Run it at the root of the project. DATA is the folder that holds the data
# sets; docs/reference/models/langid.md describes them and their licences.
set -eu
text=${DATA:-../shared/data}/text
go run ./cmd/chaffinch train langid "$text/ml.tar.zst" "$text/en.tar.zst=en" "$text/ml-novels.tar.zst" lab/train/langid/words \
	-o "${1:-model/data/langid.chf}" --name langid \
	--about "Common Voice sentences (CC0 1.0), GNOME help (CC BY-SA 3.0), Open Source Guides (CC BY 4.0), Universal Declaration of Human Rights (public domain), English prose (public domain, CC BY; each source as stated in its PROVENANCE.md), ELTeC novels de fr es (as stated in its PROVENANCE.md), lists of words of our own"
