#!/bin/sh
# Trains the taggers of models.tsv: OUT/LANG.chf. Run it at the root of the project:
#
#	make.sh UD LEX SILVER OUT [LANG...]
#
# UD holds the treebanks that treebanks.sh writes, LEX the lexicons LANG.tsv of
# lexicon.py, SILVER the corpora LANG.conllu of silver.sh. The treebanks of a model
# with a silver corpus are read four times, so that they outweigh it.
#
# Without LANG it then writes OUT/taggers.chf, the models in the program, and
# OUT/chaffinch-taggers.chf, all others. It corrects the lemmas of German participles.
set -eu
ud=$1 lex=$2 silver=$3 out=$4
shift 4
chaffinch=${CHAFFINCH:-go run ./cmd/chaffinch}
here=model/data/taggers
mkdir -p "$out"
grep -v '^#' $here/models.tsv | while IFS='	' read -r lang treebanks lexicon gold _; do
	if [ $# -gt 0 ]; then
		case " $* " in *" $lang "*) ;; *) continue ;; esac
	fi
	files= about=
	for t in $treebanks; do
		for part in train dev; do
			if [ -f "$ud/$t/$part.conllu" ]; then files="$files $ud/$t/$part.conllu"; fi
		done
		about="$about${about:+; }$(awk -F'\t' -v t="$t" '$1 == t { print "UD_" $1 " " $3 ", " $4 }' $here/treebanks.tsv)"
	done
	if [ "$gold" = silver ]; then
		files="$files$files$files$files $silver/$lang.conllu"
		about="$about; silver corpus"
	fi
	if [ "$lexicon" = lexicon ]; then
		about="$about; dictionary"
		$chaffinch train tagger $files --folds 0 --lexicon "$lex/$lang.tsv" -l "$lang" --about "$about" -q -o "$out/$lang.chf"
	else
		$chaffinch train tagger $files --folds 0 -l "$lang" --about "$about" -q -o "$out/$lang.chf"
	fi
done
if [ $# = 0 ]; then
	$chaffinch model pack $(awk -F'\t' -v out="$out" '$5 == "program" { print out "/" $1 ".chf" }' $here/models.tsv) -o "$out/taggers.chf"
	go run ./lab/train/tagger/participles "$out/taggers.chf"
	$chaffinch model pack $(awk -F'\t' -v out="$out" '$5 == "-" { print out "/" $1 ".chf" }' $here/models.tsv) -o "$out/chaffinch-taggers.chf"
fi
